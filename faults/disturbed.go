package faults

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

// brokenText is the answer that a fault disturbs where its entry has none: a
// sentence of eight words, said again until there is enough to disturb.
const brokenText = "This answer will not come to its end. "

// fails is for kinds that no attempt survives.
func fails(schema.Values) bool { return true }

// answerless is for kinds that never look at an answer.
func answerless(schema.Values) bool { return true }

// disturbed returns the answer of the entry, or else a default one of at least
// the given number of chunks; ours tells which.
func (s Strike) disturbed(chunks int) (resp wire.Response, ours bool) {
	if s.Base != nil {
		resp = *s.Base
		resp.Parts = slices.Clone(resp.Parts)
		s.Vendor.Label(&resp)
		return resp, false
	}
	words := strings.Fields(brokenText)
	again := max(1, (chunks+len(words)-1)/len(words))
	text := strings.TrimSpace(strings.Repeat(brokenText, again))
	return s.Vendor.Reply(text, nil, "", -1), true
}

// withBody is disturbed for faults of the body. It refuses an answer whose
// status allows none (RFC 9110 §6.4.1).
func (s Strike) withBody(chunks int) (wire.Response, error) {
	resp, _ := s.disturbed(chunks)
	switch status := resp.Status; {
	case status != 0 && status < 200, status == http.StatusNoContent, status == http.StatusNotModified:
		return resp, fmt.Errorf("an answer of status %d has no body to disturb", status)
	}
	return resp, nil
}

// longEnough is disturbed for a body of more than the given number of bytes.
func (s Strike) longEnough(size int) wire.Response {
	resp, ours := s.disturbed(0)
	for chunks := 16; ours && len(resp.Body()) <= size && chunks <= size; chunks *= 2 {
		resp, _ = s.disturbed(chunks)
	}
	return resp
}
