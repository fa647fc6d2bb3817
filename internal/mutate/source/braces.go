package source

// A frame is a bracket that is open while statements are read.
type frame struct {
	// token is the bracket.
	token int
	// code says that statements stand in it, member that they are those of a class,
	// types that they only declare.
	code, member, types bool
	// values says that what it declares has values, as the members of an enum.
	values bool
	// ends says that the statement around ends with it.
	ends bool
	// start is the first token of the statement that is read, -1 for none.
	start int
	// last is the simple statement before, lone that the next one stands alone after
	// a head.
	last int
	lone bool
	// function says that the head of a function was read, whose body comes.
	function bool
	scope    int
	top      bool
}

type braces struct {
	*file
	frames []frame
	scopes int
}

// splitBraces finds the statements of a language whose blocks stand in brackets.
func (f *file) splitBraces() {
	b := &braces{file: f, frames: []frame{{token: -1, code: true, start: -1, last: -1, top: true}}}
	for i := range f.tokens {
		b.token(i)
	}
	if top := &b.frames[0]; top.start >= 0 {
		b.finish(top, len(f.tokens))
	}
}

func (b *braces) top() *frame { return &b.frames[len(b.frames)-1] }

func (b *braces) token(i int) {
	t := b.tokens[i]
	if t.Kind == closing {
		b.closes(i)
		return
	}
	fr := b.top()
	if fr.code {
		if fr.start >= 0 && t.Newline && b.lineEnds(fr, i) {
			b.finish(fr, i)
		}
		if fr.start < 0 {
			if b.isOperator(i, ";") {
				fr.lone = false
				return
			}
			fr.start = i
		}
		if b.separates(fr, i) {
			return
		}
	}
	if b.isWord(i, "func") && b.lang.bare && b.at(i-1) != "]" {
		fr.function = true
	}
	if t.Kind == opening {
		b.opens(i)
	}
}

// separates ends a statement at a ; and a head at the colon of a case, and at a word
// such as `else` that has no bracket after it.
func (b *braces) separates(fr *frame, i int) bool {
	switch {
	case b.isOperator(i, ";"):
		switch b.at(fr.start) {
		case "for", "if", "switch":
			if b.lang.bare {
				return false
			}
		}
		b.finish(fr, i)
		return true
	case b.isOperator(i, ":") && (b.at(fr.start) == "case" || b.at(fr.start) == "default"),
		b.isOperator(i, "->") && b.lang.ended && (b.at(fr.start) == "case" || b.at(fr.start) == "default"):
		if b.at(i) == "->" && b.at(i+1) == "{" {
			return false
		}
		b.head(fr, i)
		return true
	case b.isOperator(i, ":") && i == fr.start+1 && b.kindAt(fr.start) == word && !fr.member:
		fr.start = -1 // a label
		return true
	case i == fr.start && !fr.member && (b.isWord(i, "else") || b.isWord(i, "do")) && b.at(i+1) != "{" && b.at(i+1) != "if":
		b.head(fr, i+1)
		fr.lone = true
		return true
	}
	return false
}

// head keeps what was read as the head of others.
func (b *braces) head(fr *frame, last int) {
	if fr.start >= 0 && last > fr.start {
		b.statements = append(b.statements, statement{first: fr.start, last: last, key: b.keyOf(fr.start, last), head: true, member: fr.member, top: fr.top, before: -1, scope: fr.scope})
	}
	fr.start, fr.last, fr.lone = -1, -1, false
}

// finish keeps what was read as a simple statement.
func (b *braces) finish(fr *frame, last int) {
	if fr.types || last <= fr.start {
		fr.start = -1
		return
	}
	b.statements = append(b.statements, statement{first: fr.start, last: last, key: b.keyOf(fr.start, last), lone: fr.lone, member: fr.member, top: fr.top, before: fr.last, scope: fr.scope})
	fr.last = len(b.statements) - 1
	if fr.lone {
		fr.last = -1
	}
	fr.start, fr.lone, fr.function = -1, false, false
}

// closes goes on behind a closing bracket.
func (b *braces) closes(i int) {
	fr := *b.top()
	if fr.code && fr.start >= 0 {
		b.finish(&fr, i)
	}
	b.frames = b.frames[:len(b.frames)-1]
	if fr.types && !fr.values && !b.quiet[fr.token] && !b.inTypes() {
		for n := fr.token; n < i; n++ {
			b.quiet[n] = true
		}
	}
	out := b.top()
	if !out.code {
		return
	}
	switch {
	case fr.code && fr.ends:
		out.start, out.last, out.lone, out.function = -1, -1, false, false
	case b.at(i) == ")" && out.start >= 0 && !b.lang.bare && !out.member && b.at(i+1) != "{":
		// The end of `if (x)` before a statement without brackets.
		first := out.start
		if b.isWord(first, "else") {
			first++
		}
		if controls()[b.at(first)] && b.conditionOf(first) == fr.token {
			b.head(out, i+1)
			out.lone = true
		}
	}
}

// conditionOf is the ( that follows a word such as `if`, or `for await`.
func (b *braces) conditionOf(first int) int {
	if b.isWord(first+1, "await") {
		first++
	}
	return first + 1
}

var (
	controls = set("if for while with")
	// blocks are the words whose statements end with their block.
	blocks = set("if else for while do try catch finally switch function class interface enum namespace module select func with synchronized record static struct")
	// valued are words after which a { begins a value.
	valued = set("return typeof in of yield await default case throw new void delete instanceof range extends")
)

// opens decides what a bracket holds.
func (b *braces) opens(i int) {
	fr := b.top()
	next := frame{token: i, start: -1, last: -1, scope: fr.scope, top: fr.top, types: fr.types, values: fr.values}
	if b.at(i) != "{" || b.tokens[i].Kind != opening {
		b.frames = append(b.frames, next)
		return
	}
	if b.lang.bare {
		b.opensBare(i, fr, &next)
	} else {
		b.opensPlain(i, fr, &next)
	}
	if next.code && next.ends && !next.types {
		b.head(fr, i)
	}
	b.frames = append(b.frames, next)
}

// opensBare decides what a { of Go holds.
func (b *braces) opensBare(i int, fr *frame, next *frame) {
	key := ""
	if fr.code {
		key = b.at(fr.start)
	}
	switch before := b.at(i - 1); {
	case before == "struct" || before == "interface":
		next.types = true
	case fr.function:
		fr.function = false
		next.code, next.ends = true, fr.code && key == "func"
		next.scope, next.top = b.newScope(), false
	case fr.code && key != "" && b.goesOn(i):
	case fr.code && (key == "if" || key == "for" || key == "switch" || key == "select" || key == "else"), fr.code && fr.start == i:
		next.code, next.ends = true, true
	}
}

// goesOn reports whether the statement goes on behind a { and its }, on the same
// line: it is a value in the head of an `if`.
func (b *braces) goesOn(i int) bool {
	after := b.tokens[i].Mate + 1
	return after < len(b.tokens) && !b.tokens[after].Newline && b.at(after) != "else" && b.at(after) != "}" && i > 0 && b.tokens[i-1].To == b.tokens[i].From
}

// inTypes reports whether the brackets around hold types already.
func (b *braces) inTypes() bool {
	top := b.top()
	return top.types && !top.values
}

// named are the words after which a name is declared, and which are names elsewhere.
var named = set("namespace module interface enum type declare")

func (b *braces) newScope() int { b.scopes++; return b.scopes }

// opensPlain decides what a { of JavaScript or Java holds.
func (b *braces) opensPlain(i int, fr *frame, next *frame) {
	before := b.at(i - 1)
	key := ""
	if fr.code && fr.start < i {
		key = b.keyOf(fr.start, i)
		if named()[key] && b.kindAt(fr.start+1) != word && b.kindAt(fr.start+1) != text {
			key = "" // a variable of that name
		}
	}
	function := func() { next.code, next.scope, next.top = true, b.newScope(), false }
	switch {
	case fr.types && fr.code:
		next.code, next.types, next.ends = true, true, true
	case fr.code && fr.start == i:
		next.code, next.ends = true, true
	case b.classBefore(i):
		next.code, next.member = true, true
		next.ends = fr.code && blocks()[key]
		next.types = key == "interface" || key == "type" || key == "declare"
	case fr.code && (key == "interface" || key == "declare"):
		next.code, next.types, next.ends = true, true, true
	case fr.code && key == "enum" && b.lang.block:
		next.code, next.types, next.values, next.ends = true, true, true, true
	case before == "=>" || before == "->":
		function()
	case b.lang.ended && before == ")" && b.creates(i-1):
		next.code, next.member = true, true
	case before == ")":
		if fr.code && !fr.member && (key == "if" || key == "for" || key == "while" || key == "switch" || key == "catch" || key == "else" || key == "try" || key == "with" || key == "synchronized") {
			next.code, next.ends = true, true
			return
		}
		function()
		next.ends = fr.code && (fr.member && !b.assigned(fr.start, i) || key == "function" || b.lang.ended && !b.assigned(fr.start, i) && key != "return")
	case before == "else" || before == "try" || before == "finally" || before == "do" || before == "static" || before == "catch":
		next.code, next.ends = true, fr.code
	case key == "namespace" || key == "module":
		next.code, next.ends = true, true
	case (b.kindAt(i-1) == word && !valued()[before] || before == ">" || before == "]") && (key == "function" || fr.member && !b.assigned(fr.start, i)):
		function() // the type of what it returns stands before it
		next.ends = fr.code
	}
}

// assigned reports whether there is a = among tokens, outside of brackets.
func (b *braces) assigned(first, last int) bool {
	for i := max(first, last-reach); i < last; i++ {
		if b.isOperator(i, "=") && b.tokens[i].Up == b.tokens[first].Up {
			return true
		}
	}
	return false
}

// classBefore reports whether a { begins the members of a class.
func (b *braces) classBefore(i int) bool {
	up := b.tokens[i].Up
	for n := i - 1; n >= 0 && n > i-40; n-- {
		t := b.tokens[n]
		if t.Up != up {
			if n == up {
				return false
			}
			continue
		}
		switch s := b.at(n); {
		case t.Kind == closing && s == "}":
			return false
		case t.Kind == operator && s != "." && s != "," && s != "<" && s != ">" && s != "&" && s != "?":
			return false
		case t.Kind == word && (s == "class" || s == "interface" || b.lang.ended && (s == "record" || s == "enum")):
			return !b.isMember(n)
		}
	}
	return false
}

// creates reports whether a ) ends the arguments of Java's `new T(...)`.
func (b *braces) creates(i int) bool {
	for n := b.tokens[i].Mate - 1; n >= 0 && n > i-40; n-- {
		switch s := b.at(n); {
		case s == "new":
			return true
		case b.kindAt(n) == word || s == "." || s == "<" || s == ">" || s == ",":
		default:
			return false
		}
	}
	return false
}

// lineEnds reports whether the end of a line before a token ends the statement.
func (b *braces) lineEnds(fr *frame, i int) bool {
	before, next := b.at(i-1), b.at(i)
	if b.lang.ended {
		return false
	}
	if fr.start == i {
		return false
	}
	switch b.kindAt(i - 1) {
	case operator:
		if before != "++" && before != "--" {
			return false
		}
	case opening:
		return false
	case word:
		if !b.isMember(i-1) && b.lang.before()[before] && before != "return" && before != "break" && before != "continue" {
			return false
		}
	}
	if b.lang.bare {
		return true
	}
	switch b.kindAt(i) {
	case operator:
		return next == "++" || next == "--" || next == "!" || next == "~" || next == "@"
	case opening:
		return next == "{" && !(before == ")" || fr.member) || b.lang.worded
	case word:
		return next != "in" && next != "instanceof" && next != "of" && next != "as" && next != "extends" && next != "implements" && next != "satisfies"
	}
	return true
}
