package anthropic_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	"github.com/scenario-lang/scenario/providers/anthropic"
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
	return anthropic.Adapter{}.Parse(context.Background(), in, resp, err, virtualNow, sink)
}

func streamed(body string) (providers.Output, *failure.Failure) {
	return parse(providers.Input{Stream: true}, answer(200, sseType, strings.NewReader(body)), nil, nil)
}

// event frames data as the vendor does, the type being the name too.
func event(typ, fields string) string {
	return "event: " + typ + "\ndata: {\"type\":\"" + typ + "\"" + fields + " }\n\n"
}

const (
	jsonType = "application/json; charset=utf-8"
	sseType  = "text/event-stream; charset=utf-8"
)

var (
	started = event("message_start", `,"message":{"id":"msg_1","type":"message","role":"assistant","model":"claude","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":5,"output_tokens":1}}`)
	begun   = event("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`) + event("ping", "")
	text    = begun + event("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":"a"}`)
	stopped = event("content_block_stop", `,"index":0`) +
		event("message_delta", `,"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":7}`) + event("message_stop", "")
)

// Shows what each answer that is no message is observed as: the table of
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
		{"half JSON", false, 200, jsonType, `{"content":[`, failure.MalformedResponse, "unexpected end"},
		{"two objects", false, 200, jsonType, `{"content":[]} {}`, failure.MalformedResponse, "after top-level value"},
		{"null", false, 200, jsonType, "null", failure.MalformedResponse, "no JSON object"},
		{"empty", false, 200, jsonType, "", failure.MalformedResponse, "empty"},
		{"HTML", false, 200, "text/html", "<p>hi</p>", failure.MalformedResponse, `"text/html"`},
		{"good JSON as text", false, 200, "text/plain", `{"content":[]}`, failure.MalformedResponse, `"text/plain"`},
		{"a stream that was not asked for", false, 200, sseType, started + text + stopped, failure.MalformedResponse, "text/event-stream"},
		{"Bedrock's stream", true, 200, "application/vnd.amazon.eventstream", "\x00\x00\x00\x10", failure.StreamIncomplete, "inside an event, without message_stop"},
		{"Bedrock's stream, damaged", true, 200, "application/vnd.amazon.eventstream", "\x00\x00\x00\x10\x00\x00\x00\x00\x05\xc2\x48\xec\x7d\x98\xc8\xff", failure.MalformedResponse, "damaged"},
		{"Bedrock's stream, not asked for", false, 200, "application/vnd.amazon.eventstream", "\x00\x00\x00\x10", failure.MalformedResponse, "stream = true"},
		{"a count of tokens", false, 200, jsonType, `{"input_tokens":5}`, failure.MalformedResponse, "no content"},
		{"a wrong type", false, 200, jsonType, `{"content":[{"type":"text","text":7}]}`, failure.MalformedResponse, "text"},
		{"an error inside", false, 200, jsonType, `{"type":"error","error":{"type":"api_error","message":"m"}}`, failure.HTTPStatus, "api_error: m"},
		{"a rate limit inside", false, 200, jsonType, `{"type":"error","error":{"type":"rate_limit_error","message":"m"}}`, failure.RateLimit, "rate_limit_error: m"},
		{"overload inside a stream's answer", true, 200, jsonType, `{"type":"error","error":{"type":"overloaded_error","message":"m"}}`, failure.Overloaded, "overloaded_error: m"},
		{"an error that is a string", false, 200, jsonType, `{"error":"m"}`, failure.HTTPStatus, "m"},
		{"Vertex AI's quota inside", false, 200, jsonType, `{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}`, failure.RateLimit, "RESOURCE_EXHAUSTED: m"},
		{"a code that is no number", false, 200, jsonType, `{"error":{"code":"x","message":"m"}}`, failure.HTTPStatus, "error: m"},
		{"an HTML error page", false, 502, "text/html", "<h1>Bad  gateway</h1>", failure.HTTPStatus, "<h1>Bad gateway</h1>"},
		{"Bedrock's error", false, 403, jsonType, `{"message":"The security token is invalid."}`, failure.HTTPStatus, "The security token is invalid."},
		{"Vertex AI's error", false, 429, jsonType, `{"error":{"code":429,"message":"Quota","status":"RESOURCE_EXHAUSTED"}}`, failure.RateLimit, "RESOURCE_EXHAUSTED: Quota"},
		{"a redirect", false, 302, "text/plain", "", failure.HTTPStatus, "HTTP 302 Found"},

		{"stream: no end marker", true, 200, sseType, started + text, failure.StreamIncomplete, "message_stop"},
		{"stream: stop reason without end marker", true, 200, sseType, strings.TrimSuffix(started+text+stopped, event("message_stop", "")), failure.StreamIncomplete, "message_stop"},
		{"stream: half an event", true, 200, sseType, started + text + "data: {", failure.StreamIncomplete, "inside an event"},
		{"stream: half an end marker", true, 200, sseType, strings.TrimSuffix(started+text+stopped, "\n"), failure.StreamIncomplete, "inside an event"},
		{"stream: unreadable frame", true, 200, sseType, started + begun + "event: content_block_delta\ndata: {oops\n\n" + stopped, failure.MalformedResponse, "{oops"},
		{"stream: unreadable frame without a name", true, 200, sseType, started + text + "data: {oops\n\n" + stopped, failure.MalformedResponse, "{oops"},
		{"stream: frame without a type", true, 200, sseType, started + "data: {}\n\n" + stopped, failure.MalformedResponse, "neither a type nor an error"},
		{"stream: frame that is null", true, 200, sseType, "data: null\n\n", failure.MalformedResponse, "no JSON object"},
		{"stream: no message began", true, 200, sseType, event("message_stop", ""), failure.MalformedResponse, "no message began"},
		{"stream: empty beginning", true, 200, sseType, event("message_start", ""), failure.MalformedResponse, "no message"},
		{"stream: lost beginning of a block", true, 200, sseType, started + event("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":"a"}`), failure.MalformedResponse, "without having begun"},
		{"stream: a block twice", true, 200, sseType, started + begun + begun, failure.MalformedResponse, "twice"},
		{"stream: an error", true, 200, sseType, started + text + event("error", `,"error":{"type":"api_error","message":"m"}`), failure.StreamInterrupted, "api_error: m"},
		{"stream: a rate limit", true, 200, sseType, started + event("error", `,"error":{"type":"rate_limit_error","message":"m"}`), failure.RateLimit, "rate_limit_error: m"},
		{"stream: overload", true, 200, sseType, started + text + event("error", `,"error":{"type":"overloaded_error","message":"Overloaded"}`), failure.Overloaded, "Overloaded"},
		{"stream: Google's error", true, 200, sseType, `data: {"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}` + "\n\n", failure.StreamInterrupted, "UNAVAILABLE: m"},
		{"stream: empty", true, 200, sseType, "", failure.StreamIncomplete, "message_stop"},
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
// failure with its cause, after it an interrupted stream, and that a timeout
// and a cancellation stay what they are wherever they strike.
func TestParseBrokenStream(t *testing.T) {
	reset, timeout := wire.ReadReset("h:443"), wire.ReadTimeout("h:443")
	thinking := event("content_block_start", `,"index":0,"content_block":{"type":"thinking","thinking":"","signature":""}`) +
		event("content_block_delta", `,"index":0,"delta":{"type":"thinking_delta","thinking":"hm"}`)
	call := event("content_block_start", `,"index":0,"content_block":{"type":"tool_use","id":"c","name":"f","input":{}}`)
	for _, c := range []struct {
		name, body string
		err        error
		kind       failure.Kind
		cause      failure.Cause
		content    string
	}{
		{"reset after the beginning", started + begun, reset, failure.Connection, failure.Reset, ""},
		{"reset in the first event", started[:20], reset, failure.Connection, failure.Reset, ""},
		{"end after the beginning", started, io.ErrUnexpectedEOF, failure.Connection, failure.EOF, ""},
		{"reset after a delta", started + text, reset, failure.StreamInterrupted, "", "a"},
		{"end after a delta", started + text, io.ErrUnexpectedEOF, failure.StreamInterrupted, "", "a"},
		{"reset after a thought", started + thinking, reset, failure.StreamInterrupted, "", ""},
		{"reset after a tool call", started + call, reset, failure.StreamInterrupted, "", ""},
		{"timeout after a delta", started + text, timeout, failure.Timeout, "", "a"},
		{"deadline after a delta", started + text, context.DeadlineExceeded, failure.Timeout, "", "a"},
		{"cancellation after a delta", started + text, context.Canceled, failure.Cancelled, "", "a"},
		{"reset after the end marker", started + text + stopped, reset, "", "", "a"},
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
// milliseconds, and as a date against the clock that is handed in.
func TestParseRetryAfter(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        time.Duration
	}{
		{"Retry-After", "30", 30 * time.Second},
		{"Retry-After-Ms", "200", 200 * time.Millisecond},
		{"Retry-After", virtualNow().Add(7 * time.Second).Format(http.TimeFormat), 7 * time.Second},
	} {
		resp := answer(429, jsonType, strings.NewReader("{}"))
		resp.Header.Set(c.name, c.value)
		if _, failed := parse(providers.Input{}, resp, nil, nil); !failed.HasRetryAfter || failed.RetryAfter != c.want || failed.Kind != failure.RateLimit {
			t.Errorf("%s: %+v", c.value, failed)
		}
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
		{sseType, io.MultiReader(strings.NewReader(started+text), iotest.ErrReader(errors.New("read on")))},
		{jsonType, strings.NewReader(`{"content":[{"type":"text","text":"a"}]}`)},
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
	more := event("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":"b"}`)
	_, failed := anthropic.Adapter{}.Parse(ctx, providers.Input{Stream: true}, answer(200, sseType, strings.NewReader(started+text+more+stopped)), nil, virtualNow,
		func(providers.Chunk) error {
			chunks++
			cancel()
			return nil
		})
	if failed == nil || failed.Kind != failure.Cancelled || chunks != 1 {
		t.Errorf("%d chunks, then %+v", chunks, failed)
	}
}

// Shows that a stream is read the same whatever pieces and line ends it comes
// in, and that comments and events which are not known do not matter, whatever
// their fields are.
func TestParseForeignEvents(t *testing.T) {
	stream := ": hello\n\n" + started + event("vertex_event", `,"error":null,"index":"x"`) + begun +
		event("content_block_delta", `,"index":0,"delta":{"type":"future_delta","text":7}`) +
		event("content_block_delta", `,"index":0,"delta":{"type":"citations_delta","citation":{"cited_text":"no"}}`) +
		event("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":"a","new":{}}`) +
		event("future_event", `,"delta":"x"`) + stopped
	stream = strings.ReplaceAll(stream, "\n", "\r\n")
	out, failed := parse(providers.Input{Stream: true}, answer(200, sseType, iotest.OneByteReader(strings.NewReader(stream))), nil, nil)
	if failed != nil || out.Content != "a" || out.FinishReason != "end_turn" || !out.Complete {
		t.Errorf("%+v, %+v", failed, out)
	}
	if want := (providers.Usage{Set: true, Prompt: 5, Completion: 7, Total: 12}); out.Usage != want {
		t.Errorf("usage %+v, want %+v: the later count stands for the earlier", out.Usage, want)
	}
}

// Shows that events without names are read by the type in their data.
func TestParseUnnamedEvents(t *testing.T) {
	var data []string
	for line := range strings.SplitSeq(started+text+stopped, "\n") {
		if !strings.HasPrefix(line, "event:") {
			data = append(data, line)
		}
	}
	if out, failed := streamed(strings.Join(data, "\n")); failed != nil || out.Content != "a" {
		t.Errorf("%+v, %+v", failed, out)
	}
}

// Shows that calls are put together by the index of their block, however their
// pieces are mixed; that a call without pieces has the input it began with; and
// that a tool which the vendor runs itself is no call.
func TestParseToolCalls(t *testing.T) {
	block := func(index int, kind, id, input string) string {
		return event("content_block_start", `,"index":`+strconv.Itoa(index)+`,"content_block":{"type":"`+kind+`","id":"`+id+`","name":"n`+id+`","input":`+input+`}`)
	}
	piece := func(index int, partial string) string {
		return event("content_block_delta", `,"index":`+strconv.Itoa(index)+`,"delta":{"type":"input_json_delta","partial_json":`+strconv.Quote(partial)+`}`)
	}
	result := event("content_block_start", `,"index":4,"content_block":{"type":"web_search_tool_result","tool_use_id":"s","content":[{"type":"web_search_result"}]}`)
	out, failed := streamed(started + block(2, "tool_use", "a", "{}") + block(0, "tool_use", "b", "{}") + block(1, "server_tool_use", "s", "{}") + result +
		block(3, "tool_use", "c", `{"x": [1.50]}`) + piece(2, "") + piece(0, `{"x"`) + piece(1, `{"query"`) + piece(2, `[]`) + piece(0, ":1}") + stopped)
	want := []providers.ToolCall{{ID: "a", Name: "na", Arguments: "[]"}, {ID: "b", Name: "nb", Arguments: `{"x":1}`}, {ID: "c", Name: "nc", Arguments: `{"x":[1.50]}`}}
	if failed != nil || len(out.ToolCalls) != 3 || out.ToolCalls[0] != want[0] || out.ToolCalls[1] != want[1] || out.ToolCalls[2] != want[2] {
		t.Errorf("%+v, %+v", failed, out.ToolCalls)
	}
	var many strings.Builder
	for i := range 5000 {
		many.WriteString(block(i, "tool_use", "x", "{}"))
	}
	if _, failed := streamed(started + many.String() + stopped); failed == nil || failed.Kind != failure.MalformedResponse {
		t.Errorf("5000 blocks: %+v", failed)
	}
}

// Shows that the text of an answer is all its text blocks, its reasoning all
// its thoughts, and that blocks of the vendor's own tools, of redacted thinking
// and of kinds yet unknown are passed over, whatever their fields are.
func TestParseBlocks(t *testing.T) {
	body := `{"id":"m","type":"message","model":"claude","content":[
		{"type":"thinking","thinking":"first ","signature":"s"},{"type":"redacted_thinking","data":"x"},{"type":"thinking","thinking":"then","signature":"s"},
		{"type":"text","text":"It is "},{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"q"}},
		{"type":"web_search_tool_result","tool_use_id":"s","content":[{"type":"web_search_result","title":"t"}]},
		{"type":"mcp_tool_use","id":"p","name":"f","input":{}},{"type":"future","text":{"deep":1},"input":7},
		{"type":"text","text":"blue.","citations":[{"type":"char_location","cited_text":"no"}]},
		{"type":"tool_use","id":"t","name":"f","input":{"b": 1,"a":[1e2]}}],
		"stop_reason":"tool_use","usage":{"input_tokens":1,"cache_creation_input_tokens":20,"cache_read_input_tokens":300,"output_tokens":4,"output_tokens_details":{"thinking_tokens":3}}}`
	out, failed := parse(providers.Input{}, answer(200, jsonType, strings.NewReader(body)), nil, nil)
	if failed != nil || out.Content != "It is blue." || out.Reasoning != "first then" || out.FinishReason != "tool_use" {
		t.Errorf("%+v, %+v", failed, out)
	}
	if len(out.ToolCalls) != 1 || out.ToolCalls[0] != (providers.ToolCall{ID: "t", Name: "f", Arguments: `{"b":1,"a":[1e2]}`}) {
		t.Errorf("calls %+v", out.ToolCalls)
	}
	if want := (providers.Usage{Set: true, Prompt: 321, Completion: 4, Total: 325, Cached: 300, Reasoning: 3}); out.Usage != want {
		t.Errorf("usage %+v, want %+v", out.Usage, want)
	}
}

// Shows that a streamed request which is answered by one object is read as
// that, and its whole content is the only chunk.
func TestParsePlainAnswerToStream(t *testing.T) {
	var chunks []string
	body := `{"content":[{"type":"text","text":"all "},{"type":"text","text":"at once"}]}`
	out, failed := parse(providers.Input{Stream: true}, answer(200, jsonType, strings.NewReader(body)), nil, func(c providers.Chunk) error {
		chunks = append(chunks, c.Content)
		return nil
	})
	if failed != nil || out.Content != "all at once" || len(chunks) != 1 || chunks[0] != out.Content || out.Usage.Set {
		t.Errorf("%+v, %+v, %q", failed, out, chunks)
	}
}
