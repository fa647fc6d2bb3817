package merge

import "fmt"

// An Error says why parts do not make up a suite, or what is no part of one.
type Error struct {
	// Problem is what is wrong; Hint is what to do next.
	Problem, Hint string
	// Misnamed says that a file is not of the kind that is read at all; else it
	// is, and shards are damaged, missing, or contradict each other.
	Misnamed bool
}

func (e *Error) Error() string { return e.Problem + "\nhint: " + e.Hint }

func broken(hint, format string, args ...any) error {
	return &Error{Problem: fmt.Sprintf(format, args...), Hint: hint}
}

func misnamed(hint, format string, args ...any) error {
	return &Error{Problem: fmt.Sprintf(format, args...), Hint: hint, Misnamed: true}
}
