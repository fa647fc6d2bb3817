// Package broken tells by what a program wrote to stderr whether its source can be compiled.
package broken

import (
	"path"
	"strings"
)

// Of reports whether what a program wrote says that its source, a file of a language, cannot be compiled. The language
// is "" where the name does not tell it.
func Of(lang, name, stderr string) bool {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	named := "" // the file that was named last
	for line := range strings.Lines(stderr) {
		line = strings.TrimRight(line, "\r\n")
		if file := namedIn(line); file != "" {
			named = file
		}
		ours := path.Base(named) == base
		switch {
		case (lang == "" || lang == "python") && ours && (strings.HasPrefix(line, "SyntaxError: ") || strings.HasPrefix(line, "IndentationError: ") || strings.HasPrefix(line, "TabError: ")):
			return true
		case (lang == "" || lang == "javascript" || lang == "typescript") && ours && strings.HasPrefix(line, "SyntaxError"):
			if !strings.Contains(stderr, "at JSON.parse") {
				return true
			}
		}
		if (lang == "" || lang == "shell") && brokenInner(named, line) {
			return true
		}
		place, message, column := placed(line)
		if path.Base(strings.ReplaceAll(place, `\`, "/")) != base {
			continue
		}
		switch lang {
		case "go":
			if column {
				return true
			}
		case "typescript", "javascript":
			if strings.Contains(message, "ERROR: ") || strings.HasPrefix(message, "error TS") {
				return true
			}
		case "java":
			if strings.HasPrefix(message, "error: ") {
				return true
			}
		case "ruby":
			if strings.Contains(message, "syntax error") || strings.Contains(message, "(SyntaxError)") {
				return true
			}
		case "shell", "":
			m := strings.ToLower(message)
			if strings.Contains(m, "operand expected") || strings.Contains(m, "arithmetic") {
				continue // of what it computed
			}
			if strings.Contains(m, "syntax error") || strings.Contains(m, "unexpected eof") || strings.Contains(m, "unexpected token") || strings.Contains(m, "unexpected end of file") {
				return true
			}
		}
	}
	return false
}

// brokenInner reports whether a line says that a program which stands in a script is
// none: one of python3 -c, node -e, awk or jq. The file that was named last is one
// that has no name.
func brokenInner(named, line string) bool {
	switch {
	case strings.HasPrefix(named, "<st"): // <stdin>, <string>
		return strings.HasPrefix(line, "SyntaxError: ") || strings.HasPrefix(line, "IndentationError: ")
	case strings.HasPrefix(named, "[eval"), strings.HasPrefix(named, "[stdin"):
		return strings.HasPrefix(line, "SyntaxError: ")
	}
	for _, command := range []string{"awk: ", "gawk: ", "mawk: ", "jq: error: "} {
		if strings.HasPrefix(line, command) {
			return strings.Contains(line, "syntax error") || strings.Contains(line, "compile error")
		}
	}
	return false
}

// namedIn is the file that a line of Python or Node names as the place of what
// follows: `  File "app.py", line 3`, `file:///tmp/app.mjs:3`.
func namedIn(line string) string {
	if rest, is := strings.CutPrefix(strings.TrimSpace(line), `File "`); is {
		file, _, _ := strings.Cut(rest, `"`)
		return file
	}
	if i := strings.LastIndexByte(line, ':'); i > 0 && i+1 < len(line) && strings.Trim(line[i+1:], "0123456789") == "" && !strings.Contains(line, " ") {
		return line[:i]
	}
	return ""
}

// placed is the file at the beginning of a line, what is said of it, and whether a
// column is named: `./main.go:12:3: undefined: x`, `app.sh: line 3: syntax error`.
func placed(line string) (file, message string, column bool) {
	file, rest, found := strings.Cut(line, ":")
	if len(file) == 1 && found { // C:\app.go
		var more string
		more, rest, found = strings.Cut(rest, ":")
		file += ":" + more
	}
	if !found {
		return "", "", false
	}
	if at := strings.IndexByte(file, '('); at > 0 && strings.HasSuffix(file, ")") { // app.ts(3,5)
		return file[:at], strings.TrimSpace(rest), true
	}
	number := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	if n, after, _ := strings.Cut(rest, ":"); number(n) {
		if c, more, ok := strings.Cut(after, ":"); ok && number(c) {
			return file, strings.TrimSpace(more), true
		}
		return file, strings.TrimSpace(after), false
	}
	return file, strings.TrimSpace(rest), false
}
