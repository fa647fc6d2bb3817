package gemini_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/gemini"
	"github.com/scenario-lang/scenario/wire"
)

// Shows the bytes of a plain answer, in the vendor's shape and order.
func TestRenderPlain(t *testing.T) {
	resp := gemini.Adapter{}.Render(plainIn, providers.Output{
		Content: "a <b>", Reasoning: "hm", ToolCalls: []providers.ToolCall{{Name: "f", Arguments: `{"x": 1}`}},
		Usage: providers.Usage{Set: true, Prompt: 9, Completion: 7, Cached: 4, Reasoning: 5},
	})
	want := `{"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"a <b>"},{"functionCall":{"name":"f","args":{"x":1}}}],"role":"model"},` +
		`"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":2,"totalTokenCount":16,"cachedContentTokenCount":4,"thoughtsTokenCount":5},` +
		`"modelVersion":"m","responseId":"scenario"}`
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
	out := providers.Output{Content: "a b", Reasoning: "hm", ToolCalls: []providers.ToolCall{{ID: "c", Name: "f", Arguments: "{}", Signature: "s"}}}
	resp := gemini.Adapter{}.Render(streamIn, out)
	framed := func(parts, rest string) []byte {
		return []byte(`data: {"candidates":[{"content":{"parts":[` + parts + `],"role":"model"},` + rest + `"modelVersion":"m","responseId":"scenario"}` + "\n\n")
	}
	const open = `"index":0}],`
	want := []wire.Part{
		{Kind: wire.PartEvent, Data: framed(`{"text":"hm","thought":true}`, open)},
		{Kind: wire.PartChunk, Data: framed(`{"text":"a "}`, open)},
		{Kind: wire.PartChunk, Data: framed(`{"text":"b"}`, open)},
		{Kind: wire.PartEvent, Data: framed(`{"functionCall":{"id":"c","name":"f","args":{}},"thoughtSignature":"s"}`, open)},
		{Kind: wire.PartDone, Data: framed(`{"text":""}`, `"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":2,"candidatesTokenCount":2,"totalTokenCount":4},`)},
	}
	if diff := cmp.Diff(labelled(want), labelled(resp.Parts)); diff != "" {
		t.Error(diff)
	}
	recorded := resp.Clone()
	for i := range recorded.Parts {
		recorded.Parts[i].Kind = wire.PartBody
	}
	gemini.Adapter{}.Label(&recorded)
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

// Shows that an event which brings the last text and the finish reason is
// labelled as the end, so that a fault which cuts a stream of one event cuts
// it.
func TestLabelEnd(t *testing.T) {
	resp := wire.Response{Stream: true, Parts: []wire.Part{{Data: []byte("data: " + said + "\r\n\r\n")}, {Data: []byte("data: {oops\n\n")}, {Data: []byte("data: {")}}}
	gemini.Adapter{}.Label(&resp)
	if got := []wire.PartKind{resp.Parts[0].Kind, resp.Parts[1].Kind, resp.Parts[2].Kind}; !cmp.Equal(got, []wire.PartKind{wire.PartDone, wire.PartEvent, wire.PartEvent}) {
		t.Errorf("labelled %v", got)
	}
}

// Shows that every status has Google's error object with the canonical code of
// the API's documentation, and that it is read back as the failure that
// the specification names.
func TestRenderError(t *testing.T) {
	for _, c := range []struct {
		status       int
		typ, message string
		wantCode     float64
		wantStatus   string
		want         failure.Kind
		wantMessage  string
	}{
		{400, "", "no", 400, "INVALID_ARGUMENT", failure.HTTPStatus, "HTTP 400 Bad Request: INVALID_ARGUMENT: no"},
		{401, "", "x", 401, "UNAUTHENTICATED", failure.HTTPStatus, "HTTP 401 Unauthorized: UNAUTHENTICATED: x"},
		{403, "", "x", 403, "PERMISSION_DENIED", failure.HTTPStatus, "HTTP 403 Forbidden: PERMISSION_DENIED: x"},
		{404, "", "x", 404, "NOT_FOUND", failure.HTTPStatus, "HTTP 404 Not Found: NOT_FOUND: x"},
		{422, "", "x", 422, "FAILED_PRECONDITION", failure.HTTPStatus, "HTTP 422 Unprocessable Entity: FAILED_PRECONDITION: x"},
		{429, "", "", 429, "RESOURCE_EXHAUSTED", failure.RateLimit, "HTTP 429 Too Many Requests: RESOURCE_EXHAUSTED: Resource has been exhausted (e.g. check quota)."},
		{500, "", "x", 500, "INTERNAL", failure.HTTPStatus, "HTTP 500 Internal Server Error: INTERNAL: x"},
		{502, "", "x", 502, "INTERNAL", failure.HTTPStatus, "HTTP 502 Bad Gateway: INTERNAL: x"},
		{503, "", "", 503, "UNAVAILABLE", failure.HTTPStatus, "HTTP 503 Service Unavailable: UNAVAILABLE: The model is overloaded. Please try again later."},
		{504, "", "x", 504, "DEADLINE_EXCEEDED", failure.HTTPStatus, "HTTP 504 Gateway Timeout: DEADLINE_EXCEEDED: x"},
		{529, "", "x", 529, "UNAVAILABLE", failure.Overloaded, "HTTP 529: UNAVAILABLE: x"},
		{503, "OWN", "x", 503, "OWN", failure.HTTPStatus, "HTTP 503 Service Unavailable: OWN: x"},
		{200, "RESOURCE_EXHAUSTED", "x", 429, "RESOURCE_EXHAUSTED", failure.RateLimit, "HTTP 200 with an error inside: RESOURCE_EXHAUSTED: x"},
		{200, "rate_limit_error", "x", 429, "RESOURCE_EXHAUSTED", failure.RateLimit, "HTTP 200 with an error inside: RESOURCE_EXHAUSTED: x"},
		{200, "overloaded_error", "x", 503, "UNAVAILABLE", failure.Overloaded, "HTTP 200 with an error inside: UNAVAILABLE: x"},
		{200, "", "x", 500, "INTERNAL", failure.HTTPStatus, "HTTP 200 with an error inside: INTERNAL: x"},
	} {
		resp := gemini.Adapter{}.RenderError(plainIn, c.status, c.typ, c.message)
		var body map[string]map[string]any
		if err := json.Unmarshal(resp.Body(), &body); err != nil {
			t.Fatal(err)
		}
		if e := body["error"]; len(e) != 3 || e["code"] != c.wantCode || e["status"] != c.wantStatus {
			t.Errorf("%d: %s", c.status, resp.Body())
		}
		p, err := adaptertest.Play(gemini.Adapter{}, plainIn, resp.Script(wire.Meta{}))
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
