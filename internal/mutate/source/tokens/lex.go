package tokens

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// A lexer reads the tokens of all languages but the shell's.
type lexer struct {
	lang   *Grammar
	text   []byte
	source string // the same
	at     int
	tokens []Token
	open   []around
	line   bool // a line begins before the next token
	// inside counts the strings around.
	inside int
	// documents are the ends of texts that begin on the next line (Ruby's <<~END).
	documents []string
}

// around is a bracket or a string that is open.
type around struct {
	token int
	// end closes it; quote says that it is a string.
	end   string
	quote bool
	// computed says that it is what a string computes, and format that a : in it
	// begins a format.
	computed, format bool
}

// Of are the tokens of a text, and whether its brackets and strings are closed.
func Of(lang *Grammar, text []byte) ([]Token, bool) {
	l := &lexer{lang: lang, text: text, source: string(text), line: true}
	l.at = len(text) - len(bytes.TrimPrefix(text, []byte("\ufeff")))
	if bytes.HasPrefix(text[l.at:], []byte("#!")) {
		l.comment()
	}
	for l.at < len(l.text) {
		before := l.at
		if n := len(l.open); n > 0 && l.open[n-1].quote {
			if !l.inString(l.open[n-1]) {
				return nil, false
			}
		} else if !l.next() {
			return nil, false
		}
		if l.at <= before {
			return nil, false
		}
	}
	return l.tokens, len(l.open) == 0 && len(l.documents) == 0
}

func (l *lexer) has(s string) bool {
	return len(l.text)-l.at >= len(s) && string(l.text[l.at:l.at+len(s)]) == s
}

func (l *lexer) peek(n int) byte {
	if l.at+n < 0 || l.at+n >= len(l.text) {
		return 0
	}
	return l.text[l.at+n]
}

// put keeps a token that ends where the lexer stands.
func (l *lexer) put(k Kind, from int) int {
	up := -1
	if n := len(l.open); n > 0 {
		up = l.open[n-1].token
	}
	l.tokens = append(l.tokens, Token{Kind: k, From: from, To: l.at, Mate: -1, Up: up, Newline: l.line, Inside: l.inside > 0})
	l.line = false
	return len(l.tokens) - 1
}

// begin keeps a bracket and what is to close it.
func (l *lexer) begin(from int, a around) {
	a.token = l.put(Opening, from)
	l.open = append(l.open, a)
	if a.quote {
		l.inside++
	}
}

// close keeps the end of what was opened last.
func (l *lexer) close(from int) {
	a := l.open[len(l.open)-1]
	l.open = l.open[:len(l.open)-1]
	if a.quote {
		l.inside--
	}
	i := l.put(Closing, from)
	l.tokens[i].Mate, l.tokens[a.token].Mate = a.token, i
}

func (l *lexer) comment() {
	if n := bytes.IndexByte(l.text[l.at:], '\n'); n >= 0 {
		l.at += n
	} else {
		l.at = len(l.text)
	}
}

// NameByte reports whether a byte may be a part of a name.
func NameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || Digit(c) || c >= utf8.RuneSelf
}

// Digit reports whether a byte is one.
func Digit(c byte) bool { return c >= '0' && c <= '9' }

// next reads one token of code.
func (l *lexer) next() bool {
	c := l.text[l.at]
	switch {
	case c == '\n':
		l.at++
		l.line = true
		return l.document()
	case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
		l.at++
		return true
	case c == '\\':
		l.at++
		if l.peek(0) == '\r' {
			l.at++
		}
		if l.peek(0) == '\n' {
			l.at++
		}
		return true
	case l.has(l.lang.Comment):
		l.comment()
		return true
	case l.lang.Block && l.has("/*"):
		n := bytes.Index(l.text[l.at+2:], []byte("*/"))
		if n < 0 {
			return false
		}
		l.line = l.line || bytes.IndexByte(l.text[l.at:l.at+2+n], '\n') >= 0
		l.at += n + 4
		return true
	case l.lang.Worded && l.line && l.has("=begin"):
		n := bytes.Index(l.text[l.at:], []byte("\n=end"))
		if n < 0 {
			return false
		}
		l.at += n + 5
		l.comment()
		return true
	case l.lang.Worded && l.line && l.has("__END__"):
		l.at = len(l.text)
		return true
	}
	return l.quoted(c) || l.code(c)
}

// code reads a name, a number, a bracket or a sign.
func (l *lexer) code(c byte) bool {
	from := l.at
	switch {
	case Digit(c) || c == '.' && Digit(l.peek(1)):
		l.number()
		l.put(Number, from)
	case NameByte(c) || (c == '$' || c == '@' || c == '#') && l.names(c):
		l.at++
		for l.at < len(l.text) && (NameByte(l.text[l.at]) || l.text[l.at] == '$' && l.lang.Tick == 't') {
			l.at++
		}
		if l.lang.Worded && (l.peek(0) == '?' || l.peek(0) == '!') && l.peek(1) != '=' {
			l.at++
		}
		l.put(Word, from)
	case c == ':' && l.lang.Worded && l.peek(1) != ':' && NameByte(l.peek(1)) && !Digit(l.peek(1)) && (!l.operand() || l.command()) && l.peek(-1) != ':':
		for l.at++; NameByte(l.peek(0)) || l.peek(0) == '?' && l.peek(1) != ' '; l.at++ {
		}
		l.put(Literal, from)
	case c == '(' || c == '[' || c == '{':
		l.at++
		l.begin(from, around{end: map[byte]string{'(': ")", '[': "]", '{': "}"}[c]})
	case c == ')' || c == ']' || c == '}':
		if n := len(l.open); n == 0 || l.open[n-1].end != string(c) {
			return false
		}
		l.at++
		l.close(from)
	case l.formats(c):
	default:
		l.at += len(sign(l.lang, l.text[l.at:]))
		l.put(Operator, from)
	}
	return true
}

// names reports whether a sign begins a name: JavaScript's $x and #x, Ruby's @x, $x.
func (l *lexer) names(c byte) bool {
	switch {
	case l.lang.Tick == 't':
		return c == '$' || c == '#' && NameByte(l.peek(1))
	case l.lang.Worded && c == '@':
		return NameByte(l.peek(1)) || l.peek(1) == '@'
	case l.lang.Worded && c == '$':
		return l.peek(1) != 0 && l.peek(1) != '\n'
	}
	return false
}

// formats passes the format of what a Python string computes: `:.2f` and `!r`.
func (l *lexer) formats(c byte) bool {
	n := len(l.open)
	if n == 0 || !l.open[n-1].format || c != ':' && (c != '!' || l.peek(1) == '=') {
		return false
	}
	from, depth := l.at, 0
	for ; l.at < len(l.text) && l.text[l.at] != '\n'; l.at++ {
		switch l.text[l.at] {
		case '{':
			depth++
		case '}':
			if depth == 0 {
				l.put(Piece, from)
				return true
			}
			depth--
		}
	}
	l.at = from
	return false
}

// number passes a number with its letters: 0x1f, 1_000, 1.5e-3, 10n.
func (l *lexer) number() {
	hex := l.has("0x") || l.has("0X")
	for l.at < len(l.text) {
		c := l.text[l.at]
		switch {
		case NameByte(c) && c < utf8.RuneSelf:
			if (c == 'e' || c == 'E') && !hex && (l.peek(1) == '-' || l.peek(1) == '+') && Digit(l.peek(2)) {
				l.at++
			}
		case c == '.' && !hex && l.peek(1) != '.' && (Digit(l.peek(1)) || !NameByte(l.peek(1)) && !l.lang.Worded):
		default:
			return
		}
		l.at++
	}
}

// signs are those of more than one character, longer ones first.
var signs = []string{
	">>>=", "**=", "//=", ">>=", "<<=", "===", "!==", "...", "<=>", "&&=", "||=", "??=", ">>>", "&^=",
	"=>", "->", "<-", ":=", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=",
	"&=", "|=", "^=", "<<", ">>", "**", "//", "::", "&^", "=~", "!~", "..", "&.", "@=",
}

// sign is the one that a text begins with.
func sign(lang *Grammar, rest []byte) string {
	for _, s := range signs {
		if len(rest) < len(s) || string(rest[:len(s)]) != s {
			continue
		}
		switch s {
		case "<-", "&^", "&^=":
			if lang.Name != "go" {
				continue
			}
		case "::":
			if !lang.Worded && lang.Name != "java" {
				continue
			}
		case "&.", "..", "=~", "!~", "<=>":
			if !lang.Worded {
				continue
			}
		case "//", "//=", "@=":
			if !lang.Indented {
				continue
			}
		case "++", "--":
			if lang.Indented || lang.Worded {
				continue
			}
		}
		return s
	}
	return string(rest[:1])
}

// operand reports whether the last token ends an operand: a / after it divides.
func (l *lexer) operand() bool {
	n := len(l.tokens) - 1
	if n < 0 {
		return false
	}
	switch t := l.tokens[n]; t.Kind {
	case Word:
		if n > 0 && l.tokens[n-1].Kind != Text {
			switch l.source[l.tokens[n-1].From:l.tokens[n-1].To] {
			case ".", "?.", "&.", "::":
				return true
			}
		}
		return !l.lang.Before[l.source[t.From:t.To]]
	case Number, Text, Literal, Closing:
		return true
	}
	return false
}

// command reports whether a / or a % after a name begins a literal: `puts /x/`.
func (l *lexer) command() bool {
	n := len(l.tokens)
	return n > 0 && l.tokens[n-1].Kind == Word && l.tokens[n-1].To < l.at && l.peek(1) != ' ' && l.peek(1) != '=' && l.peek(1) != '\n'
}

// prefix is what stands before the quotes of a Python string, and whether one does.
func (l *lexer) prefix() (string, bool) {
	for n := range 3 {
		c := l.peek(n)
		if c == '"' || c == '\'' {
			return strings.ToLower(string(l.text[l.at : l.at+n])), true
		}
		if c == 0 || !strings.ContainsRune("rRbBuUfF", rune(c)) {
			break
		}
	}
	return "", false
}
