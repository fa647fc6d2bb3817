package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/internal/command/cli"
)

// forgetCommand gives up a run.
func forgetCommand(a *cli.App) *cobra.Command {
	f := &queueFlags{}
	cmd := &cobra.Command{
		Use:   "forget RUN",
		Short: "Give up a run of a queue: its units, its results, and what runs of it",
		Long: "Remove a run with all that the queue has of it. Workers stop what they run of it and take\n" +
			"others; submit and collect that wait for it end. Its results are gone: collect it first\n" +
			"if you want them. The files of its suite, which other runs may share, stay for a week.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("scenario-dist status lists the runs of a queue", "forget needs the id of a run")
			}
			return forget(a, f, args[0])
		},
	}
	cmd.Flags().SortFlags = false
	f.register(cmd.Flags())
	return cmd
}

func forget(a *cli.App, f *queueFlags, id string) error {
	q, err := f.open(a)
	if err != nil {
		return err
	}
	defer q.Close()
	ctx, stop := waiting(a, q)
	defer stop()
	r, err := q.Run(ctx, id)
	if err != nil {
		return err
	}
	if r == nil {
		return queue.NoRun(id)
	}
	if err := q.Forget(ctx, r); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Stdout, "run %s is forgotten\n", id)
	return err
}
