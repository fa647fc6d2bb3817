package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/edits"
)

// typedOnly says why some flags have no variable.
var typedOnly = map[string]string{
	"update":   "--update has to be typed",
	"env":      "--env has to be typed",
	"var":      harness.VariablePrefix + "x sets the variable x of scenarios",
	"var-file": "--var-file has to be typed",
}

// tellMisspelt says in one line each which variables of the environment are set
// in vain: their names are near one that stands for a flag, or are that of a flag
// that has none. Other names that begin with SCENARIO_ may be somebody else's.
func tellMisspelt(root *cobra.Command, env cli.Lookup, stderr io.Writer) {
	set := namesNearby(env)
	if len(set) == 0 {
		return
	}
	known, inVain := flagVariables(root)
	for _, name := range set {
		_, isFlag := slices.BinarySearch(known, name)
		why, meant := inVain[name], misspelt(name, known)
		switch {
		case isFlag || strings.HasPrefix(name, harness.VariablePrefix):
		case why != "":
			fmt.Fprintf(stderr, "note: %s in the environment has no effect: %s\n", name, why)
		case meant != "":
			fmt.Fprintf(stderr, "note: %s in the environment has no effect. Did you mean %s?\n", name, meant)
		}
	}
}

// namesNearby are the variables that are set and begin with the prefix, or nearly
// so, sorted.
func namesNearby(env cli.Lookup) (names []string) {
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if upper := strings.ToUpper(name); !strings.HasPrefix(upper, "SCEN") && !strings.HasPrefix(upper, "SECN") {
			continue
		}
		if value, _ := env(name); value != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// flagVariables are the variables that stand for a flag of some command, sorted,
// and those that would be named after a flag that has none, with the reason.
func flagVariables(root *cobra.Command) (known []string, inVain map[string]string) {
	inVain = map[string]string{}
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if name := cli.VariableOf(f); name != "" {
				known = append(known, name)
			} else if why := typedOnly[f.Name]; why != "" {
				inVain[cli.NamedAfter(f)] = why
			}
		})
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(root)
	slices.Sort(known)
	return slices.Compact(known), inVain
}

// misspelt is the variable that a name was meant to be, "" where none is near.
// Near is a mistake of typing: lower case, a hyphen, one letter more, less or
// other, or two neighbours swapped.
func misspelt(name string, known []string) string {
	usual := strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
	if rest, ok := strings.CutPrefix(usual, "SCENARIO_VARS_"); ok {
		return harness.VariablePrefix + name[len(name)-len(rest):]
	}
	if usual != name && strings.HasPrefix(usual, harness.VariablePrefix) {
		return harness.VariablePrefix + name[len(harness.VariablePrefix):]
	}
	for _, k := range known {
		if usual == k || mistyped(usual, k) {
			return k
		}
	}
	return ""
}

// mistyped reports whether one mistake of typing makes one name of another. Long
// names may have two.
func mistyped(name, meant string) bool {
	switch d := edits.Between(name, meant); d {
	case 0, 1:
		return true
	case 2:
		return len(meant) >= len(cli.EnvironmentPrefix)+8
	}
	return false
}
