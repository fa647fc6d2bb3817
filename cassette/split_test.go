package cassette

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/scenario-lang/scenario/wire"
)

// A stream is one part per event, with the exact bytes of each: line ends of
// all three kinds, comments, and blank lines before and after.
func TestShapeEvents(t *testing.T) {
	for name, tt := range map[string]struct {
		contentType, body string
		want              []string
	}{
		"LF":          {"text/event-stream", "data: 1\n\ndata: 2\n\n", []string{"data: 1\n\n", "data: 2\n\n"}},
		"CRLF":        {"Text/Event-Stream;charset=UTF-8", "data: 1\r\n\r\ndata: 2\r\n\r\n", []string{"data: 1\r\n\r\n", "data: 2\r\n\r\n"}},
		"CRLF fields": {"text/event-stream", "event: x\r\ndata: 1\r\n\r\n", []string{"event: x\r\ndata: 1\r\n\r\n"}},
		"CR":          {"text/event-stream", "data: 1\r\rdata: 2\r\r", []string{"data: 1\r\r", "data: 2\r\r"}},
		"comments":    {"text/event-stream", ": a\n\nevent: x\ndata: 1\n\n", []string{": a\n\n", "event: x\ndata: 1\n\n"}},
		"blanks":      {"text/event-stream", "\n\ndata: 1\n\n\n\ndata: 2\n\n", []string{"\n\ndata: 1\n\n\n\n", "data: 2\n\n"}},
		"only":        {"text/event-stream", "\n\n", []string{"\n\n"}},
		"no end":      {"text/event-stream", "data: 1\n\ndata: 2", []string{"data: 1\n\n", "data: 2"}},
		"lines":       {"application/x-ndjson", "{\"a\":1}\n{\"a\":2}\n", []string{"{\"a\":1}\n", "{\"a\":2}\n"}},
		"messages": {
			"application/vnd.amazon.eventstream",
			"\x00\x00\x00\x11" + "0123456789abc" + "\x00\x00\x00\x10" + "0123456789ab",
			[]string{"\x00\x00\x00\x11" + "0123456789abc", "\x00\x00\x00\x10" + "0123456789ab"},
		},
		"bad length": {"application/vnd.amazon.eventstream", "\xff\x00\x00\x11" + "0123456789abc", []string{"\xff\x00\x00\x11" + "0123456789abc"}},
		"JSON":       {"application/json", "{}\n\n{}", []string{"{}\n\n{}"}},
		"nothing":    {"text/event-stream", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			var r wire.Response
			shape(&r, tt.contentType, []byte(tt.body), nil, time.Second)
			var got []string
			for _, p := range r.Parts {
				got = append(got, string(p.Data))
			}
			if d := cmp.Diff(tt.want, got); d != "" || r.Wait != time.Second {
				t.Errorf("wait %v\n%s", r.Wait, d)
			}
		})
	}
}

// An event comes when the read that brought its last byte returned; the header
// with the first read; a recorded cut after the silence before it.
func TestShapeChunks(t *testing.T) {
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	body := []byte("data: 1\n\ndata: 2\n\ndata: 3\n\n") // 9 bytes each
	for name, tt := range map[string]struct {
		contentType string
		chunks      []Chunk
		end         wire.End
		wait        time.Duration
		want        []time.Duration
	}{
		"whole events":   {"text/event-stream", []Chunk{{ms(500), 9}, {ms(1000), 9}, {ms(1200), 9}}, 0, ms(500), []time.Duration{0, ms(500), ms(200)}},
		"header first":   {"text/event-stream", []Chunk{{ms(100), 0}, {ms(500), 27}}, 0, ms(100), []time.Duration{ms(400), 0, 0}},
		"split event":    {"text/event-stream", []Chunk{{ms(1), 5}, {ms(2), 6}, {ms(3), 16}}, 0, ms(1), []time.Duration{ms(1), ms(1), 0}},
		"no stream":      {"text/plain", []Chunk{{ms(1), 5}, {ms(2), 22}}, 0, ms(1), []time.Duration{0, ms(1)}},
		"silence, reset": {"text/event-stream", []Chunk{{ms(1), 27}}, wire.EndRST, ms(1), []time.Duration{0, 0, 0, ms(1499)}},
	} {
		t.Run(name, func(t *testing.T) {
			r := wire.Response{End: tt.end}
			shape(&r, tt.contentType, body, tt.chunks, ms(1500))
			var got []time.Duration
			for _, p := range r.Parts {
				got = append(got, p.Wait)
			}
			if d := cmp.Diff(tt.want, got); d != "" || r.Wait != tt.wait || string(r.Body()) != string(body) {
				t.Errorf("wait %v, want %v; body %q\n%s", r.Wait, tt.wait, r.Body(), d)
			}
		})
	}
}
