package source

import "strings"

// boundSigns end an operand of `and` and `or`.
var boundSigns = set(", ; : ? = := => -> ... += -= *= /= //= %= **= |= &= ^= <<= >>= ||= &&= ??= <-")

// bound reports whether an operand ends at a token.
func (f *file) bound(i int) bool {
	switch f.kindAt(i) {
	case operator:
		return boundSigns()[f.at(i)]
	case word:
		return f.lang.bounds()[f.at(i)] && !f.isMember(i)
	}
	return false
}

// left is the first token of what stands before a sign: up to the bracket around, the
// beginning of the statement or a bound. It is -1 where that is too far.
func (f *file) left(i int, stop func(int) bool) int {
	up, owner := f.tokens[i].Up, f.owner[i]
	at := i
	for n := 0; at > 0 && n < reach; n++ {
		p := at - 1
		if p == up || stop(p) || f.kindAt(p) == opening {
			return at
		}
		if f.kindAt(p) == closing && f.tokens[p].Mate >= 0 {
			if q := f.tokens[p].Mate; f.owner[q] == owner || owner < 0 {
				at = q
				continue
			}
			return at
		}
		if f.owner[p] != owner {
			return at
		}
		at = p
	}
	if at == 0 {
		return 0
	}
	return -1
}

// right is the end of what stands after a sign: the first token that is no part of it,
// -1 where that is too far.
func (f *file) right(i int, stop func(int) bool) int {
	up, owner := f.tokens[i].Up, f.owner[i]
	at := i + 1
	for n := 0; n < reach; n++ {
		if at >= len(f.tokens) || f.kindAt(at) == closing || f.tokens[at].Up != up || stop(at) || f.owner[at] != owner {
			return at
		}
		if t := f.tokens[at]; t.Kind == opening && t.Mate > at {
			at = t.Mate
		}
		at++
	}
	return -1
}

// constant reports whether a condition is one word or number.
func (f *file) constant(first, last int) bool {
	return last-first == 1 && (f.kindAt(first) == number || f.at(first) == f.lang.yes || f.at(first) == f.lang.no || f.at(first) == "True" || f.at(first) == "False")
}

// forced adds the ways in which a condition does not decide.
func (f *file) forced(first, last int, shown string, always, never bool) {
	if first >= last || f.quiet[first] || f.constant(first, last) {
		return
	}
	from, to := f.bytes(first, last)
	if to-from > span {
		return
	}
	c := "(" + f.source[from:to] + ")"
	shown = "`" + short(shown, 70) + "`"
	if always {
		f.add("condition", from, to, c+" "+f.lang.or+" "+f.lang.yes, shown+" always")
	}
	if never {
		f.add("condition", from, to, c+" "+f.lang.and+" "+f.lang.no, shown+" never")
	}
}

// conditions are those of statements and expressions.
func (f *file) conditions() {
	for _, s := range f.statements {
		if s.head || f.lang.worded {
			f.statementCondition(s)
		}
	}
	for i := range f.tokens {
		switch {
		case f.quiet[i]:
		case f.lang.indented && f.isWord(i, "if") && !f.begins(i):
			end := f.right(i, func(n int) bool { return n > i && f.bound(n) && !f.isWord(n, "lambda") })
			if end > 0 {
				f.forced(i+1, end, "if "+f.slice(i+1, end), true, true)
			}
		case f.isOperator(i, "?") && !f.lang.bare && f.kindAt(i+1) != closing && f.at(i+1) != ":" && f.at(i+1) != "," && f.at(i+1) != "=" && f.operandEnds(i-1):
			if first := f.left(i, f.bound); first >= 0 && first < i {
				f.forced(first, i, f.slice(first, i)+" ? …", true, true)
			}
		}
	}
}

// begins reports whether a word begins its statement, or is the if of an `else if`.
func (f *file) begins(i int) bool {
	return f.owner[i] >= 0 && f.statements[f.owner[i]].first == i
}

// conditionRange is the word and the tokens of the condition of a head.
func (f *file) conditionRange(s statement) (key string, first, last int) {
	first, key = s.first, f.at(s.first)
	if key == "else" && f.isWord(first+1, "if") || key == "}" {
		first, key = first+1, f.at(first+1)
	}
	if f.kindAt(first) != word {
		return "", 0, 0
	}
	first++
	last = s.last
	switch {
	case f.lang.bare:
		for i := first; i < last; i++ {
			if t := f.tokens[i]; t.Kind == opening && t.Mate > i {
				i = t.Mate
			} else if f.isOperator(i, ";") {
				if key == "for" {
					return "", 0, 0
				}
				first = i + 1
			} else if f.isWord(i, "range") {
				return "", 0, 0
			}
		}
	case !f.lang.indented && !f.lang.worded:
		if f.at(first) != "(" || f.tokens[first].Mate < 0 {
			return "", 0, 0
		}
		first, last = first+1, f.tokens[first].Mate
	}
	return key, first, last
}

// statementCondition adds the changes of the condition of `if` and `while`.
func (f *file) statementCondition(s statement) {
	key, first, last := f.conditionRange(s)
	if first >= last {
		return
	}
	from, to := f.bytes(first, last)
	shown := key + " " + f.brief(from, to)
	switch key {
	case "if", "elif", "elsif", "unless":
		f.forced(first, last, shown, true, true)
	case "while":
		f.forced(first, last, shown, false, true)
	case "until":
		f.forced(first, last, shown, true, false)
	case "for":
		if f.lang.bare {
			f.forced(first, last, shown, false, true)
		}
	}
}

// operands are the sides of `and` and `or`, each left out.
func (f *file) operands() {
	done := map[int]bool{}
	for i := range f.tokens {
		and, or := f.logic(i)
		if !and && !or || done[i] || f.quiet[i] {
			continue
		}
		stop := f.bound
		if and {
			stop = func(n int) bool { _, or := f.logic(n); return or || f.bound(n) }
		}
		if s := f.owner[i]; s >= 0 && f.statements[s].key == "for" && f.lang.indented {
			inner := stop
			stop = func(n int) bool { return f.isWord(n, "in") || inner(n) }
		}
		first, last := f.left(i, stop), f.right(i, stop)
		if first < 0 || last < 0 || first >= i || last <= i+1 || last > len(f.tokens) {
			continue
		}
		parts := [][2]int{{first, i}}
		start := i + 1
		for n := start; n < last; n++ {
			if t := f.tokens[n]; t.Kind == opening && t.Mate > n {
				n = t.Mate
				continue
			}
			if a, o := f.logic(n); a && and || o && or {
				done[n] = true
				parts = append(parts, [2]int{start, n})
				start = n + 1
			}
		}
		f.dropped(append(parts, [2]int{start, last}), and)
	}
}

// logic reports whether a token is `and` or `or`.
func (f *file) logic(i int) (and, or bool) {
	switch k := f.kindAt(i); {
	case k == word && (f.lang.indented || f.lang.worded) && !f.isMember(i):
		return f.at(i) == "and", f.at(i) == "or"
	case k == operator && !f.lang.indented:
		return f.at(i) == "&&", f.at(i) == "||"
	}
	return false, false
}

// dropped leaves out each operand of a chain.
func (f *file) dropped(parts [][2]int, and bool) {
	whole, end := f.bytes(parts[0][0], parts[len(parts)-1][1])
	if end-whole > span {
		return
	}
	for n, p := range parts {
		if p[0] >= p[1] {
			return
		}
		from, to := f.bytes(p[0], p[1])
		operand := f.source[from:to]
		shown := "without `" + short(operand, 68) + "`"
		switch {
		case f.lang.typed:
			c := "((" + operand + ") || true)"
			if !and {
				c = "((" + operand + ") && false)"
			}
			f.add("condition", from, to, c, shown)
		case strings.Contains(operand, ":="): // what it names is used further on
		case n == 0 && parts[1][0] < parts[1][1]:
			f.add("condition", from, f.tokens[parts[1][0]].From, "", shown)
		case n > 0:
			f.add("condition", f.tokens[parts[n-1][1]-1].To, to, "", shown)
		}
	}
}
