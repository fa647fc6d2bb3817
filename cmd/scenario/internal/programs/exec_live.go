package programs

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/cmd/scenario/internal/dial"
	"github.com/scenario-lang/scenario/cmd/scenario/internal/recordings"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/recording"
	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// everyEndpoint is the value of --live without one.
const everyEndpoint = "*"

// relayFlags say what of a program's requests goes on to real services.
type relayFlags struct {
	live         string
	missing, yes bool
	// drifted goes on as missing does, and where the recorded request is another.
	drifted bool
	// draft is the scenario file that is written of what programs met.
	draft string
}

func (f *relayFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.live, "live", "", "pass what scripts do not answer on to the real services, and record it into the cassettes; only of these `endpoints`")
	flags.Lookup("live").NoOptDefVal = everyEndpoint
	flags.BoolVar(&f.missing, "missing", false, "as --live, but only for what the cassette has no answer to")
	flags.BoolVar(&f.drifted, "drifted", false, "as --missing, and where the recorded request is another one")
	flags.BoolVar(&f.yes, "yes", false, "reach services although CI is set")
	flags.StringVar(&f.draft, "draft", "", "write a scenario `file` of what the program asked and was answered")
}

// dials reports whether a real service may be reached.
func (f *relayFlags) dials() bool { return f.live != "" || f.missing || f.drifted }

// endpoints are those whose requests go on, nil for all.
func (f *relayFlags) endpoints() []string {
	if f.live == "" || f.live == everyEndpoint {
		return nil
	}
	return strings.Split(f.live, ",")
}

// reads has a loader read files for a run that reaches services.
func (f *relayFlags) reads(a *cli.App, l *harness.Loader) error {
	if !f.dials() {
		return nil
	}
	if a.IsSet("CI") && !f.yes {
		return cli.Usagef("add --yes to record in a build", "CI is set: --live, --missing and --drifted reach real services, and a build normally replays")
	}
	l.Live, l.Placeholder = true, nil
	return nil
}

// check refuses what contradicts itself.
func (f *relayFlags) check(count int) error {
	switch {
	case f.dials() && count > 1:
		return cli.Usagef("leave --count out", "what a program meets is recorded once, so --count cannot be combined with --live, --missing or --drifted")
	case f.missing && f.drifted:
		return cli.Usagef("--drifted also records what is missing", "--missing and --drifted cannot be combined")
	}
	return nil
}

// openRecording makes ready to record what real services answer.
func (e *execution) openRecording() error {
	f := &e.flags.relayFlags
	if !f.dials() {
		return nil
	}
	if err := f.check(e.flags.Count); err != nil {
		return err
	}
	steps, known := f.endpoints(), []string{}
	var plans []*interp.Plan
	var keys []string
	for _, j := range e.Runner.Jobs {
		if e.notRun(j.Plan) != "" {
			continue
		}
		if why := sut.Unreachable(j.Plan, steps); why != "" {
			return cli.Usagef("name the other endpoints, as in --live=llm", "scenario %q cannot be recorded: %s", cli.Readable(j.Plan.Name), why)
		}
		if p := sut.Unkeyed(j.Plan, steps, e.Env); p != nil && f.live != "" {
			return cli.Usagef("export "+p.ApiKeyEnv+"=…", "provider %q takes its key from the variable %s, which is not set", p.Name, p.ApiKeyEnv)
		}
		if f.draft == "" || j.Plan.CassettePath() != "" {
			plans = append(plans, j.Plan)
		}
		keys = append(append(keys, j.Plan.Sensitive()...), sut.Keys(j.Plan, steps, e.Env)...)
		known = append(known, j.Plan.EndpointNames()...)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for _, name := range steps {
		if !slices.Contains(known, name) {
			return cli.Usagef("the endpoints are "+strings.Join(known, ", "), "--live: no selected scenario has an endpoint %q.%s", name, dsl.DidYouMean(name, known))
		}
	}
	if e.App.Learn != nil {
		e.App.Learn(keys)
	}
	set := &recording.Set{}
	if err := set.Open(harness.FilesOf(e.Files), plans, recording.Options{At: cli.Now().UTC(), Steps: steps, Missing: f.missing, Drifted: f.drifted}); err != nil {
		return recordings.NotRecorded(err, "")
	}
	e.recording, e.transport = set, dial.Network()
	return nil
}

// reach is how the program of a scenario reaches real services, nil where it does
// not.
func (e *execution) reach(p *interp.Plan) *interp.Live {
	if e.recording == nil {
		return nil
	}
	live := &interp.Live{Transport: e.transport, Env: e.Env, Steps: e.flags.endpoints(), Missing: e.flags.missing, Drifted: e.flags.drifted}
	if p.CassettePath() != "" {
		live.Recorder = e.recording.Recorder(p)
	}
	return live
}

// draft writes what the programs met, where that is wanted.
func (e *execution) draft(paths []string) error {
	if e.flags.draft == "" {
		return nil
	}
	return recordings.WriteDraft(e.Invocation.App, e.flags.draft, paths[0], "with what was asked and answered", "nothing was run", func(src []byte) (recording.Promoted, error) {
		return recording.Met(paths[0], src, e.met)
	})
}
