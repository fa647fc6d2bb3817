package main

import (
	"io"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/cmd/scenario/internal/inert"
	"github.com/scenario-lang/scenario/internal/disk"
)

// An output is standard output that remembers its first error, so that no
// command ends well whose results did not arrive, whether or not it looks at
// what each write returns. It is used from one goroutine at a time.
type output struct {
	io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.Writer.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// judge is how a command ends, given what it says itself: with exitInternal
// where output was lost, unless a signal names the end.
func (o *output) judge(err error) error {
	if o.err == nil {
		return err
	}
	if e, ok := err.(*exitError); ok && worst(e.code, exitInternal) == e.code {
		return err
	}
	return &exitError{exitInternal, "cannot write to standard output: " + disk.Cause(o.err).Error(), "free some space, or name another place"}
}

// shownOn is the writer that shows what is written to one of the app's, nil where
// it is none of them.
func shownOn(w io.Writer) *inert.Writer {
	if h, ok := w.(*redact.Writer); ok {
		w = h.Unwrap()
	}
	shown, _ := w.(*inert.Writer)
	return shown
}

// runnerLines is an output for lines that the runner of a CI job is meant to obey.
func (a *app) runnerLines(w io.Writer) io.Writer {
	shown := shownOn(w)
	if shown == nil {
		return w
	}
	return hiding{shown.Commands(), a}
}

// hiding hides what a redactor finds in what is written at once.
type hiding struct {
	io.Writer
	app *app
}

func (h hiding) Write(p []byte) (int, error) {
	text := string(p)
	if h.app.hides != nil {
		text = h.app.hides.Text(text)
	}
	if _, err := io.WriteString(h.Writer, text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// data is standard output for what a file is to have byte by byte. On a terminal it
// is shown like everything else.
func (a *app) data() io.Writer {
	shown := shownOn(a.stdout)
	if shown == nil || a.hides != nil || isTerminal(a.stdout) {
		return a.stdout
	}
	_ = shown.Flush() // the output behind keeps its errors
	return shown.Unwrap()
}
