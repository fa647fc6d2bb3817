package harness

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/suite"
)

// Shows that an error of the compiler itself is told apart from what an author did
// wrong.
func TestCrashIsInternal(t *testing.T) {
	crashed := diagnosed([]*Loaded{{File: &suite.File{Path: "a", Crash: "compiling a: index out of range\ngoroutine 1"}}})
	want := []report.Diagnostic{{Kind: report.CompilerCrash, File: "a", Summary: "Internal error", Detail: "compiling a: index out of range"}}
	if diff := cmp.Diff(want, crashed); diff != "" || CodeOf(crashed) != cli.ExitInternal {
		t.Error(diff, CodeOf(crashed))
	}
}
