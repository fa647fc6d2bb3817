package conformance

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Programs in Python, with nothing but its standard library, are explored with the flags
// that everybody has: a minute each, a process for every run. Of the one that is right
// nothing is found, and of four that are wrong in one way each what is wrong, under one
// fault. One without a deadline is a find no more than it is right: its silences decide
// nothing. One that keeps something in a file is told to do so, and what was found of it
// is withdrawn.
func TestExploreProgramsInPython(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute for each program")
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	name, err := command()
	if err != nil {
		t.Fatal(err)
	}
	for wrong, want := range map[string][]string{
		"right":     {"\nnothing found among "},
		"hasty":     {`find   "a program asks again no sooner than the answer allows"`, ", attempt 1: 429 with Retry-After 2\n"},
		"stubborn":  {`find   "a program does not repeat what cannot succeed"`, "one fault: llm, attempt 1: 400\n"},
		"trusting":  {`find   "what is ordered is a whole answer"`, "one fault: llm, attempt 1: stream_truncate"},
		"greedy":    {`find   "a program repeats what may have had an effect under a key"`, "one fault: shop, attempt 1: "},
		"remembers": {"\nunsteady: the run without a fault is not what it was", ", and withdraws 1 find made since it last was.", "\nnothing is known of any fault: "},
		"patient":   {"\nnothing found among ", " undecided."},
	} {
		t.Run(wrong, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(name, "explore", "--exec", "--var", "wrong="+wrong, "--var", "seen="+filepath.Join(t.TempDir(), "seen"), "shop.scenario.hcl")
			cmd.Dir = "testdata/explore"
			out, err := cmd.CombinedOutput()
			if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if green := cmd.ProcessState.ExitCode() == 0; green != strings.Contains(want[0], "nothing found") || !green && cmd.ProcessState.ExitCode() != 1 {
				t.Errorf("exit code %d", cmd.ProcessState.ExitCode())
			}
			for _, text := range want {
				if !strings.Contains("\n"+string(out), text) {
					t.Errorf("no %q", text)
				}
			}
			if wrong == "remembers" && (strings.Contains("\n"+string(out), "\nfind ") || strings.Contains(string(out), "nothing found")) {
				t.Error("something is known of it")
			}
			if t.Failed() {
				t.Logf("%s", out)
			}
		})
	}
}
