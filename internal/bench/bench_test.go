package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Shows that a ratio is one of medians, so that a disturbed round decides
// nothing, and that its range is that of the rounds.
func TestRatio(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []float64
		want spread
	}{
		{"steady", []float64{4, 4, 4}, []float64{2, 2, 2}, spread{2, 2, 2}},
		{"one round disturbed", []float64{4, 40, 4}, []float64{2, 2, 2}, spread{2, 2, 20}},
		{"both sides slowed together", []float64{4, 40, 4}, []float64{2, 20, 2}, spread{2, 2, 2}},
		{"even number of rounds", []float64{2, 4, 6, 8}, []float64{1, 1, 1, 1}, spread{2, 5, 8}},
	} {
		if got := ratio(c.a, c.b); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

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
	if err != nil || s != (spread{0.105, 0.1075, 0.11}) {
		t.Errorf("got %v, %v", s, err)
	}
}

// Shows that a line names figure, limits and verdicts, and that only a missed
// first bar counts as missed.
func TestPrintBar(t *testing.T) {
	b := bar{ID: "G0", What: "a against b"}
	for _, c := range []struct {
		name        string
		first, goal *limit
		want        string
		missed      bool
	}{
		{"both met", atMost(2), atMost(1.5), "bar ≤ 2× ok goal ≤ 1.5× ok", false},
		{"goal missed", atMost(2), atMost(1.1), "bar ≤ 2× ok goal ≤ 1.1× missed", false},
		{"bar missed", atMost(1), nil, "bar ≤ 1× missed goal –", true},
		{"no bar", nil, atLeast(5), "bar – goal ≥ 5× missed", false},
	} {
		var out bytes.Buffer
		m := measured{Figures: []figure{{What: "CPU", Unit: "×", Of: spread{1.1, 1.2, 1.3}, First: c.first, Goal: c.goal}}}
		missed := printBar(&out, b, m)
		line := strings.Join(strings.Fields(out.String()), " ")
		if want := "G0 a against b CPU 1.2 × (1.1 – 1.2 – 1.3) " + c.want; line != want || missed != c.missed {
			t.Errorf("%s:\n got %s (%v)\nwant %s (%v)", c.name, line, missed, want, c.missed)
		}
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
