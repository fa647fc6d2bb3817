package source

import (
	"strings"

	wordlist "github.com/scenario-lang/scenario/internal/mutate/source/words"
)

// leftOut adds the statements that can be left out, each on its own.
func (f *file) leftOut() {
	assigned := f.assignedBefore()
	for n, s := range f.statements {
		if f.quiet[s.first] {
			continue
		}
		if s.head {
			f.withoutBlock(s)
			continue
		}
		sort, sign := f.classify(s)
		switch sort {
		case control, call:
		case assign:
			if assigned != nil && !assigned[n] && f.plainTarget(s, sign) {
				continue // its name would not be there
			}
		default:
			continue
		}
		from, to := f.bytes(s.first, s.last)
		if to-from > span {
			continue
		}
		empty := f.lang.empty
		switch {
		case f.lang.typed && f.lang.bare:
			empty = "if false { " + f.source[from:to] + " }"
		case f.lang.typed:
			empty = "if (false) { " + f.source[from:to] + "; }"
		case f.at(s.last) == ";" && !f.lang.indented && !f.lang.worded:
			empty = "" // the ; behind it stays
		}
		f.add("statement", from, to, empty, without(f.source[from:to]))
		if name := f.inPlace(s); sort == call && name != "" {
			f.leave(name, name+"(…)", s.first, from, to, empty)
		}
	}
}

// sorts are calls that change a list or a text in its place.
var sorts = wordlist.Sorts

// inPlace is the name of the call of a statement that changes something in its place, "" for none.
func (f *file) inPlace(s statement) string {
	i := s.last - 1
	if f.at(i) == ")" && f.tokens[i].Mate > s.first {
		i = f.tokens[i].Mate - 1
	}
	if i < s.first+2 || !f.isMember(i) {
		return ""
	}
	for _, name := range []string{f.slice(s.first, i+1), "." + f.at(i)} {
		if sorts()[name] {
			return name
		}
	}
	return ""
}

// withoutBlock leaves out the head of Python's `with lock:`.
func (f *file) withoutBlock(s statement) {
	if s.key != "with" || !f.lang.indented {
		return
	}
	for i := s.first; i < s.last; i++ {
		if t := f.tokens[i]; t.Kind == opening && t.Mate > i && f.at(i-1) != "with" {
			i = t.Mate
		} else if f.isWord(i, "as") {
			return
		}
	}
	from, to := f.bytes(s.first, s.last)
	f.add("statement", from, to, "if True", without(f.source[from:to]))
}

// plainTarget reports whether all that a statement assigns are plain names, and it
// assigns to them without reading them.
func (f *file) plainTarget(s statement, sign int) bool {
	if sign < 0 || f.at(sign) != "=" {
		return false
	}
	for i := s.first; i < sign; i++ {
		if w := f.at(i); w == "." || w[0] == '@' || w[0] == '$' || w == "[" && f.operandEnds(i-1) {
			return false
		}
	}
	return true
}

// assignedBefore tells the statements all of whose names were assigned before in the
// same function: without them, the names are still there.
func (f *file) assignedBefore() map[int]bool {
	type name struct {
		scope int
		name  string
	}
	if !f.lang.indented && !f.lang.worded {
		return nil
	}
	known := map[name]bool{}
	all := map[int]bool{}
	for n, s := range f.statements {
		switch {
		case s.key == "def":
			for i := s.first; i < s.last; i++ {
				if f.kindAt(i) == word {
					known[name{f.scopeBelow(n), f.at(i)}] = true
				}
			}
		case s.key == "for" || s.key == "with" || s.key == "global" || s.key == "nonlocal" || s.key == "import" || s.key == "except" || s.key == "from":
			for i := s.first; i < s.last; i++ {
				if f.kindAt(i) == word {
					known[name{s.scope, f.at(i)}] = true
				}
			}
		case !s.head:
			sort, sign := f.classify(s)
			if sort != assign && sort != declare {
				continue
			}
			names := f.targets(s, sign)
			before := len(names) > 0
			for _, w := range names {
				before = before && known[name{s.scope, w}]
				known[name{s.scope, w}] = true
			}
			all[n] = before
		}
	}
	return all
}

// scopeBelow is the scope of the body of a function whose head is a statement.
func (f *file) scopeBelow(n int) int {
	if n+1 < len(f.statements) {
		return f.statements[n+1].scope
	}
	return -1
}

// swaps adds neighbouring statements in the other order.
func (f *file) swaps() {
	for _, b := range f.statements {
		if b.head || b.before < 0 || b.lone || b.member || f.quiet[b.first] {
			continue
		}
		a := f.statements[b.before]
		if a.member || f.quiet[a.first] {
			continue
		}
		fromA, toA := f.bytes(a.first, a.last)
		fromB, toB := f.bytes(b.first, b.last)
		if toB-fromA > span || toA > fromB || !f.swappable(a, b) {
			continue
		}
		first, between, second := f.source[fromA:toA], f.source[toA:fromB], f.source[fromB:toB]
		if strings.TrimSpace(first) == strings.TrimSpace(second) {
			continue
		}
		f.add("order", fromA, toB, second+between+first, "`"+short(second, 32)+"` before `"+short(first, 32)+"`")
	}
}

// swappable reports whether two statements can be swapped so that it may show: one of
// them calls something, and the second one does not read what the first one names.
func (f *file) swappable(a, b statement) bool {
	kindA, signA := f.classify(a)
	kindB, signB := f.classify(b)
	moves := func(k doing) bool { return k == assign || k == call || k == declare }
	if !moves(kindA) || !moves(kindB) {
		return false
	}
	if f.leaves(a) || f.leaves(b) {
		return false
	}
	callsA, callsB := kindA == call || f.acts(a), kindB == call || f.acts(b)
	if f.untold(a, b, kindB, signB, callsB) || f.untold(b, a, kindA, signA, callsA) {
		return false
	}
	local := func(k doing, s statement, sign int) bool {
		return k == declare || k == assign && f.plainTarget(s, sign)
	}
	if !callsA && !callsB || local(kindA, a, signA) && local(kindB, b, signB) && !(callsA && callsB) || kindA == declare && !callsA || kindB == declare && !callsB {
		return false
	}
	names := map[string]bool{}
	for _, n := range f.targets(a, signA) {
		names[n] = true
	}
	for i := b.first; i < b.last; i++ {
		if f.kindAt(i) == word && !f.isMember(i) && names[f.at(i)] {
			return false
		}
	}
	return true
}

// acts reports whether a statement calls something that may do more than compute a value.
func (f *file) acts(s statement) bool {
	for i := s.first; i < s.last; i++ {
		if f.isWord(i, "await") || f.bracket(i, "(") && i > s.first && f.operandEnds(i-1) && !f.computes(i) {
			return true
		}
	}
	return false
}

// computing are functions that only compute, by name, or by module and name.
var computing = wordlist.Computing

// computingMethods are those that change nothing and ask nobody.
var computingMethods = set("split strip rstrip lstrip trim lower upper toLowerCase toUpperCase encode decode startswith endswith startsWith endsWith toString toFixed to_s to_i to_f")

// computes reports whether a call only computes a value.
func (f *file) computes(open int) bool {
	i := open - 1
	if f.kindAt(i) != word {
		return false
	}
	if f.isMember(i) && computingMethods()[f.at(i)] {
		return true
	}
	first := f.chain(i)
	if open-first > 5 {
		return false
	}
	name := f.slice(first, open)
	if f.isWord(first-1, "new") {
		name = "new." + name
	}
	return computing()[name]
}

var printing = set(`print console.log puts p printf fmt.Println fmt.Printf fmt.Print System.out.println System.out.printf System.out.print process.stdout.write sys.stdout.write
	self.send_response self.send_header`)

// untold reports whether the first statement only prints, and the second one computes
// what the first does not print: the order of the two does not show.
func (f *file) untold(a, b statement, kind doing, sign int, acts bool) bool {
	i := a.first
	for i < a.last && i < a.first+6 && (f.kindAt(i) == word || f.at(i) == ".") {
		i++
	}
	if f.lang.worded && i > a.first+1 {
		i = a.first + 1
	}
	if acts || kind != assign && kind != declare || !printing()[f.slice(a.first, i)] {
		return false
	}
	names := f.targets(b, sign)
	if len(names) == 0 {
		return false
	}
	for n := i; n < a.last; n++ {
		if f.kindAt(n) == word && !f.isMember(n) {
			for _, name := range names {
				if f.at(n) == name {
					return false
				}
			}
		}
		if f.bracket(n, "(") && n > i && f.operandEnds(n-1) && !f.computes(n) {
			return false // what it calls may read the name
		}
	}
	return true
}

var leaving = set("sys.exit os._exit exit quit exit! abort process.exit os.Exit System.exit log.Fatal log.Fatalf panic super")

// leaves reports whether a statement ends the program: what is swapped with it is left
// out, which another operator does.
func (f *file) leaves(s statement) bool {
	if f.isOperator(s.first, "@") {
		return true // it belongs to what stands below it
	}
	i := s.first
	for i < s.last && i < s.first+6 && (f.kindAt(i) == word || f.at(i) == ".") {
		i++
	}
	return leaving()[f.slice(s.first, i)]
}

// pauses are functions that only wait: without the await they are left out.
var pauses = set("sleep delay wait pause setTimeout timeout new Promise timers")

// unawaited leaves out the await before a call of JavaScript whose value is not used, so
// that what stands below it does not wait.
func (f *file) unawaited() {
	if f.lang.tick != 't' {
		return
	}
	for _, s := range f.statements {
		if s.head || f.quiet[s.first] || !f.isWord(s.first, "await") || f.at(s.last-1) != ")" || s.last-s.first < 4 {
			continue
		}
		open := f.tokens[s.last-1].Mate
		if pauses()[f.at(s.first+1)] || pauses()[f.at(open-1)] {
			continue
		}
		from, to := f.tokens[s.first].From, f.tokens[s.first+1].From
		f.add("statement", from, to, "", "`await` before `"+short(f.slice(s.first+1, s.last), 50)+"` left out")
	}
}
