package main

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/cmd/scenario/internal/dial"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/recording"
	"github.com/scenario-lang/scenario/interp"
)

// liveFlags are what the commands that reach real services can be told.
type liveFlags struct {
	suiteFlags
	step    string
	missing bool
	// checks compares what is answered with the cassettes and writes nothing.
	checks bool
}

func (f *liveFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	f.selection.register(flags, "scenarios")
	f.selection.registerTags(flags)
	flags.StringVar(&f.step, "step", "", "dial for this `step` only; the cassette answers the others")
	flags.BoolVar(&f.missing, "missing", false, "dial only where the cassette has no answer")
	flags.IntVar(&f.parallel, "parallel", 1, "run `N` scenarios at a time")
	flags.BoolVar(&f.failFast, "fail-fast", false, "skip everything after the first failure, in file order")
	flags.DurationVar(&f.timeout, "timeout", 0, "limit on the real time of the whole invocation, such as 30s")
	f.variables.register(flags)
	f.registerOutput(cmd, "every scenario with its checks and a timeline")
	f.count, f.suiteFlags.live = 1, true
	completeSelection(cmd)
}

// A session is one call of a command that reaches real services.
type session struct {
	*invocation
	flags *liveFlags
	// recording is what is recorded, nil where nothing is.
	recording *recording.Set
	transport http.RoundTripper

	// running are the scenarios under way: a halt cancels them, and the
	// command waits for their last bytes.
	running sync.WaitGroup
}

// live runs scenarios against real services. What they answer may hold any
// secret, so that all that is printed passes what a recording passes.
func (a *app) live(f *liveFlags, paths []string, set *recording.Set) error {
	return a.hiding(func(a *app) error { return a.liveShown(f, paths, set) })
}

// hiding runs a command that prints what services or programs say.
func (a *app) hiding(do func(*app) error) error {
	hides := (*redact.Redactor)(nil).Recording()
	out, errs := hides.Writer(a.stdout), hides.Writer(a.stderr)
	b := *a
	b.stdout, b.stderr, b.hides = out, errs, hides
	b.learn = func(values []string) {
		b.hides = redact.New(values).Recording()
		out.Use(b.hides)
		errs.Use(b.hides)
	}
	defer func() { _, _ = out.Close(), errs.Close() }() // standard output remembers its errors
	err := do(&b)
	return hiddenError(b.hides, err)
}

// hiddenError is how a command ends, without secrets in what it says.
func hiddenError(hides *redact.Redactor, err error) error {
	if e, ok := err.(*exitError); ok {
		return &exitError{e.code, hides.Text(e.message), hides.Text(e.hint)}
	}
	return err
}

func (a *app) liveShown(f *liveFlags, paths []string, set *recording.Set) error {
	l := a.loader()
	l.Live, l.Placeholder = true, nil
	su, err := a.open(&f.suiteFlags, l)
	if err != nil {
		return err
	}
	defer su.close()
	if err := su.load(paths); err != nil {
		return err
	}
	if err := f.knowsStep(su.runner.jobs); err != nil {
		return err
	}
	if set != nil {
		if err := set.Open(filesOf(su.files), su.plans(), f.recording()); err != nil {
			return su.unstarted(notRecorded(err, ", or use scenario run, which records nothing"))
		}
		defer set.Close()
	}
	s := &session{invocation: su, flags: f, recording: set, transport: dial.Network()}
	su.runner.play = s.run
	return s.conclude()
}

// conclude runs the scenarios and, where they were recorded, writes what was,
// or compares it.
func (s *session) conclude() error {
	if s.flags.checks && s.flags.json {
		s.runner.last = func() error { return writeCheckEvents(s.stdout, s.compared()) }
	}
	err := s.report()
	s.running.Wait()
	switch {
	case s.recording == nil:
		return err
	case s.flags.checks:
		return worstError(err, s.checked())
	}
	return worstError(err, s.commit(s.recording))
}

// steps are those that are dialled, nil for all.
func (f *liveFlags) steps() []string {
	if f.step == "" {
		return nil
	}
	return []string{f.step}
}

// run plays one scenario.
func (s *session) run(p *interp.Plan, o interp.RunOptions) *interp.Result {
	s.running.Add(1)
	defer s.running.Done()
	onInterrupt, ended := s.halt.during()
	defer ended()
	live := interp.Live{
		Transport: s.transport, Pipe: dial.Program, Env: s.env, Steps: s.flags.steps(), Missing: s.flags.missing,
		OnInterrupt: onInterrupt,
	}
	if s.recording != nil {
		live.Recorder = s.recording.Recorder(p)
	}
	result := interp.RunLive(p, o, live)
	if s.recording != nil {
		s.recording.Ran(p, result)
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
