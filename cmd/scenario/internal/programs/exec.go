package programs

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/cmd/scenario/internal/dial"
	"github.com/scenario-lang/scenario/cmd/scenario/internal/recordings"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/process"
	"github.com/scenario-lang/scenario/internal/recording"
	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

// execFlags are what `scenario exec` can be told.
type execFlags struct {
	harness.SuiteFlags
	harness.PlayFlags
	relayFlags
	listen []string
	stdin  bool
	// command is what follows --, nil where nothing does.
	command []string
}

// ExecCommand is `scenario exec`.
func ExecCommand(a *cli.App) *cobra.Command {
	f := &execFlags{}
	cmd := &cobra.Command{
		Use:   "exec [path…] [-- program argument…]",
		Short: "Start a program and check how it meets what its services answer",
		Long: "Start the program of each scenario, the one that follows -- or the command of its sut block,\n" +
			"and answer what it asks from the scripts and the cassette of the scenario: over HTTP, on\n" +
			"loopback, on the real clock. The program finds the services in its environment, as in\n" +
			"OPENAI_BASE_URL. It runs once for each scenario, one after the other.\n\n" +
			"No service is reached, but with --live, --missing and --drifted: then what the scripts do not answer goes\n" +
			"on to the real service with the program's own credentials, and is recorded as it comes, into\n" +
			"the cassettes that the scenarios name. Secrets are hidden before anything is written.",
		ValidArgsFunction: cli.CompleteFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if n := cmd.ArgsLenAtDash(); n >= 0 {
				f.command, args = args[n:], args[:n]
				if len(f.command) == 0 {
					return cli.Usagef("for example scenario exec agent.scenario.hcl -- python3 agent.py", "nothing follows --")
				}
			}
			return a.Hiding(func(a *cli.App) error { return runExec(a, f, args, cmd.Flags()) })
		},
	}
	f.register(cmd)
	cli.CompleteSelection(cmd)
	return cmd
}

func (f *execFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	f.Selection.Register(flags, "scenarios")
	f.Selection.RegisterTags(flags)
	f.Selection.RegisterShard(flags)
	flags.IntVar(&f.Parallel, "parallel", 1, "run `N` scenarios, and so N programs, at one time")
	cli.InRange(flags, "parallel", 1, cli.Unbounded)
	flags.BoolVar(&f.FailFast, "fail-fast", false, "skip everything after the first failure, in file order")
	f.RegisterSeed(flags)
	flags.IntVar(&f.Count, "count", 1, "run every scenario `N` times; a failure of one counts")
	cli.InRange(flags, "count", 1, cli.Unbounded)
	flags.DurationVar(&f.Timeout, "timeout", 0, "real time that the whole call may take, such as 30s")
	registerListen(flags, &f.listen)
	flags.BoolVar(&f.stdin, "stdin", false, "give the program the standard input of this command, in place of the file's")
	f.RegisterStrict(flags)
	f.RegisterUpdate(flags)
	f.relayFlags.register(flags)
	f.Variables.Register(flags)
	f.Variables.RegisterEnv(flags)
	f.RegisterOutput(cmd, "every scenario with its checks, what the program writes, and for each exchange a line and the rules that decided")
	f.SuiteFlags.Live = true
}

// An execution is one call of exec.
type execution struct {
	*harness.Invocation
	flags *execFlags
	ports map[string]int
	// dir is where this command runs, and inherited its environment.
	dir       string
	inherited []string
	// shows says that what programs write is shown as it comes.
	shows bool
	// recording is what is recorded of the services that transport reaches, nil where
	// none is.
	recording *recording.Set
	transport http.RoundTripper
	// met are the results that a draft is made of.
	met []*interp.Result
	// controls are the answers of servers, of all scenarios that ran.
	controls controls

	mu sync.Mutex // guards stderr and what follows
	// inLine says that a program has written to stderr and not ended its line.
	inLine bool
}

// written are the files that this call writes beside recordings.
func (e *execution) written() []string {
	paths := e.Written()
	if e.flags.draft != "" {
		paths = append(paths, disk.Real(e.flags.draft))
	}
	return paths
}

func runExec(a *cli.App, f *execFlags, paths []string, flags *pflag.FlagSet) error {
	a.Memory.Serve()
	a.Dying = sut.Sweep
	if f.command == nil {
		if err := cli.ProgramAmong("scenario exec", paths); err != nil {
			return err
		}
	}
	l := harness.NewLoader(a)
	if err := f.PlayFlags.Read(a, l, flags); err != nil {
		return err
	}
	if err := f.reads(a, l); err != nil {
		return err
	}
	if err := recordings.Writable("--draft", f.draft, paths); err != nil {
		return err
	}
	e := &execution{flags: f, inherited: os.Environ()}
	var err error
	if e.ports, err = parsePorts(f.listen); err != nil {
		return err
	}
	if e.dir, err = os.Getwd(); err != nil {
		return cli.Ending(cli.ExitPassed, err)
	}
	s, err := harness.Open(a, &f.SuiteFlags, l)
	if err != nil {
		return err
	}
	defer s.Close()
	e.Invocation = s
	e.inherited = append(e.inherited, process.WrittenVariable+"="+process.Writing(e.written()))
	s.Runner.Way, s.Runner.NotRun, s.Runner.Compares, s.Runner.Patient = interp.Exec, e.notRun, false, true
	if err := s.Load(paths); err != nil {
		return err
	}
	if why, err := e.check(); err != nil {
		return s.Unstarted(err, why...)
	}
	if err := e.openRecording(); err != nil {
		return s.Unstarted(err)
	}
	if f.Update {
		s.Runner.Record = harness.SnapshotsOf(a, l.Source, f.Quiet)
	}
	if err := l.UnusedSnapshots(a, s.Files, f.Quiet); err != nil {
		return s.Unstarted(err)
	}
	s.Runner.Part = harness.PartOf(s.Sel, s.Runner.Jobs, s.Wanted)
	running := 0
	for _, j := range s.Runner.Jobs {
		if e.notRun(j.Plan) == "" {
			running++
		}
	}
	if !f.Quiet && !f.dials() && slices.ContainsFunc(s.Runner.Jobs, func(j harness.Job) bool { return e.notRun(j.Plan) == "" && scaled(j.Plan) }) {
		e.say("Note: under time_scale, waits that the program chose itself are reported that many times longer than they were.")
	}
	e.shows = !f.Quiet && !f.Json && (f.Verbose || running == 1)
	s.Runner.Play = e.play
	if e.recording != nil {
		defer e.recording.Close()
	}
	scenarios := map[string]int{}
	for _, f := range s.Files {
		for _, p := range f.Plans {
			if p.Skip == "" && e.notRun(p) == "" {
				scenarios[p.File]++
			}
		}
	}
	s.Runner.Last = func() error {
		for _, w := range e.controls.warnings(scenarios) {
			e.say("Warning: %s", cli.Readable(w))
		}
		return nil
	}
	err = s.Report()
	if e.recording != nil {
		err = cli.WorstError(err, recordings.Commit(s, e.recording))
	}
	return cli.WorstError(err, e.draft(paths))
}

// scaled reports whether the services of a scenario are faster than real time.
func scaled(p *interp.Plan) bool {
	s := p.Sut()
	return s != nil && s.TimeScale > 0 && s.TimeScale != 1
}

// registerListen adds the flag that names ports.
func registerListen(flags *pflag.FlagSet, to *[]string) {
	cli.Repeated(flags, to, "listen", "listen for a provider on a port that the program knows: `NAME=PORT` (repeatable)")
}

// knownPorts refuses ports of providers that nobody asks.
func knownPorts(ports map[string]int, names []string) error {
	slices.Sort(names)
	names = slices.Compact(names)
	for _, name := range slices.Sorted(maps.Keys(ports)) {
		if !slices.Contains(names, name) {
			return cli.Usagef("the providers are "+strings.Join(names, ", "), "--listen: no selected scenario asks a provider %q.%s", name, dsl.DidYouMean(name, names))
		}
	}
	return nil
}

// parsePorts reads the values of --listen.
func parsePorts(values []string) (map[string]int, error) {
	ports := map[string]int{}
	for _, v := range values {
		name, text, ok := strings.Cut(v, "=")
		port, err := strconv.Atoi(text)
		switch {
		case !ok || name == "" || err != nil || !isPort(port):
			if port, err := strconv.Atoi(v); err == nil && isPort(port) {
				return nil, cli.Usagef(fmt.Sprintf("type --listen PROVIDER=%d, with the name of a provider of the file", port), "--listen %q does not say which provider gets the port", v)
			}
			return nil, cli.Usagef("for example --listen llm=8080", "--listen %q is not the name of a provider and a port", v)
		case ports[name] != 0:
			return nil, cli.Usagef("", "--listen names %q twice", name)
		}
		ports[name] = port
	}
	return ports, nil
}

// isPort reports whether a number is that of a port that one may ask for.
func isPort(n int) bool { return n >= 1 && n <= 65535 }

// notRun says why a scenario is not run here, "" where it is.
func (e *execution) notRun(p *interp.Plan) string {
	why := p.NotRun(interp.Exec)
	if why == "" && e.flags.command == nil && (p.Sut() == nil || p.Sut().Command == nil) {
		why = "it names no program: scenario exec FILE -- program, or sut { command = [\"program\"] }"
	}
	return why
}

// check finds what no run can do before anything is started: ports of nobody,
// and programs that are not there.
func (e *execution) check() ([]report.Diagnostic, error) {
	var names []string
	for _, j := range e.Runner.Jobs {
		for _, p := range j.Plan.Asked() {
			names = append(names, p.Name)
		}
	}
	if err := knownPorts(e.ports, names); err != nil {
		return nil, err
	}
	if len(e.ports) > 0 && e.flags.Parallel > 1 {
		return nil, cli.Usagef("leave one of them out", "--listen and --parallel contradict each other: two programs cannot have one port")
	}
	if why, err := e.doubtfulWaits(); err != nil {
		return why, err
	}
	return e.missingPrograms()
}

// doubtfulWaits warns of what programs are told to wait, which is an error where
// warnings are.
func (e *execution) doubtfulWaits() ([]report.Diagnostic, error) {
	var diags hcl.Diagnostics
	sources, severity := map[string][]byte{}, hcl.DiagWarning
	if e.flags.Strict {
		severity = hcl.DiagError
	}
	for _, j := range e.Runner.Jobs {
		if e.notRun(j.Plan) != "" {
			continue
		}
		sources[j.Plan.File] = j.Source
		for _, w := range sut.DoubtfulWaits(j.Plan, e.flags.dials()) {
			diags = append(diags, &hcl.Diagnostic{Severity: severity, Summary: "Doubtful Retry-After", Detail: w.Why, Subject: &w.Rng})
		}
	}
	harness.WriteDiagnostics(e.Invocation.App, diags, sources, nil, e.flags.Quiet)
	if !diags.HasErrors() {
		return nil, nil
	}
	return harness.ReportedAll(diags), cli.ExitWith(cli.ExitInvalid)
}

// missingPrograms refuses programs that cannot be started, where their names are
// known beforehand.
func (e *execution) missingPrograms() ([]report.Diagnostic, error) {
	if e.flags.command != nil {
		if _, err := process.Find(e.flags.command[0], e.dir); err != nil {
			return nil, cli.ExitAs(cli.ExitInvalid, err.Error(), "the program is what follows --; nothing was run")
		}
		return nil, nil
	}
	var diags hcl.Diagnostics
	sources := map[string][]byte{}
	for _, j := range e.Runner.Jobs {
		s := j.Plan.Sut()
		if e.notRun(j.Plan) != "" || s == nil {
			continue
		}
		name, rng := s.Program()
		if name == "" {
			continue
		}
		if _, err := process.Find(name, filepath.Join(filepath.Dir(j.Plan.File), filepath.FromSlash(s.Dir))); err != nil {
			sources[j.Plan.File] = j.Source
			diags = append(diags, &hcl.Diagnostic{
				Severity: hcl.DiagError, Summary: "Program that cannot be started", Subject: rng.Ptr(),
				Detail: upperFirst(err.Error()) + ". Nothing was run. To start another one, write it behind --.",
			})
		}
	}
	if len(diags) == 0 {
		return nil, nil
	}
	harness.WriteDiagnostics(e.Invocation.App, diags, sources, nil, e.flags.Quiet)
	return harness.ReportedAll(diags), cli.ExitWith(cli.ExitInvalid)
}

func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// play runs one scenario with its program.
func (e *execution) play(p *interp.Plan, run interp.RunOptions) *interp.Result {
	o := sut.Options{
		Command: e.flags.command, WorkingDir: e.dir, Environment: e.inherited, Ports: e.ports, Interrupt: e.Halt.C, Dial: dial.Through, Live: e.reach(p),
		Bridge: []string{cli.OwnCommand(), "bridge"}, OnSecret: e.Receive, Unread: run.Unread,
		Reach: func(addresses []string) sut.Way { return dial.NewDirect(addresses) },
	}
	if e.flags.stdin {
		o.Stdin = e.Stdin
	}
	if e.shows {
		o.Output = programWriter{e}
	}
	if !e.flags.Quiet {
		o.OnGate = func(g interp.Problem, times int) {
			if times == 1 {
				e.say("%s: %s", g.Name, g.Message)
			}
		}
	}
	if e.flags.Verbose || !e.flags.Quiet && !e.flags.Json && cli.IsTerminal(e.Stderr) {
		o.OnExchange = func(x interp.Ended) {
			e.say("%s", exchangeLine(x))
			if e.flags.Verbose && x.Gate == "" {
				e.say("          %s", x.Found)
			}
		}
	}
	r := sut.Play(p, o)
	e.endLine()
	if e.recording != nil && p.CassettePath() != "" {
		e.recording.Ran(p, r.Result)
	}
	if e.flags.draft != "" {
		kept := *r.Result // whose events go when it is reported
		e.mu.Lock()
		e.met = append(e.met, &kept)
		e.mu.Unlock()
	}
	e.mu.Lock()
	e.controls.add(p, r.Verdict, r.Answers, r.Trials)
	e.mu.Unlock()
	for _, w := range r.Warnings {
		e.say("Warning: %s: %s", cli.Readable(p.Name), w)
	}
	return r.Result
}

// say writes a line to standard error, never into one of a program.
func (e *execution) say(format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.endLineLocked()
	fmt.Fprintf(e.Stderr, format+"\n", args...)
}

// endLine ends the line that a program has not ended.
func (e *execution) endLine() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.endLineLocked()
}

func (e *execution) endLineLocked() {
	if e.inLine {
		fmt.Fprintln(e.Stderr)
		e.inLine = false
	}
}

// exchangeLine is one exchange for people.
func exchangeLine(x interp.Ended) string {
	at := x.Started.Round(time.Millisecond)
	if x.Gate != "" {
		return fmt.Sprintf("%8s  %s %s: %s", at, x.Method, x.URL, x.Gate)
	}
	who := x.Endpoint
	if x.Lane != "" {
		who += "[" + x.Lane + "]"
	}
	line := fmt.Sprintf("%8s  %s call %d attempt %d  %s %s: %s", at, who, x.Call, x.Attempt, x.Method, x.URL, x.Outcome)
	if met := cmp.Or(x.Fault, statusText(x.Status)); met != "" {
		line += " (" + met + ")"
	}
	switch {
	case x.By != "" && x.Entry > 0:
		line += fmt.Sprintf(", %s entry %d", x.By, x.Entry)
	case x.By != "":
		line += ", " + x.By
	}
	return line + ", " + (x.Ended - x.Started).Round(time.Millisecond).String()
}

func statusText(status int) string {
	if status == 0 {
		return ""
	}
	return strconv.Itoa(status)
}

// A programWriter shows what programs write.
type programWriter struct{ *execution }

// Write implements io.Writer.
func (w programWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(p) > 0 {
		w.inLine = p[len(p)-1] != '\n'
	}
	return w.Stderr.Write(p)
}
