package printed

import "strings"

// A How says how sure it is that a program printed a value.
type How int

const (
	// No is what is not in a form of this package.
	No How = iota
	// Alike is a form that a source has, too: f(password=password).
	Alike
	// Sure is one that no source has.
	Sure
)

// The bounds of what is looked at: before a field, and of its value.
const (
	beforeMax = 1024
	valueMax  = 512
)

// End is where the value ends of a field whose sign stands at a place, and whose value begins
// behind it: 0 for none. A list in brackets ends before its bracket, and [Begin] is where its
// first value does.
func End(text string, sign, value int) (end int, how How) {
	if sign < 1 || sign+1 != value || value >= len(text) || text[sign] != ':' && text[sign] != '=' {
		return 0, No
	}
	name := sign
	for name > 0 && (isName(text[name-1]) || text[name-1] == '.') {
		name--
	}
	open := opener(text, name)
	if name == sign || open < 0 || name > open+1 && strings.IndexByte(" ,;", text[name-1]) < 0 {
		return 0, No
	}
	mark, parts := text[open]+2, ",;" // of braces and brackets, in ASCII
	how = Sure
	switch before := text[:open]; {
	case text[sign] == ':': // of Go
		parts = " "
		first := nameEnd(text, open+1)
		if text[open] == '(' || text[open] == '[' && !strings.HasSuffix(before, "map") || text[first] != ':' || text[first+1] == ' ' {
			return 0, No
		}
	case text[open] == '(':
		if mark, how = ')', Alike; open == 0 || !isName(text[open-1]) {
			return 0, No
		}
	case strings.HasSuffix(before, "$"), strings.HasSuffix(before, "{"): // of a shell, of a template
		return 0, No
	}
	if text[value] == '[' {
		return listEnd(text, value), how
	}
	if strings.IndexByte("{&\"'`(", text[value]) >= 0 || strings.HasPrefix(text[value:], "map[") {
		return 0, No
	}
	return scan(text, value, mark, text[sign], parts), how
}

// Begin is where the first value is of a field whose value begins at a place, which may be a
// list.
func Begin(text string, value int) int {
	if value < len(text) && text[value] == '[' {
		return value + 1
	}
	return value
}

// scan is where a value ends that begins at a place: before another field with the same sign,
// or before the mark that closes them all; 0 where neither comes in its line.
func scan(text string, value int, mark, sign byte, parts string) (last int) {
	depth := 0
	for at := value; at < len(text) && at-value < valueMax; at++ {
		switch c := text[at]; {
		case c == '\n' || c == '"' || c == '\'':
			return last
		case c == mark-2 || c == '(' && mark == ')':
			depth++
		case c == mark && depth > 0: // of a call, or of a value that opens what it does not close
			depth, last = depth-1, at
		case c == mark && closes(text, at+1):
			return at
		case strings.IndexByte(parts, c) >= 0:
			from := at + 1
			for from < len(text) && text[from] == ' ' {
				from++
			}
			end := nameEnd(text, from)
			if end > from && end+1 < len(text) && text[end] == sign && text[end+1] != ' ' {
				return at
			}
		}
	}
	return last
}

// closes reports whether a bracket closes what it stands in, by what stands behind it.
//
//go:noinline
func closes(text string, behind int) bool {
	return behind >= len(text) || strings.IndexByte(" \t\r\n)]}>,.;:\"'`\\", text[behind]) >= 0
}

// listEnd is where the values of a list end that begins with a bracket, 0 where they do not.
func listEnd(text string, at int) int {
	for end := at + 1; end < len(text) && end-at < valueMax; end++ {
		switch text[end] {
		case ']':
			if end == at+1 {
				return 0
			}
			if closes(text, end+1) {
				return end
			}
		case '\n', '"', '\'', '{':
			return 0
		}
	}
	return 0
}

// opener is where the bracket stands that is open at a place in its line, less than 0 for none.
func opener(text string, at int) int {
	depth := 0
	for i := at - 1; i >= max(0, at-beforeMax); i-- {
		switch c := text[i]; c {
		case '\n':
			return -1
		case '"': // where the string begins that all of it stands in
			return -1
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

// nameEnd is where a name ends that begins at a place.
//
//go:noinline
func nameEnd(text string, at int) int {
	for at < len(text) && (isName(text[at]) || text[at] == '.') {
		at++
	}
	return at
}

func isName(c byte) bool { return names[c] }

var names = func() (is [256]bool) {
	for c := range is {
		b := byte(c)
		is[c] = b == '_' || b == '-' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
	}
	return is
}()

// IsCode reports whether a value without quotes is what a source has in the place of one: a
// name, a member, a call, an index.
func IsCode(value string) bool {
	if strings.ContainsAny(value, " $<>{}\"'`") {
		return true
	}
	sign := false
	for i := range len(value) {
		c := value[i]
		sign = sign || c == '-' || !names[c] && strings.IndexByte(".()[]", c) < 0 || '0' <= c && c <= '9'
	}
	return !sign || value[len(value)-1] == ')'
}

// Wrapped is how long what a language prints around a string is that begins with its quote, such
// as []string{"…", ApiToken("…", <<"…" and string(7) "…"; 0 where nothing is around it. Behind
// its bracket a line may end.
func Wrapped(text string) int {
	at := 0
	if strings.HasPrefix(text, "<<") {
		return quoteAt(text, 2)
	}
	if strings.HasPrefix(text, "[]") {
		at = 2
	}
	first := at // of the last part of the name
	for at < len(text) && at < 40 && (isName(text[at]) && text[at] != '-' || text[at] == '.' || text[at] == ':') {
		if text[at] == '.' || text[at] == ':' {
			first = at + 1
		}
		at++
	}
	if at == 0 || at >= len(text) {
		return 0
	}
	if strings.HasPrefix(text, "string(") { // of PHP, with its length
		end := at + 1
		for end < len(text) && '0' <= text[end] && text[end] <= '9' {
			end++
		}
		if strings.HasPrefix(text[end:], ") ") && end > at+1 {
			return quoteAt(text, end+2)
		}
	}
	isType := strings.HasPrefix(text, "[]") || first < at && 'A' <= text[first] && text[first] <= 'Z'
	if !isType || text[at] != '(' && text[at] != '{' {
		return 0
	}
	return quoteAt(text, at+1)
}

// quoteAt is a place behind spaces and ends of lines where a quote stands, escaped or not; 0
// where none does.
func quoteAt(text string, at int) int {
	for at < len(text) && strings.IndexByte(" \t\r\n", text[at]) >= 0 {
		at++
	}
	quote := at
	for quote < len(text) && text[quote] == '\\' {
		quote++
	}
	if quote < len(text) && strings.IndexByte("\"'`", text[quote]) >= 0 {
		return at
	}
	return 0
}

// pairMax is how long a name is at most that is the first of two.
const pairMax = 64

// IsPair reports whether the comma at a place parts a name without quotes, which stands behind a
// bracket, from one value: (name, value), [:name, "value"], {name,"value"}. [Ends] is for a value
// without quotes, which has to end with the bracket.
func IsPair(text string, comma int) bool {
	at := comma
	for at > 0 && comma-at < pairMax && (isName(text[at-1]) || text[at-1] == '.') {
		at--
	}
	if at > comma-len("key") || at == 0 { // as quick as it can be: most commas stand in lists
		return false
	}
	if text[at-1] == ':' {
		at--
	}
	return at > 0 && strings.IndexByte("([{", text[at-1]) >= 0
}

// Ends reports whether a bracket closes behind a place, and nothing else follows in it.
func Ends(text string, at int) bool {
	return at < len(text) && strings.IndexByte(")]}", text[at]) >= 0 && closes(text, at+1)
}
