package patterns

import "strings"

// A Part is what means something in a regular expression.
type Part struct {
	// Kind is '\\' for an escape outside of a class, '[' for a class, '(' for what begins a group, such as (?P<name>, '?' for
	// options of all that follows, such as (?i), '{' for a count, and else the sign itself: ) | ^ $
	Kind byte
	// From and To are its bytes.
	From, To int
}

// Parts are those of a regular expression in which a \ is written as slash is.
func Parts(p, slash string) (list []Part) {
	for i := 0; i < len(p); {
		kind, n := p[i], 1
		switch rest := p[i:]; {
		case strings.HasPrefix(rest, slash) && len(rest) > len(slash):
			kind, n = '\\', len(slash)+1
		case kind == '\\': // an escape of the text, and none of the expression
			i += 2
			continue
		case kind == '[':
			n = classEnd(rest, slash)
		case kind == '(':
			kind, n = groupStart(rest)
		case kind == '{':
			if end := strings.IndexByte(rest[:min(len(rest), 24)], '}'); end > 1 && strings.Trim(rest[1:end], "0123456789,") == "" {
				n = end + 1
			} else {
				kind = 0
			}
		case kind == ')' || kind == '|' || kind == '^' || kind == '$':
		default:
			kind = 0
		}
		n = min(n, len(p)-i)
		if kind != 0 {
			list = append(list, Part{kind, i, i + n})
		}
		i += n
	}
	return list
}

// classEnd is the length of the class of characters that a text begins with.
func classEnd(rest, slash string) int {
	i := 1
	if i < len(rest) && rest[i] == '^' {
		i++
	}
	if i < len(rest) && rest[i] == ']' { // one of its characters
		i++
	}
	for i < len(rest) && rest[i] != ']' {
		switch {
		case strings.HasPrefix(rest[i:], slash):
			i += len(slash) + 1
		case rest[i] == '\\':
			i += 2
		case strings.HasPrefix(rest[i:], "[:"):
			if end := strings.Index(rest[i:min(len(rest), i+20)], ":]"); end > 0 {
				i += end + 1
			}
			i++
		default:
			i++
		}
	}
	return i + 1
}

// groupStart is the kind and the length of what begins with a parenthesis.
func groupStart(rest string) (kind byte, n int) {
	if !strings.HasPrefix(rest, "(?") {
		return '(', 1
	}
	n = 2
	for n < len(rest) && strings.IndexByte("imsUxu-", rest[n]) >= 0 {
		n++
	}
	switch {
	case n < len(rest) && rest[n] == ')':
		return '?', n + 1
	case n < len(rest) && rest[n] == ':':
		return '(', n + 1
	}
	for _, signs := range []string{"(?<=", "(?<!", "(?=", "(?!", "(?>"} {
		if strings.HasPrefix(rest, signs) {
			return '(', len(signs)
		}
	}
	if end := strings.IndexByte(rest[:min(len(rest), 100)], '>'); end > 0 {
		return '(', end + 1
	}
	return '(', 2
}
