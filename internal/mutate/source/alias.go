package source

import "strings"

// aliases puts what is copied in the place of the copy: what is written to the one is
// written to the other.
func (f *file) aliases() {
	for i := range f.tokens {
		t := f.tokens[i]
		if t.Kind != opening || t.Mate <= i+1 || f.quiet[i] || t.Inside {
			continue
		}
		switch s := f.at(i); {
		case s == "{" && f.lang.tick == 't' && f.isOperator(i+1, "..."):
			f.spread(i, "Object.assign(", ", {", "})")
		case s == "{" && f.lang.indented && f.isOperator(i+1, "**"):
			f.spread(i, "(lambda kept, other: (kept.update(other), kept)[1])(", ", {", "})")
		case s == "[" && f.lang.tick == 't' && f.isOperator(i+1, "...") && !f.operandEnds(i-1):
			if name := f.slice(i+2, t.Mate); f.path(i+2, t.Mate) && !f.keyed(name) {
				f.aliased(i, t.Mate+1, name)
			}
		case s == "[" && f.lang.indented && t.Mate == i+2 && f.isOperator(i+1, ":") && f.operandEnds(i-1):
			if first := f.chain(i - 1); f.path(first, i) {
				f.aliased(first, t.Mate+1, f.slice(first, i))
			}
		case s == "(" && f.lang.indented && f.isWord(i-1, "dict"):
			if a := f.args(i); len(a) > 1 && f.path(a[0][0], a[0][1]) {
				name := f.slice(a[0][0], a[0][1])
				from, to := f.bytes(i-1, t.Mate+1)
				f.alias(from, to, "(lambda kept, **other: (kept.update(other), kept)[1])"+f.slice(i, t.Mate+1), name)
			}
		case s == "(" && f.lang.bare && f.isWord(i-1, "append"):
			a := f.args(i)
			if len(a) != 2 || f.at(t.Mate-1) != "..." || !f.path(a[1][0], t.Mate-1) {
				continue
			}
			if kept := f.slice(a[0][0], a[0][1]); strings.HasPrefix(kept, "[]") && (strings.HasSuffix(kept, "(nil)") || strings.HasSuffix(kept, "{}")) {
				f.aliased(i-1, t.Mate+1, f.slice(a[1][0], t.Mate-1))
			}
		}
	}
}

// keyed reports whether the file makes a set or a map of this name, which is no list.
func (f *file) keyed(name string) bool {
	if f.unlisted == nil {
		f.findSets()
	}
	return f.unlisted[name]
}

// findSets notes the names that the file gives a set, or a map of JavaScript.
func (f *file) findSets() {
	f.unlisted = map[string]bool{}
	for _, s := range f.statements {
		if s.head {
			continue
		}
		sign := f.assignment(s.first, s.last)
		if sign < 1 || f.at(sign) != "=" || f.kindAt(sign-1) != word {
			continue
		}
		made := f.at(sign + 2)
		if f.lang.tick == 't' && f.isWord(sign+1, "new") && (made == "Set" || made == "Map") || f.isSet(sign+1, f.operandEnd(sign+1, s.last)) {
			f.unlisted[f.at(sign-1)] = true
		}
	}
}

// operandEnd is the end of a bracket, or of a call, that is followed by a sign of sets.
func (f *file) operandEnd(first, last int) int {
	open := first
	if f.kindAt(first) == word {
		open++
	}
	if end := f.tokens[min(open, len(f.tokens)-1)].Mate + 1; end > open && end < last && (f.isOperator(end, "-") || f.isOperator(end, "&") || f.isOperator(end, "|")) {
		return end
	}
	return last
}

// isSet reports whether tokens are a set of Python: set(…), {a, b}, {a for a in b}.
func (f *file) isSet(first, last int) bool {
	if !f.lang.indented || last <= first {
		return false
	}
	mate := f.tokens[last-1].Mate
	switch {
	case f.isWord(first, "set") || f.isWord(first, "frozenset"):
		return f.at(first+1) == "(" && mate == first+1
	case f.at(first) == "{" && mate == first && last > first+2:
		for i := first + 1; i < last-1 && i < first+reach; i++ {
			if t := f.tokens[i]; t.Kind == opening && t.Mate > i {
				i = t.Mate
			} else if f.isOperator(i, ":") || f.isOperator(i, "**") {
				return false
			}
		}
		return true
	}
	return last == first+1 && f.kindAt(first) == word && f.unlisted[f.at(first)]
}

// spread writes into the first of what the literal of an object holds.
func (f *file) spread(open int, begin, between, end string) {
	a := f.args(open)
	mate := f.tokens[open].Mate
	if len(a) == 0 || len(a) == 20 || !f.path(a[0][0]+1, a[0][1]) || !f.literalAt(open) {
		return
	}
	name := f.slice(a[0][0]+1, a[0][1])
	from, to := f.bytes(open, mate+1)
	if to-from > span {
		return
	}
	if len(a) == 1 {
		f.alias(from, to, name, name)
		return
	}
	f.alias(from, to, begin+name+between+f.slice(a[1][0], mate)+end, name)
}

// aliased puts a name in the place of what copies it.
func (f *file) aliased(first, last int, name string) {
	from, to := f.bytes(first, last)
	if f.used(first, last) {
		f.alias(from, to, name, name)
	}
}

func (f *file) alias(from, to int, with, name string) {
	f.add("related", from, to, with, "`"+short(f.source[from:to], side)+"` is `"+short(name, 28)+"` and no copy")
}

// setSides leaves out what is taken away from a set of Python, or what is added to it.
func (f *file) setSides() {
	if !f.lang.indented {
		return
	}
	for i := range f.tokens {
		if first, last, ok := f.setOperation(i); ok && !f.quiet[i] {
			from, to := f.tokens[i-1].To, f.tokens[last-1].To
			if to-from <= span && first < i {
				f.add("condition", from, to, "", without(f.at(i)+" "+f.slice(i+1, last)))
			}
		}
	}
}

// setOperation are the sides of -, & and | where one of them is a set.
func (f *file) setOperation(i int) (first, last int, ok bool) {
	if !f.lang.indented || !f.isOperator(i, "-") && !f.isOperator(i, "&") && !f.isOperator(i, "|") || !f.binary(i) {
		return 0, 0, false
	}
	if f.unlisted == nil {
		f.findSets()
	}
	first = f.chain(i - 1)
	last = i + 2
	if t := f.tokens[i+1]; t.Kind == opening {
		last = t.Mate + 1
	}
	for n := 0; n < 20 && last < len(f.tokens) && last > i; n++ {
		switch t := f.tokens[last]; {
		case f.isOperator(last, "."):
			last += 2
			continue
		case (f.at(last) == "(" || f.at(last) == "[") && t.Mate > 0 && !t.Newline:
			last = t.Mate + 1
			continue
		}
		break
	}
	if last <= i+1 || last > len(f.tokens) {
		return 0, 0, false
	}
	return first, last, f.isSet(first, i) || f.isSet(i+1, last)
}
