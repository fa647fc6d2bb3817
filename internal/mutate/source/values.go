package source

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	wordlist "github.com/scenario-lang/scenario/internal/mutate/source/words"
)

// values changes what expressions say in single signs, numbers and texts.
func (f *file) values() {
	for i, t := range f.tokens {
		if f.quiet[i] {
			continue
		}
		switch t.Kind {
		case operator:
			f.comparison(i)
			f.arithmetic(i)
		case word:
			f.worded(i)
		case number:
			f.number(i)
		case text:
			f.emptied(i, i)
		case opening:
			if s := f.at(i); t.Mate > i && s != "(" && s != "[" && s != "{" && s != "${" && s != "#{" {
				f.emptied(i, t.Mate)
			}
		}
	}
}

// shown is a change of a token in the expression it stands in.
func (f *file) shown(i, j int, with string) string {
	from, to := f.bytes(i, j+1)
	a, b := from, to
	stop := func(n int) bool {
		and, or := f.logic(n)
		return and || or || f.bound(n)
	}
	if first := f.left(i, stop); first >= 0 && first < i {
		from = f.tokens[first].From
	}
	if last := f.right(j, stop); last > j+1 && last <= len(f.tokens) {
		to = f.tokens[last-1].To
	}
	return f.within(from, to, a, b, with)
}

// swap replaces tokens by another text.
func (f *file) swap(operator string, i, j int, with string) {
	from, to := f.bytes(i, j+1)
	f.add(operator, from, to, with, f.shown(i, j, with))
}

// pairs are texts with what takes the place of each.
func pairs(list string) func() map[string]string { return wordlist.Pairs(list) }

var compared = pairs("< <= <= < > >= >= > == != != == === !== !== ===")

func (f *file) comparison(i int) {
	with, is := compared()[f.at(i)]
	if !is || !f.operandEnds(i-1) {
		return
	}
	if s := f.at(i); s == "<" || s == ">" {
		before, after := f.spaced(i)
		if !f.lang.bare && !f.lang.indented && !(before && after) && f.kindAt(i-1) != number && f.kindAt(i+1) != number {
			return // a type, or a tag
		}
		if o := f.owner[i]; o >= 0 && f.at(f.statements[o].first) == "class" {
			return
		}
	}
	f.swap("compare", i, i, with)
}

var calculated = pairs("+ - - + * / / * // * % * ** * += -= -= +=")

func (f *file) arithmetic(i int) {
	with, is := calculated()[f.at(i)]
	if !is || !f.binary(i) {
		return
	}
	if _, _, sets := f.setOperation(i); sets {
		return // setSides changes it
	}
	stop := func(n int) bool {
		and, or := f.logic(n)
		return and || or || f.bound(n) || compared()[f.at(n)] != ""
	}
	if s := f.at(i); s == "+" || s == "+=" || s == "%" || s == "*" {
		first, last := f.left(i, stop), f.right(i, stop)
		if first < 0 || last < 0 || f.hasText(first, last) {
			return
		}
	} else if f.isText(i-1) || f.isText(i+1) {
		return
	}
	f.swap("arithmetic", i, i, with)
}

// isText reports whether a token is a string, or one of its ends.
func (f *file) isText(i int) bool {
	switch f.kindAt(i) {
	case text, piece:
		return true
	case opening, closing:
		s := f.at(i)
		return strings.HasSuffix(s, `"`) || strings.HasSuffix(s, "'") || strings.HasSuffix(s, "`")
	}
	return false
}

// hasText reports whether a string is a part of what tokens compute.
func (f *file) hasText(first, last int) bool {
	for i := first; i < last; i++ {
		if f.isText(i) {
			return true
		}
		if t := f.tokens[i]; t.Kind == opening && t.Mate > i {
			i = t.Mate
		}
	}
	return false
}

// worded changes words: true and false, `in` and `is`.
func (f *file) worded(i int) {
	if f.isMember(i) || f.isOperator(i+1, ":") && !f.lang.indented && f.at(i-1) != "?" && !f.bracketed(i) {
		return
	}
	switch f.at(i) {
	case f.lang.yes:
		f.swap("boolean", i, i, f.lang.no)
	case f.lang.no:
		f.swap("boolean", i, i, f.lang.yes)
	case "is":
		if f.lang.indented && f.operandEnds(i-1) {
			if f.isWord(i+1, "not") {
				f.swap("compare", i, i+1, "is")
			} else {
				f.swap("compare", i, i, "is not")
			}
		}
	case "in":
		if !f.lang.indented || f.loops(i) {
			return
		}
		if f.isWord(i-1, "not") && f.operandEnds(i-2) {
			f.swap("compare", i-1, i, "in")
		} else if f.operandEnds(i - 1) {
			f.swap("compare", i, i, "not in")
		}
	}
}

// bracketed reports whether a token is in a bracket that is no block.
func (f *file) bracketed(i int) bool {
	up := f.tokens[i].Up
	return up >= 0 && f.at(up) != "{"
}

// loops reports whether an `in` is that of a for.
func (f *file) loops(i int) bool {
	stop := func(n int) bool { return f.isWord(n, "for") || f.isWord(n, "if") || f.isWord(n, "in") }
	first := f.left(i, stop)
	return first < 0 || f.isWord(first-1, "for")
}

// number changes a number: by one where it is a whole one.
func (f *file) number(i int) {
	s := f.at(i)
	if f.index(i) || f.bound64(s) || f.timeout(i) {
		return
	}
	digits := strings.ReplaceAll(s, "_", "")
	unit := ""
	if n := strings.TrimRight(digits, "nLljfFdDuU"); !strings.HasPrefix(digits, "0x") && !strings.HasPrefix(digits, "0X") {
		digits, unit = n, digits[len(n):]
	}
	if n, err := strconv.ParseInt(digits, 0, 64); err == nil && n < math.MaxInt64 {
		f.swap("number", i, i, strconv.FormatInt(n+1, 10)+unit)
		return
	}
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil || math.IsInf(x, 0) {
		return
	}
	with := x * 2
	if x == 0 {
		with = 1
	}
	if math.IsInf(with, 0) {
		return
	}
	out := strconv.FormatFloat(with, 'g', -1, 64)
	if !strings.ContainsAny(out, ".e") {
		out += ".0"
	}
	f.swap("number", i, i, out+unit)
}

// timeout reports whether a number is a time-out as it is: timeout=5, timeout: 5000.
func (f *file) timeout(i int) bool {
	return strings.EqualFold(f.at(i-2), "timeout") && (f.at(i-1) == "=" || f.at(i-1) == ":") && f.tokens[i].Up >= 0 && (f.at(i+1) == "," || f.kindAt(i+1) == closing)
}

// bound64 reports whether a number is no such one: a mode of a file, 007.
func (f *file) bound64(s string) bool {
	return len(s) > 1 && s[0] == '0' && (digit(s[1]) || s[1] == 'o' || s[1] == 'O' || s[1] == 'b' || s[1] == 'B')
}

// index reports whether a number is the 0 or the 1 of an index, or the size of a type.
func (f *file) index(i int) bool {
	up := f.tokens[i].Up
	if up < 0 || !f.bracket(up, "[") || up != i-1 || f.tokens[up].Mate != i+1 {
		return up >= 0 && f.bracket(up, "[") && up == i-2 && f.at(i-1) == "-" && f.tokens[up].Mate == i+1
	}
	if f.operandEnds(up-1) && (f.at(i) == "0" || f.at(i) == "1") {
		return true
	}
	return f.lang.bare && (f.kindAt(i+2) == word || f.at(i+2) == "[" || f.at(i+2) == "*")
}

// tells are the functions whose arguments people read.
var tells = set("print println printf puts warn log error info debug write errorln Println Printf Print Fprintln Fprintf Fprint Errorf Fatal Fatalf Fatalln Sprintln exit fail abort raise die")

// told reports whether a token is an argument of what prints, logs or makes an
// exception.
func (f *file) told(i int) bool {
	if s := f.owner[i]; s >= 0 {
		switch f.at(f.statements[s].first) {
		case "raise", "throw", "puts", "assert":
			return true
		}
	}
	up := f.tokens[i].Up
	if up < 1 || !f.bracket(up, "(") {
		return false
	}
	name := f.at(up - 1)
	return tells()[name] || strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception") || name == "New" && f.at(up-3) == "errors"
}

// hosts are those on which a program listens, and a database that is nowhere: none else is there for a scenario.
var hosts = set("127.0.0.1 localhost 0.0.0.0 ::1 :memory:")

// emptied replaces a string by the empty one.
func (f *file) emptied(i, j int) {
	from, to := f.bytes(i, j+1)
	if f.tokens[i].Inside || f.told(i) || to-from > 200 || f.key(i, j) || f.isProgram(i, j) {
		return
	}
	if o := f.owner[i]; o >= 0 && f.statements[o].first == i && f.statements[o].last == j+1 {
		return // a docstring
	}
	s := f.source[from:to]
	at := strings.IndexAny(s, "\"'`")
	if at < 0 {
		return
	}
	quote := s[at : at+1]
	inner := strings.Trim(s[at:], quote)
	if utf8.RuneCountInString(inner) > 40 || hosts()[inner] {
		return
	}
	if before := f.at(i - 1); inner == "" && (before == "??" || before == f.lang.or && before != "") {
		return // what stands in for nothing
	}
	if before := f.at(i - 1); (inner == "POST" || inner == "GET") && f.lang.indented && (before == "=" || before == "(" || before == ",") && f.mentions("urllib.request") || inner == "GET" && f.lang.bare && f.mentions("http.NewRequest") {
		return // without a method it takes the same one
	}
	prefix := ""
	if at <= 2 && strings.ContainsAny(s[:at], "bB") {
		prefix = "b"
	}
	if quote == "`" {
		quote = `"`
	}
	with := prefix + quote + quote
	if inner == "" {
		with = prefix + quote + "other" + quote
	}
	f.swap("text", i, j, with)
}

// key reports whether a string names something: a member, an element of a table.
func (f *file) key(i, j int) bool {
	up := f.tokens[i].Up
	if f.isOperator(j+1, ":") && up >= 0 && f.bracket(up, "{") || f.isOperator(j+1, "=>") {
		return true
	}
	return up >= 0 && f.bracket(up, "[") && up == i-1 && f.tokens[up].Mate == j+1 && f.operandEnds(up-1)
}
