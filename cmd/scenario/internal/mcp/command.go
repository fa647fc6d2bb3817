package mcp

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// Execute runs one command line.
type Execute func(a *cli.App, args []string) cli.ExitCode

// A Starter is a file that `scenario init` writes.
type Starter struct{ Name, Text string }

// Command is `scenario mcp`.
func Command(a *cli.App, execute Execute, starters func() []Starter) *cobra.Command {
	var limit time.Duration
	var call bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve agents: validate, test and explain scenarios as MCP tools",
		Long: "Speak the Model Context Protocol on standard input and output. An agent's client starts\n" +
			"it, in the directory whose files its tools may read; docs/mcp-server.md has the settings.\n" +
			"Nothing is written but by the tool fmt where it is told to, no service is reached, no\n" +
			"program of a scenario is started and no variable of the environment is read.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if call {
				return answerOne(a, execute)
			}
			if limit <= 0 {
				return cli.Usagef("", "--timeout must be positive")
			}
			return serve(a, limit, starters())
		},
	}
	cmd.Flags().DurationVar(&limit, "timeout", time.Minute, "limit on the real time of each call of a tool")
	cmd.Flags().BoolVar(&call, "call", false, "do one call that a server has handed over")
	cmd.Flags().Lookup("call").Hidden = true
	return cmd
}

// A server answers one client.
type server struct {
	root     string
	limit    time.Duration
	starters []Starter
	places   chan struct{} // one for each call that runs
}

// serve answers a client until it goes.
func serve(a *cli.App, limit time.Duration, starters []Starter) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	s := &server{root: root, limit: limit, starters: starters, places: make(chan struct{}, atOnce)}
	impl := &sdk.Implementation{Name: "scenario", Title: "scenario", Version: cli.Version()}
	m := sdk.NewServer(impl, &sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{}})
	s.add(m)
	err = m.Run(context.Background(), &sdk.IOTransport{Reader: io.NopCloser(a.Stdin), Writer: keptOpen{a.Data()}, MaxLineLength: 8 * textMax})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// keptOpen is a writer whose owner closes it.
type keptOpen struct{ io.Writer }

func (keptOpen) Close() error { return nil }
