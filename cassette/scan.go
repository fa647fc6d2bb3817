package cassette

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/redact"
)

// scan refuses an interaction that still shows a secret: one that the recorder
// knows, or a token. It is the last look before anything is written, and finds
// nothing where redaction did its work.
func (r *Recorder) scan(it *Interaction) error {
	for _, p := range it.parts() {
		what := ""
		if found := redact.Sightings(p.text); len(found) > 0 {
			what = fmt.Sprintf("a token of the form %s in line %d", found[0].Rule, 1+strings.Count(p.text[:found[0].Start], "\n"))
		}
		for _, red := range r.redactors {
			if red.Finds(p.text) {
				what = "a secret of the run"
			}
		}
		if what != "" {
			return fmt.Errorf("cassette %s: nothing is written, because the %s of step %q, attempt %d, shows %s\nhint: hide it with redact { patterns = […] } in the cassette block, and record again",
				r.path, p.name, it.Step, it.Attempt, what)
		}
	}
	return nil
}

// An interactionPart is a text of an interaction, with its name for people.
type interactionPart struct{ name, text string }

// parts are all the texts of an interaction that came from outside.
func (it *Interaction) parts() []interactionPart {
	list := []interactionPart{{"URL", it.URL}, {"request body", string(it.RequestBody)}}
	if text := redact.UnpackedAll(it.RequestHeader.Get("Content-Encoding"), string(it.RequestBody)); text != string(it.RequestBody) {
		list = append(list, interactionPart{"compressed request body", text})
	}
	for _, name := range slices.Sorted(maps.Keys(it.RequestHeader)) {
		list = append(list, interactionPart{"request field " + name, strings.Join(it.RequestHeader[name], "\n")})
	}
	for _, f := range it.Response.Header {
		list = append(list, interactionPart{"answer's field " + f.Name, f.Value})
	}
	for _, f := range it.Response.Trailer {
		list = append(list, interactionPart{"answer's trailer " + f.Name, f.Value})
	}
	body := string(it.Response.Body())
	if text := redact.UnpackedAll(httptext.FieldValue(it.Response.Header, "Content-Encoding"), body); text != body {
		list = append(list, interactionPart{"answer's compressed body", text})
	}
	return append(list, interactionPart{"answer's body", body}, interactionPart{"answer's status", it.Response.Reason}, interactionPart{"error", it.ErrorText})
}
