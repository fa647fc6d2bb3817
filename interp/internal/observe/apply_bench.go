package observe

import (
	"fmt"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Unreached are the gates of a bench that its report does not pass, and that
// there is no whole report.
func Unreached(p *plan.Plan, o *Observed) []plan.Problem {
	report := o.Report(nil)
	decl := p.BenchRun.Decl
	if !report.Complete {
		return []plan.Problem{{
			Kind: "run", Name: "incomplete", Range: decl.Block.DefRange,
			Message: fmt.Sprintf("the bench is incomplete (%s): %d of %d cases ran.\nhint: scenario bench --resume runs the rest%s", report.PartialReason, report.Ran(), len(report.Cases), moreMoney(report.PartialReason)),
		}}
	}
	var problems []plan.Problem
	blocks := decl.Block.All("gate")
	for i, g := range report.Gates {
		if !g.Passed {
			problems = append(problems, plan.Problem{Kind: "gate", Name: g.Name, Range: blocks[i].DefRange, Message: "the gate is not passed: " + strings.Join(g.Reasons, "; ") + "."})
		}
	}
	return problems
}

func moreMoney(reason string) string {
	if reason == bench.PartialCostCap {
		return ", once cost_cap_usd allows it"
	}
	return ""
}

// scored is what is known of the cases of a bench.
type scored struct {
	run    *plan.BenchRun
	trials map[trialKey]bench.Trial
	report *bench.Report // once the run has ended
}

type trialKey struct {
	id string
	n  int
}

func newScored(b *plan.BenchRun) *scored {
	return &scored{run: b, trials: make(map[trialKey]bench.Trial, len(b.Cases)*b.Spec.Trials)}
}

func (o *Observed) caseEnd(p *event.CaseEnd) {
	if p.Cut || p.Result == nil || o.Scored.report != nil {
		return
	}
	t := *p.Result
	t.Elapsed = t.Elapsed.Truncate(time.Millisecond) // as the trace has it
	o.Scored.trials[trialKey{p.Case, p.Trial}] = t
}

// Trial is what became of a trial, and whether it has ended.
func (o *Observed) Trial(id string, n int) (bench.Trial, bool) {
	t, ended := o.Scored.trials[trialKey{id, n}]
	return t, ended
}

// Report is the bench's report of what has happened so far.
func (o *Observed) Report(err error) *bench.Report {
	if o.Run.Status == read.StatusCancelled {
		err = bench.ErrCancelled
	}
	if o.Run.Status == "" {
		return bench.Summarise(o.Scored.run.Spec, o.Scored.run.Plain(), func(c bench.Case, n int) (bench.Trial, bool) { return o.Trial(c.ID, n) }, err)
	}
	if o.Scored.report == nil {
		o.Scored.report = bench.Summarise(o.Scored.run.Spec, o.Scored.run.Plain(), func(c bench.Case, n int) (bench.Trial, bool) { return o.Trial(c.ID, n) }, err)
		o.Scored.trials = nil // the report has them
	}
	return o.Scored.report
}
