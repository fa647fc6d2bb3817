package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	adapter "github.com/scenario-lang/scenario/providers/http"
	"github.com/scenario-lang/scenario/wire"
)

// Shows which answers are failures and of what kind: by status or by what the
// step expects, by a body that breaks its own announcement, by a broken
// connection.
func TestParse(t *testing.T) {
	only404 := func(status int) bool { return status == 404 }
	respond := func(status int, media, body string) wire.WireScript {
		return wire.Response{
			Status: status, Header: []wire.Field{{Name: "Content-Type", Value: media}, {Name: "Retry-After", Value: "30"}},
			Parts: []wire.Part{{Data: []byte(body)}},
		}.Script(wire.Meta{})
	}
	events := adapter.Adapter{}.Render(streamIn, providers.Output{Chunks: []string{"a", "b", "c"}})
	gzip := wire.Response{Header: []wire.Field{{Name: "Content-Encoding", Value: "gzip"}}, Parts: []wire.Part{{Data: []byte("plain text")}}}
	for _, c := range []struct {
		name   string
		in     providers.Input
		script wire.WireScript
		kind   failure.Kind
		cause  failure.Cause
		says   string
	}{
		{"ok", plainIn, respond(200, "text/plain", "x"), "", "", ""},
		{"not modified", plainIn, respond(304, "application/json", ""), "", "", ""},
		{"no content", plainIn, respond(204, "application/json", ""), "", "", ""},
		{"HEAD", providers.Input{BaseURL: "http://h", Method: "HEAD"}, respond(200, "application/json", "{}"), "", "", ""},
		{"error", plainIn, respond(500, "application/json", `{"error":{"message":"m"}}`), failure.HTTPStatus, "", "HTTP 500 Internal Server Error: m"},
		{"rate limit", plainIn, respond(429, "text/plain", "slow"), failure.RateLimit, "", "slow"},
		{"overload", plainIn, respond(529, "text/plain", ""), failure.Overloaded, "", "HTTP 529"},
		{"expected error", providers.Input{BaseURL: "http://h", Expect: only404}, respond(404, "text/plain", ""), "", "", ""},
		{"unexpected success", providers.Input{BaseURL: "http://h", Expect: only404}, respond(200, "text/plain", ""), failure.HTTPStatus, "", "HTTP 200 OK"},
		{"an error inside", plainIn, respond(200, "application/json", `{"error":{"message":"m","type":"x"}}`), failure.HTTPStatus, "", "HTTP 200 with an error inside: x: m"},
		{"a rate limit inside", streamIn, respond(200, "application/json", `{"error":{"message":"m","type":"rate_limit_error"}}`), failure.RateLimit, "", "rate_limit_error: m"},
		{"overload inside", plainIn, respond(201, "application/problem+json", `{"error":{"message":"m","type":"overloaded_error"}}`), failure.Overloaded, "", "m"},
		{"an error beside others", plainIn, respond(200, "application/json", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}`), "", "", ""},
		{"no error", plainIn, respond(200, "application/json", `{"error":null}`), "", "", ""},
		{"an error without words", plainIn, respond(200, "application/json", `{"error":{}}`), "", "", ""},
		{"an error that is a text", plainIn, respond(200, "text/plain", `{"error":{"message":"m"}}`), "", "", ""},
		{"an expected error's object", providers.Input{BaseURL: "http://h", Expect: only404}, respond(404, "application/json", `{"error":{"message":"m"}}`), "", "", ""},
		{"no JSON", plainIn, respond(200, "application/problem+json", "{"), failure.MalformedResponse, "", `"{"`},
		{"empty JSON", plainIn, respond(200, "application/json", ""), failure.MalformedResponse, "", "is empty"},
		{"bad gzip", plainIn, gzip.Script(wire.Meta{}), failure.MalformedResponse, "", "gzip"},
		{"reset at once", plainIn, wire.Raw(nil, wire.EndRST), failure.Connection, failure.Reset, "reset"},
		{"reset in the body", plainIn, respond(200, "text/plain", "abcdef").Cut(84, wire.EndRST), failure.Connection, failure.Reset, "reset"},
		{"end in the body", plainIn, wire.Response{Length: 9, Parts: []wire.Part{{Data: []byte("abc")}}, End: wire.EndFIN}.Script(wire.Meta{}), failure.Connection, failure.EOF, "ended"},
		{"end in an error's body", plainIn, wire.Response{Status: 500, Length: 9, End: wire.EndFIN}.Script(wire.Meta{}), failure.Connection, failure.EOF, "ended"},
		{"silence", plainIn, wire.Raw(nil, wire.EndHang), failure.Timeout, "", "deadline"},
		{"stream", streamIn, events.Script(wire.Meta{}), "", "", ""},
		{"stream reset before a chunk", streamIn, events.CutChunks(0, wire.EndRST).Script(wire.Meta{}), failure.Connection, failure.Reset, "reset"},
		{"stream reset after a chunk", streamIn, events.CutChunks(1, wire.EndRST).Script(wire.Meta{}), failure.StreamInterrupted, "", "after 1 delta"},
		{"stream ended after two", streamIn, events.CutChunks(2, wire.EndFIN).Script(wire.Meta{}), failure.StreamInterrupted, "", "after 2 deltas"},
		{"stream stalls", streamIn, events.CutChunks(2, wire.EndHang).Script(wire.Meta{}), failure.Timeout, "", "deadline"},
		{"stream with half an event", streamIn, events.CutBytes(12, wire.EndNone).Script(wire.Meta{}), failure.StreamIncomplete, "", "inside an event"},
		{"stream refused", streamIn, respond(503, "text/plain", "no"), failure.HTTPStatus, "", "no"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := adaptertest.Play(adapter.Adapter{}, c.in, c.script)
			if err != nil {
				t.Fatal(err)
			}
			f := p.Failed
			if f == nil {
				f = &failure.Failure{}
			}
			if f.Kind != c.kind || f.Cause != c.cause || !strings.Contains(f.Message, c.says) {
				t.Errorf("got %q (%s) %q, want %q (%s) with %q", f.Kind, f.Cause, f.Message, c.kind, c.cause, c.says)
			}
			if statused := f.StatusCode == http.StatusTooManyRequests; statused && (!f.HasRetryAfter || f.RetryAfter != 30*time.Second) {
				t.Errorf("retry after %v", f.RetryAfter)
			}
			if p.Unclosed {
				t.Error("the body was left open")
			}
		})
	}
}

// Shows that an answer's status, headers and body come through on failures too.
func TestParseKeepsTheAnswer(t *testing.T) {
	script := adapter.Adapter{}.RenderError(plainIn, 418, "teapot", "no coffee")
	script.Header = append(script.Header, wire.Field{Name: "X-A", Value: "1"})
	p, err := adaptertest.Play(adapter.Adapter{}, plainIn, script.Script(wire.Meta{}))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"error":{"message":"no coffee","type":"teapot","status":418}}`
	if p.Out.StatusCode != http.StatusTeapot || p.Out.Headers.Get("X-A") != "1" || string(p.Out.Body) != want || !p.Out.Complete {
		t.Errorf("%+v, body %s", p.Out, p.Out.Body)
	}
}
