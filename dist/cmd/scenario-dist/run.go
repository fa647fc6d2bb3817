package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/dist/internal/collect"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/dist/internal/submit"
	"github.com/scenario-lang/scenario/dist/internal/work"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
)

// runFlags are what `scenario-dist run` can be told.
type runFlags struct {
	suiteFlags
	workers int
	state   string
}

func runCommand(a *cli.App) *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "run [path…]",
		Short: "Run scenarios or benches on this machine, with a queue inside",
		Long: "Run the scenarios of the files as scenario test does, or, of files that have only benches,\n" +
			"those as scenario bench does, on some workers in this process. The queue listens on\n" +
			"nothing. Its files are in the directory of --state: after an interruption the same call\n" +
			"goes on from there.",
		ValidArgsFunction: cli.CompleteFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.Hiding(func(a *cli.App) error { return f.run(a, cmd, args) })
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "run `N` units at a time")
	cli.InRange(cmd.Flags(), "workers", 1, 1000)
	cmd.Flags().StringVar(&f.state, "state", "", "`directory` for the queue; a temporary one by default")
	f.register(cmd)
	return cmd
}

// keepSource bounds the source, in bytes, of the files that are compiled once for
// submitting and running; compiled, one takes some twenty times as much.
const keepSource = 4 << 20

// memoryRoom is what the server and the compiled files may take before the collector
// works harder.
const memoryRoom = 384 << 20

// run is the whole of `scenario-dist run`.
func (f *runFlags) run(a *cli.App, cmd *cobra.Command, paths []string) error {
	f.keep = keepSource
	a.Memory.Room(memoryRoom)
	su, s, err := f.open(a, cmd, paths)
	if su != nil {
		defer su.Close()
	}
	if err != nil {
		return err
	}
	dir, remove, err := stateDir(f.state)
	if err != nil {
		return err
	}
	defer remove()
	alone, err := locked(dir)
	if err != nil {
		return err
	}
	defer alone.Close()
	q, err := queue.Embedded(filepath.Join(dir, "queue"))
	if err != nil {
		return err
	}
	defer q.Close()
	ctx, done := until(su, q)
	defer done()
	ctx, deserted := context.WithCancelCause(ctx)
	defer deserted(nil)
	if s.Named(stableID(s)); f.state != "" {
		if err := goOn(ctx, a, q, s); err != nil {
			return err
		}
	}
	here, bundles := &collect.Made{}, filepath.Join(dir, "bundles")
	w := work.New(q, 1, work.Options{Parallel: f.workers, Run: s.Run.ID, Dir: bundles, Env: a.Env, Play: a.Play, Made: here.Add, Left: func(_ string, why error) { deserted(&nobody{why}) }, Log: a.Stderr})
	plans := work.NewPlans(q, bundles, a.Env)
	plans.Keep(s.Kept)
	units := map[string]int{}
	for i := range s.Units {
		units[s.Units[i].File]++
	}
	for _, file := range s.Compiled {
		plans.Know(file, units[file.Path])
	}
	s.Compiled = nil
	w.Share(plans)
	var group sync.WaitGroup
	working, rest := context.WithCancel(ctx)
	defer group.Wait()
	defer rest()
	group.Go(func() {
		if err := w.Work(working); err != nil && ctx.Err() == nil {
			deserted(&nobody{err})
		}
	})
	over := func() error { // nothing of a run stays that is reported
		rest()
		group.Wait()
		return errors.Join(q.Forget(ctx, &s.Run), os.RemoveAll(bundles))
	}
	if err := s.Put(ctx, q); err != nil {
		return left(ctx, f.state, halted(su, nil, &s.Run, again(f.state), err))
	}
	if err := finish(ctx, su, q, &s.Run, plans, here, again(f.state)); err != nil {
		if err := left(ctx, f.state, nil); err != nil {
			return err
		}
		if e, ok := err.(*cli.ExitError); !ok || e.Code.Signalled() || ctx.Err() != nil {
			return err
		}
		return cli.WorstError(err, over())
	}
	return over()
}

// nobody says why no worker of this process works any more: there are no others.
type nobody struct{ why error }

func (n *nobody) Error() string { return n.why.Error() }

// left is the end of a run that nobody works for, or another error where somebody does.
func left(ctx context.Context, state string, err error) error {
	var none *nobody
	if !errors.As(context.Cause(ctx), &none) {
		return err
	}
	hint := "nothing is wrong with the suite by this; mend it and run it again"
	if state != "" {
		hint = "mend it; " + again(state)
	}
	return cli.ExitAs(cli.ExitInternal, fmt.Sprintf("this process cannot run the units, and no report was written: %s", none.why), hint)
}

// again says how to go on with a run that was interrupted.
func again(state string) string {
	if state == "" {
		return "with --state DIR the same call would go on from here"
	}
	return "the same call goes on from here"
}

// stableID is the same for the same files and units.
func stableID(s *submit.Submission) string {
	h := sha256.New()
	enc := json.NewEncoder(h)
	_ = enc.Encode(s.Run) // a hash takes everything
	_ = enc.Encode(s.Units)
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// goOn takes over what an earlier call left of the same run.
func goOn(ctx context.Context, a *cli.App, q *queue.Queue, s *submit.Submission) error {
	before, err := q.Run(ctx, s.Run.ID)
	if err != nil || before == nil {
		return err
	}
	fmt.Fprintf(a.Stderr, "going on with the run that was interrupted\n")
	s.Before = before
	return nil
}

// locked keeps other calls from running with the same state, until the file is closed.
func locked(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, cli.Usagef("name another directory with --state", "cannot use the directory %s: %s", filepath.ToSlash(filepath.Dir(dir)), disk.Cause(err))
	}
	if err := cli.Lock(f); err != nil {
		f.Close()
		return nil, cli.Usagef("wait until it ends, or name another directory with --state", "another scenario-dist run uses the directory %s", filepath.ToSlash(filepath.Dir(dir)))
	}
	return f, nil
}

// inState is the directory in that of --state which has everything. No suite reads what has
// a name that begins with a dot, nor is it sent to workers: --state may lie in the suite.
const inState = ".scenario-dist"

// stateDir is a directory for the files of a queue, and what removes it where it is a
// temporary one.
func stateDir(dir string) (string, func(), error) {
	if dir != "" {
		in := filepath.Join(dir, inState)
		if err := os.MkdirAll(in, 0o700); err != nil {
			return "", nil, cli.Usagef("name another directory with --state", "cannot make the directory %s: %s", filepath.ToSlash(dir), disk.Cause(err))
		}
		return in, func() {}, nil
	}
	return temporaryDir(os.TempDir())
}
