package cassette

import (
	"bytes"
	"encoding/binary"
	"mime"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// A splitter returns the length of the first event of body, at least 1 for a
// body that is not empty, and whether that event is complete.
type splitter func(body []byte) (n int, complete bool)

// splitterOf returns how a body of the content type is cut into events, nil
// for one that is no stream.
func splitterOf(contentType string) splitter {
	switch mediaType(contentType) {
	case "text/event-stream":
		return sseEvent
	case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines":
		return line
	case "application/vnd.amazon.eventstream":
		return amazonMessage
	}
	return nil
}

// mediaType is the type without parameters in lower case; one that cannot be
// parsed is taken up to its first semicolon.
func mediaType(contentType string) string {
	if t, _, err := mime.ParseMediaType(contentType); err == nil {
		return t
	}
	t, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(t))
}

// isJSON reports whether the media type is JSON (RFC 8259, RFC 6839 §3.1).
func isJSON(contentType string) bool {
	t := mediaType(contentType)
	return t == "application/json" || strings.HasSuffix(t, "+json")
}

// sseEvent takes one event with its blank line, and further blank lines with
// it, so that the bytes of all events are the body. Lines end in LF, CRLF or
// CR, as the HTML standard has them.
func sseEvent(body []byte) (int, bool) {
	n, begun, complete := 0, false, false
	for n < len(body) {
		text, all := nextLine(body[n:])
		blank := text == 0 && all > 0
		if complete && !blank {
			break
		}
		n += all
		begun = begun || !blank
		complete = complete || blank && begun
		if text == all {
			break // the last line has no end
		}
	}
	return n, complete || !begun
}

// nextLine returns the length of the first line without and with its end.
func nextLine(b []byte) (text, all int) {
	i := bytes.IndexAny(b, "\r\n")
	switch {
	case i < 0:
		return len(b), len(b)
	case b[i] == '\r' && i+1 < len(b) && b[i+1] == '\n':
		return i, i + 2
	default:
		return i, i + 1
	}
}

// line takes one line; a last one without an end is complete if its value is.
func line(body []byte) (int, bool) {
	if i := bytes.IndexByte(body, '\n'); i >= 0 {
		return i + 1, true
	}
	return len(body), !cutJSON(body)
}

// amazonMessage takes one message of the binary event stream encoding, whose
// first four bytes are its total length.
func amazonMessage(body []byte) (int, bool) {
	const prelude = 16 // lengths and checksums
	if len(body) < prelude {
		return len(body), false
	}
	if n := binary.BigEndian.Uint32(body); n >= prelude && int64(n) <= int64(len(body)) {
		return int(n), true
	}
	return len(body), false
}

// isDone reports whether an event carries the end marker of OpenAI's streams
// and nothing else.
func isDone(event []byte) bool {
	data, ok := bytes.CutPrefix(bytes.TrimSpace(event), []byte("data:"))
	return ok && string(bytes.TrimSpace(data)) == "[DONE]"
}

// shape turns a recorded body into the parts of a response, with the waits
// that the chunks tell. Without chunks everything comes at duration. It shares
// the memory of body; the chunks must be valid for it (see checkChunks).
func shape(r *wire.Response, contentType string, body []byte, chunks []Chunk, duration time.Duration) {
	split := splitterOf(contentType)
	if hasField(r.Header, "Content-Encoding") {
		split = nil // the bytes are not the events
	}
	t := timeline{chunks: chunks, now: duration, end: duration}
	r.Stream = isStream(contentType)
	r.Wait = t.begin()
	switch {
	case split != nil:
		for len(body) > 0 {
			n, _ := split(body)
			r.Parts = append(r.Parts, part(body[:n:n], t.take(n), true))
			body = body[n:]
		}
	case len(chunks) > 0:
		for _, c := range chunks {
			if c.Len > 0 {
				r.Parts = append(r.Parts, part(body[:c.Len:c.Len], t.take(c.Len), r.Stream))
				body = body[c.Len:]
			}
		}
	case len(body) > 0:
		r.Parts = append(r.Parts, part(body, 0, r.Stream))
	}
	if rest := t.rest(); rest > 0 && r.End != wire.EndNone {
		r.Parts = append(r.Parts, wire.Part{Wait: rest, Kind: part(nil, 0, r.Stream).Kind})
	}
}

func isStream(contentType string) bool { return splitterOf(contentType) != nil }

func part(data []byte, wait time.Duration, event bool) wire.Part {
	kind := wire.PartBody
	if event {
		kind = wire.PartEvent
	}
	if event && isDone(data) {
		kind = wire.PartDone
	}
	return wire.Part{Data: data, Wait: wait, Kind: kind}
}

// A timeline tells how long to wait for the next bytes of a body. A piece is
// there when the chunk that holds its last byte is.
type timeline struct {
	chunks []Chunk
	now    time.Duration
	end    time.Duration
	left   int // bytes of the current chunk not yet taken
}

// begin returns when the header arrived: with the first chunk.
func (t *timeline) begin() time.Duration {
	if len(t.chunks) > 0 {
		t.now = t.chunks[0].At
	}
	return t.now
}

func (t *timeline) take(n int) time.Duration {
	before := t.now
	for n > t.left && len(t.chunks) > 0 {
		n -= t.left
		t.left, t.now = t.chunks[0].Len, t.chunks[0].At
		t.chunks = t.chunks[1:]
	}
	t.left -= n
	return t.now - before
}

// rest is what passed between the last byte and the end.
func (t *timeline) rest() time.Duration { return max(0, t.end-t.now) }
