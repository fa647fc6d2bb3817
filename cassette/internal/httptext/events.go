package httptext

import (
	"bytes"
	"encoding/binary"
	"mime"
	"strings"
)

// A splitter returns the length of the first event of body, at least 1 for a
// body that is not empty, and whether that event is complete.
type splitter func(body []byte) (n int, complete bool)

// SplitterOf returns how a body of the content type is cut into events, nil
// for one that is no stream.
func SplitterOf(contentType string) splitter {
	switch MediaType(contentType) {
	case "text/event-stream":
		return sseEvent
	case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines":
		return line
	case "application/vnd.amazon.eventstream":
		return amazonMessage
	}
	return nil
}

// MediaType is the type without parameters in lower case; one that cannot be
// parsed is taken up to its first semicolon.
func MediaType(contentType string) string {
	if t, _, err := mime.ParseMediaType(contentType); err == nil {
		return t
	}
	t, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(t))
}

// IsJSON reports whether the media type is JSON (RFC 8259, RFC 6839 §3.1).
func IsJSON(contentType string) bool {
	t := MediaType(contentType)
	return t == "application/json" || strings.HasSuffix(t, "+json")
}

// sseEvent takes one event with its blank line, and further blank lines with
// it, so that the bytes of all events are the body. Lines end in LF, CRLF or
// CR, as the HTML standard has them.
func sseEvent(body []byte) (int, bool) {
	n, begun, complete := 0, false, false
	for n < len(body) {
		text, all := NextLine(body[n:])
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

// NextLine returns the length of the first line without and with its end.
func NextLine(b []byte) (text, all int) {
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

// IsDone reports whether an event carries the end marker of OpenAI's streams
// and nothing else.
func IsDone(event []byte) bool {
	data, ok := bytes.CutPrefix(bytes.TrimSpace(event), []byte("data:"))
	return ok && string(bytes.TrimSpace(data)) == "[DONE]"
}

// IsStream reports whether a body of the content type is a stream of events.
func IsStream(contentType string) bool { return SplitterOf(contentType) != nil }
