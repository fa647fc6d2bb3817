package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/cmd/scenario/internal/inert"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// An app is the surroundings of one command.
type app struct {
	stdin io.Reader
	// stdout and stderr show what they are given, whatever stands in it: see
	// package inert. In a live run they also hide what hides finds.
	stdout, stderr io.Writer
	hides          *redact.Redactor
	// learn has them hide some values, too; nil where nothing is hidden.
	learn func(values []string)
	env   lookup
	// play runs one scenario, and after waits on the real clock; tests replace
	// both.
	play  func(*interp.Plan, interp.RunOptions) *interp.Result
	after func(time.Duration) <-chan time.Time
	// notifier learns of changes of files.
	notifier func() (notifier, error)
	// memory follows what is alive while a suite is read and run.
	memory memory
	// keep is how much source, in bytes, stays compiled until a suite runs.
	keep int64
	// diagnostics writes what is wrong with files to standard output too,
	// where a program asked for it.
	diagnostics diagnosticWriter
}

// commands lists every command; help topics stand at the end.
func (a *app) commands() []*cobra.Command {
	return []*cobra.Command{
		a.testCommand(),
		a.exploreCommand(),
		a.mutateCommand(),
		a.coverageCommand(),
		a.execCommand(),
		a.serveCommand(),
		a.bridgeCommand(),
		a.runCommand(),
		a.recordCommand(),
		a.benchCommand(),
		a.validateCommand(),
		a.planCommand(),
		a.explainCommand(),
		a.judgeCommand(),
		a.fmtCommand(),
		a.initCommand(),
		a.mergeCommand(),
		a.importCommand(),
		a.cassetteCommand(),
		a.lspCommand(),
		a.versionCommand(),
		exitCodesTopic(),
	}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "scenario",
		Short: "Test workflows against deterministic faults and recorded answers",
		Long: "scenario runs the scenarios of .scenario.hcl files: workflows with scripted replies,\n" +
			"injected faults and recorded answers, on a virtual clock. Only run and record touch the\n" +
			"network.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          a.noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asked, _ := cmd.Flags().GetBool("version"); asked {
				return a.printVersion()
			}
			return cmd.Help()
		},
	}
	root.Flags().Bool("version", false, "print the version, as the command version does")
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(a.flagError)
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		tellMisspelt(root, a.env, a.stderr)
		return flagsFromEnv(cmd.Flags(), a.env, a.stderr)
	}
	root.AddCommand(a.commands()...)
	return root
}

// execute runs one command line.
func (a *app) execute(args []string) exitCode {
	out := &output{Writer: a.stdout}
	shown, errs := inert.New(out), inert.New(a.stderr)
	a.stdout, a.stderr = shown, errs
	defer func() { _ = errs.Flush() }() // there is nowhere to say that it failed
	root := a.root()
	// Nil would make cobra read the arguments of the process.
	root.SetArgs(append([]string{}, args...))
	err := root.Execute()
	_ = shown.Flush() // out has its errors
	return conclude(a.people(a.stderr), out.judge(err))
}

// noSuchCommand is reached with arguments only when the first one names no
// command.
func (a *app) noSuchCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	hint := "the commands are " + strings.Join(names, ", ")
	if strings.HasSuffix(args[0], suite.Suffix) {
		hint = "to run a file, type scenario test " + args[0]
	}
	return usagef(hint, "unknown command %q.%s", args[0], dsl.DidYouMean(args[0], names))
}

// flagError explains what pflag could not read. Flags after a mistyped command
// are not the mistake.
func (a *app) flagError(cmd *cobra.Command, err error) error {
	if args := cmd.Flags().Args(); !cmd.HasParent() && len(args) > 0 {
		return a.noSuchCommand(cmd, args)
	}
	hint := fmt.Sprintf("%s --help lists the flags", cmd.CommandPath())
	var wrong *pflag.InvalidValueError
	if errors.As(err, &wrong) {
		f := wrong.GetFlag()
		return usagef(hint, "--%s takes %s, not %q", f.Name, takes(f), wrong.GetValue())
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return usagef(hint, "%s", err)
	}
	given := unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		return usagef(hint, "unknown flag -%s", given)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if name := dsl.Suggest(given, names); name != "" {
		hint = "did you mean --" + name + "?"
	}
	return usagef(hint, "unknown flag --%s", given)
}

// takes says in words what the value of a flag is.
func takes(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int":
		return "an integer"
	case "uint64":
		return "an integer of at least 0"
	case "duration":
		return "a duration such as 30s or 5m"
	case "bool":
		return "true or false"
	case "shuffle":
		return "on, off or a seed, an integer of at least 0"
	}
	return "another value"
}

// flagsFromEnv gives every flag that was not typed the value of its variable:
// SCENARIO_TRACE_OUT for --trace-out. A variable that is empty counts as not
// set. SCENARIO_VAR_x are variables of scenarios, so --var and --var-file have
// none, and neither have --env and --update, which have to be meant. What a
// variable keeps from running is said on stderr: nobody sees it on the command
// line.
func flagsFromEnv(flags *pflag.FlagSet, env lookup, stderr io.Writer) error {
	var err error
	flags.VisitAll(func(f *pflag.Flag) {
		name := variableOf(f)
		if err != nil || f.Changed || name == "" {
			return
		}
		value, _ := env(name)
		if value == "" {
			return
		}
		if bad := flags.Set(f.Name, value); bad != nil {
			err = usagef("unset it, or give it another value", "%s in the environment is %q, but --%s takes %s", name, value, f.Name, takes(f))
			return
		}
		switch f.Name {
		case "list":
			if value, _ := strconv.ParseBool(value); value {
				fmt.Fprintf(stderr, "note: %s in the environment sets --list: nothing is run\n", name)
			}
		case "run", "skip", "tag", "shard":
			fmt.Fprintf(stderr, "note: %s in the environment sets --%s %q: scenarios that it excludes are not run\n", name, f.Name, value)
		}
	})
	return err
}

// variableOf is the name of the variable that stands for a flag, "" where none
// does.
func variableOf(f *pflag.Flag) string {
	if strings.HasPrefix(f.Name, "var") || f.Name == "update" || f.Name == "env" || f.Name == "help" {
		return ""
	}
	return namedAfter(f)
}

// namedAfter is the name of a variable for a flag.
func namedAfter(f *pflag.Flag) string {
	return environmentPrefix + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
}

func exitCodesTopic() *cobra.Command {
	var b strings.Builder
	b.WriteString("Exit codes:\n\n")
	for _, m := range meanings() {
		fmt.Fprintf(&b, "  %3d  %s\n", m.code, m.text)
	}
	b.WriteString("\nAn errored scenario could not be run to completion. At the --timeout limit, scenarios that\n" +
		"are running or have not begun count as errored; the output names them. After a\n" +
		"signal, and after the first failure under --fail-fast, they count as skipped.\n")
	b.WriteString("\nIf there are several causes, the exit code is the first that applies of 130/143, 6, 3, 4, 7, 1, 5, 0.")
	return &cobra.Command{Use: "exit-codes", Short: "What the exit codes mean", Long: b.String()}
}
