package cohere_test

import (
	"testing"
	"time"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/cohere"
)

var (
	asked    = []providers.Message{{Role: "user", Content: "12345"}} // two tokens by the estimate
	plainIn  = providers.Input{Model: "m", Messages: asked}
	streamIn = providers.Input{Model: "m", Messages: asked, Stream: true}
)

const zeros = "00000000-0000-0000-0000-000000000000"

// Shows that what the adapter renders it reads back, plain and streamed, that
// no cut answer is a success, and what stands for what a reply leaves out.
func TestAdapter(t *testing.T) {
	const unicode = "Rayleigh zerstreut Licht: λ⁻⁴ 🌈 \"blau\" </b>\n\n  Ende "
	reported := providers.Usage{Set: true, Prompt: 10, Completion: 3, Total: 13}
	weather := providers.ToolCall{ID: "call_a", Name: "weather", Arguments: `{"city":"Zürich"}`}
	clock := providers.ToolCall{Name: "clock", Arguments: `not json`}
	numbered := providers.ToolCall{ID: "call_2", Name: "clock", Arguments: `not json`}
	adaptertest.Run(t, adaptertest.Suite{Adapter: cohere.Adapter{}, Replies: []adaptertest.Reply{
		{
			Name: "plain", In: plainIn,
			Out:  providers.Output{Content: "question", Latency: 2 * time.Second},
			Want: providers.Output{ID: zeros, Content: "question", FinishReason: "COMPLETE", Usage: providers.Usage{Set: true, Prompt: 2, Completion: 2, Total: 4}},
		},
		{
			Name: "plain unicode with everything given", In: plainIn,
			Out:  providers.Output{Content: unicode, Reasoning: "hm ☃", FinishReason: "length", Usage: reported},
			Want: providers.Output{ID: zeros, Content: unicode, Reasoning: "hm ☃", FinishReason: "MAX_TOKENS", Usage: reported},
		},
		{
			Name: "plain without content", In: plainIn,
			Out:  providers.Output{},
			Want: providers.Output{ID: zeros, FinishReason: "COMPLETE", Usage: providers.Usage{Set: true, Prompt: 2, Total: 2}},
		},
		{
			Name: "plain tool calls", In: plainIn,
			Out:  providers.Output{Content: "I look it up.", ToolCalls: []providers.ToolCall{weather, clock}, Usage: reported},
			Want: providers.Output{ID: zeros, Content: "I look it up.", ToolCalls: []providers.ToolCall{weather, numbered}, FinishReason: "TOOL_CALL", Usage: reported},
		},
		{
			Name: "stream", In: streamIn,
			Out: providers.Output{Content: "one two  three", Latency: time.Second, ChunkDelay: 250 * time.Millisecond},
			Want: providers.Output{
				ID: zeros, Content: "one two  three", Chunks: []string{"one ", "two  ", "three"}, FinishReason: "COMPLETE",
				Usage: providers.Usage{Set: true, Prompt: 2, Completion: 4, Total: 6},
			},
		},
		{
			Name: "stream of given chunks", In: streamIn,
			Out:  providers.Output{Chunks: []string{"λ", "", "⁻⁴ 🌈\n", " e"}, Reasoning: "why", Usage: reported},
			Want: providers.Output{ID: zeros, Content: "λ⁻⁴ 🌈\n e", Chunks: []string{"λ", "⁻⁴ 🌈\n", " e"}, Reasoning: "why", FinishReason: "COMPLETE", Usage: reported},
		},
		{
			Name: "stream of tool calls", In: streamIn,
			Out: providers.Output{Content: "so: ", ToolCalls: []providers.ToolCall{weather, clock}, FinishReason: "tool_calls", Usage: reported},
			Want: providers.Output{
				ID: zeros, Content: "so: ", Chunks: []string{"so: "}, ToolCalls: []providers.ToolCall{weather, numbered}, FinishReason: "TOOL_CALL", Usage: reported,
			},
		},
		{
			Name: "stream without content", In: streamIn,
			Out:  providers.Output{Usage: reported},
			Want: providers.Output{ID: zeros, FinishReason: "COMPLETE", Usage: reported},
		},
	}})
}

// Shows that nothing a service may send makes the adapter panic or hang, or
// pass for a complete answer that is none.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "null", "{}", "[]", "not valid json", whole, documented, documentedTools,
		`{"id":"x","message":"invalid api token"}`, `{"error":{"message":"m"}}`,
		"data: {\"type\":\"message-end\",\"delta\":{\"error\":\"no\",\"finish_reason\":\"ERROR\"}}\n\n",
		"data: {\"type\":\"tool-call-delta\",\"index\":7,\"delta\":{\"message\":{\"tool_calls\":[{}]}}}\n\n",
		"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 2\r\n\r\n{}",
	} {
		f.Add([]byte(seed), false, uint16(9), uint8(1))
		f.Add([]byte(seed), true, uint16(9), uint8(2))
	}
	f.Fuzz(func(t *testing.T, data []byte, stream bool, cut uint16, end uint8) {
		in, media := plainIn, "application/json"
		if stream {
			in, media = streamIn, "text/event-stream"
		}
		adaptertest.Arbitrary(t, cohere.Adapter{}, in, data, media, cut, end)
	})
}
