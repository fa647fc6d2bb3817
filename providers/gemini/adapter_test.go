package gemini_test

import (
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/gemini"
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
	reported := providers.Usage{Set: true, Prompt: 10, Completion: 3, Total: 15, Cached: 4, Reasoning: 2}
	weather := providers.ToolCall{ID: "call_a", Name: "weather", Arguments: `{"z":1.50,"city":"Zürich"}`, Signature: "c2ln"}
	clock := providers.ToolCall{Name: "clock", Arguments: `not "json`}
	adaptertest.Run(t, adaptertest.Suite{Adapter: gemini.Adapter{}, Replies: []adaptertest.Reply{
		{
			Name: "plain", In: plainIn,
			Out: providers.Output{Content: "question", Latency: 2 * time.Second},
			Want: providers.Output{
				Content: "question", FinishReason: "STOP", Model: "m", ID: "scenario",
				Usage: providers.Usage{Set: true, Prompt: 2, Completion: 2, Total: 4},
			},
		},
		{
			Name: "plain unicode with everything given", In: plainIn,
			Out:  providers.Output{Content: unicode, Reasoning: "hm ☃", FinishReason: "length", Usage: reported, Model: "other", ID: "x"},
			Want: providers.Output{Content: unicode, Reasoning: "hm ☃", FinishReason: "MAX_TOKENS", Usage: reported, Model: "other", ID: "x"},
		},
		{
			Name: "plain without content", In: plainIn,
			Out: providers.Output{FinishReason: "RECITATION"},
			Want: providers.Output{
				FinishReason: "RECITATION", Model: "m", ID: "scenario",
				Usage: providers.Usage{Set: true, Prompt: 2, Total: 2},
			},
		},
		{
			Name: "plain tool calls", In: plainIn,
			Out: providers.Output{ToolCalls: []providers.ToolCall{weather, clock}, Usage: reported, FinishReason: "tool_calls"},
			Want: providers.Output{
				ToolCalls: []providers.ToolCall{weather, clock}, FinishReason: "STOP",
				Model: "m", ID: "scenario", Usage: reported,
			},
		},
		{
			Name: "stream", In: streamIn,
			Out: providers.Output{Content: "one two  three", Latency: time.Second, ChunkDelay: 250 * time.Millisecond},
			Want: providers.Output{
				Content: "one two  three", Chunks: []string{"one ", "two  ", "three"}, FinishReason: "STOP", Model: "m",
				ID: "scenario", Usage: providers.Usage{Set: true, Prompt: 2, Completion: 4, Total: 6},
			},
		},
		{
			Name: "stream of given chunks", In: streamIn,
			Out: providers.Output{Chunks: []string{"λ", "", "⁻⁴ 🌈\n", " e"}, Reasoning: "why", Usage: reported, FinishReason: "content_filter"},
			Want: providers.Output{
				Content: "λ⁻⁴ 🌈\n e", Chunks: []string{"λ", "⁻⁴ 🌈\n", " e"}, Reasoning: "why", FinishReason: "SAFETY",
				Model: "m", ID: "scenario", Usage: reported,
			},
		},
		{
			Name: "stream of tool calls", In: streamIn,
			Out: providers.Output{Content: "so: ", ToolCalls: []providers.ToolCall{weather, clock}, Usage: reported},
			Want: providers.Output{
				Content: "so: ", Chunks: []string{"so: "}, ToolCalls: []providers.ToolCall{weather, clock},
				FinishReason: "STOP", Model: "m", ID: "scenario", Usage: reported,
			},
		},
		{
			Name: "stream without content", In: streamIn,
			Out:  providers.Output{Usage: reported, FinishReason: "stop"},
			Want: providers.Output{FinishReason: "STOP", Model: "m", ID: "scenario", Usage: reported},
		},
	}})
}

// Shows that nothing a server may send makes the adapter panic or hang, or
// pass for a complete answer that is none.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "null", "{}", "[]", "not valid json",
		`{"candidates":[{"content":{"parts":[{"text":"x"},{"functionCall":{"name":"f"}}],"role":"model"},"finishReason":"STOP"}]}`,
		`{"error":{"code":503,"message":"m","status":"UNAVAILABLE","details":[7]}}`, `[{"error":{"code":"x"}}]`,
		`{"promptFeedback":{"blockReason":"SAFETY"}}`, `{"candidates":[null,{"content":null}]}`,
		delta + final, strings.ReplaceAll(delta+final, "\n", "\r\n"),
		`data: {"error":{"code":429,"details":[{"retryDelay":"3.5s"}]}}` + "\n\n",
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
		adaptertest.Arbitrary(t, gemini.Adapter{}, in, data, media, cut, end)
	})
}
