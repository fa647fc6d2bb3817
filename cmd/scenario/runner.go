package main

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/scenario-lang/scenario/cmd/scenario/internal/otlp"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/trace"
)

// A job is one selected scenario.
type job struct {
	plan *interp.Plan
	// source is the text of its file, for messages.
	source []byte
	// early is what became of it where it was run already.
	early *outcome
	// position is its place among all selected scenarios, from 1, whatever the
	// shard.
	position int
}

// A runner runs the selected scenarios of a suite and reports them in order.
// The halves above and below its results are used at different times: perform
// from many goroutines, the rest from one.
type runner struct {
	app  *app
	jobs []job
	// way is how the scenarios are run, notRun says why one is not, "" where it is,
	// and compares that several runs of one have to be equal.
	way      interp.Way
	notRun   func(*interp.Plan) string
	compares bool
	// play runs one scenario.
	play     func(*interp.Plan, interp.RunOptions) *interp.Result
	reporter report.Reporter
	halt     *halt
	progress *progress
	// invalid says that the suite will not be reported.
	invalid *atomic.Bool

	parallel, count int
	failFast        bool
	// turns is the order in which the jobs begin, nil for their own; shuffle is
	// where it comes from. firstBad is the first job of those that are known not
	// to have passed.
	shuffle  shuffle
	turns    []int
	firstBad atomic.Int64
	// scoring says that the jobs are benches: one after the other, each told of
	// a halt by itself, so that what there is of it is reported.
	scoring bool
	// patient says that a halt is told to the runs under way, which have programs to
	// end, and that these are waited for.
	patient bool
	// events keeps what a run recorded for the reporter; otherwise it is
	// dropped as soon as it is written.
	events bool
	// record writes the values of snapshots, nil where they are compared.
	record *snapshotWriter
	// last, where not nil, writes what belongs before the summary.
	last func() error
	// limit is the value of --timeout, for the message.
	limit time.Duration
	// traced, spanned and metered say what was asked for beside results: traces
	// and export take it.
	traced, spanned, metered bool
	traces                   traceFiles
	export                   *otlp.Exporter

	// idle says that nothing that was selected, of the whole suite, has a way to
	// run here.
	idle bool
	// part is set for a shard.
	part    *report.Shard
	summary report.Summary
	code    exitCode
	// dropped counts scenarios that were not run to their end, unread the files
	// that were not even read when the suite was halted.
	dropped, unread int
	// broken is set once the first failure ended the suite under --fail-fast.
	broken bool
	err    error
}

// An outcome is what a worker hands over.
type outcome struct {
	result *interp.Result
	trace  []byte
	// spans and series are computed only where they were asked for.
	spans  []telemetry.Span
	series []telemetry.Series
	wall   time.Duration
	// reason says why it was not run, "" where it was.
	reason string
	// difference says how two runs of one plan differed, "" where they did not.
	difference string
	// cut says that a halt cancelled the run, whose result is then none.
	cut bool
	// crashed is the report of a panic.
	crashed string
	// source is the text of the file where the job does not keep it.
	source []byte
}

// writes has runs keep what the files of --trace-out are written from.
func (r *runner) writes(targets []traceTarget) {
	for _, t := range targets {
		r.traced, r.spanned = true, r.spanned || t.format.spans
	}
}

// exports has runs keep what is exported.
func (r *runner) exports(e *otlp.Exporter) {
	r.export = e
	r.spanned, r.metered = r.spanned || e.Traces(), e.Metrics()
}

// identified reports whether the ids of runs will be read: traces and spans
// have them, and of reports only those that show events.
func (r *runner) identified() bool { return r.events || r.traced || r.spanned }

// report runs the jobs, writes results and traces, and ends the command. The
// files of the traces are opened before anything runs.
func (r *runner) report(traces []traceTarget) error {
	files, err := openTraces(traces)
	if err != nil {
		return err
	}
	defer files.discard()
	r.traces = files
	code, err := r.run()
	if err == nil {
		err = files.commit()
	}
	return ending(code, err)
}

// run reports every job and returns what the suite ends with.
func (r *runner) run() (exitCode, error) {
	r.progress = r.app.progressOn(r.app.stderr, len(r.jobs), "scenarios")
	if r.scoring {
		r.inTurn()
	} else {
		r.inParallel()
	}
	r.progress.clear()
	if r.err != nil {
		return exitInternal, r.err
	}
	if r.halt.interrupted() || r.dropped+r.unread > 0 {
		r.code = worst(r.code, r.halt.cause())
	}
	if r.halt.interrupted() && !r.scoring {
		fmt.Fprintf(r.app.stderr, "interrupted: %d of %d scenarios were not run\n", r.dropped, len(r.jobs))
	}
	if r.unread == 0 { // otherwise nobody knows the places
		r.summary.Shard = r.part
	}
	if r.last != nil {
		if err := r.last(); err != nil {
			return exitInternal, fmt.Errorf("cannot write results: %w", err)
		}
	}
	r.summary.Partial = r.summary.Partial || r.part != nil || r.dropped > 0
	r.warnIdle()
	r.summary.Incomplete = r.unread > 0 || r.code != exitPassed && r.code != exitFailed
	if r.idle {
		r.code = worst(r.code, exitNothing)
	}
	return r.code, r.reporter.Close(r.summary)
}

// warnIdle names the invariants that no run evaluated.
func (r *runner) warnIdle() {
	for _, c := range r.summary.NeverEvaluated() {
		fmt.Fprintf(r.app.stderr, "Warning: %s:%d: no run evaluated the invariant %q: in each of them something that it reads was null\nhint: if that is intended, say what it means then: X == null || …\n",
			readable(c.Range.Filename), c.Range.Start.Line, c.Name)
	}
}

// inParallel runs several jobs at one time.
func (r *runner) inParallel() {
	if r.turns == nil {
		stop := r.halt.C
		if r.patient {
			stop = nil // runs end by themselves, soon after a halt
		}
		ordered(len(r.jobs), r.parallel, stop, r.work, r.emit)
		return
	}
	eased := 0
	jumbled(r.turns, r.parallel, r.halt.C, r.work, r.emit, func(done int) {
		r.progress.show(done)
		if done >= eased+easeEvery { // what is done is kept
			eased = done
			r.app.memory.ease(0)
		}
	})
}

// inTurn runs one job after the other.
func (r *runner) inTurn() {
	for i := range r.jobs {
		if closed(r.halt.C) {
			r.emit(i, nil, notStarted)
			continue
		}
		r.emit(i, r.work(i), finished)
	}
}

func (r *runner) work(i int) *outcome {
	if early := r.jobs[i].early; early != nil {
		return early
	}
	if r.patient && closed(r.halt.C) {
		return nil
	}
	if r.turns == nil {
		return r.perform(r.jobs[i].plan)
	}
	return r.outOfTurn(i)
}

// outOfTurn runs a job that may come long before it is reported. Where the
// suite ends with its first failure, in the order of the files, what comes
// behind one will not be reported.
func (r *runner) outOfTurn(i int) *outcome {
	ends := r.failFast && r.record == nil // a snapshot that is recorded fails nothing
	if ends && int64(i) > r.firstBad.Load() {
		return nil
	}
	o := r.perform(r.jobs[i].plan)
	for ends && bad(o.result) {
		first := r.firstBad.Load()
		if int64(i) >= first || r.firstBad.CompareAndSwap(first, int64(i)) {
			break
		}
	}
	return o
}

// perform runs one scenario, as often as --count says.
func (r *runner) perform(plan *interp.Plan) *outcome {
	if why := r.notRun(plan); why != "" {
		return &outcome{result: &interp.Result{Plan: plan, Verdict: interp.Skip}, reason: why}
	}
	watch := startWatch()
	o := r.once(plan)
	for n := 2; n <= r.count && (r.compares || !bad(o.result)) && o.crashed == "" && o.difference == "" && !closed(r.halt.C); n++ {
		again := r.once(plan)
		if !r.compares {
			if o = again; bad(o.result) {
				break
			}
			continue
		}
		o.crashed = again.crashed
		o.difference = difference(o, again, n, r.count)
	}
	o.wall = watch.elapsed()
	if r.spanned {
		o.spans = telemetry.Spans(o.result.Header(), o.result.Events)
	}
	if r.metered {
		o.series = telemetry.Metrics(o.result.Events, "")
	}
	if !r.events {
		o.result.Events = nil
	}
	if !r.traced {
		o.trace = nil
	}
	return o
}

// once runs a scenario one time. A panic is the engine's fault and no result of
// the scenario's.
func (r *runner) once(plan *interp.Plan) (o *outcome) {
	o = &outcome{}
	defer func() {
		if p := recover(); p != nil {
			o.crashed = fmt.Sprintf("running %q (%s:%d): %v\n%s", plan.Name, plan.File, plan.Line, p, debug.Stack())
			o.result = problem(plan, "internal error", "The engine failed while it ran this scenario. This is a bug in scenario; the report is on standard error.")
		}
	}()
	o.result = r.play(plan, interp.RunOptions{})
	o.cut = !r.scoring && closed(r.halt.C) && trace.Status(o.result.Events) == "cancelled"
	if r.traced || r.count > 1 {
		o.trace = encode(o.result)
	}
	return o
}

// problem is the result of a scenario that could not be run to its end.
func problem(plan *interp.Plan, name, message string) *interp.Result {
	return &interp.Result{Plan: plan, Verdict: interp.Error, Problems: []interp.Problem{{Kind: "error", Name: name, Message: message}}}
}

// emit reports one job; it returns false when nothing more is to be run.
func (r *runner) emit(i int, o *outcome, s progressState) bool {
	e := report.Entry{Source: r.jobs[i].source}
	if early := r.jobs[i].early; early != nil && !r.broken {
		o, s = early, finished
	}
	if s == finished && o == nil { // left out behind a failure that was then given up
		s = notStarted
	}
	if s == finished && o.cut {
		s = notFinished
	}
	if s == finished {
		r.finish(&e, o)
		r.jobs[i] = job{} // the worker is done with it
	} else {
		r.dropped++
		e.Result, e.Reason = r.unfinished(r.jobs[i].plan, s)
		e.Dropped = e.Reason != ""
	}
	r.summary.Add(e.Result)
	if bad(e.Result) {
		r.code = worst(r.code, exitFailed)
	}
	r.progress.clear()
	if err := r.reporter.Add(e); err != nil && r.err == nil {
		r.err = fmt.Errorf("cannot write results: %w", err)
	}
	if r.turns == nil {
		r.progress.show(i + 1)
	}
	r.app.memory.ease(i + 1)
	if r.failFast && bad(e.Result) {
		r.broken = true
	}
	return !r.broken && r.err == nil
}

func bad(r *interp.Result) bool { return r.Verdict == interp.Fail || r.Verdict == interp.Error }

// finish completes the entry of a scenario that ran, and writes its trace.
func (r *runner) finish(e *report.Entry, o *outcome) {
	e.Result, e.Wall, e.Reason = o.result, o.wall, o.reason
	if o.source != nil {
		e.Source = o.source
	}
	switch {
	case o.crashed != "":
		r.code = worst(r.code, exitInternal)
		fmt.Fprintf(r.app.stderr, "Error: internal error: %s\n", o.crashed)
	case o.difference != "":
		r.code = worst(r.code, exitInternal)
		e.Result = problem(o.result.Plan, "determinism", o.difference)
	case r.record != nil:
		var err error
		if e.Result, err = r.record.settle(o.result); err != nil && r.err == nil {
			r.err = err
		}
	}
	if r.scoring && e.Result.Bench != nil && !e.Result.Bench.Complete {
		r.code = worst(r.code, exitIncomplete)
	}
	if o.result.Ran() {
		r.export.Add(o.spans, o.series, o.result.Virtual)
	}
	if err := r.traces.add(o); err != nil && r.err == nil {
		r.err = err
	}
}

// unfinished is the result of a scenario that was not run to its end. At the
// limit of --timeout it could not be run, which is an error and no choice of
// anybody's; what was left out on purpose is skipped.
func (r *runner) unfinished(plan *interp.Plan, s progressState) (*interp.Result, string) {
	skipped := &interp.Result{Plan: plan, Verdict: interp.Skip}
	switch {
	case r.broken:
		return skipped, "not run after the first failure (--fail-fast)"
	case r.halt.interrupted():
		return skipped, "not run, because the suite was interrupted"
	case s == notStarted:
		return r.late(plan, "began"), fmt.Sprintf("not run, because the --timeout limit of %s was reached", r.limit)
	}
	return r.late(plan, "ended"), ""
}

func (r *runner) late(plan *interp.Plan, what string) *interp.Result {
	return problem(plan, "timeout", fmt.Sprintf("The suite reached the --timeout limit of %s before this scenario %s.\nhint: raise the limit, or split the suite with --shard", r.limit, what))
}
