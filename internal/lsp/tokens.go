package lsp

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/schema"
)

// tokenTypes are what a part of a text is called, all of them names of the
// protocol, so that every theme has a colour for them.
var tokenTypes = []string{"keyword", "type", "property", "string", "number", "comment", "function", "namespace", "variable"}

// The indexes of tokenTypes.
const (
	tokenKeyword = iota
	tokenType
	tokenProperty
	tokenString
	tokenNumber
	tokenComment
	tokenFunction
	tokenNamespace
	tokenVariable
)

// A token is a part of a text with its type.
type token struct{ from, to, typ int }

// tokens are the parts of a text, in order. It is lexed and not parsed, so that
// colours stay while a line is being written.
func tokens(path string, src []byte) []token {
	lexed := lex(path, src)
	p := &painter{src: src, lexed: lexed, bound: map[string]bool{}, outdented: !balanced(src)}
	p.push(tokenFrame{kind: frameBlock, schema: language.File(), item: true})
	for p.i = 0; p.i < len(lexed); p.i++ {
		p.paint(&lexed[p.i])
	}
	return p.painted
}

// mostOpen bounds how many strings of a file may be left open: each has the rest
// lexed again.
const mostOpen = 50

// lex is the lexer's tokens of a text. A string that is not closed ends with its
// line.
func lex(path string, src []byte) hclsyntax.Tokens {
	var all hclsyntax.Tokens
	at := hcl.InitialPos
	for range mostOpen {
		list, _ := hclsyntax.LexConfig(src[at.Byte:], path, at)
		open := slices.IndexFunc(list, func(t hclsyntax.Token) bool { return t.Type == hclsyntax.TokenQuotedNewline })
		if open < 0 {
			return append(all, list...)
		}
		all = append(all, list[:open+1]...)
		at = list[open].Range.End
	}
	return all
}

// A painter goes through the tokens of the lexer.
type painter struct {
	src     []byte
	lexed   hclsyntax.Tokens
	i       int
	stack   []tokenFrame
	painted []token
	// bound are the names that a for expression has bound so far.
	bound map[string]bool
	// outdented closes everything where a line begins with the header of a block
	// without indentation, as the scanner does.
	outdented bool
}

// A tokenFrame is a bracket that is open, or the file.
type tokenFrame struct {
	kind frameKind
	// schema describes a block, nil for an unknown one.
	schema *schema.Block
	// item says that an attribute, a block or a key of an object may begin.
	item bool
	// loops says that it is a for expression, whose names are still being bound
	// where binding is set.
	loops, binding bool
}

func (p *painter) push(f tokenFrame) { p.stack = append(p.stack, f) }

func (p *painter) top() *tokenFrame { return &p.stack[len(p.stack)-1] }

// pop closes a bracket of one of some kinds; one that nothing opened is let be.
func (p *painter) pop(kinds ...frameKind) {
	for _, k := range kinds {
		if len(p.stack) > 1 && p.top().kind == k {
			p.stack = p.stack[:len(p.stack)-1]
			return
		}
	}
}

func (p *painter) add(from, to, typ int) {
	if from < to {
		p.painted = append(p.painted, token{from, to, typ})
	}
}

func (p *painter) as(t *hclsyntax.Token, typ int) { p.add(t.Range.Start.Byte, t.Range.End.Byte, typ) }

// next is the type of the token that is n further on.
func (p *painter) next(n int) hclsyntax.TokenType {
	if p.i+n < 0 || p.i+n >= len(p.lexed) {
		return hclsyntax.TokenEOF
	}
	return p.lexed[p.i+n].Type
}

func (p *painter) paint(t *hclsyntax.Token) {
	switch t.Type {
	case hclsyntax.TokenComment:
		text := bytes.TrimRight(t.Bytes, "\r\n")
		p.add(t.Range.Start.Byte, t.Range.Start.Byte+len(text), tokenComment)
		p.endLine(len(text) < len(t.Bytes))
		return
	case hclsyntax.TokenNewline, hclsyntax.TokenQuotedNewline:
		p.endLine(true)
		return
	case hclsyntax.TokenComma:
		p.top().item = p.top().kind == frameObject
		return
	case hclsyntax.TokenIdent:
		p.outdent(t)
		if f := p.top(); f.kind == frameBlock && f.item && p.next(1) != hclsyntax.TokenEqual {
			p.header(t)
			return
		}
		p.ident(t)
	case hclsyntax.TokenNumberLit:
		p.as(t, tokenNumber)
	case hclsyntax.TokenOQuote, hclsyntax.TokenQuotedLit, hclsyntax.TokenCQuote, hclsyntax.TokenOHeredoc, hclsyntax.TokenStringLit, hclsyntax.TokenCHeredoc:
		p.as(t, tokenString)
	case hclsyntax.TokenOBrace:
		p.push(tokenFrame{kind: frameObject, item: true})
		return
	case hclsyntax.TokenOBrack:
		p.push(tokenFrame{kind: frameTuple})
	case hclsyntax.TokenOParen:
		p.push(tokenFrame{kind: frameCall})
	case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
		p.push(tokenFrame{kind: frameTemplate})
	case hclsyntax.TokenCBrace:
		p.pop(frameObject, frameBlock)
		return
	case hclsyntax.TokenCBrack:
		p.pop(frameTuple)
	case hclsyntax.TokenCParen:
		p.pop(frameCall)
	case hclsyntax.TokenTemplateSeqEnd:
		p.pop(frameTemplate)
	}
	p.top().item = false
}

func (p *painter) endLine(ends bool) {
	if k := p.top().kind; ends && (k == frameBlock || k == frameObject) {
		p.top().item = true
	}
}

// outdent closes what was left open before a block of the top level.
func (p *painter) outdent(t *hclsyntax.Token) {
	if p.outdented && t.Range.Start.Column == 1 && len(p.stack) > 1 && outdentedHeader().Match(lineAt(p.src, t.Range.Start.Byte)) {
		p.stack = p.stack[:1]
		p.top().item = true
	}
}

// ident paints a name by what stands around it.
func (p *painter) ident(t *hclsyntax.Token) {
	name, f := string(t.Bytes), p.top()
	switch before := p.next(-1); {
	case f.kind == frameBlock && f.item:
		p.as(t, tokenProperty)
	case before == hclsyntax.TokenDot:
		p.as(t, tokenProperty)
	case f.kind == frameObject && f.item && (p.next(1) == hclsyntax.TokenEqual || p.next(1) == hclsyntax.TokenColon):
		p.as(t, tokenProperty)
	case name == "for" && (before == hclsyntax.TokenOBrace || before == hclsyntax.TokenOBrack || before == hclsyntax.TokenTemplateControl):
		f.loops, f.binding = true, true
		p.as(t, tokenKeyword)
	case name == "in" && f.binding:
		f.binding = false
		p.as(t, tokenKeyword)
	case f.binding:
		p.bound[name] = true
		p.as(t, tokenVariable)
	case name == "true" || name == "false" || name == "null", name == "if" && f.loops, before == hclsyntax.TokenTemplateControl:
		p.as(t, tokenKeyword)
	case p.next(1) == hclsyntax.TokenOParen:
		p.as(t, tokenFunction)
	case p.next(1) == hclsyntax.TokenDot && !p.bound[name]:
		p.as(t, tokenNamespace)
	default:
		p.as(t, tokenVariable)
	}
}

// header paints the type of a block and its labels, the first of which may be
// a kind, and opens the block.
func (p *painter) header(t *hclsyntax.Token) {
	p.as(t, tokenKeyword)
	header, parent := []string{string(t.Bytes)}, p.top().schema
	kinds := false
	if parent != nil {
		b := parent.Block(header[0])
		kinds = b != nil && b.Kinds != nil
	}
	for p.next(1) == hclsyntax.TokenOQuote {
		from := p.lexed[p.i+1].Range.Start.Byte
		to, label := from, ""
		for p.i++; p.i < len(p.lexed); p.i++ {
			part := &p.lexed[p.i]
			if part.Type == hclsyntax.TokenQuotedLit {
				label += string(part.Bytes)
			}
			if to = part.Range.End.Byte; part.Type == hclsyntax.TokenCQuote || p.next(1) == hclsyntax.TokenQuotedNewline {
				break
			}
		}
		typ := tokenString
		if kinds && len(header) == 1 {
			typ = tokenType
		}
		p.add(from, min(to, len(p.src)), typ)
		header = append(header, label)
	}
	p.top().item = false
	if p.next(1) == hclsyntax.TokenOBrace {
		p.i++
		p.push(tokenFrame{kind: frameBlock, schema: describe(parent, header), item: true})
	}
}

// encode lists tokens as the protocol does: for each its line and its column,
// both counted from the token before, its length, its type and no modifiers. A
// token of several lines is one for each of them.
func (t *text) encode(list []token) []int {
	data := make([]int, 0, 5*len(list))
	line, start := 0, 0 // of the token before
	at, column := 0, 0  // how far this line was counted
	now := 0
	units := func(to int) int {
		column += utf16Length(t.src[at:to])
		at = to
		return column
	}
	for _, one := range list {
		for from := one.from; from < one.to; {
			for now+1 < len(t.lines) && t.lines[now+1] <= from {
				now++
				at, column = t.lines[now], 0
			}
			to := one.to
			if now+1 < len(t.lines) {
				to = min(to, t.lines[now+1])
			}
			end := from + len(bytes.TrimRight(t.src[from:to], "\r\n"))
			if end > from {
				begin := units(from)
				length := units(end) - begin
				if now > line {
					line, start, data = now, begin, append(data, now-line, begin)
				} else {
					data = append(data, 0, begin-start)
					start = begin
				}
				data = append(data, length, one.typ, 0)
			}
			from = to
		}
	}
	return data
}
