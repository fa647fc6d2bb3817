package interp

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/trace"
)

// mustCompile compiles a file that must be valid.
func mustCompile(t *testing.T, src string) []*Plan {
	t.Helper()
	file, diags := dsl.Parse("test.scenario.hcl", []byte(src))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	suite, diags := Compile(file, Options{})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return suite.Plans
}

// traceOf is the canonical trace of a result.
func traceOf(t *testing.T, r *Result) string {
	t.Helper()
	var b strings.Builder
	if err := trace.WriteTo(&b, r.Header(), r.Events); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// mustPass runs every scenario of a file; each must pass.
func mustPass(t *testing.T, src string) {
	t.Helper()
	for _, p := range mustCompile(t, src) {
		r := Run(p, RunOptions{})
		if r.Verdict == Pass {
			continue
		}
		t.Errorf("scenario %q: %s", p.Name, r.Verdict)
		for _, pr := range r.Problems {
			t.Errorf("  %s %s: %s %s %v", pr.Kind, pr.Name, pr.Message, pr.Diff, pr.Operands)
		}
		t.Log(traceOf(t, r))
	}
}
