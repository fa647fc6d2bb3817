package openai_test

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/openai"
	"github.com/scenario-lang/scenario/wire"
)

// respond reads an answer of status 200.
func respond(stream bool, media string, body io.Reader) (providers.Output, *failure.Failure) {
	return openai.Responses{}.Parse(context.Background(), providers.Input{Stream: stream}, answer(200, media, body), nil, virtualNow, nil)
}

// sse is one event of a stream.
func sse(data string) string { return "data: " + data + "\n\n" }

var (
	textDelta = sse(`{"type":"response.output_text.delta","delta":"a"}`)
	completed = sse(`{"type":"response.completed","response":{"status":"completed","output":[]}}`)
)

// Shows what each answer that is no response is observed as: the table of
// the specification, rule by rule, and that the message says what came.
func TestResponsesFailures(t *testing.T) {
	for _, c := range []struct {
		name   string
		stream bool
		media  string
		body   string
		kind   failure.Kind
		says   string
	}{
		{"no JSON", false, jsonType, "not valid json", failure.MalformedResponse, "not valid json"},
		{"null", false, jsonType, "null", failure.MalformedResponse, "no JSON object"},
		{"empty", false, jsonType, "", failure.MalformedResponse, "empty"},
		{"HTML", false, "text/html", "<p>hi</p>", failure.MalformedResponse, `"text/html"`},
		{"a completion of the other interface", false, jsonType, `{"choices":[{"message":{"content":"x"}}]}`, failure.MalformedResponse, "no output"},
		{"failed", false, jsonType, `{"status":"failed","error":{"code":"server_error","message":"m"},"output":[]}`, failure.HTTPStatus, "server_error: m"},
		{"failed and silent", false, jsonType, `{"status":"failed","output":[]}`, failure.HTTPStatus, "the response is failed"},
		{"cancelled", false, jsonType, `{"status":"cancelled","output":[]}`, failure.HTTPStatus, "the response is cancelled"},
		{"failed for a rate limit", false, jsonType, `{"status":"failed","error":{"code":"rate_limit_exceeded","message":"m"},"output":[]}`, failure.RateLimit, "m"},
		{"an error of the other interface", false, jsonType, `{"error":{"type":"overloaded_error","message":"m"}}`, failure.Overloaded, "m"},
		{"in the background", false, jsonType, `{"status":"queued","output":[]}`, failure.ProtocolError, "queued"},
		{"still in the background", false, jsonType, `{"status":"in_progress","output":[]}`, failure.ProtocolError, "in_progress"},

		{"stream: no end marker", true, sseType, textDelta, failure.StreamIncomplete, "response.completed"},
		{"stream: the other interface's end marker", true, sseType, textDelta + sse("[DONE]"), failure.StreamIncomplete, "[DONE]"},
		{"stream: half an event", true, sseType, textDelta + "data: {", failure.StreamIncomplete, "inside an event"},
		{"stream: an unreadable frame", true, sseType, textDelta + sse("{oops") + completed, failure.MalformedResponse, "{oops"},
		{"stream: a frame that is nothing", true, sseType, sse("{}") + completed, failure.MalformedResponse, "neither a type nor an error"},
		{"stream: a delta that is no text", true, sseType, sse(`{"type":"response.output_text.delta","delta":7}`) + completed, failure.MalformedResponse, "delta"},
		{"stream: an end without a response", true, sseType, textDelta + sse(`{"type":"response.completed"}`), failure.MalformedResponse, "has no response"},
		{"stream: failed", true, sseType, textDelta + sse(`{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"m"}}}`), failure.StreamInterrupted, "server_error: m"},
		{"stream: failed and silent", true, sseType, textDelta + sse(`{"type":"response.failed","response":{}}`), failure.StreamInterrupted, "failed"},
		{"stream: failed for a rate limit", true, sseType, sse(`{"type":"response.failed","response":{"error":{"code":"rate_limit_exceeded","message":"m"}}}`), failure.RateLimit, "m"},
		{"stream: error event", true, sseType, textDelta + "event: error\n" + sse(`{"type":"error","code":"server_error","message":"m","param":null}`), failure.StreamInterrupted, "server_error: m"},
		{"stream: error event without a code", true, sseType, sse(`{"type":"error","code":null,"message":"m"}`), failure.StreamInterrupted, "m"},
		{"stream: error event around an object", true, sseType, sse(`{"type":"error","error":{"type":"rate_limit_error","message":"m"}}`), failure.RateLimit, "m"},
		{"stream: error object without a type", true, sseType, sse(`{"error":{"type":"overloaded_error","message":"m"}}`), failure.Overloaded, "m"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, failed := respond(c.stream, c.media, strings.NewReader(c.body))
			if failed == nil {
				t.Fatal("passed for a response")
			}
			if failed.Kind != c.kind || !strings.Contains(failed.Message, c.says) {
				t.Errorf("got %s: %s\nwant %s, saying %q", failed.Kind, failed.Message, c.kind, c.says)
			}
		})
	}
}

// Shows that the error event which the adapter renders is read back by its code.
func TestResponsesRenderStreamError(t *testing.T) {
	for typ, want := range map[string]failure.Kind{"": failure.StreamInterrupted, "rate_limit_exceeded": failure.RateLimit, "overloaded_error": failure.Overloaded} {
		event := openai.Responses{}.RenderStreamError(streamIn, typ, "m")
		out, failed := respond(true, sseType, strings.NewReader(textDelta+string(event)+completed))
		if failed == nil || failed.Kind != want || !strings.HasSuffix(failed.Message, ": m") || out.Content != "a" {
			t.Errorf("%q: %+v, %+v", typ, failed, out)
		}
	}
}

// Shows that a connection which breaks before the first delta is a connection
// failure, and after one, of whatever kind, an interrupted stream.
func TestResponsesBrokenStream(t *testing.T) {
	begun := sse(`{"type":"response.created","response":{"id":"r","model":"m","output":[]}}`)
	call := sse(`{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"c","name":"f"}}`)
	thought := sse(`{"type":"response.reasoning_summary_text.delta","delta":"hm"}`)
	for body, want := range map[string]failure.Kind{
		begun: failure.Connection, begun + textDelta: failure.StreamInterrupted,
		begun + call: failure.StreamInterrupted, begun + thought: failure.StreamInterrupted,
	} {
		_, failed := respond(true, sseType, io.MultiReader(strings.NewReader(body), iotest.ErrReader(wire.ReadReset("h:443"))))
		if failed == nil || failed.Kind != want {
			t.Errorf("%s: %+v, want %s", body, failed, want)
		}
	}
}

// V19: shows that a rate limit carries the server's wait in all three forms.
func TestResponsesRetryAfter(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        time.Duration
	}{
		{"Retry-After", "30", 30 * time.Second},
		{"Retry-After", virtualNow().Add(7 * time.Second).Format(http.TimeFormat), 7 * time.Second},
		{"retry-after-ms", "250", 250 * time.Millisecond},
	} {
		resp := answer(429, jsonType, strings.NewReader("{}"))
		resp.Header.Set(c.name, c.value)
		_, failed := openai.Responses{}.Parse(context.Background(), plainIn, resp, nil, virtualNow, nil)
		if failed == nil || failed.Kind != failure.RateLimit || !failed.HasRetryAfter || failed.RetryAfter != c.want {
			t.Errorf("%s: %s: %+v", c.name, c.value, failed)
		}
	}
}

// Shows that items and events of types which nobody has heard of are passed
// over, whatever their fields hold, and that a refusal is what the model says.
func TestResponsesPassOver(t *testing.T) {
	plain := `{"status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[
		{"type":"tool_search_call","arguments":{"q":1},"content":"x","summary":3},
		{"type":"message","content":[{"type":"refusal","refusal":"no"},{"type":"output_text","text":"!","annotations":[{"type":"url_citation"}]}]}]}`
	out, failed := respond(false, jsonType, strings.NewReader(plain))
	if failed != nil || out.Content != "no!" || out.FinishReason != "content_filter" || !out.Complete {
		t.Errorf("%+v, %+v", failed, out)
	}
	stream := sse(`{"type":"response.mystery","delta":{"x":1},"item":7,"response":[],"output_index":"a"}`) +
		sse(`{"type":"response.output_item.added","output_index":0,"item":{"type":"mystery","arguments":[]}}`) +
		sse(`{"type":"response.refusal.delta","delta":"no"}`) + completed
	out, failed = respond(true, sseType, strings.NewReader(stream))
	if failed != nil || out.Content != "no" || !cmp.Equal(out.Chunks, []string{"no"}) {
		t.Errorf("%+v, %+v", failed, out)
	}
}

// Shows that calls are put together by the place of their item, that whole
// arguments win over their deltas, and that their number is bounded.
func TestResponsesToolCalls(t *testing.T) {
	stream := sse(`{"type":"response.output_item.added","output_index":2,"item":{"type":"function_call","call_id":"b","name":"g","arguments":""}}`) +
		sse(`{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","call_id":"a","name":"f"}}`) +
		sse(`{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"x\""}`) +
		sse(`{"type":"response.function_call_arguments.delta","output_index":2,"delta":"[]"}`) +
		sse(`{"type":"response.function_call_arguments.delta","output_index":1,"delta":":1}"}`) +
		sse(`{"type":"response.function_call_arguments.done","output_index":2,"arguments":"[7]"}`) + completed
	out, failed := respond(true, sseType, strings.NewReader(stream))
	want := []providers.ToolCall{{ID: "a", Name: "f", Arguments: `{"x":1}`}, {ID: "b", Name: "g", Arguments: "[7]"}}
	if failed != nil || !cmp.Equal(out.ToolCalls, want) {
		t.Errorf("%+v, %+v", failed, out.ToolCalls)
	}
	var many strings.Builder
	for i := range 5000 {
		many.WriteString(sse(`{"type":"response.function_call_arguments.delta","output_index":` + strconv.Itoa(i) + `,"delta":"x"}`))
	}
	if _, failed := respond(true, sseType, strings.NewReader(many.String())); failed == nil || failed.Kind != failure.MalformedResponse {
		t.Errorf("5000 tool calls: %+v", failed)
	}
}

// Shows that a stream whose only content is in its last event is read from that.
func TestResponsesAllAtTheEnd(t *testing.T) {
	end := `{"type":"response.completed","response":{"id":"r","model":"m","status":"completed","output":[
		{"type":"reasoning","summary":[{"type":"summary_text","text":"s"}],"content":[{"type":"reasoning_text","text":"c"}]},
		{"type":"message","content":[{"type":"output_text","text":"all"}]},
		{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}]}}`
	out, failed := respond(true, sseType, strings.NewReader(sse(strings.ReplaceAll(end, "\n", ""))))
	want := providers.ToolCall{ID: "c", Name: "f", Arguments: "{}"}
	if failed != nil || out.Content != "all" || out.Reasoning != "sc" || len(out.ToolCalls) != 1 || out.ToolCalls[0] != want || len(out.Chunks) != 1 {
		t.Errorf("%+v, %+v", failed, out)
	}
}
