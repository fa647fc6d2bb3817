package interp

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/stdlib"
)

// Two keys of one form that have no sign in common but their hyphens, and two
// numbers. What is shown of a run must not depend on which of them a scenario had.
var (
	firstSecrets  = map[string]string{"key": "KEYS-abc123-Zz9Qw8Er7Ty6", "pin": "48213057"}
	secondSecrets = map[string]string{"key": "QVTW-lmn745-Gh3Bk1Vc6Xe2", "pin": "49357184"}
)

// derivedFile computes expressions of a secret before a run, in a step, in an
// answer of a service, in a condition that does not hold, and in its message.
const derivedFile = `
variable "key" {
  sensitive = true
  default   = ""
}
variable "pin" {
  sensitive = true
  type      = "number"
  default   = 0
}
locals {
  made = try(%[1]s, "failed")
}
provider "openai" "m" { model = "m" }
workflow "w" {
  provider = provider.m
  inputs   = { key = null, pin = null }
  step "llm" "ask" { prompt = "made: ${jsonencode(local.made)}" }
  step "value" "own" {
    value    = %[2]s
    required = false
  }
  step "value" "echoed" {
    value      = { a = substr(step.ask.content, 2, 6), b = upper(step.ask.content) }
    depends_on = [step.ask]
  }
  output = { own = step.own.output, made = local.made }
}
scenario "s" {
  run    = workflow.w
  inputs = { key = var.key, pin = var.pin }
  on "ask" {
    reply { content = "is ${var.key}" }
  }
  assert "own" {
    condition     = jsonencode(step.own.output) == "no"
    error_message = "made ${jsonencode(step.own.output)}"
  }
  assert "echoed" { condition = step.echoed.output.a == "no" || step.echoed.output.b == "no" }
  expect "own" { output = "no" }
}
`

// shownOfDerived is everything that a run of the file shows where it has these
// secrets, but for what identifies it.
func shownOfDerived(t *testing.T, static, own string, secrets map[string]string) string {
	t.Helper()
	file, diags := dsl.Parse("test.scenario.hcl", fmt.Appendf(nil, derivedFile, static, own))
	if diags.HasErrors() {
		t.Fatalf("%s: %v", own, diags)
	}
	suite, diags := Compile(file, Options{Vars: secrets})
	var b strings.Builder
	for _, d := range diags {
		fmt.Fprintln(&b, d.Summary, d.Detail)
	}
	if diags.HasErrors() {
		return b.String()
	}
	r := Run(suite.Plans[0], RunOptions{})
	var explained strings.Builder
	if err := Explain(&explained, r); err != nil {
		t.Fatal(err)
	}
	b.WriteString(told(r) + explained.String() + traceOf(t, r) + string(suite.Plans[0].JSON()))
	return identifying.ReplaceAllString(b.String(), "")
}

// identifying is what stands for a secret, or is made of everything in a plan.
var identifying = regexp.MustCompile(`<REDACTED:sha256=[0-9a-f]*>?|sha256:[0-9a-f]{64}|"(run_id|run|parent|id)":"[^"]*"`)

// lengths reports whether a value has strings and numbers that are long enough to be
// hidden wherever they stand, and whether it has shorter ones.
func lengths(v cty.Value) (long, short bool) {
	_ = cty.Walk(v, func(_ cty.Path, e cty.Value) (bool, error) {
		if e.IsKnown() && !e.IsNull() && (e.Type() == cty.String || e.Type() == cty.Number) {
			text, _ := convert.Convert(e, cty.String)
			n := len(text.AsString())
			long, short = long || n >= 4, short || n < 4
		}
		return true, nil
	})
	return long, short
}

// words are the words of a text, without what stands for a secret.
func words(text string, shortest int) (list []string) {
	for _, w := range anyWord.FindAllString(text, -1) {
		if len(w) >= shortest {
			list = append(list, w)
		}
	}
	return list
}

var anyWord = regexp.MustCompile(`[\pL\pN]+`)

// callsOf are the examples of a function with a secret in the place of one of their
// literals each.
func callsOf(t *testing.T, f stdlib.Func) (calls []string) {
	if f.Name == "similarity" { // it counts edits: of two secrets of one form there are as many only against something of theirs
		return moreCalls[f.Name]
	}
	t.Helper()
	for _, x := range f.Examples {
		e, diags := hclsyntax.ParseExpression([]byte(x.Expr), "", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		dsl.EachExpr(e, func(part hclsyntax.Expression) {
			at := part.Range()
			put := func(secret string) {
				calls = append(calls, x.Expr[:at.Start.Byte]+secret+x.Expr[at.End.Byte:])
			}
			switch p := part.(type) {
			case *hclsyntax.TemplateExpr:
				put("input.key")
				put("upper(input.key)")
				put("jsonencode([input.key])")
			case *hclsyntax.LiteralValueExpr:
				if p.Val.Type() == cty.Number {
					put("input.pin")
				}
			case *hclsyntax.TupleConsExpr:
				put(`split("-", input.key)`)
				put(`[for c in split("", input.key) : lower(c)]`)
			case *hclsyntax.ObjectConsExpr:
				put(`{ a = input.key, (input.key) = reverse(split("-", input.key)) }`)
			}
		})
	}
	return append(calls, moreCalls[f.Name]...)
}

// moreCalls are of functions whose examples make too little of a secret.
var moreCalls = map[string][]string{
	"min":             {`min(input.pin, 99999999)`},
	"similarity":      {`similarity(input.key, "${input.key}x")`, `similarity("x", "x${input.key}")`},
	"percentile":      {`percentile([input.pin, input.pin + 7000], 50)`},
	"bca":             {`bca([input.pin, input.pin + 5000, input.pin + 9000], 0.95, 100, 1)`},
	"regex":           {`regex("[a-z]+[0-9]+", input.key)`},
	"regexall":        {`regexall("[A-Za-z0-9]+", input.key)`, `join("", regexall("..", input.key))`},
	"setintersection": {`setintersection([input.key, "a"], ["b", input.key])`},
	"tonumber":        {`tonumber("${input.pin}1")`},
	"csvdecode":       {`csvdecode("a,b\n${lower(input.key)},x")`},
	"base64decode":    {`base64decode(base64encode(strrev(input.key)))`, `base64decode(base64encode(lower(input.key)))`},
	"ms":              {`ms("${input.pin}s")`},
	"timeadd":         {`timeadd("2020-01-01T00:00:00Z", "${input.pin}s")`},
}

// Shows for every function of the language, with a secret in every place of its
// examples, that nothing which is shown of a run, of its plan or of what is wrong
// with the file depends on the secret: two secrets of one form show the same, but
// for what is too short to be hidden. Functions that only tell true from false or
// count have nothing else to show.
func TestNoFunctionLetsASecretOut(t *testing.T) {
	var silent []string
	for _, f := range stdlib.List() {
		long := false
		calls := callsOf(t, f)
		if testing.Short() {
			calls = calls[:min(2, len(calls))]
		}
		for _, call := range calls {
			static := strings.ReplaceAll(call, "input.", "var.")
			if f.Family == "files" {
				static = `"none"`
			}
			first, second := shownOfDerived(t, static, call, firstSecrets), shownOfDerived(t, static, call, secondSecrets)
			makesLong, makesShort := lengths(valueOfCall(call))
			long = long || makesLong
			shortest := 1
			if makesShort || !makesLong || f.Name != "join" && strings.Contains(call, `split("",`) {
				shortest = 4
			}
			if d := cmp.Diff(words(first, shortest), words(second, shortest)); d != "" {
				t.Errorf("%s:\n%s", call, d)
			}
		}
		if !long && !testing.Short() {
			silent = append(silent, f.Name)
		}
	}
	want := []string{
		"signum", "approx", "regexmatch", "startswith", "endswith", "strcontains", "word", "length", "contains", "range", "index",
		"alltrue", "anytrue", "tobool", "within", "formatdate", "can", "file", "fileset",
	}
	if !testing.Short() && !slices.Equal(silent, want) {
		t.Errorf("%q have no example that makes something of a secret which is long enough to be hidden; these have none: %q", silent, want)
	}
}

// valueOfCall is what a call comes to with the first secrets, null where it fails.
func valueOfCall(call string) cty.Value {
	none := cty.NullVal(cty.DynamicPseudoType)
	e, diags := hclsyntax.ParseExpression([]byte(call), "", hcl.InitialPos)
	if diags.HasErrors() {
		return none
	}
	v, diags := e.Value(&hcl.EvalContext{Functions: stdlib.Functions(), Variables: map[string]cty.Value{"input": cty.ObjectVal(map[string]cty.Value{
		"key": cty.StringVal(firstSecrets["key"]), "pin": cty.MustParseNumberVal(firstSecrets["pin"]),
	})}})
	if diags.HasErrors() {
		return none
	}
	return v
}

// Shows that what does not depend on a secret is shown, though it stands beside one,
// is chosen by one, or is how long it is.
func TestWhatIsNoSecretIsShown(t *testing.T) {
	for _, c := range []struct{ expr, want string }{
		{`"id-${upper(input.key)}-public"`, `"id-<hidden>-public"`},
		{`jsonencode({ model = "gpt", key = input.key })`, `"{\"key\":\"<hidden>\",\"model\":\"gpt\"}"`},
		{`input.key == "" ? "anonymous" : "identified"`, `"identified"`},
		{`input.key == "KEYS-abc123-Zz9Qw8Er7Ty6" ? "the first" : "another"`, `"the first"`},
		{`format("%d signs, %d words", length(input.key), length(split("-", input.key)))`, `"24 signs, 3 words"`},
		{`[for w in split(" ", "some words and ${input.key}") : upper(w)]`, `["SOME","WORDS","AND","<hidden>"]`},
		{`merge({ region = "europe" }, { auth = "Basic ${base64encode("u:${input.key}")}" }).region`, `"europe"`},
		{`replace("one two three", "two", lower(input.key))`, `"one <hidden> three"`},
	} {
		shown := shownOfDerived(t, `"none"`, c.expr, firstSecrets)
		if c.want = strings.ReplaceAll(c.want, "<hidden>", ""); !strings.Contains(shown, `"output":`+c.want) {
			t.Errorf("%s is not shown as %s:\n%s", c.expr, c.want, shown)
		}
	}
}

// Shows that a run hides what its own expressions make of secrets, and nothing that
// those of another run do: what is shown does not depend on which ran before.
func TestRunsShareNoSecrets(t *testing.T) {
	const source = `
variable "key" {
  sensitive = true
  default   = "KEYS-abc123-Zz9Qw8Er7Ty6"
}
provider "openai" "m" { model = "m" }
workflow "w" {
  provider = provider.m
  inputs   = { cut = "" }
  step "llm" "ask" { prompt = input.cut }
}
scenario "cuts" {
  run    = workflow.w
  inputs = { cut = "a" }
  on "ask" {
    reply { content = "is ${var.key}" }
  }
  assert "cut" { condition = substr(step.ask.content, 8, 8) == "no" }
}
scenario "says it in public" {
  run    = workflow.w
  inputs = { cut = "abc123-Z" }
  on "ask" {
    reply { content = "abc123-Z" }
  }
  assert "public" { condition = step.ask.content == "no" }
}
`
	shown := func(order ...int) map[int]string {
		suite, diags := compileText(source)
		mustBeValid(t, diags)
		texts := map[int]string{}
		for _, i := range order {
			r := Run(suite.Plans[i], RunOptions{})
			texts[i] = told(r) + traceOf(t, r)
		}
		return texts
	}
	forwards, backwards := shown(0, 1), shown(1, 0)
	if d := cmp.Diff(forwards, backwards); d != "" {
		t.Errorf("the order of two runs shows:\n%s", d)
	}
	if strings.Contains(forwards[0], "abc123-Z") || !strings.Contains(forwards[1], "abc123-Z") {
		t.Errorf("the first run shows a part of a secret, or the second hides what is none:\n%s\n%s", forwards[0], forwards[1])
	}
}

// Shows that a secret is hidden in the words of a scenario, too, which reports show as
// they are: its description, its tags, why it is skipped, the names of its checks.
func TestSecretsInWords(t *testing.T) {
	const secret = "correct-horse-battery"
	plans := mustCompile(t, `
variable "who" {
  default   = "`+secret+`"
  sensitive = true
}
workflow "w" {
  step "value" "v" { value = 1 }
}
scenario "s" {
  run         = workflow.w
  description = "as ${var.who}"
  tags        = ["smoke", var.who]
  dynamic "assert" {
    for_each = { (var.who) = 2 }
    labels   = [assert.key]
    content { condition = step.v.output == assert.value }
  }
}
scenario "later" {
  run         = workflow.w
  skip        = "until ${var.who} is back"
  description = "plain"
  tags        = ["smoke"]
  expect "v" { output = 1 }
}
`)
	r := Run(plans[0], RunOptions{})
	if len(r.Problems) != 1 {
		t.Fatalf("%v", r.Problems)
	}
	for what, text := range map[string]string{"description": plans[0].Description, "tag": plans[0].Tags[1], "name of a check": r.Problems[0].Name, "skip": plans[1].Skip} {
		if text == "" || strings.Contains(text, secret) {
			t.Errorf("%s: %q", what, text)
		}
	}
	if plans[0].Tags[0] != "smoke" || plans[1].Description != "plain" {
		t.Errorf("%q %q", plans[0].Tags, plans[1].Description)
	}
}

// Shows that a secret in the name of a header field is hidden like one in its value.
func TestSecretsInHeaderNames(t *testing.T) {
	const secret = "Zq7-planted-Value-8812xyz"
	const file = `variable "key" {
  default   = "` + secret + `"
  sensitive = true
}
provider "http" "p" {
  base_url = "http://x.test"
  headers  = { (var.key) = "one" }
}
workflow "w" {
  step "http" "a" {
    provider = provider.p
    path     = "/"
    headers  = { "X-${var.key}" = "two" }
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply {
      body    = "hi"
      headers = { "R-${var.key}" = "three" }
    }
  }
  assert "x" { condition = step.a.attempts[0].request.headers == step.a.headers }
}
`
	p := mustCompile(t, file)[0]
	r := Run(p, RunOptions{})
	text := told(r) + string(p.JSON())
	for _, e := range r.Events {
		text += string(e.AppendJSON(nil))
	}
	if i := strings.Index(strings.ToLower(text), "planted"); i >= 0 {
		t.Errorf("…%s…", text[max(0, i-40):min(len(text), i+60)])
	}
	if n := strings.Count(text, "REDACTED"); n < 6 {
		t.Errorf("%d placeholders in %s", n, text)
	}
}

// Shows that what the rubric of a bench makes of a secret is hidden.
func TestSecretsInRubrics(t *testing.T) {
	const file = `variable "key" {
  default   = "Zq7-planted-Value-8812xyz"
  sensitive = true
}
taxonomy "t" {
  mode "bad" { severity = "warn" }
}
provider "openai" "m" { model = "x" }
workflow "w" {
  provider = provider.m
  output   = { said = step.a.content }
  step "llm" "a" { prompt = "why?" }
}
bench "b" {
  taxonomy = taxonomy.t
  cases    = [{ id = "one" }]
  gate "g" { min_passed = 1 }
  sut { run = workflow.w }
  rubric {
    passed = length(jsonencode(output)) > 100
    failure_mode "bad" {
      when   = true
      detail = substr(var.key, 0, 14)
    }
  }
}
scenario "s" {
  run = bench.b
  on "a" {
    reply { content = "x" }
  }
  expect "run" { status = "success" }
}
`
	r := Run(mustCompile(t, file)[0], RunOptions{})
	if len(r.Bench.Cases) != 1 || len(r.Bench.Cases[0].FailureModes) != 1 {
		t.Fatalf("%+v %s", r.Bench, told(r))
	}
	if detail := r.Bench.Cases[0].FailureModes[0].Detail; !strings.HasPrefix(detail, "<REDACTED") {
		t.Errorf("the detail is %q", detail)
	}
}

// Shows that what the return of a handler or a tool makes of a secret is hidden, of what
// called it, in the trace and in what is explained.
func TestSecretsInReturns(t *testing.T) {
	const file = `variable "key" {
  default   = "Zq7-planted-Value-8812xyz"
  sensitive = true
}
actor "desk" {
  handler "act" { return = "got ${substr(var.key, 4, 7)}" }
  tool "look" { return = { reversed = strrev(substr(var.key, 4, 12)) } }
}
workflow "w" {
  step "call" "act" { target = actor.desk.act }
  step "call" "look" { target = actor.desk.look }
}
scenario "s" {
  run = workflow.w
  expect "act" { value = "no" }
  expect "look" { value = "no" }
}
`
	r := Run(mustCompile(t, file)[0], RunOptions{})
	var b strings.Builder
	if err := Explain(&b, r); err != nil {
		t.Fatal(err)
	}
	shown := told(r) + traceOf(t, r) + b.String()
	if r.Verdict != Fail || !strings.Contains(shown, "got <REDACTED") {
		t.Errorf("%s: %s", r.Verdict, shown)
	}
	for _, piece := range []string{"planted", "detnalp"} {
		if strings.Contains(shown, piece) {
			t.Errorf("%q is shown: %s", piece, shown)
		}
	}
}
