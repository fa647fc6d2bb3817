package scenariotest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario"
	"github.com/scenario-lang/scenario/internal/searched"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/wire"
)

// A program is the function of a test, as an exploration calls it.
type program func(t testing.TB, s *Scenario) error

// play makes one run of a scenario in a bubble of its own, and says what became of it,
// and what the function returned.
func (p program) play(t *testing.T, sc *scenario.Scenario, run *searched.Run) (*interp.Result, *witness) {
	w := &witness{}
	left := p.bubble(t, sc, run, w)
	return p.result(run, w, left), w
}

// bubble is the bubble of a run. A bubble in which nothing can go on says so.
func (p program) bubble(t *testing.T, sc *scenario.Scenario, run *searched.Run, w *witness) (left error) {
	defer func() {
		if p := recover(); p != nil {
			if left = blocked(p); left == nil {
				panic(p)
			}
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		w.TB = t
		s := &state{t: w, reported: map[string]bool{}, search: run}
		s.driven = sc.Drive(scenario.DriveOptions{Clock: impatient{wire.System(), run}, Patience: time.Nanosecond, Search: run})
		t.Cleanup(func() {
			if open := s.connections(); open != "" {
				run.Outside.Broke("left_running", open)
			}
			run.Failed = w.gaveUp != nil || w.Failed()
			s.finish()
		})
		w.call(func() error { return p(w, &Scenario{state: s}) })
	})
	return nil
}

// result is what a run came to, with what its code says. One that never came to its end
// has the trace alone.
func (program) result(run *searched.Run, w *witness, left error) *interp.Result {
	r := &interp.Result{Plan: run.Plan, Way: interp.Embedded, WasRun: true, Verdict: interp.Pass}
	if run.Result != nil {
		*r = *run.Result
		r.Problems = slices.Clone(r.Problems)
	} else {
		r.Events, r.Injected = run.Outside.Trace(), run.Outside.Injected()
	}
	switch {
	case left == nil:
	case run.Result == nil:
		broke(r, "deadlock", fmt.Sprintf("the program waits for something that cannot come any more: %v", left))
	default:
		broke(r, "left_running", fmt.Sprintf("goroutines of the program were still blocked when the function had returned: %v\nhint: close what they wait for, or end them with t.Context()", left))
	}
	r.Problems = append(r.Problems, w.problems...)
	if len(r.Problems) > 0 && r.Verdict == interp.Pass {
		r.Verdict = interp.Fail
	}
	if w.skips {
		r.Injected.Unfit = "the test skipped the run: " + w.skipped
	}
	return r
}

// broke adds a gate that a run broke after its end.
func broke(r *interp.Result, gate, message string) {
	at := hcl.Pos{Line: r.Plan.Line, Column: 1}
	p := interp.Problem{Kind: "gate", Name: gate, Message: message, Range: hcl.Range{Filename: r.Plan.File, Start: at, End: at}}
	if r.Plan.Allows(gate) {
		r.Relaxed = append(r.Relaxed, p)
		return
	}
	r.Problems = append(r.Problems, p)
}

// An impatient clock ends a silence after a day: by then a program waits for ever. It
// gets an error, so that it can end.
type impatient struct {
	wire.Clock
	run *searched.Run
}

var errSilence = errors.New("scenariotest: nothing ended this silence in a day")

// Sleep implements wire.Clock.
func (c impatient) Sleep(ctx context.Context, d time.Duration) error {
	if d != wire.Forever {
		return c.Clock.Sleep(ctx, d)
	}
	if err := c.Clock.Sleep(ctx, day); err != nil {
		return err
	}
	c.run.Outside.Broke("deadlock", "the program waits for an answer that never comes, and has waited for a day.\nhint: give its client a deadline: http.Client.Timeout, or a context")
	return errSilence
}

// uselessMax is how many requests a program may make in a run that was given up.
const uselessMax = 100

// endUseless ends a goroutine that asks and asks in a run that was given up: no answer
// ends it, and no result is wanted any more.
func (s *state) endUseless() {
	if s.search == nil {
		return
	}
	select {
	case <-s.search.Outside.Abandoned():
		if s.asked.Add(1) > uselessMax {
			runtime.Goexit()
		}
	default:
	}
}
