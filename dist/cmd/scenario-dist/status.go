package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/dist/internal/collect"
	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/internal/command/cli"
)

// statusFlags are what `scenario-dist status` can be told.
type statusFlags struct {
	queueFlags
	json bool
}

func statusCommand(a *cli.App) *cobra.Command {
	f := &statusFlags{}
	cmd := &cobra.Command{
		Use:   "status [RUN]",
		Short: "Say how far a run is, or all runs of a queue, and which workers there are",
		Args:  cobra.MaximumNArgs(1),
		RunE:  func(_ *cobra.Command, args []string) error { return f.status(a, args) },
	}
	cmd.Flags().SortFlags = false
	f.queueFlags.register(cmd.Flags())
	cmd.Flags().BoolVar(&f.json, "json", false, "print one JSON object")
	return cmd
}

// told is what status prints as JSON.
type told struct {
	Schema  string                 `json:"schema"`
	Runs    []collect.Status       `json:"runs"`
	Workers []collect.WorkerStatus `json:"workers"`
}

// status is the whole of `scenario-dist status`.
func (f *statusFlags) status(a *cli.App, args []string) error {
	q, err := f.queueFlags.open(a)
	if err != nil {
		return err
	}
	defer q.Close()
	ctx, stop := waiting(a, q)
	defer stop()
	runs, err := collect.Runs(ctx, q)
	if err != nil {
		return err
	}
	if len(args) == 1 {
		r, err := q.Run(ctx, args[0])
		if err != nil {
			return err
		}
		if r == nil {
			return queue.NoRun(args[0])
		}
		runs = []*job.Run{r}
	}
	out := told{Schema: "scenario.dist.status/1", Runs: []collect.Status{}}
	for _, r := range runs {
		st, err := collect.Of(ctx, q, r)
		if err != nil {
			return err
		}
		out.Runs = append(out.Runs, st)
	}
	if out.Workers, err = collect.Workers(ctx, q); err != nil {
		return err
	}
	if len(args) == 1 {
		out.Workers = slices.DeleteFunc(out.Workers, func(w collect.WorkerStatus) bool { return !concerns(&w, args[0]) })
	}
	if f.json {
		return json.NewEncoder(a.Stdout).Encode(out)
	}
	return out.print(a)
}

// concerns reports whether a worker has to do with a run: it runs units of it or has lost
// some, or leaves it to others. One that has nothing to do may take the next.
func concerns(w *collect.WorkerStatus, run string) bool {
	if w.Left {
		return false
	}
	return !w.Lost && len(w.Open) == 0 || w.Refuses[run] != "" || slices.Contains(w.Open, run)
}

func (t *told) print(a *cli.App) error {
	if len(t.Runs) == 0 {
		fmt.Fprintln(a.Stdout, "no runs")
	}
	for _, r := range t.Runs {
		fmt.Fprintf(a.Stdout, "run %s: %d of %d done, %d running, %d waiting", r.Run, r.Done, r.Units, r.Running, r.Waiting)
		if r.Failed > 0 {
			fmt.Fprintf(a.Stdout, ", %d failed", r.Failed)
		}
		if r.Differing > 0 {
			fmt.Fprintf(a.Stdout, ", %s with two results that differ", cli.Plural(r.Differing, "unit"))
		}
		if r.Repeated > 0 {
			fmt.Fprintf(a.Stdout, ", %s repeated", cli.Plural(r.Repeated, "trial"))
		}
		if !r.Sealed {
			fmt.Fprintf(a.Stdout, " (not all units are in the queue)")
		}
		fmt.Fprintln(a.Stdout)
	}
	for _, w := range t.Workers {
		how := fmt.Sprintf("heard of %s ago", w.Silent)
		switch {
		case w.Left:
			how = "has ended"
		case w.Lost:
			how = fmt.Sprintf("lost, silent for %s", w.Silent)
		case w.Unheard:
			how = fmt.Sprintf("heard of %s ago, and may live: the queue is full, and keeps nothing of what workers say", w.Silent)
		}
		fmt.Fprintf(a.Stdout, "worker %s (%s, process %d, %d at a time): %s\n", w.Name, w.Host, w.PID, w.Parallel, how)
		holds := "runs"
		if w.Lost || w.Left {
			holds = "had"
		}
		for _, u := range w.Running {
			fmt.Fprintf(a.Stdout, "  %s %s of run %s\n", holds, cli.Visible(u.String()), u.Run)
		}
		for _, run := range w.Open {
			if !slices.ContainsFunc(w.Running, func(u job.Unit) bool { return u.Run == run }) {
				fmt.Fprintf(a.Stdout, "  %s units of run %s\n", holds, run)
			}
		}
		for run, why := range w.Refuses {
			fmt.Fprintf(a.Stdout, "  leaves run %s to others: %s\n", run, cli.Visible(why))
		}
	}
	return nil
}
