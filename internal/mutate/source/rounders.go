package source

import "slices"

// A returned is a function of the file that gives a rounded value, whatever it is given.
type returned struct {
	// first and last are the tokens of what it gives.
	first, last int
	rounded     rounded
}

// rounder reports whether a name is that of a function of the file which rounds the one
// number that it is given: def cents(value): return value.quantize(CENT).
func (f *file) rounder(name string) bool {
	if f.rounders == nil {
		f.rounders, f.returns = map[string]bool{}, map[string]returned{}
		for i := range f.tokens {
			if f.bracket(i, "(") && f.tokens[i].Mate > i {
				f.declaredRounder(i)
			} else if f.isOperator(i, "=>") && f.kindAt(i-1) == word && f.isOperator(i-2, "=") { // f = x => …
				f.keepRounder(f.at(i-3), f.at(i-1), i+1, f.bodyEnd(i+1), true)
			} else if f.isWord(i, "lambda") && f.isOperator(i-1, "=") && f.isOperator(i+2, ":") {
				f.keepRounder(f.at(i-2), f.at(i+1), i+3, f.bodyEnd(i+3), true)
			}
		}
	}
	return f.rounders[name]
}

// declaredRounder looks at a bracket that may hold the parameters of a function.
func (f *file) declaredRounder(open int) {
	mate := f.tokens[open].Mate
	params := f.args(open)
	if len(params) == 0 || f.kindAt(params[0][0]) != word {
		return
	}
	first, last := params[0][0], params[0][1]
	name, param := f.at(open-1), f.at(first)
	if len(params) != 1 {
		param = ""
	}
	body := mate + 1
	switch {
	case f.lang.indented:
		if !f.isWord(open-2, "def") {
			return
		}
		s := f.owner[open-1]
		if s < 0 || !f.statements[s].head {
			return
		}
		body = f.statements[s].last + 1
		f.keepRounder(name, param, body, f.indentedEnd(s, body), false)
		return
	case f.lang.bare:
		// What it gives has to be of the type that it is given, as the total has to stay.
		if !f.isWord(open-2, "func") || last-first != 2 || f.at(body) != f.at(first+1) || f.at(body+1) != "{" {
			return
		}
		body++
	case f.lang.ended:
		if last-first < 2 || f.at(last-2) != f.at(open-2) || f.at(body) != "{" {
			return
		}
		if param != "" {
			param = f.at(last - 1)
		}
	case f.lang.tick == 't' && f.isOperator(open-1, "=") && f.isOperator(body, "=>"):
		name = f.at(open - 2)
		body++
		if f.at(body) != "{" {
			f.keepRounder(name, param, body, f.bodyEnd(body), true)
			return
		}
	case f.lang.tick == 't' && f.isWord(open-2, "function"):
		for n := 0; n < 4 && f.at(body) != "{"; n++ { // a type
			body++
		}
	default:
		return
	}
	if f.at(body) == "{" && f.tokens[body].Mate > body {
		f.keepRounder(name, param, body+1, f.tokens[body].Mate, false)
	}
}

// bodyEnd is the end of the expression that begins at a token.
func (f *file) bodyEnd(i int) int {
	if i <= 0 || i >= len(f.tokens) {
		return i
	}
	if s := f.owner[i]; s >= 0 {
		return f.statements[s].last
	}
	return i
}

// indentedEnd is the end of the block below a head.
func (f *file) indentedEnd(s, body int) int {
	indent := f.indent(f.tokens[f.statements[s].first].From)
	for i := body; i < len(f.tokens) && i < body+reach; i++ {
		if t := f.tokens[i]; t.Newline && t.Up < 0 && f.indent(t.From) <= indent {
			return i
		}
	}
	return min(len(f.tokens), body+reach)
}

// precise are the methods of a number that round it.
var precise = set("quantize toFixed setScale round")

// keepRounder keeps a name if the tokens of a body round what it is given, and read no
// part of it: a sum has none. An expression is a body without return.
func (f *file) keepRounder(name, param string, first, last int, expression bool) {
	if name == "" || !nameByte(name[0]) || last-first > reach || first >= last {
		return
	}
	f.keepReturned(name, first, last, expression)
	if param == "" {
		return
	}
	round, computes := false, false
	for i := first; i < last; i++ {
		switch {
		case f.kindAt(i) == word && f.at(i) == param && !f.isMember(i):
			if next := f.at(i + 1); i+1 < last && (next == "[" || (next == "." || next == "?.") && !precise()[f.at(i+2)]) {
				return
			}
		case f.kindAt(i) == word && (f.isMember(i) && precise()[f.at(i)] || roundings()[f.at(i)] && f.at(i) != "int" && !f.isMember(i)):
			round = true
		case f.kindAt(i) == word && f.isMember(i) && roundings()[f.at(i-2)+"."+f.at(i)]:
			round = true
		case f.isWord(i, "int") && f.lang.indented && f.at(i+1) == "(":
			computes = true
		case f.isWord(i, "for") || f.isWord(i, "while") || f.isWord(i, "await"):
			return
		}
	}
	if computes && !round {
		for i := first; i < last; i++ {
			round = round || f.isOperator(i, "*") || f.isOperator(i, "/")
		}
	}
	if round {
		f.rounders[name] = true
	}
}

// keepReturned keeps a name if a body gives one value, and rounds it with what is the same
// elsewhere.
func (f *file) keepReturned(name string, first, last int, expression bool) {
	a, b := first, last
	if !expression {
		a = -1
		for i := first; i < last; i++ {
			if !f.isWord(i, "return") {
				continue
			}
			if a >= 0 {
				return // it depends
			}
			a = i + 1
			if s := f.owner[i]; s >= 0 {
				b = min(f.statements[s].last, last)
			}
		}
	}
	if a < 0 || a >= b || f.lang.ended || f.lang.bare {
		return
	}
	if r, ok := f.rounds(a, b); ok && fixed(r.names) && !r.own {
		f.returns[name] = returned{a, b, r}
	}
}

// roundLater puts an expression in the place of another one, in which a sum is rounded and
// not what is added. Where a function of the file rounds that, it does no more.
func (f *file) roundLater(r rounded, from, to int, text string) {
	shown := "`" + short(r.shown, 50) + "` of each → of the sum"
	if r.by == "" {
		f.add("call", from, to, text, shown)
		return
	}
	by := f.returns[r.by]
	a, b := f.bytes(by.first, by.last)
	value := "(" + by.rounded.value + ")"
	switch {
	case max(b, to)-min(a, from) > span:
	case b <= from:
		f.add("call", a, to, value+f.source[b:from]+text, shown)
	case to <= a:
		f.add("call", from, b, text+f.source[to:a]+value, shown)
	}
}

// returnedBy is how the value of a call is rounded by the function that is called.
func (f *file) returnedBy(name, call string) (rounded, bool) {
	f.rounder(name)
	by, is := f.returns[name]
	if !is {
		return rounded{}, false
	}
	r := by.rounded
	return rounded{shown: call, value: call, before: r.before, after: r.after, names: slices.Clone(r.names), by: name}, true
}
