package interp

import (
	"fmt"
	"strings"
	"testing"
)

// Words of other habits are answered with what to write.
func TestHintsForOtherHabits(t *testing.T) {
	const world = `
provider "openai" "m" { model = "x" }
workflow "w" {
  provider = provider.m
  step %q "a" { prompt = "why?" }
}
scenario "s" {
  run = workflow.w
  on "a" {
    %s
  }
  assert "x" {
    condition = %s
  }
}
`
	for _, c := range []struct{ kind, entry, condition, want string }{
		{"tool", `reply { content = "x" }`, `step.a.status == "success"`, `Did you mean "mcp"?`},
		{"llm", `reply { status_code = 500 }`, `step.a.status == "success"`, `fault "http_error" { status_code = 500 }`},
		{"llm", `fault "http_error" { probability = 0.5 }`, `step.a.status == "success"`, `times = 2`},
		{"llm", `fault "http_error" { count = 2 }`, `step.a.status == "success"`, `Did you mean "times"?`},
		{"llm", `reply { content = "x" }`, `if step.a.status == "success"`, `without if`},
		{"llm", `reply { content = "x" }`, `[a.n for a in step.a.attempts] == [1]`, `[for x in list : x.name]`},
	} {
		if _, diags := compileText(fmt.Sprintf(world, c.kind, c.entry, c.condition)); !strings.Contains(diags.Error(), c.want) {
			t.Errorf("%s, %s, %s: %v; want %q", c.kind, c.entry, c.condition, diags, c.want)
		}
	}
}

// A deadline that ends a wait between two rounds says so, and an operand that has
// no value why.
func TestMessageOfWaitThatIsCut(t *testing.T) {
	r := Run(mustCompile(t, `
provider "openai" "m" { model = "x" }
retry "linear" "r" {}
workflow "w" {
  provider = provider.m
  step "llm" "a" {
    prompt  = "why?"
    timeout = "5s"
    retry   = retry.r
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    fault "http_error" {
      status_code = 429
      headers     = { Retry-After = "30" }
      times       = "*"
    }
  }
  expect "run" { status = "failed" }
  assert "no such span" { condition = span("GET /nothing").status == "ok" }
}
`)[0], RunOptions{})
	if text := told(r); len(r.Problems) != 1 || strings.Contains(text, "Call to function") || !strings.Contains(text, `"GET /nothing"`) {
		t.Errorf("problems are %s", text)
	}
	trace := traceOf(t, r)
	if !strings.Contains(trace, "within its timeout of 5s: it was waiting 30s before retry 1; its last failure") {
		t.Errorf("the step's failure does not say that it waited: %s", trace)
	}
}
