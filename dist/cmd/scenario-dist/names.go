package main

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// aRun is what an id of a run looks like. What a queue makes of other names, with their
// spaces, dots and stars, concerns nobody.
var aRun = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// checkRuns refuses what cannot be the id of a run, wherever a command takes one: as its
// argument RUN, or as a flag that takes an id.
func checkRuns(cmd *cobra.Command, args []string) error {
	const hint = "scenario-dist status lists the runs of a queue"
	if strings.Contains(cmd.Use, "RUN") && len(args) > 0 && !aRun.MatchString(args[0]) {
		return cli.Usagef(hint, "%q is not the id of a run: one is letters and digits, such as k6efrpglqvbp", args[0])
	}
	var err error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		takes, _ := pflag.UnquoteUsage(f)
		if takes != "id" || !f.Changed || aRun.MatchString(f.Value.String()) {
			return
		}
		if f.Value.String() == "" {
			err = cli.Usagef(hint, "--%s needs the id of a run", f.Name)
		} else {
			err = cli.Usagef(hint, "--%s takes the id of a run, not %q: one is letters and digits, such as k6efrpglqvbp", f.Name, f.Value.String())
		}
	})
	return err
}
