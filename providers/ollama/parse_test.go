package ollama_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/ollama"
	"github.com/scenario-lang/scenario/wire"
)

func virtualNow() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }

func answer(status int, media string, body io.Reader) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {media}},
		Body: io.NopCloser(body), ContentLength: -1,
	}
}

func parse(stream bool, resp *http.Response, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	return ollama.Adapter{}.Parse(context.Background(), providers.Input{Stream: stream}, resp, nil, virtualNow, sink)
}

const (
	jsonType   = "application/json; charset=utf-8"
	ndjsonType = "application/x-ndjson"
	delta      = `{"model":"m","message":{"role":"assistant","content":"a"},"done":false}` + "\n"
	final      = `{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":26,"eval_count":298}` + "\n"
)

// Shows answers as the interface's reference describes them: thinking beside
// content, calls whose arguments are objects, counts of tokens, and fields that
// nobody has heard of.
func TestParse(t *testing.T) {
	body := `{"model":"qwen3","created_at":"2025-10-01T00:00:00.123456Z","message":{"role":"assistant","content":"so","thinking":"hm",` +
		`"tool_calls":[{"function":{"index":0,"name":"f","arguments":{"city": "Paris","n":[1]}}},{"id":"call_x","function":{"name":"g","arguments":{}}}]},` +
		`"done":true,"done_reason":"stop","total_duration":4883583458,"prompt_eval_count":26,"eval_count":282,"mystery":[]}`
	want := providers.Output{
		Content: "so", Reasoning: "hm", FinishReason: "stop", Model: "qwen3",
		ToolCalls: []providers.ToolCall{{Name: "f", Arguments: `{"city": "Paris","n":[1]}`}, {ID: "call_x", Name: "g", Arguments: "{}"}},
		Usage:     providers.Usage{Set: true, Prompt: 26, Completion: 282, Total: 308},
	}
	out, failed := parse(false, answer(200, jsonType, strings.NewReader(body)), nil)
	if diff := cmp.Diff(adaptertest.Summary(want), adaptertest.Summary(out)); failed != nil || diff != "" || !out.Complete {
		t.Errorf("%+v %s", failed, diff)
	}
	if out, failed = parse(false, answer(200, jsonType, strings.NewReader(`{"message":{"content":"x"},"done":true,"done_reason":"stop","eval_count":2}`)), nil); failed != nil ||
		out.Usage != (providers.Usage{Set: true, Completion: 2, Total: 2}) {
		t.Errorf("a prompt that was in the cache: %+v, %+v", failed, out.Usage)
	}
	if out, failed = parse(false, answer(200, jsonType, strings.NewReader(`{"message":{"content":"x"},"done":true}`)), nil); failed != nil || out.Usage.Set {
		t.Errorf("nothing was counted: %+v, %+v", failed, out.Usage)
	}
}

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
		{"half JSON", false, 200, jsonType, `{"message":{`, failure.MalformedResponse, "unexpected end"},
		{"null", false, 200, jsonType, "null", failure.MalformedResponse, "no JSON object"},
		{"empty", false, 200, jsonType, "", failure.MalformedResponse, "empty"},
		{"HTML", false, 200, "text/html", "<p>hi</p>", failure.MalformedResponse, `"text/html"`},
		{"a stream that was not asked for", false, 200, ndjsonType, delta + final, failure.MalformedResponse, "application/x-ndjson"},
		{"no message", false, 200, jsonType, `{"done":true}`, failure.MalformedResponse, "no message"},
		{"not done", false, 200, jsonType, delta, failure.MalformedResponse, "not done"},
		{"an error inside", false, 200, jsonType, `{"error":"m"}`, failure.HTTPStatus, "HTTP 200 with an error inside: m"},
		{"a rate limit inside", false, 200, jsonType, `{"error":"rate_limit_error: m"}`, failure.RateLimit, "m"},
		{"no such model", false, 404, jsonType, `{"error":"model 'x' not found"}`, failure.HTTPStatus, "HTTP 404 Not Found: model 'x' not found"},
		{"busy", false, 503, jsonType, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`, failure.HTTPStatus, "server busy"},
		{"too many", true, 429, jsonType, `{"error":"too many requests"}`, failure.RateLimit, "too many requests"},

		{"stream: not done", true, 200, ndjsonType, delta, failure.StreamIncomplete, "a line that is done"},
		{"stream: half a line", true, 200, ndjsonType, delta + `{"mess`, failure.StreamIncomplete, "inside a line"},
		{"stream: an unreadable line", true, 200, ndjsonType, delta + "{oops\n" + final, failure.MalformedResponse, "{oops"},
		{"stream: a line of nothing", true, 200, ndjsonType, "{}\n" + final, failure.MalformedResponse, "no message"},
		{"stream: an error", true, 200, ndjsonType, delta + `{"error":"the runner stopped"}` + "\n", failure.StreamInterrupted, "the runner stopped"},
		{"stream: overload", true, 200, ndjsonType, `{"error":"server busy"}` + "\n", failure.Overloaded, "server busy"},
		{"stream: events", true, 200, "text/event-stream", "data: " + final + "\n", failure.MalformedResponse, "text/event-stream"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, failed := parse(c.stream, answer(c.status, c.media, strings.NewReader(c.body)), nil)
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
// failure, after one, of whatever kind, an interrupted stream, and that a
// timeout stays one.
func TestParseBrokenStream(t *testing.T) {
	reset := wire.ReadReset("h:443")
	silent := `{"message":{"role":"assistant","content":""},"done":false}` + "\n"
	call := `{"message":{"tool_calls":[{"function":{"name":"f","arguments":{}}}]},"done":false}` + "\n"
	thought := `{"message":{"thinking":"hm"},"done":false}` + "\n"
	for _, c := range []struct {
		body string
		err  error
		want failure.Kind
	}{
		{silent, reset, failure.Connection},
		{delta[:9], reset, failure.Connection},
		{delta, reset, failure.StreamInterrupted},
		{call, reset, failure.StreamInterrupted},
		{thought, io.ErrUnexpectedEOF, failure.StreamInterrupted},
		{delta, wire.ReadTimeout("h:443"), failure.Timeout},
		{delta, context.Canceled, failure.Cancelled},
		{delta + final, reset, ""},
	} {
		_, failed := parse(true, answer(200, ndjsonType, io.MultiReader(strings.NewReader(c.body), iotest.ErrReader(c.err))), nil)
		if got := kindOf(failed); got != c.want {
			t.Errorf("%s then %v: %+v, want %s", c.body, c.err, failed, c.want)
		}
	}
}

func kindOf(f *failure.Failure) failure.Kind {
	if f == nil {
		return ""
	}
	return f.Kind
}

// V19: shows that a rate limit carries the server's wait in all three forms.
func TestParseRetryAfter(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        time.Duration
	}{
		{"Retry-After", "30", 30 * time.Second},
		{"Retry-After", virtualNow().Add(7 * time.Second).Format(http.TimeFormat), 7 * time.Second},
		{"retry-after-ms", "250", 250 * time.Millisecond},
	} {
		resp := answer(429, jsonType, strings.NewReader("{}"))
		resp.Header.Set(c.name, c.value)
		if _, failed := parse(false, resp, nil); kindOf(failed) != failure.RateLimit || !failed.HasRetryAfter || failed.RetryAfter != c.want {
			t.Errorf("%s: %s: %+v", c.name, c.value, failed)
		}
	}
}

// V36: shows that a consumer that stops after one chunk ends the reading, with
// its own error inside a cancellation, and that nothing more is read.
func TestParseStopped(t *testing.T) {
	stop := errors.New("enough")
	body := io.MultiReader(strings.NewReader(delta), iotest.ErrReader(errors.New("read on")))
	out, failed := parse(true, answer(200, ndjsonType, body), func(providers.Chunk) error { return stop })
	if kindOf(failed) != failure.Cancelled || !strings.Contains(failed.Message, "enough") || out.Content != "a" || out.Complete {
		t.Errorf("%+v, %+v", failed, out)
	}
}

// Shows that a call which ends while lines are still at hand is not read on.
func TestParseEndedContext(t *testing.T) {
	ctx, cancel := adaptertest.NewClock().WithCancel(context.Background())
	n := 0
	_, failed := ollama.Adapter{}.Parse(ctx, streamIn, answer(200, ndjsonType, strings.NewReader(delta+delta+final)), nil, virtualNow,
		func(providers.Chunk) error {
			n++
			cancel()
			return nil
		})
	if kindOf(failed) != failure.Cancelled || n != 1 {
		t.Errorf("%d chunks, then %+v", n, failed)
	}
}

// Shows that a stream is read the same whatever pieces and line ends it arrives
// in, also without the last line end, and that a plain answer to a streamed
// request is its only chunk.
func TestParsePieces(t *testing.T) {
	stream := strings.ReplaceAll(delta+"\n"+delta+strings.TrimSpace(final), "\n", "\r\n")
	out, failed := parse(true, answer(200, ndjsonType, iotest.OneByteReader(strings.NewReader(stream))), nil)
	if failed != nil || out.Content != "aa" || out.FinishReason != "stop" || !out.Complete || out.Usage.Total != 324 {
		t.Errorf("%+v, %+v", failed, out)
	}
	out, failed = parse(true, answer(200, jsonType, strings.NewReader(`{"message":{"content":"all at once"},"done":true}`)), nil)
	if failed != nil || !cmp.Equal(out.Chunks, []string{"all at once"}) {
		t.Errorf("%+v, %+v", failed, out)
	}
}

// Shows that the number of tool calls is bounded.
func TestParseManyToolCalls(t *testing.T) {
	call := `{"message":{"tool_calls":[{"function":{"name":"f","arguments":{}}}]},"done":false}` + "\n"
	if _, failed := parse(true, answer(200, ndjsonType, strings.NewReader(strings.Repeat(call, 5000)+final)), nil); kindOf(failed) != failure.MalformedResponse {
		t.Errorf("%+v", failed)
	}
}
