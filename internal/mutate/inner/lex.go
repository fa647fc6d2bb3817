package inner

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/source/tokens"
)

// A token is a part of a text. Comments and spaces are none.
type token = tokens.Token

// A kind of a token.
type kind = tokens.Kind

const (
	word       = tokens.Word     // a name, a keyword, a hole
	number     = tokens.Number   // 3, 0.5
	text       = tokens.Text     // a text with its quotes
	expression = tokens.Literal  // a regular expression of awk
	given      = tokens.Given    // ?, $1, :name, %s: a value that the text does not have itself
	sign       = tokens.Operator // all signs that are no brackets
	opening    = tokens.Opening
	closing    = tokens.Closing
)

// A grammar is what the lexer has to know of a language.
type grammar struct {
	// comment begins a comment to the end of the line.
	comment string
	block   bool
	// quotes are those of texts, double says that two of them are one in a text, and
	// names which of them are around names.
	quotes, names string
	double        bool
	// fold says that letters make no difference in words.
	fold bool
	// opens and closes are words that are brackets, by the word that closes.
	opens map[string]string
	// signs are those of more than one character, longer ones first.
	signs []string
	// dollar says what $ begins: a value that is given 'g', a name 'n', a sign.
	dollar byte
	// values says that ?, :name, @name and %s are values that are given.
	values bool
	// dot says that .name is one word, regex that /x/ is a pattern, and inside that
	// \( in a text is computed.
	dot, regex, inside bool
	// lines says that the end of a line ends a statement, and is a sign.
	lines bool
	// keywords are the words after which an operand begins.
	keywords map[string]bool
}

// read finds the tokens of some bytes, and reports whether all brackets and texts are
// closed.
func (p *program) read(g *grammar, from, to int) bool {
	p.grammar, p.tokens = g, nil
	r := &reader{program: p, to: to, line: true}
	for at := from; at < to; {
		if end := r.pastHole(at); end > at {
			at = end
			continue
		}
		n := r.skipped(at)
		if n == 0 {
			n = r.literal(at)
		}
		if n == 0 {
			n = r.code(at)
		}
		if n < 0 {
			return false
		}
		at += n
	}
	return len(r.open) == 0
}

// A reader finds the tokens of a program. Its methods give the length of what stands at a byte, 0 where it is nothing of
// theirs, and -1 where it is not closed.
type reader struct {
	*program
	to int
	// open are the brackets that are open, and ends what closes each.
	open []int
	ends []string
	line bool // a line begins before the next token
	hole int  // the first hole that ends behind the last byte
}

// put keeps a token.
func (r *reader) put(k kind, a, b int) *token {
	t := token{Kind: k, From: a, To: b, Mate: -1, Up: -1, Newline: r.line}
	if n := len(r.open); n > 0 {
		t.Up = r.open[n-1]
	}
	r.line = false
	if k == word {
		if t.Name = r.text[a:b]; r.grammar.fold {
			t.Name = strings.ToLower(t.Name)
		}
	}
	r.tokens = append(r.tokens, t)
	return &r.tokens[len(r.tokens)-1]
}

// begin keeps a bracket and what is to close it.
func (r *reader) begin(a, b int, end string) {
	r.put(opening, a, b)
	r.open, r.ends = append(r.open, len(r.tokens)-1), append(r.ends, end)
}

// close keeps the end of what was opened last.
func (r *reader) close(a, b int) {
	n := len(r.open) - 1
	i := r.open[n]
	r.open, r.ends = r.open[:n], r.ends[:n]
	r.put(closing, a, b).Mate = i
	r.tokens[i].Mate = len(r.tokens) - 1
}

// pastHole keeps a hole that begins at a byte or before it, and is its end; else it is the byte.
func (r *reader) pastHole(at int) int {
	for r.hole < len(r.holes) && r.holes[r.hole][1] <= at {
		r.hole++
	}
	if r.hole >= len(r.holes) || r.holes[r.hole][0] > at {
		return at
	}
	end := min(r.holes[r.hole][1], r.to)
	r.put(word, at, end).Name = ""
	return end
}

// skipped passes spaces and comments, and keeps the end of a line that ends a statement.
func (r *reader) skipped(at int) int {
	g, rest := r.grammar, r.text[at:r.to]
	switch c := rest[0]; {
	case c == '\n':
		if g.lines && r.program.ends(len(r.open)-1, r.open) {
			r.put(sign, at, at+1)
		}
		r.line = true
		return 1
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		return 1
	case strings.HasPrefix(rest, "\\\n"):
		return 2
	case c == '\\':
		return 1
	case g.comment != "" && strings.HasPrefix(rest, g.comment):
		if n := strings.IndexByte(rest, '\n'); n >= 0 {
			return n
		}
		return len(rest)
	case g.block && strings.HasPrefix(rest, "/*"):
		n := strings.Index(rest[2:], "*/")
		if n < 0 {
			return -1
		}
		return n + 4
	}
	return 0
}

// literal reads a text, a regular expression, a number or a value that is given.
func (r *reader) literal(at int) int {
	g, rest := r.grammar, r.text[at:r.to]
	c := rest[0]
	keep := func(k kind, n int) int {
		if n > 0 {
			r.put(k, at, at+n)
		}
		return n
	}
	switch {
	case strings.IndexByte(g.quotes, c) >= 0:
		k := text
		if strings.IndexByte(g.names, c) >= 0 {
			k = word
		}
		return keep(k, max(r.quoted(g, at, r.to, r.hole)-at, -1))
	case g.regex && c == '/' && !r.operandEnds(len(r.tokens)-1):
		return keep(expression, slashed(rest))
	case digit(c) || c == '.' && len(rest) > 1 && digit(rest[1]) && !r.touches(at):
		return keep(number, numeric(rest))
	case g.values:
		return keep(given, r.valueAt(rest))
	}
	return 0
}

// code reads a name, a bracket or a sign.
func (r *reader) code(at int) int {
	g, rest := r.grammar, r.text[at:r.to]
	c := rest[0]
	switch {
	case nameByte(c), g.dot && c == '.' && len(rest) > 1 && nameByte(rest[1]), c == '$' && g.dollar == 'n' && len(rest) > 1 && nameByte(rest[1]):
		return r.word(at)
	case c == '(' || c == '[' || c == '{':
		r.begin(at, at+1, map[byte]string{'(': ")", '[': "]", '{': "}"}[c])
		return 1
	case c == ')' || c == ']' || c == '}':
		if n := len(r.ends); n == 0 || r.ends[n-1] != string(c) {
			return -1
		}
		r.close(at, at+1)
		return 1
	}
	n := 1
	for _, s := range g.signs {
		if strings.HasPrefix(rest, s) {
			n = len(s)
			break
		}
	}
	r.put(sign, at, at+n)
	return n
}

// word reads a name up to the next hole. It may be a bracket: CASE and END of SQL.
func (r *reader) word(at int) int {
	g, rest := r.grammar, r.text[at:r.to]
	n := 1
	for n < len(rest) && (nameByte(rest[n]) || rest[n] == '$' && g.fold) && (r.hole >= len(r.holes) || at+n < r.holes[r.hole][0]) {
		n++
	}
	name := rest[:n]
	if g.fold {
		name = strings.ToLower(name)
	}
	switch {
	case g.opens[name] != "":
		r.begin(at, at+n, g.opens[name])
	case len(r.ends) > 0 && len(name) > 1 && r.ends[len(r.ends)-1] == name:
		r.close(at, at+n)
	default:
		r.put(word, at, at+n)
	}
	return n
}

// ends reports whether a statement ends where a line does.
func (p *program) ends(n int, open []int) bool {
	last := len(p.tokens) - 1
	if last < 0 || n >= 0 && p.at(open[n]) != "{" {
		return false
	}
	switch p.at(last) {
	case "{", ";", "&&", "||", ",", "\n", "else", "do":
		return false
	}
	return true
}

func digit(c byte) bool { return tokens.Digit(c) }

func nameByte(c byte) bool { return tokens.NameByte(c) }

// touches reports whether a token ends just before a byte.
func (p *program) touches(at int) bool {
	n := len(p.tokens)
	return n > 0 && p.tokens[n-1].To == at && p.operandEnds(n-1)
}

// numeric is the length of the number that a text begins with.
func numeric(rest string) int {
	n := 0
	for n < len(rest) && (digit(rest[n]) || rest[n] == '.' && (n+1 < len(rest) && digit(rest[n+1])) || (rest[n] == 'e' || rest[n] == 'E') && n+1 < len(rest) && digit(rest[n+1])) {
		n++
	}
	return max(n, 1)
}

// slashed is the length of a regular expression, -1 where it does not end on its line.
func slashed(rest string) int {
	class := false
	for n := 1; n < len(rest); n++ {
		switch c := rest[n]; {
		case c == '\\':
			n++
		case c == '\n':
			return -1
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			return n + 1
		}
	}
	return -1
}

// quoted is the end of a text that begins at a byte, -1 where there is none.
func (p *program) quoted(g *grammar, at, to, hole int) int {
	c := p.text[at]
	for n := at + 1; n < to; n++ {
		for hole < len(p.holes) && p.holes[hole][1] <= n {
			hole++
		}
		switch {
		case hole < len(p.holes) && p.holes[hole][0] <= n:
			n = p.holes[hole][1] - 1
		case p.text[n] == '\\' && !g.double:
			if n++; g.inside && n < to && p.text[n] == '(' {
				if n = p.computed(g, n+1, to, 0); n < 0 {
					return -1
				}
			}
		case p.text[n] == c && g.double && n+1 < to && p.text[n+1] == c:
			n++
		case p.text[n] == c:
			return n + 1
		}
	}
	return -1
}

// computed is the ) behind what a text computes, -1 where there is none.
func (p *program) computed(g *grammar, at, to, level int) int {
	depth := 0
	for n := at; n < to && level < 20; n++ {
		switch p.text[n] {
		case '(':
			depth++
		case ')':
			if depth == 0 {
				return n
			}
			depth--
		case '"':
			for n++; n < to && p.text[n] != '"'; n++ {
				if p.text[n] != '\\' {
					continue
				}
				if n++; n < to && p.text[n] == '(' {
					if n = p.computed(g, n+1, to, level+1); n < 0 {
						return -1
					}
				}
			}
		}
	}
	return -1
}

// valueAt is the length of the given value that a text begins with, 0 for none: ?, ?1,
// $1, :name, @name, %s, %(name)s.
func (p *program) valueAt(rest string) int {
	named := func(n int) int {
		for n < len(rest) && nameByte(rest[n]) {
			n++
		}
		return n
	}
	if len(rest) == 1 {
		if rest == "?" {
			return 1
		}
		return 0
	}
	switch c := rest[0]; {
	case c == '?':
		return numericEnd(rest, 1)
	case c == '$' && digit(rest[1]):
		return numericEnd(rest, 1)
	case (c == ':' || c == '@' || c == '$') && nameByte(rest[1]) && !digit(rest[1]):
		return named(1)
	case c == '%' && strings.IndexByte("sdvqfi", rest[1]) >= 0 && (len(rest) == 2 || !nameByte(rest[2])):
		return 2
	case c == '%' && rest[1] == '(':
		if n := strings.IndexByte(rest[:min(len(rest), 60)], ')'); n > 0 && n+1 < len(rest) && nameByte(rest[n+1]) {
			return n + 2
		}
	}
	return 0
}

func numericEnd(rest string, n int) int {
	for n < len(rest) && digit(rest[n]) {
		n++
	}
	return n
}

// at is the text of a token, "" where there is none.
func (p *program) at(i int) string { return tokens.At(p.text, p.tokens, i) }

// kindAt is the kind of a token, sign where there is none.
func (p *program) kindAt(i int) kind { return tokens.KindAt(p.tokens, i) }

// is reports whether a token is this word.
func (p *program) is(i int, name string) bool {
	return p.kindAt(i) == word && p.tokens[i].Name == name
}

// isAny reports whether a token is one of some words.
func (p *program) isAny(i int, names map[string]bool) bool {
	return p.kindAt(i) == word && names[p.tokens[i].Name]
}

// isSign reports whether a token is this sign.
func (p *program) isSign(i int, s string) bool { return i >= 0 && p.kindAt(i) == sign && p.at(i) == s }

// slice is the text of tokens, with what is between them.
func (p *program) slice(first, last int) string {
	if first >= last {
		return ""
	}
	return p.text[p.tokens[first].From:p.tokens[last-1].To]
}

// operandEnds reports whether a token ends an operand.
func (p *program) operandEnds(i int) bool {
	if i < 0 || i >= len(p.tokens) {
		return false
	}
	switch t := p.tokens[i]; t.Kind {
	case number, text, expression, given, closing:
		return true
	case word:
		return !p.grammar.keywords[t.Name]
	}
	return false
}

// jump is the token behind a token, or behind the bracket that it opens.
func (p *program) jump(i int) int {
	if t := p.tokens[i]; t.Kind == opening && t.Mate > i {
		return t.Mate + 1
	}
	return i + 1
}

// has reports whether some tokens, with those in their brackets, have a kind.
func (p *program) has(first, last int, k kind) bool {
	for i := first; i < last; i++ {
		if p.tokens[i].Kind == k {
			return true
		}
	}
	return false
}

// groups calls a function for all tokens that stand in no bracket, and for those
// of each bracket: with the bracket, and with the tokens of its own.
func (p *program) groups(do func(open int, own []int)) {
	own := make(map[int][]int)
	order := []int{-1}
	own[-1] = nil
	for i, t := range p.tokens {
		if t.Kind == closing {
			continue
		}
		own[t.Up] = append(own[t.Up], i)
		if t.Kind == opening {
			order = append(order, i)
		}
	}
	for _, open := range order {
		do(open, own[open])
	}
}
