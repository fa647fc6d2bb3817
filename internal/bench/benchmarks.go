package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// A benchmark is a Go benchmark of a package that both builds have, with a row for each of its
// figures. An older tree runs its own, so that a benchmark which was changed is held against
// what it was.
type benchmark struct {
	goBench
	// top is the function, without what it runs of itself.
	top     string
	figures []benchmarkFigure
}

// A benchmarkFigure is a figure of a benchmark: less of it has to be better.
type benchmarkFigure struct{ row, name, unit string }

// benchmarked are those of packages' own benchmarks that two builds are compared by.
var benchmarked = []benchmark{
	{goBench{pkg: "internal/lsp", pattern: "^BenchmarkKeystroke$", time: "10x", env: collector}, "BenchmarkKeystroke", []benchmarkFigure{
		{"editor, a key" + ofWall, "Keystroke", "ns/op"},
	}},
	{goBench{pkg: "internal/lsp", pattern: "^BenchmarkCompletion$", time: "10x", env: collector}, "BenchmarkCompletion", []benchmarkFigure{
		{"editor, a completion" + ofWall, "Completion", "ns/op"},
	}},
	{goBench{pkg: "cassette", pattern: "^BenchmarkFirstByte$", time: "5000x"}, "BenchmarkFirstByte", []benchmarkFigure{
		{"record, the first byte" + ofWall, "FirstByte", "µs-mean"},
		{"record, the worst first byte of 5,000" + ofWall, "FirstByte", "µs-worst"},
	}},
	{goBench{pkg: "cassette", pattern: "^BenchmarkRecordChunks$", time: "1x"}, "BenchmarkRecordChunks", []benchmarkFigure{
		{"record, what 100,000 events hold", "RecordChunks", "held/body"},
	}},
	{goBench{pkg: "interp/bench", pattern: "^BenchmarkMeasure$", time: "50000x"}, "BenchmarkMeasure", []benchmarkFigure{
		{"bench, a case in process" + ofWall, "Measure", "ns/op"},
	}},
	{goBench{pkg: "internal/process", pattern: "^BenchmarkAgainstExec$", time: "400x"}, "BenchmarkAgainstExec", []benchmarkFigure{
		{"bench, a program to os/exec alone" + ofWall, "AgainstExec", "against-exec"},
	}},
	{goBench{pkg: "internal/explore", pattern: "^BenchmarkSpeed$/^(search|search,_no_rules_of_std|search,_std_imported|search,_std_imported,_ten_events_a_step|run,_150_steps,_a_rule_over_all_(attempts|events))$", time: "1x"}, "BenchmarkSpeed", []benchmarkFigure{
		{"explore, a run of a search", "Speed/search", "cpu-µs/run"},
		{"explore, a run of a search without rules of std", "Speed/search,_no_rules_of_std", "cpu-µs/run"},
		{"explore, a run of a search with std/resilience", "Speed/search,_std_imported", "cpu-µs/run"},
		{"explore, a run of a search, ten events a step", "Speed/search,_std_imported,_ten_events_a_step", "cpu-µs/run"},
		{"explore, a run with a condition over attempts", "Speed/run,_150_steps,_a_rule_over_all_attempts", "cpu-µs/run"},
		{"explore, a run with a condition over events", "Speed/run,_150_steps,_a_rule_over_all_events", "cpu-µs/run"},
	}},
	{goBench{pkg: "internal/explore", pattern: "^BenchmarkSpeed$/^(run|run,_one_fault|run,_a_nested_condition|behaviour)$", time: "2000x"}, "BenchmarkSpeed", []benchmarkFigure{
		{"explore, a run", "Speed/run", "cpu-µs/run"},
		{"explore, a run with a fault", "Speed/run,_one_fault", "cpu-µs/run"},
		{"explore, a run with a nested condition", "Speed/run,_a_nested_condition", "cpu-µs/run"},
		{"explore, the class of a run", "Speed/behaviour", "cpu-µs/run"},
	}},
	{goBench{pkg: "internal/explore", pattern: "^BenchmarkSpeed$/^level_on_[12]_cores$", time: "4x"}, "BenchmarkSpeed", []benchmarkFigure{
		{"explore, a level on one core" + ofWall, "Speed/level_on_1_cores", "ns/op"},
		{"explore, a level on two cores" + ofWall, "Speed/level_on_2_cores", "ns/op"},
	}},
}

// packagesOf are the packages whose benchmarks a list of comparisons needs.
func packagesOf(list []comparison) (pkgs []string) {
	for _, c := range list {
		if c.benchmark != nil && !slices.Contains(pkgs, c.benchmark.pkg) {
			pkgs = append(pkgs, c.benchmark.pkg)
		}
	}
	return pkgs
}

// benchmark compares builds by a benchmark.
func (l *lab) benchmark(of benchmark) comparison {
	c := comparison{benchmark: &of, needs: of.of}
	for _, f := range of.figures {
		c.rows = append(c.rows, f.row)
	}
	c.run = func(b build) ([]float64, error) {
		bench := exec.Command(b.tests[of.pkg], "-test.run=^$", "-test.bench="+of.pattern, "-test.benchtime="+of.time)
		bench.Dir, bench.Env = filepath.Join(l.root, of.pkg), append(os.Environ(), of.env...)
		out, err := bench.CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", bench, err, firstLines(string(out), 5))
		}
		found := parseBench(string(out))
		var took []float64
		for _, f := range of.figures {
			i, missing := found.of(f.name, f.unit, 1)
			err = cmp.Or(err, missing)
			took = append(took, i.Median)
		}
		return took, err
	}
	return c
}

// of is the program of a build that has the benchmark.
func (of benchmark) of(b build) string {
	path := b.tests[of.pkg]
	if path == "" {
		return ""
	}
	list, err := exec.Command(path, "-test.list", "^"+of.top+"$").Output()
	if err != nil || !bytes.Contains(list, []byte(of.top)) {
		return ""
	}
	return path
}
