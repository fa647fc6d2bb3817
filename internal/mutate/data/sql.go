package data

import "strings"

// statements leaves out each statement of a file of SQL, and makes the changes of what it says.
func (f *file) statements() {
	begin := 0
	for i := 0; i <= len(f.source); {
		rest := f.source[i:]
		switch {
		case rest == "":
			f.statement(begin, i)
			return
		case strings.HasPrefix(rest, "--"):
			i += until(rest, 2, "\n")
		case strings.HasPrefix(rest, "/*"):
			i += until(rest, 2, "*/")
		case rest[0] == '\'' || rest[0] == '"' || rest[0] == '`':
			i += until(rest, 1, rest[:1])
		case rest[0] == '$':
			i += f.dollar(rest)
		case rest[0] == ';':
			i++
			f.statement(begin, i)
			begin = i
		default:
			i++
		}
	}
}

// until is where a text ends that begins a part of it, with its end.
func until(text string, from int, end string) int {
	i := strings.Index(text[from:], end)
	if i < 0 {
		return len(text)
	}
	return from + i + len(end)
}

// dollar is how long a text between two of $$ or $name$ is, 1 where there is none.
func (f *file) dollar(text string) int {
	for i := 1; i < len(text) && i < 64; i++ {
		if text[i] == '$' {
			return until(text, i+1, text[:i+1])
		}
		if !letter(text[i]) {
			return 1
		}
	}
	return 1
}

// statement makes the changes of one.
func (f *file) statement(from, to int) {
	for from < to && strings.IndexByte(" \t\r\n", f.source[from]) >= 0 {
		from++
	}
	for { // comments before it stay
		rest := f.source[from:to]
		switch {
		case strings.HasPrefix(rest, "--"):
			from += until(rest, 2, "\n")
		case strings.HasPrefix(rest, "/*"):
			from += until(rest, 2, "*/")
		case rest != "" && strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			from++
		default:
			if strings.Trim(rest, "; \t\r\n") != "" {
				f.add(LeftOut, from, to, "", nil)
				f.inner("sql", from, to)
				f.numbers(from, to)
			}
			return
		}
	}
}
