package judge

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/mistaken"
	"github.com/scenario-lang/scenario/interp/internal/judge/otherwise"
	"github.com/scenario-lang/scenario/interp/internal/judge/regrouped"
	"github.com/scenario-lang/scenario/interp/internal/judge/served"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/stdlib"
	"github.com/scenario-lang/scenario/trace"
)

// A Watcher checks the invariants of a run while it goes on, and judges it when
// it has finished.
type Watcher struct {
	obs *observe.Observed
	// all are the invariants in their order, and Left those that have held so
	// far.
	all, Left []*watched
	// broken are the invariants that did not hold, in the order in which they
	// broke.
	broken []plan.Problem
	// sole says that the scenario checks nothing but invariants, so that one
	// which holds over nothing matters.
	sole bool
	// bare says that only what is broken is asked for.
	bare bool
	// run is the run after the event of a number, as rules in Go look at it.
	run   *observe.Resilience
	runAt uint64
	// others tell of the runs that could have been, none where no program is run.
	others []func(*observe.Observed) []otherwise.Run
}

// watched is an invariant that has held so far.
type watched struct {
	*plan.Invariant
	// evaluated counts the events after which it was true or false, and problem
	// says why it could not be evaluated after the last event.
	evaluated int
	problem   string
	// held says that it held after the last event, or may still. late tells of the
	// first event that it seems to forbid and that left it open, "" for none.
	held bool
	late string
	// supposed says that it waits, and would hold with nothing in the place of what other
	// steps lack.
	supposed bool
	// steps are those on whose results alone it depends, nil where there is more. What
	// it came to after so many changes, at, it comes to while they are as they were
	// then, where steady says so; counts says that it was true. That holds for one
	// that waits, too: open decides without what the event's own step lacks, and so
	// says the same of the next event.
	steps          []string
	at             int
	steady, counts bool
	// shows says that it held of something after one of them. It is known only
	// where the scenario checks nothing but invariants, of its own. Else why says why
	// it shows nothing after the last one.
	shows bool
	// unmet says why it would have shown nothing of that if its row were the whole scenario.
	unmet string
	why   string
	// maybe is what an invariant of the standard library asks in Go, nil for any other.
	maybe observe.ResilienceRule
	// Seen are the versions of the steps, in the order in which they ran, of
	// which it held.
	Seen []int
}

// Watch begins to check the invariants of a plan, without those of a module, "" for none.
// Those of the standard library that Go knows to hold are not evaluated.
func Watch(o *observe.Observed, unchecked string) *Watcher {
	w := watch(o, unchecked)
	for _, i := range w.all {
		i.maybe = observe.ResilienceRuleOf(i.Invariant)
	}
	return w
}

// Bare finds what is broken, and not what is told of an invariant that holds: a search makes
// thousands of runs, and looks only for the first. It is called before the run.
func (w *Watcher) Bare() { w.bare = true }

// WatchProgram is Watch for what a program makes of a plan, and looks at checks in the other runs
// that there could have been. What runs no program links none of that.
func WatchProgram(o *observe.Observed) *Watcher {
	w := Watch(o, "")
	w.others = ofPrograms()
	return w
}

func ofPrograms() []func(*observe.Observed) []otherwise.Run {
	return []func(*observe.Observed) []otherwise.Run{regrouped.Runs, served.Runs, mistaken.Runs}
}

// watch is Watch, but that every condition is evaluated.
func watch(o *observe.Observed, unchecked string) *Watcher {
	w := &Watcher{obs: o}
	if len(o.Plan.Invariants) == 0 {
		return w
	}
	w.sole = len(o.Plan.Asserts)+len(o.Plan.Expects)+len(o.Plan.SnapshotChecks) == 0
	for _, i := range o.Plan.Invariants {
		if unchecked != "" && i.Rng.Filename == unchecked {
			continue
		}
		w.all = append(w.all, &watched{Invariant: i, steps: observe.StepsOf(i)})
	}
	w.Left = append(w.Left, w.all...)
	o.Log.Observe(func(e trace.Event) { o.Look(func() { w.check(&e) }) })
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

// evaluate returns what is wrong with an invariant after an event, or nil.
func (w *Watcher) evaluate(i *watched, e *trace.Event) *plan.Problem {
	if i.Unseen.In(w.obs.Way) != "" {
		return nil
	}
	watched := w.sole && i.Own && (!i.shows || i.unmet != "")
	if !watched && w.stepwise(i) {
		i.evaluated++
		i.held = true
		return nil
	}
	if i.steady && w.obs.Unchanged(i.steps, i.at) {
		if i.counts {
			i.evaluated++
		}
		return nil
	}
	if w.knownToHold(i, e) {
		i.evaluated++
		i.held = true
		return nil
	}
	d, sure := observe.Decision{}, false
	if !watched {
		d, sure = w.obs.DecidePlainly(i.Invariant, i.held || w.supposes(i, e))
	}
	if !sure {
		d = w.obs.Decide(i.Invariant)
	}
	i.at = w.obs.Changes()
	if d.Wrong != "" {
		i.problem = d.Wrong
	}
	began := false
	switch waits := !d.Made && !d.Early && d.Context != nil && d.Wrong == ""; {
	case waits && i.held:
		began = w.open(i, &d, e)
	case waits && w.supposes(i, e):
		w.suppose(i, &d, e)
	default:
		i.held = d.Holds || d.Early
	}
	i.steady = i.steps != nil && !watched
	i.counts = d.Holds
	if !d.Made {
		return nil
	}
	i.evaluated++
	c := &checker{run: &finished{Plan: w.obs.Plan, Obs: w.obs}, ctx: d.Context, idle: func() bool { return idleSteps(w.obs) }}
	if d.Holds {
		c.amid = true
		if watched {
			if !i.shows {
				i.why = c.aboutNothing(&i.Assertion)
				i.shows = i.why == ""
			}
			if i.unmet = ""; i.shows && w.obs.Plan.Instances > 1 {
				i.unmet = c.strictly(&i.Assertion)
			}
		}
		return nil
	}
	p := c.judged(&i.Assertion, d.Value, nil)
	p.Kind = "invariant"
	p.Bare = false // no operand says which event it was
	p.Message = strings.TrimSuffix(p.Message, ".") + ": broken by event " + eventText(e) + "."
	if began {
		p.Message += tooEarly(&d)
	} else {
		p.Message += w.early(&d)
	}
	return p
}

// knownToHold reports whether a rule in Go says of a run that has ended that an invariant
// holds.
func (w *Watcher) knownToHold(i *watched, e *trace.Event) bool {
	if i.maybe == nil || w.obs.Run.Status == "" {
		return false
	}
	if w.run == nil || w.runAt != e.Seq {
		w.run, w.runAt = w.obs.Resilience(), e.Seq
	}
	return !i.maybe(w.run)
}

// open decides an invariant that held until an event and waits since. What begins
// must not be before what the condition asks of other steps, so it breaks it; of
// anything else that happens the reports tell.
func (w *Watcher) open(i *watched, d *observe.Decision, e *trace.Event) (began bool) {
	now := w.obs.DecideNow(i.Invariant, d, e)
	i.held = now.Made && now.Holds
	switch {
	case !now.Made || now.Holds:
	case observe.Begins(e):
		*d = now
		return true
	case i.late == "":
		name := dsl.TraversalText(now.Missing[0])
		i.late = fmt.Sprintf("it held before event %s, and was left open there, as %s was not there yet.\n%s", eventText(e), name, orInTheEnd(name))
	}
	return false
}

// supposes reports whether an event is one after which [Watcher.suppose] looks at an invariant:
// the beginning of the run, and the end of a step, or of an attempt of a program.
func (w *Watcher) supposes(i *watched, e *trace.Event) bool {
	switch e.Type {
	case trace.RunStart, trace.StepEnd:
	case trace.AttemptEnd:
		if !w.obs.Driven() {
			return false
		}
	default:
		return false
	}
	return !w.bare && !i.Standard && i.late == ""
}

// suppose notes the event that leaves open an invariant which was never decided: with nothing
// in the place of what other steps lack it held before, and does not any more. So it may be
// meant of that moment, and is decided by what comes later.
func (w *Watcher) suppose(i *watched, d *observe.Decision, e *trace.Event) {
	now := w.obs.DecideNow(i.Invariant, d, e)
	if i.supposed && now.Made && !now.Holds && now.Value != cty.NilVal && now.Value.IsKnown() {
		name := dsl.TraversalText(now.Missing[0])
		i.late = fmt.Sprintf("event %s left it open: it is false unless %s makes it true, which was not there yet.\n%s", eventText(e), name, orInTheEnd(name))
	}
	i.supposed = now.Made && now.Holds
}

// orInTheEnd says how to ask of a moment, and of the end.
func orInTheEnd(name string) string {
	return fmt.Sprintf("hint: to ask what is there at that moment, compare with null, as in %[1]s != null; for what is there in the end, begin with %[1]s == null ||", name)
}

// tooEarly explains a condition that something broke by its beginning.
func tooEarly(d *observe.Decision) string {
	name := dsl.TraversalText(d.Missing[0])
	return fmt.Sprintf("\n%s was not there when this began, so it did not begin after that.\nhint: if the order does not matter, wait for it: %[1]s == null || …", name)
}

// early explains a condition that was false before all that it reads was there.
func (w *Watcher) early(d *observe.Decision) string {
	if len(d.Missing) == 0 || w.obs.Run.Status != "" {
		return ""
	}
	name := dsl.TraversalText(d.Missing[0])
	return fmt.Sprintf("\n%s was not there yet, and the rest is false whatever it becomes.\nhint: for a condition that begins with %[1]s, write %[1]s == null || …", name)
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
// evaluated a single time although what they read was there, or in the end for another
// reason than that something is null. Where a scenario
// checks nothing but invariants of its own and none of them was evaluated, all
// of them are: it has checked nothing.
func (w *Watcher) Problems() []plan.Problem {
	list := w.broken
	idle := w.idle()
	for _, i := range w.Left {
		switch {
		case i.evaluated > 0 && i.problem != "":
			if why, defect := w.leftOpen(i); defect {
				list = append(list, plan.Problem{
					Kind: "invariant", Name: i.Name, Range: i.Condition.Range(),
					Message: "the condition could be evaluated at first, and not in the end: " + why,
				})
			}
		case i.evaluated > 0:
		case i.problem != "":
			list = append(list, plan.Problem{
				Kind: "invariant", Name: i.Name, Message: "the condition could not be evaluated after any event: " + i.problem, Range: i.Condition.Range(),
			})
		case idle && i.Own:
			list = append(list, plan.Problem{
				Kind: "invariant", Name: i.Name, Range: i.Condition.Range(),
				Message: "the condition was never evaluated, and the scenario checks nothing else: something that it reads was null after every event.\nhint: say what must hold of this run, or allow = [\"" + plan.GateNoAssertion + "\"]",
			})
		}
	}
	return list
}

// leftOpen says why an invariant that held after some events cannot be evaluated in the
// end, "" where it can; and whether that is a defect of its condition, and not for want of
// something that is null.
func (w *Watcher) leftOpen(i *watched) (why string, defect bool) {
	if d := w.obs.Decide(i.Invariant); d.Wrong != "" {
		return d.Wrong, w.obs.Defect(i.Invariant, &d) != ""
	}
	return "", false
}

// late tells of invariants that an event left open which they seem to forbid, and
// that held in the end; and of those that an element without what they read left open,
// which are broken if the scenario itself says them of its one run: broken has those.
func (w *Watcher) late(every bool) (list, broken []plan.Problem) {
	for _, i := range w.Left {
		if i.late != "" {
			list = append(list, plan.Problem{Kind: plan.KindIgnored, Name: "invariant " + strconv.Quote(i.Name), Range: i.Condition.Range(), Message: i.late})
			continue
		}
		if i.evaluated == 0 || i.problem == "" {
			continue
		}
		why, defect := w.leftOpen(i)
		if why == "" || defect {
			continue
		}
		text := "it held at first, and could not be evaluated in the end, so that it says nothing of the whole run: " + why + "\nhint: say what holds where it is null, as in x == null || …"
		if i.Own && !every {
			broken = append(broken, plan.Problem{Kind: "invariant", Name: i.Name, Range: i.Condition.Range(), Message: text})
			continue
		}
		list = append(list, plan.Problem{Kind: plan.KindIgnored, Name: "invariant " + strconv.Quote(i.Name), Range: i.Condition.Range(), Message: text})
	}
	return list, broken
}

// idle reports whether invariants of its own are all that a scenario checks, and
// none of them was evaluated once.
func (w *Watcher) idle() bool {
	p := w.obs.Plan
	if w.obs.Way == plan.Serve || w.obs.Way == plan.Embedded {
		return false // the test asserts by itself
	}
	if len(p.Asserts)+len(p.Expects)+len(p.SnapshotChecks)+len(w.broken) > 0 || p.BenchRun != nil && p.BenchRun.Scoring || p.Allow[plan.GateNoAssertion] {
		return false
	}
	for _, i := range w.all {
		if i.Own && (i.evaluated > 0 || i.problem != "") {
			return false
		}
	}
	return true
}

// counts says how often each invariant was evaluated, in their order.
func (w *Watcher) counts() []plan.InvariantCount {
	var list []plan.InvariantCount
	for _, i := range w.all {
		if i.Unseen.In(w.obs.Way) != "" {
			continue
		}
		list = append(list, plan.InvariantCount{
			Name: i.Name, Range: i.Rng, Own: i.Own, Evaluated: i.evaluated,
			Standard: strings.HasPrefix(i.Rng.Filename, stdlib.ModulePrefix),
		})
	}
	return append(list, w.obs.Plan.Inapplicable...)
}

// stepwise reports whether an invariant that is about single steps still holds,
// by looking at those which have changed. Where it cannot tell, all of the
// condition is evaluated.
func (w *Watcher) stepwise(i *watched) bool {
	if i.Checks == nil {
		return false
	}
	w.obs.LookedAt(len(w.obs.Order), i.Name)
	need, ctx := i.Needs.Of("steps").Element(), w.obs.Static().NewChild()
	for n, s := range w.obs.Order {
		if n == len(i.Seen) {
			i.Seen = append(i.Seen, -1)
		}
		if i.Seen[n] == s.Version {
			continue
		}
		v := observe.StepItem(s, need)
		dsl.Made(ctx, "steps", v)
		for _, c := range i.Checks {
			if !c.Holds(ctx, v) {
				return false
			}
		}
		i.Seen[n] = s.Version
	}
	return true
}
