package lsp

import (
	"bytes"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// A frame is a bracket that is open, or the whole file.
type frame struct {
	kind frameKind
	at   int // offset of the opening bracket
	// header is the type and the labels of a block.
	header []string
	// from is where the statement, item or argument begins that stands last in
	// the frame; commas counts those before it.
	from, commas int
	// call is the function of a call, "" for other parentheses.
	call string
	// marker ends a heredoc.
	marker string
}

type frameKind uint8

const (
	frameFile frameKind = iota
	frameBlock
	frameObject
	frameTuple
	frameCall
	frameString
	frameTemplate // ${ … } or %{ … } in a string
	frameHeredoc
	frameComment
)

// statements reports whether the frame holds attributes and blocks.
func (f *frame) statements() bool { return f.kind == frameFile || f.kind == frameBlock }

// A scanner follows the brackets of a text that is being written: unlike the
// parser it never gives up. A string ends with its line, and a closing brace
// closes whatever was left open in it.
type scanner struct {
	src   []byte
	stack []frame
	// outdented closes everything where a line begins with the header of a
	// block without indentation. It is for files whose braces do not match.
	outdented bool
	// repaired are the places where that happened, with what was open.
	repaired []repair
}

type repair struct {
	at     int
	closed string
}

// scan returns the frames that are open at an offset, the file first.
func scan(src []byte, offset int) []frame {
	s := scanner{src: src, outdented: !balanced(src)}
	return s.run(offset)
}

// balanced reports whether all brackets of a text match.
func balanced(src []byte) bool {
	s := scanner{src: src}
	return len(s.run(len(src))) == 1
}

func (s *scanner) run(end int) []frame {
	s.stack = append(s.stack[:0], frame{kind: frameFile})
	for i := 0; i < end; {
		i = s.step(i, end)
	}
	return s.stack
}

func (s *scanner) top() *frame { return &s.stack[len(s.stack)-1] }

func (s *scanner) push(f frame) { s.stack = append(s.stack, f) }

func (s *scanner) pop() { s.stack = s.stack[:len(s.stack)-1] }

// step takes in what stands at i and returns where to go on.
func (s *scanner) step(i, end int) int {
	switch s.top().kind {
	case frameString:
		return s.inString(i)
	case frameHeredoc:
		return s.inHeredoc(i)
	case frameComment:
		s.pop()
		return i
	}
	if s.outdented && len(s.stack) > 1 && (i == 0 || s.src[i-1] == '\n') && outdentedHeader().Match(s.line(i)) {
		s.repaired = append(s.repaired, repair{i, closers(s.stack[1:])})
		s.stack = s.stack[:1]
		s.top().from = i
	}
	rest := s.src[i:]
	switch c := rest[0]; {
	case c == '#' || bytes.HasPrefix(rest, []byte("//")):
		return s.comment(i, "\n", end, 0)
	case bytes.HasPrefix(rest, []byte("/*")):
		return s.comment(i, "*/", end, 2)
	case c == '"':
		s.push(frame{kind: frameString, at: i, from: i + 1})
	case bytes.HasPrefix(rest, []byte("<<")):
		if m := heredoc().FindSubmatch(rest); m != nil {
			s.push(frame{kind: frameHeredoc, at: i, marker: string(m[1])})
			return i + len(m[0])
		}
	case c == '{':
		s.brace(i)
	case c == '[':
		s.push(frame{kind: frameTuple, at: i, from: i + 1})
	case c == '(':
		s.push(frame{kind: frameCall, at: i, from: i + 1, call: wordBefore(s.src, i)})
	case c == '}':
		s.shut(func(k frameKind) bool { return k == frameBlock || k == frameObject || k == frameTemplate }, nil)
		if s.top().statements() {
			s.top().from = i + 1
		}
	case c == ']':
		s.shut(func(k frameKind) bool { return k == frameTuple }, blocks)
	case c == ')':
		s.shut(func(k frameKind) bool { return k == frameCall }, blocks)
	case c == ',':
		s.top().from = i + 1
		s.top().commas++
	case c == '\n':
		if s.top().statements() || s.top().kind == frameObject {
			s.top().from = i + 1
		}
	}
	return i + 1
}

var (
	outdentedHeader = pattern.New(`^[A-Za-z_][^=#]*\{\s*$`)
	heredoc         = pattern.New(`^<<-?([A-Za-z_][\w-]*)\r?\n`)
	blockHeader     = pattern.New(`^\s*([A-Za-z_][\w-]*)((?:\s+(?:"(?:[^"\\\n]|\\.)*"|[A-Za-z_][\w-]*))*)\s*$`)
	headerLabel     = pattern.New(`"(?:[^"\\\n]|\\.)*"|[A-Za-z_][\w-]*`)
)

func (s *scanner) line(i int) []byte {
	if n := bytes.IndexByte(s.src[i:], '\n'); n >= 0 {
		return s.src[i : i+n]
	}
	return s.src[i:]
}

// comment goes to the end of a comment; where the scan ends within it, the
// frame stays open.
func (s *scanner) comment(i int, mark string, end, skip int) int {
	n := bytes.Index(s.src[i+skip:], []byte(mark))
	stop := len(s.src)
	if n >= 0 {
		stop = i + skip + n
	}
	if end <= stop {
		s.push(frame{kind: frameComment, at: i})
		return end
	}
	if mark == "\n" {
		return stop
	}
	return stop + len(mark)
}

func (s *scanner) inString(i int) int {
	rest := s.src[i:]
	switch {
	case rest[0] == '\\' && len(rest) > 1 && rest[1] != '\n':
		return i + 2
	case rest[0] == '"':
		s.pop()
	case rest[0] == '\n':
		s.pop()
		return i
	case bytes.HasPrefix(rest, []byte("$${")), bytes.HasPrefix(rest, []byte("%%{")):
		return i + 3
	case bytes.HasPrefix(rest, []byte("${")), bytes.HasPrefix(rest, []byte("%{")):
		s.push(frame{kind: frameTemplate, at: i, from: i + 2})
		return i + 2
	}
	return i + 1
}

func (s *scanner) inHeredoc(i int) int {
	if line := s.line(i); (i == 0 || s.src[i-1] == '\n') && strings.TrimSpace(string(line)) == s.top().marker {
		s.pop()
		return i + len(line)
	}
	if rest := s.src[i:]; bytes.HasPrefix(rest, []byte("${")) || bytes.HasPrefix(rest, []byte("%{")) {
		s.push(frame{kind: frameTemplate, at: i, from: i + 2})
		return i + 2
	}
	return i + 1
}

// brace opens a block where the statement before it is a header, else an
// object.
func (s *scanner) brace(i int) {
	if f := s.top(); f.statements() {
		if header := parseHeader(s.src[f.from:i]); header != nil {
			s.push(frame{kind: frameBlock, at: i, from: i + 1, header: header})
			return
		}
	}
	s.push(frame{kind: frameObject, at: i, from: i + 1})
}

// parseHeader takes the header of a block apart, nil where it is none.
func parseHeader(statement []byte) []string {
	m := blockHeader().FindSubmatch(statement)
	if m == nil {
		return nil
	}
	header := []string{string(m[1])}
	for _, label := range headerLabel().FindAll(m[2], -1) {
		header = append(header, strings.Trim(string(label), `"`))
	}
	return header
}

func blocks(k frameKind) bool { return k == frameBlock || k == frameFile }

// shut closes the innermost frame of a kind with all inside it, unless one of
// another kind keeps it from that.
func (s *scanner) shut(kind, keeps func(frameKind) bool) {
	for i := len(s.stack) - 1; i > 0; i-- {
		if kind(s.stack[i].kind) {
			s.stack = s.stack[:i]
			return
		}
		if keeps != nil && keeps(s.stack[i].kind) {
			return
		}
	}
}

// closers are the brackets that close the frames, the innermost first. A block
// is closed on a line of its own.
func closers(open []frame) string {
	var b strings.Builder
	for i := len(open) - 1; i >= 0; i-- {
		switch open[i].kind {
		case frameBlock:
			b.WriteString("\n}")
		case frameObject, frameTemplate:
			b.WriteByte('}')
		case frameTuple:
			b.WriteByte(']')
		case frameCall:
			b.WriteByte(')')
		case frameString:
			b.WriteByte('"')
		case frameHeredoc:
			b.WriteString("\n" + open[i].marker + "\n")
		}
	}
	return b.String()
}

// wordBefore is the name that ends right before an offset.
func wordBefore(src []byte, offset int) string {
	from := offset
	for from > 0 && isWord(src[from-1]) {
		from--
	}
	return string(src[from:offset])
}
