package redact

import (
	"io"
	"slices"
	"strings"
	"sync"
)

// A Writer hides in what is written to it what a [Redactor] hides in texts, line by
// line, and hands the rest on. It holds back a line until it has come to its end,
// and lines in which a secret of several may have begun. So what it hands on does
// not depend on how a text was cut into pieces.
//
// It is safe for concurrent use. Its owner closes it.
type Writer struct {
	to io.Writer
	r  *Redactor

	mu     sync.Mutex
	buffer []byte
	// line is where the line begins that has not come to its end.
	line int
	// table is the one that goes on with the next line.
	table *table
	err   error
}

// Writer is a writer that hides what is written, and hands it on to another.
func (r *Redactor) Writer(to io.Writer) *Writer { return &Writer{to: to, r: r} }

// heldMax bounds what is held back: what is longer is no secret any more. aheadMax is how
// much of it stays back when it is cut, so that a secret that has begun is seen whole.
const (
	heldMax  = 128 << 10
	aheadMax = 8 << 10
)

// Write takes all of p. Its error is the first of the writer behind.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for rest := p; len(rest) > 0; {
		text := string(rest[:min(len(rest), heldMax-1)])
		rest = rest[len(text):]
		for text != "" {
			text = w.take(text)
		}
	}
	return len(p), w.err
}

// take hands on what it can of a text, or holds it back, and returns the rest.
func (w *Writer) take(text string) (rest string) {
	if len(w.buffer) == 0 {
		if text = text[w.whole(text):]; text == "" {
			return ""
		}
	}
	n := min(len(text), heldMax-len(w.buffer))
	if end := strings.IndexByte(text[:n], '\n'); end >= 0 {
		n = end + 1
	}
	w.buffer = append(w.buffer, text[:n]...)
	rest = text[n:]
	full := len(w.buffer) == heldMax
	if last := w.buffer[len(w.buffer)-1]; !full && last != '\n' {
		return rest
	}
	switch held := string(w.buffer); {
	case full:
		w.handOn(held[:w.cut(held)])
	case w.r.opens(held, held[w.line:]):
		w.line = len(w.buffer)
	default:
		w.handOn(held)
	}
	return rest
}

// whole hands on the whole lines that a text begins with, up to one behind which a secret
// may go on, and returns how much that is. Nothing is held back before it.
func (w *Writer) whole(text string) (n int) {
	for {
		end := strings.IndexByte(text[n:], '\n') + 1
		if line := text[n : n+end]; end == 0 || w.r.opens(line, line) {
			return n
		}
		w.show(text[n : n+end])
		n += end
	}
}

// Close hands on what was held back. The writer behind stays open.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.handOn(string(w.buffer))
	return w.err
}

// Unwrap is the writer behind.
func (w *Writer) Unwrap() io.Writer { return w.to }

// handOn is [Writer.show] of the text that the buffer begins with.
func (w *Writer) handOn(text string) {
	w.show(text)
	w.buffer = append(w.buffer[:0], w.buffer[len(text):]...)
	w.line = 0
}

// show hides a text and writes it.
func (w *Writer) show(text string) {
	if text != "" && w.err == nil {
		var shown string
		shown, w.table = w.r.behind(text, w.table)
		_, w.err = io.WriteString(w.to, shown)
	}
}

// cut is where a text that is too long to be held back can be cut, in its second half. A
// secret that begins before it ends in the text, unless it is longer than what stays back.
func (w *Writer) cut(text string) int {
	if at := Cut(text, len(text)-aheadMax, len(text)/2, w.r.Text); at > 0 {
		return at
	}
	return len(text)
}

// cutTries is how many places are looked at where a text may be cut. They are ever farther
// apart, up to [aheadMax] and more.
const cutTries = 15

// Cut is where a text can be cut, at a place or as little as can be before it: behind a sign
// that no token has, where the two sides hide alone what they hide together, so that neither
// a part of a value nor its name is on the other one. It is 0 where all up to a first place
// is one run, and where nothing fits the nearest place that parts no run.
func Cut(text string, last, first int, hide func(string) string) (near int) {
	tries := 0
	for at, step := last, 1; at > first && tries < cutTries; at-- {
		if isTokenByte(text[at-1]) {
			continue
		}
		before, behind := text[max(0, at-2*aheadMax):at], text[at:min(len(text), max(at, last)+aheadMax)]
		if hide(before+behind) == hide(before)+hide(behind) {
			return at
		}
		if tries++; tries == 1 {
			near = at
		}
		at, step = at-step+1, 2*step
	}
	return near
}

// opens reports whether a secret may have begun in a text and not ended with its
// last line.
func (r *Redactor) opens(text, line string) bool {
	if r != nil && slices.ContainsFunc(r.begun(), func(begun string) bool { return strings.HasSuffix(text, begun) }) {
		return true
	}
	if strings.IndexByte(text, 'V') >= 0 && strings.Contains(text, "PRIVATE KEY") {
		if begun := strings.LastIndex(text, "-----BEGIN"); begun >= 0 && strings.Contains(text[begun:], "PRIVATE KEY") && !strings.Contains(text[begun:], "-----END") {
			return true
		}
	}
	end := withoutEnd(line)
	return isAnnounced(line, end) || hasOpenMembers(text, line, end) || isBehindMachine(text, line) || hasOpenRows(text) || hasOpenHeredoc(text) || hasOpenField(text)
}
