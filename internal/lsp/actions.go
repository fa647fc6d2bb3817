package lsp

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/internal/pattern"
)

var (
	didYouMean = pattern.New(`Did you mean (?:"([^"]+)"|([\w.-]+))\?`)
	quotedWord = pattern.New(`"([^"]+)"`)
)

// A correction replaces a part of a text by what was probably meant.
type correction struct {
	from, to int
	with     string
}

// correct finds what a diagnostic suggests and in the place of what: the first
// word of its sentences that stands in the place that it is about.
func correct(t *text, d *hcl.Diagnostic) (correction, bool) {
	m := didYouMean().FindStringSubmatchIndex(d.Detail)
	if m == nil || d.Subject == nil {
		return correction{}, false
	}
	with := ""
	if m[2] >= 0 {
		with = d.Detail[m[2]:m[3]]
	} else {
		with = d.Detail[m[4]:m[5]]
	}
	from, to := d.Subject.Start.Byte, min(d.Subject.End.Byte, len(t.src))
	if from > to {
		return correction{}, false
	}
	subject := string(t.src[from:to])
	for _, q := range quotedWord().FindAllStringSubmatch(d.Detail[:m[0]], -1) {
		if at := wholeWord(subject, q[1]); at >= 0 {
			return correction{from + at, from + at + len(q[1]), with}, true
		}
	}
	return correction{}, false
}

// wholeWord is where a word stands in a text, alone and only once; -1 where it
// does not.
func wholeWord(text, word string) int {
	found := -1
	for at := 0; ; {
		n := strings.Index(text[at:], word)
		if n < 0 {
			return found
		}
		n += at
		at = n + len(word)
		if n > 0 && isWord(text[n-1]) || at < len(text) && isWord(text[at]) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = n
	}
}

// actionsFor are the corrections of what is wrong in a place.
func actionsFor(doc *document, diags hcl.Diagnostics, where span) []codeAction {
	actions := []codeAction{}
	from, to := doc.text.offset(where.Start), doc.text.offset(where.End)
	for _, d := range diags {
		if d.Subject == nil || d.Subject.Start.Byte > to || d.Subject.End.Byte < from {
			continue
		}
		c, ok := correct(doc.text, d)
		if !ok {
			continue
		}
		actions = append(actions, codeAction{
			Title: "Change to " + c.with, Kind: quickFix, Preferred: true,
			Diagnostics: []diagnostic{toDiagnostic(doc.text, d)},
			Edit:        edits(doc, []textEdit{{doc.text.span(c.from, c.to), c.with}}),
		})
	}
	return actions
}

// edits changes one document.
func edits(doc *document, list []textEdit) workspaceEdit {
	return workspaceEdit{[]documentEdit{{versionedID{doc.uri, &doc.version}, list}}}
}
