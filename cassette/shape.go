package cassette

import (
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/wire"
)

// shape turns a recorded body into the parts of a response, with the waits
// that the chunks tell. Without chunks everything comes at duration. It shares
// the memory of body; the chunks must be valid for it (see chunkFlaw).
func shape(r *wire.Response, contentType string, body []byte, chunks []Chunk, duration time.Duration) {
	split := httptext.SplitterOf(contentType)
	if httptext.HasField(r.Header, "Content-Encoding") {
		split = nil // the bytes are not the events
	}
	t := timeline{chunks: chunks, now: duration, end: duration}
	r.Stream = httptext.IsStream(contentType)
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

func part(data []byte, wait time.Duration, event bool) wire.Part {
	kind := wire.PartBody
	if event {
		kind = wire.PartEvent
	}
	if event && httptext.IsDone(data) {
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

// remap moves the boundaries of the chunks of a body to where they are after
// secrets were replaced in it. Lines that are equal keep theirs exactly; within
// one that was changed a boundary moves in proportion.
func remap(chunks []Chunk, before, after string) []Chunk {
	if before == after {
		return chunks
	}
	was, is := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	if len(was) != len(is) {
		was, is = []string{before}, []string{after}
	}
	out := slices.Clone(chunks)
	at, line, start, moved, done := 0, 0, 0, 0, 0
	for i, c := range chunks {
		at += c.Len
		for line < len(was)-1 && at >= start+len(was[line]) {
			start, moved = start+len(was[line]), moved+len(is[line])
			line++
		}
		end := moved + within(at-start, was[line], is[line])
		out[i].Len = end - done
		done = end
	}
	return out
}

// within is the place in a changed line that stands for one in the old line.
func within(at int, was, is string) int {
	if was == is || len(was) == 0 {
		return min(at, len(is))
	}
	return at * len(is) / len(was)
}
