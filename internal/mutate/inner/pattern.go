package inner

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/patterns"
)

// Patterns are the changes of a regular expression: an anchor left out, a point that is
// any character, and what stands before and behind its groups left out. The text has its quotes or its slashes; literal
// says that a \ in it is written once.
func Patterns(s string, literal bool, put func(a, b int, with string)) {
	start := strings.IndexAny(s, "/\"'`")
	if start < 0 || strings.HasPrefix(s[start:], `"""`) || strings.HasPrefix(s[start:], "'''") {
		return
	}
	end := strings.LastIndexByte(s, s[start])
	if end <= start+1 {
		return
	}
	// In a text with escapes of its own, a \ is written as two.
	slash := `\`
	if !literal && s[start] != '`' && !strings.ContainsAny(s[:start], "rR") {
		slash = `\\`
	}
	depth, first, last, named := 0, -1, -1, 0
	for _, part := range patterns.Parts(s[start+1:end], slash) {
		a, b := start+1+part.From, start+1+part.To
		switch part.Kind {
		case '\\':
			switch s[b-1] {
			case 'b':
				if end-start-1 > b-a {
					put(a, b, "")
				}
			case '.':
				if named++; named == 1 {
					put(a, b, ".")
				}
			}
		case '(':
			if depth == 0 && first < 0 && part.To == part.From+1 {
				first = a
			}
			depth++
		case ')':
			if depth--; depth == 0 {
				last = b
			}
		case '|':
			if depth == 0 {
				return // what is an alternative has no anchor of all
			}
		case '^', '$':
			if end-start > 2 {
				put(a, b, "")
			}
		}
	}
	if first > start+2 {
		put(start+1, first, "")
	}
	if last > 0 && last < end {
		for last < end && strings.IndexByte("?*+", s[last]) >= 0 {
			last++
		}
		if last < end-1 && s[last] != '{' && first >= 0 {
			put(last, end, "")
		}
	}
}

// wider lets the classes of the pattern of a program be any character, and its counts have no end.
func (p *program) wider(written string, from int, search bool) {
	var text strings.Builder
	var at []int // where each byte of the pattern is written
	for i := 1; i < len(written)-1; i++ {
		at = append(at, from+i)
		if written[i] == '\\' {
			if i++; i == len(written)-1 || strings.IndexByte(`\"/`, written[i]) < 0 {
				return
			}
		}
		text.WriteByte(written[i])
	}
	at = append(at, from+len(written)-1)
	for _, c := range patterns.Wider(text.String(), search, func(s string) string { return s }) {
		p.add("related", at[c.From], at[c.To], c.With, Within(p.text, from, from+len(written), at[c.From], at[c.To], c.With))
	}
}
