package providers

import (
	"bytes"
	"fmt"
	"io"
)

// A lineReader cuts a byte stream at LF, CRLF and CR. It reads from its source
// only when it holds no whole line, so that a line is delivered as soon as its
// end has arrived: after a CR it does not wait for the LF that may follow.
type lineReader struct {
	source io.Reader
	buf    []byte
	// start is the first byte not delivered, seen the first not searched.
	start, seen int
	// skipLF says that the last line ended in a CR.
	skipLF bool
	err    error
	max    int
}

// next returns one line without its end, valid until the next call. With an
// error it returns what is left, a line without an end.
func (l *lineReader) next() ([]byte, error) {
	for {
		if line, ok := l.buffered(); ok {
			return line, nil
		}
		if l.err != nil {
			return l.buf[l.start:], l.err
		}
		if len(l.buf)-l.start > l.max {
			l.err = fmt.Errorf("a line of more than %d bytes: %w", l.max, ErrTooLarge)
			return nil, l.err
		}
		l.fill()
	}
}

func (l *lineReader) buffered() ([]byte, bool) {
	if l.skipLF && l.start < len(l.buf) {
		if l.buf[l.start] == '\n' {
			l.start++
			l.seen = max(l.seen, l.start)
		}
		l.skipLF = false
	}
	i := bytes.IndexAny(l.buf[l.seen:], "\r\n")
	if i < 0 {
		l.seen = len(l.buf)
		return nil, false
	}
	end := l.seen + i
	line := l.buf[l.start:end]
	l.skipLF = l.buf[end] == '\r'
	l.start, l.seen = end+1, end+1
	return line, true
}

// fill makes one Read that brings bytes or an error.
func (l *lineReader) fill() {
	if l.start > 0 {
		l.buf = l.buf[:copy(l.buf, l.buf[l.start:])]
		l.seen -= l.start
		l.start = 0
	}
	if len(l.buf) == cap(l.buf) {
		l.buf = append(make([]byte, 0, max(linesSize, 2*cap(l.buf))), l.buf...)
	}
	for range emptyReadsMax {
		n, err := l.source.Read(l.buf[len(l.buf):cap(l.buf)])
		l.buf, l.err = l.buf[:len(l.buf)+n], err
		if n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}

// linesSize is the first buffer of a reader: most lines are short, and it grows
// to the longest.
const linesSize = 512

// emptyReadsMax is how often in a row a source may read nothing without an
// error before it is taken for broken.
const emptyReadsMax = 100
