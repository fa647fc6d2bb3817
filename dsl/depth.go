package dsl

import (
	"bytes"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// maxOperators bounds the operators that nest without brackets, such as !!x,
// a ? b : c ? d : e or x[*][*], and maxSteps what only makes a tree that is as
// deep: a + b + c, a.b.c.
const (
	maxOperators = 5000
	maxSteps     = 50_000
)

// maxParts bounds the parts of one template, which the parser moves one by one,
// and maxDigits those of a number.
const (
	maxParts  = 20_000
	maxDigits = 10_000
)

// tooDeep finds the first place that is nested deeper than the parser, which
// recurses, should be asked to follow: a file must not end the process. Only a
// file of which a look at its bytes cannot tell is cut into tokens for that.
func tooDeep(path string, src []byte) (hcl.Range, bool) {
	if tooFew(src) || shallow(src) {
		return hcl.Range{}, false
	}
	return deepByTokens(path, src)
}

// tooFew reports whether a file has not even as much that nests as may be
// nested.
func tooFew(src []byte) bool {
	return occurrences(src, "{[(") <= MaxNesting && (len(src) <= maxOperators || occurrences(src, "!-?*") <= maxOperators) &&
		(len(src) <= maxSteps || occurrences(src, "+/%&|<>=.") <= maxSteps)
}

func occurrences(src []byte, those string) int {
	n := 0
	for i := range len(those) {
		n += bytes.Count(src, []byte{those[i]})
	}
	return n
}

func deepByTokens(path string, src []byte) (hcl.Range, bool) {
	tokens, _ := hclsyntax.LexConfig(src, path, hcl.InitialPos)
	d := depths{runs: []int{0}}
	for i, t := range tokens {
		if d.token(t, i > 0 && tokens[i-1].Type == hclsyntax.TokenTemplateControl) {
			return t.Range, true
		}
	}
	return hcl.Range{}, false
}

// depths follows the nesting of tokens.
type depths struct {
	// runs counts operators at each level of brackets, the innermost last.
	runs []int
	// steps counts such as in a + b.c since the last comma or end of line.
	steps      int
	braces     []bool // the levels that are { … }
	directives int
}

// token takes in one token, and reports whether it is too deep.
func (d *depths) token(t hclsyntax.Token, directive bool) bool {
	here := &d.runs[len(d.runs)-1]
	switch t.Type {
	case hclsyntax.TokenIdent:
		if directive {
			d.directives += nests(t.Bytes)
		}
	case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
		d.runs, d.braces = append(d.runs, 0), append(d.braces, t.Type == hclsyntax.TokenOBrace)
	case hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen, hclsyntax.TokenTemplateSeqEnd:
		if n := len(d.braces); n > 0 {
			d.runs, d.braces = d.runs[:n], d.braces[:n-1]
		}
	case hclsyntax.TokenBang, hclsyntax.TokenMinus, hclsyntax.TokenQuestion:
		*here++
	case hclsyntax.TokenDot, hclsyntax.TokenPlus, hclsyntax.TokenSlash, hclsyntax.TokenPercent, hclsyntax.TokenAnd, hclsyntax.TokenOr, hclsyntax.TokenEqualOp,
		hclsyntax.TokenNotEqual, hclsyntax.TokenLessThan, hclsyntax.TokenLessThanEq, hclsyntax.TokenGreaterThan, hclsyntax.TokenGreaterThanEq:
		d.steps++
	case hclsyntax.TokenStar:
		// A splat nests what follows its bracket.
		*here++
		if n := len(d.runs); n > 1 {
			d.runs[n-2]++
		}
	case hclsyntax.TokenEqual, hclsyntax.TokenComma:
		*here, d.steps = 0, 0
	case hclsyntax.TokenNewline:
		// It ends an attribute; inside of other brackets it is a space.
		if n := len(d.braces); n == 0 || d.braces[n-1] {
			*here, d.steps = 0, 0
		}
	}
	return len(d.braces) > MaxNesting || d.runs[len(d.runs)-1] > maxOperators || d.steps > maxSteps || d.directives > MaxNesting
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
	for _, c := range []byte("\\\n\"$%#/*<{[()]}!-?+&|>=.") {
		t[c] = true
	}
	return t
}()

// shallow reports whether a file surely is not nested too deep. It tells texts
// and comments from the rest, because brackets in them nest nothing, and gives
// up where that is not plain: at a heredoc, an open comment, an escaped
// interpolation, brackets that do not match, bytes that are no text, or
// operators in such numbers that some might nest.
func shallow(src []byte) bool {
	if !utf8.Valid(src) {
		return false
	}
	var around []int // open brackets around each template that is open
	depth, brackets, operators, steps, directives := 0, 0, 0, 0, 0
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
				directives++
			}
			around, brackets, text = append(around, brackets), 0, false
			depth++
			i++
		case c == '"':
			text = !text
		case text:
		case c == '#' || c == '/' && next == '/':
			i = skipTo(src, i, "\n")
		case c == '/' && next == '*':
			if i = skipTo(src, i+2, "*/"); i == len(src) {
				return false
			}
		case c == '<' && next == '<':
			return false
		case c == '{' || c == '[' || c == '(':
			brackets++
			depth++
		case (c == '}' || c == ']' || c == ')') && brackets > 0:
			brackets--
			depth--
		case c == '}' && len(around) > 0:
			last := len(around) - 1
			around, brackets, text = around[:last], around[last], true
			depth--
		case c == '}' || c == ']' || c == ')':
			return false
		case c == '!' || c == '-' || c == '?' || c == '*':
			operators++
		case c != '\n' && c != '$':
			steps++
		}
		if depth > MaxNesting || operators > maxOperators || steps > maxSteps || directives > MaxNesting {
			return false
		}
	}
	return true
}

// tooLong finds a template or a number that takes the parser the square of its
// length. Hardly any file is looked at more than once for that.
func tooLong(path string, src []byte) (hcl.Range, bool) {
	if len(src) <= maxDigits {
		return hcl.Range{}, false
	}
	breaks := len(src) > maxParts && bytes.Count(src, []byte("\n"))+occurrences(src, "$%") > maxParts
	if !breaks && !longNumber(src) {
		return hcl.Range{}, false
	}
	tokens, _ := hclsyntax.LexConfig(src, path, hcl.InitialPos)
	var parts []int // of each template that is open
	for _, t := range tokens {
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

// longNumber reports whether there may be a number of more than maxDigits: such a
// number has a digit wherever one looks often enough.
func longNumber(src []byte) bool {
	run := 0
	for i := maxDigits / 4; i < len(src); i += maxDigits / 4 {
		if !isDigit(src[i]) {
			run = 0
		} else if run++; run >= 3 {
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
