package openai_test

import (
	"testing"
	"time"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/openai"
)

var (
	asked    = []providers.Message{{Role: "user", Content: "12345"}} // two tokens by the estimate
	plainIn  = providers.Input{Model: "m", Messages: asked}
	streamIn = providers.Input{Model: "m", Messages: asked, Stream: true}
)

// Shows that what the adapter renders it reads back, plain and streamed, that
// no cut answer is a success, and what stands for what a reply leaves out.
func TestAdapter(t *testing.T) {
	const unicode = "Rayleigh zerstreut Licht: λ⁻⁴ 🌈 \"blau\" </b>\n\n  Ende "
	reported := providers.Usage{Set: true, Prompt: 10, Completion: 3, Total: 13, Cached: 4, Reasoning: 2}
	weather := providers.ToolCall{ID: "call_a", Name: "weather", Arguments: `{"city":"Zürich"}`}
	clock := providers.ToolCall{Name: "clock", Arguments: `not json`}
	numbered := providers.ToolCall{ID: "call_2", Name: "clock", Arguments: `not json`}
	adaptertest.Run(t, adaptertest.Suite{Adapter: openai.Adapter{}, Replies: []adaptertest.Reply{
		{
			Name: "plain", In: plainIn,
			Out: providers.Output{Content: "question", Latency: 2 * time.Second},
			Want: providers.Output{
				Content: "question", FinishReason: "stop", Model: "m", ID: "chatcmpl-scenario",
				Usage: providers.Usage{Set: true, Prompt: 2, Completion: 2, Total: 4},
			},
		},
		{
			Name: "plain unicode with everything given", In: plainIn,
			Out:  providers.Output{Content: unicode, Reasoning: "hm ☃", FinishReason: "length", Usage: reported, Model: "other", ID: "x"},
			Want: providers.Output{Content: unicode, Reasoning: "hm ☃", FinishReason: "length", Usage: reported, Model: "other", ID: "x"},
		},
		{
			Name: "plain without content", In: plainIn,
			Out: providers.Output{},
			Want: providers.Output{
				FinishReason: "stop", Model: "m", ID: "chatcmpl-scenario",
				Usage: providers.Usage{Set: true, Prompt: 2, Total: 2},
			},
		},
		{
			Name: "plain tool calls", In: plainIn,
			Out: providers.Output{ToolCalls: []providers.ToolCall{weather, clock}, Usage: reported},
			Want: providers.Output{
				ToolCalls: []providers.ToolCall{weather, numbered}, FinishReason: "tool_calls",
				Model: "m", ID: "chatcmpl-scenario", Usage: reported,
			},
		},
		{
			Name: "stream", In: streamIn,
			Out: providers.Output{Content: "one two  three", Latency: time.Second, ChunkDelay: 250 * time.Millisecond},
			Want: providers.Output{
				Content: "one two  three", Chunks: []string{"one ", "two  ", "three"}, FinishReason: "stop", Model: "m",
				ID: "chatcmpl-scenario", Usage: providers.Usage{Set: true, Prompt: 2, Completion: 4, Total: 6},
			},
		},
		{
			Name: "stream of given chunks", In: streamIn,
			Out: providers.Output{Chunks: []string{"λ", "", "⁻⁴ 🌈\n", " e"}, Reasoning: "why", Usage: reported},
			Want: providers.Output{
				Content: "λ⁻⁴ 🌈\n e", Chunks: []string{"λ", "⁻⁴ 🌈\n", " e"}, Reasoning: "why", FinishReason: "stop",
				Model: "m", ID: "chatcmpl-scenario", Usage: reported,
			},
		},
		{
			Name: "stream of tool calls", In: streamIn,
			Out: providers.Output{Content: "so: ", ToolCalls: []providers.ToolCall{weather, clock}, Usage: reported},
			Want: providers.Output{
				Content: "so: ", Chunks: []string{"so: "}, ToolCalls: []providers.ToolCall{weather, numbered},
				FinishReason: "tool_calls", Model: "m", ID: "chatcmpl-scenario", Usage: reported,
			},
		},
		{
			Name: "stream without content", In: streamIn,
			Out:  providers.Output{Usage: reported},
			Want: providers.Output{FinishReason: "stop", Model: "m", ID: "chatcmpl-scenario", Usage: reported},
		},
	}})
}

// Shows that nothing a server may send makes the adapter panic or hang, or
// pass for a complete answer that is none.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "null", "{}", "[]", "not valid json",
		`{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`,
		`{"error":{"message":"m","type":"t","code":429}}`, `{"error":"plain"}`,
		"data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: [DONE]\n\n",
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-7,\"function\":{\"arguments\":\"{\"}}]}}]}\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
	} {
		f.Add([]byte(seed), false, uint16(9), uint8(1))
		f.Add([]byte(seed), true, uint16(9), uint8(2))
	}
	f.Fuzz(func(t *testing.T, data []byte, stream bool, cut uint16, end uint8) {
		in, media := plainIn, "application/json"
		if stream {
			in, media = streamIn, "text/event-stream"
		}
		adaptertest.Arbitrary(t, openai.Adapter{}, in, data, media, cut, end)
	})
}
