package cli

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/suite"
)

// NoSuchCommand is reached with arguments only when the first one names no
// command.
func (a *App) NoSuchCommand(root *cobra.Command, args []string) error {
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
	if meant, ok := otherCommands[args[0]]; ok && !root.HasParent() {
		return Usagef("type "+meant, "unknown command %q.", args[0])
	}
	if meant := otherParts[root.Name()+" "+args[0]]; meant != "" {
		return Usagef("type scenario "+root.Name()+" "+meant, "unknown command %q. Did you mean %q?", args[0], meant)
	}
	if strings.HasSuffix(args[0], suite.Suffix) {
		hint = "to run a file, type scenario test " + args[0]
	}
	return Usagef(hint, "unknown command %q.%s", args[0], dsl.DidYouMean(args[0], names))
}

// FlagError explains what pflag could not read. Flags after a mistyped command
// are not the mistake.
func (a *App) FlagError(cmd *cobra.Command, err error) error {
	if args := cmd.Flags().Args(); !cmd.HasParent() && len(args) > 0 {
		return a.NoSuchCommand(cmd, args)
	}
	hint := fmt.Sprintf("%s --help lists the flags", cmd.CommandPath())
	var wrong *pflag.InvalidValueError
	if errors.As(err, &wrong) {
		f := wrong.GetFlag()
		if number, percent := strings.CutSuffix(wrong.GetValue(), "%"); percent && f.Value.Set(number) == nil {
			hint = fmt.Sprintf("type --%s %s", f.Name, number)
		}
		return Usagef(hint, "--%s takes %s, not %q", f.Name, Takes(f), wrong.GetValue())
	}
	var lacking *pflag.ValueRequiredError
	if errors.As(err, &lacking) {
		f := lacking.GetFlag()
		kind, usage := pflag.UnquoteUsage(f)
		return Usagef(fmt.Sprintf("--%s %s: %s", f.Name, kind, strings.ReplaceAll(usage, "\n", " ")), "--%s needs a value", f.Name)
	}
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return Usagef(hint, "%s", err)
	}
	given := unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		return a.shortFlag(cmd, given, short, hint)
	}
	if meant := habit(cmd, given); meant != "" {
		return Usagef(meant, "unknown flag --%s", given)
	}
	if takesProgram(cmd) && slices.Contains(launchers, given) {
		return Usagef(fmt.Sprintf("a program follows -- and a space: %s … -- %s …", cmd.CommandPath(), given), "unknown flag --%s", given)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if name := dsl.Suggest(given, names); name != "" {
		hint = "did you mean --" + name + "?"
	}
	return Usagef(hint, "unknown flag --%s", given)
}

// shortFlag explains a flag with one dash, of whose letters one is unknown: it may
// be the first of a word, as other commands have them.
func (a *App) shortFlag(cmd *cobra.Command, letter, typed, hint string) error {
	word, _, _ := strings.Cut(typed, "=")
	if len(word) > 1 {
		if f := cmd.Flags().Lookup(word); f != nil {
			return Usagef("did you mean --"+word+"? Names of more than one letter have two dashes", "unknown flag -%s", word)
		}
		if meant := habit(cmd, word); meant != "" {
			return Usagef(meant, "unknown flag -%s", word)
		}
	}
	switch meant := habit(cmd, letter); {
	case letter == "v" && !cmd.HasParent():
		hint = "type scenario version; -v belongs behind a command, as in scenario test -v"
	case meant != "":
		hint = meant
	}
	return Usagef(hint, "unknown flag -%s", letter)
}

// takesProgram reports whether a command starts what follows --.
func takesProgram(cmd *cobra.Command) bool { return strings.Contains(cmd.Use, "[-- program") }

// launchers are what command lines of programs begin with.
var launchers = strings.Fields("python python3 node npm npx pnpm yarn bun deno tsx go uv poetry pipenv pytest ruby bundle java mvn gradle php perl cargo dotnet bash sh docker make")

// Misplaced refuses a program for a command that starts none, in the words of one that
// does. paths are what stands before the program, if it is one.
func Misplaced(cmd *cobra.Command, args []string) error {
	n := cmd.ArgsLenAtDash()
	if n < 0 || n == len(args) || takesProgram(cmd) || !cmd.HasParent() || cmd.Parent().HasParent() {
		return nil
	}
	for _, p := range args[n:] {
		if strings.HasSuffix(p, suite.Suffix) {
			return nil // a path may begin with a dash
		}
	}
	if _, err := os.Stat(args[n]); err == nil && n == 0 {
		return nil
	}
	paths := strings.Join(append([]string{"scenario exec"}, args[:n]...), " ")
	return Usagef(fmt.Sprintf("%s -- %s", paths, strings.Join(args[n:], " ")), "%s starts no program, and %s follows --", cmd.CommandPath(), args[n])
}

// Takes says in words what the value of a flag is.
func Takes(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int":
		return "an integer"
	case "uint64":
		return "an integer of at least 0"
	case "duration":
		return "a duration such as 30s or 5m"
	case "float64":
		return "a number"
	case "bool":
		return "true or false"
	case "shuffle":
		return "on, off or a seed, an integer of at least 0"
	}
	return "another value"
}
