package interp

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/spelling"
)

// habitWorld is a file of which a test changes one line.
const habitWorld = `
provider "openai" "m" { model = "x" }
provider "http" "shop" { base_url = "https://shop.example" }
retry "linear" "std" { max_retries = 1 }
breaker "std" { threshold = 3 }
workflow "w" {
  provider = provider.m
  step "llm" "a" {
    prompt = "why?"
    retry  = retry.std
  }
  step "http" "b" {
    provider = provider.shop
    method   = "POST"
    path     = "/orders"
    json     = { n = 1 }
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    fault "http_error" {
      status_code = 500
      times       = 1
    }
    reply { content = "x" }
  }
  on "b" {
    reply { status_code = 200 }
  }
  expect "a" { status = "success" }
  assert "x" { condition = step.a.retries == 1 }
}
`

// What people type who come from other tools is answered in one message with what to
// write, and the file that nobody changed with none.
func TestTypedByHabit(t *testing.T) {
	if _, diags := compileText(habitWorld); diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, c := range []struct{ old, typed, want string }{
		{`retry.std`, `retry.standard`, "There is retry.std. Declare it: `retry \"exponential\" \"standard\" { … }`."},
		{`= provider.shop`, `= provider.bank`, "Declare it: `provider \"openai\" \"bank\" { … }`."},
		{`method   = "POST"`, `method   = "PSOT"`, `There is no method "PSOT". Did you mean "POST"?`},
		{`step.a.retries == 1`, `step.b.attempts[0].request.method == "PSOT"`, `There is no method "PSOT". Did you mean "POST"?`},
		{`json     = { n = 1 }`, `data     = { n = 1 }`, `Did you mean "json"?`},
		{`times       = 1`, `repeat      = 1`, `Did you mean "times"?`},
		{`retry  = retry.std`, `retries = 3`, `Did you mean "retry"? It names a policy`},
		{`threshold = 3`, `half_open_requests = 3`, `Did you mean "half_open_max"?`},
		{`base_url = "https://shop.example"`, `env = "SHOP_URL"`, `Did you mean "base_url_env"?`},
		{`status = "success"`, `success = true`, `Did you mean "status"? It is "success" where all went well.`},
		{`status = "success"`, `error = { kind = "TimeoutError" }`, `Did you mean "timeout"?`},
		{`status = "success"`, `count = 2`, "length(step.a.attempts) == 2"},
		{`fault "http_error"`, `fault "rate_limit"`, "`fault \"http_error\" { status_code = 429 }`"},
		{`fault "http_error"`, `fault "stuck"`, `Did you mean "hang"?`},
		{`    reply { content = "x" }`, "    reply { content = \"x\" }\n    exhausted = \"repeat\"", `Did you mean "repeat_last"?`},
		{`max_retries = 1`, `retry_on = ["50x"]`, `Did you mean "5xx"?`},
		{`max_retries = 1`, `retry_on = ["ConnectionError"]`, `Did you mean "connection"?`},
		{`step.a.retries == 1`, `steps.a.retries == 1`, "Did you mean step.a?"},
		{`step.a.retries == 1`, `step.a.count == 1`, "length(step.a.attempts)"},
		{`step.a.retries == 1`, `exit_code == 1`, "Did you mean sut.exit_code?"},
		{`step.a.retries == 1`, `metrics("scenario_attempts_total", { step_id = "a" }) == 2`, "Did you mean metric?"},
		{`step.a.retries == 1`, `step.a.retries < "3"`, "Write 3 without quotes."},
		{`status = "success"`, `retries = "2"`, "Write 2 without quotes."},
		{`step.a.retries == 1`, `0 < step.a.retries < 3`, "write 0 < step.a.retries && step.a.retries < 3."},
		{`step.a.retries == 1`, `step.a.retries`, "Compare it: step.a.retries == 1."},
		{`step.a.retries == 1`, `step.a.status`, `Compare it: step.a.status == "success".`},
		{`threshold = 3`, `threshold = "50%"`, "failure_rate = 0.5, together with window"},
		{`threshold = 3`, `failure_rate = 50`, "50 percent are written 0.5"},
		{`run = workflow.w`, `run = "refund.py"`, "A program is named by command of sut"},
		{`run = workflow.w`, "run = workflow.w\n  cassette \"a.yaml\" {}", "`cassette { path = \"a.yaml\" }`"},
		{`assert "x" {`, `assert the first one {`, "`assert \"the first one\" { … }`"},
		{`scenario "s" {`, `resource "scenario" "s" {`, "Did you mean `scenario \"s\" { … }`?"},
	} {
		if strings.Count(habitWorld, c.old) != 1 {
			t.Fatalf("%q is there %d times", c.old, strings.Count(habitWorld, c.old))
		}
		_, diags := compileText(strings.Replace(habitWorld, c.old, c.typed, 1))
		if len(diags) == 0 || !strings.Contains(diags[0].Detail, c.want) {
			t.Errorf("%s: %v; want %s", c.typed, diags, c.want)
		}
	}
}

// Methods of HTTP in use, and those that a server has of its own, are no mistakes of
// typing, in any case of letters.
func TestMethodsThatThereAre(t *testing.T) {
	for _, method := range []string{"post", "PATCH", "QUERY", "PROPFIND", "REPORT", "PURGE", "LIST", "LOCK", "VERSION-CONTROL", "INVALIDATE", "X-REFRESH"} {
		if _, diags := compileText(strings.Replace(habitWorld, `"POST"`, `"`+method+`"`, 1)); diags.HasErrors() {
			t.Errorf("%s: %v", method, diags)
		}
		if method == strings.ToUpper(method) {
			if _, diags := compileText(strings.Replace(habitWorld, `step.a.retries == 1`, `step.b.attempts[0].request.method == "`+method+`"`, 1)); diags.HasErrors() {
				t.Errorf("a comparison with %s: %v", method, diags)
			}
		}
	}
}

// What a message says to declare is a declaration: its labels are as many as the block
// has, and its kind is one.
func TestDeclarationsInMessagesAreValid(t *testing.T) {
	said := regexp.MustCompile("Declare it: `([^`]*)`")
	for _, c := range []struct{ old, typed string }{
		{`= provider.shop`, `= provider.none`},
		{`retry.std`, `retry.none`},
		{`run = workflow.w`, `run = workflow.none`},
		{`run = workflow.w`, `run = bench.none`},
		{`= provider.m`, `= provider.none`},
		{`provider = provider.m`, `gateway = gateway.none`},
		{`provider = provider.m`, "provider = provider.m\n  taxonomy = taxonomy.none"},
	} {
		_, diags := compileText(strings.Replace(habitWorld, c.old, c.typed, 1))
		m := said.FindStringSubmatch(diags.Error())
		if m == nil {
			t.Errorf("%s: %v", c.typed, diags)
			continue
		}
		_, wrong := dsl.Parse("said.scenario.hcl", []byte(strings.Replace(m[1], "{ … }", "{}", 1)))
		for _, d := range wrong {
			if d.Summary != "Missing attribute" && d.Summary != "Missing block" {
				t.Errorf("%s: %s", m[1], d)
			}
		}
	}
}

// Every name that is suggested for a word of another tool is one of the language, of a
// result, a function, a kind or a report: the reference, which is made from them, has it.
func TestSuggestedNamesExist(t *testing.T) {
	var reference strings.Builder
	for _, pattern := range []string{"reference-*.md", "provider-*.md", "reports.md", "language.md", "steps.md"} {
		paths, err := filepath.Glob(filepath.Join("..", "docs", pattern))
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		for _, path := range paths {
			page, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			reference.Write(page)
		}
	}
	known := map[string]bool{}
	for _, code := range regexp.MustCompile("`[^`\n]+`|\"[a-z_]+\"").FindAllString(reference.String(), -1) {
		for _, word := range regexp.MustCompile(`[A-Za-z_][\w]*`).FindAllString(code, -1) {
			known[word] = true
		}
	}
	synonyms := spelling.Synonyms()
	for word, names := range synonyms {
		for _, name := range names {
			if !known[name] {
				t.Errorf("%q is said to be %q, which the reference does not have", word, name)
			}
		}
		if slices.Contains(names, word) {
			t.Errorf("%q is said to be itself", word)
		}
	}
	if len(synonyms) < 100 {
		t.Errorf("there are %d synonyms", len(synonyms))
	}
}
