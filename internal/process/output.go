package process

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sync"
	"unicode/utf8"
)

// A Stream is one of the two that a program writes to.
type Stream int

// The streams of a program.
const (
	Stdout Stream = iota
	Stderr
)

// String is the stream's usual name.
func (s Stream) String() string { return [...]string{"stdout", "stderr"}[s] }

// An Output is what becomes of what a program writes. Its functions are called
// one at a time, for both streams together, and not once [Process.Done] is
// closed. One that blocks holds the program back, and none may wait for its end.
type Output struct {
	// Keep is how many bytes of each stream are kept, the newest, for
	// [Process.Tail].
	Keep int
	// Line is called for every line as soon as it is complete, and at the end
	// for one that has no end.
	Line func(Stream, Line)
	// Piece is called with all that is written, as it comes. The bytes are lent.
	Piece func(Stream, []byte)
}

// A Line is a line that a program wrote, without its end.
type Line struct {
	Text string
	// Cut says that it was longer than [LineMax]; Text is its beginning.
	Cut bool
}

// LineMax is the longest line that is handed on as a whole, in bytes.
const LineMax = 64 << 10

// A sink takes what is read of one stream.
type sink interface {
	take(p []byte)
	// end says that nothing follows.
	end()
}

// pump reads a stream to its end.
func pump(from io.Reader, to sink) {
	defer to.end()
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			to.take(buf[:n])
		}
		if err != nil {
			return
		}
	}
}

// A follower hands on a stream as an Output says.
type follower struct {
	stream Stream
	out    Output
	// calls lets one function be called at a time; both streams share it.
	calls *sync.Mutex

	// mu guards kept, which is read while the program runs.
	mu   sync.Mutex
	kept tail

	// line is what there is of a line; cut says that the rest of it is dropped.
	line []byte
	cut  bool
}

func (f *follower) take(p []byte) {
	f.mu.Lock()
	f.kept.write(p, f.out.Keep)
	f.mu.Unlock()
	if f.out.Piece == nil && f.out.Line == nil {
		return
	}
	f.calls.Lock()
	defer f.calls.Unlock()
	if f.out.Piece != nil {
		f.out.Piece(f.stream, p)
	}
	if f.out.Line != nil {
		f.lines(p)
	}
}

func (f *follower) lines(p []byte) {
	for {
		part, rest, whole := bytes.Cut(p, []byte("\n"))
		f.add(part)
		if !whole {
			return
		}
		f.deliver()
		p = rest
	}
}

// add appends to the line that has begun, as far as it may be long.
func (f *follower) add(part []byte) {
	// One byte more than a line has, for the \r of its end.
	room := LineMax + 1 - len(f.line)
	if len(part) > room {
		part, f.cut = part[:room], true
	}
	f.line = append(f.line, part...)
}

func (f *follower) deliver() {
	line, cut := f.line, f.cut
	if !cut {
		line = bytes.TrimSuffix(line, []byte("\r"))
	}
	if len(line) > LineMax {
		line, cut = line[:LineMax], true
	}
	f.out.Line(f.stream, Line{Text: string(line), Cut: cut})
	f.line, f.cut = f.line[:0], false
}

func (f *follower) end() {
	if len(f.line) == 0 || f.out.Line == nil {
		return
	}
	f.calls.Lock()
	defer f.calls.Unlock()
	f.deliver()
}

func (f *follower) tail() []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.kept.bytes(f.out.Keep)
}

// A tail is the end of a stream. It holds at most twice of what is kept, so that
// a byte is moved once.
type tail struct {
	data    []byte
	dropped bool
}

func (t *tail) write(p []byte, keep int) {
	if len(p) > keep {
		t.data, t.dropped, p = t.data[:0], true, p[len(p)-keep:]
	}
	if len(t.data)+len(p) > 2*keep {
		t.data, t.dropped = append(t.data[:0], t.data[len(t.data)-(keep-len(p)):]...), true
	}
	t.data = append(t.data, p...)
}

// bytes is a copy of the last so many; it does not begin within a character.
func (t *tail) bytes(keep int) []byte {
	data, dropped := t.data, t.dropped
	if len(data) > keep {
		data, dropped = data[len(data)-keep:], true
	}
	for n := 0; dropped && n < utf8.UTFMax-1 && len(data) > 0 && !utf8.RuneStart(data[0]); n++ {
		data = data[1:]
	}
	return bytes.Clone(data)
}

// A head keeps the beginning of a stream.
type head struct {
	most int
	kept []byte
	// full, where not nil, is closed when there is more.
	full chan struct{}
	over bool
}

func (h *head) take(p []byte) {
	room := h.most - len(h.kept)
	h.kept = append(h.kept, p[:min(room, len(p))]...)
	if len(p) <= room || h.over {
		return
	}
	h.over = true
	if h.full != nil {
		close(h.full)
	}
}

func (h *head) end() {}

// An ends keeps the beginning and the end of a stream, half of what it may keep each:
// a program that fails says why in its last lines.
type ends struct {
	most   int
	head   []byte
	rest   tail
	behind int // bytes after the head
}

func (e *ends) take(p []byte) {
	n := min(e.most/2-len(e.head), len(p))
	e.head = append(e.head, p[:n]...)
	e.behind += len(p) - n
	e.rest.write(p[n:], e.most-e.most/2)
}

func (e *ends) end() {}

// bytes is what was kept, with a line that says how much is missing where something is.
func (e *ends) bytes() []byte {
	first, last := bytes.Clone(e.head), e.rest.bytes(e.most-e.most/2)
	if e.behind == len(last) {
		return append(first, last...)
	}
	// Lines are whole where there are any, so that no half of a secret is kept.
	first = first[:bytes.LastIndexByte(first, '\n')+1]
	last = last[bytes.IndexByte(last, '\n')+1:]
	all := len(e.head) + e.behind
	missing := func(n int) []byte { return fmt.Appendf(nil, "… %d bytes …\n", n) }
	if over := len(first) + len(missing(all)) + len(last) - e.most; over > 0 { // the line between has its room, too
		last = last[min(len(last), over-1):]
		last = last[bytes.IndexByte(last, '\n')+1:]
	}
	between := missing(all - len(first) - len(last))
	return slices.Concat(first, between, last)
}
