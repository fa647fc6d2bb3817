package uncompared

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// A Finding is a part of a cassette block that compares nothing.
type Finding struct {
	// Part is "match_headers", "ignore", "redact", or "all ignored" for an ignore that
	// leaves nothing to compare.
	Part string
	// Detail says why, and what to write instead.
	Detail string
}

// Find looks at what a scenario can be answered by a recording that was loaded.
// hide is what the redact block does to a request before it is compared.
func Find(t *plan.Recording, scenario string, hide func(redact.Request) redact.Request) (found []Finding) {
	items := slices.DeleteFunc(slices.Clone(t.Cassette.Interactions), func(it *cassette.Interaction) bool {
		return it.Scenario != "" && it.Scenario != scenario
	})
	if len(items) == 0 {
		return nil
	}
	for _, name := range t.Headers {
		if !slices.ContainsFunc(items, func(it *cassette.Interaction) bool { return it.Request().Header[http.CanonicalHeaderKey(name)] != nil }) {
			found = append(found, Finding{"match_headers", fmt.Sprintf("No recorded request has the header field %q, so there is nothing to compare: where the step does not send it either, everything matches. Record the file again, or take the name out.", name)})
		}
	}
	m := t.Comparison()
	for _, path := range t.Ignore {
		if match.CheckPath(path) == nil && !slices.ContainsFunc(items, func(it *cassette.Interaction) bool { return m.Compares(it.Request(), path) }) {
			found = append(found, Finding{"ignore", fmt.Sprintf("No recorded request has %s among what match = %q compares, so there is nothing to ignore: take it out, or copy the place from a message about a request that differs.", path, m.Profile)})
		}
	}
	if i := sameForAll(m, items, func(r match.Request) match.Request { return r }); i >= 0 && len(t.Ignore) > 0 {
		return append(found, Finding{"all ignored", fmt.Sprintf("What ignore names is all that interaction %d asks, so that any other request to the same place would get its answer. Name the fields that change, or say with match = \"loose\" that nothing need be compared: reports then say so of each run.", items[i].Index)})
	}
	if t.Rules.Empty() {
		return found
	}
	if i := sameForAll(m, items, func(r match.Request) match.Request { return match.Request(hide(redact.Request(r))) }); i >= 0 {
		found = append(found, Finding{"redact", fmt.Sprintf("What redact hides is not compared, and of interaction %d that is all that it asks: any other request to the same place would get its answer. Hide less, or say with match = \"loose\" that it need not be compared.", items[i].Index)})
	}
	return found
}

// sameForAll is the first interaction whose request is the same whatever it asks, -1 for
// none.
func sameForAll(m match.Match, items []*cassette.Interaction, hide func(match.Request) match.Request) int {
	return slices.IndexFunc(items, func(it *cassette.Interaction) bool { return !m.Says(it.Request(), hide) })
}
