package main

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// encode is the trace of one run as it stands in a file: canonical JSON Lines.
// A result holds no secrets.
func encode(r *interp.Result) []byte {
	var b bytes.Buffer
	// A buffer takes everything.
	_ = trace.WriteTo(&b, r.Header, r.Events)
	return b.Bytes()
}

// openTrace begins the file of --trace-out, before anything runs: a path that
// cannot be written is a mistake in the command line.
func openTrace(path string) (*atomicFile, error) {
	f, err := createAtomic(path, 0o666)
	if err != nil {
		return nil, usagef("name a file in a directory that exists and can be written", "cannot write the trace to %s: %s", filepath.ToSlash(path), cause(err))
	}
	return f, nil
}

func traceError(path string, err error) error {
	return &exitError{exitInternal, fmt.Sprintf("cannot write the trace to %s: %s", filepath.ToSlash(path), cause(err)), ""}
}
