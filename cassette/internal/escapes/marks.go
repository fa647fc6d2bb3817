package escapes

import "strings"

// marks are ways of writing what stands around names and values in JSON, in pages, in
// addresses and in strings.
var marks = []struct{ written, means string }{
	{"&quot;", `"`}, {"&#34;", `"`}, {"&#39;", "'"}, {"&#x27;", "'"}, {"&#X27;", "'"}, {"&apos;", "'"}, {"&#x22;", `"`}, {"&#X22;", `"`}, {"%22", `"`}, {"%3A", ":"}, {"%3a", ":"}, {"%7B", "{"}, {"%7D", "}"}, {"%2C", ","}, {"%20", " "}, {`\\u0022`, `"`}, {`\u0022`, `"`},
}

// quotes are those without which nothing is looked at, by the byte that each has.
var quotes = []struct {
	sign    byte
	written []string
}{
	{'&', []string{"&quot;", "&#34;", "&#39;", "&#x2", "&#X2", "&apos;"}}, {'%', []string{"%22"}}, {'\\', []string{"u0022"}},
}

// hasMarks reports whether a text has such a quote.
func hasMarks(text string) bool {
	for i := range quotes {
		q := &quotes[i]
		if strings.IndexByte(text, q.sign) < 0 {
			continue
		}
		for _, w := range q.written {
			if strings.Contains(text, w) {
				return true
			}
		}
	}
	return false
}

// WithoutMarks is a text with quotes and signs in the place of how a page, an address or a
// string writes them, and where it is shorter. Without such a quote it is the text.
func WithoutMarks(text string) (plain string, cuts []Cut) {
	if !hasMarks(text) {
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
