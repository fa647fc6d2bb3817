package interp

import (
	"testing"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/internal/engine"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// Shows that after every event of every scenario, also where something else fails in
// it, the result of a step that is said not to have changed is what it was: conditions
// about it are then not evaluated again.
func TestStepsThatDidNotChange(t *testing.T) {
	kept, want := 0, 10_000
	for n, p := range deterministic(t) {
		if p.Skip != "" || p.NotRun(Interpreted) != "" {
			continue
		}
		if testing.Short() && n%10 != 0 {
			want = 500
			continue
		}
		for strike := range 2 {
			r := engine.NewRun(plan.Inside(p), RunOptions{Inject: failing(strike)}, nil)
			if err := r.Play(); err != nil {
				t.Fatalf("%s: %q: %v", p.File, p.Name, err)
			}
			if events := r.Log.Events(); len(events) <= 150 { // of the long ones the same could be said, slowly
				kept += unchanged(t, p, events)
			}
		}
	}
	if kept < want {
		t.Errorf("only %d times was a step said not to have changed", kept)
	}
}

// failing injects a failure at one point, counted from 1.
func failing(point int) func(Point) *Injection {
	f := faults.Lookup("connection_reset")
	asked := 0
	return func(at Point) *Injection {
		if asked++; asked != point || !at.Meets(f) {
			return nil
		}
		return &Injection{Fault: f, Args: f.Usual()}
	}
}

// unchanged folds events, and counts how often a step is said not to have changed.
func unchanged(t *testing.T, p *Plan, events []trace.Event) (kept int) {
	t.Helper()
	o := observe.NewObserved(plan.Inside(p))
	o.Log = trace.NewLog(0)
	last, since := map[string]string{}, map[string]int{}
	for _, e := range events {
		o.Log.Append(e)
		o.Apply(&e)
		for name, s := range o.Steps {
			same := o.Unchanged([]string{name}, since[name]) && last[name] != ""
			if same && e.Seq%5 != 0 { // what is wrong once stays wrong
				continue
			}
			now := jsonOf(observe.StepVal(s, read.Everything))
			if same {
				if kept++; now != last[name] {
					t.Fatalf("%s: %q: event %d (%s of %q) changed %q:\n%s\n%s", p.File, p.Name, e.Seq, e.Type, e.Step, name, last[name], now)
				}
			}
			last[name], since[name] = now, o.Changes()
		}
	}
	return kept
}
