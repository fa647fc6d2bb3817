package interp

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// A tool loop that falls over to another vendor in its midst goes on there:
// every result is of the call that asked for it, whichever vendor made the
// calls and whether or not it gave them ids.
func TestFallOverInToolLoop(t *testing.T) {
	kinds := map[string]string{
		"anthropic": `provider "anthropic" %q { model = "m" }`,
		"gemini":    `provider "gemini" %q { model = "m" }`,
		"ollama":    `provider "ollama" %q { model = "m" }`,
		"cohere":    `provider "cohere" %q { model = "m" }`,
		"chat":      `provider "openai" %q { model = "m" }`,
		"responses": "provider \"openai\" %q {\n  model = \"m\"\n  api   = \"responses\"\n}",
	}
	for first, a := range kinds {
		for second, b := range kinds {
			t.Run(first+" to "+second, func(t *testing.T) {
				r := Run(compileAt(t, "t.scenario.hcl", fmt.Sprintf(a, "a")+"\n"+fmt.Sprintf(b, "b")+`
gateway "g" {
  target "a" { provider = provider.a }
  target "b" { provider = provider.b }
}
workflow "w" {
  gateway = gateway.g
  step "llm" "ask" {
    prompt = "go"
    tool "f" {
      parameters = { type = "object" }
      output     = "answer ${arguments.n}"
    }
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    reply { tool_calls = [{ name = "f", arguments = { n = 1 } }, { name = "f", arguments = { n = 2 } }] }
    fault "http_error" { status_code = 500 }
    reply { content = "done" }
  }
  expect "ask" {
    content = "done"
    turns   = 2
  }
}`)[0], RunOptions{})
				if r.Verdict != Pass {
					complain(t, r)
				}
				calls, results := exchanged(t, lastBody(r, "b"))
				want := []called{{calls[0].id, "answer 1"}, {calls[1].id, "answer 2"}}
				if second != "gemini" && (calls[0].id == "" || calls[0].id == calls[1].id) {
					t.Errorf("the calls are %v", calls)
				}
				if !slices.Equal(results, want) {
					t.Errorf("the results are %v, want %v", results, want)
				}
			})
		}
	}
}

// lastBody is what was last sent to a target.
func lastBody(r *Result, target string) string {
	body := ""
	for _, e := range r.Events {
		if e.Type == "attempt_start" && e.Target == target {
			body = e.Text("body")
		}
	}
	return body
}

type called struct{ id, text string }

// exchanged finds the calls of a request and their results, in any dialect.
func exchanged(t *testing.T, body string) (calls, results []called) {
	t.Helper()
	var root any
	if err := json.Unmarshal([]byte(body), &root); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	for _, name := range []string{"messages", "contents", "input"} {
		for _, m := range items(root, name) {
			parts := append(append([]any{m}, items(m, "tool_calls")...), items(m, "parts")...)
			for _, p := range append(parts, items(m, "content")...) {
				switch {
				case at(p, "functionCall") != nil:
					calls = append(calls, called{id: word(p, "functionCall", "id")})
				case at(p, "functionResponse") != nil:
					results = append(results, called{word(p, "functionResponse", "id"), word(p, "functionResponse", "response", "result")})
				case word(p, "type") == "tool_use":
					calls = append(calls, called{id: word(p, "id")})
				case word(p, "type") == "tool_result":
					results = append(results, called{word(p, "tool_use_id"), word(p, "content")})
				case word(p, "type") == "function_call":
					calls = append(calls, called{id: word(p, "call_id")})
				case word(p, "type") == "function_call_output":
					results = append(results, called{word(p, "call_id"), word(p, "output")})
				case word(p, "role") == "tool":
					results = append(results, called{word(p, "tool_call_id"), word(p, "content")})
				case at(p, "function") != nil:
					calls = append(calls, called{id: word(p, "id")})
				}
			}
		}
	}
	if len(calls) != 2 {
		t.Fatalf("%d calls in %s", len(calls), body)
	}
	return calls, results
}
