package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/suite"
)

// An ExitCode is what a command ends with.
type ExitCode int

// The exit codes; Meanings explains them.
const (
	ExitPassed     ExitCode = 0   // all is well
	ExitFailed     ExitCode = 1   // a scenario failed
	ExitUsage      ExitCode = 2   // the command line is wrong
	ExitInvalid    ExitCode = 3   // a file is invalid
	ExitCassette   ExitCode = 4   // a cassette cannot be loaded
	ExitNothing    ExitCode = 5   // nothing to run
	ExitInternal   ExitCode = 6   // a fault of ours, or of the output
	ExitIncomplete ExitCode = 7   // a bench that is not complete
	ExitHangup     ExitCode = 129 // SIGHUP
	ExitInterrupt  ExitCode = 130 // SIGINT
	ExitUnread     ExitCode = 141 // nobody reads standard output
	ExitTerminate  ExitCode = 143 // SIGTERM
)

// A Meaning explains one exit code.
type Meaning struct {
	Code ExitCode
	Text string
}

// Meanings lists the exit codes for people.
func Meanings() []Meaning {
	return []Meaning{
		{ExitPassed, "all selected scenarios passed or were skipped"},
		{ExitFailed, "a scenario failed or errored, or --timeout ended the suite; for fmt --check, a file is not formatted; for record --check, an answer has another shape"},
		{ExitUsage, "the command line is wrong: a flag, a path, a variable"},
		{ExitInvalid, "a scenario file is invalid"},
		{ExitCassette, "a cassette cannot be loaded"},
		{ExitNothing, "nothing was selected, or only what this command cannot run"},
		{ExitInternal, "an internal error, output that cannot be written, or a broken guarantee of determinism"},
		{ExitIncomplete, "a bench is incomplete"},
		{ExitHangup, "its terminal was closed (SIGHUP)"},
		{ExitInterrupt, "interrupted (SIGINT)"},
		{ExitUnread, "nobody reads the output of a search or of --watch any more"},
		{ExitTerminate, "terminated (SIGTERM)"},
	}
}

// Signalled reports whether the code is that of a signal.
func (c ExitCode) Signalled() bool {
	return c == ExitInterrupt || c == ExitTerminate || c == ExitHangup || c == ExitUnread
}

// worse lists the codes by precedence: of several causes the earlier one
// names the end. A usage error is found before anything else can happen.
var worse = [...]ExitCode{ExitUsage, ExitInterrupt, ExitTerminate, ExitHangup, ExitUnread, ExitInternal, ExitInvalid, ExitCassette, ExitIncomplete, ExitFailed, ExitNothing, ExitPassed}

// Worst is the code that takes precedence.
func Worst(a, b ExitCode) ExitCode {
	for _, code := range worse {
		if code == a || code == b {
			return code
		}
	}
	return ExitInternal
}

// An ExitError ends a command with a code. With no message everything was
// said before.
type ExitError struct {
	Code          ExitCode
	message, hint string
}

func (e *ExitError) Error() string { return e.message }

// ExitAs ends a command with a code, and says why and what to do next, "" where
// there is nothing.
func ExitAs(code ExitCode, message, hint string) error { return &ExitError{code, message, hint} }

// ExitWith ends a command that has said what there is to say; nil for 0.
func ExitWith(code ExitCode) error {
	if code == ExitPassed {
		return nil
	}
	return &ExitError{Code: code}
}

// WorstError is the error that names the end of two. What the other has to say
// is said by the one that is written first.
func WorstError(a, b error) error {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	var first, second *ExitError
	if !errors.As(a, &first) || !errors.As(b, &second) {
		return errors.Join(a, b)
	}
	both := *first
	both.Code = Worst(first.Code, second.Code)
	if both.message == "" {
		both.message, both.hint = second.message, second.hint
	}
	return &both
}

// Usagef is a mistake in the command line, with the next thing to type.
func Usagef(hint, format string, args ...any) error {
	return ExitAs(ExitUsage, fmt.Sprintf(format, args...), hint)
}

// UsageOf is a mistake in the command line that the suite found.
func UsageOf(err error) error {
	var e *suite.Error
	if !errors.As(err, &e) {
		return err
	}
	return ExitAs(ExitUsage, e.Problem, e.Hint)
}

// Conclude writes an error of a command and returns its code. What is no
// ExitError comes from cobra's own checks of arguments.
func Conclude(w io.Writer, err error) ExitCode {
	if err == nil {
		return ExitPassed
	}
	var e *ExitError
	if !errors.As(err, &e) {
		e = &ExitError{ExitUsage, err.Error(), "see scenario help"}
	}
	if e.message != "" {
		fmt.Fprintf(w, "Error: %s\n", strings.TrimRight(e.message, "\n"))
	}
	if e.hint != "" {
		fmt.Fprintf(w, "hint: %s\n", e.hint)
	}
	return e.Code
}

// Ending is how a run of the suite ends the command. What is wrong with the
// output counts as an internal error: the results are not what was asked for.
func Ending(code ExitCode, err error) error {
	if err == nil {
		return ExitWith(code)
	}
	if e, ok := err.(*ExitError); ok {
		return e
	}
	return ExitAs(ExitInternal, err.Error(), "")
}

// ExitCodesTopic is the page of the help about exit codes.
func ExitCodesTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString("Exit codes:\n\n")
	for _, m := range Meanings() {
		fmt.Fprintf(&b, "  %3d  %s\n", m.Code, m.Text)
	}
	b.WriteString("\nAn errored scenario could not be run to completion. At the --timeout limit, scenarios that\n" +
		"are running or have not begun count as errored; the output names them. After a\n" +
		"signal, and after the first failure under --fail-fast, they count as skipped.\n")
	b.WriteString("\nIf there are several causes, the exit code is the first that applies of 129/130/141/143, 6, 3, 4, 7, 1, 5, 0.")
	return &cobra.Command{Use: "exit-codes", Short: "What the exit codes mean", Long: b.String()}
}
