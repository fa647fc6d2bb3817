package inner

import "strings"

// Patterns are the changes of a regular expression: an anchor left out, a point that is
// any character, and what stands before and behind its groups left out. The text has its quotes or its slashes; literal
// says that a \ in it is written once.
func Patterns(s string, literal bool, put func(a, b int, with string)) {
	start := strings.IndexAny(s, "/\"'`")
	if start < 0 || strings.HasPrefix(s[start:], `"""`) || strings.HasPrefix(s[start:], "'''") {
		return
	}
	end := strings.LastIndexByte(s, s[start])
	if end <= start+1 {
		return
	}
	// In a text with escapes of its own, a \ is written as two.
	slash := `\`
	if !literal && s[start] != '`' && !strings.ContainsAny(s[:start], "rR") {
		slash = `\\`
	}
	depth, class, first, last, named := 0, false, -1, -1, 0
	for i := start + 1; i < end; {
		rest := s[i:end]
		switch {
		case strings.HasPrefix(rest, slash) && len(rest) > len(slash):
			n := len(slash) + 1
			if !class {
				switch rest[len(slash)] {
				case 'b':
					if end-start-1 > n {
						put(i, i+n, "")
					}
				case '.':
					if named++; named == 1 {
						put(i, i+n, ".")
					}
				}
			}
			i += n
			continue
		case rest[0] == '\\':
			i += 2
			continue
		case class:
			class = rest[0] != ']'
		case rest[0] == '[':
			class = true
			if len(rest) > 1 && rest[1] == ']' || strings.HasPrefix(rest, "[^]") {
				i++ // a ] that is one of its characters
			}
		case rest[0] == '(':
			if depth == 0 && first < 0 && !strings.HasPrefix(rest, "(?") {
				first = i
			}
			depth++
		case rest[0] == ')':
			if depth--; depth == 0 {
				last = i + 1
			}
		case rest[0] == '|' && depth == 0:
			return // what is an alternative has no anchor of all
		case (rest[0] == '^' || rest[0] == '$') && end-start > 2:
			put(i, i+1, "")
		}
		i++
	}
	if first > start+2 {
		put(start+1, first, "")
	}
	if last > 0 && last < end {
		for last < end && strings.IndexByte("?*+", s[last]) >= 0 {
			last++
		}
		if last < end-1 && s[last] != '{' && first >= 0 {
			put(last, end, "")
		}
	}
}
