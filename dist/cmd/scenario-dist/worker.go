package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/dist/internal/collect"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/dist/internal/work"
	"github.com/scenario-lang/scenario/internal/command/cli"
)

// workerFlags are what `scenario-dist worker` can be told.
type workerFlags struct {
	queueFlags
	parallel   int
	state, run string
	untilDone  bool
}

func workerCommand(a *cli.App) *cobra.Command {
	f := &workerFlags{}
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Run units of a queue until it is told to end",
		Long: "Take units from the queue and run them, some at a time. It holds no more than it runs, so\n" +
			"that fast workers take from slow ones. Sensitive variables and those of --env do not\n" +
			"travel: a worker needs them in its own environment, or leaves the run to others. After\n" +
			"SIGINT or SIGTERM it gives back what it has not ended.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.Hiding(func(a *cli.App) error { return f.work(a) })
		},
	}
	cmd.Flags().SortFlags = false
	f.queueFlags.register(cmd.Flags())
	cmd.Flags().IntVar(&f.parallel, "parallel", 1, "run `N` units at a time")
	cli.InRange(cmd.Flags(), "parallel", 1, 1000)
	cmd.Flags().StringVar(&f.run, "only", "", "work for one run, by its `id`")
	cmd.Flags().BoolVar(&f.untilDone, "until-done", false, "end once there was a run and every run has all its results")
	cmd.Flags().StringVar(&f.state, "state", "", "`directory` to unpack runs in until they are over; the system's temporary directory by default")
	return cmd
}

// waiting is a context that ends with the first signal, or where the queue is of no more
// use.
func waiting(a *cli.App, q *queue.Queue) (context.Context, context.CancelFunc) {
	h := a.WatchHalt(0)
	ctx, cancel := q.Within(context.Background())
	go func() {
		select {
		case <-h.C:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		cancel()
		h.Release()
	}
}

// lookEvery is how often a worker looks whether there is anything left to do.
const lookEvery = 200 * time.Millisecond

// work is the whole of `scenario-dist worker`.
func (f *workerFlags) work(a *cli.App) error {
	q, err := f.queueFlags.open(a)
	if err != nil {
		return err
	}
	defer q.Close()
	dir, remove, err := f.ownDir()
	if err != nil {
		return err
	}
	defer remove()
	ctx, stop := waiting(a, q)
	defer stop()
	working, done := context.WithCancel(ctx)
	defer done()
	if f.untilDone {
		if err := f.known(ctx, q); err != nil {
			return err
		}
		go func() {
			for !allDone(working, q, f.run) && working.Err() == nil {
				select {
				case <-working.Done():
				case <-time.After(lookEvery):
				}
			}
			done()
		}()
	}
	var left error
	w := work.New(q, 1, work.Options{
		Parallel: f.parallel, Run: f.run, Dir: filepath.Join(dir, "bundles"), Env: a.Env, Play: a.Play, Log: a.Stderr,
		Left: func(run string, why error) {
			fmt.Fprintf(a.Stderr, "run %s is left to others: %s\n", run, why)
			if f.untilDone && f.run != "" {
				left = why
				done()
			}
		},
	})
	if err := unlessHalted(working, w.Work(working)); err != nil || left == nil {
		return err
	}
	return cli.ExitAs(cli.ExitInternal, fmt.Sprintf("this worker is for run %s alone, and cannot run its units", f.run), "the run waits for other workers; mend what is said above and start this one again")
}

// ownDir is a directory for this worker alone, which removes files from it as soon as their
// run is over.
func (f *workerFlags) ownDir() (string, func(), error) {
	if f.state == "" {
		return temporaryDir(os.TempDir())
	}
	in, _, err := stateDir(f.state)
	if err != nil {
		return "", nil, err
	}
	return temporaryDir(in)
}

// unlessHalted is an error, nil where the command was told to end meanwhile.
func unlessHalted(ctx context.Context, err error) error {
	var trouble *queue.Trouble
	if ctx.Err() != nil && !errors.As(err, &trouble) {
		return nil
	}
	return err
}

// known refuses to wait for a run that the queue does not have.
func (f *workerFlags) known(ctx context.Context, q *queue.Queue) error {
	if f.run == "" {
		return nil
	}
	r, err := q.Run(ctx, f.run)
	if err == nil && r == nil {
		return queue.NoRun(f.run)
	}
	return unlessHalted(ctx, err)
}

// allDone reports whether there are runs, or the one that is meant, and all of them
// have their results.
func allDone(ctx context.Context, q *queue.Queue, only string) bool {
	runs, err := collect.Runs(ctx, q)
	if err != nil {
		return false
	}
	if only != "" {
		if r, err := q.Run(ctx, only); err == nil && r == nil {
			return true // it was there, and is forgotten by now
		}
	}
	some := false
	for _, r := range runs {
		if only != "" && r.ID != only {
			continue
		}
		some = true
		if r.Over {
			continue
		}
		if done, err := collect.Done(ctx, q, r); err != nil || done < r.Units {
			return false
		}
	}
	return some
}
