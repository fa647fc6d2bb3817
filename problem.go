package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/interp"
)

// A Problem is one reason why a scenario did not pass.
type Problem struct {
	// Kind is "assert", "expect", "invariant", "snapshot", "gate", "run", or
	// "error" for a scenario that could not be run.
	Kind string
	// Name is the assertion, the address of the expectation, or the gate.
	Name string
	// Message says what was expected, what was seen, why, and what to do next;
	// lines of it that begin with "hint: " are the last.
	Message string
	// Operands are the parts of a condition that did not hold, each with its
	// value, as "text = value".
	Operands []string
	// Diff says how two values differ, "" where there is none.
	Diff string
	// File and Line are its place, "" and 0 where it has none.
	File string
	Line int
}

func problemOf(p *interp.Problem) Problem {
	out := Problem{Kind: p.Kind, Name: p.Name, Message: strings.TrimRight(p.Message, "\n"), Diff: strings.TrimRight(p.Diff, "\n"), File: p.Range.Filename, Line: p.Range.Start.Line}
	for _, o := range p.Operands {
		out.Operands = append(out.Operands, o.Text+" = "+o.Value)
	}
	return out
}

// String is the problem in a few lines: what and where, then the details.
func (p Problem) String() string {
	head := p.Kind + " " + strconv.Quote(p.Name)
	if p.File != "" {
		head = fmt.Sprintf("%s  %s:%d", head, p.File, p.Line)
	}
	lines := []string{head}
	for _, o := range p.Operands {
		lines = append(lines, "├ "+o)
	}
	for _, part := range []string{p.Diff, p.Message} {
		if part != "" {
			lines = append(lines, strings.Split(part, "\n")...)
		}
	}
	return strings.Join(lines, "\n  ")
}
