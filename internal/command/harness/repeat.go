package harness

import (
	"bytes"
	"fmt"
	"reflect"
)

// difference compares two runs of one plan, which must be equal in every byte
// of their traces and in their results (architecture: the trace is the truth).
// It returns "" where they are, and else shows the first event that differs.
func difference(first, again *outcome, n, count int) string {
	if first.crashed != "" || again.crashed != "" {
		return ""
	}
	if line := differingLine(first.trace, again.trace); line > 0 {
		return fmt.Sprintf("Two runs with one seed differ: run %d of %d is not run 1. The first difference is in line %d of the trace:\n  run 1: %s\n  run %d: %s\n%s",
			n, count, line, lineOf(first.trace, line), n, lineOf(again.trace, line), brokenGuarantee)
	}
	a, b := first.result, again.result
	if a.Verdict == b.Verdict && a.Virtual == b.Virtual && a.Checks == b.Checks && reflect.DeepEqual(a.Problems, b.Problems) && reflect.DeepEqual(a.Relaxed, b.Relaxed) {
		return ""
	}
	return fmt.Sprintf("Two runs with one seed and equal traces differ in their results: run 1 is %s with %d problems, run %d of %d is %s with %d.\n%s",
		a.Verdict, len(a.Problems), n, count, b.Verdict, len(b.Problems), brokenGuarantee)
}

const brokenGuarantee = "hint: this is a bug in scenario, not in the file; please report it with the file"

// differingLine is the number of the first line in which two texts differ,
// from 1, and 0 where they do not.
func differingLine(a, b []byte) int {
	if bytes.Equal(a, b) {
		return 0
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return 1 + bytes.Count(a[:n], []byte{'\n'})
}

// lineOf is a line of a text, "(nothing)" beyond its end.
func lineOf(text []byte, n int) string {
	for ; n > 1; n-- {
		_, text, _ = bytes.Cut(text, []byte{'\n'})
	}
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	if len(line) == 0 {
		return "(nothing)"
	}
	return string(line)
}
