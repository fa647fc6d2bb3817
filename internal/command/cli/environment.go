package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// EnvironmentPrefix begins the names of variables that stand for flags.
const EnvironmentPrefix = "SCENARIO_"

// FlagsFromEnv gives every flag that was not typed the value of its variable:
// SCENARIO_TRACE_OUT for --trace-out. A variable that is empty counts as not
// set. SCENARIO_VAR_x are variables of scenarios, so --var and --var-file have
// none, and neither have --env and --update, which have to be meant. What a
// variable keeps from running is said on stderr: nobody sees it on the command
// line.
func FlagsFromEnv(flags *pflag.FlagSet, env Lookup, stderr io.Writer) error {
	var err error
	flags.VisitAll(func(f *pflag.Flag) {
		name := VariableOf(f)
		if err != nil || f.Changed || name == "" {
			return
		}
		value, _ := env(name)
		if value == "" {
			return
		}
		if bad := flags.Set(f.Name, value); bad != nil {
			err = Usagef("unset it, or give it another value", "%s in the environment is %q, but --%s takes %s", name, value, f.Name, Takes(f))
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
	if err != nil {
		return err
	}
	return checkRanges(flags)
}

// VariableOf is the name of the variable that stands for a flag, "" where none
// does.
func VariableOf(f *pflag.Flag) string {
	if strings.HasPrefix(f.Name, "var") || f.Name == "update" || f.Name == "env" || f.Name == "help" {
		return ""
	}
	return NamedAfter(f)
}

// NamedAfter is the name of a variable for a flag.
func NamedAfter(f *pflag.Flag) string {
	return EnvironmentPrefix + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
}
