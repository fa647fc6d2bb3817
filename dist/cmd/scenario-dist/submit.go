package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/dist/internal/submit"
	"github.com/scenario-lang/scenario/dist/internal/work"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
)

// submitFlags are what `scenario-dist submit` can be told.
type submitFlags struct {
	suiteFlags
	queueFlags
	detach bool
}

func submitCommand(a *cli.App) *cobra.Command {
	f := &submitFlags{}
	cmd := &cobra.Command{
		Use:   "submit [path…]",
		Short: "Give scenarios or benches to the workers of a queue, and wait for the report",
		Long: "Put the scenarios of the files, or the benches of files that have nothing else, into the\n" +
			"queue with all the files that they need, wait until workers have run them, and report and\n" +
			"exit as scenario test or scenario bench would. If this ends early the run goes on:\n" +
			"scenario-dist collect reports it.",
		ValidArgsFunction: cli.CompleteFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.Hiding(func(a *cli.App) error { return f.run(a, cmd, args) })
		},
	}
	cmd.Flags().SortFlags = false
	f.queueFlags.register(cmd.Flags())
	cmd.Flags().BoolVar(&f.detach, "detach", false, "print the id of the run and do not wait")
	f.suiteFlags.register(cmd)
	return cmd
}

// run is the whole of `scenario-dist submit`.
func (f *submitFlags) run(a *cli.App, cmd *cobra.Command, paths []string) error {
	for _, name := range []string{"report", "trace-out"} {
		if f.detach && cmd.Flags().Changed(name) {
			return cli.Usagef(fmt.Sprintf("scenario-dist collect RUN --%s … writes it", name), "--%s and --detach exclude each other: who does not wait has no results to report", name)
		}
	}
	a.Memory.Wait() // this waits for workers, whose results are in a file
	q, err := f.queueFlags.open(a)
	if err != nil {
		return err
	}
	defer q.Close()
	su, s, err := f.suiteFlags.open(a, cmd, paths)
	if su != nil {
		defer su.Close()
	}
	if err != nil {
		return err
	}
	s.Named(strings.ToLower(rand.Text()[:12]))
	later := fmt.Sprintf("the run goes on; scenario-dist collect %s reports it", s.Run.ID)
	ctx, done := until(su, q)
	defer done()
	if !f.Quiet && !f.detach {
		s.Known = func() { fmt.Fprintf(a.Stderr, "run %s: %s\n", s.Run.ID, cli.Plural(s.Run.Units, "unit")) }
	}
	if err := s.Put(ctx, q); err != nil {
		if s.Announced {
			if err := orForgotten(ctx, q, &s.Run, err); err != nil {
				var exit *cli.ExitError
				if errors.As(err, &exit) && exit.Code == cli.ExitNothing {
					return err
				}
			}
		}
		if !s.Announced {
			later = "the queue has nothing of the run; call this again"
		} else if !errors.Is(err, errHalted) {
			fmt.Fprintf(a.Stderr, "note: the queue has a part of run %s; scenario-dist collect %s completes it later\n", s.Run.ID, s.Run.ID)
		}
		return halted(su, nil, &s.Run, later, err)
	}
	if f.detach {
		_, err := fmt.Fprintln(a.Stdout, s.Run.ID)
		return err
	}
	return await(su, q, s, later)
}

// await waits for the results of a submission.
func await(su *harness.Invocation, q *queue.Queue, s *submit.Submission, later string) error {
	dir, remove, err := stateDir("")
	if err != nil {
		return err
	}
	defer remove()
	ctx, done := until(su, q)
	defer done()
	s.Drop()
	plans := work.NewPlans(q, filepath.Join(dir, "bundles"), su.Env)
	plans.Keep(s.Kept)
	return finish(ctx, su, q, &s.Run, plans, nil, later)
}
