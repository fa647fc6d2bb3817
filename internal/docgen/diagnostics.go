package main

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/diagnostics"
)

// diagnosticsPage lists what can be said of a scenario file, with the message
// that the file of each entry gives.
func diagnosticsPage() string {
	w := title("Messages about a file", "Everything that `scenario validate` and every other command can say of a `.scenario.hcl` file, by the first line of the message: what it means, what to do about it, and an example.")
	summary := ""
	for _, e := range diagnostics.Entries() {
		if e.Summary != summary {
			summary = e.Summary
			w.printf("\n## %s\n", summary)
		}
		w.printf("\n<a id=\"%s\"></a>%s %s\n", e.Slug, e.Means, e.Do)
		if e.Source != nil {
			w.printf("\n```\n%s```\n", shown(e.Message()))
		}
	}
	return w.String()
}

// shown leaves out what the example says to its test.
func shown(message string) string {
	var out strings.Builder
	for line := range strings.Lines(message) {
		line, _, _ = strings.Cut(line, " "+diagnostics.WantMark)
		out.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return out.String()
}
