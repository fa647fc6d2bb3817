package redact

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/printed"
)

// What languages print of what a program holds, where a value has no quotes, or something
// stands around its string.

// hidePrinted hides a value without quotes in a form that programs print, which says where it
// ends: {Password:a b Timeout:3}. It returns where to read on, 0 where there is none.
func (a assignment) hidePrinted(e *edits, text string) int {
	sign := a.value - 1
	if sign > 0 && text[sign] == ' ' {
		sign--
	}
	end, how := printed.End(text, sign, a.value)
	from := printed.Begin(text, a.value)
	if from >= end {
		return 0
	}
	value := text[from:end]
	if isUnset(value) || HasPlaceholder(value) || how == printed.Alike && printed.IsCode(value) || !a.kind.assigned(value, false, false) {
		return 0
	}
	e.replace(from, end, Placeholder(unescape(value)))
	return end
}

// unset are values that say so.
var unset = []string{"<nil>", "null", "None", "undefined", "true", "false", "True", "False"}

// isUnset reports whether a printed value says that there is none, or only whether there is.
func isUnset(value string) bool {
	return isNothing(value) || slices.Contains(unset, value) || strings.Trim(value, "*x.-…") == ""
}

// tagged is where a value of YAML begins behind its anchor or its tag: &name x, !!str x.
func tagged(text string, at int) int {
	for range 2 {
		if at+1 >= len(text) || text[at] != '&' && text[at] != '!' {
			break
		}
		end := at + 1
		for end < len(text) && (isNameByte(text[end]) || text[end] == '!') {
			end++
		}
		if end == at+1 || end == len(text) || text[end] != ' ' {
			break
		}
		at = spacesEnd(text, end)
	}
	return at
}

// longText is where what a text in three quotes says stands, without the spaces around it;
// nowhere for any other. One without an end has a line.
func longText(text string, at int) (from, to int) {
	if at+3 > len(text) || text[at] != text[at+1] || text[at] != text[at+2] {
		return 0, 0
	}
	const blank = " \t\r\n\\"
	rest := text[at+3 : min(len(text), at+wordsMax)]
	held := strings.TrimLeft(rest, blank)
	from = at + 3 + len(rest) - len(held)
	end := strings.Index(held, text[at:at+3])
	if end < 0 {
		held, _, _ = strings.Cut(held, "\n")
	} else {
		held = held[:end]
	}
	return from, from + len(strings.TrimRight(held, blank))
}
