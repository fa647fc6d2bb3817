package recordings

import (
	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// RunCommand is `scenario run`.
func RunCommand(a *cli.App) *cobra.Command {
	f := &liveFlags{}
	cmd := &cobra.Command{
		Use:   "run [path…]",
		Short: "Run scenarios against real services, on the real clock",
		Long: "Run the scenarios of the files as test does, but dial the providers for what their scripts\n" +
			"do not answer, on the real clock. Nothing is written. The variables that providers name with\n" +
			"api_key_env are read, and HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured.",
		ValidArgsFunction: cli.CompleteFiles,
		RunE:              func(_ *cobra.Command, args []string) error { return runLive(a, f, args, nil) },
	}
	f.register(cmd)
	return cmd
}
