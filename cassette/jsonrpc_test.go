package cassette

import (
	"net/http"
	"testing"

	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/wire"
)

// Shows that two requests of JSON-RPC are equal whatever their clients call
// them, that what they ask still counts, and that an id elsewhere does too.
func TestJSONRPCRequests(t *testing.T) {
	request := func(body string) match.Request {
		r := match.Request{Method: "POST", URL: "http://h/mcp", Header: map[string][]string{"Content-Type": {"application/json"}}}
		r.Body = []byte(body)
		return r
	}
	m := match.Match{Profile: match.Strict}
	base := request(`{"jsonrpc":"2.0","id":"a/1","method":"tools/call","params":{"name":"x","_meta":{"progressToken":"a/1"}}}`)
	for body, same := range map[string]bool{
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":7}}}`:           true,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"y","_meta":{"progressToken":7}}}`:           false,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","id":2,"_meta":{"progressToken":7}}}`:    false,
		`{"jsonrpc":"1.0","id":7,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":7}}}`:           false,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":7,"other":1}}}`: false,
	} {
		if got := m.Key(request(body)) == m.Key(base); got != same {
			t.Errorf("%s: equal %t, want %t", body, got, same)
		}
	}
}

// Shows that a recorded answer is given the id of the request that it answers
// now, in its reports too, and that nothing else of it changes.
func TestJSONRPCAnswers(t *testing.T) {
	for _, c := range []struct{ recorded, actual, answer, want string }{
		{`{"jsonrpc":"2.0","id":1}`, `{"jsonrpc":"2.0","id":"b/2"}`, `{"jsonrpc": "2.0", "id": 1, "result": {"id":11,"n":1}}`, `{"jsonrpc": "2.0", "id": "b/2", "result": {"id":11,"n":1}}`},
		{`{"jsonrpc":"2.0","id":"a"}`, `{"jsonrpc":"2.0","id":"bcd"}`, `data: {"params":{"progressToken":"a"},"x":"\"id\":"}`, `data: {"params":{"progressToken":"bcd"},"x":"\"id\":"}`},
		{`{"jsonrpc":"2.0","id":"a"}`, `{"jsonrpc":"2.0","id":"a"}`, `{"id":"a"}`, `{"id":"a"}`},
		{`{"id":"a"}`, `{"id":"b"}`, `{"id":"a"}`, `{"id":"a"}`},
		{`{"jsonrpc":"2.0","id":"a"}`, `not json`, `{"id":"a"}`, `{"id":"a"}`},
		{`{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":"b"}`, `{"id":null}`, `{"id":null}`},
	} {
		it := &Interaction{RequestBody: []byte(c.recorded), Response: wire.Response{Parts: []wire.Part{{Data: []byte(c.answer)}}, Length: len(c.answer)}}
		it.AnswerTo([]byte(c.actual))
		if got := string(it.Response.Body()); got != c.want || it.Response.Length != len(c.want) {
			t.Errorf("%s answered to %s: %s (length %d), want %s", c.answer, c.actual, got, it.Response.Length, c.want)
		}
	}
}

// Shows that a recording keeps that there was a session, and not its id: who
// has that may speak in it.
func TestSessionIsKeptHidden(t *testing.T) {
	var r *redact.Redactor
	kept := keptHeader(r, http.Header{"Mcp-Session-Id": {"6DZYDFTO45XX2YPM"}}, keptResponse, nil)
	if got, want := kept.Get("Mcp-Session-Id"), redact.Placeholder("6DZYDFTO45XX2YPM"); got != want {
		t.Errorf("kept %q, want %q", got, want)
	}
}
