package inert

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// A Writer shows what is written to it, line by line. A line is handed on when it
// has come to its end. It is safe for concurrent use.
type Writer struct {
	to io.Writer

	mu sync.Mutex
	// held is the line that has not come to its end; begun says that the first
	// part of it was handed on already.
	held  []byte
	begun bool
	// painted lets the colours of the command through.
	painted bool
	err     error
}

// New is a writer in front of another.
func New(to io.Writer) *Writer { return &Writer{to: to} }

// heldMax is from when on a line is handed on in parts, in bytes.
const heldMax = 1 << 20

// Unwrap is the writer behind.
func (w *Writer) Unwrap() io.Writer { return w.to }

// Paint lets the colours of the command through from now on, and no other escape
// sequence.
func (w *Writer) Paint() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.painted = true
}

// Write takes all of p. Its error is the first of the writer behind.
func (w *Writer) Write(p []byte) (int, error) { return w.write(p, false) }

// Commands is the same output for lines that are commands to the runner of a CI
// job. All else in them is shown as ever.
func (w *Writer) Commands() io.Writer { return commands{w} }

type commands struct{ w *Writer }

func (c commands) Write(p []byte) (int, error) { return c.w.write(p, true) }

func (w *Writer) write(p []byte, command bool) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []byte
	for rest := p; len(rest) > 0; {
		n := bytes.IndexByte(rest, '\n') + 1
		whole := n > 0
		if !whole {
			n = len(rest)
		}
		line := rest[:n]
		rest = rest[n:]
		if len(w.held) > 0 {
			w.held = append(w.held, line...)
			line = w.held
		}
		switch {
		case whole:
			out = w.show(out, line, command)
			w.held, w.begun = w.held[:0], false
		case len(line) > heldMax:
			var n int
			out, n = w.part(out, line, len(line)-lookahead, command)
			w.held, w.begun = append([]byte(nil), line[n:]...), true
		case len(w.held) == 0:
			w.held = append(w.held, line...)
		}
	}
	w.handOn(out)
	return len(p), w.err
}

// lookahead is more than the longest of what a runner or a terminal looks for, in
// bytes.
const lookahead = 64

// Flush hands on a line that has not come to its end, and returns the first error
// of the writer behind.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.held) > 0 {
		w.handOn(w.show(nil, w.held, false))
		w.held, w.begun = w.held[:0], true
	}
	return w.err
}

func (w *Writer) handOn(out []byte) {
	if len(out) == 0 {
		return
	}
	if _, err := w.to.Write(out); err != nil && w.err == nil {
		w.err = err
	}
}

// show appends a line to its end.
func (w *Writer) show(out, line []byte, command bool) []byte {
	out, _ = w.part(out, line, len(line), command)
	return out
}

// part appends what a line has up to a limit, and a little more where something
// stands there that is one. It returns how much of the line that was.
func (w *Writer) part(out, line []byte, limit int, command bool) ([]byte, int) {
	at := 0
	if n := leading(line); !w.begun && !command && bytes.HasPrefix(line[n:], []byte("::")) {
		out, at = append(w.text(out, line[:n]), `\u003a`...), n+1
	}
	if plain(line[at:]) {
		return append(out, line[at:]...), len(line)
	}
	for at < limit {
		shown, n := w.next(out, line[at:])
		out, at = shown, at+n
	}
	return out, at
}

// text appends a text in which nothing begins a line.
func (w *Writer) text(out, text []byte) []byte {
	for len(text) > 0 {
		shown, n := w.next(out, text)
		out, text = shown, text[n:]
	}
	return out
}

// next appends what a text begins with and returns how much of it that was.
func (w *Writer) next(out, text []byte) ([]byte, int) {
	switch {
	case len(text) == 2 && text[0] == '\r' && text[1] == '\n':
		return out, 1
	case bytes.HasPrefix(text, []byte("##")) && bracketed(text[2:]):
		return append(out, `#\u0023`...), 2
	case w.painted && text[0] == 0x1b:
		if n := colour(text); n > 0 {
			return append(out, text[:n]...), n
		}
	}
	r, n := utf8.DecodeRune(text)
	switch {
	case r == utf8.RuneError && n == 1:
		out = utf8.AppendRune(out, r)
	case obeyed(r):
		out = escaped(out, r)
	default:
		out = append(out, text[:n]...)
	}
	return out, n
}

// plain reports whether nothing of a line has to be looked at more closely.
func plain(line []byte) bool {
	for i, c := range line {
		if c < ' ' && c != '\n' && c != '\t' || c >= 0x7f || c == '#' && i > 0 && line[i-1] == '#' {
			return false
		}
	}
	return true
}

// leading is how many bytes stand before what a runner takes for the beginning of
// a line.
func leading(line []byte) int {
	return len(line) - len(bytes.TrimLeft(line, " \t\v\f\r\u00a0\u0085\ufeff\u200b\u2028\u2029\u3000"))
}

// bracketed reports whether what stands behind ## makes it a command of a runner:
// ##[group], ##vso[…], ##teamcity[…].
func bracketed(rest []byte) bool {
	for _, c := range rest {
		if c < 'a' || c > 'z' {
			return c == '['
		}
	}
	return false
}

// colours are the sequences that the command itself writes (ECMA-48, SGR).
var colours = [][]byte{[]byte("\x1b[0m"), []byte("\x1b[1m"), []byte("\x1b[2m"), []byte("\x1b[31m"), []byte("\x1b[32m"), []byte("\x1b[33m"), []byte("\x1b[1;31m"), []byte("\x1b[1;33m")}

// colour is the length of the colour that a line begins with, 0 without one.
func colour(line []byte) int {
	for _, c := range colours {
		if bytes.HasPrefix(line, c) {
			return len(c)
		}
	}
	return 0
}

// obeyed reports whether a terminal, a browser or the viewer of a log obeys a
// character in place of showing it: control characters of both sets, marks that
// turn the direction of text, breaks of lines beside our own, and the invisible
// letters of tags.
func obeyed(r rune) bool {
	switch {
	case r < ' ':
		return r != '\n' && r != '\t'
	case r >= 0x7f && r < 0xa0, r == 0x061c, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}

// escaped appends a character as a string of JSON has it.
func escaped(out []byte, r rune) []byte {
	if hi, lo := utf16.EncodeRune(r); hi != utf8.RuneError {
		return fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
	}
	return fmt.Appendf(out, `\u%04x`, r)
}
