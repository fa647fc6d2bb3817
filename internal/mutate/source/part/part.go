package part

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/group"
	"github.com/scenario-lang/scenario/internal/mutate/source/words"
)

// Bounds of the changes of one statement and of a file, and of what is looked at behind a call.
const (
	mostOfStatement = 4
	mostOfFile      = 150
	mostLinks       = 16
)

// A Finder finds parts in a file.
type Finder struct {
	*group.Finder
	// Put keeps a change of the operator `part`, and Related one of the operator `related`. Put reports whether no other
	// operator makes the same text.
	Put     func(from, to int, with, change string) bool
	Related func(from, to int, with, change string)
	// Typed says that the language has types that are checked, and Mentions that the file has a text.
	Typed    bool
	Mentions func(part string) bool

	imported, declared map[string]bool
	answers            map[string]bool   // names of answers that are read, nil before they are asked for
	objects            map[string]string // names with what the object is made of that they have
	made               map[string]bool   // names that have an object
	ofStatement        map[int]int
	all                int
}

// A link is what follows a value: a member, a call of it or an element. The last token is not of it.
type link struct {
	first, last int
	kind        byte // '.' a member, 'm' a method that is called, '(' a call, '[' an element
}

// All finds all.
func (f *Finder) All() {
	f.names()
	f.makes()
	f.ofStatement = map[int]int{}
	for open := 1; open < f.Len(); open++ {
		f.unsorted(open)
		f.streamed(open)
		f.gathered(open)
		if f.At(open) != "(" || f.Mate(open) < open || f.Quiet(open) {
			continue
		}
		if !f.left(open) {
			f.plain(open)
			f.parts(open)
		}
	}
}

// names notes what is imported, and the functions and classes of the file.
func (f *Finder) names() {
	f.imported, f.declared = map[string]bool{}, map[string]bool{}
	for i := 0; i < f.Len(); i++ {
		if !f.Word(i) || f.Member(i) {
			continue
		}
		switch w := f.At(i); {
		case w == "import" || w == "require":
			for n := i; n < f.Len() && n < i+60 && f.Around(n) == f.Around(i) && f.Around(i) >= 0; n++ {
				if f.Word(n) {
					f.imported[f.At(n)] = true
				}
			}
			for n := i - 1; w == "require" && n >= 0 && n > i-12 && f.Around(n) == f.Around(i); n-- { // const { a, b } = require("c")
				f.imported[f.At(n)] = true
			}
		case f.At(i+1) == "(" && f.Declares(i), f.At(i-1) == "class" || f.At(i-1) == "def" || f.At(i-1) == "function" || f.At(i-1) == "func":
			f.declared[w] = true
		case f.Bare && f.At(i-1) == ")" && f.Mate(i-1) > 0 && f.At(f.Mate(i-1)-1) == "func": // a method
			f.declared[w] = true
		case f.At(i+1) == "=" && (f.At(i+2) == "lambda" || f.At(i+2) == "function" || f.At(i+2) == "async"):
			f.declared[w] = true
		case f.At(i+1) == "=" && f.At(i+2) == "(" && f.Mate(i+2) > 0 && f.At(f.Mate(i+2)+1) == "=>", f.At(i+1) == "=" && f.At(i+3) == "=>":
			f.declared[w] = true
		}
	}
}

// left reports whether a bracket is no call whose value is used, or one that is left alone: it declares something, it
// decorates, it is what a with statement opens or what is raised.
func (f *Finder) left(open int) bool {
	before := f.At(open - 1)
	if !f.Word(open-1) && before != ")" && before != "]" || f.Word(open-1) && !f.Member(open-1) && (keywords()[before] || f.Declares(open-1)) {
		return true
	}
	switch f.At(open - 2) {
	case "def", "class", "function", "func", "@":
		return true
	}
	if n := f.Around(open); n >= 0 {
		s := f.Statement(n)
		switch first := f.At(s.First); {
		case first == "@", first == "raise", first == "throw", first == "assert", first == "import", first == "package":
			return true
		case s.Head && (first == "def" || first == "class" || first == "with" || first == "async" || first == "except" || first == "func" || first == "function" || first == "catch"):
			return true
		}
	}
	return false
}

// keywords are words before a bracket that call nothing.
var keywords = words.Set(`if elif else while for return in not and or is lambda yield await assert raise throw del switch case catch with print typeof new
	function func def class super this self when unless until puts do then end go defer select except match interface struct range`)

// links are what follows a value, from the first token to the end of it.
func (f *Finder) links(first int) (list []link, end int) {
	at := first + 1
	if f.Mate(first) > first { // (a + b).c()
		at = f.Mate(first) + 1
	}
	here := f.Around(first)
	for len(list) <= mostLinks && at < f.Len() && f.Around(at) == here {
		switch s := f.At(at); {
		case (s == "(" || s == "[") && f.Mate(at) > at:
			kind := s[0]
			if kind == '(' && len(list) > 0 && list[len(list)-1].kind == '.' {
				list[len(list)-1].kind, list[len(list)-1].last = 'm', f.Mate(at)+1
			} else {
				list = append(list, link{at, f.Mate(at) + 1, kind})
			}
			at = f.Mate(at) + 1
		case (s == "." || s == "?." || s == "&.") && f.Word(at+1):
			list = append(list, link{at, at + 2, '.'})
			at += 2
		default:
			return list, at
		}
	}
	return list, at
}

// parts takes parts of the chain of which a bracket is the last call.
func (f *Finder) parts(open int) {
	first := f.Chain(open - 1)
	if first < 0 || first >= open {
		first = open - 1
	}
	links, end := f.links(first)
	last := -1 // the last call
	for n, l := range links {
		if l.kind == 'm' || l.kind == '(' {
			last = n
		}
	}
	if last < 0 || len(links) > mostLinks || links[last].last != f.Mate(open)+1 || end > f.Len() || f.Worded && (f.At(end) == "{" || f.At(end) == "do") {
		return
	}
	begin := first
	if f.At(first-1) == "new" {
		begin--
	}
	if !f.Used(begin, end) || f.decides(begin, end) || f.assigned(end) {
		return
	}
	from, to := f.Bytes(begin, end)
	if to-from > f.Span {
		return
	}
	if f.Bare || f.Ended {
		f.typed(first, links)
		return
	}
	put := func(a, b int, with string) {
		if a < b {
			x, y := f.Bytes(a, b)
			f.put(begin, x, y, with)
		}
	}
	callee := f.At(open - 1)
	// The element that is taken of what the call gives is that of what it is given.
	if tail := links[last+1:]; len(tail) > 0 {
		if given := f.innermost(first, links); given != "" && f.index(tail) && !whole()[callee] {
			for _, which := range [2][2]string{{"[0]", "[0]"}, {"[-1]", ".at(-1)"}} {
				with, shown := "list("+given+")"+which[0], given+which[0]
				if f.Script {
					with, shown = "[..."+given+"]"+which[1], given+which[1]
				} else if f.Worded {
					with = given + ".to_a" + which[0]
				}
				f.putShown(begin, from, to, with, inner.Instead(brief(f.Text[from:to]), shown))
			}
		}
	} else if calls(links) > 1 || f.object(first, nil) {
		if given := f.innermost(first, links); given != "" && !everyday()[callee] {
			put(begin, end, given)
		}
	}
	// What a method is called on, without the method.
	for n, l := range links {
		if l.kind != 'm' || f.skipped(first, l) || f.named(first, links[:n]) || n > 0 && links[n-1].kind == '(' && n == 1 && capital(f.At(first)) {
			continue
		}
		if f.object(first, links[:n]) || strings.Contains(f.Slice(l.first, l.last), "\n") {
			continue
		}
		put(l.first, l.last, "")
	}
	// Each argument of the last call, and of the only one.
	if f.skipped(first, links[last]) || begin < first || links[last].kind == '(' && last > 0 {
		return
	}
	args := f.Args(open)
	whole := f.Slice(begin, links[last].last)
	n := 0
	for _, a := range args {
		if f.value(a) && n < 3 && len(args) < 6 {
			n++
			x, y := f.Bytes(begin, links[last].last)
			f.putShown(begin, x, y, f.Wrapped(a[0], a[1]), inner.Instead(brief(whole), f.Slice(a[0], a[1])))
		}
	}
	if len(args) == 2 && joining()[callee] && f.value(args[0]) && f.value(args[1]) && !f.Worded {
		put(begin, links[last].last, "("+f.Wrapped(args[0][0], args[0][1])+" + "+f.Wrapped(args[1][0], args[1][1])+")")
	}
}

func brief(s string) string { return s[:min(len(s), 1000)] }

// put keeps a change, as far as a statement may have more.
func (f *Finder) put(token, from, to int, with string) {
	whole := brief(f.Text[from:to])
	change := inner.Instead(whole, with)
	if with == "" {
		change = inner.Without(whole)
	}
	f.putShown(token, from, to, with, change)
}

func (f *Finder) putShown(token, from, to int, with, change string) {
	n := f.Around(token)
	if f.ofStatement[n] >= mostOfStatement || f.all >= mostOfFile {
		return
	}
	if f.Put(from, to, with, change) {
		f.ofStatement[n]++
		f.all++
	}
}

func calls(links []link) (n int) {
	for _, l := range links {
		if l.kind == 'm' || l.kind == '(' {
			n++
		}
	}
	return n
}

// decides reports whether a value is all of a condition or of a side of one: that it always or never holds is another
// change.
func (f *Finder) decides(first, end int) bool {
	switch f.At(first - 1) {
	case "if", "elif", "elsif", "unless", "while", "until", "not", "and", "or", "&&", "||", "!":
	case "(":
		switch f.At(first - 2) {
		case "if", "while":
		default:
			return false
		}
	default:
		return false
	}
	switch f.At(end) {
	case ":", "and", "or", "&&", "||", ")", "else", "{", "?", "then", "":
		return true
	}
	return end >= f.Len() || f.Around(end) != f.Around(first)
}

// assigned reports whether something is assigned to an element or a member.
func (f *Finder) assigned(end int) bool {
	switch f.At(end) {
	case "=", "+=", "-=", "++", "--", "||=", "??=", ":=", "=>":
		return true
	}
	return false
}

// skipped reports whether the parts of a call say nothing.
func (f *Finder) skipped(first int, l link) bool {
	name := f.At(first)
	if l.kind == 'm' {
		name = f.At(l.first + 1)
		if l.first == first+1 && (f.At(first) == "self" || f.At(first) == "this") {
			return true // of the file, or of what it is derived from
		}
	}
	return everyday()[name] || whole()[name] || f.declared[name] || l.kind == '(' && f.Word(first) && !f.imported[name] || capital(name) && !collections()[name]
}

// named reports whether a chain is a name on which functions stand: a module, a class, the object itself.
func (f *Finder) named(first int, links []link) bool {
	name := f.At(first)
	for _, l := range links {
		if l.kind != '.' {
			return false
		}
	}
	return f.Word(first) && (f.imported[name] || f.Bare && f.Mentions(name+`"`) || capital(name) && f.At(first-1) != "new" || globals()[name])
}

// makes notes the names that are given an object once, and what it is made of: order = TopologicalSorter(needs).
func (f *Finder) makes() {
	f.objects, f.made = map[string]string{}, map[string]bool{}
	for i := 1; i < f.Len(); i++ {
		name := f.At(i - 1)
		if f.At(i) != "=" || !f.Word(i-1) || f.Member(i-1) {
			continue
		}
		if _, again := f.objects[name]; again {
			f.objects[name] = ""
			continue
		}
		first := i + 1
		if f.At(first) == "new" {
			first++
		}
		open := first + 1
		for open < f.Len() && f.At(open) == "." && open < first+8 {
			open += 2
		}
		f.objects[name] = ""
		if open < f.Len() && f.At(open) == "(" && f.Mate(open) > open && capital(f.At(open-1)) && !everyday()[f.At(open-1)] {
			f.made[name] = true
			if args := f.Args(open); len(args) > 0 {
				f.objects[name] = f.plainly(args[0])
			}
		}
	}
}

// object reports whether a chain is an object that was made right there, or the name of one: Counter(votes).
func (f *Finder) object(first int, links []link) bool {
	if len(links) == 0 {
		return f.made[f.At(first)]
	}
	switch l := links[len(links)-1]; l.kind {
	case 'm':
		return capital(f.At(l.first + 1))
	case '(':
		return len(links) == 1 && (capital(f.At(first)) || f.At(first-1) == "new") || len(links) > 1
	}
	return false
}

// capital reports whether a name begins as those of classes do.
func capital(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// innermost is the plain value with which a chain begins: an argument of its first call, or the name before it.
func (f *Finder) innermost(first int, links []link) string {
	for n, l := range links {
		open := l.first
		switch l.kind {
		case 'm':
			open = l.first + 2
			if !f.named(first, links[:n]) {
				if n == 0 && f.made[f.At(first)] {
					return f.objects[f.At(first)]
				}
				return f.Slice(first, l.first)
			}
		case '(':
		default:
			continue
		}
		for range 3 { // heapq.merge(list(a)), Counter(sorted(votes))
			args := f.Args(open)
			if len(args) == 0 || everyday()[f.At(open-1)] && !inside()[f.At(open-1)] {
				return ""
			}
			if given := f.plainly(args[0]); given != "" {
				return given
			}
			if open = f.call(args[0]); open == 0 {
				return ""
			}
		}
		return ""
	}
	return ""
}

// plainly is an argument that is a name with members, or a list, a table or a generator that is written there; "" for others.
func (f *Finder) plainly(a [2]int) string {
	switch s := f.At(a[0]); {
	case f.value(a) && f.path(a), f.Indented && (s == "{" || s == "[") && f.Mate(a[0]) == a[1]-1 && a[1]-a[0] > 2:
		return f.Slice(a[0], a[1])
	case f.Indented && a[1]-a[0] < 60 && s != "*" && s != "lambda":
		for i := a[0] + 1; i < a[1]; i++ {
			if f.Mate(i) > i {
				i = f.Mate(i)
			} else if f.At(i) == "for" {
				return "[" + f.Slice(a[0], a[1]) + "]"
			} else if f.At(i) == "=" || f.At(i) == "lambda" {
				return ""
			}
		}
	}
	return ""
}

// inside are calls whose argument is what a list is made of.
var inside = words.Set("list iter set tuple sorted reversed from Array Set")

// call is the bracket of an argument that is one call, 0 for others.
func (f *Finder) call(a [2]int) int {
	if open := f.Mate(a[1] - 1); open > a[0] && f.At(open) == "(" && f.Word(open-1) && f.Chain(open-1) == a[0] {
		return open
	}
	return 0
}

// path reports whether an argument is a name with members.
func (f *Finder) path(a [2]int) bool {
	for i := a[0]; i < a[1]; i++ {
		if (i-a[0])%2 == 0 && !f.Word(i) || (i-a[0])%2 == 1 && f.At(i) != "." {
			return false
		}
	}
	return (a[1]-a[0])%2 == 1
}

// index reports whether what follows a call are elements by number.
func (f *Finder) index(tail []link) bool {
	for _, l := range tail {
		if l.kind != '[' {
			return false
		}
		if i := strings.TrimPrefix(f.Slice(l.first+1, l.last-1), "-"); i == "" || strings.Trim(i, "0123456789") != "" {
			return false
		}
	}
	return true
}

// value reports whether an argument is a value that can stand for a call: one that has no name, is computed, and is no
// function.
func (f *Finder) value(a [2]int) bool {
	if a[1] <= a[0] || f.Quiet(a[0]) {
		return false
	}
	switch s := f.At(a[0]); {
	case s == "*", s == "**", s == "...", s == "&", s == ":", s == "lambda", s == "function", s == "async", s == "->", s == "{", s == "None", s == "null", s == "nil", s == "undefined",
		s == "True", s == "False", s == "true", s == "false", s == "self", s == "this", s == "func":
		return false
	case a[1]-a[0] == 1 && !f.Word(a[0]):
		return false // a text, a number
	case f.Word(a[0]) && (f.At(a[0]+1) == "=" || f.At(a[0]+1) == ":" || f.At(a[0]+1) == "=>"):
		return false
	case f.Mate(a[0]) > a[0] && f.At(f.Mate(a[0])+1) == "=>", a[1]-a[0] == 2 && (s == "-" || s == "+"):
		return false
	case a[1]-a[0] == 1 && (f.imported[s] || f.declared[s] || capital(s)):
		return false
	}
	if first := f.At(a[0]); first == "\"" || first == "'" || first == "`" || strings.HasPrefix(first, "f\"") || strings.HasPrefix(first, "f'") {
		return f.At(f.Mate(a[0])) != "" && f.Mate(a[0]) == a[1]-1 && a[1]-a[0] > 2
	}
	for i := a[0]; i < a[1] && i < a[0]+60; i++ {
		if f.At(i) == "for" || f.At(i) == "lambda" || f.At(i) == "=>" {
			return f.Mate(a[0]) == a[1]-1 && f.At(a[0]) == "[" && f.At(i) == "for"
		}
	}
	return true
}

// typed takes the parts that are of the type of the call.
func (f *Finder) typed(first int, links []link) {
	for n, l := range links {
		if l.kind != 'm' {
			continue
		}
		open, name := l.first+2, f.At(l.first+1)
		args := f.Args(open)
		if f.named(first, links[:n]) {
			qualified := f.Slice(first, l.first) + "." + name
			for k, a := range args {
				if !same()[qualified] && !same()[qualified+":"+string(rune('0'+min(k, 9)))] || !f.value(a) {
					continue
				}
				from, to := f.Bytes(first, l.last)
				with := f.Wrapped(a[0], a[1])
				if f.Bare { // the import is still used
					with = f.kept(f.Text[from:to], with, qualified)
				}
				if with != "" {
					f.putShown(first, from, to, with, inner.Instead(brief(f.Text[from:to]), f.Slice(a[0], a[1])))
				}
			}
			continue
		}
		if f.declared[name] {
			continue
		}
		if f.Bare && (name == "Add" || name == "Sub" || name == "In" || name == "Round" || name == "Truncate" || name == "UTC" || name == "Local") && len(args) > 1 {
			continue
		}
		if same()["."+name] && len(args) > 0 && f.At(first-1) != "new" {
			from, to := f.Bytes(l.first, l.last)
			f.put(first, from, to, "")
		}
		if same()["."+name+":0"] && len(args) == 1 && f.value(args[0]) {
			from, to := f.Bytes(first, l.last)
			f.put(first, from, to, f.Wrapped(args[0][0], args[0][1]))
		}
	}
}

// kept is a value of Go in the place of a call, with which the package of the call is still used.
func (f *Finder) kept(call, value, name string) string {
	switch name {
	case "cmp.Or", "slices.Concat", "slices.Insert", "slices.Delete", "maps.Clone":
		if strings.Count(f.Text, name[:strings.IndexByte(name, '.')+1]) > 1 {
			return value
		}
		return ""
	case "bytes.ToLower", "bytes.ToUpper", "bytes.ReplaceAll":
		return "[][]byte{" + call + ", " + value + "}[1]"
	case "url.JoinPath":
		return "" // it gives an error, too
	}
	return "[]string{" + call + ", " + value + "}[1]"
}

// has reports whether a name is one of a list.
func has(name string, list ...string) bool { return slices.Contains(list, name) }
