// Package selector changes texts that choose some of many: the predicates of XPath and of CSS, the end of a glob, the
// arguments of a query in GraphQL. Each change chooses more.
//
//	for _, c := range selector.Of("./invoice[@state='open']") {
//		text[:c.From] + c.Text + text[c.To:] // ./invoice
//	}
package selector

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// A Change puts a text in the place of some bytes.
type Change struct {
	From, To int
	Text     string
}

// most is how many changes a text has.
const most = 6

var (
	// path is a text that is one of XPath or a selector of CSS: names with steps between them, and predicates.
	path = pattern.New(`^[\w./:*@#\[\]='"()>~|^$, !-]+$`)
	// predicate is what an element has to have.
	predicate = pattern.New(`\[(?:@?[A-Za-z_][\w:.-]*|\.|text\(\))\s*(?:[~|^$*!]?=\s*(?:'[^'\n]*'|"[^"\n]*"|\\"[^"\n]*\\"|[\w.-]+)\s*)?\]`)
	// glob is a pattern of names that all have one end.
	glob = pattern.New(`^(?:[\w.{}/-]*/)?[\w.-]*\*[\w*-]*(?:\.[A-Za-z][A-Za-z0-9]{0,9})?(\.[A-Za-z][A-Za-z0-9]{0,9})$`)
	// graph begins a query of GraphQL, and given are the arguments of one of its fields.
	graph = pattern.New(`^\s*(?:(?:query|mutation|subscription)\b[^{]*)?\{\s*[A-Za-z_]`)
	given = pattern.New(`[A-Za-z_]\w*\s*(\([^()]*\))`)
)

// Of are the changes of a text, none where it is another one.
func Of(s string) (all []Change) {
	add := func(from, to int, with string) {
		if len(all) < most {
			all = append(all, Change{from, to, with})
		}
	}
	switch {
	case glob().MatchString(s) && !strings.Contains(s, " "):
		m := glob().FindStringSubmatchIndex(s)
		add(len(s), len(s), "*")
		add(m[2], m[3], "")
	case strings.Contains(s, "[") && path().MatchString(s) && named(s):
		for _, m := range predicate().FindAllStringIndex(s, most) {
			if !strings.Contains(s, " ") || strings.ContainsAny(s[m[0]:m[1]], "=@") {
				add(m[0], m[1], "")
			}
		}
	case graph().MatchString(s):
		for n, m := range given().FindAllStringSubmatchIndex(s, most) {
			if n == 0 && strings.Contains(s[m[2]:m[3]], ": ") && strings.Contains(s[m[2]:m[3]], "$") && !strings.Contains(s[:m[0]], "{") {
				continue // what the query itself is given
			}
			arguments(s, m[2], m[3], add)
		}
	}
	return all
}

// named reports whether something that has a name stands before a predicate.
func named(s string) bool {
	at := strings.IndexByte(s, '[')
	return at > 0 && (word(s[at-1]) || s[at-1] == '*' || s[at-1] == ')' || s[at-1] == ']')
}

func word(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// arguments leaves out each of those in a bracket that has a value of its own.
func arguments(s string, from, to int, add func(from, to int, with string)) {
	at := from + 1
	parts := strings.Split(s[from+1:to-1], ",")
	for n, part := range parts {
		a, b := at, at+len(part)
		at = b + 1
		_, value, is := strings.Cut(part, ":")
		if value = strings.TrimSpace(value); !is || value == "" || value[0] == '$' || strings.ContainsAny(part, "{}[]") {
			continue
		}
		switch {
		case len(parts) == 1:
			a, b = from, to
		case n == 0:
			b++
			for b < to && s[b] == ' ' {
				b++
			}
		default:
			a--
		}
		add(a, b, "")
	}
}

// Loose are the changes of a pattern of a shell: what it begins or ends with may stand anywhere.
func Loose(s string) (all []Change) {
	switch {
	case len(s) < 2 || strings.ContainsAny(s, " $`"):
	case strings.HasSuffix(s, "*") && s[0] != '*' && strings.Count(s, "*") == 1:
		all = append(all, Change{0, 0, "*"})
	case s[0] == '*' && s[len(s)-1] != '*' && strings.Count(s, "*") == 1:
		all = append(all, Change{len(s), len(s), "*"})
	}
	return all
}

// Anchored are the changes of a regular expression without quotes: an anchor left out.
func Anchored(s string) (all []Change) {
	if strings.HasPrefix(s, "^") {
		all = append(all, Change{0, 1, ""})
	}
	if strings.HasSuffix(s, "$") && !strings.HasSuffix(s, `\$`) && len(s) > 1 {
		all = append(all, Change{len(s) - 1, len(s), ""})
	}
	return all
}
