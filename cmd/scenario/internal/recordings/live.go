package recordings

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/cmd/scenario/internal/dial"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/recording"
	"github.com/scenario-lang/scenario/interp"
)

// liveFlags are what the commands that reach real services can be told.
type liveFlags struct {
	harness.SuiteFlags
	step    string
	missing bool
	// drifted dials as missing does, and where the recorded request is another.
	drifted bool
	// checks compares what is answered with the cassettes and writes nothing.
	checks bool
}

func (f *liveFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	f.Selection.Register(flags, "scenarios")
	f.Selection.RegisterTags(flags)
	flags.StringVar(&f.step, "step", "", "dial for this `step` only; the cassette answers the others")
	flags.BoolVar(&f.missing, "missing", false, "dial only where the cassette has no answer")
	flags.IntVar(&f.Parallel, "parallel", 1, "run `N` scenarios at a time")
	cli.InRange(flags, "parallel", 1, cli.Unbounded)
	flags.BoolVar(&f.FailFast, "fail-fast", false, "skip everything after the first failure, in file order")
	flags.DurationVar(&f.Timeout, "timeout", 0, "limit on the real time of the whole invocation, such as 30s")
	f.Variables.Register(flags)
	f.RegisterOutput(cmd, "every scenario with its checks and a timeline")
	f.Count, f.SuiteFlags.Live = 1, true
	cli.CompleteSelection(cmd)
}

// A session is one call of a command that reaches real services.
type session struct {
	*harness.Invocation
	flags *liveFlags
	// recording is what is recorded, nil where nothing is.
	recording *recording.Set
	transport http.RoundTripper

	// running are the scenarios under way: a halt cancels them, and the
	// command waits for their last bytes.
	running sync.WaitGroup
}

// runLive runs scenarios against real services. What they answer may hold any
// secret, so that all that is printed passes what a recording passes.
func runLive(a *cli.App, f *liveFlags, paths []string, set *recording.Set) error {
	return a.Hiding(func(a *cli.App) error { return liveShown(a, f, paths, set) })
}

func liveShown(a *cli.App, f *liveFlags, paths []string, set *recording.Set) error {
	l := harness.NewLoader(a)
	l.Live, l.Placeholder = true, nil
	su, err := harness.Open(a, &f.SuiteFlags, l)
	if err != nil {
		return err
	}
	defer su.Close()
	if err := su.Load(paths); err != nil {
		return err
	}
	run := slices.DeleteFunc(su.Plans(), func(p *interp.Plan) bool { return su.Runner.NotRun(p) != "" })
	if set != nil && len(run) == 0 {
		if err := unrecorded(su.Plans()); err != nil {
			return su.Unstarted(err)
		}
	}
	if err := f.knowsStep(su.Runner.Jobs); err != nil {
		return err
	}
	if set != nil {
		if err := set.Open(harness.FilesOf(su.Files), run, f.recording()); err != nil {
			return su.Unstarted(NotRecorded(err, ", or use scenario run, which records nothing"))
		}
		defer set.Close()
	}
	s := &session{Invocation: su, flags: f, recording: set, transport: dial.Network()}
	su.Runner.Play = s.run
	return s.conclude()
}

// conclude runs the scenarios and, where they were recorded, writes what was,
// or compares it.
func (s *session) conclude() error {
	if s.flags.checks && s.flags.Json {
		s.Runner.Last = func() error { return writeCheckEvents(s.Stdout, s.compared()) }
	}
	err := s.Report()
	s.running.Wait()
	switch {
	case s.recording == nil:
		return err
	case s.flags.checks:
		return cli.WorstError(err, s.checked())
	}
	return cli.WorstError(err, Commit(s.Invocation, s.recording))
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
	onInterrupt, ended := s.Halt.During()
	defer ended()
	live := interp.Live{
		Transport: s.transport, Pipe: dial.Program, Env: s.Env, Steps: s.flags.steps(), Missing: s.flags.missing, Drifted: s.flags.drifted,
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
func (f *liveFlags) knowsStep(jobs []harness.Job) error {
	if f.step == "" {
		return nil
	}
	var names []string
	for _, j := range jobs {
		names = append(names, j.Plan.DialSteps()...)
	}
	slices.Sort(names)
	if names = slices.Compact(names); slices.Contains(names, f.step) {
		return nil
	}
	return cli.Usagef("the steps are "+strings.Join(names, ", "), "no selected scenario has a step %q that calls a provider.%s", f.step, dsl.DidYouMean(f.step, names))
}
