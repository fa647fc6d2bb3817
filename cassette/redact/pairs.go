package redact

import (
	"slices"
	"strings"
)

// A pairName is the last member called name or key that was seen in a text, whose
// value may be what another member's value is called: {"name":"DB_PASSWORD","value":"…"}.
type pairName struct {
	name string
	end  int // behind it in the text
	// statement is where the last member begins that is a statement, and behind where it
	// ends.
	statement, behind int
}

// pairMax is how far apart in a text two such members stand at most.
const pairMax = 512

// value returns where the value of the member begins that stands at i, where it is a
// secret by the name that a member beside it has; else 0.
func (p *pairName) value(text string, i int) int {
	name, value := textMember(text, i)
	switch {
	case value == 0:
	case isPairName(name):
		p.end = stringEnd(text, value)
		p.name = inside(text, value, p.end)
	case slices.Contains(statementNames, name):
		p.statement, p.behind = value, stringEnd(text, value)
	case strings.EqualFold(name, "value"):
		end := stringEnd(text, value)
		secret := unescape(inside(text, value, end))
		if p.sharesObject(text, i) && isPairedSecret(p.name, secret) || isPairedSecret(nameBehind(text, end), secret) || isPairedSecret(nameAround(text, i), secret) {
			return value
		}
	}
	return 0
}

// sharesObject reports whether what stands at a place is in the object of the member.
func (p *pairName) sharesObject(text string, at int) bool {
	return p.end > 0 && at-p.end <= pairMax && !strings.ContainsAny(text[p.end:at], "{}[]")
}

// assigned does the same for what is assigned to these names outside of JSON, and
// returns where to read on, 0 where nothing is hidden.
func (p *pairName) assigned(e *edits, text string, a assignment) int {
	isName := isPairName(a.name)
	if !isName && !strings.EqualFold(a.name, "value") || a.sign != '=' && a.sign != ':' {
		return 0
	}
	from, to := assignedValue(text, a.value)
	switch {
	case from == a.value || from >= to: // without quotes
	case isName:
		p.name, p.end = text[from:to], to
	case p.sharesObject(text, a.value) && isPairedSecret(p.name, unescape(text[from:to])):
		e.replace(from, to, Placeholder(unescape(text[from:to])))
		return to
	}
	return 0
}

func isPairName(member string) bool {
	return strings.EqualFold(member, "name") || strings.EqualFold(member, "key")
}

// textMember is the member of an object whose name stands at i, and where its value
// begins if that is a string; else 0.
func textMember(text string, i int) (name string, value int) {
	end := i + 1
	for end < len(text) && isNameByte(text[end]) {
		end++
	}
	if end == len(text) || text[end] != '"' {
		return "", 0
	}
	colon := skipSpace(text, end+1)
	if colon == len(text) || text[colon] != ':' {
		return "", 0
	}
	if value = skipSpace(text, colon+1); value == len(text) || text[value] != '"' {
		return "", 0
	}
	return text[i+1 : end], value
}

// nameBehind is what a member says that follows at a place, at most as the third: name or key.
func nameBehind(text string, at int) string {
	for range 3 {
		if at = skipSpace(text, at); at == len(text) || text[at] != ',' {
			return ""
		}
		if at = skipSpace(text, at+1); at == len(text) || text[at] != '"' {
			return ""
		}
		name, value := textMember(text, at)
		if value == 0 {
			return ""
		}
		at = stringEnd(text, value)
		if isPairName(name) {
			return inside(text, value, at)
		}
	}
	return ""
}

// nameAround is the name of the object that a place is in, "" where that has none or
// begins too far before it.
func nameAround(text string, at int) string {
	before := text[max(0, at-pairMax):at]
	open := strings.LastIndexByte(before, '{')
	if open < 0 || strings.ContainsAny(before[open+1:], "}[]") {
		return ""
	}
	before, colon := strings.CutSuffix(strings.TrimRight(before[:open], " \t\r\n"), ":")
	if !colon {
		return ""
	}
	before, quoted := strings.CutSuffix(strings.TrimRight(before, " \t\r\n"), `"`)
	start := strings.LastIndexByte(before, '"')
	if !quoted || start < 0 {
		return ""
	}
	return before[start+1:]
}

// isPairedSecret reports whether a value is hidden of which another member says the
// name. Such pairs also label things, so that it has to look like a secret: a word
// stays.
func isPairedSecret(name, value string) bool {
	if name == "" || strings.ContainsAny(value, " \t\r\n") || IsPlaceholder(value) {
		return false
	}
	switch kind := kindOf(name); kind {
	case credential:
		return isBareSecret(value)
	default:
		return kind.fits(value)
	}
}

// Paired reports whether the member called value of an object is hidden by the name that
// another member has: text returns the string that a member holds, "" for none.
func Paired(text func(member string) string) bool {
	value := text("value")
	return value != "" && (isPairedSecret(text("name"), value) || isPairedSecret(text("key"), value))
}
