package faults

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const contentLengthMismatchName = "content_length_mismatch"

var contentLengthMismatch = &Kind{
	Name:    contentLengthMismatchName,
	Summary: "An answer whose Content-Length is not the size of its body; then the connection is closed. A stream is sent unchunked.",
	For:     overHTTP,
	Groups:  []Group{GroupCut},
	Attrs: []schema.Attr{
		{Name: "by", Type: schema.Int, Default: "50", Min: -cutMax, HasMin: true, Max: cutMax, HasMax: true, Doc: "How many bytes more than there are the answer announces. Less than 0: as many are never read, and what was announced is a cut body. Not 0."},
	},
	Fails:  fails,
	Tried:  each(0, schema.Values{}, schema.Values{"by": -1}),
	Spares: sparesContent,
	Script: strikeContentLengthMismatch,
}

const mismatchDefault = 50

func strikeContentLengthMismatch(s Strike) (wire.WireScript, error) {
	by := s.number("by", mismatchDefault)
	switch {
	case by == 0:
		return wire.WireScript{}, errors.New("by is 0: the length would be the right one")
	case by < -cutMax || by > cutMax:
		return wire.WireScript{}, fmt.Errorf("by is %d: it is between %d and %d", by, -cutMax, cutMax)
	}
	resp, err := s.measured(by)
	if err != nil {
		return wire.WireScript{}, err
	}
	size := len(resp.Body())
	if size+by < 1 {
		return wire.WireScript{}, fmt.Errorf("by is %d, but the answer has %d bytes: at least one is announced", by, size)
	}
	resp.Stream, resp.Length, resp.End = false, size+by, wire.EndFIN
	resp.Wait = s.wait(resp.Wait)
	return resp.Script(s.labelled(contentLengthMismatchName)), nil
}

// sparesContent says why nothing is lost that an answer says: behind the last content of
// a stream there is only its end marker, which many clients do not read.
func sparesContent(s Strike) string {
	by := s.number("by", mismatchDefault)
	if by >= 0 || s.Base == nil {
		return ""
	}
	lost := -by
	for _, p := range slices.Backward(s.Base.Parts) {
		data := p.Data
		if p.Kind != wire.PartDone {
			data = data[max(0, len(data)-lost):]
			if len(bytes.TrimSpace(data)) > 0 {
				return ""
			}
		}
		if lost -= len(data); lost <= 0 {
			break
		}
	}
	return "all that is cut is white space, or the marker behind the end of a stream"
}

// measured is the answer whose length is wrong: that of the entry, or one body
// of JSON, so that a cut is seen whatever the provider.
func (s Strike) measured(by int) (wire.Response, error) {
	if s.Base == nil {
		return s.wholeJSON(max(-by, 0)), nil
	}
	resp, err := s.withBody(0)
	if resp.Stream && by > 0 {
		// Behind the end marker nobody would read on and miss what is missing.
		resp.Parts = slices.DeleteFunc(resp.Parts, func(p wire.Part) bool { return p.Kind == wire.PartDone })
	}
	return resp, err
}

// wholeJSON is an answer of more than the given number of bytes that is no
// stream.
func (s Strike) wholeJSON(size int) wire.Response {
	text := strings.Repeat(brokenText, size/len(brokenText)+1)
	resp := s.Vendor.Whole(text)
	if body := resp.Body(); !json.Valid(body) {
		return answer(http.StatusOK, "application/json", bytes.Join([][]byte{[]byte(`{"text":"`), []byte(text), []byte(`"}`)}, nil))
	}
	return resp
}
