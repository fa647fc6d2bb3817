package source

import "strings"

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
	}
}

// withoutBlock leaves out the head of Python's `with lock:`.
func (f *file) withoutBlock(s statement) {
	if s.key != "with" || !f.lang.indented {
		return
	}
	for i := s.first; i < s.last; i++ {
		if t := f.tokens[i]; t.kind == opening && t.mate > i && f.at(i-1) != "with" {
			i = t.mate
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
	callsA, callsB := kindA == call || f.hasCall(a), kindB == call || f.hasCall(b)
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

// hasCall reports whether a statement calls something.
func (f *file) hasCall(s statement) bool {
	for i := s.first; i < s.last; i++ {
		if f.isWord(i, "await") || f.bracket(i, "(") && i > s.first && f.operandEnds(i-1) {
			return true
		}
	}
	return false
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
		open := f.tokens[s.last-1].mate
		if pauses()[f.at(s.first+1)] || pauses()[f.at(open-1)] {
			continue
		}
		from, to := f.tokens[s.first].from, f.tokens[s.first+1].from
		f.add("statement", from, to, "", "`await` before `"+short(f.slice(s.first+1, s.last), 50)+"` left out")
	}
}
