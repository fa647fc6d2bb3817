package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/scenario-lang/scenario/interp/sched"
	"github.com/scenario-lang/scenario/money"
)

// An Answer is what the system under test gave for a case.
type Answer struct {
	// Output is a JSON object.
	Output json.RawMessage
	// CostUSD is what it cost; it counts where an error stands beside it, too.
	CostUSD float64
	// Elapsed, where not 0, is how long it took by a clock of its own.
	Elapsed time.Duration
	// Log is what its program wrote on standard error, and Calls are those that
	// its workflow made, also where there is no answer.
	Log   string
	Calls []Call
}

// A SUT is the system under test. It is called in a task of the runner's
// scheduler and must return soon after its context has ended. An error that is
// context.Canceled ends the run; any other is the case's failure, named by an
// [Exception] or by the error's own type.
type SUT func(ctx context.Context, c Case, trial int) (Answer, error)

// A Rubric scores an answer, in a task of the runner's scheduler. An error that
// is context.Canceled ends the run; any other means that there is no score.
type Rubric func(ctx context.Context, c Case, trial int, a Answer) (Score, error)

// An Exception is an error of the system under test with the name of its type.
type Exception struct{ Type, Message string }

func (e *Exception) Error() string { return e.Type + ": " + e.Message }

// A Malformed is the error of a rubric that gave no score: what is to be told
// of it.
type Malformed struct{ Detail string }

func (m *Malformed) Error() string { return m.Detail }

// A Trial is what became of one trial of one case.
type Trial struct {
	Score
	Elapsed time.Duration
	// Kept is what there is to look at, nil for nothing, and nil also where Later has it. Use
	// [Trial.Look].
	Kept *Kept
	// Later, where not nil, stands in the place of Kept: of 100,000 trials that takes more
	// memory than all else. It reads what was kept again at each call, returns nil for
	// nothing, and is not safe for concurrent use.
	Later func() *Kept
}

// Look is what there is to look at, nil for nothing. See Later for what it costs.
func (t *Trial) Look() *Kept {
	if t.Later != nil {
		return t.Later()
	}
	return t.Kept
}

// A Runner runs every trial of every case. All of it belongs to the tasks of
// its clock.
type Runner struct {
	Spec   Spec
	Cases  []Case
	SUT    SUT
	Rubric Rubric
	Clock  *sched.Scheduler
	// Done finds a trial that ended before; nil finds none.
	Done func(c Case, trial int) (Trial, bool)
	// Lost, where not nil, is asked before a trial begins that must not run twice: it
	// reports whether it has begun before, and notes that it does now.
	Lost func(c Case, trial int) (bool, error)
	// Elsewhere, where not nil, has the results of trials that ran elsewhere: none is
	// run here, and those of which it has nothing never ran.
	Elsewhere func(c Case, trial int) (Trial, bool)
	// Started, Ended and Cut, where not nil, are told what happens. An error of
	// Ended ends the run: what is not noted must not count.
	// Cut is told of a trial that the end of the run cut short.
	Started func(c Case, trial int)
	Ended   func(c Case, trial int, t Trial) error
	Cut     func(c Case, trial int)

	queue []Case
	spent money.USD
	// next is when the next trial may begin, where the spec has a rate.
	next   time.Duration
	cancel context.CancelCauseFunc
	broken error
}

// ErrTimeout is the error of a system whose own clock says that it was longer
// than the limit of a case.
var ErrTimeout = errors.New("the case took longer than its limit")

// ErrCancelled is why a run ended before all its cases had: it was cancelled,
// or the system under test was.
var ErrCancelled = errors.New("the bench was cancelled")

// Run runs the cases in the order of their ids, as many at a time as the spec
// says, and returns when all under way have ended. Every trial that ended was
// told to Ended. The error is ErrCancelled, or what Ended returned; a run that
// the cost cap ended has none.
func (r *Runner) Run(ctx context.Context) error {
	r.queue, r.Spec = sorted(r.Cases), r.Spec.whole()
	if r.Done != nil {
		r.count(ctx)
	}
	outer := ctx
	ctx, r.cancel = r.Clock.WithCancelCause(ctx)
	defer r.cancel(nil)
	workers := make([]*sched.Task, min(r.Spec.Concurrency, len(r.queue)))
	for i := range workers {
		workers[i] = r.Clock.Go(ctx, fmt.Sprintf("worker %d", i+1), i, r.work)
	}
	for _, w := range workers {
		_ = w.Wait(context.Background())
	}
	switch {
	case r.broken != nil:
		return r.broken
	case outer.Err() != nil:
		return fmt.Errorf("%w: %w", ErrCancelled, sched.Cause(outer))
	}
	return nil
}

// count books what was spent before, until ctx ends: to look at a trial of a workflow is to
// play it once more.
func (r *Runner) count(ctx context.Context) {
	for _, c := range r.queue {
		for trial := 1; trial <= r.Spec.Trials && ctx.Err() == nil; trial++ {
			if t, done := r.Done(c, trial); done {
				r.spent = r.spent.Plus(money.Of(t.CostUSD))
			}
		}
	}
}

// breached reports whether more was spent than may be. The cap is a flag of
// its own: what is under way goes on.
func (r *Runner) breached() bool {
	return r.Elsewhere == nil && r.spent.Cmp(money.Of(r.Spec.CostCap)) > 0
}

func (r *Runner) work(ctx context.Context) {
	for {
		// What ends at this instant is over before the next case begins
		//, and counts against the cap.
		if r.Clock.SleepAs(ctx, sched.Start, 0) != nil || len(r.queue) == 0 || r.breached() {
			return
		}
		c := r.queue[0]
		r.queue = r.queue[1:]
		for trial := 1; trial <= r.Spec.Trials && ctx.Err() == nil; trial++ {
			if err := r.once(ctx, c, trial); err != nil {
				if r.broken == nil {
					r.broken = err
				}
				r.cancel(err)
			}
		}
	}
}

// once runs one trial of a case.
func (r *Runner) once(ctx context.Context, c Case, trial int) error {
	if r.Done != nil {
		if _, done := r.Done(c, trial); done {
			return nil
		}
	}
	if r.Elsewhere != nil {
		return r.elsewhere(c, trial)
	}
	if lost, err := r.lost(c, trial); lost || err != nil {
		return err
	}
	if r.pace(ctx) != nil {
		return nil // the run is over, and the trial has not begun
	}
	if r.Started != nil {
		r.Started(c, trial)
	}
	began := r.Clock.Elapsed()
	answer, s, err := r.score(ctx, c, trial)
	if err != nil || s.cutShort() {
		if r.Cut != nil {
			r.Cut(c, trial)
		}
		return err // it counts as not begun
	}
	s.CostUSD = min(money.Of(cost(s.CostUSD)).Plus(money.Of(cost(answer.CostUSD))).Float64(), maxCost)
	t := Trial{Score: s, Elapsed: r.Clock.Elapsed() - began, Kept: keptOf(&answer, &s)}
	if answer.Elapsed > 0 {
		t.Elapsed = answer.Elapsed
	}
	return r.end(c, trial, t)
}

// end books a trial that has ended.
func (r *Runner) end(c Case, trial int, t Trial) error {
	r.spent = r.spent.Plus(money.Of(t.CostUSD))
	if r.Ended == nil {
		return nil
	}
	return r.Ended(c, trial, t)
}

// elsewhere takes over what a trial came to that ran elsewhere.
func (r *Runner) elsewhere(c Case, trial int) error {
	t, ran := r.Elsewhere(c, trial)
	if !ran {
		return nil
	}
	if r.Started != nil {
		r.Started(c, trial)
	}
	return r.end(c, trial, t)
}

// lost ends a trial that must not run twice and has begun before.
func (r *Runner) lost(c Case, trial int) (bool, error) {
	if r.Lost == nil || r.Spec.Idempotent {
		return false, nil
	}
	lost, err := r.Lost(c, trial)
	if !lost || err != nil {
		return false, err
	}
	if r.Started != nil {
		r.Started(c, trial)
	}
	return true, r.end(c, trial, LostTrial("it was begun before, and idempotent = false"))
}

// LostTrial is what a trial came to whose end nobody knows.
func LostTrial(why string) Trial { return Trial{Score: failed(WorkerLost, why, 0)} }

// pace waits until the next trial may begin.
func (r *Runner) pace(ctx context.Context) error {
	if r.Spec.Rate <= 0 {
		return nil
	}
	now := r.Clock.Elapsed()
	at := max(now, r.next)
	r.next = at + time.Duration(float64(time.Minute)/r.Spec.Rate)
	return r.Clock.SleepAs(ctx, sched.Start, at-now)
}

// maxCost bounds what one trial may be said to cost, in dollars, so that all
// sums are numbers: one that is not would be lost from a log, and the cap with
// it.
const maxCost = 1e12

// cost is what counts of what a system or a rubric says.
func cost(said float64) float64 {
	if !(said >= 0) { // NaN, too
		return 0
	}
	return min(said, maxCost)
}

// score asks the system, then the rubric. An error means that the run is over.
func (r *Runner) score(ctx context.Context, c Case, trial int) (Answer, Score, error) {
	limited, stop := r.Clock.WithTimeout(ctx, r.Spec.CaseTimeout)
	answer, err := r.SUT(limited, c, trial)
	late := errors.Is(limited.Err(), context.DeadlineExceeded)
	stop()
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return answer, ended, nil
	case late || errors.Is(err, ErrTimeout):
		return answer, failed(SUTTimeout, "", 0), nil
	case errors.Is(err, context.Canceled):
		return answer, Score{}, fmt.Errorf("%w: case %q was: %w", ErrCancelled, c.ID, err)
	default:
		return answer, failed(SUTException, exceptionDetail(err), 0), nil
	}
	if what := notAnObject(answer.Output); what != "" {
		return answer, failed(SUTException, "TypeError: "+what, 0), nil
	}
	s, err := r.judge(ctx, c, trial, answer)
	return answer, s, err
}

// judge asks the rubric.
func (r *Runner) judge(ctx context.Context, c Case, trial int, answer Answer) (Score, error) {
	limited, stop := r.Clock.WithTimeout(ctx, r.Spec.RubricTimeout)
	s, err := r.Rubric(limited, c, trial, answer)
	late := errors.Is(limited.Err(), context.DeadlineExceeded)
	stop()
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return ended, nil
	case late:
		return s.seenIn(failed(RubricTimeout, "", 0)), nil
	case errors.Is(err, context.Canceled):
		return Score{}, fmt.Errorf("%w: the rubric of case %q was: %w", ErrCancelled, c.ID, err)
	default:
		return s.seenIn(failed(RubricMalformed, cut(err.Error()), 0)), nil
	}
	if err := s.check(); err != nil {
		return s.seenIn(failed(RubricMalformed, cut(err.Error()), 0)), nil
	}
	return s.seenIn(s.resolve(&r.Spec)), nil
}

// seenIn is another score in the place of s, with what there is to look at of s.
func (s *Score) seenIn(other Score) Score {
	other.Seen = s.Seen
	return other
}

// ended is the score of what the end of the run cut short: none.
var ended = Score{Score: -1}

func (s Score) cutShort() bool { return s.Score < 0 }

// exceptionDetail is the type of an error and the beginning of its message.
func exceptionDetail(err error) string {
	var e *Exception
	if errors.As(err, &e) {
		return e.Type + ": " + cut(e.Message)
	}
	return fmt.Sprintf("%T: %s", err, cut(err.Error()))
}

// notAnObject says what an output is where it is no JSON object.
func notAnObject(output json.RawMessage) string {
	switch text := bytes.TrimSpace(output); {
	case len(text) == 0:
		return "the answer is empty, and has to be an object"
	case text[0] != '{' || !json.Valid(text):
		return "the answer is no JSON object: " + clip(text, 40)
	}
	return ""
}
