package mcp_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/mcp"
)

// Shows that messages are read as the protocol has them
// (https://modelcontextprotocol.io/specification/2025-11-25/basic, for the
// handshake …/basic/lifecycle, for progress …/basic/utilities/progress), and
// that what cannot be understood is said with its place.
func TestRead(t *testing.T) {
	version := providers.Session{Version: "2025-11-25"}
	adaptertest.Requests(t, mcp.Adapter{}, []adaptertest.Request{
		{
			Name: "a call, as libraries number it",
			Body: `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"n":12345678901234567890}}}`,
			Want: providers.Input{RPC: providers.RPC{ID: "2", RawID: []byte("2"), Method: "tools/call", Params: map[string]any{"name": "search", "arguments": map[string]any{"n": uint64(12345678901234567890)}}}},
		},
		{
			Name: "a call that wants to hear of its progress", Path: "/",
			Body: `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"_meta":{"progressToken":7},"name":"search"}}`,
			Want: providers.Input{Stream: true, RPC: providers.RPC{ID: "a", Method: "tools/call", Params: map[string]any{"_meta": map[string]any{"progressToken": 7}, "name": "search"}}},
		},
		{
			Name: "by its own id",
			Body: `{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"_meta":{"progressToken":"a"}}}`,
			Want: providers.Input{Stream: true, RPC: providers.RPC{ID: "a", Method: "tools/list"}},
		},
		{
			Name: "and more that is meta",
			Body: `{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"_meta":{"progressToken":"a","traceparent":"00"}}}`,
			Want: providers.Input{Stream: true, RPC: providers.RPC{ID: "a", Method: "tools/list", Params: map[string]any{"_meta": map[string]any{"progressToken": "a", "traceparent": "00"}}}},
		},
		{
			Name: "a handshake",
			Body: `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`,
			Want: providers.Input{Session: providers.Session{Version: "2025-06-18"}, RPC: providers.RPC{ID: "0", RawID: []byte("0"), Method: "initialize", Params: map[string]any{
				"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "c", "version": "1"},
			}}},
		},
		{
			Name: "a handshake in a version that is not spoken",
			Body: `{"jsonrpc":"2.0","id":"","method":"initialize","params":{"protocolVersion":"1999-01-01"}}`,
			Want: providers.Input{Session: version, RPC: providers.RPC{ID: `""`, RawID: []byte(`""`), Method: "initialize", Params: map[string]any{"protocolVersion": "1999-01-01"}}},
		},
		{Name: "a notification", Body: ` {"method":"notifications/initialized","jsonrpc":"2.0","params":null}`, Want: providers.Input{RPC: providers.RPC{Method: "notifications/initialized"}}},
		{Name: "an answer to the server", Body: `{"jsonrpc":"2.0","id":1,"result":{}}`, Want: providers.Input{RPC: providers.RPC{Raw: []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`)}}},
		{Name: "a refusal of the server's request", Body: `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`, Want: providers.Input{RPC: providers.RPC{Raw: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`)}}},
		{Name: "empty", Err: "the body is empty, and must be a JSON-RPC message"},
		{Name: "no JSON", Body: "{", Err: "the body is not a JSON-RPC message: unexpected end of JSON input"},
		{Name: "null", Body: "null", Err: "the body is not a JSON-RPC message: it is no JSON object"},
		{Name: "a batch", Body: `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, Err: "the body is a list: batches of messages are not spoken"},
		{Name: "another version", Body: `{"jsonrpc":"1.0","id":1,"method":"ping"}`, Err: `jsonrpc is "1.0", and must be "2.0"`},
		{Name: "no version", Body: `{"id":1,"method":"ping"}`, Err: `jsonrpc is "", and must be "2.0"`},
		{Name: "nothing in it", Body: `{"jsonrpc":"2.0","id":1,"Method":"ping"}`, Err: "method is missing, and so are the result and the error of an answer"},
		{Name: "a method of another kind", Body: `{"jsonrpc":"2.0","id":1,"method":7}`, Err: `method is 7, and must be a string`},
		{Name: "an id of another kind", Body: `{"jsonrpc":"2.0","id":null,"method":"ping"}`, Err: `id is null, and must be a string or a number`},
		{Name: "params of another kind", Body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}`, Err: `params are [1], and must be an object`},
	})
}

// Shows which requests are of the transport (…/basic/transports), and that those
// without a message are read as what they are.
func TestClaims(t *testing.T) {
	const session, version, accept = "Mcp-Session-Id", "Mcp-Protocol-Version", "Accept"
	for _, c := range []struct {
		method, path, header string
		want                 bool
	}{
		{"POST", "", "", true},
		{"POST", "/", "", true},
		{"POST", "/x", "", false},
		{"PUT", "", session, false},
		{"GET", "", session, true},
		{"GET", "", version, true},
		{"GET", "", accept, true},
		{"GET", "", "", false},
		{"DELETE", "", session, true},
		{"DELETE", "/x", session, false},
	} {
		req := adaptertest.NewRequest(c.method, c.path)
		if c.header != "" {
			req.Header.Set(c.header, "text/event-stream")
		}
		if got := (mcp.Adapter{}).Claims(req); got != c.want {
			t.Errorf("%s %q with %q: claimed %t", c.method, c.path, c.header, got)
		}
		if in, err := (mcp.Adapter{}).Read(req, nil); c.want && c.method != "POST" && (err != nil || in.Method != c.method || in.RPC.Method != "") {
			t.Errorf("%s: read %v, %s", c.method, err, adaptertest.Asked(in))
		}
	}
	other := adaptertest.NewRequest("POST", "")
	other.Header = http.Header{"Content-Type": {"text/plain"}}
	if (mcp.Adapter{}).Claims(other) {
		t.Error("a POST of text is claimed")
	}
}

// Shows that the messages which open and close a session, and those that answer
// the server, are read as what they were written from.
func TestReadSession(t *testing.T) {
	a := mcp.Adapter{}
	in := providers.Input{BaseURL: "https://mcp.example.com/mcp", Session: providers.Session{ID: "s", Version: "2025-06-18"}, RPC: providers.RPC{ID: "call/1", Method: "tools/call"}}
	req, body, err := adaptertest.Written(a, a.Hello(in), "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := a.Read(req, body)
	if err != nil {
		t.Fatal(err)
	}
	want := providers.Input{Session: providers.Session{Version: "2025-06-18"}, RPC: providers.RPC{ID: "call/1", Method: "initialize", Params: map[string]any{
		"capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "scenario", "version": "1"}, "protocolVersion": "2025-06-18",
	}}}
	if adaptertest.Asked(got) != adaptertest.Asked(want) {
		t.Errorf("read\n%s\nwant\n%s", adaptertest.Asked(got), adaptertest.Asked(want))
	}
	answer := a.Answer(in, providers.Incoming{ID: []byte("1"), Method: "ping"})
	answered := answer
	answered.RPC = providers.RPC{Raw: []byte(`{"jsonrpc":"2.0","id":1,"result":{}}`)}
	for _, c := range []struct{ in, want providers.Input }{
		{a.Ready(in), a.Ready(in)}, {a.Cancel(in), a.Cancel(in)}, {answer, answered},
	} {
		adaptertest.ReadBack(t, a, c.in, c.want, "")
	}
}

// Shows that nothing a client may send makes the reader panic, and that what it
// reads it can write.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "null", "[]", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":1}}}`,
		`{"jsonrpc":"2.0","id":"a","method":"x","params":{"_meta":{"progressToken":"a"}}}`, `{"jsonrpc":"2.0","id":1,"result":null}`,
		`{"jsonrpc":"2.0","id":-1.5e3,"method":"initialize"}`,
	} {
		f.Add([]byte(seed), "s")
	}
	f.Fuzz(func(t *testing.T, body []byte, session string) {
		req := adaptertest.NewRequest("POST", "")
		if !strings.ContainsAny(session, "\r\n") {
			req.Header.Set("Mcp-Session-Id", session)
		}
		in, err := mcp.Adapter{}.Read(req, body)
		if (err != nil) != (adaptertest.Asked(in) == adaptertest.Asked(providers.Input{})) {
			t.Errorf("%v, and %s", err, adaptertest.Asked(in))
		}
		in.RPC.Subject()
		mcp.Adapter{}.Render(in, providers.Output{Content: "a"})
	})
}
