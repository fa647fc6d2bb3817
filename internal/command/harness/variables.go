package harness

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/stdlib"
	"github.com/scenario-lang/scenario/suite"
)

// VariableFlags are --var, --var-file and --env as they were typed.
type VariableFlags struct{ values, files, Environment []string }

// Register adds --var and --var-file.
func (f *VariableFlags) Register(flags *pflag.FlagSet) {
	cli.Repeated(flags, &f.values, "var", "set a variable: `name=value` (repeatable)")
	cli.Repeated(flags, &f.files, "var-file", "read variables from a `file` of name = value (repeatable)")
}

// Given reports whether any was typed: whether a file declares it is known when
// all are read.
func (f *VariableFlags) Given() bool { return len(f.values)+len(f.files)+len(f.Environment) > 0 }

// RegisterEnv is for commands that dial nothing, and read no more of the
// environment than they are told.
func (f *VariableFlags) RegisterEnv(flags *pflag.FlagSet) {
	cli.Repeated(flags, &f.Environment, "env", "let env(\"NAME\") read the environment variable `NAME` (repeatable)")
}

// unasked is a usage error where --env names a variable that no file asks for.
func unasked(allowed, asked []string) error {
	slices.Sort(asked)
	asked = slices.Compact(asked)
	for _, name := range allowed {
		if slices.Contains(asked, name) {
			continue
		}
		if bare, _, given := strings.Cut(name, "="); given { // the value may be a secret
			name = bare
			return cli.Usagef(fmt.Sprintf("type %s=VALUE scenario … --env %s", name, name), "--env %s takes the name of a variable alone: its value stays in the environment", name)
		}
		hint := "no file calls env()"
		if len(asked) > 0 {
			hint = "the variables are " + strings.Join(asked, ", ")
		}
		return cli.Usagef(hint, "--env %s: no provider block asks for %q.%s", name, name, dsl.DidYouMean(name, asked))
	}
	return nil
}

// tellPlaceholders says which variables of the environment were not read.
func tellPlaceholders(w io.Writer, names []string) {
	slices.Sort(names)
	names = slices.Compact(names)
	switch n := len(names); n {
	case 0:
	case 1:
		fmt.Fprintf(w, "env(%q) gives the placeholder %s; --env %s reads the variable\n", names[0], stdlib.Placeholder(names[0]), names[0])
	default:
		fmt.Fprintf(w, "env() gives placeholders for %s; --env %s reads the variable\n", strings.Join(names, ", "), names[0])
	}
}

// Read checks the flags and reads the files.
func (f *VariableFlags) Read(a *cli.App) (*suite.Variables, error) {
	v := &suite.Variables{}
	for _, given := range f.values {
		name, value, ok := strings.Cut(given, "=")
		if !ok || !hclsyntax.ValidIdentifier(name) {
			if ok {
				name += "=…" // the value may be a secret
			}
			return nil, cli.Usagef("for example --var model=gpt-4o-mini", "--var %s is not of the form name=value", name)
		}
		v.Set(name, value)
	}
	for _, path := range f.files {
		if err := v.ReadFile(a.Source(), path); err != nil {
			return nil, badVariables(a, err)
		}
	}
	return v, nil
}

// badVariables ends a command whose file of variables cannot be used. Such a
// file holds secrets: no line of it is shown.
func badVariables(a *cli.App, err error) error {
	var bad *suite.Error
	if errors.As(err, &bad) && bad.Diags != nil {
		WriteDiagnostics(a, bad.Diags, nil, nil, false)
		return cli.ExitAs(cli.ExitInvalid, bad.Problem, bad.Hint)
	}
	return cli.UsageOf(err)
}

// undeclared is a usage error where --var names a variable that no file
// declares. Files of variables and the environment may be made for more files
// than these: what they set in vain is a warning, unless strict.
func (l *Loader) undeclared(a *cli.App, declared []string, quiet bool) error {
	for _, u := range l.Vars.Undeclared(declared) {
		meant := dsl.DidYouMean(u.Name, declared)
		if u.File != "" {
			if err := l.strayed(a, false, "%s sets the variable %q, which no file declares.%s", u.File, u.Name, meant); err != nil {
				return err
			}
			continue
		}
		hint := "no file declares a variable"
		if len(declared) > 0 {
			hint = "the variables are " + strings.Join(declared, ", ")
		}
		return cli.Usagef(hint, "--var %s: there is no variable %q.%s", u.Name, u.Name, meant)
	}
	for _, name := range variables(a) {
		if !slices.Contains(declared, name) {
			if err := l.strayed(a, quiet, "%s%s in the environment sets the variable %q, which no file declares.%s", VariablePrefix, name, name, dsl.DidYouMean(name, declared)); err != nil {
				return err
			}
		}
	}
	return nil
}

// strayed says what was given for the suite and matters to none of its files: a
// warning, and an error where warnings are.
func (l *Loader) strayed(a *cli.App, quiet bool, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if l.WarningsFail {
		return cli.ExitAs(cli.ExitInvalid, text, "")
	}
	if !quiet {
		fmt.Fprintln(a.Stderr, "Warning: "+text)
	}
	return nil
}

// VariablePrefix begins the names of variables of the environment that set
// variables of scenarios.
const VariablePrefix = "SCENARIO_VAR_"

// variables are the variables of scenarios that the environment sets, by name.
func variables(a *cli.App) []string {
	var names []string
	for _, entry := range os.Environ() {
		key, _, _ := strings.Cut(entry, "=")
		name, ok := strings.CutPrefix(key, VariablePrefix)
		if _, set := a.Env(key); ok && set {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
