package cassette

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/wire"
)

// Redacted is the cassette as a recorder would have kept it: without the header
// fields that are not known to be harmless, and with placeholders for secrets.
func (c *Cassette) Redacted(r *redact.Redactor) *Cassette {
	r = r.Recording()
	out := &Cassette{Path: c.Path, Format: c.Format, Whole: c.Whole, Own: c.Own, Provider: c.Provider, RecordedAt: c.RecordedAt, Scripts: c.Scripts}
	for _, it := range c.Interactions {
		out.Interactions = append(out.Interactions, hiddenIn(r, it.Clone()))
	}
	return out
}

// hiddenIn hides what an interaction shows, in place.
func hiddenIn(r *redact.Redactor, it *Interaction) *Interaction {
	hidden := r.Request(redact.Request(it.Request()))
	it.URL, it.RequestBody = hidden.URL, hidden.Body
	if len(it.Form) > 0 {
		it.Form = formOf(it)
	}
	it.RequestHeader = keptHeader(r, it.RequestHeader, keptRequest, nil)
	if it.Error != "" {
		it.ErrorText = r.Text(it.ErrorText)
		return it
	}
	kept := keptHeader(r, httptext.Header(it.Response.Header), keptResponse, nil)
	before := string(it.Response.Body())
	body := r.Stored(kept, before)
	it.Chunks = remap(it.Chunks, before, body)
	it.Response.Trailer = httptext.ReplayFields(keptHeader(r, httptext.Header(it.Response.Trailer), keptResponse, nil), nil)
	status, reason, end, trailer := it.Response.Status, it.Response.Reason, it.Response.End, it.Response.Trailer
	it.Response = wire.Response{End: end, Trailer: trailer}
	it.SetAnswer(status, fmt.Sprintf("%d %s", status, reason), kept, body)
	return it
}

// formOf reads the form of a redacted interaction anew.
func formOf(it *Interaction) map[string][]string {
	req, err := http.NewRequest(it.Method, it.URL, strings.NewReader(string(it.RequestBody)))
	if err != nil {
		return nil
	}
	req.Header.Set("Content-Type", it.RequestHeader.Get("Content-Type"))
	_ = req.ParseForm() // what can be read of it
	return req.Form
}
