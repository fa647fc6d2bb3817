package lsp

import (
	"sort"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
)

// A text is what a document says, and where its lines begin. It is not
// changed.
type text struct {
	src   []byte
	lines []int // offset of the first byte of each line
}

// newText finds the lines, which end in \n, \r\n or \r.
func newText(src []byte) *text {
	t := &text{src: src, lines: []int{0}}
	for i, c := range src {
		if c == '\n' || c == '\r' && (i+1 == len(src) || src[i+1] != '\n') {
			t.lines = append(t.lines, i+1)
		}
	}
	return t
}

// position is the place of a byte as the protocol counts.
func (t *text) position(offset int) position {
	offset = min(max(offset, 0), len(t.src))
	line := sort.SearchInts(t.lines, offset+1) - 1
	units := 0
	for i := t.lines[line]; i < offset; {
		r, size := utf8.DecodeRune(t.src[i:])
		if i+size > offset {
			break
		}
		units += max(1, utf16.RuneLen(r))
		i += size
	}
	return position{line, units}
}

// offset is the byte of a place. One past the end of its line or of the text
// is their end.
func (t *text) offset(p position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(t.lines) {
		return len(t.src)
	}
	i := t.lines[p.Line]
	for units := 0; units < p.Character && i < len(t.src) && t.src[i] != '\n' && t.src[i] != '\r'; {
		r, size := utf8.DecodeRune(t.src[i:])
		if units += max(1, utf16.RuneLen(r)); units > p.Character {
			break // inside of a pair
		}
		i += size
	}
	return i
}

func (t *text) span(from, to int) span { return span{t.position(from), t.position(to)} }

// rangeOf is the place of a range of the parser, whose columns count otherwise.
func (t *text) rangeOf(r hcl.Range) span { return t.span(r.Start.Byte, max(r.Start.Byte, r.End.Byte)) }

// whole is the place of everything.
func (t *text) whole() span { return span{End: t.position(len(t.src))} }

// apply is the text after a change.
func (t *text) apply(c change) *text {
	if c.Range == nil {
		return newText([]byte(c.Text))
	}
	from, to := t.offset(c.Range.Start), t.offset(c.Range.End)
	to = max(from, to)
	src := make([]byte, 0, len(t.src)+len(c.Text))
	src = append(append(append(src, t.src[:from]...), c.Text...), t.src[to:]...)
	return newText(src)
}

// word is where the name around an offset begins and ends.
func (t *text) word(offset int) (from, to int) {
	from, to = offset, offset
	for from > 0 && isWord(t.src[from-1]) {
		from--
	}
	for to < len(t.src) && isWord(t.src[to]) {
		to++
	}
	return from, to
}

// isWord reports whether a byte may be part of a name: also any of a letter
// beyond ASCII.
func isWord(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// utf16Length is how many units of UTF-16 a text has.
func utf16Length(src []byte) (units int) {
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		units += max(1, utf16.RuneLen(r))
		i += size
	}
	return units
}
