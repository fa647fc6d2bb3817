package openai_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/openai"
	"github.com/scenario-lang/scenario/wire"
)

func virtualNow() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }

// answer is a response whose body is read from parts, then fails with err.
func answer(status int, media string, body io.Reader) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {media}},
		Body: io.NopCloser(body), ContentLength: -1,
	}
}

func parse(in providers.Input, resp *http.Response, err error, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	return openai.Adapter{}.Parse(context.Background(), in, resp, err, virtualNow, sink)
}

const (
	jsonType = "application/json; charset=utf-8"
	sseType  = "text/event-stream"
	delta    = `data: {"choices":[{"index":0,"delta":{"content":"a"}}]}` + "\n\n"
	final    = `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
)

// Shows what each answer that is no completion is observed as: the table of
// the specification, rule by rule, and that the message says what came.
func TestParseFailures(t *testing.T) {
	for _, c := range []struct {
		name   string
		stream bool
		status int
		media  string
		body   string
		kind   failure.Kind
		says   string
	}{
		{"no JSON", false, 200, jsonType, "not valid json", failure.MalformedResponse, "not valid json"},
		{"half JSON", false, 200, jsonType, `{"choices":[`, failure.MalformedResponse, "unexpected end"},
		{"two objects", false, 200, jsonType, `{"choices":[]} {}`, failure.MalformedResponse, "after top-level value"},
		{"null", false, 200, jsonType, "null", failure.MalformedResponse, "no JSON object"},
		{"empty", false, 200, jsonType, "", failure.MalformedResponse, "empty"},
		{"HTML", false, 200, "text/html", "<p>hi</p>", failure.MalformedResponse, `"text/html"`},
		{"good JSON as text", false, 200, "text/plain", `{"choices":[{"message":{"content":"x"}}]}`, failure.MalformedResponse, `"text/plain"`},
		{"a stream that was not asked for", false, 200, sseType, delta + final, failure.MalformedResponse, "text/event-stream"},
		{"no choices", false, 200, jsonType, `{"id":"x"}`, failure.MalformedResponse, "choices"},
		{"no message", false, 200, jsonType, `{"choices":[{"index":0}]}`, failure.MalformedResponse, "choices"},
		{"a wrong type", false, 200, jsonType, `{"choices":[{"message":{"content":7}}]}`, failure.MalformedResponse, "content"},
		{"an error inside", false, 200, jsonType, `{"error":{"message":"m","type":"server_error"}}`, failure.HTTPStatus, "server_error: m"},
		{"an error that is a string", false, 200, jsonType, `{"error":"m"}`, failure.HTTPStatus, "m"},
		{"an error with a status as its code", false, 200, jsonType, `{"error":{"message":"m","code":429}}`, failure.RateLimit, "m"},
		{"a code that only contains the status", false, 200, jsonType, `{"error":{"message":"m","code":14290}}`, failure.HTTPStatus, "m"},
		{"an HTML error page", false, 502, "text/html", "<h1>Bad  gateway</h1>", failure.HTTPStatus, "<h1>Bad gateway</h1>"},
		{"a redirect", false, 302, "text/plain", "", failure.HTTPStatus, "HTTP 302 Found"},

		{"stream: no end marker", true, 200, sseType, delta, failure.StreamIncomplete, "[DONE]"},
		{"stream: half an event", true, 200, sseType, delta + "data: {", failure.StreamIncomplete, "inside an event"},
		{"stream: half an end marker", true, 200, sseType, delta + "data: [DONE]\n", failure.StreamIncomplete, "inside an event"},
		{"stream: unreadable frame", true, 200, sseType, delta + "data: {oops\n\n" + final, failure.MalformedResponse, "{oops"},
		{"stream: frame without choices", true, 200, sseType, "data: {}\n\n" + final, failure.MalformedResponse, "neither choices nor usage"},
		{"stream: only the end marker", true, 200, sseType, "data: [DONE]\n\n", failure.MalformedResponse, "no event had a choice"},
		{"stream: error event", true, 200, sseType, delta + "data: {\"error\":{\"message\":\"m\",\"type\":\"server_error\"}}\n\n", failure.StreamInterrupted, "server_error: m"},
		{"stream: rate limit event", true, 200, sseType, "data: {\"error\":{\"message\":\"m\",\"type\":\"rate_limit_error\"}}\n\n", failure.RateLimit, "m"},
		{"stream: overload event", true, 200, sseType, "event: error\ndata: {\"error\":{\"message\":\"m\",\"type\":\"overloaded_error\"}}\n\n", failure.Overloaded, "m"},
		{"stream: HTML", true, 200, "text/html", "<p>hi</p>", failure.MalformedResponse, `"text/html"`},
		{"stream: 429 before the first byte", true, 429, jsonType, `{"error":{"message":"slow down"}}`, failure.RateLimit, "slow down"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, failed := parse(providers.Input{Stream: c.stream}, answer(c.status, c.media, strings.NewReader(c.body)), nil, nil)
			if failed == nil {
				t.Fatal("passed for a completion")
			}
			if failed.Kind != c.kind || !strings.Contains(failed.Message, c.says) {
				t.Errorf("got %s: %s\nwant %s, saying %q", failed.Kind, failed.Message, c.kind, c.says)
			}
		})
	}
}

// Shows that a connection which breaks before the first delta is a connection
// failure with its cause, after it an interrupted stream, and that a timeout
// and a cancellation stay what they are wherever they strike.
func TestParseBrokenStream(t *testing.T) {
	reset, timeout := wire.ReadReset("h:443"), wire.ReadTimeout("h:443")
	role := `data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}` + "\n\n"
	call := `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f"}}]}}]}` + "\n\n"
	for _, c := range []struct {
		name, body string
		err        error
		kind       failure.Kind
		cause      failure.Cause
		content    string
	}{
		{"reset after the role", role, reset, failure.Connection, failure.Reset, ""},
		{"reset in the first event", role[:20], reset, failure.Connection, failure.Reset, ""},
		{"end after the role", role, io.ErrUnexpectedEOF, failure.Connection, failure.EOF, ""},
		{"reset after a delta", role + delta, reset, failure.StreamInterrupted, "", "a"},
		{"end after a delta", role + delta, io.ErrUnexpectedEOF, failure.StreamInterrupted, "", "a"},
		{"reset after a tool call", role + call, reset, failure.StreamInterrupted, "", ""},
		{"timeout after a delta", delta, timeout, failure.Timeout, "", "a"},
		{"deadline after a delta", delta, context.DeadlineExceeded, failure.Timeout, "", "a"},
		{"cancellation after a delta", delta, context.Canceled, failure.Cancelled, "", "a"},
		{"reset after the end marker", delta + final, reset, "", "", "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := io.MultiReader(strings.NewReader(c.body), iotest.ErrReader(c.err))
			out, failed := parse(providers.Input{Stream: true}, answer(200, sseType, body), nil, nil)
			if failed == nil {
				failed = &failure.Failure{}
			}
			if failed.Kind != c.kind || failed.Cause != c.cause || out.Content != c.content {
				t.Errorf("got %s (%s) %q with content %q", failed.Kind, failed.Cause, failed.Message, out.Content)
			}
		})
	}
}

// Shows that an error of the transport is classified, that one which names its
// own type keeps it with its mode, and that a transport which returns nothing
// at all is said to.
func TestParseTransportErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		want failure.Failure
	}{
		{wire.Refused("h:443"), failure.Failure{Kind: failure.Connection, Cause: failure.Refused}},
		{wire.NotFound("h:443"), failure.Failure{Kind: failure.Connection, Cause: failure.DNS}},
		{wire.UnknownAuthority(), failure.Failure{Kind: failure.Connection, Cause: failure.TLS}},
		{context.DeadlineExceeded, failure.Failure{Kind: failure.Timeout}},
		{typed{}, failure.Failure{Kind: failure.Exception, Type: "MemoryError", Mode: failure.Lookup("SYSTEM_OOM")}},
		{nil, failure.Failure{Kind: failure.Exception}},
	} {
		_, failed := parse(providers.Input{}, nil, c.err, nil)
		if failed == nil || failed.Message == "" {
			t.Fatalf("%v: %+v", c.err, failed)
		}
		got := *failed
		if got.Message = ""; got.Kind != c.want.Kind || got.Cause != c.want.Cause || (c.err != nil && got.Type != c.want.Type) {
			t.Errorf("%v: got %+v, want %+v", c.err, got, c.want)
		}
		if (got.Mode == nil) != (c.want.Mode == nil) || (got.Mode != nil && *got.Mode != *c.want.Mode) {
			t.Errorf("%v: got the mode %+v", c.err, got.Mode)
		}
	}
}

type typed struct{}

func (typed) Error() string       { return "out of memory" }
func (typed) FailureType() string { return "MemoryError" }
func (typed) FailureMode() string { return "SYSTEM_OOM" }

// V19: shows that a rate limit carries the server's wait, in seconds and as a
// date against the clock that is handed in.
func TestParseRetryAfter(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"30": 30 * time.Second, virtualNow().Add(7 * time.Second).Format(http.TimeFormat): 7 * time.Second,
	} {
		resp := answer(429, jsonType, strings.NewReader("{}"))
		resp.Header.Set("Retry-After", value)
		if _, failed := parse(providers.Input{}, resp, nil, nil); !failed.HasRetryAfter || failed.RetryAfter != want {
			t.Errorf("%s: %+v", value, failed)
		}
	}
}

// V36: shows that a consumer that stops after one chunk ends the reading, with
// its own error inside a cancellation, and that nothing more is read.
func TestParseStopped(t *testing.T) {
	stop := errors.New("enough")
	body := io.MultiReader(strings.NewReader(delta), iotest.ErrReader(errors.New("read on")))
	out, failed := parse(providers.Input{Stream: true}, answer(200, sseType, body), nil, func(providers.Chunk) error { return stop })
	if failed == nil || failed.Kind != failure.Cancelled || !strings.Contains(failed.Message, "enough") || out.Content != "a" {
		t.Errorf("%+v, content %q", failed, out.Content)
	}
}

// Shows that a stream is read the same whatever pieces it arrives in.
func TestParseOneByteReads(t *testing.T) {
	stream := ": OPENROUTER PROCESSING\r\n\r\n" + strings.ReplaceAll(delta+delta+final, "\n", "\r\n")
	out, failed := parse(providers.Input{Stream: true}, answer(200, sseType, iotest.OneByteReader(strings.NewReader(stream))), nil, nil)
	if failed != nil || out.Content != "aa" || out.FinishReason != "stop" || !out.Complete {
		t.Errorf("%+v, %+v", failed, out)
	}
}

// Shows that a streamed request which is answered by one object is read as
// that, and its whole content is the only chunk.
func TestParsePlainAnswerToStream(t *testing.T) {
	var chunks []string
	body := `{"choices":[{"message":{"role":"assistant","content":"all at once"},"finish_reason":"stop"}]}`
	out, failed := parse(providers.Input{Stream: true}, answer(200, jsonType, strings.NewReader(body)), nil, func(c providers.Chunk) error {
		chunks = append(chunks, c.Content)
		return nil
	})
	if failed != nil || out.Content != "all at once" || len(chunks) != 1 || chunks[0] != out.Content {
		t.Errorf("%+v, %+v, %q", failed, out, chunks)
	}
}

// Shows that tool calls are put together by index, in whatever order and
// pieces they come, apart also where parallel ones share an index, and that
// their number is bounded.
func TestParseToolCallDeltas(t *testing.T) {
	event := func(calls string) string {
		return `data: {"choices":[{"delta":{"tool_calls":[` + calls + `]}}]}` + "\n\n"
	}
	stream := event(`{"index":1,"id":"b","function":{"name":"g","arguments":""}}`) +
		event(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}},{"index":1,"function":{"arguments":"[]"}}`) +
		event(`{"index":0,"function":{"arguments":":1}"}}`) + final
	out, failed := parse(providers.Input{Stream: true}, answer(200, sseType, strings.NewReader(stream)), nil, nil)
	want := []providers.ToolCall{{ID: "a", Name: "f", Arguments: `{"x":1}`}, {ID: "b", Name: "g", Arguments: "[]"}}
	if failed != nil || len(out.ToolCalls) != 2 || out.ToolCalls[0] != want[0] || out.ToolCalls[1] != want[1] {
		t.Errorf("%+v, %+v", failed, out.ToolCalls)
	}

	stream = event(`{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}`) + event(`{"index":0,"id":"other","function":{"arguments":"}"}}`) +
		event(`{"index":0,"id":"b","function":{"name":"g","arguments":"[]"}}`) + final
	want = []providers.ToolCall{{ID: "a", Name: "f", Arguments: "{}"}, {ID: "b", Name: "g", Arguments: "[]"}}
	if out, failed = parse(providers.Input{Stream: true}, answer(200, sseType, strings.NewReader(stream)), nil, nil); failed != nil || !slices.Equal(out.ToolCalls, want) {
		t.Errorf("of one index: %+v, %+v", failed, out.ToolCalls)
	}

	var many strings.Builder
	for i := range 5000 {
		many.WriteString(event(`{"index":` + strings.Repeat("1", 1+i%3) + `,"function":{}}`))
		many.WriteString(event(`{"index":` + strconv.Itoa(i) + `,"function":{}}`))
	}
	if _, failed := parse(providers.Input{Stream: true}, answer(200, sseType, strings.NewReader(many.String())), nil, nil); failed == nil || failed.Kind != failure.MalformedResponse {
		t.Errorf("5000 tool calls: %+v", failed)
	}
}

// Shows that a call which ends while events are still at hand is not read on:
// the consumer gets nothing after the end, and the failure is the end's.
func TestParseEndedContext(t *testing.T) {
	ctx, cancel := adaptertest.NewClock().WithCancel(context.Background())
	var chunks []string
	_, failed := openai.Adapter{}.Parse(ctx, providers.Input{Stream: true}, answer(200, sseType, strings.NewReader(delta+delta+final)), nil, virtualNow,
		func(c providers.Chunk) error {
			chunks = append(chunks, c.Content)
			cancel()
			return nil
		})
	if failed == nil || failed.Kind != failure.Cancelled || len(chunks) != 1 {
		t.Errorf("%q, then %+v", chunks, failed)
	}
}

// Shows that a model's refusal is its content, and that a content of typed
// parts is read for its text and its thinking, plain and streamed.
func TestParseContent(t *testing.T) {
	parts := `[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"reference","reference_ids":[1]},{"type":"text","text":"so"}]`
	for said, want := range map[string]string{
		`"content":null,"refusal":"I will not"`: "I will not/",
		`"content":` + parts:                    "so/hm",
	} {
		body := `{"choices":[{"index":0,"message":{"role":"assistant",` + said + `},"finish_reason":"stop"}]}`
		out, failed := parse(providers.Input{}, answer(200, jsonType, strings.NewReader(body)), nil, nil)
		if failed != nil || out.Content+"/"+out.Reasoning != want {
			t.Errorf("%s: %+v, %+v", said, failed, out)
		}
		stream := `data: {"choices":[{"index":0,"delta":{` + said + "}}]}\n\n" + final
		out, failed = parse(providers.Input{Stream: true}, answer(200, sseType, strings.NewReader(stream)), nil, nil)
		if failed != nil || out.Content+"/"+out.Reasoning != want || len(out.Chunks) != 1 {
			t.Errorf("%s, streamed: %+v, %+v", said, failed, out)
		}
	}
}
