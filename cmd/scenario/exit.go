package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/scenario-lang/scenario/suite"
)

// An exitCode is what a command ends with.
type exitCode int

const (
	exitPassed     exitCode = 0
	exitFailed     exitCode = 1
	exitUsage      exitCode = 2
	exitInvalid    exitCode = 3
	exitCassette   exitCode = 4
	exitNothing    exitCode = 5
	exitInternal   exitCode = 6
	exitIncomplete exitCode = 7
	exitInterrupt  exitCode = 130
	exitTerminate  exitCode = 143
)

// meaning explains one exit code.
type meaning struct {
	code exitCode
	text string
}

// meanings lists the exit codes for people.
func meanings() []meaning {
	return []meaning{
		{exitPassed, "all selected scenarios passed or were skipped"},
		{exitFailed, "a scenario failed or errored, or --timeout ended the suite; for fmt --check, a file is not formatted; for record --check, an answer has another shape"},
		{exitUsage, "the command line is wrong: a flag, a path, a variable"},
		{exitInvalid, "a scenario file is invalid"},
		{exitCassette, "a cassette cannot be loaded"},
		{exitNothing, "nothing was selected, or only what this command cannot run"},
		{exitInternal, "an internal error, output that cannot be written, or a broken guarantee of determinism"},
		{exitIncomplete, "a bench is incomplete"},
		{exitInterrupt, "interrupted (SIGINT)"},
		{exitTerminate, "terminated (SIGTERM)"},
	}
}

// worse lists the codes by precedence: of several causes the earlier one
// names the end. A usage error is found before anything else can happen.
var worse = [...]exitCode{exitUsage, exitInterrupt, exitTerminate, exitInternal, exitInvalid, exitCassette, exitIncomplete, exitFailed, exitNothing, exitPassed}

// worst is the code that takes precedence.
func worst(a, b exitCode) exitCode {
	for _, code := range worse {
		if code == a || code == b {
			return code
		}
	}
	return exitInternal
}

// An exitError ends a command with a code. With no message everything was
// said before.
type exitError struct {
	code          exitCode
	message, hint string
}

func (e *exitError) Error() string { return e.message }

// exitWith ends a command that has said what there is to say; nil for 0.
func exitWith(code exitCode) error {
	if code == exitPassed {
		return nil
	}
	return &exitError{code: code}
}

// worstError is the error that names the end of two. What the other has to say
// is said by the one that is written first.
func worstError(a, b error) error {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	var first, second *exitError
	if !errors.As(a, &first) || !errors.As(b, &second) {
		return errors.Join(a, b)
	}
	both := *first
	both.code = worst(first.code, second.code)
	if both.message == "" {
		both.message, both.hint = second.message, second.hint
	}
	return &both
}

// usagef is a mistake in the command line, with the next thing to type.
func usagef(hint, format string, args ...any) error {
	return &exitError{exitUsage, fmt.Sprintf(format, args...), hint}
}

// usageOf is a mistake in the command line that the suite found.
func usageOf(err error) error {
	var e *suite.Error
	if !errors.As(err, &e) {
		return err
	}
	return &exitError{exitUsage, e.Problem, e.Hint}
}

// conclude writes an error of a command and returns its code. What is no
// exitError comes from cobra's own checks of arguments.
func conclude(w io.Writer, err error) exitCode {
	if err == nil {
		return exitPassed
	}
	var e *exitError
	if !errors.As(err, &e) {
		e = &exitError{exitUsage, err.Error(), "see scenario help"}
	}
	if e.message != "" {
		fmt.Fprintf(w, "Error: %s\n", strings.TrimRight(e.message, "\n"))
	}
	if e.hint != "" {
		fmt.Fprintf(w, "hint: %s\n", e.hint)
	}
	return e.code
}
