package openai_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/openai"
	"github.com/scenario-lang/scenario/wire"
)

// Shows that what the adapter renders it reads back, plain and streamed, that
// no cut answer is a success, and what stands for a finish reason.
func TestResponses(t *testing.T) {
	const unicode = "Rayleigh zerstreut Licht: λ⁻⁴ 🌈 \"blau\" </b>\n\n  Ende "
	reported := providers.Usage{Set: true, Prompt: 10, Completion: 3, Total: 13, Cached: 4, Reasoning: 2}
	weather := providers.ToolCall{ID: "call_a", Name: "weather", Arguments: `{"city":"Zürich"}`}
	clock := providers.ToolCall{Name: "clock", Arguments: `not json`}
	numbered := providers.ToolCall{ID: "call_2", Name: "clock", Arguments: `not json`}
	adaptertest.Run(t, adaptertest.Suite{Adapter: openai.Responses{}, Replies: []adaptertest.Reply{
		{
			Name: "plain", In: plainIn,
			Out: providers.Output{Content: "question", Latency: 2 * time.Second},
			Want: providers.Output{
				Content: "question", FinishReason: "completed", Model: "m", ID: "resp_scenario",
				Usage: providers.Usage{Set: true, Prompt: 2, Completion: 2, Total: 4},
			},
		},
		{
			Name: "plain unicode with everything given", In: plainIn,
			Out:  providers.Output{Content: unicode, Reasoning: "hm ☃", FinishReason: "length", Usage: reported, Model: "other", ID: "x"},
			Want: providers.Output{Content: unicode, Reasoning: "hm ☃", FinishReason: "max_output_tokens", Usage: reported, Model: "other", ID: "x"},
		},
		{
			Name: "plain tool calls", In: plainIn,
			Out: providers.Output{ToolCalls: []providers.ToolCall{weather, clock}, Usage: reported},
			Want: providers.Output{
				ToolCalls: []providers.ToolCall{weather, numbered}, FinishReason: "completed",
				Model: "m", ID: "resp_scenario", Usage: reported,
			},
		},
		{
			Name: "stream", In: streamIn,
			Out: providers.Output{Content: "one two  three", Latency: time.Second, ChunkDelay: 250 * time.Millisecond},
			Want: providers.Output{
				Content: "one two  three", Chunks: []string{"one ", "two  ", "three"}, FinishReason: "completed", Model: "m",
				ID: "resp_scenario", Usage: providers.Usage{Set: true, Prompt: 2, Completion: 4, Total: 6},
			},
		},
		{
			Name: "stream of given chunks, filtered", In: streamIn,
			Out: providers.Output{Chunks: []string{"λ", "", "⁻⁴ 🌈\n"}, Reasoning: "why", FinishReason: "content_filter", Usage: reported},
			Want: providers.Output{
				Content: "λ⁻⁴ 🌈\n", Chunks: []string{"λ", "⁻⁴ 🌈\n"}, Reasoning: "why", FinishReason: "content_filter",
				Model: "m", ID: "resp_scenario", Usage: reported,
			},
		},
		{
			Name: "stream of tool calls", In: streamIn,
			Out: providers.Output{ToolCalls: []providers.ToolCall{weather, clock}, Usage: reported},
			Want: providers.Output{
				ToolCalls: []providers.ToolCall{weather, numbered}, FinishReason: "completed", Model: "m", ID: "resp_scenario", Usage: reported,
			},
		},
	}})
}

// Shows the events of a stream in their order, the kinds of parts that faults
// count, and that a recorded stream is labelled with the same kinds.
func TestResponsesStream(t *testing.T) {
	resp := openai.Responses{}.Render(streamIn, providers.Output{
		Content: "a b", Reasoning: "r", ToolCalls: []providers.ToolCall{{Name: "f", Arguments: "{}"}},
	})
	want := []string{
		"2 response.created", "2 response.in_progress",
		"2 response.output_item.added", "2 response.reasoning_summary_part.added", "2 response.reasoning_summary_text.delta",
		"2 response.reasoning_summary_text.done", "2 response.reasoning_summary_part.done", "2 response.output_item.done",
		"2 response.output_item.added", "2 response.content_part.added", "1 response.output_text.delta", "1 response.output_text.delta",
		"2 response.output_text.done", "2 response.content_part.done", "2 response.output_item.done",
		"2 response.output_item.added", "2 response.function_call_arguments.delta", "2 response.function_call_arguments.delta", "2 response.function_call_arguments.done", "2 response.output_item.done",
		"3 response.completed",
	}
	if diff := cmp.Diff(want, events(t, resp)); diff != "" {
		t.Error(diff)
	}
	recorded := resp.Clone()
	for i := range recorded.Parts {
		recorded.Parts[i].Kind = wire.PartBody
	}
	openai.Responses{}.Label(&recorded)
	if diff := cmp.Diff(want, events(t, recorded)); diff != "" {
		t.Errorf("labelled: %s", diff)
	}
	delta := `data: {"content_index":0,"delta":"a ","item_id":"msg_1","output_index":1,"sequence_number":10,"type":"response.output_text.delta"}`
	if got := string(resp.Parts[10].Data); got != "event: response.output_text.delta\n"+delta+"\n\n" {
		t.Errorf("a delta is %s", got)
	}
}

// events are the kind and name of every part.
func events(t *testing.T, resp wire.Response) []string {
	t.Helper()
	var list []string
	for _, p := range resp.Parts {
		e, err := providers.NewEventReader(bytes.NewReader(p.Data)).Next()
		if err != nil {
			t.Fatalf("%s: %v", p.Data, err)
		}
		list = append(list, string(rune('0'+p.Kind))+" "+e.Name)
	}
	return list
}

// Shows the whole of a plain response: clients refuse one without the fields
// that only repeat the request.
func TestResponsesPlain(t *testing.T) {
	resp := openai.Responses{}.Render(plainIn, providers.Output{Content: "a <b>"})
	want := `{"id":"resp_scenario","object":"response","created_at":946684800,"status":"completed","error":null,"incomplete_details":null,` +
		`"instructions":null,"metadata":{},"model":"m","output":[{"id":"msg_1","type":"message","status":"completed","role":"assistant",` +
		`"content":[{"type":"output_text","text":"a <b>","annotations":[]}]}],"parallel_tool_calls":true,"temperature":null,"tool_choice":"auto",` +
		`"tools":[],"top_p":null,"usage":{"input_tokens":2,"input_tokens_details":{"cached_tokens":0},"output_tokens":2,` +
		`"output_tokens_details":{"reasoning_tokens":0},"total_tokens":4}}`
	if diff := cmp.Diff(want, string(resp.Body())); diff != "" {
		t.Error(diff)
	}
}

// Shows that every status has the vendor's error object, that an error inside a
// 200 is a failed response, and what both are observed as.
func TestResponsesErrors(t *testing.T) {
	for _, c := range []struct {
		in           providers.Input
		status       int
		typ, message string
		want         failure.Kind
		says         string
	}{
		{plainIn, 429, "", "", failure.RateLimit, "HTTP 429 Too Many Requests: requests: Rate limit reached for requests."},
		{streamIn, 500, "", "x", failure.HTTPStatus, "HTTP 500 Internal Server Error: server_error: x"},
		{plainIn, 529, "", "x", failure.Overloaded, "HTTP 529: overloaded_error: x"},
		{plainIn, 200, "rate_limit_exceeded", "x", failure.RateLimit, "HTTP 200 with an error inside: rate_limit_exceeded: x"},
		{streamIn, 200, "overloaded_error", "x", failure.Overloaded, "HTTP 200 with an error inside: overloaded_error: x"},
		{plainIn, 200, "", "", failure.HTTPStatus, "HTTP 200 with an error inside: server_error: The server had an error while processing your request."},
	} {
		script := openai.Responses{}.RenderError(c.in, c.status, c.typ, c.message).Script(wire.Meta{})
		p, err := adaptertest.Play(openai.Responses{}, c.in, script)
		if err != nil {
			t.Fatal(err)
		}
		if p.Failed == nil || p.Failed.Kind != c.want || p.Failed.StatusCode != c.status || p.Failed.Message != c.says {
			t.Errorf("%d %s: observed as %+v", c.status, c.typ, p.Failed)
		}
	}
}

// Shows that nothing a server may send makes the adapter panic or hang, or
// pass for a complete answer that is none.
func FuzzParseResponses(f *testing.F) {
	for _, seed := range []string{
		"", "null", "{}", "[]", "not valid json",
		`{"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"x"}]}]}`,
		`{"status":"failed","error":{"code":"server_error","message":"m"},"output":[]}`,
		`data: {"type":"response.output_text.delta","delta":"a"}` + "\n\n" + `data: {"type":"response.completed","response":{"status":"completed","output":[]}}` + "\n\n",
		`data: {"type":"response.output_item.added","output_index":-7,"item":{"type":"function_call","arguments":"{"}}` + "\r\n\r\n",
		`event: error` + "\n" + `data: {"type":"error","code":7,"message":"m"}` + "\n\n",
		`data: {"type":"response.image_generation_call.partial_image","delta":{}}` + "\n\n",
	} {
		f.Add([]byte(seed), false, uint16(9), uint8(1))
		f.Add([]byte(seed), true, uint16(9), uint8(2))
	}
	f.Fuzz(func(t *testing.T, data []byte, stream bool, cut uint16, end uint8) {
		in, media := plainIn, "application/json"
		if stream {
			in, media = streamIn, "text/event-stream"
		}
		adaptertest.Arbitrary(t, openai.Responses{}, in, data, media, cut, end)
	})
}
