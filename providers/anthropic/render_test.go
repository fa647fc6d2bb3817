package anthropic_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/anthropic"
	"github.com/scenario-lang/scenario/wire"
)

// Shows the bytes of a plain answer, in the vendor's shape and order.
func TestRenderPlain(t *testing.T) {
	resp := anthropic.Adapter{}.Render(plainIn, providers.Output{Content: "a <b>", Reasoning: "hm", ToolCalls: []providers.ToolCall{{Name: "f", Arguments: `{"x": 1}`}}})
	want := `{"id":"msg_scenario","type":"message","role":"assistant","model":"m","content":[{"type":"thinking","thinking":"hm","signature":""},` +
		`{"type":"text","text":"a <b>"},{"type":"tool_use","id":"toolu_1","name":"f","input":{"x":1}}],"stop_reason":"tool_use","stop_sequence":null,` +
		`"usage":{"input_tokens":2,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":4}}`
	if diff := cmp.Diff(want, string(resp.Body())); diff != "" {
		t.Error(diff)
	}
	if resp.Stream || resp.Status != 200 {
		t.Errorf("stream %t, status %d", resp.Stream, resp.Status)
	}
}

// Shows the events of a stream in order, each a part of the kind that faults
// count, and that a recorded stream is labelled with the same kinds.
func TestRenderStream(t *testing.T) {
	out := providers.Output{Content: "a b", Reasoning: "hm", ToolCalls: []providers.ToolCall{{ID: "c", Name: "f", Arguments: `{"é":1}`}}}
	resp := anthropic.Adapter{}.Render(streamIn, out)
	named := func(typ, rest string) []byte {
		return []byte("event: " + typ + "\ndata: {\"type\":\"" + typ + "\"" + rest + "}\n\n")
	}
	want := []wire.Part{
		{Kind: wire.PartEvent, Data: named("message_start", `,"message":{"id":"msg_scenario","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":2,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}}`)},
		{Kind: wire.PartEvent, Data: named("content_block_start", `,"index":0,"content_block":{"type":"thinking","thinking":"","signature":""}`)},
		{Kind: wire.PartEvent, Data: named("content_block_delta", `,"index":0,"delta":{"type":"thinking_delta","thinking":"hm"}`)},
		{Kind: wire.PartEvent, Data: named("content_block_stop", `,"index":0`)},
		{Kind: wire.PartEvent, Data: named("content_block_start", `,"index":1,"content_block":{"type":"text","text":""}`)},
		{Kind: wire.PartChunk, Data: named("content_block_delta", `,"index":1,"delta":{"type":"text_delta","text":"a "}`)},
		{Kind: wire.PartChunk, Data: named("content_block_delta", `,"index":1,"delta":{"type":"text_delta","text":"b"}`)},
		{Kind: wire.PartEvent, Data: named("content_block_stop", `,"index":1`)},
		{Kind: wire.PartEvent, Data: named("content_block_start", `,"index":2,"content_block":{"type":"tool_use","id":"c","name":"f","input":{}}`)},
		{Kind: wire.PartEvent, Data: named("content_block_delta", `,"index":2,"delta":{"type":"input_json_delta","partial_json":"{\"é"}`)},
		{Kind: wire.PartEvent, Data: named("content_block_delta", `,"index":2,"delta":{"type":"input_json_delta","partial_json":"\":1}"}`)},
		{Kind: wire.PartEvent, Data: named("content_block_stop", `,"index":2`)},
		{Kind: wire.PartEvent, Data: named("message_delta", `,"delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":3}`)},
		{Kind: wire.PartDone, Data: named("message_stop", "")},
	}
	if diff := cmp.Diff(labelled(want), labelled(resp.Parts)); diff != "" {
		t.Error(diff)
	}
	recorded := resp.Clone()
	for i := range recorded.Parts {
		recorded.Parts[i].Kind = wire.PartBody
	}
	anthropic.Adapter{}.Label(&recorded)
	if diff := cmp.Diff(labelled(want), labelled(recorded.Parts)); diff != "" {
		t.Errorf("labelled: %s", diff)
	}
}

func labelled(parts []wire.Part) []string {
	var list []string
	for _, p := range parts {
		list = append(list, string(rune('0'+p.Kind))+" "+string(p.Data))
	}
	return list
}

// Shows that every status of the API's documentation has the vendor's error
// object, and that it is read back as the failure that the specification names.
func TestRenderError(t *testing.T) {
	for _, c := range []struct {
		status       int
		typ, message string
		wantType     string
		want         failure.Kind
		wantMessage  string
	}{
		{400, "", "no", "invalid_request_error", failure.HTTPStatus, "HTTP 400 Bad Request: invalid_request_error: no"},
		{401, "", "", "authentication_error", failure.HTTPStatus, "HTTP 401 Unauthorized: authentication_error: invalid x-api-key"},
		{402, "", "x", "billing_error", failure.HTTPStatus, "HTTP 402 Payment Required: billing_error: x"},
		{403, "", "x", "permission_error", failure.HTTPStatus, "HTTP 403 Forbidden: permission_error: x"},
		{404, "", "x", "not_found_error", failure.HTTPStatus, "HTTP 404 Not Found: not_found_error: x"},
		{413, "", "x", "request_too_large", failure.HTTPStatus, "HTTP 413 Request Entity Too Large: request_too_large: x"},
		{429, "", "x", "rate_limit_error", failure.RateLimit, "HTTP 429 Too Many Requests: rate_limit_error: x"},
		{500, "", "", "api_error", failure.HTTPStatus, "HTTP 500 Internal Server Error: api_error: Internal server error"},
		{504, "", "x", "timeout_error", failure.HTTPStatus, "HTTP 504 Gateway Timeout: timeout_error: x"},
		{529, "", "", "overloaded_error", failure.Overloaded, "HTTP 529: overloaded_error: Overloaded"},
		{503, "own_type", "x", "own_type", failure.HTTPStatus, "HTTP 503 Service Unavailable: own_type: x"},
		{200, "rate_limit_error", "x", "rate_limit_error", failure.RateLimit, "HTTP 200 with an error inside: rate_limit_error: x"},
		{200, "overloaded_error", "x", "overloaded_error", failure.Overloaded, "HTTP 200 with an error inside: overloaded_error: x"},
		{200, "", "x", "api_error", failure.HTTPStatus, "HTTP 200 with an error inside: api_error: x"},
	} {
		resp := anthropic.Adapter{}.RenderError(plainIn, c.status, c.typ, c.message)
		var body map[string]any
		if err := json.Unmarshal(resp.Body(), &body); err != nil {
			t.Fatal(err)
		}
		e, _ := body["error"].(map[string]any)
		if id, _ := body["request_id"].(string); body["type"] != "error" || len(e) != 2 || e["type"] != c.wantType || id == "" {
			t.Errorf("%d: %s", c.status, resp.Body())
		}
		p, err := adaptertest.Play(anthropic.Adapter{}, plainIn, resp.Script(wire.Meta{}))
		if err != nil {
			t.Fatal(err)
		}
		if p.Failed == nil || p.Failed.Kind != c.want || p.Failed.StatusCode != c.status || p.Failed.Message != c.wantMessage {
			t.Errorf("%d: observed as %+v", c.status, p.Failed)
		}
		if string(p.Out.Body) != string(resp.Body()) || p.Out.StatusCode != c.status {
			t.Errorf("%d: the answer is lost: %+v", c.status, p.Out)
		}
	}
}

// Shows that an error in the midst of a stream is an event of its own name,
// and what it is observed as.
func TestRenderStreamError(t *testing.T) {
	got := string(anthropic.Adapter{}.RenderStreamError(streamIn, "overloaded_error", ""))
	want := "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"},\"request_id\":\"req_scenario\"}\n\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if _, failed := streamed(started + text + got); failed == nil || failed.Kind != failure.Overloaded {
		t.Errorf("observed as %+v", failed)
	}
}
