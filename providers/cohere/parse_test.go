package cohere_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/cohere"
)

// What follows is as the vendor's reference has it: https://docs.cohere.com/v2/reference/chat,
// https://docs.cohere.com/v2/docs/streaming and https://docs.cohere.com/v2/docs/reasoning.
const (
	whole = `{"id":"c14c80c3","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Paris."}]},"finish_reason":"COMPLETE",` +
		`"usage":{"billed_units":{"input_tokens":5,"output_tokens":418},"tokens":{"input_tokens":71,"output_tokens":420},"cached_tokens":64}}`

	documented = `event: message-start
data: {"id":"29f14a5a","type":"message-start","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[],"citations":[]}}}

event: content-start
data: {"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text","text":""}}}}

event: content-delta
data: {"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"LL"}}}}

event: content-delta
data: {"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"Ms"}}}}

event: citation-start
data: {"type":"citation-start","index":0,"delta":{"message":{"citations":{"start":0,"end":4,"text":"LLMs","sources":[]}}}}

event: content-end
data: {"type":"content-end","index":0}

event: message-end
data: {"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"billed_units":{"input_tokens":6,"output_tokens":4},"tokens":{"input_tokens":72,"output_tokens":5}}}}

data: [DONE]

`

	documentedTools = `event: message-start
data: {"id":"24f7a8a3","type":"message-start","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[],"citations":[]}}}

event: tool-plan-delta
data: {"type":"tool-plan-delta","delta":{"message":{"tool_plan":"I "}}}

event: tool-plan-delta
data: {"type":"tool-plan-delta","delta":{"message":{"tool_plan":"will search."}}}

event: tool-call-start
data: {"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"get_weather_5h","type":"function","function":{"name":"get_weather","arguments":""}}}}}

event: tool-call-delta
data: {"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{\"loc"}}}}}

event: tool-call-delta
data: {"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"ation\":\"Madrid\"}"}}}}}

event: tool-call-end
data: {"type":"tool-call-end","index":0}

event: tool-call-start
data: {"type":"tool-call-start","index":1,"delta":{"message":{"tool_calls":{"id":"get_weather_vf","type":"function","function":{"name":"get_weather","arguments":"{}"}}}}}

event: message-end
data: {"type":"message-end","delta":{"finish_reason":"TOOL_CALL","usage":{"billed_units":{"input_tokens":37,"output_tokens":28},"tokens":{"input_tokens":913,"output_tokens":83}}}}

`
)

func parse(stream bool, status int, body string) (providers.Output, *failure.Failure) {
	media := "application/json"
	if stream {
		media = "text/event-stream"
	}
	resp := &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {media}}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1}
	now := func() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }
	return cohere.Adapter{}.Parse(context.Background(), providers.Input{Stream: stream}, resp, nil, now, nil)
}

// Shows answers as the vendor's reference has them, in one piece and streamed: what
// was thought, planned, called and said, and the tokens that the model read and
// wrote.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, body string
		stream     bool
		want       providers.Output
	}{
		{"whole", whole, false, providers.Output{
			ID: "c14c80c3", Content: "Paris.", Reasoning: "hm", FinishReason: "COMPLETE", Usage: providers.Usage{Set: true, Prompt: 71, Completion: 420, Total: 491, Cached: 64},
		}},
		{"tokens that are billed alone", `{"id":"x","message":{"role":"assistant","content":[{"type":"text","text":"a"}]},"finish_reason":"MAX_TOKENS","usage":{"billed_units":{"input_tokens":5.0,"output_tokens":4}}}`, false, providers.Output{
			ID: "x", Content: "a", FinishReason: "MAX_TOKENS", Usage: providers.Usage{Set: true, Prompt: 5, Completion: 4, Total: 9},
		}},
		{"tools", `{"id":"x","message":{"role":"assistant","tool_plan":"I look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\": 1}"}}]},"finish_reason":"TOOL_CALL"}`, false, providers.Output{
			ID: "x", Content: "I look.", FinishReason: "TOOL_CALL", ToolCalls: []providers.ToolCall{{ID: "c1", Name: "f", Arguments: `{"a": 1}`}},
		}},
		{"a stream", documented, true, providers.Output{
			ID: "29f14a5a", Content: "LLMs", Chunks: []string{"LL", "Ms"}, FinishReason: "COMPLETE", Usage: providers.Usage{Set: true, Prompt: 72, Completion: 5, Total: 77},
		}},
		{"a stream of calls", documentedTools, true, providers.Output{
			ID: "24f7a8a3", Content: "I will search.", Chunks: []string{"I ", "will search."}, FinishReason: "TOOL_CALL",
			ToolCalls: []providers.ToolCall{{ID: "get_weather_5h", Name: "get_weather", Arguments: `{"location":"Madrid"}`}, {ID: "get_weather_vf", Name: "get_weather", Arguments: "{}"}},
			Usage:     providers.Usage{Set: true, Prompt: 913, Completion: 83, Total: 996},
		}},
	} {
		out, failed := parse(c.stream, 200, c.body)
		if diff := cmp.Diff(adaptertest.Summary(c.want), adaptertest.Summary(out)); failed != nil || diff != "" || !out.Complete {
			t.Errorf("%s: %+v %s", c.name, failed, diff)
		}
	}
}

// Shows what is no answer, and as which failure.
func TestParseFailures(t *testing.T) {
	for _, c := range []struct {
		name, body string
		stream     bool
		status     int
		kind       failure.Kind
		said       string
	}{
		{"a refusal", `{"id":"1","message":"invalid api token"}`, false, 401, failure.HTTPStatus, "invalid api token"},
		{"too often", `{"message":"You are past the per minute request limit, please wait and try again later."}`, false, 429, failure.RateLimit, "per minute"},
		{"an error with status 200", `{"id":"1","message":"internal server error"}`, false, 200, failure.HTTPStatus, "internal server error"},
		{"a limit with status 200", `{"id":"1","message":"You are past the per minute request limit"}`, false, 200, failure.RateLimit, "per minute"},
		{"a generation that failed", `{"id":"1","message":{"role":"assistant"},"finish_reason":"ERROR"}`, false, 200, failure.HTTPStatus, "finish_reason is ERROR"},
		{"no message", `{"id":"1","finish_reason":"COMPLETE"}`, false, 200, failure.MalformedResponse, "no message"},
		{"no reason", `{"id":"1","message":{"role":"assistant"}}`, false, 200, failure.MalformedResponse, "no finish_reason"},
		{"another interface", `{"choices":[]}`, false, 200, failure.MalformedResponse, "no message"},
		{"a stream that ends early", documented[:strings.Index(documented, "event: citation")], true, 200, failure.StreamIncomplete, ""},
		{"a stream that fails", strings.Replace(documented, `"finish_reason":"COMPLETE"`, `"error":"overloaded","finish_reason":"ERROR"`, 1), true, 200, failure.Overloaded, "overloaded"},
		{"an event that is none", "data: {\"a\":1}\n\n", true, 200, failure.StreamInterrupted, ""},
		{"an end without a reason", "data: {\"type\":\"message-end\",\"delta\":{}}\n\n", true, 200, failure.MalformedResponse, "finish_reason"},
		{"an event that cannot be read", "data: {\"type\":\"content-delta\",\"delta\":7}\n\n", true, 200, failure.MalformedResponse, ""},
	} {
		_, failed := parse(c.stream, c.status, c.body)
		if failed == nil || failed.Kind != c.kind || !strings.Contains(failed.Message, c.said) {
			t.Errorf("%s: %+v, want %s: %s", c.name, failed, c.kind, c.said)
		}
	}
}
