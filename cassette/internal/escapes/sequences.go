package escapes

import "strings"

// SequenceMax is how long the parameters of an escape sequence are at most.
const SequenceMax = 32

// A Cut is where something was left out of a text: behind how many bytes of what is left,
// and how much until then together.
type Cut struct{ At, Left int }

// WithoutSequences is a text without the escape sequences by which terminals are told of
// colours and the like (ECMA-48, 5.4), written as they are or as a string has them, and
// where it was cut. A program that writes password=… in colours puts them between name,
// sign and value.
func WithoutSequences(text string) (plain string, cuts []Cut) {
	var out strings.Builder
	done := 0
	for at := 0; ; {
		next := strings.IndexByte(text[at:], '[')
		if next < 0 {
			break
		}
		at += next
		start, end := SequenceAt(text, at)
		at = max(at+1, end)
		if start == end || start < done {
			continue
		}
		if cuts == nil {
			out.Grow(len(text))
			cuts = make([]Cut, 0, min(1+strings.Count(text[at:], "["), 8+len(text)/8))
		}
		out.WriteString(text[done:start])
		cuts, done = append(cuts, Cut{out.Len(), end - out.Len()}), end
	}
	if cuts == nil {
		return text, nil
	}
	out.WriteString(text[done:])
	return out.String(), cuts
}

// SequenceAt is where the escape sequence begins and ends whose bracket stands at a place;
// nothing where that belongs to none.
func SequenceAt(text string, bracket int) (start, end int) {
	start = escapeBefore(text, bracket)
	if start == bracket {
		return bracket, bracket
	}
	end = bracket + 1
	for end < len(text) && end-bracket < SequenceMax && '0' <= text[end] && text[end] <= '?' {
		end++
	}
	if end == len(text) || text[end] < '@' || text[end] > '~' {
		return bracket, bracket
	}
	end++
	if s := text[:start]; strings.HasSuffix(s, "\x1b(B") { // tput sgr0
		start -= len("\x1b(B")
	}
	return start, end
}

// escapeBefore is where the character Escape begins that ends at a place, which may be
// written as in a string; the same place where there is none.
func escapeBefore(text string, end int) int {
	if end == 0 {
		return end
	}
	name := 0
	switch text[end-1] {
	case '\x1b':
		return end - 1
	case 'e', 'E':
		name = len("e")
	case 'b', 'B':
		name = len("u001b")
		if end < name || !strings.EqualFold(text[end-name:end], "u001b") {
			name = len("x1b")
			if end < name || !strings.EqualFold(text[end-name:end], "x1b") {
				return end
			}
		}
	case '3':
		if name = len("033"); !strings.HasSuffix(text[:end], "033") {
			return end
		}
	default:
		return end
	}
	start := end - name
	for start > 0 && text[start-1] == '\\' && end-start < SequenceMax {
		start--
	}
	if start == end-name {
		return end
	}
	return start
}
