package redact

import (
	"encoding/json"
	"sort"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/cassette/internal/escapes"
	"github.com/scenario-lang/scenario/cassette/internal/styles"
)

// nestedMax is how many strings within strings are looked into.
const nestedMax = 4

// hideNames hides what stands under a name that carries credentials, in JSON
// and in URLs. The text need be neither: a stream of events, a message that
// quotes an answer, and an answer that was cut are all read as they come.
func hideNames(text string) string {
	shown, _ := hideNamesOf(text)
	return shown
}

// hideNamesOf is [hideNames], and returns the table that goes on behind the text, nil for
// none.
func hideNamesOf(text string) (shown string, open *table) {
	text = hideMarked(text)
	plain, cuts := escapes.WithoutSequences(text)
	s := seen{text, plain, cuts}
	e := findFields(s.plain)
	s.hide(&e)
	e = findMembers(s.plain)
	s.hide(&e)
	e = findAssignments(s.plain)
	open = e.open
	s.hide(&e)
	e = findURLs(s.plain)
	s.hide(&e)
	e = findPaths(s.plain)
	s.hide(&e)
	return s.text, open
}

// A seen text is one with what a terminal shows of it.
type seen struct {
	text, plain string
	cuts        []escapes.Cut
}

func (s *seen) hide(e *edits) {
	if len(e.list) > 0 {
		s.replace(e)
	}
}

func (s *seen) replace(e *edits) {
	e.place(s.cuts)
	s.text = e.apply(s.text)
	s.plain, s.cuts = escapes.WithoutSequences(s.text)
}

// hideFound hides what is found in a text as a terminal shows it.
func hideFound(text string, find func(string) edits) string {
	e := foundIn(text, find)
	return e.apply(text)
}

// foundIn is what is found in a text without the escape sequences of terminals, where it
// stands in the text.
func foundIn(text string, find func(string) edits) edits {
	plain, cuts := escapes.WithoutSequences(text)
	e := find(plain)
	e.place(cuts)
	return e
}

// hideMembers hides the members of JSON objects that carry credentials.
func hideMembers(text string) string { return hideFound(text, findMembers) }

func findMembers(text string) edits { return credentials.find(text, 0) }

// members are the members of JSON objects that are hidden, by their names.
type members struct {
	// value returns where the value of a member begins that stands in a text, where its
	// name is one to hide; else 0. Where the value is an object, or a list of
	// which not all goes, below is what its name tells, and begins where that begins.
	value func(text string, m member) (value, begins int, below nameKind)
	// may is a quick look whether a text can hold such a name.
	may func(text string) bool
	// pairs says that a member is also hidden whose name stands in another one.
	pairs bool
}

var credentials = members{secretMember, mayName, true}

// hide hides members in one pass. It looks at every quote and asks for no
// structure around it, so that it finds them in a text that begins or ends
// anywhere.
func (m members) hide(text string, depth int) string {
	e := m.find(text, depth)
	return e.apply(text)
}

// find is what hide replaces.
func (m members) find(text string, depth int) (e edits) {
	nested := depth < nestedMax && strings.Contains(text, `\"`)
	var named pairName
	looked := 0 // up to where what stands below a name was looked at
	for i := 0; i < len(text); i++ {
		next := strings.IndexByte(text[i:], '"')
		if next < 0 {
			break
		}
		if i += next; i > 0 && text[i-1] == '\\' {
			continue
		}
		at := memberAt(text, i)
		value, begins, below := m.value(text, at)
		if below != plain && begins >= looked {
			var found []edit
			found, looked, _ = findBelow(text, begins, below)
			e.ahead(found)
		}
		if value == 0 && m.pairs && at.name != "" {
			value = named.value(text, at)
		}
		if to := named.arguments(&e, text, i); to > 0 {
			i = to - 1
		} else if value > 0 {
			i = hideValue(&e, text, value) - 1
		} else if nested {
			if end := stringEnd(text, i); m.hideWithin(&e, text, i, end, depth) {
				i = end - 1
			}
		}
	}
	e.sort()
	return e
}

// secretMember is [members.value] for the names that carry credentials.
func secretMember(text string, m member) (value, begins int, below nameKind) {
	if m.name == "" || m.value == len(text) {
		return 0, 0, plain
	}
	kind := kindOf(m.name)
	if kind == plain {
		return 0, 0, plain
	}
	value = m.value
	switch c := text[value]; {
	case c == '{':
		return 0, value, kind
	case c == '[':
		first := skipSpace(text, value+1)
		if first == len(text) {
			return 0, 0, plain
		}
		if text[first] == '{' || text[first] == '[' || kind == basicPair {
			return 0, value, kind
		}
		if kind == credential || text[first] == '"' && kind.fits(inside(text, first, stringEnd(text, first))) {
			return value, 0, plain
		}
		if kind != pluralSecret {
			return 0, 0, plain
		}
		return 0, value, kind
	case kind == credential, c == '"' && kind.fits(inside(text, value, stringEnd(text, value))):
		return value, 0, plain
	}
	if n := digits(text[value:]); kind.isCode() && n > 0 && kind.fits(text[value:value+n]) {
		return value, 0, plain
	}
	return 0, 0, plain
}

// A member is one of an object of JSON.
type member struct {
	name string // without escapes, "" for what is none
	// quote is where the name begins, and value where the value does.
	quote, value int
}

// memberAt is the member whose name stands in quotes at a place.
func memberAt(text string, quote int) member {
	name, end := memberName(text, quote)
	if name == "" {
		return member{quote: quote}
	}
	colon := skipSpace(text, end)
	if colon == len(text) || text[colon] != ':' {
		return member{quote: quote}
	}
	return member{name, quote, skipSpace(text, colon+1)}
}

// memberName is the name that stands in quotes at i, without escapes, and where it ends
// behind its quote; "" for what is none.
func memberName(text string, i int) (name string, end int) {
	end = i + 1
	escaped := false
	for end < len(text) && (isNameByte(text[end]) || text[end] == '.' || text[end] == '\\') {
		if text[end] == '\\' {
			escaped = true
			if end+1 == len(text) || text[end+1] != 'u' {
				return "", end
			}
		}
		end++
	}
	if end == len(text) || text[end] != '"' || end-i > escapedNameMax {
		return "", end
	}
	name = text[i+1 : end]
	if escaped {
		name = unescape(name)
	}
	return name, end + 1
}

// escapedNameMax is how long a name is at most that tells something, if each of its
// letters is escaped.
const escapedNameMax = nameMax * len(`\u0000`)

func isNameByte(c byte) bool { return nameBytes[c] }

var nameBytes = func() (is [256]bool) {
	for c := range is {
		b := byte(c)
		is[c] = b == '_' || b == '-' || b|0x20 >= 'a' && b|0x20 <= 'z' || isDigit(b)
	}
	return is
}()

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// digits is how many digits a text begins with.
func digits(text string) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

// stringEnd returns where the JSON string that begins at i ends: after its
// quote, or where the line or the text ends.
func stringEnd(text string, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		case '\n':
			return i
		}
	}
	return len(text)
}

// inside is what a string holds, without its quotes.
func inside(text string, i, end int) string {
	if end-i >= 2 && text[end-1] == '"' {
		return text[i+1 : end-1]
	}
	return text[i+1 : end]
}

// skipSpace is where something stands at or behind a place that is no space.
//
//go:noinline
func skipSpace(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i
}

// hideValue hides the string or the number at i, or those of the list that
// begins there, and returns where to read on. Objects are left: the schema of
// a member of that name is one.
func hideValue(e *edits, text string, i int) int {
	if i >= len(text) {
		return i
	}
	switch c := text[i]; {
	case c == '"':
		end := stringEnd(text, i)
		content := inside(text, i, end)
		if secret := unescape(content); secret != "" && !IsPlaceholder(secret) && !isNothing(secret) {
			e.replace(i+1, i+1+len(content), Placeholder(secret))
		}
		return end
	case c == '-' || '0' <= c && c <= '9':
		end := i
		for end < len(text) && strings.IndexByte("+-.eE0123456789", text[end]) >= 0 {
			end++
		}
		e.replace(i, end, `"`+Placeholder(text[i:end])+`"`)
		return end
	case c == '[':
		return hideList(e, text, i)
	}
	return i
}

func hideList(e *edits, text string, i int) int {
	for {
		i = skipSpace(text, i+1)
		if i >= len(text) || text[i] == '[' {
			return i
		}
		end := hideValue(e, text, i)
		if end == i {
			return i
		}
		if i = skipSpace(text, end); i >= len(text) || text[i] != ',' {
			return i
		}
	}
}

// hideWithin looks into a string that may be JSON itself, and reports whether
// there was anything to hide.
func (m members) hideWithin(e *edits, text string, i, end, depth int) bool {
	content := inside(text, i, end)
	if !strings.Contains(content, `\"`) || !m.may(content) {
		return false
	}
	plain := unescape(content)
	shown := m.hide(plain, depth+1)
	if shown == plain {
		return false
	}
	e.replace(i+1, i+1+len(content), styles.JSON(shown))
	return true
}

// unescape decodes the inside of a JSON string; of one that was cut, as far as
// it goes.
func unescape(content string) string {
	if !strings.Contains(content, `\`) {
		return content
	}
	var s string
	for cut := 0; cut < len(`\u0000`) && cut <= len(content); cut++ {
		if json.Unmarshal([]byte(`"`+content[:len(content)-cut]+`"`), &s) == nil {
			return s
		}
	}
	return content
}

// stems are parts of the names that are hidden; every one of those has one.
var stems = []string{
	"token", "secret", "key", "pass", "pw", "auth", "sig", "credential", "bearer", "jwt", "cookie", "connection", "otp", "pin", "csrf",
	"session", "mfa", "recovery", "backup", "verif", "mnemonic", "seedphrase", "seed_phrase", "cvv", "cvc", "webhook",
	"device", "assertion", "answer", "hmac", "encryption", "magic", "invite", "licen", "unlock", "master", "refresh",
	"senha", "wachtwoord", "kennwort", "mdp", "contrasena", "clave", "cleapi", "cle_api", "haslo", "losenord", "sessid",
}

// stemsBy are the stems by their first letters.
var stemsBy = sync.OnceValue(func() *[256][]string {
	var by [256][]string
	for _, s := range stems {
		by[s[0]] = append(by[s[0]], s)
	}
	return &by
})

// mayName reports whether a text may hold such a name: a quick look before a
// careful one.
func mayName(text string) bool {
	for i := range len(text) {
		switch text[i] | 0x20 {
		case 't', 's', 'k', 'p', 'a', 'c', 'b', 'd', 'e', 'h', 'i', 'j', 'l', 'o', 'm', 'r', 'u', 'v', 'w':
			for _, stem := range stemsBy()[text[i]|0x20] {
				if len(text)-i >= len(stem) && strings.EqualFold(text[i:i+len(stem)], stem) {
					return true
				}
			}
		case '|':
			if text[i] == '\\' && i+1 < len(text) && text[i+1] == 'u' { // a name may have escapes
				return true
			}
		}
	}
	return false
}

// edits are replacements in a text, in order.
type edits struct {
	out  []byte
	list []edit
	// mixed says that they were not found in their order.
	mixed bool
	// open is the table that the text ends in.
	open *table
}

type edit struct {
	start, end int
	with       string
}

func (e *edits) replace(start, end int, with string) {
	e.list = append(e.list, edit{start, end, with})
}

// ahead adds replacements in a part of the text that is still to be looked at.
func (e *edits) ahead(list []edit) {
	if len(list) > 0 {
		e.list, e.mixed = append(e.list, list...), true
	}
}

// sort brings replacements into their order, of which those that overlap are one.
func (e *edits) sort() {
	if !e.mixed {
		return
	}
	sort.SliceStable(e.list, func(i, j int) bool { return e.list[i].start < e.list[j].start })
	apart := e.list[:0]
	for _, x := range e.list {
		if len(apart) == 0 || x.start >= apart[len(apart)-1].end {
			apart = append(apart, x)
		}
	}
	e.list = apart
}

func (e *edits) apply(text string) string {
	if len(e.list) == 0 {
		return text
	}
	done := 0
	for _, x := range e.list {
		e.out = append(append(e.out, text[done:x.start]...), x.with...)
		done = x.end
	}
	return string(append(e.out, text[done:]...))
}

// end is where the last replacement ends.
func (e *edits) end() int {
	if len(e.list) == 0 {
		return 0
	}
	return e.list[len(e.list)-1].end
}

// place moves replacements in a text without escape sequences, which are in order, to where
// they are in the one that has them.
func (e edits) place(cuts []escapes.Cut) {
	left, n := 0, 0
	to := func(at int) int {
		for ; n < len(cuts) && cuts[n].At <= at; n++ {
			left = cuts[n].Left
		}
		return at + left
	}
	for i, x := range e.list {
		e.list[i].start = to(x.start)
		e.list[i].end = to(x.end-1) + 1
	}
}
