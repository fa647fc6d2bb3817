package read

import (
	"strings"
	"unicode"
)

// Folded is a statement in one case, and with one space for a run of white space, outside of what stands in quotes:
// two statements are one to a database if it is equal.
func Folded(statement string) string {
	var b strings.Builder
	space := true // one at the beginning is left out
	for left := statement; left != ""; {
		outside, quoted := left, ""
		if i := strings.IndexAny(left, `'"`); i >= 0 {
			if n := strings.IndexByte(left[i+1:], left[i]); n >= 0 {
				outside, quoted = left[:i], left[i:i+n+2]
			}
		}
		left = left[len(outside)+len(quoted):]
		for _, r := range outside {
			white := unicode.IsSpace(r)
			if !white {
				b.WriteRune(unicode.ToLower(r))
			} else if !space {
				b.WriteByte(' ')
			}
			space = white
		}
		if quoted != "" {
			b.WriteString(quoted)
			space = false
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// FitsStatement reports whether a statement is one of a pattern in which * is any run of characters, as like says of
// two texts. What the pattern has in quotes, without a *, the statement has as it is. A pattern with an odd quote may
// begin or end inside of one, so nothing is asked of its quotes.
func FitsStatement(pattern, statement string, like func(pattern, text string) bool) bool {
	return like(spaced(pattern), spaced(statement)) && saysAll(pattern, statement)
}

// spaced is a statement in one case, and with one space for a run of white space, in quotes, too.
func spaced(statement string) string {
	return strings.ToLower(strings.Join(strings.Fields(statement), " "))
}

// saysAll reports whether one statement has all that another has in quotes, as often as it.
func saysAll(pattern, statement string) bool {
	asked, balanced := quotedParts(pattern)
	if !balanced {
		return true
	}
	said, _ := quotedParts(statement)
	left := map[string]int{}
	for _, s := range said {
		left[s]++
	}
	for _, a := range asked {
		if !strings.Contains(a, "*") {
			if left[a]--; left[a] < 0 {
				return false
			}
		}
	}
	return true
}

// quotedParts are what a statement has in single or double quotes, the quotes with them. A quote in a text is
// written twice, so such a text is two parts. balanced says that each has its end.
func quotedParts(statement string) (list []string, balanced bool) {
	for {
		i := strings.IndexAny(statement, `'"`)
		if i < 0 {
			return list, true
		}
		n := strings.IndexByte(statement[i+1:], statement[i])
		if n < 0 {
			return list, false
		}
		list = append(list, statement[i:i+n+2])
		statement = statement[i+n+2:]
	}
}
