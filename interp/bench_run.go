package interp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/trace"
)

// A BenchHost is what a bench needs of the world outside. [Run] has none of it:
// a scenario simulates what a program would do.
type BenchHost struct {
	// Exec runs a program to its end, and ends it when ctx ends. It is called
	// from several goroutines at once.
	Exec func(ctx context.Context, p Program) Exit
	// Sum identifies the files that are words of a command, so that a changed
	// program gives other digests. Nil knows of none.
	Sum func(p Program) string
	// Done finds what became of a trial before, and Ended is told of every trial
	// that has ended; digest is equal as long as the trial would be the same. An
	// error of Ended ends the run. Started is told of every trial that begins.
	// They are called one at a time, and each may be nil.
	Done    func(id string, trial int, digest string) (bench.Trial, bool)
	Started func(id string, trial int)
	Ended   func(id string, trial int, digest string, t bench.Trial) error
	// OnInterrupt, where not nil, is given what cancels the run. That may be
	// called from any goroutine, once the run has ended too.
	OnInterrupt func(cancel func())
}

// benching is what a run knows of the bench that it runs.
type benching struct {
	run   *benchRun
	cases map[string]*benchCase
	// gates are those that runs of the workflow broke.
	gates *caseGates
	// err is what ended the bench early.
	err     error
	digests map[string]string
}

// bench runs the bench of a scenario.
func (r *run) bench(ctx context.Context) {
	b := &benching{run: r.plan.bench, cases: map[string]*benchCase{}, digests: map[string]string{}, gates: newCaseGates()}
	r.benching = b
	for _, k := range b.run.cases {
		b.cases[k.ID] = k
	}
	runner := bench.Runner{
		Spec: b.run.spec, Cases: b.run.plain(), SUT: r.sut, Rubric: r.rubric, Clock: r.clock, Ended: r.trialEnded,
		Started: func(c bench.Case, trial int) {
			r.emit(trace.Event{Type: trace.CaseStart, Attrs: attrs("case", c.ID, "trial", trial)})
			if r.host != nil && r.host.Started != nil {
				r.host.Started(c.ID, trial)
			}
		},
	}
	runner.Cut = func(c bench.Case, trial int) {
		r.emit(trace.Event{Type: trace.CaseEnd, Attrs: attrs("case", c.ID, "cut", true, "trial", trial)})
	}
	if r.host != nil && r.host.Done != nil {
		runner.Done = r.done
	}
	b.err = runner.Run(ctx)
	r.reportGates(b.gates)
}

// plain are the cases as package bench knows them.
func (b *benchRun) plain() []bench.Case {
	cases := make([]bench.Case, len(b.cases))
	for i, k := range b.cases {
		cases[i] = k.Case
	}
	return cases
}

// done finds a trial of an earlier run, and puts it into the trace of this one.
func (r *run) done(c bench.Case, trial int) (bench.Trial, bool) {
	if t, seen := r.obs.trial(c.ID, trial); seen {
		return t, true
	}
	t, found := r.host.Done(c.ID, trial, r.digest(c.ID))
	if found {
		r.emit(trace.Event{Type: trace.CaseEnd, Attrs: attrs("case", c.ID, "kept", true, "result", t, "trial", trial)})
	}
	return t, found
}

// trialEnded puts the end of a trial into the trace, which the report is made
// of, after the host has noted it.
func (r *run) trialEnded(c bench.Case, trial int, t bench.Trial) error {
	for i := range t.FailureModes {
		m := &t.FailureModes[i]
		m.Code, m.Detail = r.plan.secrets.Text(m.Code), r.plan.secrets.Text(m.Detail)
	}
	if r.host != nil && r.host.Ended != nil {
		if err := r.host.Ended(c.ID, trial, r.digest(c.ID), t); err != nil {
			return err
		}
	}
	r.emit(trace.Event{Type: trace.CaseEnd, Attrs: attrs("case", c.ID, "result", t, "trial", trial)})
	return nil
}

// digest is equal for trials that would be the same.
func (r *run) digest(id string) string {
	b := r.benching
	if known := b.digests[id]; known != "" {
		return known
	}
	k := b.cases[id]
	digest := r.plan.caseDigest(k)
	if r.host.Sum != nil {
		for _, p := range []*benchProgram{k.program, k.scored} {
			if p != nil {
				digest += r.host.Sum(Program{File: r.plan.File, Command: p.command})
			}
		}
		sum := sha256.Sum256([]byte(digest))
		digest = hex.EncodeToString(sum[:])
	}
	b.digests[id] = digest
	return digest
}

// benchStatus is how the run of a bench ends (semantics.md §12).
func (r *run) benchStatus() (string, *failure.Failure) {
	switch err := r.benching.err; {
	case errors.Is(err, bench.ErrCancelled):
		return statusCancelled, &failure.Failure{Kind: failure.Cancelled, Message: err.Error(), Rule: failure.RuleCancelled}
	case err != nil:
		r.defect(err.Error(), r.workflow.rng)
		return statusFailed, &failure.Failure{Kind: failure.Exception, Message: err.Error()}
	case !r.obs.report(nil).Complete:
		return statusPartial, nil
	}
	return statusSuccess, nil
}

// WithBench is the plan of a bench with other numbers; what is 0 stays.
func (p *Plan) WithBench(trials, concurrency int) *Plan {
	q := *p
	own := *p.bench
	q.bench = &own
	if trials > 0 {
		own.spec.Trials = trials
	}
	if concurrency > 0 {
		own.spec.Concurrency = concurrency
	}
	q.core, q.hash = sync.OnceValue(q.sum), sync.OnceValue(q.digest)
	return &q
}

// Bench is what the plan's bench asks for; ok is false for a plan without one.
func (p *Plan) Bench() (spec bench.Spec, ok bool) {
	if p.bench == nil {
		return spec, false
	}
	return p.bench.spec, true
}

// BenchCases are the ids of the cases of the plan's bench, sorted.
func (p *Plan) BenchCases() []string {
	if p.bench == nil {
		return nil
	}
	return caseIDs(p.bench.cases)
}

// Unscorable says why a plan of Suite.Benches cannot be run, "" where it can.
func (p *Plan) Unscorable() string {
	switch b := p.bench; {
	case b.decl.sut == nil:
		return fmt.Sprintf("the bench %q has no sut block, so there is nothing to score", b.spec.Name)
	case len(b.cases) == 0:
		return fmt.Sprintf("the bench %q has no cases: give it cases = fileset(\"cases/*.json\")", b.spec.Name)
	}
	return ""
}
