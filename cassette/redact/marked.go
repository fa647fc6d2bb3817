package redact

import (
	"net/url"
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/escapes"
)

// hideMarked hides members whose quotes are written as a page, an address or a string writes
// them: &quot;password&quot;:&quot;…&quot;, %22password%22%3A%22…%22.
func hideMarked(text string) string {
	plain, cuts := escapes.WithoutMarks(text)
	if len(cuts) == 0 || !mayName(plain) {
		return text
	}
	e := findMembers(plain)
	if strings.Contains(text, "&quot;") || strings.Contains(text, "&apos;") || strings.Contains(text, "&#") {
		assigned := findAssignments(plain)
		e.ahead(assigned.list)
		e.sort()
	}
	e.place(cuts)
	kept := e.list[:0]
	for _, x := range e.list {
		if was := text[x.start:x.end]; HasPlaceholder(was) || strings.Contains(was, escapedStart) {
			continue
		}
		if strings.HasSuffix(text[:x.start], "%22") {
			x.with = url.QueryEscape(x.with)
		}
		kept = append(kept, x)
	}
	e.list = kept
	return e.apply(text)
}
