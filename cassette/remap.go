package cassette

import (
	"net/http"
	"slices"
	"strings"
)

// stored is a body as it may be stored, under the header that it came with.
func (r *Redactor) stored(h http.Header, body string) string {
	return r.storedAs(h.Get("Content-Type"), h.Get("Content-Encoding"), body, 0)
}

// storedAs looks into a compressed body. One in which nothing is hidden stays as
// it came; any other is compressed anew.
func (r *Redactor) storedAs(contentType, encoding, body string, depth int) string {
	if u, ok := unpack(encoding, body); ok && depth < nestedMax {
		if shown := r.storedAs(contentType, "", u.text, depth+1); shown != u.text {
			return u.packed(shown)
		}
	}
	return hideTokens(r.Body(contentType, r.hideDeltas(contentType, body)))
}

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
