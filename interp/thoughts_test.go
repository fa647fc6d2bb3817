package interp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/wire"
)

// What a model thought before it called a tool goes back with the tool's
// answer in the form in which its vendor wants it (the vendors' pages on
// thinking and tools), to the host that it came from and to no other.
func TestThoughtsGoBack(t *testing.T) {
	const sse = "text/event-stream"
	event := func(lines ...string) string {
		return "data: " + strings.Join(lines, "\n\ndata: ") + "\n\n"
	}
	for name, tt := range map[string]struct {
		provider, path, answer, stream string
		want                           string // in the second request
	}{
		"anthropic": {
			`provider "anthropic" "a" { model = "m" }`, "https://api.anthropic.com/v1/messages",
			`{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"sig"},{"type":"redacted_thinking","data":"enc"},{"type":"text","text":"so"},{"type":"tool_use","id":"t1","name":"f","input":{}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`,
			event(
				`{"type":"message_start","message":{"id":"i","type":"message","role":"assistant","content":[],"model":"m","usage":{"input_tokens":1,"output_tokens":1}}}`,
				`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"h"}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"m"}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"sig"}}`,
				`{"type":"content_block_stop","index":0}`,
				`{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"enc"}}`,
				`{"type":"content_block_start","index":2,"content_block":{"type":"text","text":"so"}}`,
				`{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"t1","name":"f","input":{}}}`,
				`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":1}}`,
				`{"type":"message_stop"}`,
			),
			`[{"type":"thinking","thinking":"hm","signature":"sig"},{"type":"redacted_thinking","data":"enc"},{"type":"text","text":"so"},{"type":"tool_use"`,
		},
		"chat": {
			`provider "openai" "a" { model = "m" }`, "https://api.openai.com/v1/chat/completions",
			`{"choices":[{"index":0,"message":{"role":"assistant","content":null,"reasoning_content":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm","signature":"sig","index":0}],"tool_calls":[{"id":"t1","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
			event(
				`{"choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"h","reasoning_details":[{"type":"reasoning.text","text":"h","index":0}]}}]}`,
				`{"choices":[{"index":0,"delta":{"reasoning_content":"m","reasoning_details":[{"type":"reasoning.text","text":"m","index":0}]}}]}`,
				`{"choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.text","text":"","signature":"sig","index":0}]}}]}`,
				`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"t1","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
				`[DONE]`,
			),
			`"reasoning_content":"hm","reasoning_details":[{"index":0,"signature":"sig","text":"hm","type":"reasoning.text"}]`,
		},
		"responses": {
			"provider \"openai\" \"a\" {\n  model = \"m\"\n  api = \"responses\"\n}", "https://api.openai.com/v1/responses",
			`{"id":"r","status":"completed","output":[{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"enc"},{"type":"function_call","call_id":"t1","name":"f","arguments":"{}"}]}`,
			event(
				`{"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"enc"}}`,
				`{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","call_id":"t1","name":"f","arguments":"{}"}}`,
				`{"type":"response.completed","response":{"id":"r","status":"completed","output":[]}}`,
			),
			`{"type":"reasoning","id":"rs","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"enc"},{"type":"function_call"`,
		},
		"cohere": {
			`provider "cohere" "a" { model = "m" }`, "https://api.cohere.com/v2/chat",
			`{"id":"i","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"}],"tool_calls":[{"id":"t1","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"TOOL_CALL"}`,
			event(
				`{"type":"message-start","id":"i","delta":{"message":{"role":"assistant","content":[],"tool_calls":[]}}}`,
				`{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"thinking","thinking":""}}}}`,
				`{"type":"content-delta","index":0,"delta":{"message":{"content":{"thinking":"hm"}}}}`,
				`{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"t1","type":"function","function":{"name":"f","arguments":"{}"}}}}}`,
				`{"type":"message-end","delta":{"finish_reason":"TOOL_CALL"}}`,
			),
			`"content":[{"type":"thinking","thinking":"hm"}]`,
		},
		"ollama": {
			`provider "ollama" "a" { model = "m" }`, "http://127.0.0.1:11434/api/chat",
			`{"model":"m","message":{"role":"assistant","content":"","thinking":"hm","tool_calls":[{"function":{"name":"f","arguments":{}}}]},"done":true,"done_reason":"stop"}`,
			`{"model":"m","message":{"role":"assistant","content":"","thinking":"h"},"done":false}` + "\n" +
				`{"model":"m","message":{"role":"assistant","content":"","thinking":"m","tool_calls":[{"function":{"name":"f","arguments":{}}}]},"done":false}` + "\n" +
				`{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}` + "\n",
			`"thinking":"hm"`,
		},
	} {
		for _, streamed := range []bool{false, true} {
			for _, elsewhere := range []bool{false, true} {
				source := tt.provider + "\n" + strings.Replace(tt.provider, `"a" {`, "\"b\" {\n  base_url = \"https://b.example/v1\"\n ", 1) + `
gateway "g" {
  target "a" { provider = provider.a }
  target "b" { provider = provider.b }
}
workflow "w" {
  gateway = gateway.g
  step "llm" "ask" {
    prompt = "go"
    stream = STREAM
    tool "f" {
      parameters = { type = "object" }
      output     = "5"
    }
  }
}
scenario "s" {
  run = workflow.w
  cassette { path = "tape.yaml" }
  on "ask" {
    replay { interaction = 1 }
    FAULT
    reply { content = "done" }
  }
  expect "ask" { content = "done" }
}`
				media, body, fault := "application/json", tt.answer, ""
				if streamed {
					media, body = sse, tt.stream
					if name == "ollama" {
						media = "application/x-ndjson"
					}
				}
				if elsewhere {
					fault = `fault "http_error" { status_code = 500 }`
				}
				source = strings.NewReplacer("STREAM", map[bool]string{true: "true", false: "false"}[streamed], "FAULT", fault, "{ model = \"m\" }", "{\n  model = \"m\"\n}", "  model = \"m\" }", "  model = \"m\"\n}").Replace(source)
				r := withCassette(t, source, cassetteOf(t, &cassette.Interaction{
					Method: "POST", URL: tt.path, RequestHeader: http.Header{"Content-Type": {"application/json"}}, RequestBody: []byte("{}"),
					Response: wire.Response{
						Status: 200, Header: []wire.Field{{Name: "Content-Type", Value: media}}, Parts: []wire.Part{{Data: []byte(body)}},
					},
				}))
				if r.Verdict != Pass {
					t.Log(name, streamed, elsewhere)
					complain(t, r)
					continue
				}
				target := map[bool]string{false: "a", true: "b"}[elsewhere]
				var sent bytes.Buffer
				if err := json.Compact(&sent, []byte(lastBody(r, target))); err != nil {
					t.Fatal(err)
				}
				if strings.Contains(sent.String(), tt.want) == elsewhere {
					t.Errorf("%s, streamed %t: sent to %s: %s\nwant (%t) %s", name, streamed, target, sent.String(), !elsewhere, tt.want)
				}
			}
		}
	}
}
