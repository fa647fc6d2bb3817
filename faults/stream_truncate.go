package faults

import (
	"errors"
	"fmt"
	"slices"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const streamTruncateName = "stream_truncate"

var streamTruncate = &Kind{
	Name:       streamTruncateName,
	AlsoCalled: []string{"truncate", "truncated"},
	Summary:    "A stream that delivers exactly this much of an answer and then ends.",
	For:        streams,
	Groups:     []Group{GroupCut},
	Attrs: []schema.Attr{
		{Name: "after_chunks", Type: schema.Int, Min: 0, HasMin: true, Doc: "How many deltas of content come through. Default: half of them, rounded up; of an answer without content half of its events."},
		{Name: "after_bytes", Type: schema.Int, Min: 0, HasMin: true, Max: cutMax, HasMax: true, Doc: "How many bytes of the body come through, in place of `after_chunks`."},
		{Name: "after_events", Type: schema.Int, Min: 0, HasMin: true, Doc: "How many events of any kind come through, in place of `after_chunks`."},
		{Name: "end", Type: schema.String, Default: `"reset"`, OneOf: []string{"reset", "eof", "clean", "stall"}, Doc: "`reset`: the connection is reset. `eof`: it is closed inside the body. `clean`: the body ends as if it were whole, without the provider's own end marker. `stall`: silence."},
		{Name: "content", Type: schema.String, Doc: "The text of the answer that is cut, where the fault has no `reply`."},
		{Name: "chunks", Type: schema.Strings, Doc: "Its deltas, in place of `content`."},
	},
	Tried:   tryStreamTruncate,
	Example: "after_chunks = 1\nend = \"clean\"",
	Script:  strikeStreamTruncate,
}

// tryStreamTruncate tries each end, behind half of the answer, behind its first delta,
// and before its last one.
func tryStreamTruncate(f Figures) []Trial {
	var list, last []Trial
	for _, end := range []string{"reset", "eof", "clean", "stall"} {
		list = append(list, each(5, schema.Values{"end": end}, schema.Values{"end": end, "after_chunks": 1})(f)...)
		for _, n := range f.Chunks {
			if n > 3 { // else that is the first or half of them
				last = append(last, Trial{Args: schema.Values{"end": end, "after_chunks": n - 1}, Rank: 5, Chunks: n})
			}
		}
	}
	return slices.Concat(list, last)
}

var ends = map[string]wire.End{
	"":      wire.EndRST,
	"reset": wire.EndRST,
	"eof":   wire.EndFIN,
	"clean": wire.EndNone,
	"stall": wire.EndHang,
}

// strikeStreamTruncate breaks the stream after some chunks.
func strikeStreamTruncate(s Strike) (wire.WireScript, error) {
	end, ok := ends[s.text("end")]
	if !ok {
		return wire.WireScript{}, fmt.Errorf("end is %q: it is reset, eof, clean or stall", s.text("end"))
	}
	if err := s.only("after_chunks", "after_bytes", "after_events"); err != nil {
		return wire.WireScript{}, err
	}
	whole, err := s.stream()
	if err != nil {
		return wire.WireScript{}, err
	}
	resp, err := s.cut(whole, end)
	if err != nil {
		return wire.WireScript{}, err
	}
	resp.Wait = s.wait(resp.Wait)
	return resp.Script(s.labelled(streamTruncateName)), nil
}

// stream is the whole stream that is cut.
func (s Strike) stream() (wire.Response, error) {
	if err := s.only("content", "chunks"); err != nil {
		return wire.Response{}, err
	}
	given := s.has("content") || s.has("chunks")
	if given && s.Base != nil {
		return wire.Response{}, errors.New("the fault has an answer to cut and a text of its own: keep one")
	}
	var resp wire.Response
	switch {
	case given:
		resp = s.Vendor.Reply(s.text("content"), s.texts("chunks"), "", -1)
	case s.has("after_bytes"):
		size, err := s.cutSize("after_bytes")
		if err != nil {
			return wire.Response{}, err
		}
		resp = s.longEnough(size)
	default:
		resp, _ = s.disturbed(s.enough())
	}
	if !resp.Stream {
		return wire.Response{}, errors.New("the answer is no stream: set stream = true on the step")
	}
	return resp, nil
}

// enough is a number of chunks of which what comes through is a part; it is
// bounded, and what lies beyond is refused when the answer is cut.
func (s Strike) enough() int {
	const most = 100_000
	return min(most, max(s.number("after_chunks", 0), s.number("after_events", 0))+1)
}

// cut takes away what after_chunks, after_bytes or after_events say. All of an
// answer may come through only where the end itself is the harm: where it is
// not clean, and no end marker of the provider has come before it.
func (s Strike) cut(whole wire.Response, end wire.End) (wire.Response, error) {
	events, chunks := len(whole.Parts), whole.Count(wire.PartChunk)
	done := whole.Count(wire.PartDone)
	harmed := end != wire.EndNone && done == 0
	switch {
	case s.has("after_bytes"):
		n := s.number("after_bytes", 0)
		return whole.CutBytes(n, end), tooFar("after_bytes", n, len(whole.Body()), harmed, "bytes")
	case s.has("after_events"):
		n := s.number("after_events", 0)
		return whole.CutEvents(n, end), tooFar("after_events", n, events, harmed, "events")
	case s.has("after_chunks"):
		n := s.number("after_chunks", 0)
		resp := whole.CutChunks(n, end)
		return resp, tooFar("after_chunks", n, chunks, harmed || len(resp.Parts) < events, "chunks")
	case chunks > 0:
		return whole.CutChunks((chunks+1)/2, end), nil
	default:
		return whole.CutEvents((events-done+1)/2, end), nil
	}
}

// tooFar refuses a cut that would not harm the answer; all says whether one
// behind its last byte would.
func tooFar(name string, n, size int, all bool, unit string) error {
	switch {
	case n < 0:
		return fmt.Errorf("%s is %d: it is 0 or more", name, n)
	case n > size, n == size && !all:
		return fmt.Errorf("%s is %d, but the answer has %d %s: nothing would be cut", name, n, size, unit)
	default:
		return nil
	}
}
