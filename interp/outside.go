package interp

import (
	"context"

	"github.com/scenario-lang/scenario/interp/internal/drive"
	"github.com/scenario-lang/scenario/interp/internal/judge"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

type (
	// OutsideOptions say how a run is driven from outside.
	OutsideOptions = drive.Options
	// Asked is a request of a program that has been read to its end.
	Asked = drive.Asked
	// An Exchange is the answer to one request, and is told how it is played.
	Exchange = drive.Exchange
)

// The header fields by which a program can say which endpoint a request is for,
// and in which lane it is.
const (
	HeaderEndpoint = drive.HeaderEndpoint
	HeaderLane     = drive.HeaderLane
)

// ErrFinished is the error of a request that comes after the end of a run.
var ErrFinished = drive.ErrFinished

// Outside is a run whose calls a program makes: it answers them, and judges the
// run in the end. It is safe for concurrent use.
type Outside struct {
	handle  *Plan
	plan    *plan.Plan
	run     *drive.Run
	watcher *judge.Watcher
	failed  error
}

// NewOutside begins a run of a plan that a program drives. What keeps it from
// beginning is told by Finish, and by every request.
func NewOutside(p *Plan, o OutsideOptions) *Outside {
	in := plan.Inside(p)
	if told := o.OnGate; told != nil {
		o.OnGate = func(p Problem, times int) {
			in.Secrets.Problem(&p)
			told(p, times)
		}
	}
	run := drive.New(in, o)
	out := &Outside{handle: p, plan: in, run: run, watcher: judge.Watch(run.Obs)}
	out.failed = run.Begin()
	return out
}

// Answer decides what a request meets; see [Exchange]. Requests that break a
// gate are answered, too. The error is that of ctx where the client left first,
// [ErrFinished], or why the run could not begin.
func (o *Outside) Answer(ctx context.Context, a Asked) (*Exchange, error) {
	if o.failed != nil {
		return nil, o.failed
	}
	return o.run.Answer(ctx, a)
}

// Warnings are what the run has to say that breaks nothing, in order.
func (o *Outside) Warnings() []string { return o.run.Warnings() }

// Finish ends the run and judges it. It is called once; requests that come later
// have no answer. An empty status is a success.
func (o *Outside) Finish(status string) (*Result, *Observation) {
	return o.judged(status), &Observation{obs: o.run.Obs}
}

func (o *Outside) judged(status string) *Result {
	result := &Result{Plan: o.handle}
	defer func() { shownApart(result, o.plan) }()
	defer result.InFile()
	if o.failed != nil {
		result.Verdict = Error
		result.Problems = []Problem{{Kind: "error", Name: "run", Message: o.failed.Error(), Range: o.plan.Workflow.Rng}}
		return result
	}
	o.run.Finish(status)
	o.watcher.Judge(result)
	result.Virtual = o.run.Now()
	result.WasRun, result.Events = true, o.run.Log.Events()
	result.Played = o.run.Played()
	if err := o.run.Log.Err(); err != nil {
		result.Verdict = Error
		result.Problems = []Problem{{Kind: "error", Name: "run", Message: err.Error(), Range: o.plan.Workflow.Rng}}
	}
	return result
}
