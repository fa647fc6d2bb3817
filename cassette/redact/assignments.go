package redact

import (
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/printed"
)

// hideAssignments hides what is assigned to a name that carries credentials, however
// languages, shells, headers and messages write that: api_key = "…", pin = 4930,
// {'password': '…'}, Client(api_key='…'), 'password' => '…', --token …,
// Cookie: session=…. The grammar is a name, which may be quoted; a sign; and a value,
// bare or in quotes of any kind. The quotes may be escaped, as in a message that
// stands in JSON.
func hideAssignments(text string) string { return hideFound(text, findAssignments) }

// marks are the bytes at which findAssignments looks: few of those that a text has.
var marks = [256]bool{'>': true, '@': true, '\'': true, '"': true, '(': true, '\n': true, '<': true, '=': true, ':': true, '\t': true, ',': true, '\\': true, '-': true}

// findAssignments is what hideAssignments replaces.
func findAssignments(text string) (e edits) {
	var named pairName
	looked := 0                              // up to where what stands below names, or in tables, was looked at
	inString := strings.Contains(text, `\n`) // a table may begin where a string does
	looked = e.line(text, 0, looked)
	for at := 0; at < len(text); at++ {
		if !marks[text[at]] {
			continue
		}
		switch text[at] {
		case '>':
			at, looked = hideElement(&e, text, at, looked)
		case '@':
			at = hideLogin(&e, text, at)
		case '\'', '"':
			if mayBeSetting(text, at+1) {
				hideSetting(&e, text, at+1)
			}
			if inString && text[at] == '"' {
				looked = e.table(text, at+1, looked)
			}
			if at > 0 && (text[at-1] == ' ' || text[at-1] == '\\') {
				at = hideSpoken(&e, text, at)
			}
		case '\n':
			if at+1 < len(text) {
				looked = e.line(text, at+1, looked)
			}
		case '(':
			if isInto(text, at) {
				hideCells(&e, text, at)
			}
		case '<':
			if at+1 < len(text) && text[at+1]|0x20 == 'i' {
				at = hideInput(&e, text, at)
			}
		case '=', ':', '\t', ',', '\\', '-':
			sign := at
			if text[at] == '\\' && at+1 < len(text) && text[at+1] == 'n' {
				looked = e.line(text, at+2, looked)
			}
			if text[at] == '-' {
				if strings.HasPrefix(text[at:], "-> ") {
					sign = at
				} else if end := hideOption(&e, text, at); end > at {
					at = end - 1
					continue
				} else {
					sign = optionEnd(text, at)
				}
			}
			if a, is := assignmentAt(text, sign); is {
				looked = a.below(&e, text, looked)
				at = max(at, a.hide(&e, text)-1)
			} else if a.kind == plain {
				at = max(at, named.assigned(&e, text, a)-1)
			}
		}
	}
	e.sort()
	return e
}

// An assignment is a name that tells something, the sign behind it, and where its
// value begins.
type assignment struct {
	name  string
	kind  nameKind
	sign  byte
	value int
	// pair says that a comma parts the name from the value, and that it has no quotes.
	pair bool
}

// assignmentAt reads the assignment whose sign stands at a place.
func assignmentAt(text string, sign int) (a assignment, is bool) {
	if sign == len(text) {
		return a, false
	}
	a = assignment{sign: text[sign], value: sign + 1}
	end := sign
	switch a.sign {
	case '\\': // a tab, escaped
		if !strings.HasPrefix(text[sign:], `\t`) {
			return a, false
		}
		a.sign, a.value = '\t', sign+2
	case ',':
		if sign == 0 || !isQuote(text[sign-1]) {
			if sign == 0 || !isLetter(text[sign-1]) || !printed.IsPair(text, sign) {
				return a, false
			}
			a.pair = true
		}
	case '-': // an arrow
		if a.sign, a.value = '=', sign+len("->"); sign == 0 || text[sign-1] != ' ' {
			return a, false
		}
	case '=':
		if sign > 0 && text[sign-1] == ':' {
			end-- // :=
		}
		a.value += arrow(text[a.value:])
	}
	for a.value < len(text) && (text[a.value] == ' ' || text[a.value] == '\t') {
		a.value++
	}
	if a.value >= len(text) || a.sign == ':' && isMember(text, sign, a.value) {
		return a, false
	}
	a.name, a.kind = nameBefore(text, end)
	if a.kind == plain && a.sign == '=' {
		if name, kind := typedBefore(text, end); kind != plain {
			a.name, a.kind = name, kind
		}
	}
	switch {
	case a.kind == plain:
	case a.sign == ':':
		a.value = onNextLine(text, a.value)
	case a.sign == '=' && text[sign] == '=' && text[sign+1] == '>':
		a.value = skipSpace(text, a.value)
	case a.sign == '=' && strings.HasPrefix(text[a.value:], "\\\n"): // of a file of properties
		a.value = skipSpace(text, a.value+1)
	}
	if a.value == len(text) {
		return a, false
	}
	return a, a.kind != plain
}

// arrow is how long the second half of a => is with which a text begins, escaped for
// HTML as JSON may have it or not.
func arrow(text string) int {
	if strings.HasPrefix(text, ">") {
		return 1
	}
	rest := strings.TrimLeft(text, `\`)
	if len(rest) < len(text) && strings.HasPrefix(rest, "u003e") {
		return len(text) - len(rest) + len("u003e")
	}
	return 0
}

// isMember reports whether a sign belongs to a member of a JSON object, which is
// hidden as one.
func isMember(text string, sign, value int) bool {
	return sign > 1 && text[sign-1] == '"' && text[sign-2] != '\\' && (text[value] == '"' || text[value] == '[' && !strings.HasPrefix(text[value:], "[]string{") || text[value] == '{' || isNumber(text[value:bareEnd(text, value)]))
}

// isNumber reports whether a text is a number as JSON has it.
func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "+-.eE0123456789") == ""
}

// optionEnd is where the option of a command ends that begins at a place, such as
// --token, if a space follows; else the end of the text.
func optionEnd(text string, start int) int {
	if start > 0 && text[start-1] > ' ' && !isQuote(text[start-1]) {
		return len(text)
	}
	end := start
	for end < len(text) && (isNameByte(text[end]) || text[end] == '.') {
		end++
	}
	if end < len(text) && text[end] == ' ' {
		return end
	}
	return len(text)
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// nameBefore is the name that ends before a sign, and what it tells. It may stand in
// quotes, and in the brackets of an index.
func nameBefore(text string, end int) (string, nameKind) {
	for end > 0 && (text[end-1] == ' ' || text[end-1] == ']' || text[end-1] == '\\' || isQuote(text[end-1])) {
		end--
	}
	start := end
	for start > 0 && isNameByte(text[start-1]) {
		start--
	}
	name := text[start:end]
	if start > 0 && text[start-1] == '%' && (name == "5D" || name == "5d") { // user%5Bpassword%5D
		return nameBefore(text, start-1)
	}
	if len(name) > 2 && start > 0 && text[start-1] == '%' && (name[:2] == "5B" || name[:2] == "5b") {
		name = name[2:]
	}
	kind := kindOf(name)
	if kind != credential && start > 0 && text[start-1] == '\\' && name != "" && strings.IndexByte("nrt", name[0]) >= 0 {
		return name[1:], kindOf(name[1:]) // behind an escaped end of a line
	}
	if rest, is := strings.CutPrefix(name, "u0026"); is && start > 0 && text[start-1] == '\\' {
		return rest, kindOf(rest) // behind an escaped &
	}
	if kind == plain && start > 1 && text[start-1] == '.' && (name == "key" || name == "keys") {
		owner := start - 1
		for owner > 0 && isNameByte(text[owner-1]) {
			owner--
		}
		kind = kindOf(text[owner:start-1] + "_" + name) // auth.keys
	}
	return name, kind
}

// typeMax is how long a type between a name and its value is.
const typeMax = 40

// typedBefore is nameBefore where a type stands between a name and the sign, as in
// password: Optional[str] = "…".
func typedBefore(text string, end int) (string, nameKind) {
	for at := end - 1; at >= max(0, end-typeMax); at-- {
		switch c := text[at]; {
		case c == ':':
			return nameBefore(text, at)
		case c != ' ' && !isNameByte(c) && strings.IndexByte(`[]<>&?|.\`, c) < 0:
			return "", plain
		}
	}
	return "", plain
}

// line hides what the line says that begins at a place, or the lines of which it is the
// head, unless they were looked at, and returns up to where they were.
func (e *edits) line(text string, at, looked int) int {
	hideSetting(e, text, at)
	return e.table(text, at, looked)
}

// table hides what the table holds, or the section of settings, whose head begins at a
// place, unless that was looked at, and returns up to where it was.
func (e *edits) table(text string, at, looked int) int {
	if at < looked || at >= len(text) || text[at] != '[' && !mayBeHead(text, at) {
		return looked
	}
	var list []edit
	end := at
	if text[at] != '[' {
		list, end, e.open = findTable(text, at)
	} else if kind, head := sectionAt(text, at); kind != plain {
		list, end = findSection(text, head, kind)
	}
	e.ahead(list)
	if end > at {
		return end
	}
	return looked
}

// below hides what stands below the name: in an object, or in the lines of a block. It
// returns up to where that was looked at.
func (a assignment) below(e *edits, text string, looked int) int {
	if a.value < looked || a.value >= len(text) {
		return looked
	}
	var list []edit
	switch c := text[a.value]; {
	case c == '{', c == '(' && a.kind == basicPair, c == '[' && (a.kind == basicPair || isOfMore(text, a.value)):
		list, looked, _ = findBelow(text, a.value, a.kind)
	case a.sign == ':' && newlineAt(text[a.value:]) > 0:
		list, looked = findBlock(text, a.value, a.kind)
	}
	e.ahead(list)
	return looked
}

// isOfMore reports whether the list that begins at a place has members, or others in it.
func isOfMore(text string, at int) bool {
	s := belowScan{text: text}
	first := skipSpace(text, at+1)
	return first < len(text) && (text[first] == '{' || text[first] == '[') || s.isRows(at)
}

// hide hides the value, and returns where to read on.
func (a assignment) hide(e *edits, text string) int {
	if a.sign == ':' || a.sign == '=' {
		if end := a.hideHeader(e, text); end > 0 {
			return end
		}
	}
	if from, to, ended := heredoc(text, a.value); ended && a.takes(text, a.value, from, to) {
		e.replace(from, to, Placeholder(unescape(text[from:to])))
		return to
	}
	if end := a.hidePrinted(e, text); end > 0 {
		return end
	}
	at, typed := unwrapped(text, a.value)
	end := at
	for {
		from, to := assignedValue(text, at)
		if from >= to || !a.takes(text, at, from, to) || typed && !isBareSecret(text[from:to]) {
			if end == at && (a.sign == '=' || a.sign == ':') {
				return a.hideDefault(e, text, end)
			}
			return end
		}
		number := from == at && digits(text[from:to]) == to-from
		e.replace(from, to, quotedIf(number, Placeholder(unescape(text[from:to]))))
		end = to
		next := to
		for next < len(text) && (isQuote(text[next]) || text[next] == '\\') {
			next++
		}
		if listed := strings.ContainsAny(text[a.value:at], "[{"); !listed || text[at-1] == '(' || next == to || next == len(text) || text[next] != ',' {
			return end
		}
		if at = skipSpace(text, next+1); at == len(text) || !isQuote(text[at]) && text[at] != '\\' {
			return end // no other element of a list
		}
	}
}

// takes reports whether the value between two places is hidden, which begins at a
// place, with its quote.
func (a assignment) takes(text string, at, from, to int) bool {
	value, bare := text[from:to], from == at
	switch {
	case value[0] == '/' && a.isPath(value):
		return false
	case a.sign == ',':
		return (!bare || a.pair && printed.Ends(text, to)) && len(value) >= shortestListed && isBareSecret(value) && a.kind.assigned(value, false, false)
	case a.sign == '\t' || a.sign == ' ':
		if bare && (value[0] == '-' || digits(value) == len(value)) {
			return false
		}
		if bare && a.sign == ' ' && a.kind == secretToken { // of an option
			return a.kind.fits(value)
		}
	}
	if bare && a.kind != credential && strings.Contains(wordBefore(text, from), "://") {
		return false // of a URL
	}
	return a.kind.assigned(value, bare, a.sign == '=')
}

// isPath reports whether a value is the path of a directory, or of a file that has the secret.
func (a assignment) isPath(value string) bool {
	return hasFoldedSuffix(a.name, "pwd") && len(a.name) <= len("oldpwd") || strings.HasPrefix(value, "/run/secrets/") || strings.HasPrefix(value, "/var/run/secrets/")
}

// shortestListed is how long a secret is that stands behind its name in a list: lists
// of names are more frequent.
const shortestListed = 8

// wordBefore is what stands before a place without a space between.
func wordBefore(text string, at int) string {
	start := at
	for start > 0 && text[start-1] > ' ' && at-start < runEnd {
		start--
	}
	return text[start:at]
}

// wrappers are what languages put around a string, before the parenthesis.
var wrappers = []string{"Some", "Optional", "Ok", "Just", "Secret", "SecretStr", "SecretString", "SecretBytes", "Sensitive", "String::from", "str", "bytes", "string", "Optional.of", "new String"}

// unwrapped is where the string of a value begins behind what stands around it: a
// call that makes it, the bracket of a list, or the letter of its kind. It is the
// same place where nothing does. Typed says that a type is called that nobody knows.
func unwrapped(text string, at int) (begin int, typed bool) {
	at = tagged(text, at)
	begin = at
	for range 3 {
		rest := text[at:]
		n := 0
		for _, w := range wrappers {
			if strings.HasPrefix(rest, w+"(") && (len(rest) == len(w)+1 || !isDigit(rest[len(w)+1])) {
				n = len(w) + 1
				break
			}
		}
		switch {
		case n > 0:
		case rest == "":
			return begin, false
		case strings.HasPrefix(rest, `\u0026`):
			n = len(`\u0026`)
		case rest[0] == '[' && !strings.HasPrefix(rest, "[]"), rest[0] == '(', rest[0] == '&':
			n = 1
		case len(rest) > 1 && strings.IndexByte("bruBRU@$", rest[0]) >= 0 && isQuote(rest[1]):
			n = 1
		default:
			n = printed.Wrapped(rest)
			typed = typed || n > 0 && isLetter(rest[0]) && rest[0] <= 'Z'
		}
		if at += n; n == 0 {
			break
		}
		at = skipSpace(text, at)
	}
	if at < len(text) && (isQuote(text[at]) || text[at] == '\\') {
		return at, typed
	}
	return begin, false
}

// hideHeader hides the value of a field of a header that has several parts: the
// credential behind its scheme, and the values of cookies. It returns where to read
// on, 0 where the name is of no such field or nothing is hidden.
func (a assignment) hideHeader(e *edits, text string) int {
	name := fold(a.name)
	cookie := strings.HasSuffix(name, "cookie")
	if !cookie && !strings.HasSuffix(name, "authorization") && !strings.HasSuffix(name, "authentication") {
		return 0
	}
	end := a.value
	for end < len(text) && end-a.value < runEnd && text[end] >= ' ' && !isQuote(text[end]) && text[end] != '\\' {
		end++
	}
	switch {
	case cookie:
		return hideCookies(e, text, a.value, end)
	default:
		scheme, rest, has := strings.Cut(text[a.value:end], " ")
		if !has || !slices.Contains(schemes, strings.ToLower(scheme)) {
			return 0
		}
		from := end - len(strings.TrimLeft(rest, " "))
		to := bareEnd(text, from)
		if value := text[from:to]; isBareSecret(value) || len(value) >= shortestToken && !isWord(value) {
			e.replace(from, to, Placeholder(value))
			return to
		}
	}
	return 0
}

// schemes are what stands before the credential in a field Authorization.
var schemes = []string{"bearer", "basic", "token", "digest", "apikey", "api-key", "key", "negotiate", "ntlm", "bot", "splunk", "geniekey"}

// cookieAttributes are what Set-Cookie says beside the cookie.
var cookieAttributes = []string{"expires", "max-age", "domain", "path", "samesite", "priority"}

func hideCookies(e *edits, text string, at, end int) (to int) {
	for at < end {
		next := end
		if n := strings.IndexByte(text[at:end], ';'); n >= 0 {
			next = at + n
		}
		name, value, has := strings.Cut(text[at:next], "=")
		from := next - len(value)
		stop := bareEnd(text[:next], from)
		name = strings.ToLower(strings.TrimSpace(name))
		if !has || name == "" || strings.ContainsFunc(name, func(r rune) bool { return r > 0x7f || !isNameByte(byte(r)) && r != '.' }) {
			return to
		}
		if v := text[from:stop]; isBareSecret(v) && !slices.Contains(cookieAttributes, name) {
			e.replace(from, stop, Placeholder(v))
			to = stop
		}
		at = next + 1
	}
	return to
}

// hideElement hides what the XML element holds whose first mark ends at a place,
// where it is of such a name and holds only text. The placeholder is escaped, or it
// would be an element itself. It returns where to read on. What elements in it hold is
// hidden as what stands below a name, unless that was looked at; to is up to where it was.
func hideElement(e *edits, text string, at, looked int) (next, to int) {
	name := elementName(text, at)
	if name == "" {
		return at, looked
	}
	end := strings.IndexByte(text[at:], '<') + at
	if end < at {
		return at, looked
	}
	kind := kindOf(name[strings.LastIndexByte(name, ':')+1:])
	if kind == plain {
		return at, looked
	}
	if from := at + 1 + len(cdata); strings.HasPrefix(text[at+1:], cdata) {
		n := strings.Index(text[from:min(len(text), from+wordsMax)], "]]>")
		if n > 0 && kind.hides(text[from:from+n]) && !HasPlaceholder(text[from:from+n]) {
			e.replace(from, from+n, Placeholder(text[from:from+n]))
			return from + n - 1, looked
		}
	}
	if at >= looked && skipSpace(text, at+1) == end {
		e.ahead(findElements(text, at+1, kind))
		return at, end + 1
	}
	if end == at+1 || !strings.HasPrefix(text[end:], "</"+name) {
		return at, looked
	}
	if value := text[at+1 : end]; kind.hides(value) && !IsPlaceholder(value) && !HasPlaceholder(value) {
		e.replace(at+1, end, url.QueryEscape(Placeholder(value)))
		return end - 1, looked
	}
	return at, looked
}

// cdata begins the text of an element that is taken as it stands, and wordsMax is how long
// such a text is at most.
const (
	cdata    = "<![CDATA["
	wordsMax = 4 << 10
)

// tagMax is how long the first mark of an element is at most.
const tagMax = 512

// elementName is the name of the element whose first mark ends at a place, which may
// have attributes; "" where none does.
func elementName(text string, at int) string {
	start := at
	for start > 0 && at-start < tagMax && text[start-1] != '<' && text[start-1] != '>' {
		start--
	}
	if start == 0 || text[start-1] != '<' || text[at-1] == '/' {
		return ""
	}
	end := start
	for end < at && (isNameByte(text[end]) || text[end] == ':' || text[end] == '.') {
		end++
	}
	if end < at && text[end] > ' ' {
		return ""
	}
	return text[start:end]
}

func quotedIf(quotes bool, text string) string {
	if quotes {
		return `"` + text + `"`
	}
	return text
}

// assigned reports whether a value is hidden that is assigned to a name, bare of
// quotes or within them. A bare one is a number, of a name that may be of other
// things only behind a sign of equality, or else has letters and digits.
func (k nameKind) assigned(value string, bare, equals bool) bool {
	if placeholderAt(value) > 0 || isNothing(value) || !bare && strings.Trim(value, "}],: ") == "" { // behind the string that ends with the sign
		return false
	}
	if bare && digits(value) < len(value) {
		return isBareSecret(value) && (k == credential || k == shortPass || k == wholePass && k.fits(value) || k != pluralSecret && k.fits(value) && isRandom(value))
	}
	if bare && equals {
		return digits(value) == len(value) && (k == credential && len(value) >= ShortestSecret || k.isCode() && k.fits(value))
	}
	// A message that shows only the beginning says so, and how much it leaves out.
	begun, _, cut := strings.Cut(value, ellipsis)
	return k == credential || k.fits(begun) || cut && !strings.Contains(begun, " ") && k.isCut()
}

// isNothing reports whether a value says that there is none, or is what stands before
// one that a program adds: "Bearer ".
func isNothing(value string) bool {
	word := strings.ToLower(strings.TrimSpace(value))
	return word == "none" || word == "null" || word == "nil" || slices.Contains(schemes, word) && word != "key" && word != "token"
}

// assignedValue is where the inside of a quoted value stands, or a bare one; nowhere
// for anything else.
func assignedValue(text string, at int) (from, to int) {
	quote := at
	for quote < len(text) && text[quote] == '\\' {
		quote++
	}
	switch {
	case quote < len(text) && isQuote(text[quote]):
		if from, to = longText(text, at); from < to {
			return from, to
		}
		from = quote + 1
		return from, from + quotedEnd(text, text[at:from], from)
	case quote == at:
		to = bareEnd(text, at)
		return at, at + len(strings.TrimRight(text[at:to], ".,:;!?"))
	}
	return 0, 0
}

// quotedEnd is how long a value in quotes is that begins at a place, behind its mark.
// One without an end goes up to the end of the line, or in other quotes than those of
// JSON as far as a bare one.
func quotedEnd(text, mark string, from int) int {
	if mark == `"` {
		return len(inside(text, from-1, stringEnd(text, from-1)))
	}
	at := from
	for ; at < len(text) && text[at] != '\n'; at++ {
		if strings.HasPrefix(text[at:], mark) {
			return at - from
		}
		if len(mark) == 1 && text[at] == '\\' && at+1 < len(text) && text[at+1] != '\n' {
			at++
		}
	}
	if strings.HasSuffix(mark, `"`) {
		return at - from
	}
	return bareEnd(text, from) - from
}

// bareEnd is where a value without quotes ends that begins at a place.
func bareEnd(text string, at int) int {
	for at < len(text) && isBareByte(text[at]) {
		at++
	}
	return at
}

// isBareByte reports whether a value without quotes goes on: in a message or in
// YAML it ends where a space, a quote, a bracket or what parts values stands.
func isBareByte(c byte) bool {
	return c > ' ' && c < 0x7f && strings.IndexByte("\"'`,;&<>()[]{}|\\", c) < 0
}

// shortestBare is how long a value without quotes must be to be more than a number
// with its unit.
const shortestBare = 6

// isBareSecret reports whether a value without quotes is more than a word of the
// sentence in which its name stands: it has letters and digits, and is no
// reference.
func isBareSecret(value string) bool {
	if len(value) < shortestBare || strings.ContainsAny(value, "$*") {
		return false
	}
	letters, numbers := false, false
	for i := range len(value) {
		letters = letters || isLetter(value[i])
		numbers = numbers || isDigit(value[i])
	}
	return letters && numbers && !isVersion(value)
}

// isVersion reports whether a value is numbers with dots between them, a letter before
// them at most: v1.2.3.
func isVersion(value string) bool {
	value = strings.TrimPrefix(value, "v")
	dots := strings.Count(value, ".")
	return dots > 0 && digits(strings.ReplaceAll(value, ".", "")) == len(value)-dots
}

// isRandom reports whether a value is mixed as nobody writes a name: of letters of
// both cases and digits, or long and of many different ones.
func isRandom(value string) bool {
	if strings.Contains(value, "://") || strings.Count(value, "/") > 1+len(value)/12 || strings.Count(value, ".") > 2 || isUUID(value) {
		return false
	}
	upper, lower, numbers := 0, 0, 0
	for i := range len(value) {
		switch c := value[i]; {
		case isDigit(c):
			numbers++
		case 'A' <= c && c <= 'Z':
			upper++
		case 'a' <= c && c <= 'z':
			lower++
		}
	}
	return bits(value) >= 3 && (upper > 1 && lower > 1 && numbers > 1 || len(value) >= 20 && numbers > 3)
}
