package redact

import (
	"slices"
	"strings"
)

// Where a command or an address has a password without a name before it.

// loginMax is how long user and password before a host are at most.
const loginMax = 200

// hideLogin hides the password of user:password@host:5432 and user:password@tcp(host),
// whose sign stands at a place. One that a URL has is hidden with its user. It returns
// where to read on.
func hideLogin(e *edits, text string, at int) int {
	port := isHostAt(text[at+1:])
	if !port && (at+1 == len(text) || !isLetter(text[at+1]) || at == 0 || !isBareByte(text[at-1])) {
		return at
	}
	start := at
	for start > 0 && at-start < loginMax && isBareByte(text[start-1]) {
		start--
	}
	login := text[start:at]
	if scheme := strings.Index(login, "://"); scheme >= 0 { // in the query of a URL
		login = login[scheme:]
		login = login[strings.LastIndexByte(login, '=')+1:]
	}
	user, password, ok := strings.Cut(login, ":")
	if !port && (len(password) < longInOtherForm || !isRandom(password) || isVersion(password) || startsFolded(text[at+1:], "sha")) {
		return at
	}
	if equals := strings.LastIndexByte(user, '='); equals >= 0 { // dsn=user:…
		user = user[equals+1:]
	}
	if !ok || !isUserName(user) || slices.Contains(masks, password) || strings.HasPrefix(password, "//") {
		return at
	}
	if from := at - len(password); e.end() <= from && (isBareSecret(password) || len(password) >= longInOtherForm && !isWord(password)) {
		e.replace(from, at, Placeholder(password))
	}
	return at
}

// addressed are what stands before a user that is no login.
var addressed = []string{"mailto", "sip", "sips", "xmpp", "acct", "im"}

func isUserName(name string) bool {
	return name != "" && isLetter(name[0]) && !strings.ContainsFunc(name, func(c rune) bool { return !isNameRune(c) && c != '.' }) && !slices.Contains(addressed, strings.ToLower(name))
}

// isHostAt reports whether a text begins with a host and its port, or with a network and
// an address in parentheses as drivers of Go have it.
func isHostAt(text string) bool {
	n := 0
	for n < len(text) && n < 255 && (isNameByte(text[n]) || text[n] == '.') {
		n++
	}
	if n == 0 || n == len(text) {
		return false
	}
	if text[n] == '(' {
		return slices.Contains([]string{"tcp", "tcp4", "tcp6", "unix"}, text[:n])
	}
	port := digits(text[n+1:])
	after := n + 1 + port
	return text[n] == ':' && port > 1 && port < 6 && (after == len(text) || !isNameByte(text[after]))
}

// hideOption hides the password in the option of a command that begins at a place,
// -u user:password. It returns where to read on, the same place where there is none.
func hideOption(e *edits, text string, at int) int {
	if text[at] != '-' || at > 0 && text[at-1] > ' ' && !isQuote(text[at-1]) {
		return at
	}
	switch rest := text[at:]; {
	case strings.HasPrefix(rest, "-u"), strings.HasPrefix(rest, "-U"):
		return hideUserOption(e, text, at, at+len("-u"))
	case strings.HasPrefix(rest, "--proxy-user"):
		return hideUserOption(e, text, at, at+len("--proxy-user"))
	case strings.HasPrefix(rest, "--user"):
		return hideUserOption(e, text, at, at+len("--user"))
	}
	return at
}

// hideUserOption hides the password behind an option whose name ends at a place, which
// may stand in a list.
func hideUserOption(e *edits, text string, at, end int) int {
	from := end
	for from < len(text) && from-end < 8 && strings.IndexByte(" =,\"'\\", text[from]) >= 0 {
		from++
	}
	to := bareEnd(text, from)
	user, password, ok := strings.Cut(text[from:to], ":")
	if from == end || !ok || !isUserName(user) || len(password) < longInOtherForm || !isBareSecret(password) || strings.HasPrefix(password, "//") {
		return at
	}
	e.replace(to-len(password), to, Placeholder(password))
	return to
}

// onNextLine is where a value begins that stands alone in the line after its name, as in
// YAML; the same place for any other.
func onNextLine(text string, at int) int {
	end := at
	for end < len(text) && strings.IndexByte("|>+-", text[end]) >= 0 {
		end++
	}
	if rest, is := strings.CutPrefix(text[end:], `\u003e`); is {
		end = len(text) - len(strings.TrimLeft(rest, "+-"))
	}
	line := end + newlineAt(text[end:])
	from := line
	for from < len(text) && text[from] == ' ' {
		from++
	}
	to := bareEnd(text, from)
	if line == end || from == line || from == to || text[from] == '-' || text[to-1] == ':' {
		return at
	}
	behind := to
	for behind < len(text) && text[behind] == ' ' {
		behind++
	}
	if behind < len(text) && newlineAt(text[behind:]) == 0 && !isQuote(text[behind]) {
		return at // more than a value
	}
	return from
}

// newlineAt is how long the end of a line is with which a text begins, escaped as in a
// string or not; 0 for none.
func newlineAt(text string) int {
	rest := strings.TrimPrefix(text, "\r")
	if strings.HasPrefix(rest, "\n") {
		return len(text) - len(rest) + 1
	}
	n := backslashes(text)
	if n == 0 {
		return 0
	}
	if strings.HasPrefix(text[n:], "n") {
		return n + 1
	}
	if strings.HasPrefix(text[n:], "r"+text[:n]+"n") {
		return 2*n + 2
	}
	return 0
}
