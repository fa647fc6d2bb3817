package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp"
)

// Shows that what a limit kept from running is named, up to a bound, and that
// what was left out on purpose is only counted.
func TestDroppedNames(t *testing.T) {
	var d dropped
	for i := range 12 {
		plan := &interp.Plan{File: fmt.Sprintf("f%d", i/6), Line: i, Name: fmt.Sprint("s", i)}
		d.add(&Entry{Result: &interp.Result{Plan: plan, Verdict: interp.Error}, Dropped: true, Reason: "not run, because of the limit"})
	}
	plan := &interp.Plan{File: "g", Name: "x"}
	d.add(&Entry{Result: &interp.Result{Plan: plan, Verdict: interp.Skip}, Dropped: true, Reason: "not run after the first failure"})
	lines := d.lines()
	if len(lines) != 13 || lines[0] != "12 scenarios in 2 files were not run, because of the limit:" || lines[1] != `  "s0"  f0:0` {
		t.Errorf("%d lines:\n%s", len(lines), strings.Join(lines, "\n"))
	}
	if last := strings.Join(lines[10:], "\n"); last != "  \"s9\"  f1:9\n  … and 2 more; -v names all\n1 scenario in 1 file was not run after the first failure" {
		t.Errorf("the end is\n%s", last)
	}
}
