package redact

import (
	"net/url"
	"strings"
)

// hideAssignments hides what is assigned to a name that carries credentials, as
// messages show values: api_key = "…", pin = 4930, password: "…". The quotes may
// be escaped, as in a message that stands in JSON.
func hideAssignments(text string) string {
	e := findAssignments(text)
	return e.apply(text)
}

// findAssignments is what hideAssignments replaces.
func findAssignments(text string) (e edits) {
	for at := 0; at < len(text); at++ {
		if text[at] == '>' {
			at = hideElement(&e, text, at)
			continue
		}
		if text[at] != '=' && text[at] != ':' {
			continue
		}
		sign := at
		if sign > 1 && text[sign-1] == '"' && text[sign-2] != '\\' {
			continue // a member of an object
		}
		end := sign
		for end > 0 && (text[end-1] == ' ' || text[end-1] == '"' || text[end-1] == '\\') {
			end--
		}
		start := end
		for start > 0 && isNameByte(text[start-1]) {
			start--
		}
		kind := kindOf(text[start:end])
		if kind == plain {
			continue
		}
		value := sign + 1
		for value < len(text) && text[value] == ' ' {
			value++
		}
		if from, to := assignedValue(text, value); from < to && kind.assigned(text[from:to], from == value, text[sign] == '=') {
			number := from == value && digits(text[from:to]) == to-from
			e.replace(from, to, quotedIf(number, Placeholder(unescape(text[from:to]))))
			at = to - 1
		}
	}
	return e
}

// hideElement hides what the XML element holds whose first mark ends at a place,
// where it is of such a name and holds only text. The placeholder is escaped, or it
// would be an element itself. It returns where to read on.
func hideElement(e *edits, text string, at int) int {
	start := at
	for start > 0 && (isNameByte(text[start-1]) || text[start-1] == ':') {
		start--
	}
	if start == 0 || text[start-1] != '<' {
		return at
	}
	name := text[start:at]
	end := strings.IndexByte(text[at:], '<') + at
	if end <= at+1 || !strings.HasPrefix(text[end:], "</"+name) {
		return at
	}
	if value := text[at+1 : end]; IsSecretMember(name[strings.LastIndexByte(name, ':')+1:], value) && !IsPlaceholder(value) && !HasPlaceholder(value) {
		e.replace(at+1, end, url.QueryEscape(Placeholder(value)))
	}
	return end - 1
}

func quotedIf(quotes bool, text string) string {
	if quotes {
		return `"` + text + `"`
	}
	return text
}

// assigned reports whether a value is hidden that is assigned to a name, bare of
// quotes or within them. A bare one is a number, of a name that may be of other
// things only behind a sign of equality, or else has letters and digits.
func (k nameKind) assigned(value string, bare, equals bool) bool {
	if IsPlaceholder(value) {
		return false
	}
	if bare && digits(value) < len(value) {
		return k == credential && isBareSecret(value)
	}
	if bare && equals {
		return (k == credential || k == shortCode) && digits(value) == len(value) && len(value) >= ShortestSecret
	}
	// A message that shows only the beginning says so, and how much it leaves out.
	begun, _, cut := strings.Cut(value, ellipsis)
	return k == credential || k.fits(begun) || cut && !strings.Contains(begun, " ") && k != shortCode
}

// assignedValue is where the inside of a quoted value stands, or a number; nowhere
// for anything else.
func assignedValue(text string, at int) (from, to int) {
	quote := at
	for quote < len(text) && text[quote] == '\\' {
		quote++
	}
	switch {
	case quote < len(text) && text[quote] == '"':
		from = quote + 1
		mark := text[at:from]
		end := strings.IndexAny(text[from:], "\n")
		if end < 0 {
			end = len(text) - from
		}
		if mark == `"` {
			return from, from + len(inside(text, quote, stringEnd(text, quote)))
		}
		if close := strings.Index(text[from:from+end], mark); close >= 0 {
			end = close
		}
		return from, from + end
	case quote == at:
		to = at
		for to < len(text) && isBareByte(text[to]) {
			to++
		}
		return at, at + len(strings.TrimRight(text[at:to], ".,:;!?"))
	}
	return 0, 0
}

// isBareByte reports whether a value without quotes goes on: in a message or in
// YAML it ends where a space, a quote, a bracket or what parts values stands.
func isBareByte(c byte) bool {
	return c > ' ' && c < 0x7f && strings.IndexByte("\"'`,;&<>()[]{}|\\", c) < 0
}

// shortestBare is how long a value without quotes must be to be more than a number
// with its unit.
const shortestBare = 6

// isBareSecret reports whether a value without quotes is more than a word of the
// sentence in which its name stands: it has letters and digits, and is no
// reference.
func isBareSecret(value string) bool {
	if len(value) < shortestBare || strings.ContainsAny(value, "$*") {
		return false
	}
	letters, numbers := false, false
	for i := range len(value) {
		letters = letters || isLetter(value[i])
		numbers = numbers || isDigit(value[i])
	}
	return letters && numbers
}
