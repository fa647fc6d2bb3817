package escapes

import (
	"slices"
	"strings"
)

// marks are ways of writing what stands around names and values in JSON, in pages, in
// addresses and in strings.
var marks = []struct{ written, means string }{
	{"&quot;", `"`}, {"&#34;", `"`}, {"&#39;", "'"}, {"%22", `"`}, {"%3A", ":"}, {"%3a", ":"}, {"%7B", "{"}, {"%7D", "}"}, {"%2C", ","}, {"%20", " "}, {`\\u0022`, `"`}, {`\u0022`, `"`},
}

// quotes are those without which nothing is looked at.
var quotes = []string{"&quot;", "&#34;", "%22", "u0022"}

// WithoutMarks is a text with quotes and signs in the place of how a page, an address or a
// string writes them, and where it is shorter. Without such a quote it is the text.
func WithoutMarks(text string) (plain string, cuts []Cut) {
	if !slices.ContainsFunc(quotes, func(q string) bool { return strings.Contains(text, q) }) {
		return text, nil
	}
	var b strings.Builder
	left, done := 0, 0
	for at := 0; at < len(text); {
		next := at + 1
		if c := text[at]; c == '&' || c == '%' || c == '\\' {
			for _, m := range marks {
				if strings.HasPrefix(text[at:], m.written) {
					b.WriteString(text[done:at])
					b.WriteString(m.means)
					next = at + len(m.written)
					left += len(m.written) - len(m.means)
					done = next
					cuts = append(cuts, Cut{At: b.Len(), Left: left})
					break
				}
			}
		}
		at = next
	}
	b.WriteString(text[done:])
	return b.String(), cuts
}
