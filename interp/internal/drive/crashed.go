package drive

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Crashed says of a program that ended by itself with a status of its own that it did so by an
// exception which it did not catch, and of one that ended with 0 that a part of it did, or what its
// command, a shell, started; "" where none did, or where a check holds only if it writes something and does
// not find that in the words of a library alone.
func (r *Run) Crashed(command []string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	sut := &r.Obs.Sut
	reads := r.plan.Needs.Of("sut")
	if sut.Stopped || sut.ExitCode == nil {
		return ""
	}
	if reads.Of("stderr") != nil || reads.Of("stdout") != nil {
		if said := r.inTraceback(); said != "" || r.asksForOutput() {
			return said
		}
	}
	if *sut.ExitCode != 0 {
		if said := uncaught(sut.Stderr); said != "" {
			return fmt.Sprintf("the program ended with status %d by an exception that it did not catch: %s. So it does with any other mistake in it.\nhint: check what it says of the failure, such as strcontains(sut.stderr, \"declined\"), or give it a status of its own", *sut.ExitCode, said)
		}
		if said := broken(sut.Stderr); said != "" && isShell(command) {
			return fmt.Sprintf("the shell ended with status %d, and the last that it wrote on standard error is that a command of it is wrong: %s. Such a mistake gives a status of its own, and the check of that holds.\nhint: check what the program says of the failure, such as strcontains(sut.stderr, \"declined\")", *sut.ExitCode, said)
		}
		return ""
	}
	if said := aside(sut.Stderr); said != "" {
		return fmt.Sprintf("the program ended with status 0, but a thread, a task or a promise of it ended by an exception that nobody caught: %s.\nhint: catch it, or check what the program did all the same, such as strcontains(sut.stdout, \"no orders today\")", said)
	}
	if said := among(sut.Stderr); said != "" && isShell(command) {
		return fmt.Sprintf("the shell ended with status 0, but a program that it started ended by an exception which it did not catch: %s.\nhint: let the shell end with its status, with set -e, with && or with exec, or check what it wrote, such as strcontains(sut.stdout, \"no orders today\")", said)
	}
	return ""
}

// asksForOutput reports whether a check holds only if the program writes something, or compares all of it. One
// that rules out a text, such as !strcontains(sut.stdout, "uploaded"), holds of a program that ends by any
// mistake, too.
func (r *Run) asksForOutput() bool {
	j, reads := r.rejudges()
	if !reads || len(r.plan.SnapshotChecks) > 0 || slices.ContainsFunc(r.plan.Invariants, func(i *plan.Invariant) bool { return i.Needs.Of("sut") != nil }) {
		return true // it may
	}
	return slices.ContainsFunc(r.plan.Asserts, func(a *plan.Assertion) bool {
		return comparesOutput(a.Condition) || !j.holds(a.Condition, output{})
	})
}

// mistakes are how shells, and what they start, end a line that says of a command that it cannot be carried
// out as it is written.
var mistakes = []string{
	": No such file or directory", ": command not found", ": not found", ": unbound variable", ": parameter not set", ": Is a directory",
	": Permission denied", ": ambiguous redirect", ": bad substitution", ": Bad substitution", ": integer expression expected",
	": unary operator expected", ": numeric argument required", "--help' for more information", "--help' for more information.",
}

// parsing are how such a line begins where a command could not read what it was given, or was not found.
var parsing = []string{"jq: error", "jq: parse error", "parse error: ", "Expecting value: line ", "zsh: command not found: "}

// broken is the last line of standard error where it says that a command of a shell is wrong, whatever it was
// to do: a file or a program that is not there, a variable without a value, a filter that jq cannot apply, an
// answer that it cannot read. "" for any other.
func broken(stderr string) string {
	text := strings.TrimSpace(stderr)
	last := strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
	if strings.Contains(last, ": syntax error") || strings.HasPrefix(last, "jq: ") && strings.HasSuffix(last, " compile error") {
		return last
	}
	for _, begin := range parsing {
		if strings.HasPrefix(last, begin) {
			return last
		}
	}
	for _, end := range mistakes {
		if strings.HasSuffix(last, end) {
			return last
		}
	}
	return ""
}

// inTraceback says of a check that it finds what it looks for in standard error only where Python tells of
// an exception which a library raised and the program did not catch: those are no words of the program.
// "" where none does.
func (r *Run) inTraceback() string {
	stderr := r.Obs.Sut.Stderr
	said := uncaught(stderr)
	before, _, is := strings.Cut(stderr, traceback)
	if said == "" || !is || !raisedByLibrary(stderr) {
		return ""
	}
	j, reads := r.rejudges()
	if !reads {
		return ""
	}
	for _, a := range r.plan.Asserts {
		if j.holds(a.Condition, output{r.Obs.Sut.Stdout, stderr}) && !j.holds(a.Condition, output{r.Obs.Sut.Stdout, before}) {
			return fmt.Sprintf("assert %q finds what it looks for in standard error only where Python tells of an exception that the program did not catch: %s. A library wrote that, and so it does with a program that handles nothing.\nhint: rule that out as well, such as !strcontains(sut.stderr, \"Traceback\")", a.Name, said)
		}
	}
	return ""
}

// raisedByLibrary reports whether the last frame of the tracebacks of a program is in a library of Python,
// or of what was installed.
func raisedByLibrary(stderr string) bool {
	at := strings.LastIndex(stderr, "\n  File \"")
	if at < 0 {
		return false
	}
	frame, _, _ := strings.Cut(stderr[at+1:], "\n")
	return strings.Contains(frame, "/lib/python") || strings.Contains(frame, "-packages/") || strings.Contains(frame, "\"<frozen ")
}

// uncaught is the line of standard error that names the exception where it ends as Python, Node and
// Java end it with one that nobody caught, "" for any other end.
func uncaught(stderr string) string {
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	last := lines[len(lines)-1]
	node := strings.HasPrefix(last, "Node.js v")
	for i := len(lines) - 2; i >= 0; i-- {
		switch line := lines[i]; {
		case line == "" || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "Caused by: "):
		case node && strings.Contains(line, "Error"), strings.HasPrefix(line, "Exception in thread \""):
			return line
		case line == traceback:
			return last
		case !node:
			return ""
		}
	}
	return ""
}
