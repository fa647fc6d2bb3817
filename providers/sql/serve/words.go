package serve

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

var (
	ending      = pattern.New(`(?is)^\s*(rollback|commit|end|abort)\b`)
	toAPoint    = pattern.New(`(?is)^\s*rollback\s+(work\s+|transaction\s+)?to\b`)
	dollarQuote = pattern.New(`^\$([A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*)?\$`)
)

// ends reports whether a statement ends a transaction, also one that has failed.
func ends(query string) bool { return ending().MatchString(bare(query)) }

// toSavepoint reports whether a statement goes back inside its transaction.
func toSavepoint(query string) bool { return toAPoint().MatchString(bare(query)) }

// bare is a query without the comments and blanks around it.
func bare(query string) string {
	for {
		query = strings.TrimSpace(query)
		n := commentSize(query)
		if n == 0 {
			return query
		}
		query = query[n:]
	}
}

// split takes the statements of a query apart: at semicolons outside of strings,
// names, comments and bodies between dollars. What is empty is none.
func split(query string) []string {
	var list []string
	add := func(text string) {
		if bare(text) != "" {
			list = append(list, strings.TrimSpace(text))
		}
	}
	from := 0
	for i := 0; i < len(query); {
		switch n := quotedSize(query, i); {
		case n > 0:
			i += n
		case query[i] == ';':
			add(query[from:i])
			i++
			from = i
		default:
			i++
		}
	}
	add(query[from:])
	return list
}

// quotedSize is the size of what begins at a place and has no end of a statement
// in it, 0 where nothing such begins.
func quotedSize(query string, at int) int {
	text := query[at:]
	switch text[0] {
	case '\'':
		escapes := at > 0 && query[at-1]|0x20 == 'e' && (at == 1 || !isWord(query[at-2]))
		return stringSize(text, escapes)
	case '"':
		return stringSize(text, false)
	case '-', '/':
		return commentSize(text)
	case '$':
		if at > 0 && isWord(query[at-1]) {
			return 0
		}
		mark := dollarQuote().FindString(text)
		if mark == "" {
			return 0
		}
		if end := strings.Index(text[len(mark):], mark); end >= 0 {
			return 2*len(mark) + end
		}
		return len(text)
	}
	return 0
}

func isWord(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b >= 0x80
}

// stringSize is the size of a string in the quotes that it begins with.
func stringSize(text string, escapes bool) int {
	for i := 1; i < len(text); i++ {
		switch {
		case escapes && text[i] == '\\':
			i++
		case text[i] == text[0]:
			return i + 1 // a doubled quote is a string behind a string
		}
	}
	return len(text)
}

// commentSize is the size of the comment that a text begins with, 0 for none.
func commentSize(text string) int {
	switch {
	case strings.HasPrefix(text, "--"):
		if i := strings.IndexByte(text, '\n'); i >= 0 {
			return i + 1
		}
		return len(text)
	case strings.HasPrefix(text, "/*"):
		depth := 0
		for i := 0; i < len(text)-1; i++ {
			switch text[i : i+2] {
			case "/*":
				depth++
				i++
			case "*/":
				depth--
				i++
				if depth == 0 {
					return i + 1
				}
			}
		}
		return len(text)
	}
	return 0
}
