package main

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/cmd/scenario/internal/dial"
)

func (a *app) bridgeCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "bridge address token",
		Short: "Stand in for a server over a pipe, in a run of exec",
		Long: "Join the standard input and output to a run of scenario exec, which answers in the place of a\n" +
			"server of the Model Context Protocol. Nobody types this: provider.NAME.command is the whole\n" +
			"command, with the address and the token of the run. It ends when either side does, and dials\n" +
			"nothing but this machine.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usagef("the whole command is provider.NAME.command in the sut block of a scenario", "bridge takes the address and the token of a run")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.bridge(args[0], args[1]) },
	}
}

func (a *app) bridge(address, token string) error {
	conn, err := dial.Run(address)
	if err != nil {
		return &exitError{exitFailed, err.Error(), "a bridge lives as long as the run that started its program"}
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, token+"\n"); err != nil {
		return ending(exitFailed, err)
	}
	go func() {
		_, _ = io.Copy(conn, a.stdin)
		_ = conn.CloseWrite() // what is answered still comes
	}()
	_, err = io.Copy(a.data(), conn)
	if err == nil {
		return nil
	}
	var cut *net.OpError
	if errors.As(err, &cut) && cut.Op == "read" {
		return &exitError{exitFailed, "the connection to the run was cut", ""} // as a server that dies
	}
	return ending(exitFailed, err)
}

// ownCommand is how this program is started again: by the name that it was
// started by, which a link may give it, as it was found from here.
func ownCommand() string {
	if path, err := exec.LookPath(os.Args[0]); err == nil {
		if path, err = filepath.Abs(path); err == nil {
			return path
		}
	}
	if path, err := os.Executable(); err == nil {
		return path
	}
	return os.Args[0]
}
