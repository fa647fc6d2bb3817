package chat

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// echo is a dialect whose answers are their bytes.
var echo = Dialect{
	Expected: "a word was",
	Streamed: providers.EventStream,
	Object: func(_ providers.Input, body []byte, out providers.Output) (providers.Output, *failure.Failure) {
		out.Content, out.Complete = string(body), true
		return out, nil
	},
	Stream: func(ctx context.Context, _ providers.Input, resp *http.Response, out providers.Output, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
		a := &echoed{Answer{Out: out, Sink: sink}}
		failed := ReadEvents(ctx, resp.Body, a)
		return a.Output(failed == nil), failed
	},
}

type echoed struct{ Answer }

func (e *echoed) Take(data []byte) (bool, *failure.Failure) {
	if string(data) == "end" {
		return true, nil
	}
	return false, e.Say(string(data))
}

func (e *echoed) Cut(err error) *failure.Failure { return Cut(err, "end", e.Deltas) }

// response has the body's length where it is not negative.
func response(status int, media, body string, length int64) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {media}},
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: length,
	}
}

// Shows how an answer is told to be refused, plain or streamed, and whether it
// was read to its end, whatever became of it then.
func TestDialect(t *testing.T) {
	enough := errors.New("enough")
	stop := func(providers.Chunk) error { return enough }
	cancelled, cancel := context.WithCancelCause(context.Background())
	cancel(&net{timeout: true})
	for name, c := range map[string]struct {
		ctx      context.Context
		stream   bool
		resp     *http.Response
		sink     func(providers.Chunk) error
		content  string
		complete bool
		kind     failure.Kind
		message  string
	}{
		"plain":                   {resp: response(200, "application/json", `{}`, -1), content: `{}`, complete: true},
		"plain where streamed":    {stream: true, resp: response(200, "application/json", `{}`, -1), content: `{}`, complete: true},
		"its consumer stops":      {stream: true, resp: response(200, "application/json", `{}`, -1), sink: stop, content: `{}`, kind: failure.Cancelled, message: "enough"},
		"refused":                 {stream: true, resp: response(503, providers.EventStream, `{"error":"busy"}`, -1), complete: true, kind: failure.HTTPStatus, message: "HTTP 503 Service Unavailable: busy"},
		"streamed":                {stream: true, resp: response(200, providers.EventStream, "data: a\n\ndata: b\n\ndata: end\n\ndata: c\n\n", -1), content: "ab", complete: true},
		"streamed, not asked for": {resp: response(200, providers.EventStream, "data: a\n\n", -1), kind: failure.MalformedResponse, message: `content type is "text/event-stream"`},
		"a stream of no length":   {stream: true, resp: response(200, providers.EventStream, "", 0), kind: failure.MalformedResponse, message: "the answer is empty where a word was expected"},
		"a stream without an end": {stream: true, resp: response(200, providers.EventStream, "data: a\n\n", -1), content: "a", kind: failure.StreamIncomplete, message: "without end"},
		"the caller's time is up": {ctx: cancelled, stream: true, resp: response(200, providers.EventStream, "data: a\n\n", -1), kind: failure.Timeout},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := c.ctx
			if ctx == nil {
				ctx = context.Background()
			}
			out, failed := echo.Parse(ctx, providers.Input{Stream: c.stream}, c.resp, nil, func() time.Time { return time.Time{} }, c.sink)
			if out.Content != c.content || out.Complete != c.complete {
				t.Errorf("content %q, complete %t", out.Content, out.Complete)
			}
			switch {
			case failed == nil && c.kind != "":
				t.Errorf("no failure, want %s", c.kind)
			case failed != nil && (failed.Kind != c.kind || !strings.Contains(failed.Message, c.message)):
				t.Errorf("%s: %s", failed.Kind, failed.Message)
			}
		})
	}
}

// A net is an error of a network.
type net struct{ timeout bool }

func (*net) Error() string     { return "network" }
func (n *net) Timeout() bool   { return n.timeout }
func (n *net) Temporary() bool { return false }

// Shows that the parts of a plain answer stay without a kind, and that what is
// no event in a stream is one like any other.
func TestLabelEvents(t *testing.T) {
	chunk := func([]byte) wire.PartKind { return wire.PartChunk }
	for _, c := range []struct {
		stream bool
		data   string
		want   wire.PartKind
	}{
		{false, "data: a\n\n", wire.PartBody},
		{true, "data: a\n\n", wire.PartChunk},
		{true, ": only a comment", wire.PartEvent},
	} {
		resp := wire.Response{Stream: c.stream, Parts: []wire.Part{{Data: []byte(c.data)}}}
		LabelEvents(&resp, chunk)
		if resp.Parts[0].Kind != c.want {
			t.Errorf("%q streamed %t is %v, want %v", c.data, c.stream, resp.Parts[0].Kind, c.want)
		}
	}
}
