package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

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

// traceStart is how every trace begins: the header of its first run.
const traceStart = `{"trace":`

// checkTrace refuses a value of --trace-out that would cost the user a file,
// before anything is read: all that a suite reads is something else than a
// trace.
func checkTrace(path string) error {
	shown := filepath.ToSlash(path)
	switch {
	case path == "-":
		return usagef("name a file, for example --trace-out trace.jsonl", "--trace-out - cannot be: standard output carries the results")
	case strings.HasSuffix(shown, suffix):
		return usagef("name another file, for example --trace-out trace.jsonl", "--trace-out %s would write a trace where a scenario file belongs", shown)
	case holdsOther(path):
		return usagef("name a new file, or remove this one", "--trace-out would replace %s, which is no trace", shown)
	}
	return nil
}

// holdsOther reports whether a file is there and begins otherwise than a trace.
// What is no regular file is not asked: a pipe would not answer.
func holdsOther(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	start, err := readLimited(path, int64(len(traceStart))-1)
	return err == nil && len(start) > 0 && string(start) != traceStart
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
