package source

import "github.com/scenario-lang/scenario/internal/mutate/source/tokens"

// A kind of a token.
type kind = tokens.Kind

const (
	word     = tokens.Word     // names and words of the language
	number   = tokens.Number   // 3, 0x1f, 1e6
	text     = tokens.Text     // a string in which nothing is computed, with its quotes
	piece    = tokens.Piece    // a part of a string in which something is computed
	literal  = tokens.Literal  // a regular expression, a character
	operator = tokens.Operator // all signs that are no brackets
	opening  = tokens.Opening  // ( [ { and the beginning of a string that has pieces
	closing  = tokens.Closing
)

// A token is a part of a source text.
type token = tokens.Token

// lex are the tokens of a text, and whether its brackets and strings are closed.
func lex(lang *language, text []byte) ([]token, bool) {
	return tokens.Of(&tokens.Grammar{
		Name: lang.name, Comment: lang.comment, Block: lang.block, Indented: lang.indented, Worded: lang.worded,
		Tick: lang.tick, Regex: lang.regex, Hash: lang.hash, Char: lang.char, Triple: lang.triple, Before: lang.before(),
	}, text)
}

func nameByte(c byte) bool { return tokens.NameByte(c) }

func digit(c byte) bool { return tokens.Digit(c) }

// at is the text of a token, "" where there is none.
func (f *file) at(i int) string { return tokens.At(f.source, f.tokens, i) }

// kindAt is the kind of a token, operator where there is none.
func (f *file) kindAt(i int) kind { return tokens.KindAt(f.tokens, i) }

// slice is the text of tokens, with what is between them.
func (f *file) slice(first, last int) string {
	if first >= last {
		return ""
	}
	return f.source[f.tokens[first].From:f.tokens[last-1].To]
}

// bytes are the first and the last byte of tokens.
func (f *file) bytes(first, last int) (from, to int) {
	return f.tokens[first].From, f.tokens[last-1].To
}

// bracket reports whether a token is an opening bracket of this kind, such as "(".
func (f *file) bracket(i int, sign string) bool {
	return f.kindAt(i) == opening && f.at(i) == sign
}

// isOperator reports whether a token is a sign.
func (f *file) isOperator(i int, sign string) bool {
	return i >= 0 && f.kindAt(i) == operator && f.at(i) == sign
}

// isWord reports whether a token is this word, and no member of that name.
func (f *file) isWord(i int, w string) bool {
	return f.kindAt(i) == word && f.at(i) == w && !f.isMember(i)
}

// isMember reports whether a token is the name of a member: it stands after a point.
func (f *file) isMember(i int) bool {
	switch f.at(i - 1) {
	case ".", "?.", "&.", "::":
		return true
	}
	return false
}

// operandEnds reports whether a token ends an operand, so that a sign after it has
// two sides.
func (f *file) operandEnds(i int) bool {
	switch f.kindAt(i) {
	case word:
		return f.isMember(i) || !f.lang.before()[f.at(i)]
	case number, text, literal, closing:
		return true
	}
	return false
}

// spaced reports whether there is a space before and after a token.
func (f *file) spaced(i int) (before, after bool) {
	t := f.tokens[i]
	blank := func(p int) bool {
		return p < 0 || p >= len(f.text) || f.text[p] == ' ' || f.text[p] == '\t' || f.text[p] == '\n' || f.text[p] == '\r'
	}
	return blank(t.From - 1), blank(t.To)
}

// binary reports whether a sign has an operand on both sides. `a *b` has none: it is
// a pointer, or an argument of a command.
func (f *file) binary(i int) bool {
	if !f.operandEnds(i-1) || i+1 >= len(f.tokens) {
		return false
	}
	if k := f.kindAt(i + 1); k == closing || k == operator && !unary()[f.at(i+1)] {
		return false
	}
	before, after := f.spaced(i)
	if f.lang.bare && f.at(i) == "*" && !after && f.at(i-1) == "]" {
		return false // []*T
	}
	return !before || after
}

var unary = set("- + ! ~ * & <- ...")
