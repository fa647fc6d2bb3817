package cli

import (
	"bytes"
	"io"
)

// WriteLines writes what src has to w, in whole lines, as a writer that looks at
// each call for itself wants them. Only the last may have no end.
func WriteLines(w io.Writer, src io.WriterTo) error {
	l := &lines{w: w}
	if _, err := src.WriteTo(l); err != nil || len(l.rest) == 0 {
		return err
	}
	_, err := w.Write(l.rest)
	return err
}

type lines struct {
	w    io.Writer
	rest []byte // follows the last line end
}

func (l *lines) Write(p []byte) (int, error) {
	end := bytes.LastIndexByte(p, '\n') + 1
	if end == 0 {
		l.rest = append(l.rest, p...)
		return len(p), nil
	}
	whole := append(l.rest, p[:end]...)
	l.rest = append([]byte(nil), p[end:]...)
	if _, err := l.w.Write(whole); err != nil {
		return 0, err
	}
	return len(p), nil
}
