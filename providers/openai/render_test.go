package openai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/openai"
	"github.com/scenario-lang/scenario/wire"
)

// Shows the bytes of a plain answer, in the vendor's shape and order.
func TestRenderPlain(t *testing.T) {
	resp := openai.Adapter{}.Render(plainIn, providers.Output{Content: "a <b>"})
	want := `{"id":"chatcmpl-scenario","object":"chat.completion","created":946684800,"model":"m",` +
		`"choices":[{"index":0,"message":{"role":"assistant","content":"a <b>"},"finish_reason":"stop"}],` +
		`"usage":{"prompt_tokens":2,"completion_tokens":2,"total_tokens":4}}`
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
	out := providers.Output{Content: "a b", ToolCalls: []providers.ToolCall{{ID: "c", Name: "f", Arguments: "{}"}}}
	resp := openai.Adapter{}.Render(streamIn, out)
	event := func(rest string) string {
		return `data: {"id":"chatcmpl-scenario","object":"chat.completion.chunk","created":946684800,"model":"m","choices":[` + rest + "}\n\n"
	}
	want := []wire.Part{
		{Kind: wire.PartEvent, Data: []byte(event(`{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]`))},
		{Kind: wire.PartChunk, Data: []byte(event(`{"index":0,"delta":{"content":"a "},"finish_reason":null}]`))},
		{Kind: wire.PartChunk, Data: []byte(event(`{"index":0,"delta":{"content":"b"},"finish_reason":null}]`))},
		{Kind: wire.PartEvent, Data: []byte(event(`{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":""}}]},"finish_reason":null}]`))},
		{Kind: wire.PartEvent, Data: []byte(event(`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{"}}]},"finish_reason":null}]`))},
		{Kind: wire.PartEvent, Data: []byte(event(`{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]},"finish_reason":null}]`))},
		{Kind: wire.PartEvent, Data: []byte(event(`{"index":0,"delta":{},"finish_reason":"tool_calls"}]`))},
		{Kind: wire.PartEvent, Data: []byte(event(`],"usage":{"prompt_tokens":2,"completion_tokens":2,"total_tokens":4}`))},
		{Kind: wire.PartDone, Data: []byte("data: [DONE]\n\n")},
	}
	if diff := cmp.Diff(text(want), text(resp.Parts)); diff != "" {
		t.Error(diff)
	}
	recorded := resp.Clone()
	for i := range recorded.Parts {
		recorded.Parts[i].Kind = wire.PartBody
	}
	openai.Adapter{}.Label(&recorded)
	if diff := cmp.Diff(text(want), text(recorded.Parts)); diff != "" {
		t.Errorf("labelled: %s", diff)
	}
}

// Shows that a stream tells its usage only where the request asks for that, as the
// vendor's reference has it (stream_options.include_usage): a client that reads
// choices[0] of every event meets none without.
func TestStreamsTellUsageOnRequest(t *testing.T) {
	for body, want := range map[string]bool{
		`{"model":"m","stream":true,"messages":[]}`:                                           false,
		`{"model":"m","stream":true,"stream_options":{},"messages":[]}`:                       false,
		`{"model":"m","stream":true,"stream_options":null,"messages":[]}`:                     false,
		`{"model":"m","stream":true,"stream_options":{"include_usage":false},"messages":[]}`:  false,
		`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[]}`:   true,
		`{"model":"m","stream":false,"stream_options":{"include_usage":false},"messages":[]}`: true,
	} {
		in, err := openai.Adapter{}.Read(nil, []byte(body))
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		told := false
		for _, p := range (openai.Adapter{}).Render(in, providers.Output{Content: "a b"}).Parts {
			told = told || strings.Contains(string(p.Data), `"usage"`)
		}
		if told != want {
			t.Errorf("%s: the answer tells usage: %v, want %v", body, told, want)
		}
	}
}

func text(parts []wire.Part) []string {
	var list []string
	for _, p := range parts {
		list = append(list, string(rune('0'+p.Kind))+" "+string(p.Data))
	}
	return list
}

// Shows that every status has the vendor's error object with all four fields,
// and that it is read back as the failure that the specification names.
func TestRenderError(t *testing.T) {
	for _, c := range []struct {
		status       int
		typ, message string
		wantCode     any
		wantType     string
		want         failure.Kind
		wantMessage  string
	}{
		{429, "", "", "rate_limit_exceeded", "requests", failure.RateLimit, "HTTP 429 Too Many Requests: requests: Rate limit reached for requests."},
		{401, "", "", "invalid_api_key", "invalid_request_error", failure.HTTPStatus, "HTTP 401 Unauthorized: invalid_request_error: Incorrect API key provided."},
		{400, "", "no", nil, "invalid_request_error", failure.HTTPStatus, "HTTP 400 Bad Request: invalid_request_error: no"},
		{500, "", "", nil, "server_error", failure.HTTPStatus, "HTTP 500 Internal Server Error: server_error: The server had an error while processing your request."},
		{529, "", "x", "overloaded", "overloaded_error", failure.Overloaded, "HTTP 529: overloaded_error: x"},
		{503, "own_type", "x", nil, "own_type", failure.HTTPStatus, "HTTP 503 Service Unavailable: own_type: x"},
		{200, "rate_limit_exceeded", "x", nil, "rate_limit_exceeded", failure.RateLimit, "HTTP 200 with an error inside: rate_limit_exceeded: x"},
		{200, "overloaded_error", "x", nil, "overloaded_error", failure.Overloaded, "HTTP 200 with an error inside: overloaded_error: x"},
		{200, "", "x", nil, "server_error", failure.HTTPStatus, "HTTP 200 with an error inside: server_error: x"},
	} {
		resp := openai.Adapter{}.RenderError(plainIn, c.status, c.typ, c.message)
		var body map[string]map[string]any
		if err := json.Unmarshal(resp.Body(), &body); err != nil {
			t.Fatal(err)
		}
		object := body["error"]
		if _, hasParam := object["param"]; !hasParam || len(object) != 4 || object["code"] != c.wantCode || object["type"] != c.wantType {
			t.Errorf("%d: %s", c.status, resp.Body())
		}
		p, err := adaptertest.Play(openai.Adapter{}, plainIn, resp.Script(wire.Meta{}))
		if err != nil {
			t.Fatal(err)
		}
		if p.Failed == nil || p.Failed.Kind != c.want || p.Failed.StatusCode != c.status || p.Failed.Message != c.wantMessage {
			t.Errorf("%d: observed as %+v", c.status, p.Failed)
		}
		if !strings.Contains(string(p.Out.Body), `"error"`) || p.Out.StatusCode != c.status {
			t.Errorf("%d: the answer is lost: %+v", c.status, p.Out)
		}
	}
}
