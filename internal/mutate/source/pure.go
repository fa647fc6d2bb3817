package source

// pure reports whether a name is that of a function of the file that is given one value, gives one, and asks nobody.
func (f *file) pure(name string) bool {
	if f.pures == nil {
		f.pures = map[string]bool{}
		for i := range f.tokens {
			if f.kindAt(i) == word {
				if first, last := f.body(i); first < last && last <= len(f.tokens) && !f.asks(first, last) {
					f.pures[f.at(i)] = true
				}
			}
		}
	}
	return f.pures[name]
}

// body are the tokens of what a function of one parameter gives that is declared at a token.
func (f *file) body(i int) (first, last int) {
	open := i + 1
	arrow := f.isOperator(open, "=") && (f.lang.tick == 't' || f.lang.indented)
	if arrow {
		open++
	}
	switch {
	case arrow && f.lang.indented:
		if f.isWord(open, "lambda") && f.isOperator(open+2, ":") {
			return open + 3, f.bodyEnd(open + 3)
		}
		return 0, 0
	case arrow && f.kindAt(open) == word && f.isOperator(open+1, "=>"):
		return f.arrowBody(open + 2)
	case f.at(open) != "(" || f.tokens[open].Mate < open+2 || len(f.args(open)) != 1 || !arrow && !f.declares(i):
		return 0, 0
	}
	body, s, param := f.tokens[open].Mate+1, f.owner[i], f.args(open)[0]
	switch {
	case arrow:
		for n := 0; n < 4 && !f.isOperator(body, "=>"); n++ { // a type
			body++
		}
		if f.isOperator(body, "=>") {
			return f.arrowBody(body + 1)
		}
		return 0, 0
	case f.lang.indented:
		if s < 0 || !f.statements[s].head || f.isWord(f.statements[s].first, "async") {
			return 0, 0
		}
		body = f.statements[s].last + 1
		return f.returning(body, f.indentedEnd(s, body))
	case f.lang.worded:
		for last = body; last < len(f.tokens) && last < body+reach && !f.isWord(last, "end"); {
			last++
		}
		return body, last
	case f.lang.bare:
		if param[1]-param[0] != 2 || f.at(body) != f.at(param[0]+1) {
			return 0, 0
		}
		body++
	case f.lang.ended:
		if param[1]-param[0] < 2 || f.at(param[1]-2) != f.at(i-1) {
			return 0, 0
		}
	default:
		for n := 0; n < 4 && f.at(body) != "{"; n++ { // a type
			body++
		}
	}
	return f.arrowBody(body)
}

// arrowBody are the tokens of a body that is an expression or a block.
func (f *file) arrowBody(i int) (first, last int) {
	if f.at(i) != "{" {
		return i, f.bodyEnd(i)
	}
	return f.returning(i+1, f.tokens[i].Mate)
}

// returning are the tokens of a body that returns something.
func (f *file) returning(first, last int) (int, int) {
	for i := first; i < last && i < first+reach; i++ {
		if f.isWord(i, "return") {
			return first, last
		}
	}
	return 0, 0
}
