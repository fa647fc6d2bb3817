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
	// sure says that the member is called as those are that say names.
	sure bool
	// statement is where the last member begins that is a statement, and behind where it
	// ends.
	statement, behind int
}

// pairMax is how far apart in a text two such members stand at most.
const pairMax = 512

// value returns where the value of a member begins, where it is a
// secret by the name that a member beside it has; else 0.
func (p *pairName) value(text string, m member) int {
	name, value, typed := m.name, m.value, false
	if value < len(text) && text[value] == '{' && isPairValue(name) {
		value, typed = typedText(text, value), true
	}
	if value == 0 || value == len(text) || text[value] != '"' {
		return 0
	}
	switch {
	case isPairName(name):
		end := stringEnd(text, value)
		p.says(name, inside(text, value, end), end)
	case slices.Contains(statementNames, name):
		p.statement, p.behind = value, stringEnd(text, value)
	case isPairValue(name):
		end := stringEnd(text, value)
		after := end
		if typed {
			after = skipSpace(text, end) + 1
		}
		told, behind, around := p.sharesObject(text, m.quote) && kindOf(p.name) != plain, nameBehind(text, after), ""
		if strings.EqualFold(name, "value") {
			around = nameAround(text, m.quote)
		}
		if !told && kindOf(behind) == plain && kindOf(around) == plain {
			break
		}
		secret := unescape(inside(text, value, end))
		if told && p.tells(name, secret) || isPairOf(name, behind, secret) || isPairedSecret(around, secret) {
			return value
		}
	}
	return 0
}

// typedText is where the text begins that an object holds by its type and nothing else, as
// {"stringValue": "…"} or {"S": "…"} does, 0 where it holds something else.
func typedText(text string, object int) int {
	at := skipSpace(text, object+1)
	if at == len(text) || text[at] != '"' {
		return 0
	}
	name, value := textMember(text, at)
	if name == "" {
		return 0
	}
	if end := skipSpace(text, stringEnd(text, value)); end == len(text) || text[end] != '}' {
		return 0
	}
	return value
}

// sharesObject reports whether what stands at a place is in the object of the member.
func (p *pairName) sharesObject(text string, at int) bool {
	return p.end > 0 && at-p.end <= pairMax && !strings.ContainsAny(text[p.end:at], "{}[]")
}

// assigned does the same for what is assigned to these names outside of JSON, and
// returns where to read on, 0 where nothing is hidden.
func (p *pairName) assigned(e *edits, text string, a assignment) int {
	isName := isPairName(a.name)
	if !isName && !isPairValue(a.name) || a.sign != '=' && a.sign != ':' {
		return 0
	}
	from, to := assignedValue(text, a.value)
	switch {
	case from >= to, from == a.value && !isSurePair(a.name): // without quotes
	case isName:
		p.says(a.name, text[from:to], to)
	case from == a.value && !strings.Contains(text[min(p.end, from):from], "\n"): // of a sentence
	case p.sharesObject(text, a.value) && p.tells(a.name, unescape(text[from:to])):
		e.replace(from, to, Placeholder(unescape(text[from:to])))
		return to
	}
	return 0
}

// says is told of a member that may say the name of another one's value.
func (p *pairName) says(member, name string, end int) {
	if p.sure && !isSurePair(member) && end-p.end <= pairMax && kindOf(p.name) != plain {
		return // "name": "password", "id": "17"
	}
	p.name, p.end, p.sure = name, end, isSurePair(member)
}

// tells reports whether the value of a member is hidden by the name that was said last.
func (p *pairName) tells(member, value string) bool {
	return isPairedSecret(p.name, value) && (p.sure && isSurePair(member) || isScrambled(value))
}

// isPairOf is [pairName.tells] for a name that stands behind the value.
func isPairOf(member, name, value string) bool {
	return isPairedSecret(name, value) && (isSurePair(member) || isScrambled(value))
}

// The members that say a name, and those that hold its value. With the others of them,
// which have more uses, a value has to look like one that was drawn.
var (
	pairNames  = []string{"name", "key", "k", "field", "header", "param", "parameter", "variable", "property", "attribute", "attr", "id", "label", "type", "title"}
	pairValues = []string{"value", "val", "v", "text", "content", "data"}
	surePairs  = []string{"name", "key", "k", "field", "header", "param", "parameter", "variable", "property", "attribute", "attr", "value", "val", "v"}
)

func isPairName(member string) bool { return mayBePair(member) && isOneOf(member, pairNames) }

func isPairValue(member string) bool { return mayBePair(member) && isOneOf(member, pairValues) }

func isSurePair(member string) bool { return isOneOf(member, surePairs) }

// pairLengths are the lengths of these names by their first letters, as bits.
var pairLengths = [256]uint16{
	'n': 1 << 4, 'k': 1<<1 | 1<<3, 'f': 1 << 5, 'h': 1 << 6, 'p': 1<<5 | 1<<8 | 1<<9, 'v': 1<<1 | 1<<3 | 1<<5 | 1<<8,
	'a': 1<<4 | 1<<9, 'i': 1 << 2, 'l': 1 << 5, 't': 1<<4 | 1<<5, 'd': 1 << 4, 'c': 1 << 7,
}

// mayBePair is a quick look whether a name is one of them.
func mayBePair(name string) bool {
	return name != "" && len(name) < 16 && pairLengths[name[0]|0x20]&(1<<len(name)) != 0
}

// isOneOf reports whether a name is in a list, in any case.
func isOneOf(name string, list []string) bool {
	for _, n := range list {
		if len(n) == len(name) && n[0] == name[0]|0x20 && strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

// textMember is the member of an object whose name stands at i, and where its value
// begins if that is a string; else 0.
func textMember(text string, i int) (name string, value int) {
	m := memberAt(text, i)
	if m.name == "" || m.value == len(text) || text[m.value] != '"' {
		return "", 0
	}
	return m.name, m.value
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

// Paired is the member of an object that is hidden by the name which another member says,
// "" for none: text returns the string that a member holds, "" for none.
func Paired(text func(member string) string) (hidden string) {
	for _, member := range pairValues {
		value := text(member)
		if value == "" {
			continue
		}
		for _, n := range pairNames {
			if name := text(n); name != "" && isPairOf(member, name, value) && (isSurePair(n) || isScrambled(value)) {
				return member
			}
		}
	}
	return ""
}
