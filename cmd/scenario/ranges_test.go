package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// refusing are the integer flags whose command refuses by itself what they cannot be.
var refusing = map[string]bool{"max-k": true, "control": true}

// Shows that every integer flag of every command says which values it takes, and that
// what lies outside is refused before anything else, 0 too: it does not mean that
// the flag was not given.
func TestIntegerFlagsHaveRanges(t *testing.T) {
	seen := 0
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() != "int" || refusing[f.Name] {
				return
			}
			least, most, ok := cli.Range(f)
			if !ok {
				t.Errorf("%s --%s says nothing of the values it takes: use cli.InRange", cmd.CommandPath(), f.Name)
				return
			}
			wrong := []int{least - 1}
			if most != cli.Unbounded {
				wrong = append(wrong, most+1)
			}
			for _, n := range wrong {
				seen++
				root := root(&cli.App{Env: noEnv})
				root.SetArgs(append(strings.Fields(cmd.CommandPath())[1:], fmt.Sprintf("--%s=%d", f.Name, n)))
				if err := root.Execute(); err == nil || !strings.HasPrefix(err.Error(), "--"+f.Name+" must be ") {
					t.Errorf("%s --%s=%d: %v", cmd.CommandPath(), f.Name, n, err)
				}
			}
		})
	}
	walk(root(&cli.App{Env: noEnv}))
	if seen < 8 {
		t.Errorf("only %d values were tried", seen)
	}
}
