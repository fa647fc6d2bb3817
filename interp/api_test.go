package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/trace"
)

// toolLoop runs a step that calls one tool and then answers, at a provider that
// is declared with more.
const toolLoop = `
provider %q "p" {
  model    = "m"
  base_url = "https://api.example/v1"
  %s
}
workflow "w" {
  provider = provider.p
  step "llm" "ask" {
    prompt = "6 times 7?"
    stream = %t
    tool "multiply" {
      output = "42"
    }
  }
}
scenario "loop" {
  run = workflow.w
  on "ask" {
    reply { tool_calls = [{ id = "c1", name = "multiply", arguments = { a = 6, b = 7 } }] }
    reply { content = "it is 42" }
  }
  assert "answered" { condition = run.status == "success" && step.ask.content == "it is 42" && step.ask.turns == 2 }
}`

// Shows that a tool loop runs through every interface of a provider, plain and
// streamed, each at its own address and with the tool's answer in the second
// request in its own words, and that plans that differ in the interface alone
// have different hashes.
func TestInterfaces(t *testing.T) {
	hashes := map[string]string{}
	for _, c := range []struct{ kind, declared, url, answered string }{
		{"openai", "", "https://api.example/v1/chat/completions", `{"role":"tool","content":"42","tool_call_id":"c1"}`},
		{"openai", `api = "responses"`, "https://api.example/v1/responses", `{"type":"function_call_output","call_id":"c1","output":"42"}`},
		{"cohere", "", "https://api.example/v1/v2/chat", `{"role":"tool","content":"42","tool_call_id":"c1"}`},
		{"ollama", "", "https://api.example/v1/api/chat", `{"role":"tool","content":"42","tool_name":"multiply","tool_call_id":"c1"}`},
	} {
		for _, stream := range []bool{false, true} {
			plan := mustCompile(t, fmt.Sprintf(toolLoop, c.kind, c.declared, stream))[0]
			r := Run(plan, RunOptions{})
			if r.Verdict != Pass {
				complain(t, r)
			}
			var last trace.Event
			for _, e := range r.Events {
				if e.Type == trace.AttemptStart {
					last = e
				}
			}
			if last.Text("url") != c.url || !strings.Contains(last.Text("body"), c.answered) {
				t.Errorf("the second request is %s %s", last.Text("url"), last.Text("body"))
			}
			name := fmt.Sprintf("%s %s %t", c.kind, c.declared, stream)
			if same := hashes[plan.Hash()]; same != "" {
				t.Errorf("%s has the hash of %s", name, same)
			}
			hashes[plan.Hash()] = name
		}
	}
}

// Shows that api = "chat_completions" says what is so without it, and that the
// plan is the same.
func TestDefaultInterface(t *testing.T) {
	given := mustCompile(t, fmt.Sprintf(toolLoop, "openai", `api = "chat_completions"`, false))[0]
	if without := mustCompile(t, fmt.Sprintf(toolLoop, "openai", "", false))[0]; given.Hash() != without.Hash() {
		t.Error("the hashes differ")
	}
}
