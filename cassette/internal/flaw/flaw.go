package flaw

import (
	"fmt"
	"unicode/utf8"
)

// An Error says why a file cannot be used. The file was only read.
type Error struct {
	Path string
	// Line is where the problem is, 0 where it has no line.
	Line int
	// Problem is what is wrong and why; Hint is what to do next.
	Problem, Hint string
	// Err is the cause, nil where there is none.
	Err error
}

func (e *Error) Error() string {
	place := e.Path
	if place == "" {
		place = "cassette"
	}
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d", place, e.Line)
	}
	if e.Hint == "" {
		return place + ": " + e.Problem
	}
	return place + ": " + e.Problem + "\nhint: " + e.Hint
}

func (e *Error) Unwrap() error { return e.Err }

// What to do about most flaws.
const (
	Restore = "restore the file from version control, or load a whole recording"
	Inspect = "restore the file from version control; if it was written by hand, complete it"
)

// New is an Error without its path, which whoever knows it adds.
func New(line int, hint, format string, args ...any) *Error {
	return &Error{Line: line, Hint: hint, Problem: fmt.Sprintf(format, args...)}
}

// Shorten cuts a text that a message shows.
func Shorten(s string) string {
	if len(s) <= excerptBytes {
		return s
	}
	end := excerptBytes
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// excerptBytes is how many bytes of a text of the file a message shows.
const excerptBytes = 80
