package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/dist/internal/submit"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/benches"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/suite"
)

// queueFlags say where the queue is.
type queueFlags struct{ queue.Address }

func (f *queueFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.URL, "queue", "", "the `address` of the queue, such as nats://127.0.0.1:4222 or tls://queue.test:4222")
	flags.StringVar(&f.Creds, "creds", "", "a `file` with the credentials for the queue")
	flags.StringVar(&f.CA, "queue-ca", "", "a `file` with the certificate authority of the queue")
	flags.BoolVar(&f.Insecure, "insecure-queue", false, "use a queue on another machine without TLS or credentials")
}

func (f *queueFlags) open(a *cli.App) (*queue.Queue, error) {
	fromEnv, _ := a.Env("SCENARIO_QUEUE")
	f.Typed = f.URL != fromEnv
	f.Tell = a.Stderr
	return queue.Open(f.Address)
}

// suiteFlags are what can be told of the scenarios or benches of a run.
type suiteFlags struct {
	harness.SuiteFlags
	play   harness.PlayFlags
	bench  bool
	choice benches.Choice
	// ackWait is how long a worker may be silent, and deliveries how many may have a
	// unit.
	ackWait    time.Duration
	deliveries int
	// keep is how much source stays compiled for workers of this process.
	keep int64
}

func (f *suiteFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.Selection.Register(flags, "scenarios or benches")
	f.Selection.RegisterTags(flags)
	f.play.RegisterSeed(flags)
	f.play.RegisterStrict(flags)
	flags.BoolVar(&f.bench, "bench", false, "run the benches of files that also have scenarios")
	flags.IntVar(&f.choice.Trials, "trials", 0, "run every case of a bench `N` times, overriding the bench")
	cli.InRange(flags, "trials", 1, 1000)
	flags.StringVar(&f.choice.Case, "case", "", "only cases whose id matches this regular `expression`; no gate is asked")
	flags.IntVar(&f.choice.Limit, "limit", 0, "only the first `N` cases by id; no gate is asked")
	cli.InRange(flags, "limit", 1, cli.Unbounded)
	flags.DurationVar(&f.Timeout, "timeout", 0, "limit on the real time of the whole invocation, such as 30s")
	flags.DurationVar(&f.ackWait, "ack-wait", 30*time.Second, "hand the unit of a worker to another one after it was silent for so long")
	flags.IntVar(&f.deliveries, "deliveries", 3, "hand a unit out at most `N` times before it counts as lost")
	cli.InRange(flags, "deliveries", 1, 100)
	f.Variables.Register(flags)
	f.Variables.RegisterEnv(flags)
	f.RegisterOutput(cmd, "every scenario or case")
	f.Parallel, f.Count = 1, 1
}

func (f *suiteFlags) check() error {
	if f.ackWait < 100*time.Millisecond || f.ackWait > time.Hour {
		return cli.Usagef("", "--ack-wait must be from 100ms to 1h, not %s", f.ackWait)
	}
	return nil
}

// open loads what paths name and makes a submission of it. The caller closes the
// invocation, which is nil with an error before it began.
func (f *suiteFlags) open(a *cli.App, command *cobra.Command, paths []string) (*harness.Invocation, *submit.Submission, error) {
	if err := f.check(); err != nil {
		return nil, nil, err
	}
	a.Benches = command.CommandPath() + " --bench"
	l := harness.NewLoader(a)
	f.Scores = f.bench || onlyBenches(l.Source, paths)
	f.Live = f.Scores
	if err := fitting(a, command, f.Scores); err != nil {
		return nil, nil, err
	}
	if err := f.play.Read(a, l, command.Flags()); err != nil {
		return nil, nil, err
	}
	su, err := harness.Open(a, &f.SuiteFlags, l)
	if err != nil {
		return nil, nil, err
	}
	s, err := submit.Make(su, paths, submit.Options{Seed: l.Seed, Benches: f.Scores, Choice: f.choice, Keep: f.keep, Private: pathsOf(command.Flags())})
	if err != nil {
		return su, nil, err
	}
	s.Run.AckWait, s.Run.Deliveries = f.ackWait, f.deliveries
	return su, s, nil
}

// The flags that say something of scenarios alone, and of benches alone.
var (
	ofScenarios = []string{"tag", "seed", "strict", "strict-cassettes"}
	ofBenches   = []string{"trials", "case", "limit"}
)

// fitting refuses flags that say nothing of what is run, as scenario test and scenario
// bench do by not having them. What the environment says is for all commands, and left
// aside here.
func fitting(a *cli.App, command *cobra.Command, benches bool) error {
	others, are, hint := ofBenches, "scenarios", "--bench runs the benches of files that also have scenarios"
	if benches {
		others, are, hint = ofScenarios, "benches", "scenario bench has no such flag either"
	}
	for _, name := range others {
		flag := command.Flags().Lookup(name)
		if !flag.Changed {
			continue
		}
		if value, _ := a.Env(cli.VariableOf(flag)); value == "" {
			return cli.Usagef(hint, "--%s says nothing of %s, which are what is run here", name, are)
		}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			_ = list.Replace(nil) // a list of strings takes any
		} else {
			_ = flag.Value.Set(flag.DefValue) // which it had
		}
		flag.Changed = false
	}
	return nil
}

// onlyBenches reports whether files declare benches and no scenario.
func onlyBenches(source *suite.Source, paths []string) bool {
	var places suite.Selection
	picked, err := places.Pick(source, paths)
	if err != nil {
		return false // who loads them says it
	}
	files, err := source.Discover(picked)
	if err != nil {
		return false
	}
	benches := false
	for _, path := range files {
		text, err := disk.Read(path, dsl.MaxFileSize)
		if err != nil {
			return false
		}
		file, _ := dsl.ParseExtended(nil, path, text)
		if file == nil || len(file.Body.All("scenario")) > 0 {
			return false
		}
		benches = benches || len(file.Body.All("bench")) > 0
	}
	return benches
}

// errHalted is why a context of a command ends.
var errHalted = errors.New("halted")

// until is a context that ends when the command has to, or the queue is of no more use.
func until(su *harness.Invocation, q *queue.Queue) (context.Context, context.CancelFunc) {
	halt, cancel := context.WithCancelCause(context.Background())
	ctx, leave := q.Within(halt)
	over := make(chan struct{})
	go func() {
		select {
		case <-su.Halt.C:
			cancel(errHalted)
		case <-over:
		}
	}()
	return ctx, func() {
		close(over)
		leave()
		cancel(nil)
	}
}
