package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// A BenchHost is what a bench needs of the world outside. [Run] has none of it:
// a scenario simulates what a program would do.
type BenchHost struct {
	// Exec runs a program to its end, and ends it when ctx ends. It is called
	// from several goroutines at once.
	Exec func(ctx context.Context, p Program) Exit
	// Environment is that of the host, as os.Environ lists it. The credentials in it are
	// hidden in the result and in what Ended is told.
	Environment []string
	// Digests are those of [Digests] by the id of the case. Nil is for a host that
	// knows of nothing outside of the plan.
	Digests map[string]string
	// Answer finds what the system answered in an earlier run, in the place of asking
	// it again: nil asks it.
	Answer func(id string, trial int) (bench.Answer, error)
	// Done finds what became of a trial before, and Ended is told of every trial
	// that has ended; digest is equal as long as the trial would be the same. An
	// error of Ended ends the run. Started is told of every trial that begins.
	// They are called one at a time, and each may be nil.
	Done    func(id string, trial int, digest string) (bench.Trial, bool)
	Started func(id string, trial int)
	Ended   func(id string, trial int, digest string, t bench.Trial) error
	// Lost is asked before a trial begins that must not run twice: it reports whether
	// the trial has begun before, and notes that it does now. Nil knows of none.
	Lost func(id string, trial int, digest string) (bool, error)
	// Elsewhere, where not nil, has the results of trials that ran elsewhere, as Ended
	// was told of them there. None is run here; a workflow is played once more, for the
	// gates of all trials together.
	Elsewhere func(id string, trial int) (bench.Trial, bool)
	// Unread says that nobody reads the events of the result, which then has none of its
	// trials.
	Unread bool
	// OnInterrupt, where not nil, is given what cancels the run. That may be
	// called from any goroutine, once the run has ended too.
	OnInterrupt func(cancel func())
}

// benching is what a run knows of the bench that it runs.
type benching struct {
	run   *plan.BenchRun
	cases map[string]*plan.BenchCase
	// gates are those that runs of the workflow broke.
	gates *caseGates
	// ended counts the trials that have ended.
	ended int
	// over says that all cases have ended, and err what ended the bench early.
	over    bool
	err     error
	digests map[string]string
}

// bench runs the bench of a scenario.
func (r *run) bench(ctx context.Context) {
	b := &benching{run: r.plan.BenchRun, cases: map[string]*plan.BenchCase{}, digests: map[string]string{}, gates: newCaseGates()}
	r.benching = b
	for _, k := range b.run.Cases {
		b.cases[k.ID] = k
	}
	runner := bench.Runner{
		Spec: b.run.Spec, Cases: b.run.Plain(), SUT: r.hiddenSUT, Rubric: r.hiddenRubric, Clock: r.Clock, Ended: r.trialEnded,
		Started: func(c bench.Case, trial int) {
			r.emit(trace.Event{Payload: &event.CaseStart{Case: c.ID, Trial: trial}})
			if r.host != nil && r.host.Started != nil {
				r.host.Started(c.ID, trial)
			}
		},
	}
	runner.Cut = func(c bench.Case, trial int) {
		r.emit(trace.Event{Payload: &event.CaseEnd{Case: c.ID, Cut: true, Trial: trial}})
	}
	if h := r.host; h != nil {
		if h.Done != nil {
			runner.Done = r.done
		}
		if h.Lost != nil {
			runner.Lost = func(c bench.Case, trial int) (bool, error) { return h.Lost(c.ID, trial, r.digest(c.ID)) }
		}
		if h.Elsewhere != nil {
			runner.Elsewhere = func(c bench.Case, trial int) (bench.Trial, bool) {
				t, ran := h.Elsewhere(c.ID, trial)
				if ran {
					r.playedBefore(c.ID, trial)
				}
				return t, ran
			}
		}
	}
	b.err = runner.Run(ctx)
	b.over = true
	r.reportGates(b.gates, len(b.gates.over) > 0 && b.run.Spec.Of == 0 && r.Obs.Report(nil).Complete)
}

// playedBefore gathers the gates that a trial broke which is not run here, because it ran
// elsewhere or in an earlier run. Its result does not have them: of what a recording has
// for others it left nearly everything over.
func (r *run) playedBefore(id string, trial int) {
	k := r.benching.cases[id]
	if len(k.Sut) > 0 || k.Program != nil || r.plan.BenchRun.Workflow == nil {
		return
	}
	played := NewRun(r.plan.BenchRun.Workflow.ForCase(k, trial), RunOptions{}, nil)
	if err := played.Play(); err != nil {
		r.defect(fmt.Sprintf("trial %d of case %q could not be played for its gates: %s", trial, id, err), k.Rng)
		return
	}
	r.benching.gates.add(played)
}

// hiddenSUT is sut with its secrets hidden in what it says of a failure, before a
// report takes the beginning of that.
func (r *run) hiddenSUT(ctx context.Context, c bench.Case, trial int) (bench.Answer, error) {
	if r.host != nil && r.host.Answer != nil {
		r.playedBefore(c.ID, trial)
		return r.host.Answer(c.ID, trial)
	}
	a, err := r.sut(ctx, c, trial)
	return a, r.hiddenError(err)
}

// hiddenRubric is rubric with its secrets hidden in the same way.
func (r *run) hiddenRubric(ctx context.Context, c bench.Case, trial int, a bench.Answer) (bench.Score, error) {
	s, err := r.rubric(ctx, c, trial, a)
	s.FailureModes = slices.Clone(s.FailureModes) // those of a simulation are the plan's, which other runs read
	for i := range s.FailureModes {
		m := &s.FailureModes[i]
		m.Code, m.Detail = r.plan.Secrets.Text(m.Code), r.plan.Secrets.Text(m.Detail)
	}
	return s, r.hiddenError(err)
}

// hiddenError shortens what it says after its secrets are hidden: of one that is cut
// nobody can tell that it is one.
func (r *run) hiddenError(err error) error {
	switch e := err.(type) {
	case *bench.Exception:
		return &bench.Exception{Type: r.plan.Secrets.Text(e.Type), Message: bench.Shortened(r.plan.Secrets.Text(e.Message))}
	case *bench.Malformed:
		return &bench.Malformed{Detail: bench.Shortened(r.plan.Secrets.Text(e.Detail))}
	}
	return err
}

// done finds a trial of an earlier run, and puts it into the trace of this one.
func (r *run) done(c bench.Case, trial int) (bench.Trial, bool) {
	if t, seen := r.Obs.Trial(c.ID, trial); seen {
		return t, true
	}
	t, found := r.host.Done(c.ID, trial, r.digest(c.ID))
	if found {
		r.playedBefore(c.ID, trial)
		t = r.hiddenTrial(t) // that run may not have known what this one does
		t.Kept = t.Kept.Within(r.plan.BenchRun.KeptPerTrial())
		r.emit(trace.Event{Payload: &event.CaseEnd{Case: c.ID, Kept: true, Result: &t, Trial: trial}})
	}
	return t, found
}

// hiddenTrial is a trial with its secrets hidden in all that it says, as much of it as a
// log keeps.
func (r *run) hiddenTrial(t bench.Trial) bench.Trial {
	t.FailureModes = slices.Clone(t.FailureModes)
	for i := range t.FailureModes {
		m := &t.FailureModes[i]
		m.Code, m.Detail = r.plan.Secrets.Text(m.Code), r.plan.Secrets.Text(m.Detail)
	}
	t.Kept = t.Kept.Hidden(r.plan.Secrets.Shown).Within(bench.KeptInLog)
	if later := t.Later; later != nil {
		t.Later = func() *bench.Kept {
			return later().Hidden(r.plan.Secrets.Shown).Within(bench.KeptInLog).Within(r.plan.BenchRun.KeptPerTrial())
		}
	}
	return t
}

// trialEnded puts the end of a trial into the trace, which the report is made
// of, after the host has noted it.
func (r *run) trialEnded(c bench.Case, trial int, t bench.Trial) error {
	t = r.hiddenTrial(t)
	if r.host != nil && r.host.Ended != nil {
		if err := r.host.Ended(c.ID, trial, r.digest(c.ID), t); err != nil {
			return err
		}
	}
	t.Kept = t.Kept.Within(r.plan.BenchRun.KeptPerTrial())
	r.emit(trace.Event{Payload: &event.CaseEnd{Case: c.ID, Result: &t, Trial: trial}})
	if r.benching.ended++; r.host != nil && r.host.Unread && r.benching.ended%forgetEvery == 0 {
		r.Log.Forget(math.MaxInt)
	}
	return nil
}

// forgetEvery is after how many trials events that nobody reads are dropped.
const forgetEvery = 500

// digest is equal for trials that would be the same.
func (r *run) digest(id string) string {
	b := r.benching
	if r.host.Digests != nil {
		return r.host.Digests[id]
	}
	if b.digests[id] == "" {
		b.digests[id] = r.plan.CaseDigest(b.cases[id])
	}
	return b.digests[id]
}

// Digests identify the trials of each case of a bench, by its id: they are equal as
// long as a trial would be the same. Sum identifies what a program depends on outside
// of the plan: its files and its environment.
func Digests(p *plan.Plan, sum func(Program) string) map[string]string {
	digests := make(map[string]string, len(p.BenchRun.Cases))
	for _, k := range p.BenchRun.Cases {
		digest := p.CaseDigest(k)
		for _, program := range []*plan.BenchProgram{k.Program, k.Scored} {
			if program != nil {
				digest += sum(Program{File: p.File, Command: program.Command, Env: program.Env, Pass: program.Pass, DependsOn: program.DependsOn, Rubric: program == k.Scored})
			}
		}
		all := sha256.Sum256([]byte(digest))
		digests[k.ID] = hex.EncodeToString(all[:])
	}
	return digests
}

// benchStatus is how the run of a bench ends.
func (r *run) benchStatus() (string, *failure.Failure) {
	switch err := r.benching.err; {
	case errors.Is(err, bench.ErrCancelled):
		return read.StatusCancelled, &failure.Failure{Kind: failure.Cancelled, Message: err.Error(), Rule: failure.RuleCancelled}
	case err != nil:
		r.defect(err.Error(), r.workflow.Rng)
		return read.StatusFailed, &failure.Failure{Kind: failure.Exception, Message: err.Error()}
	case !r.Obs.Report(nil).Complete:
		return read.StatusPartial, nil
	}
	return read.StatusSuccess, nil
}
