//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/peak"
)

const manyCases = `
workflow "answer" {
  inputs = { question = null, n = null, expected = null, id = null }
  step "value" "said" { value = "answer ${input.n} with words" }
  output = { answer = step.said.output, why = "${input.question} ${input.question}" }
}
bench "many" {
  cases = ["cases.jsonl"]
  sut { run = workflow.answer }
  rubric { passed = output.answer == case.input.expected }
}
`

// Shows that a bench of 10,000 cases with a page, a JSON report and an earlier run to
// compare with takes less than 200 MB, and that its page has less than 10 MB.
func TestManyCasesFitIntoMemory(t *testing.T) {
	if os.Getenv("SCENARIO_ENDURANCE") == "" {
		t.Skip("10,000 cases take half a minute: make endurance runs them")
	}
	dir, bin := t.TempDir(), commandDir(t)
	var cases strings.Builder
	for i := range 10_000 {
		expected := fmt.Sprintf("answer %d with words", i)
		if i%7 == 0 {
			expected = "another"
		}
		fmt.Fprintf(&cases, `{"id":"c%05d","n":"%d","question":"%s","expected":"%s"}`+"\n", i, i, strings.Repeat("words and ", 15), expected)
	}
	for name, text := range map[string]string{"many.scenario.hcl": manyCases, "cases.jsonl": cases.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"--report", "json=base.json"},
		{"--baseline", "base.json", "--report", "json=now.json", "--report", "html=now.html"},
	} {
		c := exec.Command(filepath.Join(bin, "scenario"), append([]string{"bench", "-q", "many.scenario.hcl"}, args...)...)
		c.Dir = dir
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		used, err := peak.Run(c)
		if err != nil || used.Code != 0 {
			t.Fatalf("exit code %d, %v: %s", used.Code, err, out.String())
		}
		t.Logf("%v: %d MB", args, used.Peak/1e6)
		if used.Peak > 200e6 {
			t.Errorf("%v took %d MB", args, used.Peak/1e6)
		}
	}
	if page, err := os.Stat(filepath.Join(dir, "now.html")); err != nil || page.Size() > 10_000_000 {
		t.Errorf("the page: %v, %v", page, err)
	}
}
