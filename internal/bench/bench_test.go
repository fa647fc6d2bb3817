package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/internal/bench/paired"
	"github.com/scenario-lang/scenario/internal/command/cli"
)

// Shows that a bound is met from its own side, the bound itself included.
func TestLimit(t *testing.T) {
	for _, c := range []struct {
		name string
		l    *limit
		x    float64
		want bool
	}{
		{"below most", atMost(2), 1.9, true},
		{"at most", atMost(2), 2, true},
		{"above most", atMost(2), 2.1, false},
		{"below least", atLeast(3), 2.9, false},
		{"at least", atLeast(3), 3, true},
		{"above least", atLeast(3), 3.1, true},
	} {
		if got := c.l.met(c.x); got != c.want {
			t.Errorf("%s: got %v", c.name, got)
		}
	}
}

// Shows that measuring nothing is an error, and that it names what there is.
func TestNothingChosen(t *testing.T) {
	id := func(b bar) string { return b.ID }
	if got, err := chosen(bars(), regexp.MustCompile("^G2$"), id); err != nil || len(got) != 2 {
		t.Errorf("%d bars, %v", len(got), err)
	}
	if _, err := chosen(bars(), regexp.MustCompile("^G99$"), id); err == nil || !strings.Contains(err.Error(), `matches "^G99$"; there is G1, G2, `) {
		t.Error(err)
	}
}

// Shows that what `go test -bench` prints is read: names without their number
// of threads, every unit, one value a round, and nothing else.
func TestParseBench(t *testing.T) {
	const out = `goos: linux
BenchmarkSleep/tasks=10-2         	 1000000	       105.0 ns/op	         9.524 Mevents/s	       0 B/op
BenchmarkSleep/tasks=10-2         	 1000000	       110.0 ns/op	         9.091 Mevents/s	       0 B/op
BenchmarkRoundTrip-16 	   20000	      1500 ns/op	      20 allocs/op
BenchmarkSleep: a line of a log
PASS
`
	want := results{
		"Sleep/tasks=10": {"ns/op": {105, 110}, "Mevents/s": {9.524, 9.091}, "B/op": {0, 0}},
		"RoundTrip":      {"ns/op": {1500}, "allocs/op": {20}},
	}
	if d := cmp.Diff(want, parseBench(out)); d != "" {
		t.Error(d)
	}
	if _, err := want.of("Sleep", "ns/op", 1); err == nil {
		t.Error("a benchmark that was not run has a value")
	}
	s, err := want.of("Sleep/tasks=10", "ns/op", 1e-3)
	if err != nil || s.Median != 0.1075 || s.Low != 0.105 || s.High != 0.11 {
		t.Errorf("got %v, %v", s, err)
	}
}

// Shows that a row of the table has what was measured, how far its noise reaches, its goal
// with a word, which is none where the goal lies within the noise, and what was measured
// before, and that only missed goals count.
func TestPrintTable(t *testing.T) {
	of := func(what, unit string, goal *limit) row {
		return row{bar{ID: "G0", What: "a against b"}, figure{What: what, Unit: unit, Of: paired.Interval{Low: 1.08, Median: 1.2, High: 1.26, Of: 9}, Goal: goal}}
	}
	rows := []row{of("CPU", "×", atMost(1.5)), of("wall", "×", atMost(1.05)), of("steps", "×", atMost(1.1)), of("pace", "×", atLeast(1.25)), of("size", "MB", nil), of("rate", "", atLeast(5))}
	once := of("peak", "MB", atMost(2))
	once.figure.Of = paired.Interval{Low: 1.2, Median: 1.2, High: 1.2, Of: 1}
	few := of("time", "s", atMost(2))
	few.figure.Of.Of = 7
	rows = append(rows, once, few)
	before := kept{Of: "abc, a machine", Figures: map[string]float64{rows[0].key(): 1.3456, rows[4].key(): 1234}}
	var out bytes.Buffer
	missed := printTable(&out, rows, before)
	want := `
| goal | what | of it | is | 99 % of medians | goal | | before |
|---|---|---|---:|---:|---:|---|---:|
| G0 | a against b | CPU | 1.20× | 1.08 – 1.26× | ≤ 1.5 | met | 1.35× |
| G0 | a against b | wall | 1.20× | 1.08 – 1.26× | ≤ 1.05 | missed | – |
| G0 | a against b | steps | 1.20× | 1.08 – 1.26× | ≤ 1.1 | too noisy | – |
| G0 | a against b | pace | 1.20× | 1.08 – 1.26× | ≥ 1.25 | too noisy | – |
| G0 | a against b | size | 1.20 MB | 1.08 – 1.26 MB |  |  | 1234 MB |
| G0 | a against b | rate | 1.20 | 1.08 – 1.26 | ≥ 5 | missed | – |
| G0 | a against b | peak | 1.20 MB | once | ≤ 2 | met | – |
| G0 | a against b | time | 1.20 s | 1.08 – 1.26 s, all 7 | ≤ 2 | met | – |

before: abc, a machine
`
	if d := cmp.Diff(want, out.String()); d != "" || missed != 2 {
		t.Error(d, missed)
	}
}

// Shows that what is kept is read back, rounded, beside what was kept before and
// not measured again.
func TestKeep(t *testing.T) {
	l := &lab{root: t.TempDir()}
	if err := os.MkdirAll(filepath.Join(l.root, filepath.Dir(keptFile)), 0o755); err != nil {
		t.Fatal(err)
	}
	if k, err := l.readKept(); err != nil || len(k.Figures) != 0 {
		t.Fatalf("%v, %v", k, err)
	}
	r := row{bar{ID: "G0", What: "a"}, figure{What: "CPU", Of: paired.Interval{Median: 1.23456}}}
	if err := l.keep([]row{r}, kept{Figures: map[string]float64{"old": 7}}); err != nil {
		t.Fatal(err)
	}
	k, err := l.readKept()
	if d := cmp.Diff(map[string]float64{"G0: a: CPU": 1.23, "old": 7}, k.Figures); d != "" || err != nil {
		t.Error(d, err)
	}
}

// Shows that of several samples the least counts, of either time, and that a
// line that is no sample is said.
func TestLeastCost(t *testing.T) {
	got, err := leastCost("5.5 9\n4 10\n6 8\n")
	if err != nil || got != (cost{cpu: 4, wall: 8}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "a b\n", "1\n", "0 0\n"} {
		if got, err := leastCost(bad); err == nil {
			t.Errorf("%q: %v", bad, got)
		}
	}
}

// Shows that what is planted begins the function that was meant, and that nothing
// is planted where there is none.
func TestWasting(t *testing.T) {
	const source = "package a\n\nfunc (t T) Do(x int) error {\n\treturn nil\n}\n"
	got, err := wasting(source, "Do", "9")
	if err != nil || !strings.Contains(got, "Do(x int) error {\n\tfor i, x := 0, uint64(1); i < 9; i++ {\n") || !strings.Contains(got, "\treturn nil\n}\n\nvar wasted uint64\n") {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := wasting(source, "Other", "9"); err == nil {
		t.Error("a function that is not there was found")
	}
}

// Shows that generated files differ in their scenario's name alone and that
// every peer can do its work on them.
func TestPeersOnGeneratedFiles(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{root: root, dir: t.TempDir()}
	dir, err := l.typical(3)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, name := range []string{"f00000", "f00001", "f00002"} {
		source, err := os.ReadFile(filepath.Join(dir, name+suffix))
		if err != nil {
			t.Fatal(err)
		}
		seen[string(source)] = true
	}
	if len(seen) != 3 {
		t.Errorf("%d of 3 files differ", len(seen))
	}
	for kind := range peers {
		if err := runPeer([]string{kind, "2", dir}); err != nil {
			t.Errorf("%s: %s", kind, err)
		}
	}
	if err := runPeer([]string{"nothing", "2", dir}); err == nil {
		t.Error("an unknown peer ran")
	}
}

// Shows that a peer says which file it failed on.
func TestPeerFails(t *testing.T) {
	dir := t.TempDir()
	if err := writeFiles(dir, 1, func(int) []byte { return []byte("scenario {") }); err != nil {
		t.Fatal(err)
	}
	if err := runPeer([]string{"parse", "1", dir}); err == nil || !strings.Contains(err.Error(), "f00000"+suffix) {
		t.Errorf("got %v", err)
	}
}

// Shows that a comparison is red where one of its rows costs a tenth more, and not where none does,
// and that a row which one of the builds lacks is named and never red; but for all of them,
// where nothing was compared.
func TestVerdicts(t *testing.T) {
	taking := func(name string, now, old float64) comparison {
		return sampled(name, needsCommand, func(b build) (sample, error) {
			return sample{cpu: map[string]float64{"now": now, "old": old}[b.scenario]}, nil
		}, ofCPU)
	}
	two := sampled("two", needsCommand, func(b build) (sample, error) {
		return sample{cpu: map[string]float64{"now": 1.12, "old": 1}[b.scenario], peak: 1}, nil
	}, ofCPU, ofPeak)
	lacking := comparison{rows: []string{"lacking"}, needs: needsWork}
	for _, c := range []struct {
		name string
		rows []comparison
		want error
		says string
	}{
		{"slower", []comparison{taking("a", 1.12, 1), taking("b", 1, 1)}, errSlower, "| a | 1.120 | 1.120 – 1.120 | 10 | slower |\n| b | 1.000 | 1.000 – 1.000 | 10 | same |\n"},
		{"the same", []comparison{taking("a", 1.04, 1)}, nil, "| same |\n"},
		{"faster", []comparison{taking("a", 0.5, 1)}, nil, "| faster |\n"},
		{"of two rows one", []comparison{two}, errSlower, "| two | 1.120 | 1.120 – 1.120 | 10 | slower |\n| two, peak of memory | 1.000 | 1.000 – 1.000 | 10 | same |\n"},
		{"lacking", []comparison{taking("a", 1, 1), lacking}, nil, "| lacking | – | – | 0 | not in REF |\n"},
	} {
		var out bytes.Buffer
		err := verdicts(&out, c.rows, build{scenario: "now"}, build{scenario: "old"}, "REF", &tallies{})
		if !errors.Is(err, c.want) || !strings.HasSuffix(out.String(), c.says) {
			t.Errorf("%s: %v\n%s", c.name, err, &out)
		}
	}
	if err := verdicts(io.Discard, []comparison{lacking}, build{}, build{}, "REF", &tallies{}); err == nil || errors.Is(err, errSlower) {
		t.Errorf("nothing was measured: %v", err)
	}
}

// Shows what several comparisons come to: of each row the least and the most, and how
// often there was which verdict.
func TestTallies(t *testing.T) {
	var all tallies
	all.add("a", 1.01, paired.Same)
	all.add("b", 1.2, paired.Slower)
	all.add("a", 0.99, paired.Noisy)
	all.add("a", 1, paired.Same)
	var out bytes.Buffer
	all.print(&out)
	want := `
| what | least | most | same | slower | faster | too noisy |
|---|---:|---:|---:|---:|---:|---:|
| a | 0.990 | 1.010 | 2 | 0 | 0 | 1 |
| b | 1.200 | 1.200 | 0 | 1 | 0 | 0 |

2 the same, 1 slower, 0 faster, 1 too noisy
`
	if d := cmp.Diff(want, out.String()); d != "" {
		t.Error(d)
	}
}

// Shows that of every figure of the table it is known which row of a comparison finds
// that it has become worse, or why none does, and that these rows are there.
func TestEveryFigureIsCompared(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{root: root, dir: t.TempDir()}
	list, err := l.comparisons(regexp.MustCompile(""))
	if err != nil {
		t.Fatal(err)
	}
	before, err := l.readKept()
	if err != nil {
		t.Fatal(err)
	}
	for key := range before.Figures {
		if compared[key] == (inComparison{}) {
			t.Errorf("%s is not compared", key)
		}
	}
	for _, b := range bars() {
		found := false
		for key := range compared {
			found = found || strings.HasPrefix(key, b.ID+": "+b.What+": ")
		}
		if !found {
			t.Errorf("%s %s is not compared", b.ID, b.What)
		}
	}
	for key, c := range compared {
		if (c.row == "") == (c.why == "") {
			t.Errorf("%s: either it has a row or a reason: %+v", key, c)
		}
		if c.row != "" && !slices.ContainsFunc(list, func(of comparison) bool { return slices.Contains(of.rows, c.row) }) {
			t.Errorf("%s: there is no row %q", key, c.row)
		}
		if !slices.ContainsFunc(bars(), func(b bar) bool { return strings.HasPrefix(key, b.ID+": "+b.What+": ") }) {
			t.Errorf("%s: there is no such bar", key)
		}
	}
}

// Shows that two builds are compared by what one of many costs, at one of the sizes at which that
// is measured, and by benchmarks that there are.
func TestGrowthAndBenchmarksAreCompared(t *testing.T) {
	for _, g := range growings() {
		c := (&lab{}).growing(g)
		if !slices.Contains(g.sizes, g.compared) || !slices.Contains(c.rows, fmt.Sprintf("growth, %s, %d", g.what, g.compared)) {
			t.Errorf("%s is compared at %d of %d: %q", g.what, g.compared, g.sizes, c.rows)
		}
		if late := slices.ContainsFunc(c.rows, func(row string) bool { return strings.HasSuffix(row, ofFirst) }); late != g.output {
			t.Errorf("%s: its first byte is compared: %v", g.what, late)
		}
	}
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range benchmarked {
		var text strings.Builder
		tests, err := filepath.Glob(filepath.Join(root, of.pkg, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range tests {
			one, err := os.ReadFile(test)
			if err != nil {
				t.Fatal(err)
			}
			text.Write(one)
		}
		if !strings.Contains(text.String(), "func "+of.top+"(b *testing.B)") || !strings.HasPrefix(of.pattern, "^"+of.top+"$") {
			t.Errorf("%s has no %s, or %q is not of it", of.pkg, of.top, of.pattern)
		}
		for _, f := range of.figures {
			if f.unit != "ns/op" && !strings.Contains(text.String(), strconv.Quote(f.unit)) {
				t.Errorf("%s reports no %s", of.pkg, f.unit)
			}
			if _, sub, found := strings.Cut(f.name, "/"); found && !strings.HasPrefix(sub, "level_on_") && !strings.Contains(text.String(), fmt.Sprintf("b.Run(%q", strings.ReplaceAll(sub, "_", " "))) {
				t.Errorf("%s: there is no %s", of.pkg, f.name)
			}
		}
	}
	if got, want := packagesOf([]comparison{{benchmark: &benchmarked[0]}, {}, {benchmark: &benchmarked[1]}, {benchmark: &benchmarked[2]}}), []string{"internal/lsp", "cassette"}; !slices.Equal(got, want) {
		t.Errorf("%q are built, want %q", got, want)
	}
}

// Shows that what this tree cannot build ends a comparison, which would otherwise be green
// with nothing measured, and that an older tree may lack all but the command.
func TestTreesThatDoNotBuild(t *testing.T) {
	programs := map[string]func(build) string{
		"./cmd/scenario":        func(b build) string { return b.scenario },
		"./internal/bench/work": func(b build) string { return b.work },
		"./internal/bench":      func(b build) string { return b.peer },
		"./internal/lsp":        func(b build) string { return b.tests["internal/lsp"] },
		"./cassette":            func(b build) string { return b.tests["cassette"] },
	}
	for broken, of := range programs {
		fails := errors.New("does not compile")
		l := &lab{dir: t.TempDir(), tested: []string{"internal/lsp", "cassette"}, tool: func(_ string, args ...string) error {
			if slices.Contains(args, broken) {
				return fails
			}
			return nil
		}}
		if _, err := l.buildOfTree(""); !errors.Is(err, fails) {
			t.Errorf("%s of this tree: %v", broken, err)
		}
		b, err := l.buildIn(l.dir, true)
		if command := broken == "./cmd/scenario"; errors.Is(err, fails) != command || of(b) != "" {
			t.Errorf("%s of an older tree: %v, %+v", broken, err, b)
		}
		for name, of := range programs {
			if err == nil && (of(b) == "") != (name == broken) {
				t.Errorf("%s of an older tree without %s: %q", name, broken, of(b))
			}
		}
	}
}

// Shows what growth is held to: the cost of one, memory, and the first byte, which may be
// late by a part of a long run.
func TestGrown(t *testing.T) {
	g := growing{what: "files", peak: 200}
	of := func(low, median, high float64) paired.Interval {
		return paired.Interval{Low: low, Median: median, High: high, Of: 3}
	}
	good := grown{each: of(1.2, 1.2, 1.2), ratio: of(1.2, 1.2, 1.2), peak: 200, first: 200, wall: 1000, output: true}
	for _, c := range []struct {
		name   string
		change func(*grown)
		want   string
	}{
		{"at its bounds", func(*grown) {}, "met"},
		{"one costs more", func(at *grown) { at.ratio = of(1.21, 1.21, 1.21) }, missed},
		{"one costs more, within the noise", func(at *grown) { at.ratio = of(1.19, 1.21, 1.23) }, "too noisy"},
		{"the smallest itself", func(at *grown) {
			at.each, at.ratio, at.smallest = of(0.8, 1, 1.3), of(1, 1, 1), true
		}, "met"},
		{"in one round", func(at *grown) { at.ratio.Of = 1 }, "one round"},
		{"more memory", func(at *grown) { at.peak = 201 }, missed},
		{"a late first byte", func(at *grown) { at.first = 201 }, missed},
		{"a late one of a long run", func(at *grown) { at.first, at.wall = 400, 20_000 }, "met"},
		{"too late for a long run", func(at *grown) { at.first, at.wall = 401, 20_000 }, missed},
		{"no output", func(at *grown) { at.first, at.output = 500, false }, "met"},
	} {
		at := good
		c.change(&at)
		if got := at.verdict(g); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	good.each, good.ratio = of(900, 1000, 1100), of(1.1, 1.2, 1.3)
	if got, want := good.line(g, 50_000), "| files | 50000 | 1000 µs | 1.20× | 1.10 – 1.30×, all 3 | 200 MB | 200 ms | 20.0 % | too noisy |"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Shows that what a command is compared with has the command's own collector.
func TestCollectorIsThatOfTheCommand(t *testing.T) {
	want := []string{fmt.Sprint("GOGC=", cli.GCPercent), fmt.Sprintf("GOMEMLIMIT=%dMiB", cli.MemoryLimit>>20)}
	if !slices.Equal(collector, want) {
		t.Errorf("%q, want %q", collector, want)
	}
}
