package observe

import (
	"fmt"
	"math"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/tally"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// What a run does counts as much as what expressions build, in bytes: see
// [dsl.Meter].
const (
	mostInRun = 128 << 20
	// The scenarios that are written in a file share two such runs, and each has an eighth of one
	// all the same: with thirty lines one may write nearly thirty.
	mostWritten  = 2 * mostInRun
	leastWritten = mostInRun / 8
	// Those that blocks for several stand for share four such runs, and fewer where others are
	// written beside them, but one at least.
	mostInRuns = 4 * mostInRun
	// Each of ten thousand scenarios has room for some thirty attempts all the same; they then
	// take some ten seconds at most, on two cores. More of them share what those have, and
	// each has room for its steps.
	inRunOfMany  = 1 << 17
	many         = 10_000
	leastInRun   = 1 << 14
	bytesOfEvent = 512
	// For an attempt a message is written and read, and one that answers it: that takes as
	// long as four more events.
	bytesOfAttempt = 4 * bytesOfEvent
	// A query goes over all events.
	bytesInQuery = 32
	// An invariant over the steps looks for those that have changed.
	bytesOfLook = 2
	// A plain condition, and each element that it goes over.
	bytesOfPlain = 16
	// What one check, and all checks, of a run in real time may take before nothing more is asked of
	// them.
	muchOfCheck  = 8 << 20
	muchOfChecks = 128 << 20
	// What is read of an event, as far as it has no texts.
	bytesRead = 64
)

// Bound gives a run on the virtual clock a limit on all that it does: such a run
// has no other end than what it computes. At 0 it is that of the plan: the scenarios of its
// file share one.
func (o *Observed) Bound(limit int64) {
	if limit == 0 {
		limit = share(o.Plan)
	}
	o.work = tally.New(limit)
	o.static = dsl.Bounded(o.Plan.Static, o.work)
}

// share is what a run of a plan may do. It follows from what is written in the file, never from
// what else runs.
func share(p *plan.Plan) int64 {
	blocks := int64(max(1, p.Blocks))
	if p.Others == 0 {
		return min(mostInRun, max(mostWritten/blocks, leastWritten))
	}
	n := int64(1 + p.Others)
	together := max(mostInRuns/blocks, mostInRun)
	return min(mostInRun, max(together/n, inRunOfMany*many/max(many, n), leastInRun))
}

// BoundInvariants gives a run in real time, which has as many events as its program
// makes, a limit on what its invariants take: there may be more of it with each event.
func (o *Observed) BoundInvariants() {
	o.invariantWork = tally.New(mostInRun)
	o.invariantStatic = dsl.Bounded(o.Plan.Static, o.invariantWork)
}

// BoundAsIn gives a run that is judged from its trace the limit that it had.
func (o *Observed) BoundAsIn(realTime bool) {
	if realTime {
		o.BoundInvariants()
	} else {
		o.Bound(0)
	}
}

// CountChecks counts from here on what the checks of a run take that has ended, where nothing
// else does: in real time. There is no limit on it; see [Observed.Work].
func (o *Observed) CountChecks() {
	if o.work != nil {
		return
	}
	o.work, o.counts = tally.New(math.MaxInt64/2), true
	o.static = dsl.Bounded(o.Plan.Static, o.work)
	events := o.Log.Events()
	for i := range events {
		dsl.Grow(o.static, bytesRead+int64(heldBy(&events[i])))
	}
}

// Work is what was counted so far, in bytes as [dsl.Meter] does.
func (o *Observed) Work() int64 { return o.work.Spent() }

// TookMuch reports whether a check that is only counted has taken a lot since the work before it, or
// all checks together have.
func (o *Observed) TookMuch(before int64) bool {
	now := o.Work()
	return o.counts && (now-before > muchOfCheck || now > muchOfChecks)
}

// Look lets f evaluate invariants after an event. Once they have taken more than they
// may it is not called: [Observed.Err] is then what there is to say of the run.
func (o *Observed) Look(f func()) {
	if o.invariantWork == nil {
		f()
		return
	}
	if o.invariantWork.Over() {
		return
	}
	o.invariantWork.Allow(inRunOfMany)
	static := o.static
	o.static, o.work = o.invariantStatic, o.invariantWork
	f()
	o.static, o.work = static, nil
}

// worked counts an event.
func (o *Observed) worked(e *trace.Event) {
	held := int64(heldBy(e))
	if o.invariantWork != nil {
		dsl.Grow(o.invariantStatic, bytesRead+held)
	}
	if o.work == nil {
		return
	}
	dsl.Grow(o.static, bytesRead+held)
	if e.Type == trace.AttemptStart {
		held += bytesOfAttempt
	}
	o.work.Spend(bytesOfEvent+held, func() tally.Part { return partOf(e) })
}

// heldBy is how much an event holds whose size the scenario decides.
func heldBy(e *trace.Event) int {
	switch p := e.Payload.(type) {
	case *event.AttemptStart:
		if p.Request != nil {
			return len(p.Request.Body)
		}
	case *event.AttemptEnd:
		return len(p.Content) + len(p.Chunks)*bytesRead
	case *event.StepEnd:
		return len(p.Content) + len(p.Body)
	}
	return 0
}

// partOf is the part of the work that an event is.
func partOf(e *trace.Event) tally.Part {
	if e.Step != "" {
		return tally.Part{Name: fmt.Sprintf("what happens in step %q", e.Step)}
	}
	return tally.Part{Name: fmt.Sprintf("the event %s", e.Type)}
}

// queried counts a query, which goes over all events.
func (o *Observed) queried(name string) {
	if o.work != nil {
		o.work.Spend(int64(len(o.Log.Events()))*bytesInQuery, func() tally.Part { return tally.Part{Name: "the calls of " + name + "(…)"} })
	}
}

// LookedAt counts that an invariant went over so many steps to find those which
// have changed.
func (o *Observed) LookedAt(steps int, invariant string) {
	if o.work != nil {
		o.work.Spend(int64(steps)*bytesOfLook, func() tally.Part { return tally.Part{Name: fmt.Sprintf("the invariant %q", invariant)} })
	}
}

// decidedPlainly counts that a plain condition was decided, going over so many
// elements.
func (o *Observed) decidedPlainly(elements int, invariant string) {
	if o.work != nil {
		o.work.Spend(int64(1+elements)*bytesOfPlain, func() tally.Part { return tally.Part{Name: fmt.Sprintf("the invariant %q", invariant)} })
	}
}

// Static is what is known before the run, as its expressions are evaluated in it.
func (o *Observed) Static() *hcl.EvalContext { return o.static }

// Spent reports whether the run has done more than it may.
func (o *Observed) Spent() bool { return o.work.Over() }

// A TooMuchError says that a run did more than it may.
type TooMuchError struct {
	Limit   int64
	Most    tally.Part
	Percent int
	// Invariants says that it is what the invariants of a run in real time took.
	Invariants bool
}

// Err is a [TooMuchError] once the run has done more than it may, nil before.
func (o *Observed) Err() error {
	work := o.work
	if o.invariantWork != nil {
		work = o.invariantWork
	}
	if !work.Over() {
		return nil
	}
	most, percent := work.Most()
	return &TooMuchError{Limit: work.Limit(), Most: most, Percent: percent, Invariants: o.invariantWork != nil}
}

func (e *TooMuchError) Error() string {
	if e.Invariants {
		return fmt.Sprintf("too much to compute: the invariants of the run, which are evaluated after each event, take more than %d KiB of values and turns together, of which %s takes %d %%. "+
			"%d KiB, and %d KiB more for each event, is what they may take. Let a condition that goes over much be an assert, which is evaluated once, and not an invariant",
			e.Limit>>10, e.Most, e.Percent, mostInRun>>10, inRunOfMany>>10)
	}
	shared := ""
	if e.Limit < mostInRun {
		shared = ". Fewer scenarios in a file have more each"
	}
	return fmt.Sprintf("too much to compute: the run takes more than %d KiB of values, turns and events together, of which %s takes %d %%. "+
		"Compute what does not change once, in a local; let a loop end, and let a condition that goes over much be an assert, which is evaluated once, and not an invariant%s",
		e.Limit>>10, e.Most, e.Percent, shared)
}
