package redact

import (
	"slices"
	"strings"
)

// Where a statement of SQL says what a value is without a sign before it.

// accountWords stand before PASSWORD in a statement about an account.
var accountWords = []string{"with", "encrypted", "unencrypted", "login", "nologin", "superuser", "nosuperuser", "createdb", "nocreatedb", "createrole", "nocreaterole", "inherit", "noinherit", "replication", "bypassrls"}

// wordMax is how long a word of a statement is at most that is looked at.
const wordMax = 80

// lastWord is the word of a line that ends at a place, behind spaces, and where it begins.
func lastWord(text string, end int) (word string, start int) {
	for end > 0 && (text[end-1] == ' ' || text[end-1] == '\t') {
		end--
	}
	if end > 1 && text[end-2] == '\\' && strings.IndexByte("nrt", text[end-1]) >= 0 {
		return "", end // behind an escaped end of a line
	}
	start = end
	for start > 0 && end-start < wordMax && isStatementByte(text[start-1]) {
		start--
	}
	if start > 0 && start < end && text[start-1] == '\\' && strings.IndexByte("nrt", text[start]) >= 0 {
		start++
	}
	return text[start:end], start
}

// isStatementByte reports whether the name of a table or an account may have a byte, which
// may be quoted.
func isStatementByte(c byte) bool {
	switch c {
	case '.', '"', '`', '$', '@', '%', '\'', '[', ']':
		return true
	}
	return isNameByte(c)
}

// spoken reports whether what ends at a place says that the password of an account
// follows: PASSWORD, or IDENTIFIED BY. Sure says that it says so as nobody speaks.
func spoken(text string, end int) (is, sure bool) {
	last, start := lastWord(text, end)
	switch {
	case strings.EqualFold(last, "password"):
		before, at := lastWord(text, start)
		of, _ := lastWord(text, at)
		switch of = strings.ToLower(of); {
		case slices.Contains(accountWords, strings.ToLower(before)), before != "" && (of == "user" || of == "role" || of == "login"):
			return true, last == "PASSWORD" || isAboutAccount(text, at)
		case strings.EqualFold(before, "by"):
			return isIdentified(text, at), true
		case before == "" && at > 0 && (text[at-1] == ',' || text[at-1] == '('):
			return strings.Contains(strings.ToLower(lineBefore(text, at)), "options"), true
		}
		return before == "" && last == "PASSWORD", true // where a line begins
	case strings.EqualFold(last, "by"), strings.EqualFold(last, "as"):
		return isIdentified(text, start), last == "BY" || last == "AS"
	}
	return false, false
}

// isAboutAccount reports whether a line before a place is a statement that makes or changes
// an account.
func isAboutAccount(text string, at int) bool {
	line := strings.ToLower(lineBefore(text, at))
	return slices.ContainsFunc([]string{"user", "role", "login"}, func(what string) bool {
		return strings.Contains(line, "alter "+what) || strings.Contains(line, "create "+what)
	})
}

func lineBefore(text string, at int) string {
	line := text[max(0, at-loginMax):at]
	return line[strings.LastIndexByte(line, '\n')+1:]
}

// isIdentified reports whether what ends at a place is IDENTIFIED, or that with the name of
// a method behind it.
func isIdentified(text string, end int) bool {
	word, at := lastWord(text, end)
	if strings.EqualFold(word, "identified") {
		return true
	}
	with, at := lastWord(text, at)
	identified, _ := lastWord(text, at)
	return strings.EqualFold(with, "with") && strings.EqualFold(identified, "identified")
}

// hideSpoken hides a password in quotes that a statement names so, whose quote stands at a
// place. It returns where to read on.
func hideSpoken(e *edits, text string, quote int) int {
	before := quote
	for before > 0 && text[before-1] == '\\' {
		before--
	}
	word := before
	for word > 0 && text[word-1] == ' ' {
		word--
	}
	if word == before {
		return quote
	}
	if word < 2 || strings.IndexByte("dDyYsS", text[word-1]) < 0 {
		return quote
	}
	is, sure := spoken(text, word)
	if !is {
		return quote
	}
	from, to := quotedCell(text, before)
	value := text[from:to]
	if value == "" || HasPlaceholder(value) || isNothing(value) || !sure && !isBareSecret(value) {
		return quote
	}
	e.replace(from, to, Placeholder(unescape(value)))
	return to
}

// quotedCell is where the inside of a string of SQL stands whose mark begins at a place: a
// quote in it is written twice. The mark may be escaped as in a string, or in a shell.
func quotedCell(text string, at int) (from, to int) {
	const shell = `'\''`
	mark := shell
	if !strings.HasPrefix(text[at:], shell) {
		n := backslashes(text[at:])
		if at+n == len(text) || !isQuote(text[at+n]) {
			return at, at
		}
		mark = text[at : at+n+1]
	}
	from = at + len(mark)
	for to = from; to < len(text); {
		switch rest := text[to:]; {
		case strings.HasPrefix(rest, mark+mark):
			to += 2 * len(mark)
		case strings.HasPrefix(rest, mark):
			return from, to
		case rest[0] == '\n':
			return from, bareEnd(text, from)
		case len(mark) == 1 && rest[0] == '\\' && len(rest) > 1:
			to += 2
		default:
			to++
		}
	}
	return from, bareEnd(text, from) // one without an end
}

// A cell is a value in a row of a statement, and what the name of its column tells.
type cell struct {
	kind     nameKind
	from, to int
}

// eachCell calls do with the cells of the rows that a statement inserts whose list of
// columns begins with the parenthesis at a place, behind the table ([isInto]), where the
// name of a column tells something. Open says that the rows may go on behind the text.
func eachCell(text string, at int, do func(cell)) (open bool) {
	kinds, at, open := columns(text, at+1)
	if kinds == nil {
		return open
	}
	at = skipBlank(text, at)
	if at == len(text) {
		return true
	}
	if !startsFolded(text[at:], "value") {
		return false
	}
	for at += len("value"); at < len(text) && isNameByte(text[at]); at++ {
	}
	for {
		if at = skipBlank(text, at); at == len(text) {
			return true
		}
		if text[at] != '(' {
			return false
		}
		for n := 0; ; n++ {
			from := skipBlank(text, at+1)
			if at = cellEnd(text, from); n < len(kinds) && kinds[n] != plain {
				do(cell{kinds[n], from, at})
			}
			if at == len(text) {
				return true
			}
			if text[at] != ',' {
				break
			}
		}
		if at = skipBlank(text, at+1); at == len(text) {
			return true
		}
		if text[at] != ',' {
			return false
		}
		at++
	}
}

// isInto reports whether what ends at a place names the table into which a statement
// inserts rows.
func isInto(text string, end int) bool {
	start := end
	for start > 0 && isSpace(text[start-1]) {
		start--
	}
	for start > 0 && isStatementByte(text[start-1]) {
		start--
	}
	if start < len("into ") || text[start-1] != '\\' && (!isSpace(text[start-1]) || text[start-2]|0x20 != 'o' && !isSpace(text[start-2]) && text[start-2] != 'n') {
		return false // as quick as it can be: there are many parentheses
	}
	table, start := lastWord(text, beforeBlank(text, end))
	into, _ := lastWord(text, beforeBlank(text, start))
	return table != "" && strings.EqualFold(into, "into")
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// beforeBlank is where something ends that is no space or end of a line, escaped or not.
func beforeBlank(text string, end int) int {
	for end > 0 {
		switch c := text[end-1]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			end--
		case end > 1 && text[end-2] == '\\' && (c == 'n' || c == 'r' || c == 't'):
			for end--; end > 0 && text[end-1] == '\\'; end-- {
			}
		default:
			return end
		}
	}
	return end
}

// columns are what the names tell of the columns of a list, nil where none tells anything
// or the text is no such list, and where it ends.
func columns(text string, at int) (kinds []nameKind, end int, open bool) {
	for n := 0; ; n++ {
		at = skipBlank(text, at)
		for at < len(text) && (isQuote(text[at]) || text[at] == '\\' || text[at] == '[') {
			at++
		}
		start := at
		for at < len(text) && (isNameByte(text[at]) || text[at] == '.' || text[at] == '$') {
			at++
		}
		if at == len(text) {
			return nil, at, true
		}
		if start == at {
			return nil, at, false
		}
		kind := kindOf(text[start:at])
		if kind != plain && kinds == nil {
			kinds = make([]nameKind, n, n+16)
		}
		if kinds != nil {
			kinds = append(kinds, kind)
		}
		for at < len(text) && (isQuote(text[at]) || text[at] == '\\' || text[at] == ']') {
			at++
		}
		if at = skipBlank(text, at); at == len(text) {
			return nil, at, true
		}
		switch text[at] {
		case ',':
			at++
			continue
		case ')':
			return kinds, at + 1, false
		}
		return nil, at, false
	}
}

// cellEnd is where a value ends that begins at a place: at a comma or a parenthesis that
// stands in no string and in no other parentheses.
func cellEnd(text string, at int) int {
	depth, start := 0, at
	for at < len(text) {
		switch c := text[at]; {
		case c == '\'' || c == '\\' || c == '"' && at == start:
			if from, to := quotedCell(text, at); from > at {
				at = to + from - at
				continue
			}
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case depth == 0 && (c == ',' || c == ')'):
			return at
		}
		at++
	}
	return len(text)
}

// skipBlank is where something stands that is no space, nor one that is escaped.
func skipBlank(text string, at int) int {
	for at < len(text) && (text[at] <= ' ' || text[at] == '\\') {
		if n := newlineAt(text[at:]); n > 0 {
			at += n
		} else if text[at] == ' ' || text[at] == '\t' {
			at++
		} else if strings.HasPrefix(text[at:], `\t`) {
			at += 2
		} else {
			return at
		}
	}
	return at
}

// hideCells hides what a statement inserts under the name of a secret, whose list of
// columns begins with the parenthesis at a place.
func hideCells(e *edits, text string, at int) {
	eachCell(text, at, func(c cell) {
		from, to := c.value(text)
		value := text[from:to]
		number := from == c.from
		if value == "" || HasPlaceholder(value) || !c.kind.assigned(value, number, true) {
			return
		}
		e.replace(from, to, quotedIf(number, Placeholder(unescape(value))))
		e.mixed = true
	})
}

// value is where the first string of a cell stands, or the number that it is.
func (c cell) value(text string) (from, to int) {
	if n := digits(text[c.from:c.to]); n > 0 {
		return c.from, c.from + n
	}
	for at := c.from; at < c.to; at++ {
		if text[at] == '\'' || text[at] == '"' && strings.Trim(text[c.from:at], `\`) == "" {
			for at > c.from && text[at-1] == '\\' {
				at--
			}
			from, to = quotedCell(text, at)
			return from, min(to, c.to)
		}
	}
	return c.from, c.from
}

// statementNames and argumentNames are the members of an object that is a statement with
// its arguments.
var (
	statementNames = []string{"query", "statement", "sql"}
	argumentNames  = []string{"args", "arguments", "params", "parameters", "bindings"}
)

// SecretArguments reports which arguments of a statement are secrets by the names for
// which they stand, at their places from 0: password = $1, or a column that is inserted.
func SecretArguments(statement string) map[int]bool {
	var found map[int]bool
	tell := func(at, place int, kind nameKind) {
		if kind == plain {
			return
		}
		if n := digits(statement[at+1:]); statement[at] == '$' {
			place = 0
			for _, c := range statement[at+1 : at+1+n] {
				place = min(place*10+int(c-'0'), 1<<16)
			}
			place--
		}
		if found == nil {
			found = map[int]bool{}
		}
		found[place] = true
	}
	if !mayName(statement) {
		return nil
	}
	cells := map[int]nameKind{}
	for at := 0; at < len(statement); at++ {
		if statement[at] == '(' && isInto(statement, at) {
			eachCell(statement, at, func(c cell) {
				for i := c.from; i < c.to; i++ {
					cells[i] = c.kind
				}
			})
		}
	}
	place := 0
	for at := 0; at < len(statement); at++ {
		switch c := statement[at]; {
		case c == '\'':
			_, at = quotedCell(statement, at)
		case c == '?' || c == '$' && digits(statement[at+1:]) > 0:
			kind := cells[at]
			if kind == plain {
				kind = comparedWith(statement, at)
			}
			tell(at, place, kind)
			place++
		}
	}
	return found
}

// ArgumentsOf reports the same of the member of an object that has the arguments of a
// statement in another one: nil for any other member. Text returns the string that a member
// holds, "" for none.
func ArgumentsOf(member string, text func(member string) string) map[int]bool {
	if !slices.Contains(argumentNames, member) {
		return nil
	}
	for _, name := range statementNames {
		if statement := text(name); statement != "" {
			return SecretArguments(statement)
		}
	}
	return nil
}

// comparedWith is what the name tells with which a statement compares the argument at a
// place, or to which it assigns it.
func comparedWith(statement string, at int) nameKind {
	if before := strings.TrimRight(statement[:at], " "); strings.HasSuffix(before, ",") { // of a list
		at = len(strings.TrimRight(before, ",$?0123456789 "))
	}
	for range 3 { // functions around it, such as crypt($1, …)
		for at > 0 && statement[at-1] == ' ' {
			at--
		}
		if at == 0 {
			return plain
		}
		if statement[at-1] != '(' {
			break
		}
		for at--; at > 0 && isNameByte(statement[at-1]); at-- {
		}
	}
	sign := at
	for sign > 0 && strings.IndexByte("=<>!~ ", statement[sign-1]) >= 0 {
		sign--
	}
	if strings.Trim(statement[sign:at], " ") == "" {
		word, start := lastWord(statement, at)
		if !slices.Contains([]string{"like", "ilike", "in", "is", "any"}, strings.ToLower(word)) {
			return plain
		}
		sign = start
	}
	_, kind := nameBefore(statement, sign)
	return kind
}

// arguments hides the arguments of a statement that are secrets, in the member that stands
// at i of the same object, and returns where to read on; 0 where there are none.
func (p *pairName) arguments(e *edits, text string, i int) int {
	if p.statement == 0 || i+1 == len(text) || text[i+1] != 'a' && text[i+1] != 'p' && text[i+1] != 'b' {
		return 0
	}
	end := i + 1
	for end < len(text) && isNameByte(text[end]) {
		end++
	}
	if end == len(text) || text[end] != '"' || !slices.Contains(argumentNames, text[i+1:end]) {
		return 0
	}
	at := skipSpace(text, end+1)
	if at == len(text) || text[at] != ':' {
		return 0
	}
	if at = skipSpace(text, at+1); at == len(text) || text[at] != '[' {
		return 0
	}
	if p.behind == 0 || i-p.behind > pairMax || strings.ContainsAny(text[p.behind:i], "{}[]") {
		return 0
	}
	secret := SecretArguments(unescape(inside(text, p.statement, p.behind)))
	p.statement = 0
	for n := 0; secret != nil; n++ {
		at = skipSpace(text, at+1)
		if at == len(text) || text[at] == '[' || text[at] == '{' || text[at] == ']' {
			return at
		}
		from := at
		if text[at] == '"' {
			at = stringEnd(text, at)
		} else {
			for at < len(text) && strings.IndexByte(",] \t\r\n", text[at]) < 0 {
				at++
			}
		}
		if secret[n] {
			hideValue(e, text, from)
		}
		if at = skipSpace(text, at); at == len(text) || text[at] != ',' {
			return at
		}
	}
	return 0
}
