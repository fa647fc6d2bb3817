package dsl

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// maxOperators bounds the operators that nest without brackets, such as !!x,
// a ? b : c ? d : e or x[*][*], and maxSteps what only makes a tree that is as
// deep: a + b + c, a.b.c, x[i][j]. Where both stand in one expression, an operator is
// as much as ten steps.
const (
	maxOperators = 5000
	maxSteps     = 50_000

	operatorWeight = maxSteps / maxOperators
)

// maxParts bounds the parts of one template, which the parser moves one by one,
// and maxDigits those of a number.
const (
	maxParts  = 20_000
	maxDigits = 10_000
)

// A lexer cuts a file into tokens when somebody first needs them.
type lexer struct {
	path   string
	src    []byte
	tokens hclsyntax.Tokens
}

func (l *lexer) all() hclsyntax.Tokens {
	if l.tokens == nil {
		l.tokens, _ = hclsyntax.LexConfig(l.src, l.path, hcl.InitialPos)
	}
	return l.tokens
}

// tooDeep finds the first place that is nested deeper than the parser, which
// recurses, should be asked to follow: a file must not end the process. Only a
// file of which a look at its bytes cannot tell is cut into tokens for that.
func tooDeep(l *lexer) (hcl.Range, bool) {
	if tooFew(l.src) || shallow(l.src) {
		return hcl.Range{}, false
	}
	return deepByTokens(l)
}

// tooFew reports whether a file has not even as much that nests as may be
// nested.
func tooFew(src []byte) bool {
	return occurrences(src, "{[(") <= MaxNesting && (len(src) <= maxOperators || occurrences(src, "!-?*")*operatorWeight+occurrences(src, "+/%&|<>=.") <= maxSteps)
}

func occurrences(src []byte, those string) int {
	n := 0
	for i := range len(those) {
		n += bytes.Count(src, []byte{those[i]})
	}
	return n
}

func deepByTokens(l *lexer) (hcl.Range, bool) {
	d := newDepths()
	var last hclsyntax.TokenType // but for line breaks and comments
	for _, t := range l.all() {
		d.token(t, last)
		if d.tooDeep {
			return t.Range, true
		}
		if t.Type != hclsyntax.TokenNewline && t.Type != hclsyntax.TokenComment {
			last = t.Type
		}
	}
	return hcl.Range{}, false
}

// depths follows how deep the tree may be that a parser makes of what it is told of.
// Nothing is deeper than it says: an expression is at most as deep as its operators
// are many, and the deepest bracket in it.
type depths struct {
	// levels are the open brackets, the innermost last. The first one is the file.
	levels     []level
	directives int
	tooDeep    bool
}

// A level is what an open bracket has in it. An item of it ends at a comma, an equals
// sign or, in some, at the end of a line.
type level struct {
	// lines says that line breaks end items.
	lines bool
	// above is how deep the bracket itself lies, own what the operators of the item
	// add, and below how deep the deepest closed bracket of the item is.
	above, own, below int
	// deepest is that of the items that have ended.
	deepest int
}

func newDepths() *depths { return &depths{levels: []level{{lines: true}}} }

func (d *depths) here() *level { return &d.levels[len(d.levels)-1] }

// weigh notes something in the item at hand that makes its tree deeper.
func (d *depths) weigh(n int) {
	l := d.here()
	l.own += n
	d.tooDeep = d.tooDeep || l.above+l.own+l.below > maxSteps
}

// open notes a bracket, which can be the index of what stands before it.
func (d *depths) open(lines bool) {
	d.weigh(1)
	d.part(lines)
}

// part notes the bracket of a part of a template. Parts stand beside each other.
func (d *depths) part(lines bool) {
	l := d.here()
	d.levels = append(d.levels, level{lines: lines, above: l.above + l.own + 1})
	d.tooDeep = d.tooDeep || len(d.levels)-1 > MaxNesting
}

// close reports whether there was a bracket to close.
func (d *depths) close() bool {
	if len(d.levels) == 1 {
		return false
	}
	d.item()
	inner := d.here().deepest + 1
	d.levels = d.levels[:len(d.levels)-1]
	l := d.here()
	l.below = max(l.below, inner)
	d.weigh(0)
	return true
}

// item notes that an item has ended.
func (d *depths) item() {
	l := d.here()
	l.deepest = max(l.deepest, l.own+l.below)
	l.own, l.below = 0, 0
}

// line notes the end of a line. In brackets that are not those of a block or an object it
// is a space.
func (d *depths) line() {
	if d.here().lines {
		d.item()
	}
}

// loops notes that the braces are a for expression, in which a line break is a space.
func (d *depths) loops() { d.here().lines = false }

// splat notes x[*], or x.* which has no bracket of its own: either nests what follows.
func (d *depths) splat(bracket bool) {
	d.weigh(operatorWeight)
	if n := len(d.levels); bracket && n > 1 {
		d.levels[n-2].own += operatorWeight
	}
}

// token takes in one token that stands behind another one.
func (d *depths) token(t hclsyntax.Token, last hclsyntax.TokenType) {
	switch t.Type {
	case hclsyntax.TokenIdent:
		if last == hclsyntax.TokenTemplateControl {
			d.directives += nests(t.Bytes)
			d.tooDeep = d.tooDeep || d.directives > MaxNesting
		}
		if last == hclsyntax.TokenOBrace && string(t.Bytes) == "for" {
			d.loops()
		}
	case hclsyntax.TokenOBrace:
		d.open(true)
	case hclsyntax.TokenOBrack, hclsyntax.TokenOParen:
		d.open(false)
	case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
		d.part(false)
	case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd:
		d.close()
	case hclsyntax.TokenBang, hclsyntax.TokenMinus, hclsyntax.TokenQuestion:
		d.weigh(operatorWeight)
	case hclsyntax.TokenDot, hclsyntax.TokenPlus, hclsyntax.TokenSlash, hclsyntax.TokenPercent, hclsyntax.TokenAnd, hclsyntax.TokenOr, hclsyntax.TokenEqualOp,
		hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan, hclsyntax.TokenLessThanEq, hclsyntax.TokenGreaterThan, hclsyntax.TokenGreaterThanEq:
		d.weigh(1)
	case hclsyntax.TokenStar:
		d.splat(last == hclsyntax.TokenOBrack)
	case hclsyntax.TokenEqual, hclsyntax.TokenComma:
		d.item()
	case hclsyntax.TokenNewline:
		d.line()
	case hclsyntax.TokenComment:
		if bytes.HasSuffix(t.Bytes, []byte("\n")) { // it has the end of its line
			d.line()
		}
	}
}

// nests is by how much the word of a directive of a template nests what follows
// it.
func nests(word []byte) int {
	switch string(word) {
	case "if", "for":
		return 1
	case "endif", "endfor":
		return -1
	}
	return 0
}

// telling are the bytes that a look at a file stops at: everything that the
// cases of shallow name.
var telling = func() (t [256]bool) {
	for _, c := range []byte("\\\n\"$%#/*<{[()]}!-?+&|>=.,") {
		t[c] = true
	}
	return t
}()

// shallow reports whether a file surely is not nested too deep. It tells texts
// and comments from the rest, because brackets in them nest nothing, and gives
// up where that is not plain: at a heredoc, an open comment, an escaped
// interpolation, brackets that do not match, or bytes that are no text.
func shallow(src []byte) bool {
	if !utf8.Valid(src) {
		return false
	}
	d := newDepths()
	var templates []int // levels around each template that is open
	text := false
	for i := 0; i < len(src); i++ {
		if !telling[src[i]] {
			continue
		}
		next := byte(0)
		if i+1 < len(src) {
			next = src[i+1]
		}
		switch c := src[i]; {
		case text && c == '\\':
			i++
		case text && c == '\n', text && c == next && (c == '$' || c == '%'):
			return false
		case text && (c == '$' || c == '%') && next == '{':
			if c == '%' {
				d.directives++
				d.tooDeep = d.tooDeep || d.directives > MaxNesting
			}
			d.part(false)
			templates, text = append(templates, len(d.levels)), false
			i++
		case c == '"':
			text = !text
		case text:
		case c == '#' || c == '/' && next == '/':
			i = skipTo(src, i, "\n")
			d.line()
		case c == '/' && next == '*':
			if i = skipTo(src, i+2, "*/"); i == len(src) {
				return false
			}
		case c == '<' && next == '<':
			return false
		case c == '{':
			d.open(true)
			if rest := bytes.TrimLeft(src[i+1:], " \t\r\n"); bytes.HasPrefix(rest, []byte("for")) || bytes.HasPrefix(rest, []byte("#")) || bytes.HasPrefix(rest, []byte("/")) {
				d.loops()
			}
		case c == '[' || c == '(':
			d.open(false)
		case c == '}' && len(templates) > 0 && templates[len(templates)-1] == len(d.levels):
			templates, text = templates[:len(templates)-1], true
			d.close()
		case c == '}' || c == ']' || c == ')':
			if !d.close() || len(templates) > 0 && templates[len(templates)-1] > len(d.levels) {
				return false
			}
		case c == '*':
			d.splat(true)
		case (c == '!' || c == '<' || c == '>' || c == '=') && next == '=':
			d.weigh(1)
			i++
		case c == '=' && next == '>':
			i++
		case c == '=' || c == ',':
			d.item()
		case c == '!' || c == '-' || c == '?':
			d.weigh(operatorWeight)
		case c == '\n':
			d.line()
		case c != '$':
			d.weigh(1)
		}
		if d.tooDeep {
			return false
		}
	}
	return true
}

// tooLong finds a template or a number that takes the parser the square of its
// length. Hardly any file is looked at more than once for that.
func tooLong(l *lexer) (hcl.Range, bool) {
	src := l.src
	if len(src) <= maxDigits {
		return hcl.Range{}, false
	}
	if !manyParts(src) && !longNumber(src) {
		return hcl.Range{}, false
	}
	var parts []int // of each template that is open
	for _, t := range l.all() {
		last := len(parts) - 1
		switch t.Type {
		case hclsyntax.TokenOQuote, hclsyntax.TokenOHeredoc:
			parts = append(parts, 0)
		case hclsyntax.TokenCQuote, hclsyntax.TokenCHeredoc:
			parts = parts[:max(last, 0)]
		case hclsyntax.TokenQuotedLit, hclsyntax.TokenStringLit, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			if last < 0 {
				continue
			}
			if parts[last]++; parts[last] > maxParts {
				return t.Range, true
			}
		case hclsyntax.TokenNumberLit:
			if len(t.Bytes) > maxDigits {
				return t.Range, true
			}
		}
	}
	return hcl.Range{}, false
}

// manyParts reports whether there may be a template of more than maxParts: each of them
// has a line of a heredoc, or an interpolation or directive and what follows it.
func manyParts(src []byte) bool {
	n := 2*occurrences(src, "$%") + 1
	if bytes.Contains(src, []byte("<<")) {
		n += bytes.Count(src, []byte("\n"))
	}
	return len(src) > maxParts && n > maxParts
}

// longNumber reports whether there may be a number of more than maxDigits: between two of
// the places where one looks there is nothing but what numbers are written with.
func longNumber(src []byte) bool {
	const step, ofNumbers = maxDigits / 3, "0123456789.eE+-"
	for i := step; i < len(src); i += step {
		if strings.IndexByte(ofNumbers, src[i]) >= 0 && len(bytes.Trim(src[i-step:i], ofNumbers)) == 0 {
			return true
		}
	}
	return false
}

// skipTo returns the place of the last byte of end after i, or of the file.
func skipTo(src []byte, i int, end string) int {
	if n := bytes.Index(src[min(i, len(src)):], []byte(end)); n >= 0 {
		return i + n + len(end) - 1
	}
	return len(src)
}
