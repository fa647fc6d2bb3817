package redact

import (
	"slices"
	"strings"
)

// A Below is under which names a value stands, and says whether that hides it: the last of
// them alone, as [IsSecretMember] does, or one above it, in an object or a list under the
// name of a credential: {"password": {"old": "…", "new": "…"}}, {"tokens": {"ann": "…"}}. What is
// there may also be said about the credential, such as its type, or how often it was
// used, so that a text has to look like a secret. The zero Below hides nothing.
type Below struct {
	// name is the last one, "" for none, and kind what the last one tells that tells
	// something.
	name string
	kind nameKind
	// own says that this is the same one.
	own bool
}

// Under is a member of this name, which stands below others.
func (b Below) Under(name string) Below {
	if kind := kindOf(name); kind != plain {
		return Below{name, kind, true}
	}
	if b.kind != plain && slices.Contains(said, fold(name)) {
		return Below{}
	}
	return Below{name, b.kind, false}
}

// said are the names of what is for people, and below which nothing is hidden.
var said = []string{"label", "labels", "description", "hint", "hints", "message", "messages", "error", "errors", "title", "example", "examples", "pattern", "policy", "schema", "properties", "usage"}

// isOfAny reports whether a name of this kind has secrets below it that look like one,
// whatever their names are.
func (k nameKind) isOfAny() bool {
	switch k {
	case credential, secretToken, methodOrToken, secretKey, pluralSecret, shortPass, wholePass, basicPair, secretCode:
		return true
	}
	return false
}

// Hides reports whether a text is hidden that stands there.
func (b Below) Hides(value string) bool { return b.own && b.kind.hides(value) || b.below(value) }

// HidesNumber is [Below.Hides] for a number.
func (b Below) HidesNumber(number string) bool {
	return b.own && b.kind.hidesNumber(number) || b.belowNumber(number)
}

// below reports whether a text is hidden that stands below the name of a credential.
func (b Below) below(value string) bool {
	switch {
	case b.kind == plain, value == "", strings.ContainsAny(value, " \t\r\n[](){}^\\|<>"), HasPlaceholder(value), isNothing(value), isDate(value), isUUID(value), isSetting(value):
		return false
	case isScrambled(value):
		return (b.kind.isOfAny() || bears(b.name) && b.kind.fits(value)) && !isAbout(b.name)
	case bears(b.name):
		return b.kind.isCode() && b.kind.fits(value) || isBareSecret(value) && (b.kind == credential || b.kind.fits(value))
	}
	return b.kind == credential && isManifold(value) && !isAbout(b.name)
}

// belowNumber is [Below.below] for a number.
func (b Below) belowNumber(number string) bool {
	return b.kind != plain && bears(b.name) && (b.kind == credential && len(number) >= ShortestSecret || b.kind.isCode() && b.kind.fits(number))
}

// HidesSecond reports whether the second of the two texts of a list is hidden, of which the
// first is the name of a user: {"auth": ["ann", "…"]}.
func (b Below) HidesSecond(user, password string) bool {
	return b.kind == basicPair && isUserName(user) && isBareSecret(password) && !HasPlaceholder(password) && !isDate(password) && !isSetting(password) && !isNumbered(password)
}

// bearers are the names, in lower case without underscores and hyphens, under which the
// credential itself stands: {"token": {"value": "…"}}.
var bearers = []string{"value", "val", "v", "data", "raw", "plain", "plaintext", "cleartext", "content", "temporary", "temp", "initial", "next", "first", "second"}

func bears(name string) bool {
	folded := fold(name)
	return slices.Contains(bearers, folded) || slices.Contains(followers, folded)
}

// told are, beside aboutWords, the last words of names for what is said about a credential.
var told = []string{
	"ID", "IDS", "UUID", "GUID", "FORMAT", "DESCRIPTION", "TITLE", "LABEL", "PATTERN", "REGEX", "EXAMPLE", "EXAMPLES", "DEFAULT", "ENUM", "CONST", "REF", "MESSAGE", "ERROR", "HINT", "AT", "ON", "BY", "DATE", "TIME",
	"SINCE", "UNTIL", "EXPIRES", "CREATED", "UPDATED", "ALGO", "HASH", "SHA256", "DIGEST", "CHECKSUM", "FINGERPRINT", "KID", "ISS", "SUB", "AUD", "USER", "LOGIN", "OWNER", "ACCOUNT", "ARN", "STATUS", "STATE", "REASON", "MODEL", "REVISION", "ETAG",
}

// isAbout reports whether a name is of what is said about a credential.
func isAbout(name string) bool {
	words := wordsOf(name)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	return slices.Contains(aboutWords, last) || slices.Contains(told, last) || isHarmlessEnd(words)
}

// isScrambled reports whether a value has letters and digits in turn, as only a program
// writes them.
func isScrambled(value string) bool {
	is := false
	eachWord(value, func(from, to int) {
		is = is || isScrambledWord(value[from:to])
	})
	return is
}

func isScrambledWord(word string) bool {
	if len(word) < longInOtherForm {
		return false
	}
	letters, upper, turns := 0, 0, 0
	for i := range len(word) {
		if isLetter(word[i]) {
			letters++
			if word[i] <= 'Z' {
				upper++
			}
		}
		if i > 0 && isDigit(word[i]) != isDigit(word[i-1]) {
			turns++
		}
	}
	both := upper > 0 && upper < letters
	return letters > 2 && len(word)-letters > 1 && turns > 2 && (both || len(word) >= longSecret)
}

// isManifold reports whether a value has letters of both cases, digits and signs, as
// passwords have to have them.
func isManifold(value string) bool {
	return isBareSecret(value) && strings.ContainsAny(value, "!#%&?+=~") && value != strings.ToLower(value) && value != strings.ToUpper(value)
}

// isDate reports whether a value begins with a date.
func isDate(value string) bool {
	return len(value) >= len("2006-01-02") && digits(value) == 4 && value[4] == '-' && digits(value[5:]) == 2 && value[7] == '-' && digits(value[8:]) == 2
}

// belowMax is how deep what stands below a name is looked into.
const belowMax = 16

// A belowScan looks through an object or a list of JSON, or of a language that writes
// them alike: {'password': {'old': '…'}}, "password" => ["old" => "…"].
type belowScan struct {
	e    *edits
	text string
	// open says that the text ends before what began in it.
	open bool
}

// findBelow finds what stands in the object or the list that begins at a place, under a
// name of such a kind, and is hidden; and where that ends. Open says that it does not end.
func findBelow(text string, at int, kind nameKind) (list []edit, end int, open bool) {
	s := belowScan{e: &edits{}, text: text}
	end = s.value(at, Below{kind: kind}, 0)
	return s.e.list, end, s.open
}

// next is the next place that is no space.
func (s *belowScan) next(at int) int {
	at = skipSpace(s.text, at)
	s.open = s.open || at >= len(s.text)
	return at
}

// value reads a value, and returns where it ends; the same place where none begins.
func (s *belowScan) value(at int, b Below, depth int) int {
	if at >= len(s.text) || depth > belowMax {
		return at
	}
	switch c := s.text[at]; {
	case c == '{':
		return s.object(at, '}', b, depth)
	case c == '[':
		if s.isRows(at) {
			return s.object(at, ']', b, depth)
		}
		return s.list(at, ']', b, depth)
	case c == '(' && b.kind == basicPair:
		return s.list(at, ')', b, depth)
	case isQuote(c):
		from, to, end := s.quoted(at)
		if secret := unescape(s.text[from:to]); b.below(secret) {
			s.e.replace(from, to, Placeholder(secret))
		}
		return end
	}
	end := at
	for end < len(s.text) && strings.IndexByte("+-.", s.text[end]) >= 0 || end < len(s.text) && (isLetter(s.text[end]) || isDigit(s.text[end])) {
		end++
	}
	if number := s.text[at:end]; isNumber(number) && b.belowNumber(number) {
		s.e.replace(at, end, quotedIf(true, Placeholder(number)))
	}
	return end
}

// quoted is where the inside of a text in quotes stands, and where that ends.
func (s *belowScan) quoted(at int) (from, to, end int) {
	mark := s.text[at]
	for end = at + 1; end < len(s.text) && s.text[end] != '\n'; end++ {
		switch s.text[end] {
		case '\\':
			end++
		case mark:
			return at + 1, end, end + 1
		}
	}
	end = min(end, len(s.text))
	s.open = s.open || end == len(s.text)
	return at + 1, end, end
}

// isRows reports whether a bracket begins the members of an array of PHP.
func (s *belowScan) isRows(at int) bool {
	first := skipSpace(s.text, at+1)
	if first >= len(s.text) || !isQuote(s.text[first]) {
		return false
	}
	end := first + 1
	for end < len(s.text) && (isNameByte(s.text[end]) || s.text[end] == '.') {
		end++
	}
	if end >= len(s.text) || s.text[end] != s.text[first] {
		return false
	}
	return strings.HasPrefix(s.text[skipSpace(s.text, end+1):], "=>")
}

func (s *belowScan) object(at int, mark byte, b Below, depth int) int {
	for at = s.next(at + 1); at < len(s.text) && isQuote(s.text[at]); at = s.next(at + 1) {
		from, to, end := s.quoted(at)
		name := unescape(s.text[from:to])
		sign := s.next(end)
		switch {
		case sign >= len(s.text):
			return sign
		case s.text[sign] == ':':
			sign++
		case strings.HasPrefix(s.text[sign:], "=>"):
			sign += len("=>")
		default:
			return sign
		}
		begin := s.next(sign)
		if at = s.value(begin, b.Under(name), depth+1); at == begin {
			return at
		}
		if at = s.next(at); at >= len(s.text) || s.text[at] != ',' {
			break
		}
	}
	if at < len(s.text) && s.text[at] == mark {
		return at + 1
	}
	return at
}

func (s *belowScan) list(at int, mark byte, b Below, depth int) int {
	var items [][2]int // those that are texts
	n := 0
	for at = s.next(at + 1); at < len(s.text) && s.text[at] != mark; at = s.next(at + 1) {
		begin := at
		if n++; isQuote(s.text[at]) && len(items) < 2 {
			from, to, _ := s.quoted(at)
			items = append(items, [2]int{from, to})
		}
		if at = s.value(begin, b, depth+1); at == begin {
			return at
		}
		if at = s.next(at); at >= len(s.text) || s.text[at] != ',' {
			break
		}
	}
	if at >= len(s.text) || s.text[at] != mark {
		return at
	}
	if n == 2 && len(items) == 2 {
		first, second := items[0], items[1]
		if secret := unescape(s.text[second[0]:second[1]]); b.HidesSecond(s.text[first[0]:first[1]], secret) && s.e.end() <= second[0] {
			s.e.replace(second[0], second[1], Placeholder(secret))
		}
	}
	return at + 1
}
