package interp

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/trace"
)

// invariant is a condition that must hold after every event of a run, as soon
// as what it reads is there.
type invariant struct {
	assertion
	// operands are what the condition reads, and needs the same for building it.
	operands []hcl.Traversal
	needs    *needs
	// checks is what the condition asks of every step by itself, nil for one
	// that asks more.
	checks []*stepCheck
}

// watcher checks the invariants of a run while it goes on.
type watcher struct {
	obs  *observed
	left []*watched
	// broken are the invariants that did not hold, in the order in which they
	// broke.
	broken []Problem
}

// watched is an invariant that has held so far.
type watched struct {
	*invariant
	// checked says that it could be evaluated once, and problem why it could
	// not after the last event.
	checked bool
	problem string
	// seen are the versions of the steps, in the order in which they ran, of
	// which it held.
	seen []int
}

// watch begins to check the invariants of a plan.
func watch(o *observed) *watcher {
	w := &watcher{obs: o}
	if len(o.plan.invariants) == 0 {
		return w
	}
	for _, i := range o.plan.invariants {
		w.left = append(w.left, &watched{invariant: i})
	}
	o.log.Observe(func(e trace.Event) { w.check(&e) })
	return w
}

// check evaluates what still holds after one event.
func (w *watcher) check(e *trace.Event) {
	still := w.left[:0]
	for _, i := range w.left {
		if p := w.evaluate(i, e); p != nil {
			w.broken = append(w.broken, *p)
		} else {
			still = append(still, i)
		}
	}
	w.left = still
}

// early reports whether something that an invariant reads of the run is not
// there yet. That is cheap to know, and spares the rest: a condition over
// run.ended_ms and every step is built once and not after each event.
func (w *watcher) early(i *watched) bool {
	read := i.needs.of("run")
	if read == nil {
		return false
	}
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{"run": runVal(&w.obs.run, read)}}
	for _, t := range i.operands {
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
func (w *watcher) evaluate(i *watched, e *trace.Event) *Problem {
	if w.early(i) {
		return nil
	}
	if w.stepwise(i) {
		i.checked = true
		return nil
	}
	ctx := w.obs.observedContext(i.needs)
	for _, t := range i.operands {
		if v, diags := t.TraverseAbs(ctx); diags.HasErrors() || v.IsNull() {
			return nil
		}
	}
	v, diags := i.condition.Value(ctx)
	if diags.HasErrors() {
		i.problem = firstError(diags)
		return nil
	}
	if v.IsNull() || !v.IsKnown() {
		return nil
	}
	i.checked = true
	if v.Type() == cty.Bool && v.True() {
		return nil
	}
	c := &checker{run: &finished{plan: w.obs.plan, obs: w.obs}, ctx: ctx}
	p := c.assert(&i.assertion)
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

// problems are the invariants that did not hold, and those that could not be
// evaluated a single time although what they read was there. Where a scenario
// checks nothing else and nothing that any of them reads was ever there, all of
// them are: it has checked nothing.
func (w *watcher) problems() []Problem {
	list := w.broken
	idle := w.idle()
	for _, i := range w.left {
		switch {
		case idle:
			list = append(list, Problem{
				Kind: "invariant", Name: i.name, Range: i.condition.Range(),
				Message: "the condition was never checked, and the scenario checks nothing else: something that it reads was null after every event.\nhint: say what must hold of this run, or allow = [\"" + gateNoAssertion + "\"]",
			})
		case !i.checked && i.problem != "":
			list = append(list, Problem{
				Kind: "invariant", Name: i.name, Message: "the condition could not be evaluated after any event: " + i.problem, Range: i.condition.Range(),
			})
		}
	}
	return list
}

// idle reports whether invariants are all that a scenario checks, and none of
// them was checked once.
func (w *watcher) idle() bool {
	p := w.obs.plan
	if len(p.asserts)+len(p.expects)+len(p.snapshots)+len(w.broken) > 0 || p.bench != nil && p.bench.scoring || p.allow[gateNoAssertion] {
		return false
	}
	for _, i := range w.left {
		if i.checked || i.problem != "" {
			return false
		}
	}
	return true
}
