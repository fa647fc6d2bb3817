package conformance

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// query is what the tool search is asked.
type query struct {
	Query string `json:"query"`
}

type hits struct {
	Hits []string `json:"hits"`
}

// notes is a server of the official library with a tool of each behaviour. What
// is sent to left is the end of the context of a call that nobody waits for.
func notes(left chan<- error) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "notes", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "search", Description: "Searches the notes."}, func(_ context.Context, _ *mcp.CallToolRequest, q query) (*mcp.CallToolResult, hits, error) {
		return nil, hits{[]string{q.Query + ".md"}}, nil
	})
	plain := func(name string, call func(context.Context, *mcp.CallToolRequest) (string, bool)) {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			text, failed := call(ctx, r)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, IsError: failed}, nil
		})
	}
	plain("fail", func(context.Context, *mcp.CallToolRequest) (string, bool) { return "index is being rebuilt", true })
	plain("slow", func(ctx context.Context, r *mcp.CallToolRequest) (string, bool) {
		for i := range 3 {
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i + 1), Total: 3, Message: "reading"})
		}
		return "read", false
	})
	plain("ping", func(ctx context.Context, r *mcp.CallToolRequest) (string, bool) {
		err := r.Session.Ping(ctx, nil)
		return "the client is there", err != nil
	})
	plain("hang", func(ctx context.Context, _ *mcp.CallToolRequest) (string, bool) {
		select {
		case <-ctx.Done():
			left <- ctx.Err()
		case <-time.After(time.Minute):
			left <- nil
		}
		return "", true
	})
	s.AddResource(&mcp.Resource{URI: "file:///a.txt", Name: "a"}, func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: "buy milk"}}}, nil
	})
	s.AddPrompt(&mcp.Prompt{Name: "greet", Arguments: []*mcp.PromptArgument{{Name: "name"}}}, func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "Greet " + r.Params.Arguments["name"] + "."}}}}, nil
	})
	return s
}

// everything is a scenario with each operation, recorded and replayed.
const everything = `
variable "url" {}
variable "version" {}
provider "mcp" "notes" {
  base_url         = var.url
  protocol_version = var.version
}

workflow "all" {
  provider       = provider.notes
  max_concurrent = 1
  on_failure     = "continue"
  step "mcp" "offered" { list = "tools" }
  step "mcp" "search" {
    tool      = "search"
    arguments = { query = "sky" }
  }
  step "mcp" "notes" { resource = "file:///a.txt" }
  step "mcp" "greeting" {
    prompt    = "greet"
    arguments = { name = "Ann" }
  }
  step "mcp" "fail" { tool = "fail" }
  step "mcp" "invented" { tool = "no_such_tool" }
  step "mcp" "missing" { resource = "file:///b.txt" }
  step "mcp" "misused" {
    tool      = "search"
    arguments = { query = 5 }
  }
  STREAMED
}

scenario "everything" {
  run = workflow.all
  cassette { path = "notes.yaml" }

  expect "run" { status = "partial" }
  expect "search" {
    structured = { hits = ["sky.md"] }
    content    = "{\"hits\":[\"sky.md\"]}"
  }
  expect "notes" { content = "buy milk" }
  expect "greeting" { content = "Greet Ann." }
  expect "fail" {
    is_error = true
    error    = { kind = "tool_error", message = "index is being rebuilt" }
  }
  expect "invented" { error = { kind = "tool_not_found" } }
  expect "missing" { error = { kind = "protocol_error" } }
  expect "misused" { status = "failed" }
  assert "every tool is listed with its schema" {
    condition = contains(split("\n", step.offered.content), "search") && alltrue([for t in step.offered.tools : t.parameters.type == "object"])
  }
  assert "one session" {
    condition = [for e in events({ type = "message", method = "initialize" }) : [e.server, e.protocol_version]] == [["notes", var.version]]
  }
}
`

const streamedSteps = `
  step "mcp" "slow" {
    tool   = "slow"
    stream = true
  }
  step "mcp" "ping" { tool = "ping" }
`

const streamedExpectations = `
scenario "in a stream" {
  run = workflow.all
  cassette { path = "notes.yaml" }
  expect "run" { status = "partial" }
  expect "slow" {
    content  = "read"
    progress = [for n in [1, 2, 3] : { progress = n, total = 3, message = "reading" }]
  }
  expect "ping" { content = "the client is there" }
  assert "the ping was answered" {
    condition = length(events({ type = "message", method = "ping" })) == 2
  }
}
`

// Shows that every operation works with a server of the official library, in
// every revision, in one piece and in streams, and that what was recorded of it
// replays without the server.
func TestOfficialServer(t *testing.T) {
	for _, version := range []string{"2025-03-26", "2025-06-18", "2025-11-25"} {
		for _, inOnePiece := range []bool{true, false} {
			name := version + " in a stream"
			file := strings.Replace(everything, "STREAMED", streamedSteps, 1) + streamedExpectations
			if inOnePiece {
				name = version + " in one piece"
				file = strings.Replace(everything, "STREAMED", "", 1)
			}
			t.Run(name, func(t *testing.T) {
				server := notes(nil)
				routes := http.NewServeMux()
				routes.Handle("/mcp/", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{JSONResponse: inOnePiece}))
				routes.Handle("/mcp", http.RedirectHandler("/mcp/", http.StatusTemporaryRedirect)) // as many frameworks do
				peer := httptest.NewServer(routes)
				dir := t.TempDir()
				write(t, dir, "all.scenario.hcl", file)
				vars := []string{"--var", "url=" + peer.URL + "/mcp", "--var", "version=" + version}
				run(t, dir, append([]string{"record", "all.scenario.hcl"}, vars...), " 0 failed")
				peer.Close()
				run(t, dir, append([]string{"test", "-v"}, vars...), " 0 failed")
				recorded, err := os.ReadFile(filepath.Join(dir, "notes.yaml"))
				for _, text := range []string{"step: provider.notes", "Mcp-Session-Id:\n            - <REDACTED:"} {
					if !strings.Contains(string(recorded), text) {
						t.Errorf("the recording lacks %q: %v", text, err)
					}
				}
			})
		}
	}
}

// Shows that a server hears that nobody waits any more, once the deadline of an
// attempt has struck.
func TestOfficialServerHearsCancellation(t *testing.T) {
	left := make(chan error, 1)
	server := notes(left)
	peer := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	defer peer.Close()
	dir := t.TempDir()
	write(t, dir, "hang.scenario.hcl", `
variable "url" {}
provider "mcp" "notes" { base_url = var.url }
workflow "w" {
  provider = provider.notes
  step "mcp" "hang" {
    tool            = "hang"
    attempt_timeout = "500ms"
  }
}
scenario "s" {
  run = workflow.w
  expect "hang" { error = { kind = "timeout" } }
  expect "run" { status = "failed" }
}
`)
	run(t, dir, []string{"run", "--var", "url=" + peer.URL + "/mcp"}, "1 passed")
	if err := <-left; err == nil {
		t.Error("the tool was never told")
	}
}

// Shows that a part of what was recorded can be recorded again, and what is
// missing added: what is dialled has a session of its own, and the whole replays.
func TestOfficialServerInParts(t *testing.T) {
	server := notes(nil)
	peer := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	dir := t.TempDir()
	file := `
variable "url" {}
provider "mcp" "notes" { base_url = var.url }
workflow "w" {
  provider = provider.notes
  step "mcp" "search" {
    tool      = "search"
    arguments = { query = "sky" }
  }
  step "mcp" "notes" { resource = "file:///a.txt" }
  LATER
}
scenario "s" {
  run = workflow.w
  cassette { path = "notes.yaml" }
  expect "search" { structured = { hits = ["sky.md"] } }
  expect "notes" { content = "buy milk" }
}
`
	write(t, dir, "s.scenario.hcl", strings.Replace(file, "LATER", "", 1))
	vars := []string{"s.scenario.hcl", "--var", "url=" + peer.URL + "/mcp"}
	run(t, dir, append([]string{"record"}, vars...), "1 passed")
	run(t, dir, append([]string{"record", "--step", "notes"}, vars...), "1 passed")
	run(t, dir, append([]string{"test"}, vars...), "1 passed")
	write(t, dir, "s.scenario.hcl", strings.Replace(file, "LATER", `step "mcp" "greeting" { prompt = "greet" }`, 1))
	run(t, dir, append([]string{"record", "--missing"}, vars...), "1 passed")
	peer.Close()
	run(t, dir, append([]string{"test"}, vars...), "1 passed")
}
