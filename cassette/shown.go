package cassette

import (
	"strconv"

	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/wire"
)

// ShownURL is the URL for people: without user and password, and without the
// values of query parameters that carry credentials. Files of other tools have
// them as they were sent.
func (it *Interaction) ShownURL() string { return redact.ShownURL(it.URL) }

// Outcome is how the exchange ended, in a few words: "200", "200, reset" for an
// answer that was cut, or "refused" where there was none.
func (it *Interaction) Outcome() string {
	if it.Error != "" {
		return it.Error
	}
	text := strconv.Itoa(httptext.StatusCode(it.Response.Status))
	if it.Response.End != wire.EndNone {
		text += ", " + wordOf(it.Response.End)
	}
	return text
}
