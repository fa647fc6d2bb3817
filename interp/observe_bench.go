package interp

import (
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/trace"
)

// scored is what is known of the cases of a bench.
type scored struct {
	run    *benchRun
	trials map[trialKey]bench.Trial
	report *bench.Report // once the run has ended
}

type trialKey struct {
	id string
	n  int
}

func newScored(b *benchRun) *scored {
	return &scored{run: b, trials: make(map[trialKey]bench.Trial, len(b.cases)*b.spec.Trials)}
}

func (o *observed) caseEnd(e *trace.Event) {
	if get[bool](e, "cut") {
		return
	}
	o.scored.trials[trialKey{get[string](e, "case"), get[int](e, "trial")}] = get[bench.Trial](e, "result")
}

// trial is what became of a trial, and whether it has ended.
func (o *observed) trial(id string, n int) (bench.Trial, bool) {
	t, ended := o.scored.trials[trialKey{id, n}]
	return t, ended
}

// report is the bench's report of what has happened so far.
func (o *observed) report(err error) *bench.Report {
	if o.run.status == statusCancelled {
		err = bench.ErrCancelled
	}
	if o.run.status == "" {
		return bench.Summarise(o.scored.run.spec, o.scored.run.plain(), func(c bench.Case, n int) (bench.Trial, bool) { return o.trial(c.ID, n) }, err)
	}
	if o.scored.report == nil {
		o.scored.report = bench.Summarise(o.scored.run.spec, o.scored.run.plain(), func(c bench.Case, n int) (bench.Trial, bool) { return o.trial(c.ID, n) }, err)
	}
	return o.scored.report
}
