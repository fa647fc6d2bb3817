package gemini_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/gemini"
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
	return gemini.Adapter{}.Parse(context.Background(), in, resp, err, virtualNow, sink)
}

func streamed(body string) (providers.Output, *failure.Failure) {
	return parse(providers.Input{Stream: true}, answer(200, sseType, strings.NewReader(body)), nil, nil)
}

// event is one event whose only candidate has the given parts.
func event(parts string) string {
	return `data: {"candidates": [{"content": {"parts": [` + parts + `],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 5,"totalTokenCount": 5},"modelVersion": "m","responseId": "r"}` + "\n\n"
}

const (
	jsonType = "application/json; charset=UTF-8"
	sseType  = "text/event-stream"
	usage    = `"usageMetadata": {"promptTokenCount": 5,"candidatesTokenCount": 2,"totalTokenCount": 10,"thoughtsTokenCount": 3}`
	final    = `data: {"candidates": [{"content": {"parts": [{"text": ""}],"role": "model"},"finishReason": "STOP","index": 0}],` + usage + `,"modelVersion": "m","responseId": "r"}` + "\n\n"
	said     = `{"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"},"finishReason":"STOP"}]}`
)

var delta = event(`{"text": "a"}`)

// Shows what each answer that is none of a model is observed as: the table of
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
		{"half JSON", false, 200, jsonType, `{"candidates":[`, failure.MalformedResponse, "unexpected end"},
		{"two objects", false, 200, jsonType, said + said, failure.MalformedResponse, "after top-level value"},
		{"null", false, 200, jsonType, "null", failure.MalformedResponse, "no JSON object"},
		{"a list", true, 200, jsonType, "[" + said + "]", failure.MalformedResponse, "no JSON object"},
		{"empty", false, 200, jsonType, "", failure.MalformedResponse, "empty"},
		{"HTML", false, 200, "text/html", "<p>hi</p>", failure.MalformedResponse, `"text/html"`},
		{"good JSON as text", false, 200, "text/plain", said, failure.MalformedResponse, `"text/plain"`},
		{"a stream that was not asked for", false, 200, sseType, delta + final, failure.MalformedResponse, "text/event-stream"},
		{"a count of tokens", false, 200, jsonType, `{"totalTokens":5}`, failure.MalformedResponse, "candidates[0].content"},
		{"no content and no reason", false, 200, jsonType, `{"candidates":[{"index":0}]}`, failure.MalformedResponse, "candidates[0].content"},
		{"the second candidate alone", false, 200, jsonType, `{"candidates":[{"content":{},"finishReason":"STOP","index":1}]}`, failure.MalformedResponse, "candidates[0].content"},
		{"a wrong type", false, 200, jsonType, `{"candidates":[{"content":{"parts":[{"text":7}]}}]}`, failure.MalformedResponse, "text"},
		{"an error inside", false, 200, jsonType, `{"error":{"code":500,"message":"m","status":"INTERNAL"}}`, failure.HTTPStatus, "INTERNAL: m"},
		{"a quota inside", false, 200, jsonType, `{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}`, failure.RateLimit, "RESOURCE_EXHAUSTED: m"},
		{"overload inside a stream's answer", true, 200, jsonType, `{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}`, failure.Overloaded, "UNAVAILABLE: m"},
		{"an HTML error page", false, 502, "text/html", "<h1>Bad  gateway</h1>", failure.HTTPStatus, "<h1>Bad gateway</h1>"},
		{"a stream's error in a list", true, 400, jsonType, `[{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}]`, failure.HTTPStatus, "INVALID_ARGUMENT: API key not valid."},
		{"a quota", false, 429, jsonType, `{"error":{"code":429,"message":"Quota","status":"RESOURCE_EXHAUSTED"}}`, failure.RateLimit, "RESOURCE_EXHAUSTED: Quota"},
		{"overload by status", false, 503, jsonType, `{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}`, failure.HTTPStatus, "UNAVAILABLE: m"},
		{"a redirect", false, 302, "text/plain", "", failure.HTTPStatus, "HTTP 302 Found"},

		{"stream: no end", true, 200, sseType, delta, failure.StreamIncomplete, "finishReason"},
		{"stream: half an event", true, 200, sseType, delta + "data: {", failure.StreamIncomplete, "inside an event"},
		{"stream: half an event after the end", true, 200, sseType, delta + final + "data: {", failure.StreamIncomplete, "inside an event"},
		{"stream: half the end", true, 200, sseType, strings.TrimSuffix(delta+final, "\n"), failure.StreamIncomplete, "inside an event"},
		{"stream: the end of another candidate", true, 200, sseType, delta + strings.ReplaceAll(final, `"index": 0`, `"index": 1`), failure.StreamIncomplete, "finishReason"},
		{"stream: unreadable frame", true, 200, sseType, delta + "data: {oops\n\n" + final, failure.MalformedResponse, "{oops"},
		{"stream: frame without anything", true, 200, sseType, "data: {}\n\n" + final, failure.MalformedResponse, "neither candidates nor usage"},
		{"stream: frame that is null", true, 200, sseType, "data: null\n\n", failure.MalformedResponse, "no JSON object"},
		{"stream: an error", true, 200, sseType, delta + `data: {"error":{"code":500,"message":"m","status":"INTERNAL"}}` + "\n\n", failure.StreamInterrupted, "INTERNAL: m"},
		{"stream: a quota", true, 200, sseType, delta + `data: {"error":{"code":429,"message":"m"}}` + "\n\n", failure.RateLimit, "error: m"},
		{"stream: overload", true, 200, sseType, `data: {"error":{"message":"m","status":"UNAVAILABLE"}}` + "\n\n", failure.Overloaded, "UNAVAILABLE: m"},
		{"stream: empty", true, 200, sseType, "", failure.StreamIncomplete, "finishReason"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, failed := parse(providers.Input{Stream: c.stream}, answer(c.status, c.media, strings.NewReader(c.body)), nil, nil)
			if failed == nil {
				t.Fatalf("a success: %+v", out)
			}
			if failed.Kind != c.kind || !strings.Contains(failed.Message, c.says) {
				t.Errorf("got %s: %q, want %s with %q", failed.Kind, failed.Message, c.kind, c.says)
			}
		})
	}
}

// Shows that a connection which breaks before the first delta is a connection
// failure with its cause, after it an interrupted stream, also after the event
// that ends the answer, as there is no other end to wait for; and that a
// timeout and a cancellation stay what they are wherever they strike.
func TestParseBrokenStream(t *testing.T) {
	reset, timeout := wire.ReadReset("h:443"), wire.ReadTimeout("h:443")
	empty := event(`{"text": ""}`)
	for _, c := range []struct {
		name, body string
		err        error
		kind       failure.Kind
		cause      failure.Cause
		content    string
	}{
		{"reset after an empty delta", empty, reset, failure.Connection, failure.Reset, ""},
		{"reset in the first event", empty[:20], reset, failure.Connection, failure.Reset, ""},
		{"end before a delta", empty, io.ErrUnexpectedEOF, failure.Connection, failure.EOF, ""},
		{"reset after a delta", delta, reset, failure.StreamInterrupted, "", "a"},
		{"end after a delta", delta, io.ErrUnexpectedEOF, failure.StreamInterrupted, "", "a"},
		{"reset after a thought", event(`{"text": "hm","thought": true}`), reset, failure.StreamInterrupted, "", ""},
		{"reset after a tool call", event(`{"functionCall": {"name": "f"}}`), reset, failure.StreamInterrupted, "", ""},
		{"reset after the end", delta + final, reset, failure.StreamInterrupted, "", "a"},
		{"timeout after a delta", delta, timeout, failure.Timeout, "", "a"},
		{"deadline after a delta", delta, context.DeadlineExceeded, failure.Timeout, "", "a"},
		{"cancellation after a delta", delta, context.Canceled, failure.Cancelled, "", "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := io.MultiReader(strings.NewReader(c.body), iotest.ErrReader(c.err))
			out, failed := parse(providers.Input{Stream: true}, answer(200, sseType, body), nil, nil)
			if failed == nil {
				t.Fatalf("a success: %+v", out)
			}
			if failed.Kind != c.kind || failed.Cause != c.cause || out.Content != c.content {
				t.Errorf("got %s (%s) %q with content %q", failed.Kind, failed.Cause, failed.Message, out.Content)
			}
		})
	}
}

// Shows that an error of the transport is classified, and that a transport
// which returns nothing at all is said to.
func TestParseTransportErrors(t *testing.T) {
	for err, want := range map[error]failure.Kind{wire.Refused("h:443"): failure.Connection, context.DeadlineExceeded: failure.Timeout, nil: failure.Exception} {
		if _, failed := parse(providers.Input{}, nil, err, nil); failed == nil || failed.Kind != want || failed.Message == "" {
			t.Errorf("%v: %+v", err, failed)
		}
	}
}

// V19: shows that a rate limit carries the server's wait, in seconds, in
// milliseconds, as a date against the clock that is handed in, and as Google
// asks for it in the body, which a header wins over.
func TestParseRetryAfter(t *testing.T) {
	const info = `{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","retryDelay":7},` +
		`{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"3.5s"}]}}`
	for _, c := range []struct {
		name, value, body string
		want              time.Duration
	}{
		{"Retry-After", "30", "{}", 30 * time.Second},
		{"Retry-After-Ms", "200", "{}", 200 * time.Millisecond},
		{"Retry-After", virtualNow().Add(7 * time.Second).Format(http.TimeFormat), info, 7 * time.Second},
		{"X-Other", "1", info, 3500 * time.Millisecond},
		{"Retry-After", "-5", info, 3500 * time.Millisecond},
		{"Retry-After", "soon", strings.ReplaceAll(info, "3.5s", "-3s"), -1},
		{"X-Other", "1", strings.ReplaceAll(info, "3.5s", "3.5"), -1},
	} {
		resp := answer(429, jsonType, strings.NewReader(c.body))
		resp.Header.Set(c.name, c.value)
		_, failed := parse(providers.Input{}, resp, nil, nil)
		if failed.Kind != failure.RateLimit || failed.HasRetryAfter != (c.want >= 0) || (c.want >= 0 && failed.RetryAfter != c.want) {
			t.Errorf("%s: %+v", c.value, failed)
		}
	}
	if _, failed := streamed("data: " + info + "\n\n"); !failed.HasRetryAfter || failed.RetryAfter != 3500*time.Millisecond {
		t.Errorf("inside a stream: %+v", failed)
	}
}

// V36: shows that a consumer that stops after one chunk ends the reading, with
// its own error inside a cancellation, and that nothing more is read.
func TestParseStopped(t *testing.T) {
	stop := errors.New("enough")
	for _, c := range []struct {
		media string
		body  io.Reader
	}{
		{sseType, io.MultiReader(strings.NewReader(delta), iotest.ErrReader(errors.New("read on")))},
		{jsonType, strings.NewReader(said)},
	} {
		out, failed := parse(providers.Input{Stream: true}, answer(200, c.media, c.body), nil, func(providers.Chunk) error { return stop })
		if failed == nil || failed.Kind != failure.Cancelled || !strings.Contains(failed.Message, "enough") || out.Content != "a" {
			t.Errorf("%+v, content %q", failed, out.Content)
		}
	}
}

// Shows that a call which ends while events are still at hand is not read on.
func TestParseEndedContext(t *testing.T) {
	ctx, cancel := adaptertest.NewClock().WithCancel(context.Background())
	chunks := 0
	_, failed := gemini.Adapter{}.Parse(ctx, providers.Input{Stream: true}, answer(200, sseType, strings.NewReader(delta+delta+final)), nil, virtualNow,
		func(providers.Chunk) error {
			chunks++
			cancel()
			return nil
		})
	if failed == nil || failed.Kind != failure.Cancelled || chunks != 1 {
		t.Errorf("%d chunks, then %+v", chunks, failed)
	}
}

// Shows that a stream is read the same whatever pieces it comes in; that text
// beside the finish reason counts, and what follows it does too; that a later
// report of usage replaces the counts that it has and no others; and that
// fields and parts which are not known do not matter.
func TestParseStream(t *testing.T) {
	last := `data: {"candidates":[{"content":{"parts":[{"text":"b"},{"inlineData":{"mimeType":"image/png","data":"x"}},{"text":"c"}]},"finishReason":"MAX_TOKENS"}],` + usage + "}\n\n"
	stream := ": hello\n\n" + event(`{"text":"hm ","thought":true},{"executableCode":{"code":"1"}}`) + delta + event(`{"text":"yes","thought":true},{"future":[7]}`) + last +
		`data: {"usageMetadata":{"trafficType":"ON_DEMAND"},"createTime":7}` + "\n\n" + `data: {"responseId":"r","groundingMetadata":"x"}` + "\n\n"
	stream = strings.ReplaceAll(stream, "\n", "\r\n")
	var chunks []string
	out, failed := parse(providers.Input{Stream: true}, answer(200, sseType, iotest.OneByteReader(strings.NewReader(stream))), nil, func(c providers.Chunk) error {
		chunks = append(chunks, c.Content)
		return nil
	})
	if failed != nil || out.Content != "abc" || out.Reasoning != "hm yes" || out.FinishReason != "MAX_TOKENS" || strings.Join(chunks, "|") != "a|bc" || !out.Complete {
		t.Errorf("%+v, %+v, %q", failed, out, chunks)
	}
	if want := (providers.Usage{Set: true, Prompt: 5, Completion: 5, Total: 10, Reasoning: 3}); out.Usage != want {
		t.Errorf("usage %+v, want %+v", out.Usage, want)
	}
}

// Shows that a prompt which was blocked is an answer without content that says
// why, plain and streamed, and that a model which said nothing is one too.
func TestParseBlocked(t *testing.T) {
	const blocked = `{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3},"modelVersion":"m"}`
	for body, want := range map[string]string{blocked: "PROHIBITED_CONTENT", `{"candidates":[{"finishReason":"SAFETY","index":0}]}`: "SAFETY"} {
		plain, failed := parse(providers.Input{}, answer(200, jsonType, strings.NewReader(body)), nil, nil)
		if failed != nil || plain.Content != "" || plain.FinishReason != want || !plain.Complete {
			t.Errorf("%s: %+v, %+v", body, failed, plain)
		}
		stream, failed := streamed("data: " + body + "\n\n")
		if failed != nil || stream.Content != "" || stream.FinishReason != want || !stream.Complete {
			t.Errorf("%s streamed: %+v, %+v", body, failed, stream)
		}
	}
}

// Shows the calls of an answer in their order, across events: the id and the
// signature where there are some, arguments without spaces, none as an empty
// object; that what the vendor's own tools read is of the prompt; and that the
// number of calls is bounded.
func TestParseToolCalls(t *testing.T) {
	first := `{"functionCall":{"id":"1","name":"f","args":{"b": [1e2],"a":"<"}},"thoughtSignature":"c2ln"}`
	second := `{"functionCall":{"name":"g"}}`
	want := []providers.ToolCall{{ID: "1", Name: "f", Arguments: `{"b":[1e2],"a":"<"}`, Signature: "c2ln"}, {Name: "g", Arguments: "{}"}}
	plain, failed := parse(providers.Input{}, answer(200, jsonType, strings.NewReader(
		`{"candidates":[{"content":{"parts":[{"text":"so"},`+first+","+second+`]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"toolUsePromptTokenCount":20,"cachedContentTokenCount":1,"candidatesTokenCount":300}}`)), nil, nil)
	if failed != nil || len(plain.ToolCalls) != 2 || plain.ToolCalls[0] != want[0] || plain.ToolCalls[1] != want[1] || plain.FinishReason != "STOP" {
		t.Errorf("%+v, %+v", failed, plain)
	}
	if want := (providers.Usage{Set: true, Prompt: 21, Completion: 300, Total: 321, Cached: 1}); plain.Usage != want {
		t.Errorf("usage %+v, want %+v", plain.Usage, want)
	}
	stream, failed := streamed(event(first) + event(second) + final)
	if failed != nil || len(stream.ToolCalls) != 2 || stream.ToolCalls[0] != want[0] || stream.ToolCalls[1] != want[1] {
		t.Errorf("streamed: %+v, %+v", failed, stream.ToolCalls)
	}
	many := event(second + strings.Repeat(","+second, 4095))
	if out, failed := streamed(many + final); failed != nil || len(out.ToolCalls) != 4096 {
		t.Errorf("4096 calls: %+v", failed)
	}
	if _, failed := streamed(many + event(second) + final); failed == nil || failed.Kind != failure.MalformedResponse {
		t.Errorf("4097 calls: %+v", failed)
	}
}

// Shows that a streamed request which is answered by one object is read as
// that, and its whole content is the only chunk.
func TestParsePlainAnswerToStream(t *testing.T) {
	var chunks []string
	out, failed := parse(providers.Input{Stream: true}, answer(200, jsonType, strings.NewReader(said)), nil, func(c providers.Chunk) error {
		chunks = append(chunks, c.Content)
		return nil
	})
	if failed != nil || out.Content != "a" || len(chunks) != 1 || chunks[0] != out.Content || out.Usage.Set {
		t.Errorf("%+v, %+v, %q", failed, out, chunks)
	}
}
