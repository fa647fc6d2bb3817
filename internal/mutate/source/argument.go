package source

// arguments leaves out named arguments of calls and members of literals.
func (f *file) arguments() {
	for i := range f.tokens {
		t := f.tokens[i]
		if t.Kind != opening || t.Mate < 0 || f.quiet[i] || f.inHead(i) {
			continue
		}
		switch f.at(i) {
		case "(":
			if (f.lang.indented || f.lang.worded) && f.operandEnds(i-1) && !f.noise(i) {
				f.elements(i, f.namedArgument)
			}
		case "{":
			if f.literalAt(i) {
				f.elements(i, f.member)
			}
		}
	}
}

// inHead reports whether a bracket holds the parameters of a function.
func (f *file) inHead(i int) bool {
	s := f.owner[i]
	if s < 0 {
		return false
	}
	head := f.statements[s]
	return head.head && (head.key == "def" || head.key == "class" || head.key == "func" || head.key == "function")
}

// literalAt reports whether a { begins the literal of an object and no block, and
// nothing that takes one apart.
func (f *file) literalAt(i int) bool {
	if f.tokens[i].Inside && f.at(i-1) == "" {
		return false
	}
	mate := f.tokens[i].Mate
	if mate+1 < len(f.tokens) && (f.isOperator(mate+1, "=") || f.isWord(mate+1, "of") || f.isWord(mate+1, "in")) && !f.lang.indented {
		return false
	}
	if up := f.tokens[i].Up; up >= 0 && f.bracket(up, "(") && !f.lang.indented {
		if after := f.at(f.tokens[up].Mate + 1); after == "=>" || after == "{" { // parameters
			return false
		}
	}
	for n := i + 1; n < mate && n < i+3; n++ { // a block has a statement in it
		if f.owner[n] >= 0 && f.statements[f.owner[n]].first == n {
			return false
		}
	}
	return true
}

// elements goes through what stands in a bracket, separated by commas.
func (f *file) elements(open int, is func(first, last int) bool) {
	mate := f.tokens[open].Mate
	before := open // the comma before
	start := open + 1
	for i := start; i <= mate; i++ {
		if t := f.tokens[i]; t.Kind == opening && t.Mate > i {
			i = t.Mate
			continue
		}
		if i < mate && !f.isOperator(i, ",") {
			continue
		}
		if start < i && !f.quiet[start] && is(start, i) {
			from, to := f.bytes(start, i)
			shown := without(f.source[from:min(to, from+300)])
			switch {
			case i < mate && i+1 < mate && !f.tokens[i+1].Newline:
				to = f.tokens[i+1].From
			case i < mate:
				to = f.tokens[i].To
			case before > open:
				from = f.tokens[before-1].To
			}
			f.add("argument", from, to, "", shown)
		}
		before, start = i, i+1
	}
}

// namedArgument reports whether an argument of a call has a name.
func (f *file) namedArgument(first, last int) bool {
	if f.kindAt(first) != word || last-first < 2 {
		return f.isOperator(first, "**") && f.lang.indented
	}
	if f.lang.worded {
		return f.isOperator(first+1, ":") && last-first > 2
	}
	return f.isOperator(first+1, "=") && last-first > 2
}

// member reports whether a part of a literal is a member: `key: value`, and in
// JavaScript the name alone, or others that are spread.
func (f *file) member(first, last int) bool {
	if f.isOperator(first, "**") && f.lang.indented || f.isOperator(first, "...") {
		return true
	}
	if last-first == 1 && f.kindAt(first) == word && f.lang.tick == 't' {
		return true
	}
	for i := first; i < last && i < first+20; i++ {
		if t := f.tokens[i]; t.Kind == opening && t.Mate > i {
			i = t.Mate
			continue
		}
		if f.isOperator(i, ":") || f.lang.worded && f.isOperator(i, "=>") {
			for n := i; n < last && n < i+reach; n++ {
				if f.tokens[n].Up == f.tokens[first].Up && f.isWord(n, "for") && f.lang.indented {
					return false
				}
			}
			return true
		}
		if f.isWord(i, "for") || f.isWord(i, "lambda") || f.isOperator(i, "?") {
			return false
		}
	}
	return false
}

// noise reports whether a bracket holds the arguments of what makes an exception.
func (f *file) noise(i int) bool {
	s := f.owner[i]
	return s >= 0 && !f.statements[s].head && (f.at(f.statements[s].first) == "raise" || f.at(f.statements[s].first) == "throw")
}
