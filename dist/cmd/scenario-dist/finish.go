package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/dist/internal/collect"
	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/dist/internal/work"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/report"
)

// finish gathers the results of a run and reports them as the command scenario would
// have. again says how to go on where this is interrupted.
func finish(ctx context.Context, su *harness.Invocation, q *queue.Queue, r *job.Run, plans *work.Plans, here *collect.Made, again string) error {
	q.Wait()
	err := orForgotten(ctx, q, r, gathered(ctx, su, q, r, plans, here, again))
	var another *collect.Another
	if errors.As(err, &another) {
		return cli.Usagef(sameAgain(r), "%s", another)
	}
	return err
}

// sameAgain says what has to be as it was for the submitter of a run.
func sameAgain(r *job.Run) string {
	var all, hints []string
	for _, name := range r.Sensitive {
		all = append(all, harness.VariablePrefix+name)
	}
	if all = append(all, r.Environment...); len(all) > 0 {
		hints = append(hints, "set "+strings.Join(all, ", ")+" to what submit had")
	}
	if here := cli.Build(); here != r.Version {
		hints = append(hints, fmt.Sprintf("collect with the version that submitted: this is %s, and that was %s", here, r.Version))
	}
	return strings.Join(hints, "; ")
}

// orForgotten is an error, or that the run was forgotten where that is why something of it
// is not there.
func orForgotten(ctx context.Context, q *queue.Queue, r *job.Run, err error) error {
	if !queue.Missing(err) && !errors.Is(err, queue.ErrSilent) {
		return err
	}
	if known, asked := q.Run(ctx, r.ID); asked == nil && known == nil {
		return queue.Forgotten(r.ID)
	}
	return err
}

// gathered is the rest of finish.
func gathered(ctx context.Context, su *harness.Invocation, q *queue.Queue, r *job.Run, plans *work.Plans, here *collect.Made, again string) error {
	spool, err := collect.Open(ctx, q, r)
	if err != nil {
		return halted(su, spool, r, again, err)
	}
	defer spool.Close()
	watched, gone := context.WithCancelCause(ctx)
	defer gone(nil)
	ctx = watched
	told := refusals // there are no others that work for what this process runs
	if here == nil && !r.Over {
		told = tellNobody(ctx, su, q, r, nothing)
	}
	go watch(ctx, su, q, r, told, gone)
	entries, err := collect.New(ctx, q, r, spool, plans, here, !su.ReadsEvents())
	if err != nil {
		return halted(su, spool, r, again, err)
	}
	ended := false
	err = su.Recall(r.Frame, func() (report.Entry, error) {
		e, err := entries.Next(ctx)
		if errors.Is(err, io.EOF) {
			if err := differing(ctx, su, entries, here == nil); err != nil {
				return e, err
			}
			tellLost(ctx, su, q, r, spool)
			if here == nil && !r.Over {
				r.Over = true
				_ = q.Amend(ctx, r) // workers find out by themselves otherwise
			}
			ended = true
		}
		return e, err
	})
	if ended {
		err = notWhole(err, entries.Err(), r, here == nil)
	}
	return halted(su, spool, r, again, err)
}

// notWhole is the end of a run whose report was written, which also says where something is
// missing in that, as it could not be read. kept says that the queue keeps the run.
func notWhole(end, broken error, r *job.Run, kept bool) error {
	if broken == nil {
		return end
	}
	hint := "run it again"
	if kept {
		hint = "scenario-dist collect " + r.ID + " reports the run again"
	}
	return cli.WorstError(end, cli.ExitAs(cli.ExitInternal, fmt.Sprintf("the report is written, and is not whole: %s", broken), hint))
}

// halted is the end of a command that did not wait for all results.
func halted(su *harness.Invocation, s *collect.Spool, r *job.Run, again string, err error) error {
	if err == nil || !errors.Is(err, errHalted) && !errors.Is(err, context.Canceled) {
		return err
	}
	done := 0
	if s != nil {
		done = s.Told().Done
	}
	return cli.ExitAs(su.Halt.Cause(), fmt.Sprintf("%d of %d units have results; no report was written", done, r.Units), again)
}

// shownOf bounds what is shown of a result that another one contradicts.
const shownOf = 2000

// differing ends the command as a broken guarantee of determinism does where two runs
// of a unit gave different results, and shows both. kept says that the queue keeps them.
func differing(ctx context.Context, su *harness.Invocation, entries *collect.Entries, kept bool) error {
	seconds, err := entries.Seconds(ctx)
	if err != nil {
		return err
	}
	keeps := ""
	if kept {
		keeps = " The queue keeps both."
	}
	for _, s := range seconds {
		if s.Kind == job.KindDiffers {
			su.Runner.Broken(fmt.Sprintf("two runs of %s gave different results, which must not be.%s\n  first:  %s\n  second: %s\nhint: this is a bug in scenario, not in the file; please report it with the file", s.Unit, keeps, excerpt(s.First, s.Second), excerpt(s.Second, s.First)))
		}
	}
	return nil
}

// excerpt is a line from a little before where it differs from another one.
func excerpt(line, other string) string {
	at := 0
	for at < len(line) && at < len(other) && line[at] == other[at] {
		at++
	}
	from := max(0, at-200)
	text := line[from:min(len(line), from+shownOf)]
	if from > 0 {
		text = "…" + text
	}
	return cli.Visible(strings.TrimSpace(text))
}

// watchEvery is how often it is asked whether anybody works on a run.
const watchEvery = 2 * time.Second

// A toldOf is what was said last of the workers of a run: nothing, that there is none, or that
// all of them leave it to others, after which nothing more is said.
type toldOf int

const (
	nothing toldOf = iota
	noWorker
	refusals
)

// watch says that nobody works, if that comes to be so, and ends the wait for a run that
// is forgotten, or has units that the server has lost.
func watch(ctx context.Context, su *harness.Invocation, q *queue.Queue, r *job.Run, told toldOf, gone context.CancelCauseFunc) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(watchEvery):
		}
		if known, err := q.Run(ctx, r.ID); err == nil && known == nil {
			gone(queue.Forgotten(r.ID))
			return
		}
		if n, err := collect.Gone(ctx, q, r); err == nil && n > 0 {
			gone(queue.Lost(r.ID, n))
			return
		}
		told = tellNobody(ctx, su, q, r, told)
	}
}

// tellNobody says on standard error where no worker lives that would make the results, and
// returns what was said by then: each thing is said once.
func tellNobody(ctx context.Context, su *harness.Invocation, q *queue.Queue, r *job.Run, told toldOf) toldOf {
	if su.Common.Quiet || told == refusals {
		return told
	}
	if done, err := collect.Done(ctx, q, r); err != nil || done == r.Units {
		return told
	}
	workers, err := collect.Workers(ctx, q)
	if err != nil {
		return told // nothing is known
	}
	workers = slices.DeleteFunc(workers, func(w collect.WorkerStatus) bool { return w.Left || w.Lost })
	if len(workers) == 0 {
		if told != nothing {
			return told
		}
		fmt.Fprintln(su.Stderr, "no worker has been heard of; this waits for one: scenario-dist worker")
		return noWorker
	}
	if slices.ContainsFunc(workers, func(w collect.WorkerStatus) bool { return w.Refuses[r.ID] == "" }) {
		return told
	}
	fmt.Fprintf(su.Stderr, "every worker leaves this run to others; this waits for one that does not. Worker %s says: %s\n", workers[0].Name, cli.Visible(workers[0].Refuses[r.ID]))
	return refusals
}

// leftBehind reports whether a worker is one of those whose units of a run were handed out
// again. Its unit is so a whole AckWait after it was last heard of, and may have its result
// at once; what the worker says of itself comes up to a heartbeat later.
func leftBehind(w *collect.WorkerStatus, r *job.Run) bool {
	return !w.Left && w.Silent > r.AckWait-r.Heartbeat() && slices.Contains(w.Open, r.ID)
}

// tellLost says on standard error who was lost, and what that cost.
func tellLost(ctx context.Context, su *harness.Invocation, q *queue.Queue, r *job.Run, s *collect.Spool) {
	told := s.Told()
	if told.Again == 0 && told.Lost == 0 {
		return
	}
	var all []string
	if told.Again > 0 {
		all = append(all, fmt.Sprintf("%s handed out again", cli.Plural(told.Again, "unit")))
	}
	if told.Lost > 0 {
		all = append(all, fmt.Sprintf("%s never ended (worker_lost)", cli.Plural(told.Lost, "unit")))
	}
	fmt.Fprint(su.Stderr, strings.Join(all, ", "))
	workers, err := collect.Workers(ctx, q)
	if err != nil {
		workers = nil // the report is what matters
	}
	for _, w := range workers {
		if leftBehind(&w, r) {
			fmt.Fprintf(su.Stderr, "; worker %s (%s, process %d) is silent for %s", w.Name, w.Host, w.PID, w.Silent)
		}
	}
	fmt.Fprintln(su.Stderr)
}
