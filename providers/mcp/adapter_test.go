package mcp_test

import (
	"testing"
	"time"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/mcp"
)

// ask is an input that sends a message inside a session.
func ask(rpc providers.RPC) providers.Input {
	rpc.ID = "ask/1"
	return providers.Input{
		BaseURL: "https://tools.example.com/mcp", RPC: rpc,
		Session: providers.Session{ID: "session-1", Version: mcp.Versions()[0]},
	}
}

func streamed(in providers.Input) providers.Input {
	in.Stream = true
	return in
}

func piped(in providers.Input) providers.Input {
	in.Pipe, in.BaseURL = true, "stdio://tools/"
	return in
}

var call = ask(mcp.CallTool("search", map[string]any{"q": "sky"}))

// Shows that what the adapter renders it reads back, in one piece, as events
// and as lines of a pipe, and that no answer that was cut is a success.
func TestAdapter(t *testing.T) {
	two := []providers.Progress{{Progress: 1, Total: 2, Message: "looked"}, {Progress: 2, Total: 2}}
	structured := []byte(`{"hits":[1,2]}`)
	adaptertest.Run(t, adaptertest.Suite{Adapter: mcp.Adapter{}, Replies: []adaptertest.Reply{
		{
			Name: "tool", In: call,
			Out:  providers.Output{Content: "12 results λ 🌈\n<b>", Latency: time.Second},
			Want: providers.Output{Content: "12 results λ 🌈\n<b>"},
		},
		{
			Name: "tool over a pipe", In: piped(call),
			Out:  providers.Output{Content: "12 results", Latency: time.Second},
			Want: providers.Output{Content: "12 results"},
		},
		{
			Name: "structured", In: call,
			Out:  providers.Output{Structured: structured},
			Want: providers.Output{Content: string(structured), Structured: structured},
		},
		{
			Name: "resource", In: ask(mcp.ReadResource("file:///a")),
			Out:  providers.Output{Content: "text"},
			Want: providers.Output{Content: "text"},
		},
		{
			Name: "prompt", In: ask(mcp.GetPrompt("greet", map[string]any{"name": "Ann"})),
			Out:  providers.Output{Content: "Greet Ann."},
			Want: providers.Output{Content: "Greet Ann."},
		},
		{
			Name: "tools", In: ask(mcp.ListTools("")),
			Out: providers.Output{Result: []byte(`{"tools":[{"name":"search","inputSchema":{"type":"object"}},{"name":"add","description":"Adds.","inputSchema":{}}]}`)},
			Want: providers.Output{
				Content:    "search\nadd",
				Structured: []byte(`[{"name":"search","description":"","parameters":{"type":"object"}},{"name":"add","description":"Adds.","parameters":{}}]`),
			},
		},
		{
			Name: "events", In: streamed(call),
			Out:  providers.Output{Content: "done", Progress: two, Latency: time.Second, ChunkDelay: time.Minute},
			Want: providers.Output{Content: "done", Chunks: []string{"looked", ""}, Progress: two},
		},
		{
			Name: "events of each word", In: streamed(call),
			Out:  providers.Output{Content: "two words", ChunkDelay: time.Minute},
			Want: providers.Output{Content: "two words", Chunks: []string{"", ""}, Progress: []providers.Progress{{Progress: 1, Total: 2}, {Progress: 2, Total: 2}}},
		},
		{
			Name: "lines", In: streamed(piped(call)),
			Out:  providers.Output{Content: "done", Progress: two, ChunkDelay: time.Minute},
			Want: providers.Output{Content: "done", Chunks: []string{"looked", ""}, Progress: two},
		},
	}})
}

// Shows that nothing a server may send makes the adapter panic or hang, or
// pass for a complete answer that is none.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "{}", `{"jsonrpc":"2.0","id":"ask/1","result":{"content":[{"type":"text","text":"a"}]}}`,
		`{"jsonrpc":"2.0","id":"ask/2","result":{}}`, `{"jsonrpc":"2.0","error":{"code":-32603,"message":"m"}}`,
		"data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"ask/1\",\"progress\":1}}\n\n",
		"{\"jsonrpc\":\"2.0\",\"id\":\"ask/1\",\"result\":{\"isError\":true}}\n",
	} {
		for i, media := range []string{"application/json", "text/event-stream", "application/x-ndjson"} {
			f.Add([]byte(seed), i == 1, media, uint16(3), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, stream bool, media string, cut uint16, end uint8) {
		in := call
		in.Stream = stream
		adaptertest.Arbitrary(t, mcp.Adapter{}, in, data, media, cut, end)
	})
}
