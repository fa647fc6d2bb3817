package recordings

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
)

// CassetteCommand is `scenario cassette`, with what is below it.
func CassetteCommand(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cassette",
		Short: "Inspect and maintain recordings",
		Long: "List, show, verify, compare, scan, convert and prune recordings: our own, those of go-vcr and vcrpy,\n" +
			"and response files (docs/cassette-format.md). Directories are searched for files that are cassettes; others are named.\n" +
			"Only convert, seal and gc write files. Values of headers and parameters that carry credentials are hidden.",
		Args: a.NoSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use:   "ls path…",
			Short: "List the interactions, one per line",
			RunE: func(_ *cobra.Command, args []string) error {
				return eachCassette(a, "ls", args, func(c *cassette.Cassette) error { return listCassette(a, c) })
			},
		},
		&cobra.Command{
			Use:   "show file [n]",
			Short: "Print requests with their answers: all, or the one that ls numbers n",
			RunE:  func(_ *cobra.Command, args []string) error { return showInteraction(a, args) },
		},
		&cobra.Command{
			Use:   "verify path…",
			Short: "Check that files are complete and undamaged; exits with code 4 if one is not",
			RunE: func(_ *cobra.Command, args []string) error {
				return eachCassette(a, "verify", args, func(c *cassette.Cassette) error { return verified(a, c) })
			},
		},
		diffCommand(a),
		scanCommand(a),
		convertCommand(a),
		sealCommand(a),
		gcCommand(a),
	)
	return cmd
}

// eachCassette loads files, and those of directories, in the given order. One
// that cannot be loaded is reported and does not keep the others from being
// read.
func eachCassette(a *cli.App, name string, paths []string, do func(*cassette.Cassette) error) error {
	if len(paths) == 0 {
		return cli.Usagef("for example scenario cassette "+name+" cassettes/*.yaml", "%s takes the names of cassettes", name)
	}
	files, err := findCassettes(paths)
	if err != nil {
		return err
	}
	code, loaded := cli.ExitPassed, 0
	for _, f := range files {
		c, err := loadCassette(f.path)
		if err != nil && f.found && !meantAsCassette(f.path) {
			fmt.Fprintf(a.Stderr, "%s is not a cassette\n", f.path)
			continue
		}
		loaded++
		if err != nil {
			fmt.Fprintf(a.Stderr, "Error: %s\n", err)
			code = cli.ExitCassette
			continue
		}
		if err := do(c); err != nil {
			return cli.Ending(cli.ExitPassed, fmt.Errorf("cannot write: %w", err))
		}
	}
	if loaded == 0 {
		return cli.ExitAs(cli.ExitNothing, "no cassettes in "+strings.Join(paths, ", "), "directories are searched for "+strings.Join(cassetteEndings, ", ")+" files; names that begin with _ or . and node_modules are skipped")
	}
	return cli.ExitWith(code)
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
		return nil, fmt.Errorf("cannot read %s: %w", path, disk.Cause(err))
	}
	return c, err
}

// verified says what a file that could be loaded proves of itself.
func verified(a *cli.App, c *cassette.Cassette) error {
	proof := "whole"
	switch {
	case c.Own:
		proof = "complete, with correct checksums"
	case !c.Whole:
		proof = "readable"
	}
	_, err := fmt.Fprintf(a.Stdout, "%s: %s, %s: %s\n", c.Path, c.Format, counted(c), proof)
	for _, w := range c.Warnings {
		fmt.Fprintf(a.Stderr, "Warning: %s: %s\n", c.Path, cli.Readable(w))
	}
	return err
}

// counted says how much is in a file.
func counted(c *cassette.Cassette) string {
	if c.Scripts == nil {
		return cli.Plural(len(c.Interactions), "interaction")
	}
	turns := 0
	for _, s := range c.Scripts {
		turns += len(s.Turns)
	}
	return cli.Plural(turns, "answer")
}

// showInteraction prints one interaction, or one answer of a response file;
// all of them without a number.
func showInteraction(a *cli.App, args []string) error {
	if len(args) != 1 && len(args) != 2 {
		return cli.Usagef("for example scenario cassette show cassettes/support.yaml 2", "show takes a file and perhaps a number, not %d arguments", len(args))
	}
	c, err := loadCassette(args[0])
	if err != nil {
		return cli.ExitAs(cli.ExitCassette, err.Error(), "")
	}
	if len(args) == 1 {
		return showAll(a, c)
	}
	n, err := strconv.Atoi(args[1])
	text, found := shown(c, n)
	if err != nil || !found {
		return cli.Usagef("scenario cassette ls "+c.Path+" lists them; they are numbered from 1", "%s has %s, and no number %s", c.Path, counted(c), args[1])
	}
	if _, err := a.Stdout.Write(text); err != nil {
		return cli.Ending(cli.ExitPassed, fmt.Errorf("cannot write: %w", err))
	}
	return nil
}

// showAll prints everything that a file holds, with a line between.
func showAll(a *cli.App, c *cassette.Cassette) error {
	for n := 1; ; n++ {
		text, found := shown(c, n)
		if !found {
			return nil
		}
		if n > 1 {
			text = append([]byte("\n"), text...)
		}
		if _, err := a.Stdout.Write(text); err != nil {
			return cli.Ending(cli.ExitPassed, fmt.Errorf("cannot write: %w", err))
		}
	}
}
