package interp

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/wire"
)

// ignoredTape is one exchange with a model in a format that knows no steps.
const ignoredTape = `version: 1
interactions:
- request: {body: '{"model":"m","messages":[{"role":"user","content":"why?"}],"temperature":0.1,"user":"u1"}', form: {}, headers: {X-Tenant: [a]}, url: "https://api.openai.com/v1/chat/completions", method: POST}
  response: {body: '{"choices":[{"index":0,"message":{"role":"assistant","content":"so"},"finish_reason":"stop"}]}', headers: {Content-Type: [application/json]}, status: "", code: 200, duration: ""}
`

// ignoring is a scenario that asks a model by a recording.
func ignoring(t *testing.T, step, cassette string) (*Result, hcl.Diagnostics) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tape.yaml"), []byte(ignoredTape), 0o600); err != nil {
		t.Fatal(err)
	}
	plans, diags := tryCompile(filepath.Join(dir, "x.scenario.hcl"), fmt.Sprintf(`
provider "openai" "m" { model = "m" }
workflow "w" {
  provider = provider.m
  step "llm" "a" {
    prompt = "why?"
    %s
  }
}
scenario "s" {
  run = workflow.w
  cassette {
    path = "tape.yaml"
    %s
  }
  expect "a" { content = "so" }
}
`, step, cassette))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return Run(plans[0], RunOptions{}), diags
}

// What a replay asks otherwise than its recording, and what no profile compares,
// is said: a setting that changes the answer, and not what every client sends as it
// likes.
func TestDifferencesThatAreNotCompared(t *testing.T) {
	for _, c := range []struct {
		step, cassette string
		says           []string // the fields, and values of the message
	}{
		{`temperature = 0.1`, ``, nil},
		{`temperature = 0.9`, ``, []string{`temperature of step "a"`, "temperature: recorded 0.1, actual 0.9", `match = "semantic"`, `hint: match = "strict" compares it`}},
		{``, ``, []string{`temperature of step "a"`, "actual (absent)"}},
		{"temperature = 0.1\nresponse_format = { type = \"json_object\" }", `match = "semantic"`, []string{`response_format of step "a"`, `recorded (absent), actual {"type":"json_object"}`}},
		{`temperature = 0.9`, `match = "loose"`, []string{`body.temperature, body.user of step "a"`, `match = "loose"`}},
	} {
		r, _ := ignoring(t, c.step, c.cassette)
		if r.Verdict != Pass {
			t.Fatalf("%s: %v", c.step, r.Problems)
		}
		if len(c.says) == 0 {
			if len(r.Relaxed) > 0 {
				t.Errorf("%s: %+v", c.step, r.Relaxed)
			}
			continue
		}
		if len(r.Relaxed) != 1 || r.Relaxed[0].Kind != KindIgnored || r.Relaxed[0].Tells() != "ignored" {
			t.Errorf("%s, %s: %+v", c.step, c.cassette, r.Relaxed)
			continue
		}
		for _, text := range c.says {
			if p := r.Relaxed[0]; !strings.Contains(p.Name+"\n"+p.Message, text) {
				t.Errorf("%s, %s: %q is not in %s\n%s", c.step, c.cassette, text, p.Name, p.Message)
			}
		}
	}
}

// What a replay that is chosen by its number asks otherwise is said, under every
// profile, and so is another host where the profile does not compare it.
func TestReplaysThatNobodyCompares(t *testing.T) {
	for _, c := range []struct{ step, cassette, script, says string }{
		{`temperature = 0.9`, `match = "strict"`, `replay { interaction = 1 }`, "body.temperature"},
		{"temperature = 0.1\n prompt = \"what?\"", ``, `replay { interaction = 1 }`, `recorded "why?", actual "what?"`},
		{`temperature = 0.1`, ``, `replay { interaction = 1 }`, ""},
		{`temperature = 0.1`, ``, `replay {}`, ""},
		{"temperature = 0.1\n provider = provider.other", `match = "semantic"`, ``, `host of step "a"`},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "tape.yaml"), []byte(ignoredTape), 0o600); err != nil {
			t.Fatal(err)
		}
		prompt := `prompt = "why?"`
		if strings.Contains(c.step, "prompt") {
			prompt = ""
		}
		on := ""
		if c.script != "" {
			on = "on \"a\" {\n    " + c.script + "\n  }"
		}
		plans, diags := tryCompile(filepath.Join(dir, "x.scenario.hcl"), fmt.Sprintf(`
provider "openai" "m" { model = "m" }
provider "openai" "other" {
  model    = "m"
  base_url = "https://models.test/v1"
}
workflow "w" {
  provider = provider.m
  step "llm" "a" {
    %s
    %s
  }
}
scenario "s" {
  run = workflow.w
  cassette {
    path = "tape.yaml"
    %s
  }
  %s
  expect "a" { content = "so" }
}
`, prompt, c.step, c.cassette, on))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		r := Run(plans[0], RunOptions{})
		var said string
		for _, p := range r.Relaxed {
			said += p.Name + "\n" + p.Message
		}
		if r.Verdict != Pass || (said == "") != (c.says == "") || !strings.Contains(said, c.says) {
			t.Errorf("%s, %s, %s: %s: %s\n%s", c.step, c.cassette, c.script, r.Verdict, said, told(r))
		}
	}
}

// A cassette block that compares nothing says so when its file is loaded.
func TestCassettesThatCompareNothing(t *testing.T) {
	for _, c := range []struct{ cassette, warning string }{
		{``, ""},
		{`match_headers = ["x-tenant"]`, "*"}, // the replay drifts, loudly
		{`match_headers = ["X-Tennant"]`, "Header that no recording has"},
		{`redact { json = ["content"] }`, "Nothing left to compare"},
		{`redact { patterns = [".+"] }`, "Nothing left to compare"},
		{`ignore = ["body"]`, "Nothing left to compare"},
		{`ignore = ["body.messages"]`, "Nothing left to compare"},
		{`ignore = ["body.messages[*].content"]`, "Nothing left to compare"},
		{`ignore = ["body.messages[0].role"]`, ""},
		{`redact { json = ["user"] }`, ""},
		{`redact { json = ["model"] }`, ""},
		{"match = \"loose\"\nredact { json = [\"content\"] }", ""},
	} {
		_, diags := ignoring(t, `temperature = 0.1`, c.cassette)
		var said []string
		for _, d := range diags {
			said = append(said, d.Summary)
		}
		want := []string{c.warning}
		if c.warning == "" || c.warning == "*" {
			want = nil
		}
		if !slices.Equal(said, want) {
			t.Errorf("%s: %q, want %q", c.cassette, said, want)
		}
	}
}

// A wait that no client can read is said, and one that somebody can is not.
func TestRetryAfterThatNobodyReads(t *testing.T) {
	for value, readable := range map[string]bool{"30": true, "1.5": true, "Sat, 01 Jan 2000 00:00:45 GMT": true, "Sat, 01 Jan 1999 00:00:45 GMT": true, "soon": false, "-5": false, "30s": false, "30 seconds": false} {
		r := Run(mustCompile(t, fmt.Sprintf(`
provider "openai" "m" { model = "x" }
retry "exponential" "r" { max_retries = 1 }
workflow "w" {
  provider = provider.m
  step "llm" "a" {
    prompt = "why?"
    retry  = retry.r
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = %q }
    }
    reply { content = "x" }
  }
  expect "a" { retries = 1 }
}
`, value))[0], RunOptions{})
		if r.Verdict != Pass || readable != (len(r.Relaxed) == 0) {
			t.Errorf("%q: %s, %+v", value, r.Verdict, r.Relaxed)
		}
		if !readable && (r.Relaxed[0].Kind != KindIgnored || r.Relaxed[0].Name != fmt.Sprintf("Retry-After %q of step \"a\"", value) || r.Relaxed[0].Range.Start.Line != 14) {
			t.Errorf("%+v", r.Relaxed)
		}
	}
}

// Shows that the run of a workflow tells of the program that its scenario names and
// that was not started, and a run of that program does not.
func TestProgramThatIsNotStarted(t *testing.T) {
	const source = `
provider "openai" "m" { model = "m" }
workflow "w" {
  provider = provider.m
  step "llm" "a" { prompt = "why?" }
}
scenario "s" {
  run = workflow.w
  %s
  on "a" {
    reply { content = "so" }
  }
  assert "x" { condition = step.a.content == "so" }
}
`
	told := func(r *Result) bool {
		return slices.ContainsFunc(r.Relaxed, func(p Problem) bool { return p.Kind == KindIgnored && p.Name == "the command of sut" })
	}
	for sut, want := range map[string]bool{`sut { command = ["./agent"] }`: true, "": false} {
		r := Run(mustCompile(t, fmt.Sprintf(source, sut))[0], RunOptions{})
		if r.Verdict != Pass || told(r) != want {
			t.Errorf("%q: %s, told %v", sut, r.Verdict, told(r))
		}
	}
	r, _ := NewOutside(mustCompile(t, fmt.Sprintf(source, `sut { command = ["./agent"] }`))[0], OutsideOptions{Clock: wire.System(), Way: Exec}).Finish("success")
	if told(r) {
		t.Error("a run of the program says that it was not started")
	}
}

// Shows that a header field that the recording has otherwise is told of where match_headers
// does not compare it, and not one that every client sends as it likes.
func TestHeaderFieldsThatNobodyCompares(t *testing.T) {
	for _, c := range []struct{ headers, cassette, says string }{
		{``, ``, `header X-Tenant of step "orders"`},
		{`headers = { "X-Tenant" = "other" }`, `match = "strict"`, `header X-Tenant: recorded "acme", actual "other"`},
		{`headers = { "X-Tenant" = "acme", "If-Match" = "7" }`, ``, "header If-Match: recorded (absent)"},
		{`headers = { "X-Tenant" = "acme" }`, ``, ""},
		{`headers = { "X-Tenant" = "acme", "Idempotency-Key" = "7", "User-Agent" = "x/2", "Authorization" = "Bearer abcdefgh12345" }`, ``, ""},
		{`headers = { "X-Tenant" = "acme" }`, `match_headers = ["X-Tenant"]`, ""},
	} {
		dir := t.TempDir()
		tape := "version: 1\ninteractions:\n- request: {method: GET, url: \"https://shop.example/orders\", headers: {X-Tenant: [acme], User-Agent: [x/1]}, body: \"\"}\n  response: {status: 200 OK, code: 200, headers: {Content-Type: [application/json]}, body: '{}'}\n"
		if err := os.WriteFile(filepath.Join(dir, "tape.yaml"), []byte(tape), 0o600); err != nil {
			t.Fatal(err)
		}
		plans, diags := tryCompile(filepath.Join(dir, "x.scenario.hcl"), fmt.Sprintf(`
provider "http" "shop" { base_url = "https://shop.example" }
workflow "w" {
  provider = provider.shop
  step "http" "orders" {
    path = "/orders"
    %s
  }
}
scenario "s" {
  run = workflow.w
  cassette {
    path = "tape.yaml"
    %s
  }
  expect "run" { status = "success" }
}
`, c.headers, c.cassette))
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		r, said := Run(plans[0], RunOptions{}), ""
		for _, p := range r.Relaxed {
			if p.Kind == KindIgnored {
				said += p.Name + "\n" + p.Message
			}
		}
		if r.Verdict != Pass || (said == "") != (c.says == "") || !strings.Contains(said, c.says) || said != "" && !strings.Contains(said, "hint: match_headers compares") {
			t.Errorf("%s, %s: verdict %s, ignored %q, want %q", c.headers, c.cassette, r.Verdict, said, c.says)
		}
	}
}
