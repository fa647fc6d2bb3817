package trace

import (
	"io"
	"strconv"
	"time"
)

// A Header is the first line of a scenario's trace. Empty fields but the seed
// are left out.
type Header struct {
	File     string
	Scenario string
	Seed     uint64
	// Plan is the digest of the compiled scenario, "sha256:…".
	Plan  string
	RunID string
}

// Start is how a file of traces begins, as each of its headers does.
const Start = `{"trace":`

// AppendJSON appends the header as one canonical JSON object whose first key
// is the version of the format.
func (h Header) AppendJSON(dst []byte) []byte {
	dst = append(dst, Start+"1"...)
	dst = appendText(dst, `,"file":`, h.File)
	dst = appendText(dst, `,"scenario":`, h.Scenario)
	dst = append(dst, `,"seed":`...)
	dst = strconv.AppendUint(dst, h.Seed, 10)
	dst = appendText(dst, `,"plan":`, h.Plan)
	dst = appendText(dst, `,"run_id":`, h.RunID)
	return append(dst, '}')
}

// AppendJSON appends the event as one canonical JSON object: seq, at_ns and
// type always, the other fields in the order of fixedKeys where they
// apply, then the attributes that are not null, sorted.
func (e Event) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"seq":`...)
	dst = strconv.AppendUint(dst, e.Seq, 10)
	dst = append(dst, `,"at_ns":`...)
	dst = strconv.AppendInt(dst, int64(e.At), 10)
	dst = append(dst, `,"type":`...)
	dst = AppendString(dst, string(e.Type))
	dst = appendText(dst, `,"step":`, e.Step)
	dst = appendText(dst, `,"call":`, e.Call)
	dst = appendText(dst, `,"actor":`, e.Actor)
	dst = appendCount(dst, `,"attempt":`, e.Attempt)
	dst = appendCount(dst, `,"round":`, e.Round)
	dst = appendCount(dst, `,"turn":`, e.Turn)
	dst = appendCount(dst, `,"iteration":`, e.Iteration)
	dst = appendText(dst, `,"target":`, e.Target)
	return append(appendMembers(dst, e.Payload), '}')
}

func appendText(dst []byte, key, s string) []byte {
	if s == "" {
		return dst
	}
	return AppendString(append(dst, key...), s)
}

func appendCount(dst []byte, key string, n int) []byte {
	if n == 0 {
		return dst
	}
	return strconv.AppendInt(append(dst, key...), int64(n), 10)
}

// bufferSize is how much is encoded between two writes.
const bufferSize = 64 << 10

// WriteTo writes one scenario's trace as JSON Lines: the header, then a line
// for each event. Equal arguments give equal bytes.
func WriteTo(w io.Writer, h Header, events []Event) error {
	buf := append(h.AppendJSON(make([]byte, 0, 4<<10)), '\n')
	for i := range events {
		buf = append(events[i].AppendJSON(buf), '\n')
		if len(buf) >= bufferSize {
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	_, err := w.Write(buf)
	return err
}

// Millis is a time as people read it: whole milliseconds, truncated.
func Millis(d time.Duration) int64 { return d.Milliseconds() }
