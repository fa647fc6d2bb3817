package redact

import (
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/escapes"
)

// What a line says of those behind it: that a value follows, or goes on.

// isAnnounced reports whether a line ends so that the value of a name, or the rest of a
// command, may follow. But for spaces and quotes it ends at a place.
func isAnnounced(line string, end int) bool {
	if end > 0 && (line[end-1] == '=' || line[end-1] == '\\') || namesValue(line[:end]) {
		return true
	}
	if end > 1 && line[end-1] == '(' && isLetter(line[end-2]) && strings.ContainsAny(line, ":=") { // of what is printed over lines
		return true
	}
	for end > 0 && strings.IndexByte("|>+- ", line[end-1]) >= 0 { // of YAML, as a block
		end--
	}
	return end > 0 && (line[end-1] == ':' || line[end-1] == '=')
}

// openMax is how much is held back of an object or a list under the name of a credential, or
// of the lines of a block, of which there are at most blockMax.
const openMax = 4 << 10

// hasOpenMembers reports whether an object, a list or a block of YAML stands under the name of
// a credential and may go on behind a text. A text that is one line is read if it ends as one
// of those begins.
func hasOpenMembers(text, line string, end int) bool {
	if len(text) > openMax || len(text) > len(line) && strings.Count(text, "\n") > blockMax {
		return false
	}
	if kind, head := sectionAt(text, 0); kind != plain {
		_, next := findSection(text, head, kind)
		return next+1 >= len(text)
	}
	if len(text) == len(line) {
		if end == 0 || line[end-1] != '{' && line[end-1] != '[' && line[end-1] != ',' {
			return false
		}
	}
	if !mayName(text) {
		return false
	}
	for at := 0; at < len(text); at++ {
		if text[at] != ':' && text[at] != '=' {
			continue
		}
		end := at
		if text[at] == '=' && strings.HasPrefix(text[at:], "=>") {
			at++
		}
		name, kind := nameBefore(text, end)
		if kind == plain || name == "" {
			continue
		}
		value := skipSpace(text, at+1)
		if value < len(text) && (text[value] == '{' || text[value] == '[') {
			if _, to, open := findBelow(text, value, kind); open || to == len(text) {
				return true
			} else {
				at = max(at, to-1)
			}
		} else if text[end] == ':' && newlineAt(text[spacesEnd(text, at+1):]) > 0 {
			if _, next := findBlock(text, spacesEnd(text, at+1), kind); next+1 >= len(text) {
				return true
			}
		}
	}
	return false
}

// namesValue reports whether a line ends with a member that says the name of a value which may
// stand in the next line: - name: DB_PASSWORD.
func namesValue(line string) bool {
	last := len(line)
	for last > 0 && (line[last-1] == ',' || isPadding(line[last-1])) {
		last--
	}
	start := last
	for start > 0 && isNameByte(line[start-1]) {
		start--
	}
	sign := start
	for sign > 0 && isPadding(line[sign-1]) {
		sign--
	}
	if start == last || sign == 0 || line[sign-1] != ':' && line[sign-1] != '=' {
		return false
	}
	end := sign - 1
	for end > 0 && isPadding(line[end-1]) {
		end--
	}
	begin := end
	for begin > 0 && isNameByte(line[begin-1]) {
		begin--
	}
	return isPairName(line[begin:end]) && kindOf(line[start:last]) != plain
}

// isPadding reports whether a byte may stand around names and values, and is no part of them.
func isPadding(c byte) bool { return c == ' ' || isQuote(c) }

// withoutEnd is where a line ends that has spaces, quotes and escape sequences of terminals
// behind it.
func withoutEnd(line string) int {
	end := len(line)
	for end > 0 {
		if c := line[end-1]; c <= ' ' || isQuote(c) {
			end--
			continue
		}
		start := sequenceBefore(line, end)
		if start == end {
			break
		}
		end = start
	}
	return end
}

// sequenceBefore is where the escape sequence begins that ends at a place, the same place
// where none does.
func sequenceBefore(line string, end int) int {
	if c := line[end-1]; c < '@' || c > '~' || c == '}' {
		return end
	}
	from := max(0, end-escapes.SequenceMax)
	bracket := strings.LastIndexByte(line[from:end], '[')
	if bracket < 0 {
		return end
	}
	if start, to := escapes.SequenceAt(line[:end], from+bracket); to == end {
		return start
	}
	return end
}

// isBehindMachine reports whether a text ends with a line of a .netrc before that of the
// password.
func isBehindMachine(text, line string) bool {
	at := 0
	for at < len(line) && (line[at] == ' ' || line[at] == '\t') {
		at++
	}
	if !isOfNetrc(line[at:]) {
		return false
	}
	_, at = lastWord(text, beforeBlank(text, len(text)))
	word, _ := lastWord(text, at)
	return word == "machine" || word == "login" || word == "account"
}

// hasOpenRows reports whether a statement inserts secrets and may go on behind a text.
func hasOpenRows(text string) bool {
	list := -1
	for at := 0; ; at++ {
		next := strings.IndexByte(text[at:], '(')
		if next < 0 {
			break
		}
		if at += next; isInto(text, at) {
			list = at
		}
	}
	return list < 0 && isInto(text, len(text)) || list >= 0 && eachCell(text, list, func(cell) {})
}

// hasOpenField reports whether a part of a form with the name of a secret may go on behind
// a text.
func hasOpenField(text string) bool {
	if strings.IndexByte(text, ';') < 0 || !strings.Contains(text, "; name=") {
		return false
	}
	part := max(strings.LastIndex(text, "form-data"), strings.LastIndex(text, "Form-Data"))
	if part < 0 {
		return false
	}
	forms, text := formDataForms(), text[part:]
	m := forms.head.FindStringSubmatchIndex(text)
	if m == nil || !mayName(text[:m[1]]) {
		return false
	}
	blank := forms.blank.FindStringIndex(text[m[1]:])
	if blank == nil {
		return len(text) < headMax
	}
	return !forms.end.MatchString(text[m[1]+blank[1]:])
}

// hasOpenHeredoc reports whether a text ends within a heredoc that is the value of a secret.
func hasOpenHeredoc(text string) bool {
	if strings.IndexByte(text, '<') < 0 || !strings.Contains(text, "<<") {
		return false
	}
	at := strings.LastIndex(text, "<<")
	sign := len(strings.TrimRight(text[:at], " \t")) - 1
	if sign < 0 || text[sign] != '=' && text[sign] != ':' {
		return false
	}
	a, is := assignmentAt(text, sign)
	_, to, ended := heredoc(text, a.value)
	return is && to > 0 && !ended
}

// heredoc is where the text of a heredoc stands whose mark begins at a place, nowhere
// where there is none, and whether it comes to its end.
func heredoc(text string, at int) (from, to int, ended bool) {
	mark := at
	for _, sign := range []string{"<<", `\u003c\u003c`} {
		if strings.HasPrefix(text[min(at, len(text)):], sign) {
			mark += len(sign)
		}
	}
	if mark == at {
		return 0, 0, false
	}
	for mark < len(text) && (text[mark] == '-' || text[mark] == '~' || isQuote(text[mark])) {
		mark++
	}
	end := mark
	for end < len(text) && isNameByte(text[end]) {
		end++
	}
	word := text[mark:end]
	for end < len(text) && isQuote(text[end]) {
		end++
	}
	n := newlineAt(text[end:])
	if word == "" || n == 0 {
		return 0, 0, false
	}
	for at = end + n; at < len(text); at += n {
		begin := at
		for n = 0; at < len(text); at++ {
			if n = newlineAt(text[at:]); n > 0 {
				break
			}
		}
		line := text[begin:at]
		if strings.TrimSpace(line) == word {
			return from, to, from < to
		}
		if strings.TrimSpace(line) != "" {
			if from == 0 {
				from = at - len(strings.TrimLeft(line, " \t"))
			}
			to = begin + len(strings.TrimRight(line, " \t"))
		}
		if n == 0 {
			break
		}
	}
	return from, max(to, end), false
}
