package faults

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/failure"
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

// teller is a vendor whose answers can name a kind of failure, with a code of
// its own where it has one.
type teller interface {
	Typed(kind, message, code string) wire.Response
}

// noter is a vendor that can say nothing but that the work may go on.
type noter interface {
	Note(warning string) wire.Response
}

// opener is a vendor whose server speaks first.
type opener interface{ Opening() []byte }

// opening is what the server says before it is asked, nil where it says
// nothing, as over HTTP.
func (s Strike) opening() []byte {
	if o, ok := s.Vendor.(opener); ok {
		return o.Opening()
	}
	return nil
}

// typed is an answer that names a kind of failure, after the strike's wait.
func (s Strike) typed(name string, kind failure.Kind, message, code string) (wire.WireScript, error) {
	t, ok := s.Vendor.(teller)
	if !ok {
		return wire.WireScript{}, fmt.Errorf("a service of this kind has no answer for %s", kind)
	}
	resp := t.Typed(string(kind), message, code)
	resp.Wait = s.After
	return resp.Script(s.labelled(name)), nil
}

// note is an answer that lets the work go on, after the strike's wait.
func (s Strike) note(name, warning string) (wire.WireScript, error) {
	resp, err := s.noted(name, warning)
	resp.Wait = s.After
	return resp.Script(s.labelled(name)), err
}

// noted is an answer that lets the work go on.
func (s Strike) noted(name, warning string) (wire.Response, error) {
	t, ok := s.Vendor.(noter)
	if !ok {
		return wire.Response{}, fmt.Errorf("a service of this kind has no answer for %s", name)
	}
	return t.Note(warning), nil
}

// textOr is a text argument, or rest where it is absent or empty.
func (s Strike) textOr(name, rest string) string {
	if text := s.text(name); text != "" {
		return text
	}
	return rest
}

func mustDuration(text string) time.Duration {
	d, ok := schema.ParseDuration(text)
	if !ok {
		panic("faults: " + text + " is no duration")
	}
	return d
}
