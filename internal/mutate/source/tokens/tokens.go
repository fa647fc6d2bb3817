// Package tokens reads the tokens of a source file: the names, numbers, texts, signs and
// brackets of a language with such, and the words of a script of a shell. It is a lexer
// and no parser: which tokens make up a statement is not known here.
package tokens

// A Kind of a token.
type Kind uint8

const (
	Word     Kind = iota // names and words of the language
	Number               // 3, 0x1f, 1e6
	Text                 // a string in which nothing is computed, with its quotes
	Piece                // a part of a string in which something is computed
	Literal              // a regular expression, a character
	Operator             // all signs that are no brackets
	Opening              // ( [ { and the beginning of a string that has pieces
	Closing
	Given // ?, $1, %s: a value that a text in another language does not have itself
)

// A Token is a part of a source text. Comments and spaces are none.
type Token struct {
	Kind     Kind
	From, To int
	// Mate is the other one of two brackets, Up the bracket around, -1 for none.
	Mate, Up int
	// Newline says that a line begins before it. A \ at the end of a line joins two.
	Newline bool
	// Inside says that it stands in what a string computes.
	Inside bool
	// Name is a word as package inner compares it, "" for a part that another language
	// computes. The readers of this package leave it empty.
	Name string
}

// At is the text of one of some tokens, "" where there is none.
func At(text string, list []Token, i int) string {
	if i < 0 || i >= len(list) {
		return ""
	}
	return text[list[i].From:list[i].To]
}

// KindAt is the kind of one of some tokens, Operator where there is none.
func KindAt(list []Token, i int) Kind {
	if i < 0 || i >= len(list) {
		return Operator
	}
	return list[i].Kind
}

// A Grammar is what has to be known of a language to read its tokens.
type Grammar struct {
	Name string
	// Comment begins a comment to the end of the line; Block says that /* */ is one.
	Comment string
	Block   bool
	// Indented and Worded say how blocks are told: by indentation, by words such as end.
	Indented, Worded bool
	// Tick says what a ` begins: a template 't' or a raw string 'r'. Regex says that
	// there are literals of regular expressions, Hash that "#{x}" is computed, Char
	// that 'x' is one character, Triple that """ begins a text.
	Tick                      byte
	Regex, Hash, Char, Triple bool
	// Before are all words after which an operand begins.
	Before map[string]bool
}
