package source

// rubyHeads are the words that begin a line which is the head of others, or ends them.
var rubyHeads = set("if unless while until elsif else case when in for def class module begin rescue ensure end then do")

// splitWords finds the statements of Ruby, whose blocks end with `end`. Blocks in
// braces on one line are parts of their statement.
func (f *file) splitWords() {
	last, scope := -1, 0
	for i := 0; i < len(f.tokens); {
		if f.isOperator(i, ";") || f.kindAt(i) == closing {
			i++
			continue
		}
		end := f.rubyLine(i)
		last, scope = f.rubyStatement(i, end, last, scope)
		i = end
		if f.isOperator(i, ";") {
			i++
		}
	}
}

// rubyLine is the end of the statement that begins at a token: that of its line, or
// the { of a block that goes on in the next lines, or a `do`.
func (f *file) rubyLine(first int) int {
	for i := first; i < len(f.tokens); i++ {
		t := f.tokens[i]
		if i > first && t.Newline && f.rubyEnds(i) || i > first && (f.isOperator(i, ";") || t.Kind == closing) {
			return i
		}
		if t.Kind == opening && t.Mate > i {
			if f.at(i) == "{" && i > first && f.operandEnds(i-1) && f.manyLines(i) {
				return i + 1
			}
			i = t.Mate
		}
	}
	return len(f.tokens)
}

// manyLines reports whether the statements of a block in braces begin on a line of
// their own.
func (f *file) manyLines(open int) bool {
	i := open + 1
	if f.isOperator(i, "|") {
		for i++; i < f.tokens[open].Mate && i < open+20 && !f.isOperator(i, "|"); i++ {
		}
		i++
	}
	return i < f.tokens[open].Mate && f.tokens[i].Newline
}

// rubyEnds reports whether the end of a line before a token ends a statement.
func (f *file) rubyEnds(i int) bool {
	switch f.kindAt(i - 1) {
	case operator:
		return f.at(i-1) == "|"
	case word:
		if w := f.at(i - 1); !f.isMember(i-1) && (w == "and" || w == "or" || w == "not") {
			return false
		}
	}
	return f.at(i) != "." && f.at(i) != "&."
}

// rubyStatement keeps one statement: the head of others, or a simple one, which may
// have an `if` behind it.
func (f *file) rubyStatement(first, end, last, scope int) (int, int) {
	key := f.at(first)
	keep := func(s statement) {
		if s.first < s.last {
			f.statements = append(f.statements, s)
		}
	}
	modifier := -1
	for i := first; i < end; i++ {
		if t := f.tokens[i]; t.Kind == opening && t.Mate > i && t.Mate < end {
			i = t.Mate
			continue
		}
		switch {
		case i > first && (f.isWord(i, "do") || f.isWord(i, "then")) && f.at(i+1) != ":":
			keep(statement{first: first, last: i, key: key, head: true, before: -1, scope: scope})
			if f.isWord(i, "then") && i+1 < end {
				keep(statement{first: i + 1, last: end, key: f.at(i + 1), lone: true, before: -1, scope: scope})
			}
			return -1, scope
		case i > first && modifier < 0 && (f.isWord(i, "if") || f.isWord(i, "unless") || f.isWord(i, "while") || f.isWord(i, "until")) && (f.operandEnds(i-1) || f.lang.control()[f.at(i-1)]) && f.at(i+1) != ":":
			modifier = i
		case i > first && modifier < 0 && (f.isWord(i, "if") || f.isWord(i, "unless") || f.isWord(i, "case") || f.isWord(i, "begin")) && f.at(i+1) != ":" && !rubyHeads()[key]:
			keep(statement{first: i, last: end, key: f.at(i), head: true, before: -1, scope: scope}) // x = if y
			return -1, scope
		}
	}
	if f.kindAt(first) == word && rubyHeads()[key] && f.at(first+1) != ":" || f.at(end-1) == "{" {
		if key == "def" {
			scope++
		}
		keep(statement{first: first, last: end, key: key, head: true, before: -1, scope: scope})
		return -1, scope
	}
	if modifier > 0 {
		keep(statement{first: first, last: modifier, key: key, lone: true, before: -1, scope: scope})
		keep(statement{first: modifier, last: end, key: f.at(modifier), head: true, before: -1, scope: scope})
		return -1, scope
	}
	keep(statement{first: first, last: end, key: key, before: last, scope: scope})
	return len(f.statements) - 1, scope
}

// commands reports whether a Ruby statement calls something, with its arguments behind
// it or with none: `send mail`, `order.save!`.
func (f *file) commands(first, last int) bool {
	for i := first; i < last && i < first+reach; i++ {
		if t := f.tokens[i]; t.Kind == opening && t.Mate > i {
			i = t.Mate
		} else if f.isOperator(i, "<<") {
			return true // list << element
		} else if t.Kind == operator && !f.isMember(i+1) {
			break
		}
	}
	i := first
	for n := 0; n < reach && f.kindAt(i) == word && i < last; n++ {
		if i+1 == last {
			return i > first || f.at(i)[len(f.at(i))-1] == '!'
		}
		if s := f.at(i + 1); s == "." || s == "&." || s == "::" {
			i += 2
			continue
		}
		t := f.tokens[i+1]
		return t.From > f.tokens[i].To && (t.Kind == word && f.operandEnds(i+1) || t.Kind == text || t.Kind == number || t.Kind == literal || t.Kind == opening && f.at(i+1) != "{")
	}
	return false
}
