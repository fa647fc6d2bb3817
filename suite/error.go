package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/hashicorp/hcl/v2"
)

// An Error says what is wrong with what a suite is to be loaded from: a path, a
// directory, a file of variables. What is wrong in a scenario file is not one:
// it is among the diagnostics of its [File].
type Error struct {
	// Problem is what is wrong and why. Hint is what to do next, "" where
	// nobody can say.
	Problem, Hint string
	// Diags say what is wrong inside of a file, nil where that is not it.
	Diags hcl.Diagnostics
	// Err is the cause, nil where there is none.
	Err error
}

func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Problem
	}
	return e.Problem + "\nhint: " + e.Hint
}

func (e *Error) Unwrap() error { return e.Err }

func problemf(hint, format string, args ...any) *Error {
	return &Error{Problem: fmt.Sprintf(format, args...), Hint: hint}
}

// cause leaves out what an error of the file system says about where: the
// message around it says that. What is missing is missing in the same words
// wherever the files come from.
func cause(err error) error {
	var in *fs.PathError
	if errors.As(err, &in) {
		err = in.Err
	}
	if err == fs.ErrNotExist {
		return missing{}
	}
	return err
}

type missing struct{}

func (missing) Error() string        { return syscall.ENOENT.Error() }
func (missing) Is(target error) bool { return target == fs.ErrNotExist }
