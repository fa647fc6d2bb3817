package mcp_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/mcp"
	"github.com/scenario-lang/scenario/wire"
)

func answered(status int, media, body string) wire.WireScript {
	return wire.Response{
		Status: status, Header: []wire.Field{{Name: "Content-Type", Value: media}, {Name: "Mcp-Session-Id", Value: "s-1"}},
		Parts: []wire.Part{{Data: []byte(body)}},
	}.Script(wire.Meta{})
}

// Shows what each answer that a server may give is observed as, with the words that tell why.
func TestParse(t *testing.T) {
	const json, events = "application/json", "text/event-stream"
	resource := ask(mcp.ReadResource("file:///a"))
	before := call
	before.Session = providers.Session{}
	for _, c := range []struct {
		name    string
		in      providers.Input
		script  wire.WireScript
		kind    failure.Kind
		says    string
		content string
	}{
		{"texts, an embedded resource, a link, an image", call, answered(200, json, `{"jsonrpc":"2.0","id":"ask/1","result":{"content":[{"type":"text","text":"a"},{"type":"resource","resource":{"uri":"file:///b","text":"b"}},{"type":"resource_link","uri":"file:///c","name":"c"},{"type":"image","data":"aGk=","mimeType":"image/png"}]}}`), "", "", "a\nb\nfile:///c"},
		{"an empty result", call, answered(200, json, `{"jsonrpc":"2.0","id":"ask/1","result":{}}`), "", "", ""},
		{"a failed tool", call, answered(200, json, `{"jsonrpc":"2.0","id":"ask/1","result":{"content":[{"type":"text","text":"no"}],"isError":true}}`), failure.ToolError, "no", "no"},
		{"a failed tool without words", call, answered(200, json, `{"jsonrpc":"2.0","id":"ask/1","result":{"isError":true}}`), failure.ToolError, "said nothing", ""},
		{"isError is a tool's word", resource, answered(200, json, `{"jsonrpc":"2.0","id":"ask/1","result":{"contents":[{"uri":"file:///a","text":"a"}],"isError":true}}`), "", "", "a"},
		{"an error", call, answered(200, json, `{"jsonrpc":"2.0","id":"ask/1","error":{"code":-32603,"message":"m"}}`), failure.ProtocolError, "JSON-RPC error -32603: m", ""},
		{"an error about nothing in particular", call, answered(200, json, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}`), failure.ProtocolError, "-32700", ""},
		{"an unknown tool", call, answered(200, json, `{"jsonrpc":"2.0","id":"ask/1","error":{"code":-32602,"message":"Unknown tool: search"}}`), failure.ToolNotFound, "Unknown tool", ""},
		{"a tool that is not found", call, answered(200, json, `{"jsonrpc":"2.0","id":"ask/1","error":{"code":-32602,"message":"tool 'search' not found"}}`), failure.ToolNotFound, "not found", ""},
		{"wrong arguments of a tool", call, answered(200, json, `{"jsonrpc":"2.0","id":"ask/1","error":{"code":-32602,"message":"tool search: q is no string"}}`), failure.ProtocolError, "no string", ""},
		{"an unknown resource", resource, answered(200, json, `{"jsonrpc":"2.0","id":"ask/1","error":{"code":-32602,"message":"Unknown tool of resource"}}`), failure.ProtocolError, "", ""},
		{"another id", call, answered(200, json, `{"jsonrpc":"2.0","id":"ask/2","result":{}}`), failure.ProtocolError, `"ask/2", and "ask/1" was sent`, ""},
		{"an id of another type", call, answered(200, json, `{"jsonrpc":"2.0","id":1,"result":{}}`), failure.ProtocolError, `the request 1,`, ""},
		{"no id", call, answered(200, json, `{"jsonrpc":"2.0","result":{}}`), failure.ProtocolError, "without an id", ""},
		{"another id in a stream", call, answered(200, events, "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n"), failure.ProtocolError, "7", ""},
		{"no version", call, answered(200, json, `{"id":"ask/1","result":{}}`), failure.MalformedResponse, "JSON-RPC 2.0", ""},
		{"nothing said", call, answered(200, json, `{"jsonrpc":"2.0","id":"ask/1"}`), failure.MalformedResponse, "without a method, a result and an error", ""},
		{"a batch", call, answered(200, json, `[]`), failure.MalformedResponse, "no JSON-RPC message", ""},
		{"a request in the place of an answer", call, answered(200, json, `{"jsonrpc":"2.0","id":1,"method":"ping"}`), failure.MalformedResponse, `"ping"`, ""},
		{"a result that is no object", call, answered(200, json, `{"jsonrpc":"2.0","id":"ask/1","result":[1]}`), failure.MalformedResponse, "no object", ""},
		{"a list of something else", ask(mcp.ListTools("")), answered(200, json, `{"jsonrpc":"2.0","id":"ask/1","result":{"tools":[{}]}}`), failure.MalformedResponse, "no name", ""},
		{"an empty body", call, answered(200, json, ""), failure.MalformedResponse, "empty", ""},
		{"a page", call, answered(200, "text/html", "<p>"), failure.MalformedResponse, "text/html", ""},
		{"accepted and never answered", call, answered(202, "", ""), failure.ProtocolError, "no answer", ""},
		{"a session that is gone", call, answered(404, json, `{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"}}`), failure.SessionExpired, "Session not found", ""},
		{"nothing there, outside a session", before, answered(404, "text/plain", "nope"), failure.HTTPStatus, "nope", ""},
		{"too many", call, answered(429, "text/plain", "slow"), failure.RateLimit, "slow", ""},
		{"a stream without an answer", call, answered(200, events, "id: 1\ndata:\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\n"), failure.StreamIncomplete, "before the answer", ""},
		{"a stream that is primed, with an answer and more", call, answered(200, events, "id: 1\ndata:\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"ask/1\",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}}\n\ndata: garbage\n\n"), "", "", "a"},
		{"a line that is cut", piped(call), answered(200, "application/x-ndjson", `{"jsonrpc":"2.0","id":"ask/1","result":{}}`), failure.StreamIncomplete, "", ""},
		{"progress that is none", call, answered(200, events, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":7}\n\n"), failure.MalformedResponse, "progress", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := adaptertest.Play(mcp.Adapter{}, c.in, c.script)
			if err != nil {
				t.Fatal(err)
			}
			f := p.Failed
			if f == nil {
				f = &failure.Failure{}
			}
			if f.Kind != c.kind || !strings.Contains(f.Message, c.says) || p.Out.Content != c.content {
				t.Errorf("got %q %q with %q, want %q %q with %q", f.Kind, f.Message, p.Out.Content, c.kind, c.says, c.content)
			}
			if p.Unclosed {
				t.Error("the body was left open")
			}
		})
	}
}

// Shows the requests of a session: what the handshake asks for, and what every
// later request says of it, by revision.
func TestRequests(t *testing.T) {
	a := mcp.Adapter{}
	start := providers.Input{
		BaseURL: "https://tools.example.com/mcp", APIKey: "key", Headers: map[string]string{"X-A": "1"},
		RPC: providers.RPC{ID: "initialize/1"}, Session: providers.Session{Version: "2025-06-18"},
	}
	said := func(in providers.Input) (map[string]any, map[string]string) {
		req, err := a.Request(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(body, &m); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		h := map[string]string{}
		for name := range req.Header {
			h[strings.ToLower(name)] = req.Header.Get(name)
		}
		return m, h
	}
	fields := func(more map[string]string) map[string]string {
		h := map[string]string{"accept": "application/json, text/event-stream", "content-type": "application/json", "authorization": "Bearer key", "x-a": "1"}
		for name, value := range more {
			h[name] = value
		}
		return h
	}
	opened := start
	opened.Session = providers.Session{ID: "s-1", Version: "2025-06-18"}
	older := opened
	older.Session.Version = "2025-03-26"
	older.RPC = mcp.CallTool("search", nil)
	older.RPC.ID, older.Stream = "ask/1", true
	for _, c := range []struct {
		in   providers.Input
		body string
		more map[string]string
	}{
		{a.Hello(start), `{"jsonrpc":"2.0","id":"initialize/1","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"scenario","version":"1"}}}`, nil},
		{a.Ready(opened), `{"jsonrpc":"2.0","method":"notifications/initialized"}`, map[string]string{"mcp-session-id": "s-1", "mcp-protocol-version": "2025-06-18"}},
		{older, `{"jsonrpc":"2.0","id":"ask/1","method":"tools/call","params":{"name":"search","arguments":{},"_meta":{"progressToken":"ask/1"}}}`, map[string]string{"mcp-session-id": "s-1"}},
		{a.Cancel(older), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"ask/1","reason":"nobody waits for the answer any longer"}}`, map[string]string{"mcp-session-id": "s-1"}},
		{a.Answer(opened, providers.Incoming{ID: []byte("7"), Method: "ping"}), `{"jsonrpc":"2.0","id":7,"result":{}}`, map[string]string{"mcp-session-id": "s-1", "mcp-protocol-version": "2025-06-18"}},
		{a.Answer(opened, providers.Incoming{ID: []byte(`"x"`), Method: "roots/list"}), `{"jsonrpc":"2.0","id":"x","error":{"code":-32601,"message":"Method not found: roots/list"}}`, map[string]string{"mcp-session-id": "s-1", "mcp-protocol-version": "2025-06-18"}},
	} {
		var want map[string]any
		if err := json.Unmarshal([]byte(c.body), &want); err != nil {
			t.Fatal(err)
		}
		body, header := said(c.in)
		if diff := cmp.Diff(want, body) + cmp.Diff(fields(c.more), header); diff != "" {
			t.Errorf("%s: %s", c.body, diff)
		}
	}
}

// Shows what the answer to a handshake comes to: the session, or that the two
// do not understand each other.
func TestHandshake(t *testing.T) {
	in := mcp.Adapter{}.Hello(providers.Input{BaseURL: "https://h/mcp", RPC: providers.RPC{ID: "initialize/1"}})
	for _, c := range []struct {
		body string
		want providers.Session
		kind failure.Kind
	}{
		{`{"jsonrpc":"2.0","id":"initialize/1","result":{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"notes","version":"1"}}}`, providers.Session{ID: "s-1", Version: "2025-03-26", Server: "notes"}, ""},
		{`{"jsonrpc":"2.0","id":"initialize/1","result":{"protocolVersion":"1999-01-01"}}`, providers.Session{}, failure.ProtocolError},
		{`{"jsonrpc":"2.0","id":"initialize/1","result":{}}`, providers.Session{}, failure.MalformedResponse},
		{`{"jsonrpc":"2.0","id":"initialize/1","error":{"code":-32602,"message":"Unsupported protocol version"}}`, providers.Session{}, failure.ProtocolError},
	} {
		p, err := adaptertest.Play(mcp.Adapter{}, in, answered(200, "application/json", c.body))
		if err != nil {
			t.Fatal(err)
		}
		var kind failure.Kind
		if p.Failed != nil {
			kind = p.Failed.Kind
		}
		if p.Out.Session != c.want || kind != c.kind {
			t.Errorf("%s: %+v, %s", c.body, p.Out.Session, kind)
		}
	}
}
