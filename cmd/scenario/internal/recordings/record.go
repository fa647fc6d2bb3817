package recordings

import (
	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/recording"
)

// recordFlags are what `scenario record` can be told.
type recordFlags struct {
	liveFlags
	yes, recover bool
	promote      string
}

// RecordCommand is `scenario record`.
func RecordCommand(a *cli.App) *cobra.Command {
	f := &recordFlags{}
	cmd := &cobra.Command{
		Use:   "record path…",
		Short: "Run scenarios against real services and record their answers",
		Long: "Run the scenarios of the files as run does, and write each call and its answer to the cassettes\n" +
			"that the scenarios name: every attempt in order, failures included. A recording\n" +
			"replaces the previous one of the same scenario, or with --step that of the step.\n" +
			"A cassette is replaced when the run has ended; until then it is unchanged.\n\n" +
			"Secrets are hidden before anything is written: header fields that are not known to be\n" +
			"harmless, the keys that were sent, and the values of sensitive variables.\n\n" +
			"With --check nothing is written: today's answers are compared with the cassettes, field by\n" +
			"field. It exits with code 1 if an answer has another shape: status, header fields, members and\n" +
			"types, order of events. Other content in the same shape is shown and is no failure.",
		ValidArgsFunction: cli.CompleteFiles,
		RunE:              func(_ *cobra.Command, args []string) error { return runRecord(a, f, args) },
	}
	f.register(cmd)
	cmd.Flags().BoolVar(&f.drifted, "drifted", false, "dial only where the cassette has no answer to the same request")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "record although CI is set")
	cmd.Flags().BoolVar(&f.checks, "check", false, "write nothing; show how the answers differ from the recorded ones")
	cmd.Flags().BoolVar(&f.recover, "recover", false, "only save what an interrupted recording had kept to its cassettes")
	cmd.Flags().StringVar(&f.promote, "promote-faults", "", "write a scenario `file` that has the recorded failures as faults")
	return cmd
}

func runRecord(a *cli.App, f *recordFlags, paths []string) error {
	switch {
	case len(paths) == 0:
		return cli.Usagef("for example scenario record support.scenario.hcl", "record takes the files or directories whose scenarios to record")
	case f.recover && (f.missing || f.drifted || f.step != "" || f.promote != ""):
		return cli.Usagef("", "--recover records nothing, so it cannot be combined with --step, --missing, --drifted or --promote-faults")
	case f.missing && f.drifted:
		return cli.Usagef("--drifted also records what is missing", "--missing and --drifted cannot be combined")
	case f.checks && (f.missing || f.drifted || f.recover || f.promote != ""):
		return cli.Usagef("use it alone, or with --run and --step", "--check writes nothing, so it cannot be combined with --missing, --drifted, --recover or --promote-faults")
	case a.IsSet("CI") && !f.yes && !f.recover && !f.checks:
		return cli.Usagef("add --yes to record in a build", "CI is set: recording reaches real services, and a build normally replays")
	}
	if err := Writable("--promote-faults", f.promote, paths); err != nil {
		return err
	}
	if f.recover {
		return recoverRecordings(a, f, paths)
	}
	set := &recording.Set{}
	err := runLive(a, &f.liveFlags, paths, set)
	return cli.WorstError(err, promote(a, f, paths[0], set))
}
