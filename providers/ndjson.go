package providers

import (
	"bytes"
	"io"
)

// A LineReader reads the lines of a stream of newline-delimited JSON as their
// bytes arrive: it never asks its source for more while it holds a whole line.
// Lines end in LF, CRLF or CR, and may have [EventMax] bytes; blank ones are
// passed over. It is for one goroutine.
type LineReader struct {
	lines lineReader
	// spent says that the last line was given.
	spent bool
}

// NewLineReader reads lines from r.
func NewLineReader(r io.Reader) *LineReader {
	return &LineReader{lines: lineReader{source: r, max: EventMax}}
}

// Next returns the next line, valid until the next call, and whether its end
// has arrived. Only the last line of a stream may have none: whether it is cut
// is for its reader to say, by its content. The errors are io.EOF, one that
// wraps [ErrTooLarge], and the source's own as they are, whatever of a line
// came before them.
func (r *LineReader) Next() (line []byte, ended bool, err error) {
	for {
		line, err := r.lines.next()
		line = bytes.TrimSpace(line)
		switch {
		case err == io.EOF && len(line) > 0 && !r.spent:
			r.spent = true
			return line, false, nil
		case err != nil:
			return nil, false, err
		case len(line) > 0:
			return line, true, nil
		}
	}
}

// NDJSON is the media type of newline-delimited JSON.
const NDJSON = "application/x-ndjson"
