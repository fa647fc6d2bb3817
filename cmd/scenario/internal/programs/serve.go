package programs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/serve"
	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

// serveFlags are what `scenario serve` can be told.
type serveFlags struct {
	harness.SuiteFlags
	harness.PlayFlags
	listen  []string
	control int
}

// ServeCommand is `scenario serve`.
func ServeCommand(a *cli.App) *cobra.Command {
	f := &serveFlags{}
	cmd := &cobra.Command{
		Use:   "serve [path…]",
		Short: "Answer programs that are already running, in sessions",
		Long: "Listen on loopback for what the services of the scenarios are asked, and answer from their\n" +
			"scripts and cassettes, until a signal comes. No program is started, and no service is\n" +
			"reached. The first line of standard output has the addresses: JSON, on a terminal a table.\n\n" +
			"Each session is one run: requests name theirs by the prefix /_s/ID of their path, or by the\n" +
			"header X-Scenario-Session; those that do not are in the session default. Where one\n" +
			"scenario is selected every session plays it. The control listener has POST /sessions with\n" +
			"{\"id\", \"scenario\"}, GET and DELETE /sessions/ID, POST /sessions/ID/finish, which judges,\n" +
			"and GET /healthz. A signal judges the sessions that are still open, and ends the command\n" +
			"with 0, or with 1 where a session failed.",
		ValidArgsFunction: cli.CompleteFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.Hiding(func(a *cli.App) error { return runServe(a, f, args, cmd.Flags()) })
		},
	}
	f.register(cmd)
	cli.CompleteSelection(cmd)
	return cmd
}

func (f *serveFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	f.Selection.Register(flags, "scenarios")
	f.Selection.RegisterTags(flags)
	f.RegisterSeed(flags)
	registerListen(flags, &f.listen)
	flags.IntVar(&f.control, "control", 0, "listen for the control of sessions on this `port`")
	flags.DurationVar(&f.Timeout, "timeout", 0, "end after this real time, such as 10m, as a signal would end it")
	f.RegisterStrict(flags)
	f.Variables.Register(flags)
	f.Variables.RegisterEnv(flags)
	f.RegisterOutput(cmd, "a line for each exchange, and every session with its checks")
	f.SuiteFlags.Live, f.Parallel, f.Count = true, 1, 1
}

// A serving is one call of serve.
type serving struct {
	*harness.Invocation
	flags *serveFlags
	// sources are the texts of the files, and shown guards standard error.
	sources map[*interp.Plan][]byte
	summary report.Summary
	err     error // of what was written
}

func runServe(a *cli.App, f *serveFlags, paths []string, flags *pflag.FlagSet) error {
	a.Memory.Serve()
	a.Dying = sut.Sweep
	if slices.ContainsFunc(f.Reports, func(r string) bool { return strings.HasPrefix(r, harness.MergeFormat+"=") }) {
		return cli.Usagef("", "--report %s joins the parts of a suite, and serve runs none", harness.MergeFormat)
	}
	if f.control < 0 || f.control > 65535 {
		return cli.Usagef("for example --control 9090", "--control %d is not a port", f.control)
	}
	l := harness.NewLoader(a)
	if err := f.PlayFlags.Read(a, l, flags); err != nil {
		return err
	}
	ports, err := parsePorts(f.listen)
	if err != nil {
		return err
	}
	s, err := harness.Open(a, &f.SuiteFlags, l)
	if err != nil {
		return err
	}
	defer s.Close()
	s.Runner.Way, s.Runner.NotRun = interp.Serve, func(p *interp.Plan) string { return p.NotRun(interp.Serve) }
	if err := s.Load(paths); err != nil {
		return err
	}
	served := &serving{Invocation: s, flags: f, sources: map[*interp.Plan][]byte{}}
	plans, err := served.playable(ports)
	if err != nil {
		return s.Unstarted(err)
	}
	return served.run(plans, ports)
}

// playable are the scenarios that sessions can play; the others are told of.
func (s *serving) playable(ports map[string]int) ([]*interp.Plan, error) {
	var plans []*interp.Plan
	var names []string
	for _, j := range s.Runner.Jobs {
		if why := j.Plan.NotRun(interp.Serve); why != "" {
			if !s.flags.Quiet {
				fmt.Fprintf(s.Stderr, "note: %q is not served: %s\n", cli.Visible(j.Plan.Name), why)
			}
			continue
		}
		plans, s.sources[j.Plan] = append(plans, j.Plan), j.Source
		for _, p := range j.Plan.Asked() {
			names = append(names, p.Name)
		}
	}
	if len(plans) == 0 {
		return nil, cli.ExitAs(cli.ExitNothing, fmt.Sprintf("none of %d selected scenarios can be served", len(s.Runner.Jobs)), "scenario test, or scenario exec, runs the others")
	}
	return plans, knownPorts(ports, names)
}

// run serves until the command is halted, and judges what is open then.
func (s *serving) run(plans []*interp.Plan, ports map[string]int) error {
	o := serve.Options{Plans: plans, Ports: ports, Control: s.flags.control, Bridge: []string{cli.OwnCommand(), "bridge"}, Env: s.Env, Environment: os.Environ(), OnSecret: s.Receive, OnJudged: s.judged, Describe: s.describe, Words: s.words}
	if !s.flags.Quiet {
		o.OnNote = func(message string) { fmt.Fprintf(s.Stderr, "note: %s\n", message) }
		o.OnGate = func(session string, p interp.Problem, times int) {
			if times == 1 {
				fmt.Fprintf(s.Stderr, "session %s: %s: %s\n", session, p.Name, p.Message)
			}
		}
	}
	if s.flags.Verbose || !s.flags.Quiet && !s.flags.Json && cli.IsTerminal(s.Stderr) {
		o.OnExchange = func(session string, x interp.Ended) {
			line := fmt.Sprintf("session %s: %s\n", session, exchangeLine(x))
			if s.flags.Verbose && x.Gate == "" {
				line += fmt.Sprintf("          %s\n", x.Found)
			}
			_, _ = io.WriteString(s.Stderr, line) // at once, as other sessions write, too
		}
	}
	if err := s.OpenTraces(); err != nil {
		return s.Unstarted(err)
	}
	service, err := serve.Listen(o)
	if err != nil {
		return s.Unstarted(cli.ExitAs(cli.ExitUsage, err.Error(), ""))
	}
	if err := s.tell(service.Addresses()); err != nil {
		service.Close()
		return cli.Ending(cli.ExitPassed, err)
	}
	<-s.Halt.C
	service.Finish()
	service.Close()
	code := cli.ExitPassed
	if s.summary.Failed+s.summary.Errored > 0 {
		code = cli.ExitFailed
	}
	if s.summary.Total() == 0 && !s.flags.Quiet {
		fmt.Fprintln(s.Stderr, "no session was begun: nothing asked any service")
	}
	return cli.Ending(code, cmp.Or(s.err, s.Outs.Close(s.summary), s.CommitTraces()))
}

// judged reports a session.
func (s *serving) judged(j serve.Judged) {
	for _, w := range j.Warnings {
		fmt.Fprintf(s.Stderr, "Warning: session %s: %s\n", j.Session, w)
	}
	if !s.flags.Quiet {
		fmt.Fprintf(s.Stderr, "session %s: %s, %s: %s\n", j.Session, j.Verdict, cli.Plural(j.Requests, "request"), cli.Visible(j.Plan.Name))
	}
	s.summary.Add(j.Result)
	s.err = cmp.Or(s.err, s.Outs.Add(s.entry(j)), s.AddTrace(j.Result))
	j.Events = nil // reports have them
}

func (s *serving) entry(j serve.Judged) report.Entry {
	return report.Entry{Result: j.Result, Session: s.Hidden(j.Session), Wall: j.Elapsed, Source: s.sources[j.Plan]}
}

// describe is a result as the control listener tells it: as --json does.
func (s *serving) describe(j serve.Judged) []byte {
	var b bytes.Buffer
	if err := report.JSON(&b, report.Options{}).Add(s.entry(j)); err != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}

// words are a result for people: as the command prints it.
func (s *serving) words(j serve.Judged) string {
	return report.Words(s.entry(j), report.Options{Live: true})
}

// tell says where the service is.
func (s *serving) tell(at serve.Addresses) error {
	if !cli.IsTerminal(s.Stdout) || s.flags.Json {
		said := map[string]any{"schema": "scenario.serve/1", "control": at.Control, "proxy": at.Proxy, "providers": at.Providers, "env": at.Env}
		if len(at.Commands) > 0 {
			said["commands"] = at.Commands
		}
		return json.NewEncoder(s.Own()).Encode(said)
	}
	w := tabwriter.NewWriter(s.Stdout, 0, 0, 2, ' ', 0)
	for _, name := range slices.Sorted(maps.Keys(at.Providers)) {
		fmt.Fprintf(w, "provider %s\t%s\n", cli.Visible(name), at.Providers[name])
	}
	for _, name := range slices.Sorted(maps.Keys(at.Commands)) {
		fmt.Fprintf(w, "provider %s\t%s\n", cli.Visible(name), cli.Visible(strings.Join(at.Commands[name], " ")))
	}
	fmt.Fprintf(w, "control\t%s\nproxy\t%s\n", at.Control, at.Proxy)
	for _, name := range slices.Sorted(maps.Keys(at.Env)) {
		if address := at.Env[name]; (strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "postgres://")) && address != at.Proxy {
			fmt.Fprintf(w, "%s\t%s\n", cli.Visible(name), address)
		}
	}
	return w.Flush()
}
