package uncompared

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

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
	alike := func(r match.Request) match.Request { return match.Request(hide(redact.Request(r))) }
	for _, it := range items {
		if r := it.Request(); !meant(t.Ignore, r) && (m.IgnoresAll(r, alike) || m.IgnoresAll(r, match.AsItIs)) {
			return append(found, Finding{"all ignored", fmt.Sprintf("Of what interaction %d asks, ignore leaves nothing to compare, so that any other request to the same address would get its answer. Name only what changes from run to run, or say with match = \"loose\" that nothing need be compared: reports then say so of each run.", it.Index)})
		}
	}
	if t.Rules.Empty() {
		return found
	}
	plain := m
	plain.Ignore = nil
	for _, it := range items {
		if r := it.Request(); !asksOnce(m, r) && plain.Says(r, match.AsItIs) && !m.Says(r, alike) {
			return append(found, Finding{"redact", fmt.Sprintf("What redact hides is not compared, and of interaction %d that is all that it asks: any other request to the same place would get its answer. Hide less, or say with match = \"loose\" that it need not be compared.", it.Index)})
		}
	}
	return found
}

// asksOnce reports whether a request asks for one thing alone, such as a login with a
// password: it says what it wants by its address. What a model is told is no such thing,
// and beside a body parameters do not count: those that are hidden say who asks.
func asksOnce(m match.Match, r match.Request) bool {
	if len(r.Body) > 0 {
		r.URL, _, _ = strings.Cut(r.URL, "?")
	}
	return m.Asks(r) <= 1 && !match.IsTold(r, "body.model")
}

// meant reports whether a request asks by its address, and each parameter that is ignored
// is named: a time and a signature, say, are in every request to such a service.
func meant(ignore []string, r match.Request) bool {
	return len(r.Body) == 0 && !slices.Contains(ignore, "query")
}
