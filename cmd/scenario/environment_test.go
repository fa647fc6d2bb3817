package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// Every variable that stands for a flag is found behind a slip of the finger, and
// the names of others are left alone.
func TestMisspeltVariables(t *testing.T) {
	known, inVain := flagVariables(root((&cli.App{Env: noEnv})))
	if len(known) < 40 || len(inVain) != len(typedOnly) {
		t.Fatalf("%d variables, and %d that have none", len(known), len(inVain))
	}
	for _, name := range known {
		at := len(name) - 2 // in the second half, where no prefix helps
		for _, slip := range []string{
			name[:at] + name[at+1:],
			name[:at] + "X" + name[at:],
			name[:at] + "X" + name[at+1:],
			name[:at] + name[at+1:] + name[at:at+1],
			"SCNARIO_" + strings.TrimPrefix(name, cli.EnvironmentPrefix),
			strings.ToLower(name), strings.ReplaceAll(name, "_", "-"),
		} {
			if meant := misspelt(slip, known); meant == "" && !slices.Contains(known, slip) {
				t.Errorf("nobody is told that %s is not %s", slip, name)
			}
		}
	}
	for _, other := range []string{"SCENARIO", "SCENARIO_POSTGRES", "SCENARIO_CORPUS", "SCENARIO_DETECTOR", "SCENARIO_MUTANTS", "SCENARIO_NODE_MODULES", "SCENARIO_HOME", "SCENARIO_NAME", "SCENARIO_ID"} {
		if meant := misspelt(other, known); meant != "" {
			t.Errorf("%s is taken for %s", other, meant)
		}
	}
}

// What is said of variables, one line each, and of which nothing is.
func TestTellsOfVariables(t *testing.T) {
	for _, v := range [][2]string{
		{"SCENARIO_SHUFFEL", "1"}, {"SCENARIO_UPDATE", "1"}, {"SCENARIO_VARS_word", "x"}, {"SCENARIO_VAR_word", "x"}, {"SCENARIO_SEED", "1"}, {"SCENARIO_HOME", "x"}, {"SCENARIO_TAGG", ""},
	} {
		t.Setenv(v[0], v[1])
	}
	var said bytes.Buffer
	tellMisspelt(root((&cli.App{Env: noEnv})), os.LookupEnv, &said)
	const want = `note: SCENARIO_SHUFFEL in the environment has no effect. Did you mean SCENARIO_SHUFFLE?
note: SCENARIO_UPDATE in the environment has no effect: --update has to be typed
note: SCENARIO_VARS_word in the environment has no effect. Did you mean SCENARIO_VAR_word?
`
	if said.String() != want {
		t.Errorf("said\n%s", &said)
	}
	said.Reset()
	if tellMisspelt(root((&cli.App{Env: noEnv})), noEnv, &said); said.Len() > 0 {
		t.Errorf("without an environment\n%s", &said)
	}
}
