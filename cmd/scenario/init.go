package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/scenario-lang/scenario/cmd/scenario/internal/mcp"
	helpers "github.com/scenario-lang/scenario/examples"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/suite"
)

// starters are the files that init writes.
//
//go:embed starters starters_program
var starters embed.FS

func initCommand(a *cli.App) *cobra.Command {
	var agents, add, program, pytest, node bool
	cmd := &cobra.Command{
		Use:   "init [directory]",
		Short: "Create a starter project",
		Long: "Write two scenario files into a directory, the working directory by default: the first\n" +
			"passes, the second finds a deliberate mistake. Existing files are never\n" +
			"overwritten.\n\n" +
			"With --program, write one for a program of yours instead, which scenario exec starts.\n\n" +
			"With --pytest or --node, write the helper that tests in pytest or in Node import: it gives\n" +
			"each test a session of its own.\n\n" +
			"With --agents, write AGENTS.md instead: a short guide that tells coding agents how to\n" +
			"write and run scenarios. To an AGENTS.md that is there already, --append adds it.",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Usagef("for example scenario init scenarios", "init takes one directory, not %d", len(args))
			}
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			var asked []string
			for flag, set := range map[string]bool{"--program": program, "--pytest": pytest, "--node": node, "--agents": agents} {
				if set {
					asked = append(asked, flag)
				}
			}
			slices.Sort(asked)
			switch {
			case len(asked) > 1:
				return cli.Usagef("run scenario init once for each", "%s write different files", strings.Join(asked, " and "))
			case agents:
				return writeGuide(a, dir, add)
			case add:
				return cli.Usagef("scenario init --agents --append", "--append is for --agents")
			case program:
				return initialise(a, dir, starters, "starters_program", nextOfProgram)
			case pytest:
				return initialise(a, dir, helpers.Files, "python", nextOfPytest)
			case node:
				return initialise(a, dir, helpers.Files, "node", nextOfNode)
			}
			return initialise(a, dir, starters, "starters", nextOfWorkflows)
		},
	}
	cmd.Flags().BoolVar(&program, "program", false, "write a scenario for a program of yours, in place of workflows")
	cmd.Flags().BoolVar(&pytest, "pytest", false, "write scenario_pytest.py, the helper for tests in pytest")
	cmd.Flags().BoolVar(&node, "node", false, "write scenario.mjs, the helper for tests in Node, and its types")
	cmd.Flags().BoolVar(&agents, "agents", false, "write AGENTS.md, a guide for coding agents, in place of scenarios")
	cmd.Flags().BoolVar(&add, "append", false, "with --agents: add the guide to an AGENTS.md that is there")
	return cmd
}

// nextOfWorkflows says what was written, and what to type next.
func nextOfWorkflows(names []string, dir string) string {
	return fmt.Sprintf(`wrote %[1]s, which passes
wrote %[2]s, which finds a mistake: it fails

Next:
  scenario test %[3]s
  scenario test -v %[1]s
  scenario explain %[2]s
To test a program of yours:
  scenario init --program %[3]s
`, names[0], names[1], dir)
}

func nextOfProgram(names []string, dir string) string {
	return fmt.Sprintf(`wrote %[1]s, for a program that asks a language model

Next, with the command line of your program:
  scenario exec %[1]s -- %[2]s
  scenario explore --exec %[1]s -- %[2]s
`, names[0], likelyProgram(dir))
}

func nextOfPytest(names []string, _ string) string {
	return fmt.Sprintf(`wrote %s, which starts scenario serve once for all tests

Next, in conftest.py at the top of the project:
  pytest_plugins = ["scenario_pytest"]
and in pytest.ini:
  [pytest]
  scenario_files = agent.scenario.hcl
  pythonpath = %s
`, names[0], filepath.ToSlash(filepath.Dir(names[0])))
}

func nextOfNode(names []string, _ string) string {
	return fmt.Sprintf(`wrote %s, which starts scenario serve once for all tests

Next, in a test beside it:
  import { serve } from './scenario.mjs'
  const server = await serve('agent.scenario.hcl')
`, strings.Join(names, " and "))
}

// starterProgram is the command line of a program in the starters.
const starterProgram = "python3 agent.py"

// likelyProgram is a command line for a program of the language that a directory is
// for, or else the working directory, by the file that its tools read.
func likelyProgram(dir string) string {
	for _, d := range []string{dir, "."} {
		for _, kind := range []struct{ file, command string }{
			{"package.json", "node agent.js"}, {"go.mod", "go run ."}, {"Cargo.toml", "cargo run -q"}, {"Gemfile", "ruby agent.rb"}, {"composer.json", "php agent.php"},
		} {
			if disk.Exists(filepath.Join(d, kind.file)) {
				return kind.command
			}
		}
	}
	return starterProgram
}

// initialise writes the files of a directory of files, all or none. next is what it then
// says of them.
func initialise(a *cli.App, dir string, files fs.ReadFileFS, from string, next func(names []string, dir string) string) error {
	dir = filepath.Clean(dir)
	shown := filepath.ToSlash(dir)
	if strings.HasSuffix(shown, suite.Suffix) {
		return cli.Usagef("name the directory to write to", "init takes a directory, and %s is the name of a file", shown)
	}
	entries, err := fs.ReadDir(files, from)
	if err != nil {
		return err
	}
	var names []string
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if disk.Exists(name) {
			return cli.Usagef("name another directory; nothing was written", "%s already exists", filepath.ToSlash(name))
		}
		names = append(names, name)
	}
	if err := makeDir(dir); err != nil {
		return err
	}
	for i, name := range names {
		text, err := files.ReadFile(from + "/" + entries[i].Name())
		if err == nil {
			err = writeNew(name, bytes.ReplaceAll(text, []byte(starterProgram), []byte(likelyProgram(dir))))
		}
		if err != nil {
			return cli.Usagef("", "cannot write %s: %s", filepath.ToSlash(name), disk.Cause(err))
		}
	}
	for i, name := range names {
		names[i] = filepath.ToSlash(name)
	}
	fmt.Fprint(a.Stdout, next(names, shown))
	return nil
}

// makeDir makes the directory that init writes to.
func makeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return cli.Usagef("", "cannot make the directory %s: %s", filepath.ToSlash(dir), disk.Cause(err))
	}
	return nil
}

// starterFiles are the files that init writes, as agents get them.
func starterFiles() []mcp.Starter {
	entries, _ := starters.ReadDir("starters") // it is part of the program
	var files []mcp.Starter
	for _, e := range entries {
		text, _ := starters.ReadFile("starters/" + e.Name())
		files = append(files, mcp.Starter{Name: e.Name(), Text: string(text)})
	}
	return files
}

// writeNew writes a file that is not there yet.
func writeNew(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
