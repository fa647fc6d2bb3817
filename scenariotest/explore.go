package scenariotest

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/scenario-lang/scenario"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/explore"
	"github.com/scenario-lang/scenario/internal/searched"
	"github.com/scenario-lang/scenario/interp"
)

var update = flag.Bool("scenario.update", false, "write what explorations find into testdata/explore, as scenarios")

// Explore finds faults that break a program: it calls f again and again, each time in a
// bubble of its own and with another fault at another of its requests, for every
// scenario of a file. The scenario is the run without a fault, which has to pass.
//
// A find is what must not happen whatever a service does: f calls t.Error or t.Fatal, or
// panics; an invariant of the file, or a rule of std/resilience, is broken; a request
// waits for ever (the gate deadlock), or an answer or a goroutine is left behind
// (open_body, left_running). An error that f returns says that the program gave up, which
// is no find: the log tells which faults it does not survive. What the scenario expects
// is about the run without a fault.
//
// A find is made as small as it goes, has to come again two times of two, and fails the
// test with a scenario that shows it. -scenario.update writes that to
// testdata/explore/TEST/NAME.scenario.hcl. Files there are run before anything else, as
// subtests TEST/NAME that fail until the program is mended.
//
// Single faults and outages are tried, at most 2,000 runs for each scenario: see [Runs]
// and [Pairs]. With -short it is outages and silences alone. The t that f gets keeps its
// log to itself. f must begin anew with every call: what a program keeps from one run to
// the next, in a variable of a package, ends the exploration with an error. A panic in
// another goroutine than that of f ends the process, as in any test: the next start
// names the faults of that run, and begins with them.
func Explore(t *testing.T, path string, f func(t testing.TB, s *Scenario) error, list ...Option) {
	t.Helper()
	o := optionsOf(t, "Explore", list)
	if f == nil {
		t.Fatal(noFunction("Explore", "func(t testing.TB, s *scenariotest.Scenario) error"))
	}
	outside(t, "Explore")
	o.write = o.write || *update
	if o.runs == 0 {
		o.runs = runsUsual
	}
	suite := load(t, path, o)
	finds, err := homeOf(path)
	if err != nil {
		t.Fatal(err)
	}
	failing := program(f).replay(t, finds, o)
	for _, sc := range suite.Scenarios() {
		t.Run(sc.Name(), func(t *testing.T) {
			t.Helper()
			if why := sc.CanDrive(); why != "" {
				t.Skip(why)
			}
			x := &exploration{t: t, scenario: sc, f: f, options: o, home: finds, failing: failing, dir: finds.of(strings.TrimSuffix(t.Name(), "/"+lastOf(t.Name())))}
			x.explore()
		})
	}
}

// lastOf is the last element of the name of a test.
func lastOf(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// An exploration is that of one scenario.
type exploration struct {
	t        *testing.T
	scenario *scenario.Scenario
	f        program
	options  *options
	home     home
	dir      string // of the finds
	// failing are the files of finds that fail already.
	failing map[string]bool
	world   *explore.World
	note    *note
	// gaveUp is the error that f returned in the run without a fault.
	first  sync.Once
	gaveUp error
	// unasked says which requests never came in that run.
	unasked []string
}

// explore searches the scenario and reports what it finds.
func (x *exploration) explore() {
	x.t.Helper()
	x.note = openNote(x.t.Name())
	defer x.note.close()
	if x.note.before != "" {
		fmt.Fprintf(os.Stderr, "scenariotest: %s: an earlier run ended the process, with %s\n", x.t.Name(), x.note.before)
	}
	x.world = x.newWorld()
	o := explore.Options{MaxK: 1, Runs: x.options.runs, Parallel: 1, Known: x.known}
	if !x.options.wrong {
		o.Except = []string{explore.KindWrong} // a test says itself which answer is right, and each would be a find
	}
	if x.options.pairs {
		o.MaxK = 2
	}
	if testing.Short() {
		o.Kinds = explore.Gravest()
	}
	r := explore.Explore(x.world, o)
	x.report(r, o)
}

// newWorld is the scenario as a search knows it.
func (x *exploration) newWorld() *explore.World {
	file, line := x.scenario.Position()
	probe := &searched.Run{}
	x.scenario.Drive(scenario.DriveOptions{Search: probe}).Finish()
	var model *explore.World
	if !x.options.noModel {
		model = explore.ModelOf(probe.Plan)
	}
	return &explore.World{
		File: file, Line: line, Name: x.scenario.Name(), Plan: probe.Plan.JSON(),
		Run: func(inject func(interp.Point) *interp.Injection, events int) *interp.Result {
			run := &searched.Run{Inject: inject, Events: events}
			result, w := x.f.play(x.t, x.scenario, run)
			x.first.Do(func() { x.gaveUp, x.unasked = w.gaveUp, unasked(run.Outside) })
			return result
		},
		Program: &explore.Program{Virtual: true, Recheck: 100, First: x.note.before, Begin: x.note.begin, Model: model},
	}
}

// report fails the test with what was found, and logs the rest.
func (x *exploration) report(r *explore.Report, o explore.Options) {
	x.t.Helper()
	if !r.Pass() {
		var b strings.Builder
		for _, text := range x.unasked {
			fmt.Fprintf(&b, "\n  %s", strings.ReplaceAll(text, "\n", "\n    "))
		}
		if x.gaveUp != nil {
			fmt.Fprintf(&b, "\n  the function returned: %v", x.gaveUp)
		}
		for i := range r.Base.Problems {
			p := &r.Base.Problems[i]
			fmt.Fprintf(&b, "\n  %s %s: %s", p.Kind, p.Name, strings.ReplaceAll(explore.MessageOf(p), "\n", "\n    "))
		}
		x.t.Fatalf("the scenario does not pass without a fault, so it is not explored:%s", b.String())
	}
	if r.Base.Injected.Unfit != "" {
		x.t.Skip(r.Base.Injected.Unfit)
	}
	if len(r.Points) == 0 {
		x.t.Fatal("there is no point that a fault could strike: the function asked for nothing through s.Client, s.DialContext or s.Stdio")
	}
	texts, fresh := "", 0
	for _, f := range r.Finds {
		if f.Known {
			continue
		}
		fresh++
		texts += x.write(f)
	}
	var b strings.Builder
	_ = explore.WriteText(&b, []*explore.Report{r}, o, 0)
	text := "\n" + b.String() + texts
	if fresh > 0 || r.Unsteady != nil {
		x.t.Error(text)
		return
	}
	x.t.Log(text)
}

// A note says, in a file of the user's cache, which set is under way: who ends the process has no other way
// to tell.
type note struct {
	file   *os.File // nil where there can be none
	before string
}

func openNote(test string) *note {
	n := &note{}
	here, _ := os.Getwd()
	dir, err := os.UserCacheDir()
	if err == nil {
		dir = filepath.Join(dir, "scenario")
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return n
	}
	sum := sha256.Sum256([]byte(here + "\x00" + test))
	path := filepath.Join(dir, fmt.Sprintf("exploring-%x", sum[:8]))
	if text, err := disk.Read(path, fileMax); err == nil {
		n.before = string(text)
	}
	n.file, _ = os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	return n
}

// begin notes a set before its run.
func (n *note) begin(set explore.Set) {
	if n.file == nil {
		return
	}
	text := set.String()
	if _, err := n.file.WriteAt([]byte(text), 0); err == nil {
		_ = n.file.Truncate(int64(len(text)))
	}
}

// close removes the note: the process has not ended.
func (n *note) close() {
	if n.file == nil {
		return
	}
	_ = n.file.Close()
	_ = os.Remove(n.file.Name())
}
