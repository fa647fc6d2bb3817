package recordings

import (
	"fmt"
	"slices"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/internal/command/cli"
)

// warnOfSuspects warns of texts in a file that look like secrets of a form that no
// rule knows. It shows none of them, and no more places than somebody will look at.
func warnOfSuspects(a *cli.App, path string, data []byte, known []redact.Finding, allowed []string) {
	const shown = 5
	list := slices.DeleteFunc(redact.Suspects(string(data)), func(s redact.Finding) bool {
		return slices.Contains(allowed, s.Mark) || slices.ContainsFunc(known, func(k redact.Finding) bool { return k.Line == s.Line })
	})
	for _, s := range list[:min(shown, len(list))] {
		fmt.Fprintf(a.Stderr, "Warning: %s:%d: this looks like a secret, and no rule matches it: %s\n", path, s.Line, s.Mark)
	}
	if len(list) > shown {
		fmt.Fprintf(a.Stderr, "and %d more\n", len(list)-shown)
	}
	if len(list) > 0 {
		fmt.Fprintln(a.Stderr, "hint: hide it with redact { json = […] } or { patterns = […] } in the cassette block, and record again; an id is not a secret")
	}
}
