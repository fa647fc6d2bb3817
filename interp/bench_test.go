package interp

import (
	"os"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// typicalFile is what one file of a suite looks like: five steps, nine
// attempts, seven assertions.
const typicalFile = "testdata/typical.scenario.hcl"

func typical(b *testing.B) []byte {
	b.Helper()
	source, err := os.ReadFile(typicalFile)
	if err != nil {
		b.Fatal(err)
	}
	return source
}

func parsed(b testing.TB, source []byte) *dsl.File {
	b.Helper()
	file, diags := dsl.Parse(typicalFile, source)
	if diags.HasErrors() {
		b.Fatal(diags)
	}
	return file
}

func compiled(b testing.TB, file *dsl.File) *Plan {
	b.Helper()
	suite, diags := Compile(file, Options{})
	if diags.HasErrors() {
		b.Fatal(diags)
	}
	return suite.Plans[0]
}

func passes(b *testing.B, p *Plan) {
	b.Helper()
	if r := Run(p, RunOptions{}); r.Verdict != Pass {
		b.Fatal(r.Verdict, r.Problems)
	}
}

// Shows that nothing is to be said of the typical file: a file with warnings is not kept in the cache of
// results, and writing them is no part of what is measured.
func TestTypicalFileHasNoWarnings(t *testing.T) {
	source, err := os.ReadFile(typicalFile)
	if err != nil {
		t.Fatal(err)
	}
	if _, diags := Compile(parsed(t, source), Options{Lint: Unsent}); len(diags) > 0 {
		t.Error(diags)
	}
}

// Measures the checks and the compilation of a parsed file.
func BenchmarkCompile(b *testing.B) {
	source := typical(b)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer() // compiling may rewrite the tree
		file := parsed(b, source)
		b.StartTimer()
		compiled(b, file)
	}
}

// Measures a run with its judgement, without the plan's hash.
func BenchmarkRun(b *testing.B) {
	p := compiled(b, parsed(b, typical(b)))
	b.ReportAllocs()
	for b.Loop() {
		passes(b, p)
	}
}

// Measures what `scenario test` does with one file: parse, decode, compile,
// hash, run, judge (goal G2).
func BenchmarkSuite(b *testing.B) {
	source := typical(b)
	b.ReportAllocs()
	for b.Loop() {
		passes(b, compiled(b, parsed(b, source)))
	}
}

// Measures the hash of a plan, which every run needs once.
func BenchmarkHash(b *testing.B) {
	in := plan.Inside(compiled(b, parsed(b, typical(b))))
	b.ReportAllocs()
	for b.Loop() {
		in.Workflow.Sum()
		in.Digest()
	}
}
