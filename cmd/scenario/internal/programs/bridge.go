package programs

import (
	"errors"
	"io"
	"net"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/cmd/scenario/internal/dial"
	"github.com/scenario-lang/scenario/internal/command/cli"
)

// BridgeCommand is `scenario bridge`.
func BridgeCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "bridge address token",
		Short: "Stand in for a server over a pipe, in a run of exec or serve",
		Long: "Join the standard input and output to a run of scenario exec or serve, which answers in the\n" +
			"place of a server of the Model Context Protocol. Nobody types this: provider.NAME.command, or\n" +
			"what serve prints, is the whole command, with the address and the token of the run. Behind the\n" +
			"address may stand the prefix of a session of serve. It ends when either side does, and dials\n" +
			"nothing but this machine.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return cli.Usagef("the whole command is provider.NAME.command in the sut block of a scenario", "bridge takes the address and the token of a run")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runBridge(a, args[0], args[1]) },
	}
}

func runBridge(a *cli.App, address, token string) error {
	address, below, _ := strings.Cut(address, "/")
	if below != "" {
		token += " /" + below
	}
	conn, err := dial.Run(address)
	if err != nil {
		return cli.ExitAs(cli.ExitFailed, err.Error(), "a bridge lives as long as the run that started its program")
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, token+"\n"); err != nil {
		return cli.Ending(cli.ExitFailed, err)
	}
	go func() {
		_, _ = io.Copy(conn, a.Stdin)
		_ = conn.CloseWrite() // what is answered still comes
	}()
	_, err = io.Copy(a.Data(), conn)
	if err == nil {
		return nil
	}
	var cut *net.OpError
	if errors.As(err, &cut) && cut.Op == "read" {
		return cli.ExitAs(cli.ExitFailed, "the connection to the run was cut", "") // as a server that dies
	}
	return cli.Ending(cli.ExitFailed, err)
}
