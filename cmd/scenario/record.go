package main

import (
	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/recording"
)

// recordFlags are what `scenario record` can be told.
type recordFlags struct {
	liveFlags
	yes, recover bool
	promote      string
}

func (a *app) recordCommand() *cobra.Command {
	f := &recordFlags{}
	cmd := &cobra.Command{
		Use:   "record path…",
		Short: "Run scenarios against real services and keep what they answer",
		Long: "Run the scenarios of the files as run does, and write what the calls met into the cassettes\n" +
			"that the scenarios name: every attempt in order, failures as they came. What is recorded\n" +
			"takes the place of what was recorded of the same scenario, or with --step of that step.\n" +
			"A cassette is replaced when the run has ended; until then it stays as it is.\n\n" +
			"Secrets are hidden before anything is written: header fields that are not known to be\n" +
			"harmless, the keys that were sent, and the values of sensitive variables.\n\n" +
			"With --check nothing is written: what is answered now is compared with the cassettes, field by\n" +
			"field. It ends with 1 where an answer has another shape: status, header fields, members and\n" +
			"types, order of events. Other words in the same shape are shown and fail nothing.",
		ValidArgsFunction: completeFiles,
		RunE:              func(_ *cobra.Command, args []string) error { return a.record(f, args) },
	}
	f.register(cmd)
	cmd.Flags().BoolVar(&f.yes, "yes", false, "record although CI is set")
	cmd.Flags().BoolVar(&f.checks, "check", false, "write nothing; show what is answered otherwise than it was recorded")
	cmd.Flags().BoolVar(&f.recover, "recover", false, "only put what an interrupted recording had kept into its cassettes")
	cmd.Flags().StringVar(&f.promote, "promote-faults", "", "write a scenario `file` with the failures that were recorded as faults")
	return cmd
}

func (a *app) record(f *recordFlags, paths []string) error {
	switch {
	case len(paths) == 0:
		return usagef("for example scenario record support.scenario.hcl", "record takes the files, or the directories, whose scenarios are recorded")
	case f.recover && (f.missing || f.step != "" || f.promote != ""):
		return usagef("", "--recover records nothing, so --step, --missing and --promote-faults mean nothing with it")
	case f.checks && (f.missing || f.recover || f.promote != ""):
		return usagef("use it alone, or with --run and --step", "--check writes nothing, so --missing, --recover and --promote-faults mean nothing with it")
	case a.isSet("CI") && !f.yes && !f.recover && !f.checks:
		return usagef("add --yes if a build is to record", "CI is set: recording reaches real services, and a build normally replays")
	}
	if err := f.promotable(paths); err != nil {
		return err
	}
	if f.recover {
		return a.recoverRecordings(f, paths)
	}
	set := &recording.Set{}
	err := a.live(&f.liveFlags, paths, set)
	return worstError(err, a.promote(f, paths[0], set))
}
