package judge

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// A Watcher checks the invariants of a run while it goes on, and judges it when
// it has finished.
type Watcher struct {
	obs  *observe.Observed
	Left []*watched
	// broken are the invariants that did not hold, in the order in which they
	// broke.
	broken []plan.Problem
}

// watched is an invariant that has held so far.
type watched struct {
	*plan.Invariant
	// checked says that it could be evaluated once, and problem why it could
	// not after the last event.
	checked bool
	problem string
	// Seen are the versions of the steps, in the order in which they ran, of
	// which it held.
	Seen []int
}

// Watch begins to check the invariants of a plan.
func Watch(o *observe.Observed) *Watcher {
	w := &Watcher{obs: o}
	if len(o.Plan.Invariants) == 0 {
		return w
	}
	for _, i := range o.Plan.Invariants {
		w.Left = append(w.Left, &watched{Invariant: i})
	}
	o.Log.Observe(func(e trace.Event) { w.check(&e) })
	return w
}

// check evaluates what still holds after one event.
func (w *Watcher) check(e *trace.Event) {
	still := w.Left[:0]
	for _, i := range w.Left {
		if p := w.evaluate(i, e); p != nil {
			w.broken = append(w.broken, *p)
		} else {
			still = append(still, i)
		}
	}
	w.Left = still
}

// early reports whether something that an invariant reads of the run is not
// there yet. That is cheap to know, and spares the rest: a condition over
// run.ended_ms and every step is built once and not after each event.
func (w *Watcher) early(i *watched) bool {
	need := i.Needs.Of("run")
	if need == nil {
		return false
	}
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{"run": observe.RunVal(&w.obs.Run, need)}}
	for _, t := range i.Operands {
		if t.RootName() != "run" {
			continue
		}
		if v, diags := t.TraverseAbs(ctx); diags.HasErrors() || v.IsNull() {
			return true
		}
	}
	return false
}

// evaluate returns what is wrong with an invariant after an event, or nil.
func (w *Watcher) evaluate(i *watched, e *trace.Event) *plan.Problem {
	if w.early(i) {
		return nil
	}
	if w.stepwise(i) {
		i.checked = true
		return nil
	}
	ctx := w.obs.ObservedContext(i.Needs)
	for _, t := range i.Operands {
		if v, diags := t.TraverseAbs(ctx); diags.HasErrors() || v.IsNull() {
			return nil
		}
	}
	v, diags := i.Condition.Value(ctx)
	if diags.HasErrors() {
		i.problem = plan.FirstError(diags)
		return nil
	}
	if v.IsNull() || !v.IsKnown() {
		return nil
	}
	i.checked = true
	if v.Type() == cty.Bool && v.True() {
		return nil
	}
	c := &checker{run: &finished{Plan: w.obs.Plan, Obs: w.obs}, ctx: ctx}
	p := c.assert(&i.Assertion)
	p.Kind = "invariant"
	p.Bare = false // no operand says which event it was
	p.Message = strings.TrimSuffix(p.Message, ".") + ": broken by event " + eventText(e) + "."
	return p
}

// eventText names an event for people.
func eventText(e *trace.Event) string {
	text := fmt.Sprintf("%d at %s, %s", e.Seq, e.At, e.Type)
	if e.Step != "" {
		text += fmt.Sprintf(" of step %q", e.Step)
	}
	if e.Iteration > 0 {
		text += fmt.Sprintf(", iteration %d", e.Iteration)
	}
	if e.Attempt > 0 {
		text += fmt.Sprintf(", attempt %d", e.Attempt)
	}
	if e.Target != "" {
		text += fmt.Sprintf(", target %q", e.Target)
	}
	return text
}

// Problems are the invariants that did not hold, and those that could not be
// evaluated a single time although what they read was there. Where a scenario
// checks nothing else and nothing that any of them reads was ever there, all of
// them are: it has checked nothing.
func (w *Watcher) Problems() []plan.Problem {
	list := w.broken
	idle := w.idle()
	for _, i := range w.Left {
		switch {
		case idle:
			list = append(list, plan.Problem{
				Kind: "invariant", Name: i.Name, Range: i.Condition.Range(),
				Message: "the condition was never checked, and the scenario checks nothing else: something that it reads was null after every event.\nhint: say what must hold of this run, or allow = [\"" + plan.GateNoAssertion + "\"]",
			})
		case !i.checked && i.problem != "":
			list = append(list, plan.Problem{
				Kind: "invariant", Name: i.Name, Message: "the condition could not be evaluated after any event: " + i.problem, Range: i.Condition.Range(),
			})
		}
	}
	return list
}

// idle reports whether invariants are all that a scenario checks, and none of
// them was checked once.
func (w *Watcher) idle() bool {
	p := w.obs.Plan
	if len(p.Asserts)+len(p.Expects)+len(p.SnapshotChecks)+len(w.broken) > 0 || p.BenchRun != nil && p.BenchRun.Scoring || p.Allow[plan.GateNoAssertion] {
		return false
	}
	for _, i := range w.Left {
		if i.checked || i.problem != "" {
			return false
		}
	}
	return true
}

// stepwise reports whether an invariant that is about single steps still holds,
// by looking at those which have changed. Where it cannot tell, all of the
// condition is evaluated.
func (w *Watcher) stepwise(i *watched) bool {
	if i.Checks == nil {
		return false
	}
	need, ctx := i.Needs.Of("steps").Element(), w.obs.Plan.Static.NewChild()
	for n, s := range w.obs.Order {
		if n == len(i.Seen) {
			i.Seen = append(i.Seen, -1)
		}
		if i.Seen[n] == s.Version {
			continue
		}
		v := observe.StepItem(s, need)
		for _, c := range i.Checks {
			if !c.Holds(ctx, v) {
				return false
			}
		}
		i.Seen[n] = s.Version
	}
	return true
}
