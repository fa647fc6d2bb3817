package harness

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/otlp"
	"github.com/scenario-lang/scenario/internal/command/pool"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/trace"
)

// A Job is one selected scenario.
type Job struct {
	Plan *interp.Plan
	// Source is the text of its file, for messages.
	Source []byte
	// early is what became of it where it was run already.
	early *outcome
	// siblings are the names of all scenarios of its file.
	siblings []string
	// position is its place among all selected scenarios, from 1, whatever the
	// shard.
	position int
}

// A Runner runs the selected scenarios of a suite and reports them in order.
// The halves above and below its results are used at different times: perform
// from many goroutines, the rest from one.
type Runner struct {
	app  *cli.App
	Jobs []Job
	// Way is how the scenarios are run, NotRun says why one is not, "" where it is,
	// and compares that several runs of one have to be equal.
	Way      interp.Way
	NotRun   func(*interp.Plan) string
	Compares bool
	// Play runs one scenario.
	Play     func(*interp.Plan, interp.RunOptions) *interp.Result
	reporter report.Reporter
	halt     *cli.Halt
	progress *cli.Progress
	// Watch measures the whole call.
	Watch cli.Stopwatch
	// invalid says that the suite will not be reported.
	invalid *atomic.Bool

	// flows says that the jobs are reported while later files are read, and over
	// that no more of them will be.
	flows bool
	over  atomic.Bool

	parallel, count int
	failFast        bool
	// turns is the order in which the jobs begin, nil for their own; Shuffle is
	// where it comes from. firstBad is the first job of those that are known not
	// to have passed.
	Shuffle  Shuffle
	Turns    []int
	FirstBad atomic.Int64
	// scoring says that the jobs are benches: one after the other, each told of
	// a halt by itself, so that what there is of it is reported.
	scoring bool
	// Patient says that a halt is told to the runs under way, which have programs to
	// end, and that these are waited for.
	Patient bool
	// events keeps what a run recorded for the reporter, and failing what one did
	// that did not pass; otherwise it is dropped as soon as it is written.
	events, failing bool
	// tells asks each run which parts of requests no check reads.
	tells bool
	// Record writes the values of snapshots, nil where they are compared.
	Record *snapshotWriter
	// Last, where not nil, writes what belongs before the summary.
	Last func() error
	// limit is the value of --timeout, for the message.
	limit time.Duration
	// traced, spanned and metered say what was asked for beside results: traces
	// and export take it.
	traced, spanned, metered bool
	traces                   traceFiles
	export                   *otlp.Exporter

	// memory keeps what becomes of files, nil where nothing is kept, and failures
	// which scenarios did not pass.
	memory   *memory
	failures *failures

	// idle says that nothing that was selected, of the whole suite, has a way to
	// run here.
	idle bool
	// Part is set for a shard.
	Part    *report.Shard
	summary report.Summary
	rows    report.Rows
	code    cli.ExitCode
	// dropped counts scenarios that were not run to their end, unread the files
	// that were not even read when the suite was halted.
	dropped, unread int
	// cut counts those that began, and were cut off by a halt.
	cut int
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
	// cached says that an earlier call ran it.
	cached bool
	// cut says that a halt cancelled the run, which then has no verdict.
	cut bool
	// crashed is the report of a panic.
	crashed string
	// source is the text of the file where the job does not keep it.
	source []byte
	// merged is its line in a report to be merged, nil where it is not known.
	merged []byte
}

// writes has runs keep what the files of --trace-out are written from.
func (r *Runner) writes(targets []TraceTarget) {
	for _, t := range targets {
		r.traced, r.spanned = true, r.spanned || t.Format.spans
	}
}

// Exports has runs keep what is exported.
func (r *Runner) Exports(e *otlp.Exporter) {
	r.export = e
	r.spanned, r.metered = r.spanned || e.Traces(), e.Metrics()
}

// shows reports whether a reporter shows what happened in a run.
func (r *Runner) shows(res *interp.Result) bool {
	return r.events || r.failing && !r.scoring && bad(res)
}

// identified reports whether the ids of runs will be read: traces and spans
// have them, and of reports only those that show events.
func (r *Runner) identified() bool { return r.events || r.traced || r.spanned }

// ReadsEvents reports whether anything that was asked for has the events of runs in it.
func (s *Invocation) ReadsEvents() bool { return s.Runner.identified() || len(s.Traces) > 0 }

// Tells reports whether a report shows which parts of requests no check reads.
func (s *Invocation) Tells() bool { return s.Runner.tells }

// report runs the jobs, writes results and traces, and ends the command. The
// files of the traces are opened before anything runs.
func (r *Runner) report(traces []TraceTarget) error {
	if !r.flows {
		files, err := openTraces(traces)
		if err != nil {
			return err
		}
		r.traces = files
	}
	defer r.traces.discard()
	code, err := r.run()
	if err == nil {
		err = r.traces.commit()
	}
	return cli.Ending(code, err)
}

// run reports every job and returns what the suite ends with.
func (r *Runner) run() (cli.ExitCode, error) {
	if !r.flows {
		r.perJob()
	}
	if r.err != nil {
		return cli.ExitInternal, r.err
	}
	if r.halt.Interrupted() || r.dropped+r.unread+r.cut > 0 {
		r.code = cli.Worst(r.code, r.halt.Cause())
	}
	if r.halt.Interrupted() && !r.scoring && (r.dropped > 0 || r.cut+r.unread == 0) {
		fmt.Fprintf(r.app.Stderr, "interrupted: %d of %d scenarios were not run\n", r.dropped, len(r.Jobs))
	}
	if r.unread == 0 { // otherwise nobody knows the places
		r.summary.Shard = r.Part
	}
	if r.Last != nil {
		if err := r.Last(); err != nil {
			return cli.ExitInternal, fmt.Errorf("cannot write results: %w", err)
		}
	}
	r.summary.Partial = r.summary.Partial || r.Part != nil || r.dropped+r.cut > 0
	r.summary.Wall = r.Watch.Elapsed()
	r.warnIdle()
	r.summary.Incomplete = r.unread > 0 || r.code != cli.ExitPassed && r.code != cli.ExitFailed
	if r.idle {
		r.code = cli.Worst(r.code, cli.ExitNothing)
	}
	return r.code, r.reporter.Close(r.summary)
}

// perJob runs and reports every job.
func (r *Runner) perJob() {
	r.progress = r.app.ProgressOn(r.app.Stderr, len(r.Jobs), "scenarios")
	if r.scoring {
		r.inTurn()
	} else {
		r.inParallel()
	}
	r.progress.Clear()
}

// warnIdle names the invariants that no run evaluated.
func (r *Runner) warnIdle() {
	for _, c := range r.summary.NeverEvaluated() {
		hint := "if that is intended, say what it means then: X == null || …"
		if c.Foreign {
			hint = "write a scenario that runs the workflow, or move the invariant to the file that has one"
		}
		fmt.Fprintf(r.app.Stderr, "Warning: %s:%d: no run evaluated the invariant %q: %s\nhint: %s\n",
			cli.Readable(c.Range.Filename), c.Range.Start.Line, c.Name, c.Idle(), hint)
	}
}

// inParallel runs several jobs at one time.
func (r *Runner) inParallel() {
	if r.Turns == nil {
		stop := r.halt.C
		if r.Patient {
			stop = nil // runs end by themselves, soon after a halt
		}
		pool.Ordered(len(r.Jobs), r.parallel, stop, r.work, r.emit)
		return
	}
	pool.Jumbled(r.Turns, r.parallel, r.halt.C, r.work, r.emit, r.progress.Show)
}

// inTurn runs one job after the other.
func (r *Runner) inTurn() {
	for i := range r.Jobs {
		if pool.Closed(r.halt.C) {
			r.emit(i, nil, pool.NotStarted)
			continue
		}
		r.emit(i, r.work(i), pool.Finished)
	}
}

func (r *Runner) work(i int) *outcome {
	if early := r.Jobs[i].early; early != nil {
		return early
	}
	if r.Patient && pool.Closed(r.halt.C) {
		return nil
	}
	if r.Turns == nil {
		return r.perform(r.Jobs[i].Plan)
	}
	return r.outOfTurn(i)
}

// outOfTurn runs a job that may come long before it is reported. Where the
// suite ends with its first failure, in the order of the files, what comes
// behind one will not be reported.
func (r *Runner) outOfTurn(i int) *outcome {
	ends := r.failFast && r.Record == nil // a snapshot that is recorded fails nothing
	if ends && int64(i) > r.FirstBad.Load() {
		return nil
	}
	o := r.perform(r.Jobs[i].Plan)
	for ends && bad(o.result) {
		first := r.FirstBad.Load()
		if int64(i) >= first || r.FirstBad.CompareAndSwap(first, int64(i)) {
			break
		}
	}
	return o
}

// perform runs one scenario, as often as --count says.
func (r *Runner) perform(plan *interp.Plan) *outcome {
	if why := r.NotRun(plan); why != "" {
		return &outcome{result: r.unrun(plan), reason: why}
	}
	watch := cli.StartWatch()
	o := r.once(plan)
	for n := 2; n <= r.count && (r.Compares || !bad(o.result)) && o.crashed == "" && o.difference == "" && !pool.Closed(r.halt.C); n++ {
		again := r.once(plan)
		if !r.Compares {
			if o = again; bad(o.result) {
				break
			}
			continue
		}
		o.crashed = again.crashed
		o.difference = difference(o, again, n, r.count)
	}
	o.wall = watch.Elapsed()
	if o.cut && r.Patient {
		o.result = r.interrupted(o.result)
	}
	if r.spanned {
		o.spans = telemetry.Spans(o.result.Header(), o.result.Events)
	}
	if r.metered {
		o.series = telemetry.Metrics(o.result.Events, "")
	}
	if !r.shows(o.result) {
		o.result.Events = nil
	} else if r.events {
		o.result.Settings = interp.SettingsOf(plan, o.result.Events)
	}
	if !r.traced {
		o.trace = nil
	}
	return o
}

// once runs a scenario one time. A panic is the engine's fault and no result of
// the scenario's.
func (r *Runner) once(plan *interp.Plan) (o *outcome) {
	o = &outcome{}
	defer func() {
		if p := recover(); p != nil {
			o.crashed = fmt.Sprintf("running %q (%s:%d): %v\n%s", plan.Name, plan.File, plan.Line, p, debug.Stack())
			o.result = Problem(plan, "internal error", "The engine failed while it ran this scenario. This is a bug in scenario; the report is on standard error.")
		}
	}()
	o.result = r.Play(plan, interp.RunOptions{Unread: r.tells})
	o.cut = !r.scoring && pool.Closed(r.halt.C) && trace.Status(o.result.Events) == "cancelled"
	if r.traced || r.count > 1 {
		o.trace = encode(o.result)
	}
	return o
}

// Problem is the result of a scenario that could not be run to its end.
func Problem(plan *interp.Plan, name, message string) *interp.Result {
	return &interp.Result{Plan: plan, Verdict: interp.Error, Problems: []interp.Problem{{Kind: "error", Name: name, Message: message}}}
}

// emit reports one job; it returns false when nothing more is to be run.
func (r *Runner) emit(i int, o *outcome, s pool.State) bool {
	e, siblings := report.Entry{Source: r.Jobs[i].Source}, r.Jobs[i].siblings
	if early := r.Jobs[i].early; early != nil && !r.broken {
		o, s = early, pool.Finished
	}
	if s == pool.Finished && o == nil { // left out behind a failure that was then given up
		s = pool.NotStarted
	}
	if s == pool.Finished && o.cut && !r.Patient {
		s = pool.NotFinished
	}
	if s == pool.Finished {
		r.finish(&e, o)
		if o.cut {
			r.cut++
		} else {
			r.memory.ended(&e, o) // each row by itself, as others may be run with it
		}
		var changed bool
		if e.Result, changed = r.rows.Add(e.Result); changed {
			e.Merged = nil
		}
		r.Jobs[i] = Job{} // the worker is done with it
	} else {
		r.dropped++
		e.Result, e.Reason = r.unfinished(r.Jobs[i].Plan, s)
		e.Dropped = e.Reason != ""
	}
	if o == nil || !o.cut { // else it stays as it was known to be
		r.failures.ended(e.Result, siblings)
	}
	r.summary.Add(e.Result)
	if bad(e.Result) {
		r.code = cli.Worst(r.code, cli.ExitFailed)
	}
	r.progress.Clear()
	if err := r.reporter.Add(e); err != nil && r.err == nil {
		r.err = fmt.Errorf("cannot write results: %w", err)
	}
	if r.Turns == nil {
		r.progress.Show(i + 1)
	}
	if r.failFast && bad(e.Result) && s == pool.Finished && !o.cut { // a halt is no failure of a scenario
		r.broken = true
	}
	return !r.broken && r.err == nil
}

func bad(r *interp.Result) bool { return r.Verdict == interp.Fail || r.Verdict == interp.Error }

// finish completes the entry of a scenario that ran, and writes its trace.
func (r *Runner) finish(e *report.Entry, o *outcome) {
	e.Result, e.Wall, e.Reason, e.Cached, e.Merged = o.result, o.wall, o.reason, o.cached, o.merged
	if o.source != nil {
		e.Source = o.source
	}
	switch {
	case o.crashed != "":
		r.code = cli.Worst(r.code, cli.ExitInternal)
		fmt.Fprintf(r.app.Stderr, "Error: internal error: %s\n", o.crashed)
	case o.difference != "":
		r.code = cli.Worst(r.code, cli.ExitInternal)
		e.Result = Problem(o.result.Plan, "determinism", o.difference)
	case r.Record != nil && !o.cut:
		var err error
		if e.Result, err = r.Record.settle(o.result); err != nil && r.err == nil {
			r.err = err
		}
	}
	if r.scoring && e.Result.Bench != nil && !e.Result.Bench.Complete {
		r.code = cli.Worst(r.code, cli.ExitIncomplete)
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
func (r *Runner) unfinished(plan *interp.Plan, s pool.State) (*interp.Result, string) {
	skipped := r.unrun(plan)
	switch {
	case r.broken:
		return skipped, "not run after the first failure (--fail-fast)"
	case r.halt.Interrupted():
		return skipped, "not run, because the suite was interrupted"
	case s == pool.NotStarted:
		return r.late(plan, "began"), fmt.Sprintf("not run, because the --timeout limit of %s was reached", r.limit)
	}
	return r.late(plan, "ended"), ""
}

// unrun is the result of a scenario that did not run.
func (r *Runner) unrun(plan *interp.Plan) *interp.Result {
	return &interp.Result{Plan: plan, Verdict: interp.Skip, Way: r.Way}
}

func (r *Runner) late(plan *interp.Plan, what string) *interp.Result {
	p := Problem(plan, "timeout", fmt.Sprintf("The suite reached the --timeout limit of %s before this scenario %s.\nhint: raise the limit, or split the suite with --shard", r.limit, what))
	p.Way = r.Way
	return p
}
