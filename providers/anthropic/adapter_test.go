package anthropic_test

import (
	"testing"
	"time"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/anthropic"
)

var (
	asked    = []providers.Message{{Role: "user", Content: "12345"}} // two tokens by the estimate
	plainIn  = providers.Input{Model: "m", Messages: asked}
	streamIn = providers.Input{Model: "m", Messages: asked, Stream: true}
)

// Shows that what the adapter renders it reads back, plain and streamed, that
// no cut answer is a success, what stands for what a reply leaves out, and that
// OpenAI's words for the finish reason are translated.
func TestAdapter(t *testing.T) {
	const unicode = "Rayleigh zerstreut Licht: λ⁻⁴ 🌈 \"blau\" </b>\n\n  Ende "
	reported := providers.Usage{Set: true, Prompt: 10, Completion: 3, Total: 13, Cached: 4, Reasoning: 2}
	weather := providers.ToolCall{ID: "toolu_a", Name: "weather", Arguments: `{"z":1.50,"city":"Zürich"}`}
	clock := providers.ToolCall{Name: "clock", Arguments: `not "json`}
	numbered := providers.ToolCall{ID: "toolu_2", Name: "clock", Arguments: `not "json`}
	adaptertest.Run(t, adaptertest.Suite{Adapter: anthropic.Adapter{}, Replies: []adaptertest.Reply{
		{
			Name: "plain", In: plainIn,
			Out: providers.Output{Content: "question", Latency: 2 * time.Second},
			Want: providers.Output{
				Content: "question", FinishReason: "end_turn", Model: "m", ID: "msg_scenario",
				Usage: providers.Usage{Set: true, Prompt: 2, Completion: 2, Total: 4},
			},
		},
		{
			Name: "plain unicode with everything given", In: plainIn,
			Out:  providers.Output{Content: unicode, Reasoning: "hm ☃", FinishReason: "length", Usage: reported, Model: "other", ID: "x"},
			Want: providers.Output{Content: unicode, Reasoning: "hm ☃", FinishReason: "max_tokens", Usage: reported, Model: "other", ID: "x"},
		},
		{
			Name: "plain without content", In: plainIn,
			Out: providers.Output{FinishReason: "pause_turn"},
			Want: providers.Output{
				FinishReason: "pause_turn", Model: "m", ID: "msg_scenario",
				Usage: providers.Usage{Set: true, Prompt: 2, Total: 2},
			},
		},
		{
			Name: "plain tool calls", In: plainIn,
			Out: providers.Output{ToolCalls: []providers.ToolCall{weather, clock}, Usage: reported},
			Want: providers.Output{
				ToolCalls: []providers.ToolCall{weather, numbered}, FinishReason: "tool_use",
				Model: "m", ID: "msg_scenario", Usage: reported,
			},
		},
		{
			Name: "stream", In: streamIn,
			Out: providers.Output{Content: "one two  three", Latency: time.Second, ChunkDelay: 250 * time.Millisecond},
			Want: providers.Output{
				Content: "one two  three", Chunks: []string{"one ", "two  ", "three"}, FinishReason: "end_turn", Model: "m",
				ID: "msg_scenario", Usage: providers.Usage{Set: true, Prompt: 2, Completion: 4, Total: 6},
			},
		},
		{
			Name: "stream of given chunks", In: streamIn,
			Out: providers.Output{Chunks: []string{"λ", "", "⁻⁴ 🌈\n", " e"}, Reasoning: "why", Usage: reported, FinishReason: "stop"},
			Want: providers.Output{
				Content: "λ⁻⁴ 🌈\n e", Chunks: []string{"λ", "⁻⁴ 🌈\n", " e"}, Reasoning: "why", FinishReason: "end_turn",
				Model: "m", ID: "msg_scenario", Usage: reported,
			},
		},
		{
			Name: "stream of tool calls", In: streamIn,
			Out: providers.Output{Content: "so: ", ToolCalls: []providers.ToolCall{weather, clock}, Usage: reported, FinishReason: "tool_calls"},
			Want: providers.Output{
				Content: "so: ", Chunks: []string{"so: "}, ToolCalls: []providers.ToolCall{weather, numbered},
				FinishReason: "tool_use", Model: "m", ID: "msg_scenario", Usage: reported,
			},
		},
		{
			Name: "stream without content", In: streamIn,
			Out:  providers.Output{Usage: reported, FinishReason: "content_filter"},
			Want: providers.Output{FinishReason: "refusal", Model: "m", ID: "msg_scenario", Usage: reported},
		},
	}})
}

// Shows that nothing a server may send makes the adapter panic or hang, or
// pass for a complete answer that is none.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "null", "{}", "[]", "not valid json",
		`{"type":"message","content":[{"type":"text","text":"x"},{"type":"tool_use","id":"a","name":"f","input":{}}],"stop_reason":"end_turn"}`,
		`{"type":"error","error":{"type":"overloaded_error","message":"m"}}`, `{"error":"plain"}`, `{"content":[null,{"type":"text","text":null}]}`,
		started + text + stopped,
		started + `data: {"type":"content_block_start","index":-7,"content_block":{"type":"tool_use"}}` + "\r\n\r\n",
		`event: error` + "\n" + `data: {"type":"error","error":{"type":"rate_limit_error","message":"m"}}` + "\n\n",
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
		adaptertest.Arbitrary(t, anthropic.Adapter{}, in, data, media, cut, end)
	})
}
