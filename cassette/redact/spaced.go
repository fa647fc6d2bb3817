package redact

import "strings"

// Where only a space parts the name of a secret from its value.

// hideSetting hides the value behind a space in a line of a file that begins at a place:
// bindpw …, and the password that a .netrc has behind a login.
func hideSetting(e *edits, text string, at int) {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	if at == len(text) {
		return
	}
	end := at
	switch rest := text[at:]; rest[0] {
	case 'b', 'r':
		if strings.HasPrefix(rest, "bindpw") || strings.HasPrefix(rest, "rootpw") {
			end += len("bindpw")
		}
	case 'm', 'd', 'l', 'a', 'p':
		if isOfNetrc(rest) {
			line := rest[:min(len(rest), loginMax)]
			if n := strings.IndexAny(line, "\n\\"); n >= 0 {
				line = line[:n]
			}
			if n := strings.Index(line, "password"); n >= 0 && isBehindLogin(text, at+n) {
				end += n + len("password")
			}
		}
	}
	from := end
	for from < len(text) && (text[from] == ' ' || text[from] == '\t') {
		from++
	}
	if end == at || from == end {
		return
	}
	to := bareEnd(text, from)
	if value := text[from:to]; isBareSecret(value) || len(value) >= shortestListed && !isWord(value) {
		e.replace(from, to, Placeholder(value))
		e.mixed = true
	}
}

// mayBeSetting is a quick look whether such a line begins at a place in quotes, of which
// there are many.
func mayBeSetting(text string, at int) bool {
	if at+2 >= len(text) {
		return false
	}
	switch text[at+2] {
	case 'c', 'f', 'n', 'o':
		return text[at] == 'm' || text[at] == 'd' || text[at] == 'b' || text[at] == 'r'
	}
	return false
}

// isOfNetrc reports whether a line begins as one of a .netrc does.
func isOfNetrc(line string) bool {
	if line == "" || strings.IndexByte("mdlap", line[0]) < 0 {
		return false
	}
	return strings.HasPrefix(line, "machine ") || strings.HasPrefix(line, "default ") || strings.HasPrefix(line, "login ") || strings.HasPrefix(line, "account ") || strings.HasPrefix(line, "password ")
}

// isBehindLogin reports whether before a place stands what a .netrc has before a password:
// a login, where a line begins or behind the name of a machine.
func isBehindLogin(text string, at int) bool {
	user, at := lastWord(text, beforeBlank(text, at))
	word, at := lastWord(text, at)
	if word == "account" {
		_, at = lastWord(text, beforeBlank(text, at))
		word, at = lastWord(text, at)
	}
	if user == "" || user == "and" || user == "or" || strings.Trim(word, quotes) != "login" {
		return false
	}
	host, at := lastWord(text, at)
	machine, _ := lastWord(text, at)
	return host == "" || strings.Trim(host, quotes) == "default" || strings.Trim(machine, quotes) == "machine"
}

// quotes may stand around a text that a file has.
const quotes = "\"'`"

// inputMax is how long the mark of an input of a form is at most.
const inputMax = 512

// hideInput hides the value of an input of HTML for a password whose mark begins at a
// place. It returns where to read on.
func hideInput(e *edits, text string, at int) int {
	if !startsFolded(text[at+1:], "input") || at+6 == len(text) || isNameByte(text[at+6]) {
		return at
	}
	var from, to int
	secret := false
	for i := at + 6; i < len(text) && i-at < inputMax && text[i] != '>' && text[i] != '<'; i++ {
		if text[i] != '=' {
			continue
		}
		name, _ := nameBefore(text, i)
		start, end := assignedValue(text, i+1)
		if start >= end {
			continue
		}
		switch value := text[start:end]; strings.ToLower(name) {
		case "value":
			from, to = start, end
		case "type":
			secret = secret || strings.EqualFold(value, "password")
		}
		i = end
	}
	if !secret || from == to || IsPlaceholder(text[from:to]) {
		return at
	}
	e.replace(from, to, Placeholder(unescape(text[from:to])))
	return to
}
