package main

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
)

// liveFlags are what the commands that reach real services can be told.
type liveFlags struct {
	testFlags
	step    string
	missing bool
	// checks compares what is answered with the cassettes and writes nothing.
	checks bool
}

func (f *liveFlags) register(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.StringVar(&f.selection.run, "run", "", "only scenarios whose name or file:name matches this regular `expression`")
	flags.StringVar(&f.selection.skip, "skip", "", "leave out scenarios whose name or file:name matches this regular `expression`")
	flags.StringSliceVar(&f.selection.tags, "tag", nil, "only scenarios with this `tag` (repeatable: any of them)")
	flags.StringVar(&f.step, "step", "", "dial for this `step` alone; the cassette answers the others")
	flags.BoolVar(&f.missing, "missing", false, "dial only where the cassette has no answer")
	flags.IntVar(&f.parallel, "parallel", 1, "run `N` scenarios at one time")
	flags.BoolVar(&f.failFast, "fail-fast", false, "skip everything after the first failure, in file order")
	flags.DurationVar(&f.timeout, "timeout", 0, "real time that the whole call may take, such as 30s")
	f.variables.register(flags)
	flags.BoolVar(&f.json, "json", false, "print one JSON event a line")
	flags.StringArrayVar(&f.reports, "report", nil, "write a report to a file, or to - for standard output: `kind=path` (repeatable)")
	flags.StringArrayVar(&f.traceOut, "trace-out", nil, "write the traces of all runs to `file` as JSON Lines, or as spans:\notlp=file, chrome=file (repeatable)")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show every scenario with its checks and what happened when")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show only what did not pass, and the summary")
	flags.StringVar(&f.color, "color", "auto", "auto, always or never")
	f.count, f.testFlags.live = 1, true
}

// A session is one call of a command that reaches real services.
type session struct {
	*app
	flags *liveFlags
	halt  *halt
	// tapes are what is recorded, nil where nothing is.
	tapes     *tapes
	transport http.RoundTripper

	// running are the scenarios under way: a halt cancels them, and the
	// command waits for their last bytes.
	running sync.WaitGroup
}

// network is a transport as http.DefaultTransport is: HTTP/2 where the server
// has it, and the proxies of the environment; databases are dialled beside it.
func network() http.RoundTripper {
	return services{http: http.DefaultTransport.(*http.Transport).Clone()}
}

// live runs scenarios against real services.
func (a *app) live(f *liveFlags, paths []string, t *tapes) error {
	l := &loader{live: true}
	defer l.close()
	sel, traces, err := f.check()
	if err != nil {
		return err
	}
	outs, err := a.outputs(&f.testFlags, traces)
	if err != nil {
		return err
	}
	defer outs.discard()
	if l.vars, err = f.variables.read(a); err != nil {
		return err
	}
	h := a.watchHalt(f.timeout)
	defer h.release()
	r := f.runner(a, outs, h, &l.invalid)
	r.want(traces, nil)
	files, err := a.load(l, paths, f.parallel, h, f.quiet)
	if err != nil {
		return a.unstarted(&f.testFlags, outs, err)
	}
	jobs, wanted := sel.pick(files)
	if wanted == 0 {
		return a.unstarted(&f.testFlags, outs, sel.nothingSelected(files))
	}
	if err := f.knowsStep(jobs); err != nil {
		return err
	}
	s := &session{app: a, flags: f, halt: h, tapes: t, transport: network()}
	if t != nil {
		if err := t.open(files, jobs, f); err != nil {
			return a.unstarted(&f.testFlags, outs, err)
		}
		defer t.close()
	}
	r.jobs, r.unread, r.play = jobs, l.unread, s.run
	return s.conclude(r, traces)
}

// conclude runs the jobs and, where they were recorded, writes what was, or
// compares it.
func (s *session) conclude(r *runner, traces []traceTarget) error {
	if s.flags.checks && s.flags.json {
		r.last = func() error { return s.compared().events(s.stdout) }
	}
	err := r.report(traces)
	s.running.Wait()
	switch {
	case s.tapes == nil:
		return err
	case s.flags.checks:
		return worstError(err, s.checked())
	}
	writing := s.tapes.commit(s.app, s.halt.cause() != exitPassed, s.flags)
	return worstError(err, writing)
}

// run plays one scenario.
func (s *session) run(p *interp.Plan, o interp.RunOptions) *interp.Result {
	s.running.Add(1)
	defer s.running.Done()
	ended := make(chan struct{})
	defer close(ended)
	live := interp.Live{
		Transport: s.transport, Pipe: pipe, Env: s.env, Step: s.flags.step, Missing: s.flags.missing,
		OnInterrupt: func(cancel func()) {
			go func() {
				select {
				case <-s.halt.C:
					cancel()
				case <-ended:
				}
			}()
		},
	}
	if s.tapes != nil {
		live.Recorder = s.tapes.of(p)
	}
	result := interp.RunLive(p, o, live)
	if s.tapes != nil {
		s.tapes.ran(p, result)
	}
	return result
}

// knowsStep refuses a step that no selected scenario has.
func (f *liveFlags) knowsStep(jobs []job) error {
	if f.step == "" {
		return nil
	}
	var names []string
	for _, j := range jobs {
		names = append(names, j.plan.DialSteps()...)
	}
	slices.Sort(names)
	if names = slices.Compact(names); slices.Contains(names, f.step) {
		return nil
	}
	return usagef("the steps are "+strings.Join(names, ", "), "no selected scenario has a step %q that calls a provider.%s", f.step, dsl.DidYouMean(f.step, names))
}
