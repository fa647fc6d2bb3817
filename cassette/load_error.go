package cassette

import "fmt"

// A LoadError says why a file is no usable cassette. The file was only read.
type LoadError struct {
	Path string
	// Line is where the problem is, 0 where it has no line.
	Line int
	// Problem is what is wrong and why; Hint is what to do next.
	Problem, Hint string
	// Err is the cause, nil where there is none.
	Err error
}

func (e *LoadError) Error() string {
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

func (e *LoadError) Unwrap() error { return e.Err }

const (
	hintRestore = "restore the file from version control, or load a whole recording"
	hintInspect = "restore the file from version control; if it was written by hand, complete it"
)

// flaw is a LoadError without its path, which Parse adds.
func flaw(line int, hint, format string, args ...any) *LoadError {
	return &LoadError{Line: line, Hint: hint, Problem: fmt.Sprintf(format, args...)}
}
