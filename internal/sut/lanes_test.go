package sut_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// endurance says that the long forms of tests are wanted: make endurance.
var endurance = os.Getenv("SCENARIO_ENDURANCE") != ""

// entriesOfLanes is which entry answered which attempt of which lane, in the order of
// their names.
const entriesOfLanes = `jsonencode([for e in [endpoint.render, endpoint.publish] : {
  for l in e.lanes : l.name => [for a in l.attempts : join(" ", [coalesce(a.fault, "reply"), a.outcome])]
}])`

// Shows that the program with eight workers, on the wire, gets the same verdict and, lane
// for lane, the same entries each time: a thousand times in the long form.
func TestLanesRepeatOnTheWire(t *testing.T) {
	runs := 4
	if endurance {
		runs = 1000
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "lanes")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = "../../scenarios/drive/lanes"
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	plan := planOf(t, "../../scenarios/drive/lanes.scenario.hcl")
	var lanes [2][]string
	for n := range 8 {
		for i, fault := range []string{"http_error", "connection_reset"} {
			lanes[i] = append(lanes[i], fmt.Sprintf(`"%d":["%s failure","reply success"]`, n, fault))
		}
	}
	want := strconv.Quote(fmt.Sprintf("[{%s},{%s}]", strings.Join(lanes[0], ","), strings.Join(lanes[1], ",")))
	var next atomic.Int64
	var group sync.WaitGroup
	for range 4 { // each of them waits most of its time
		group.Go(func() {
			for next.Add(1) <= int64(runs) && !t.Failed() {
				r := sut.Play(plan, sut.Options{Command: []string{program}, WorkingDir: dir, Environment: os.Environ()})
				if r.Verdict != interp.Pass {
					t.Errorf("%s: %+v", r.Verdict, r.Problems)
					return
				}
				v, diags := r.Seen.Value(entriesOfLanes)
				if diags.HasErrors() {
					t.Error(diags)
					return
				}
				text, err := ctyjson.Marshal(v, v.Type())
				if err != nil || string(text) != want {
					t.Errorf("entries\n%s, want\n%s (%v)", text, want, err)
				}
			}
		})
	}
	group.Wait()
}
