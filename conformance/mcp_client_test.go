package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/providers"
	adapter "github.com/scenario-lang/scenario/providers/mcp"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

// dial is a session of the official client with a peer.
func dial(t *testing.T, p *peer, reports chan<- string) *mcp.ClientSession {
	t.Helper()
	listen(t, p)
	c := mcp.NewClient(&mcp.Implementation{Name: "theirs", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			reports <- fmt.Sprintf("%v of %v %s", r.Params.Progress, r.Params.Total, r.Params.Message)
		},
	})
	s, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: p.url, MaxRetries: -1, DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// replies is a peer that answers every call with out.
func replies(stream bool, out providers.Output) *peer {
	return &peer{stream: stream, answer: func(in providers.Input) wire.WireScript {
		return adapter.Adapter{}.Render(in, out).Script(wire.Meta{})
	}}
}

// Shows that the official client understands every answer that we render, in
// one piece and in streams.
func TestOfficialClient(t *testing.T) {
	for _, stream := range []bool{false, true} {
		t.Run(fmt.Sprintf("stream %t", stream), func(t *testing.T) {
			t.Run("a tool", func(t *testing.T) {
				s := dial(t, replies(stream, providers.Output{Content: "2 results λ", Structured: []byte(`{"hits":[1,2]}`)}), make(chan string, 9))
				r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "search", Arguments: map[string]any{"q": "sky"}})
				if err != nil {
					t.Fatal(err)
				}
				if text, ok := r.Content[0].(*mcp.TextContent); !ok || text.Text != "2 results λ" || r.IsError || fmt.Sprint(r.StructuredContent) != "map[hits:[1 2]]" {
					t.Errorf("read %+v, %v", r.Content[0], r.StructuredContent)
				}
			})
			t.Run("a resource", func(t *testing.T) {
				s := dial(t, replies(stream, providers.Output{Content: "buy milk"}), make(chan string, 9))
				r, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "file:///a.txt"})
				if err != nil || r.Contents[0].Text != "buy milk" || r.Contents[0].URI != "file:///a.txt" {
					t.Errorf("read %+v, %v", r, err)
				}
			})
			t.Run("a prompt", func(t *testing.T) {
				s := dial(t, replies(stream, providers.Output{Content: "Greet Ann."}), make(chan string, 9))
				r, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "greet"})
				if err != nil || r.Messages[0].Role != "user" || r.Messages[0].Content.(*mcp.TextContent).Text != "Greet Ann." {
					t.Errorf("read %+v, %v", r, err)
				}
			})
			t.Run("a list", func(t *testing.T) {
				s := dial(t, replies(stream, providers.Output{Result: []byte(`{"tools":[{"name":"search","inputSchema":{"type":"object"}}]}`)}), make(chan string, 9))
				r, err := s.ListTools(t.Context(), nil)
				if err != nil || len(r.Tools) != 1 || r.Tools[0].Name != "search" {
					t.Errorf("read %+v, %v", r, err)
				}
			})
		})
	}
	t.Run("progress", func(t *testing.T) {
		reports := make(chan string, 9)
		s := dial(t, replies(true, providers.Output{Content: "done", Progress: []providers.Progress{{Progress: 1, Total: 2, Message: "reading"}}}), reports)
		params := &mcp.CallToolParams{Name: "index"}
		params.SetProgressToken("theirs")
		if _, err := s.CallTool(t.Context(), params); err != nil {
			t.Fatal(err)
		}
		if got := <-reports; got != "1 of 2 reading" {
			t.Errorf("heard %q", got)
		}
	})
}

// Shows what the official client makes of every fault that strikes servers:
// none but an answer that comes slowly or late is a success.
func TestOfficialClientMeetsFaults(t *testing.T) {
	silent := []string{"timeout", "hang", "id_mismatch"} // the client waits until its own deadline
	for _, k := range faults.Kinds() {
		for _, stream := range []bool{false, true} {
			fits := slices.ContainsFunc(k.For, func(where string) bool {
				return where == "mcp" || where == "mcp http" || where == "mcp tool" || stream && where == "stream"
			})
			if !fits {
				continue
			}
			t.Run(fmt.Sprintf("%s stream %t", k.Name, stream), func(t *testing.T) {
				args := schema.Values{}
				if k.Name == "slow_stream" {
					args["chunk_delay"] = time.Millisecond
				}
				if k.Name == "delay" {
					args["by"] = time.Millisecond
				}
				p := &peer{stream: stream, answer: func(in providers.Input) wire.WireScript {
					script, err := k.Script(faults.Strike{
						Args: args, Stream: in.Stream, Host: "127.0.0.1:80", Path: "/mcp",
						Vendor: providers.Vendor{Adapter: adapter.Adapter{}, In: in},
					})
					if err != nil {
						t.Error(err)
					}
					return script
				}}
				s := dial(t, p, make(chan string, 99))
				ctx := t.Context()
				if slices.Contains(silent, k.Name) {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, 200*time.Millisecond)
					defer cancel()
				}
				r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "search"})
				if k.Lies { // no client can tell
					if err != nil || r.IsError {
						t.Errorf("%+v, %v", r, err)
					}
					return
				}
				observed(t, k.Name, r, err)
			})
		}
	}
}

// observed holds what the client met to the fault.
func observed(t *testing.T, kind string, r *mcp.CallToolResult, err error) {
	t.Helper()
	var said *jsonrpc.Error
	switch kind {
	case "slow_stream", "delay":
		if err != nil {
			t.Errorf("failed: %v", err)
		}
	case "tool_error":
		if err != nil || !r.IsError || r.Content[0].(*mcp.TextContent).Text != "the tool failed" {
			t.Errorf("%+v, %v", r, err)
		}
	case "protocol_error":
		if !errors.As(err, &said) || said.Code != -32603 || said.Message != "Internal error" {
			t.Errorf("%v", err)
		}
	case "session_expired":
		if !errors.Is(err, mcp.ErrSessionMissing) {
			t.Errorf("%v", err)
		}
	default:
		if err == nil {
			t.Errorf("a success: %+v", r)
		}
	}
}
