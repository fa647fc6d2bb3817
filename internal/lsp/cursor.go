package lsp

import (
	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/schema"
)

// A place says what the text around an offset is about, whatever state it is
// in.
type place struct {
	offset int
	// headers are those of the blocks around it, the outermost first.
	headers [][]string
	// block describes the innermost one, nil where there is no such block.
	block *schema.Block
	// opened is where its opening brace stands.
	opened int
	// statement is the part of the statement before the offset.
	statement []byte
	// attr is the attribute whose value is being written, "" elsewhere, and
	// schema its description, nil for an unknown one.
	attr   string
	schema *schema.Attr
	// open are the brackets inside of the innermost block.
	open []frame
}

var (
	attrStart  = pattern.New(`^\s*([A-Za-z_][\w-]*)\s*=(?:[^=>]|$)`)
	onlyWord   = pattern.New(`^\s*([A-Za-z_][\w-]*)?$`)
	labelStart = pattern.New(`^\s*[A-Za-z_][\w-]*(?:\s+"(?:[^"\\\n]|\\.)*")*\s+"?$`)
)

func placeAt(src []byte, offset int) place {
	stack := scan(src, offset)
	p := place{offset: offset, block: language.File()}
	inner := 0
	for i := range stack {
		if stack[i].statements() {
			inner = i
		}
		if stack[i].kind == frameBlock {
			p.headers = append(p.headers, stack[i].header)
			p.block = describe(p.block, stack[i].header)
		}
	}
	p.open, p.opened = stack[inner+1:], stack[inner].at
	p.statement = src[min(stack[inner].from, offset):offset]
	if m := attrStart().FindSubmatch(p.statement); m != nil {
		p.attr = string(m[1])
		if p.block != nil {
			p.schema = p.block.Attr(p.attr)
		}
	}
	return p
}

// describe is the description of a nested block by its header, nil where there
// is none. One of an unknown kind has what all kinds have: nothing.
func describe(parent *schema.Block, header []string) *schema.Block {
	if parent == nil {
		return nil
	}
	b := parent.Block(header[0])
	if b == nil || b.Kinds == nil {
		return b
	}
	if len(header) < 2 {
		return nil
	}
	return b.ForKind(header[1])
}

// inside reports whether the innermost open bracket is of a kind.
func (p *place) inside(k frameKind) bool {
	return len(p.open) > 0 && p.open[len(p.open)-1].kind == k
}

// atItem reports whether an attribute or a block may begin here.
func (p *place) atItem() bool { return len(p.open) == 0 && onlyWord().Match(p.statement) }

// label is the header that a label is being written of, with the label's
// number; nil where none is.
func (p *place) label() (header []string, n int) {
	if p.attr != "" || len(p.open) > 1 || len(p.open) == 1 && !p.inside(frameString) {
		return nil, 0
	}
	before := p.statement
	if len(p.open) == 1 {
		before = before[:len(before)-(p.offset-p.open[0].at)]
	} else {
		before = before[:len(before)-len(wordBefore(before, len(before)))]
	}
	if !labelStart().Match(before) {
		return nil, 0
	}
	header = parseHeader(before)
	return header, len(header) - 1
}

// atKey reports whether the name of an attribute of an object is being
// written.
func (p *place) atKey(src []byte) bool {
	return p.inside(frameObject) && onlyWord().Match(src[min(p.open[len(p.open)-1].from, p.offset):p.offset])
}
