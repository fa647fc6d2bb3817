package lint_test

import (
	"os"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/lint"
)

// BenchmarkFile looks at a file of the usual kind, read and linked.
func BenchmarkFile(b *testing.B) {
	text, err := os.ReadFile("../../testdata/typical.scenario.hcl")
	if err != nil {
		b.Fatal(err)
	}
	file, diags := dsl.Parse("x.scenario.hcl", text)
	if diags.HasErrors() {
		b.Fatal(diags)
	}
	if file, diags = dsl.Link(file, nil); diags.HasErrors() {
		b.Fatal(diags)
	}
	b.ReportAllocs()
	for b.Loop() {
		lint.File(file)
	}
}
