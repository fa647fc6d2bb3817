package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/cassette"
)

func (a *app) cassetteCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cassette",
		Short: "Look into recordings",
		Long: "List, show and verify recordings: our own, and those of go-vcr, vcrpy and AgentLoom.\n" +
			"Nothing is changed. Values of headers and parameters that carry credentials are hidden.",
		Args: a.noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use:   "ls file…",
			Short: "List the interactions, one a line",
			RunE:  func(_ *cobra.Command, args []string) error { return a.eachCassette("ls", args, a.listCassette) },
		},
		&cobra.Command{
			Use:   "show file n",
			Short: "Print a request with its answer; n is what ls counts",
			RunE:  func(_ *cobra.Command, args []string) error { return a.showInteraction(args) },
		},
		&cobra.Command{
			Use:   "verify file…",
			Short: "Check that files are whole and undamaged; ends with 4 when one is not",
			RunE:  func(_ *cobra.Command, args []string) error { return a.eachCassette("verify", args, a.verified) },
		},
	)
	return cmd
}

// eachCassette loads files in the given order. One that cannot be loaded is
// reported and does not keep the others from being read.
func (a *app) eachCassette(name string, paths []string, do func(*cassette.Cassette) error) error {
	if len(paths) == 0 {
		return usagef("for example scenario cassette "+name+" cassettes/*.yaml", "%s takes the names of cassettes", name)
	}
	code := exitPassed
	for _, path := range paths {
		c, err := loadCassette(path)
		if err != nil {
			fmt.Fprintf(a.stderr, "Error: %s\n", err)
			code = exitCassette
			continue
		}
		if err := do(c); err != nil {
			return ending(exitPassed, fmt.Errorf("cannot write: %w", err))
		}
	}
	return exitWith(code)
}

// loadCassette is cassette.Load for the command line.
func loadCassette(path string) (*cassette.Cassette, error) {
	path = filepath.ToSlash(path)
	c, err := cassette.Load(path)
	var bad *cassette.LoadError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s", path)
	case err != nil && !errors.As(err, &bad):
		return nil, fmt.Errorf("cannot read %s: %w", path, cause(err))
	}
	return c, err
}

// verified says what a file that could be loaded proves of itself.
func (a *app) verified(c *cassette.Cassette) error {
	proof := "whole"
	switch {
	case c.Own:
		proof = "whole, its sums are right"
	case !c.Whole:
		proof = "readable"
	}
	_, err := fmt.Fprintf(a.stdout, "%s: %s, %s: %s\n", c.Path, c.Format, counted(c), proof)
	for _, w := range c.Warnings {
		fmt.Fprintf(a.stderr, "Warning: %s: %s\n", c.Path, readable(w))
	}
	return err
}

// counted says how much is in a file.
func counted(c *cassette.Cassette) string {
	if c.Scripts == nil {
		return plural(len(c.Interactions), "interaction")
	}
	turns := 0
	for _, s := range c.Scripts {
		turns += len(s.Turns)
	}
	return plural(turns, "answer")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// showInteraction prints one interaction, or one answer of a response file.
func (a *app) showInteraction(args []string) error {
	if len(args) != 2 {
		return usagef("for example scenario cassette show cassettes/support.yaml 2", "show takes a file and a number, not %d arguments", len(args))
	}
	c, err := loadCassette(args[0])
	if err != nil {
		return &exitError{exitCassette, err.Error(), ""}
	}
	n, err := strconv.Atoi(args[1])
	text, found := shown(c, n)
	if err != nil || !found {
		return usagef("scenario cassette ls "+c.Path+" lists them; they count from 1", "%s has %s, and no number %s", c.Path, counted(c), args[1])
	}
	if _, err := a.stdout.Write(text); err != nil {
		return ending(exitPassed, fmt.Errorf("cannot write: %w", err))
	}
	return nil
}
