package source

import (
	"strings"

	wordlist "github.com/scenario-lang/scenario/internal/mutate/source/words"
)

// converts are the functions whose first argument can stand for them, by name or by
// module and name.
var converts = wordlist.Converts

// second are those of which the second argument stands for them.
var second = set("normalize unicodedata.normalize")

// choices are the functions that give one of their arguments.
var choices = set("min max Math.min Math.max math.Min math.Max")

// receivers are the methods whose receiver can stand for them.
var receivers = wordlist.Receivers

// ignored are those of receivers that say another type: they would be a crash.
var ignored = set("total_seconds hexdigest")

// calls are replaced by what they are given.
func (f *file) calls() {
	for i := range f.tokens {
		t := f.tokens[i]
		if f.lang.worded && t.Kind == word && f.isMember(i) && receivers()[f.at(i)] && f.at(i+1) != "(" && f.at(i+1) != "{" && f.at(i+1) != "=" && !f.isWord(i+1, "do") && !f.quiet[i] {
			f.bareMethod(i)
		}
		if t.Kind != opening || t.Mate < 0 || f.at(i) != "(" || f.kindAt(i-1) != word || f.quiet[i] {
			continue
		}
		if f.inHead(i) && (f.lang.indented || f.lang.bare) || f.isWord(i-2, "def") || f.isWord(i-2, "function") || f.isWord(i-2, "func") || f.isWord(i-2, "new") || f.lang.bare && f.at(i-2) == "]" {
			continue
		}
		name := f.at(i - 1)
		if f.isMember(i-1) && f.kindAt(i-3) == word && !f.isMember(i-3) || f.isMember(i-1) && converts()[f.at(i-3)+"."+name] {
			qualified := f.at(i-3) + "." + name
			if converts()[qualified] || choices()[qualified] {
				f.given(i, qualified)
				continue
			}
		}
		if f.isMember(i - 1) {
			if receivers()[name] && !ignored()[name] {
				f.received(i)
			}
			f.own(i)
			continue
		}
		if (converts()[name] || choices()[name]) && !f.declaresName(i-1) {
			f.given(i, name)
		} else {
			f.own(i)
		}
	}
}

// declaresName reports whether a name before a ( is that of a method that is declared.
func (f *file) declaresName(i int) bool {
	s := f.owner[i]
	return s >= 0 && f.statements[s].member && f.statements[s].head
}

// used reports whether the value of what stands between two tokens is used: it is no
// statement.
func (f *file) used(first, last int) bool {
	s := f.owner[first]
	if s < 0 {
		return true
	}
	st := f.statements[s]
	start := st.first
	if f.isWord(start, "await") {
		start++
	}
	return start != first || st.last != last
}

// chain is the first token of the names before a call: html.escape(x) begins at html.
func (f *file) chain(i int) int {
	for n := 0; n < reach && i > 0; n++ {
		switch {
		case f.isMember(i) && i >= 2:
			i -= 2
		case f.kindAt(i) == closing && f.tokens[i].Mate > 0:
			q := f.tokens[i].Mate
			if (f.at(q) == "(" || f.at(q) == "[") && f.operandEnds(q-1) && !f.tokens[q].Newline {
				i = q - 1
			} else {
				return q
			}
		default:
			return i
		}
	}
	return i
}

// given adds an argument of a call in the place of the call.
func (f *file) given(open int, name string) {
	mate := f.tokens[open].Mate
	first := f.chain(open - 1)
	if mate == open+1 || !f.used(first, mate+1) {
		return
	}
	args := f.args(open)
	switch {
	case choices()[name]:
		if len(args) < 2 {
			return
		}
	case second()[name]:
		if len(args) != 2 {
			return
		}
		args = args[1:]
	default:
		args = args[:min(1, len(args))]
	}
	from, to := f.bytes(first, mate+1)
	if to-from > span {
		return
	}
	whole := f.source[from:to]
	for _, a := range args {
		if f.kindAt(a[0]) == operator && !unary()[f.at(a[0])] || f.isOperator(a[0], "*") || f.isOperator(a[0], "...") || f.isOperator(a[0]+1, "=") {
			continue
		}
		if k := f.kindAt(a[0]); a[1]-a[0] == 1 && (k == text || k == number) {
			if !choices()[name] || !f.besides(args, a) {
				continue // what is converted is written there
			}
		}
		with := f.wrapped(a[0], a[1])
		switch name {
		case "slices.Clone":
			f.withoutFunction(name, open, a, from, to, "slices.Grow("+f.slice(a[0], a[1])+", 0)")
			f.add("call", from, to, "slices.Grow("+f.slice(a[0], a[1])+", 0)", instead(whole, f.slice(a[0], a[1])))
			continue
		case "maps.Clone":
			if f.lang.bare && !f.twice("maps.") {
				continue // its package would not be used
			}
		}
		if f.lang.typed && f.lang.bare && converts()[name] {
			with = f.stillUsed(with, name)
		}
		f.add("call", from, to, with, instead(whole, f.slice(a[0], a[1])))
		if !choices()[name] {
			f.withoutFunction(name, open, a, from, to, with)
		}
	}
}

// besides reports whether an argument is a number other than 0 and 1 beside a name: the
// cap of min(5.0, left), which is all there is without the other one.
func (f *file) besides(args [][2]int, a [2]int) bool {
	if len(args) != 2 || f.lang.typed || f.kindAt(a[0]) != number || f.at(a[0]) == "0" || f.at(a[0]) == "1" {
		return false
	}
	other := args[0]
	if other == a {
		other = args[1]
	}
	return f.path(other[0], other[1])
}

// twice reports whether a file has a text at two places. It is looked for once.
func (f *file) twice(part string) bool {
	key := part + " twice"
	is, known := f.mentioned[key]
	if !known {
		is = strings.Count(f.source, part) > 1
		if f.mentioned == nil {
			f.mentioned = map[string]bool{}
		}
		f.mentioned[key] = is
	}
	return is
}

// stillUsed is a value with which a Go file still uses the package of what is left
// out: an import that is not used is an error.
func (f *file) stillUsed(value, name string) string {
	switch name {
	case "strings.ToLower", "strings.ToUpper", "strings.TrimSpace", "url.QueryEscape", "url.PathEscape", "html.EscapeString", "template.HTMLEscapeString":
		return "(" + value + " + " + name + `(""))`
	case "math.Round", "math.Floor", "math.Ceil", "math.Trunc", "math.Abs":
		return "(" + value + " + " + name + "(0))"
	}
	return value
}

// wrapped is the text of an argument that stands on its own.
func (f *file) wrapped(first, last int) string {
	s := f.slice(first, last)
	for i := first; i < last; i++ {
		t := f.tokens[i]
		if i > first && t.Newline {
			return "(" + s + ")"
		}
		if t.Kind == opening && t.Mate > i {
			for n := i + 1; n <= t.Mate; n++ {
				if f.tokens[n].Newline {
					return "(" + s + ")"
				}
			}
			i = t.Mate
			continue
		}
		if t.Kind == operator && f.at(i) != "." && f.at(i) != "?." && f.at(i) != "&." || t.Kind == word && i > first && !f.isMember(i) {
			return "(" + s + ")"
		}
	}
	return s
}

// received adds the receiver of a method in the place of the call.
func (f *file) received(open int) {
	mate := f.tokens[open].Mate
	point := open - 2
	if !f.operandEnds(point-1) || f.at(point) == "::" {
		return
	}
	first := f.chain(point - 1)
	if !f.used(first, mate+1) {
		return
	}
	from, to := f.tokens[point].From, f.tokens[mate].To
	start := f.tokens[first].From
	if to-start > span {
		start = from
	}
	f.add("call", from, to, "", f.receiver(start, from, to))
	f.withoutMethod(open-1, mate+1, from, to)
}

// bareMethod adds the receiver in the place of a Ruby method without arguments.
func (f *file) bareMethod(i int) {
	if !f.operandEnds(i-2) || f.at(i-1) == "::" || i+1 < len(f.tokens) && !f.tokens[i+1].Newline && f.kindAt(i+1) != operator && f.kindAt(i+1) != closing && f.operandEnds(i+1) {
		return
	}
	first := f.chain(i - 2)
	if !f.used(first, i+1) {
		return
	}
	from, to := f.tokens[i-1].From, f.tokens[i].To
	start := f.tokens[first].From
	if to-start > span {
		start = from
	}
	f.add("call", from, to, "", f.receiver(start, from, to))
	f.withoutMethod(i, i+1, from, to)
}

// receiver says that a method is left out of an expression.
func (f *file) receiver(start, from, to int) string {
	if to-start > side {
		return without(f.source[from:to])
	}
	return instead(f.source[start:to], f.source[start:from])
}
