package redact

import "strings"

// hideAssignments hides what is assigned to a name that carries credentials, as
// messages show values: api_key = "…", pin = 4930, password: "…". The quotes may
// be escaped, as in a message that stands in JSON.
func hideAssignments(text string) string {
	var e edits
	for at := 0; at < len(text); at++ {
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
		if from, to := assignedValue(text, value); from < to && kind.assigned(text[from:to], text[sign] == '=' && from == value) {
			e.replace(from, to, quotedIf(from == value, Placeholder(unescape(text[from:to]))))
			at = to - 1
		}
	}
	return e.apply(text)
}

func quotedIf(quotes bool, text string) string {
	if quotes {
		return `"` + text + `"`
	}
	return text
}

// assigned reports whether a value is hidden that is assigned to a name. What
// stands without quotes is one only behind a sign of equality, and a number.
func (k nameKind) assigned(value string, bare bool) bool {
	if IsPlaceholder(value) {
		return false
	}
	if bare {
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
		return at, at + digits(text[at:])
	}
	return 0, 0
}
