package interp

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/trace"
)

// canaries are what must not be shown, by the place at which each comes in.
var canaries = map[string]string{
	"given text":      `c4n "one"/é&+x ${y}`,
	"object leaf":     "c4n-leaf\tof+an/object",
	"number leaf":     "9071554",
	"default":         "c4n/default?",
	"default leaf":    "c4n-default-leaf",
	"longer overlap":  "c4n/default?-and-more",
	"header literal":  "c4n-literal-header",
	"query literal":   "c4n-literal-query",
	"member literal":  "c4n-literal-member",
	"user literal":    "c4n-literal-user",
	"answered member": "c4n-answered-member",
}

// spellings are the ways in which a canary may be written, made without the
// code under test.
func spellings(t *testing.T, canary string) []string {
	t.Helper()
	once, err := json.Marshal(canary)
	if err != nil {
		t.Fatal(err)
	}
	plain := strings.NewReplacer(`\u0026`, "&", `\u003c`, "<", `\u003e`, ">").Replace(string(once))
	twice, err := json.Marshal(plain)
	if err != nil {
		t.Fatal(err)
	}
	html := string(once[1 : len(once)-1])
	list := []string{html, requoted(t, html, 1), requoted(t, html, 2), requoted(t, html, 3), canary, plain[1 : len(plain)-1], strings.NewReplacer(`\u0026`, "&").Replace(string(twice[3 : len(twice)-3])), url.QueryEscape(canary), url.PathEscape(canary)}
	if len(canary) >= 12 {
		for shift := range 3 {
			// Of three alignments the middle of each is the same whatever
			// stands around it.
			encoded := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("u", shift) + canary + "xyz"))
			list = append(list, encoded[4:4+len(canary)])
		}
	}
	return list
}

// requoted is the inside of a JSON string put into strings n times.
func requoted(t *testing.T, s string, n int) string {
	t.Helper()
	for range n {
		quoted, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		s = string(quoted[1 : len(quoted)-1])
	}
	return s
}

// leaks lists the canaries that a text shows.
func leaks(t *testing.T, text string) (found []string) {
	t.Helper()
	for name, canary := range canaries {
		for _, spelling := range spellings(t, canary) {
			if strings.Contains(text, spelling) {
				found = append(found, fmt.Sprintf("%s as %s", name, spelling))
			}
		}
	}
	return found
}

const canaryFile = `
variable "key" { sensitive = true }
variable "creds" { sensitive = true }
variable "fallback" {
  sensitive = true
  default   = "c4n/default?"
}
variable "defaults" {
  sensitive = true
  default   = { inner = ["c4n-default-leaf"], more = "c4n/default?-and-more" }
}
locals { bearer = "Bearer ${var.key}" }
provider "http" "api" {
  base_url = "http://c4n-literal-user:pw@api.test"
  headers  = { x-one = local.bearer, authorization = "c4n-literal-header" }
}
provider "openai" "model" {
  model    = "m"
  base_url = "http://llm.test/v1?key=c4n-literal-query"
}
retry "linear" "twice" { max_retries = 1 }
workflow "w" {
  provider = provider.api
  inputs   = { all = null, n = 1 }
  step "http" "post" {
    method = "POST"
    path   = "/${urlencode(var.key)}"
    query  = { token = "c4n-literal-query", page = var.creds.leaf }
    retry  = retry.twice
    json   = {
      client_secret = "c4n-literal-member", number = var.creds.number, text = jsonencode(input.all), coded = base64encode("u:${var.key}"),
      nested        = jsonencode({ text = jsonencode(var.key), api_key = "c4n-literal-member" }),
    }
  }
  step "llm" "ask" {
    provider = provider.model
    prompt   = "${var.fallback} ${var.defaults.more} ${step.post.status}"
    stream   = true
    tool "t" { output = { (var.key) = var.creds.leaf } }
  }
  step "value" "made" { value = { (var.defaults.more) = [var.creds], access_token = "c4n-answered-member" } }
  step "http" "last" {
    required = false
    path     = "/none?sig=c4n-literal-query&${urlencode(var.creds.leaf)}"
    depends_on = [step.made]
  }
  output = { made = step.made.output, answer = step.ask.content }
}
scenario "leaks" {
  run    = workflow.w
  inputs = { all = { key = var.key, creds = var.creds, other = [var.fallback, var.defaults] } }
  allow  = ["unused_reply", "unmatched_call"]
  on "post" {
    fault "http_error" {
      status_code = 503
      body        = "{\"error\": {\"message\": ${jsonencode(join("", ["no ", var.key, " please, but much longer than fits into a message, which is cut somewhere here: ", var.key]))}}}"
    }
    reply { body = "{\"access_token\": \"c4n-answered-member\", \"echo\": ${jsonencode(var.key)}, \"n\": ${var.creds.number}}" }
    reply { body = var.key }
  }
  on "ask" {
    reply { tool_calls = [{ name = "t", arguments = { a = var.key, password = "c4n-literal-member" } }] }
    reply { chunks = ["you ", substr(var.key, 0, 5), substr(var.key, 5, 6), substr(var.key, 11, 100), " said"] }
  }
  expect "post" { body = "not ${var.key}" }
  expect "made" { output = { access_token = "something else" } }
  assert "a long operand" {
    condition = step.post.body == "${substr("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 0, 192)}${var.key}"
  }
  assert "a message" {
    condition     = step.ask.content == "no" && step.post.attempts[0].request.url == "x"
    error_message = "said ${step.ask.content} of ${jsonencode(step.post.attempts[0].request)}"
  }
  assert "by name" { condition = step.made.output.access_token == "other" || length(step.made.output) == 0 }
  assert "no condition" { condition = step.post.json.echo }
}
`

// canaryResult compiles and runs the file of canaries.
func canaryResult(t *testing.T) *Result {
	t.Helper()
	file, diags := dsl.Parse("test.scenario.hcl", []byte(canaryFile))
	mustBeValid(t, diags)
	creds, err := json.Marshal(map[string]any{"leaf": canaries["object leaf"], "number": 9071554})
	if err != nil {
		t.Fatal(err)
	}
	suite, diags := Compile(file, Options{Vars: map[string]string{"key": canaries["given text"], "creds": string(creds)}})
	mustBeValid(t, diags)
	r := Run(suite.Plans[0], RunOptions{})
	if r.Verdict != Fail || len(r.Problems) < 5 {
		t.Fatalf("verdict %s:\n%s", r.Verdict, told(r))
	}
	return r
}

// Shows that no canary, whichever way it came in and however it is written, is
// in anything that leaves the package: the trace, the report, what was relaxed,
// the explanation, the spans.
func TestCanaries(t *testing.T) {
	r := canaryResult(t)
	var explained, spans strings.Builder
	if err := Explain(&explained, r); err != nil {
		t.Fatal(err)
	}
	for _, s := range telemetry.Spans(r.Header(), r.Events) {
		spans.Write(trace.AppendValue(nil, s.Object()))
		fmt.Fprintf(&spans, " %s\n", s.Message)
	}
	for where, text := range map[string]string{
		"trace": traceOf(t, r), "report": told(r), "relaxed": told(&Result{Problems: r.Relaxed}), "explanation": explained.String(), "spans": spans.String(),
	} {
		if found := leaks(t, text); found != nil {
			t.Errorf("the %s shows %s:\n%s", where, strings.Join(found, "\n"), text)
		}
	}
	if len(r.Relaxed) == 0 {
		t.Error("no gate was relaxed")
	}
	streamed := false
	for i := range r.Events {
		chunks, _ := r.Events[i].Attr("chunks").([]string)
		streamed = streamed || len(chunks) > 0
		if found := leaks(t, strings.Join(chunks, "")); found != nil {
			t.Errorf("the chunks %q together show %s", chunks, found)
		}
	}
	if !streamed {
		t.Error("nothing was streamed")
	}
	for line := range strings.Lines(traceOf(t, r)) {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
}

// Shows that the plan holds no value of a variable, and what it holds of the
// file only as it is written there.
func TestCanariesOfThePlan(t *testing.T) {
	var plan any
	if err := json.Unmarshal(canaryResult(t).Plan.JSON(), &plan); err != nil {
		t.Fatal(err)
	}
	rest := string(trace.AppendValue(nil, withoutSources(plan)))
	if found := leaks(t, rest); found != nil {
		t.Errorf("the plan shows %s:\n%s", strings.Join(found, "\n"), rest)
	}
	if !strings.Contains(rest, `"fallback":"`+redact.Placeholder("c4n/default?")+`"`) {
		t.Errorf("the plan does not say that there is a variable:\n%s", rest)
	}
}

// withoutSources leaves the text of expressions out of a plan.
func withoutSources(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = withoutSources(v[i])
		}
	case map[string]any:
		delete(v, "source")
		for k := range v {
			v[k] = withoutSources(v[k])
		}
	}
	return v
}

// Shows that the search finds what is planted, in every spelling: a check that
// finds nothing proves nothing.
func TestPlantedCanaryIsFound(t *testing.T) {
	for name, canary := range canaries {
		for _, spelling := range spellings(t, canary) {
			if leaks(t, "before "+spelling+" after") == nil {
				t.Errorf("%s as %s was not found", name, spelling)
			}
		}
	}
	r := canaryResult(t)
	r.Events = append(r.Events, trace.Event{Type: trace.Gate, Payload: &event.Gate{Message: "it was " + canaries["default"]}})
	if leaks(t, traceOf(t, r)) == nil {
		t.Error("the trace was not searched")
	}
}

const pinFile = `
variable "pin" {
  sensitive = true
  default   = ""
}
variable "plain" { default = "" }
retry "linear" "one" { delay = "1s" }
provider "http" "api" { base_url = "http://api.test" }
workflow "status" {
  provider = provider.api
  step "http" "get" {
    path  = "/"
    retry = retry.one
  }
  output = { status = step.get.status_code }
}
scenario "pin" {
  run = workflow.status
  on "get" {
    fault "http_error" {
      status_code = 503
      body        = "down"
    }
    reply { body = "fine" }
  }
  expect "get" { retries = 1 }
}
`

var planIDs = regexp.MustCompile(`"(plan|run_id)":"[^"]*"`)

// Shows that a secret which is a time in nanoseconds, a key, a type or a status
// changes nothing in the trace but the ids that are derived from the plan.
func TestSecretsThatAreWordsOfTheEngine(t *testing.T) {
	run := func(pin string) string {
		file, diags := dsl.Parse("test.scenario.hcl", []byte(pinFile))
		mustBeValid(t, diags)
		suite, diags := Compile(file, Options{Vars: map[string]string{"pin": pin}})
		mustBeValid(t, diags)
		return planIDs.ReplaceAllString(traceOf(t, Run(suite.Plans[0], RunOptions{})), `"$1":""`)
	}
	plain := run("")
	if !strings.Contains(plain, `"at_ns":1000000000`) {
		t.Fatal("nothing happens at 1000000000")
	}
	for _, pin := range []string{"1000000000", "status", "success", "step_end", "attempt", "script", "http_error", "fault_type", "sha256"} {
		if diff := cmp.Diff(plain, run(pin)); diff != "" {
			t.Errorf("--var pin=%s: %s", pin, diff)
		}
	}
}

// Shows that diagnostics hide what they would quote of a sensitive variable, and
// that one which cannot be hidden is warned about.
func TestSensitiveDiagnostics(t *testing.T) {
	compileWith := func(src, value string) hcl.Diagnostics {
		file, diags := dsl.Parse("test.scenario.hcl", []byte(src))
		mustBeValid(t, diags)
		_, diags = Compile(file, Options{Vars: map[string]string{"x": value}})
		return diags
	}
	for _, src := range []string{
		`variable "x" {
  type      = "number"
  sensitive = true
}`,
		`variable "x" {
  type      = "bool"
  sensitive = true
}`,
		`variable "x" { sensitive = true }
provider "openai" "p" { api = var.x }`,
		`variable "x" { sensitive = true }
provider "openai" "p" { timeout = "${var.x}" }`,
	} {
		diags := compileWith(src, `hunter2 "pin"`)
		if text := diags.Error(); !diags.HasErrors() || strings.Contains(text, "hunter2") || !strings.Contains(text, "REDACTED") {
			t.Errorf("%s\n%s", src, text)
		}
	}
	for value, warned := range map[string]bool{"abc": true, "true": true, "12": true, "": false, "abcd": false, "{}": false} {
		diags := compileWith(`variable "x" { sensitive = true }`, value)
		if got := len(diags) == 1 && diags[0].Summary == "Value that cannot be hidden"; got != warned || strings.Contains(diags.Error(), value) && value == "abc" {
			t.Errorf("%q: %s", value, diags)
		}
	}
}

// Shows that a gate's message hides a secret that it would have cut: the
// difference between a recorded and an actual request is shown around its
// beginning only, which is behind the secret here.
func TestDriftHidesSecrets(t *testing.T) {
	const secret = "c4n-" + "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
	dir := t.TempDir()
	path := filepath.Join(dir, "a.scenario.hcl")
	tape := `version: 1
interactions:
- request:
    method: POST
    url: http://api.test/x
    body: '{"a":"long enough to be cut: ` + secret + ` before"}'
    headers: {Content-Type: [application/json]}
  response:
    status: 200 OK
    code: 200
    body: fine
    headers: {}
    duration: 1ms
`
	if err := os.WriteFile(filepath.Join(dir, "tape.yaml"), []byte(tape), 0o600); err != nil {
		t.Fatal(err)
	}
	plans := compileAt(t, path, `
variable "key" {
  sensitive = true
  default   = "`+secret+`"
}
provider "http" "api" { base_url = "http://user:pw@api.test" }
workflow "w" {
  provider = provider.api
  step "http" "get" {
    method = "POST"
    path   = "/x"
    json   = { a = "long enough to be cut: ${var.key} after" }
  }
}
scenario "s" {
  run = workflow.w
  cassette {
    path  = "tape.yaml"
    match = "strict"
  }
  expect "run" { status = "failed" }
  allow = ["unused_interaction"]
}`)
	r := Run(plans[0], RunOptions{})
	text := told(r) + traceOf(t, r)
	if !strings.Contains(text, "body.a") || strings.Contains(text, "c4n-") || strings.Contains(text, "456789") || strings.Contains(text, "user:pw") {
		t.Error(text)
	}
}

// Shows that the lines of a trace stay as they were where there is nothing to
// hide: hiding looks and leaves.
func TestNothingToHide(t *testing.T) {
	r := play(t, `
workflow "w" {
  provider = provider.api
  step "http" "get" { path = "/" }
  output = { big = step.get.json.id, list = [1.5, null, { a = "x" }] }
}
scenario "s" {
  run = workflow.w
  on "get" {
    reply { body = "{\"id\": 12345678901234567, \"e\": 1e30}" }
  }
  expect "get" { status_code = 200 }
}`)
	plain := traceOf(t, r)
	scanner := bufio.NewScanner(strings.NewReader(plain))
	for scanner.Scan() {
		if strings.Contains(scanner.Text(), "REDACTED") {
			t.Error(scanner.Text())
		}
	}
	s := plan.Secrets{Redactor: redact.New([]string{"something else entirely"})}
	for i := range r.Events {
		r.Events[i].Hide(&s)
	}
	if diff := cmp.Diff(plain, traceOf(t, r)); diff != "" {
		t.Error(diff)
	}
}

// Shows that a difference between two long texts, which begins to quote them a
// little before they part, hides a secret of which only the end would be shown.
func TestDiffHidesTheEndOfASecret(t *testing.T) {
	const secret = "c4n-0123456789-0123456789-0123456789-tail"
	r := play(t, `
variable "key" {
  sensitive = true
  default   = "`+secret+`"
}
locals { long = "`+strings.Repeat("long ", 50)+`" }
workflow "w" {
  provider = provider.api
  step "http" "get" { path = "/" }
}
scenario "s" {
  run = workflow.w
  on "get" {
    reply { body = "${local.long}${var.key}1${local.long}" }
  }
  expect "get" { body = "${local.long}${var.key}2${local.long}" }
  assert "it" { condition = step.get.body == "${local.long}${var.key}3${local.long}" }
}`)
	if text := told(r); len(r.Problems) != 2 || strings.Contains(text, "tail") || strings.Contains(text, "6789") {
		t.Error(text)
	}
}
