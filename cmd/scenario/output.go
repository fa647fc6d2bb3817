package main

import (
	"io"

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
	return &exitError{exitInternal, "cannot write to standard output: " + disk.Cause(o.err).Error(), "make room, or name another place"}
}
