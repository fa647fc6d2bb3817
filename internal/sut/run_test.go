package sut_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// Shows that a run whose file says nothing of its program has an error, at the
// scenario, where it cannot begin: a command is enough to start one.
func TestAPortThatIsTaken(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	path := t.TempDir() + "/a.scenario.hcl"
	text := "provider \"openai\" \"llm\" {}\n\nscenario \"s\" {\n  on \"llm\" {\n    reply { content = \"yes\" }\n  }\n  expect \"run\" { status = \"success\" }\n}\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	r := sut.Play(planOf(t, path), sut.Options{
		Command: []string{"true"}, WorkingDir: t.TempDir(), Ports: map[string]int{"llm": l.Addr().(*net.TCPAddr).Port},
	})
	if r.Verdict != interp.Error || len(r.Problems) == 0 {
		t.Fatalf("%s: %+v", r.Verdict, r.Problems)
	}
	if p := r.Problems[0]; p.Range.Start.Line != 3 || !strings.Contains(p.Message, `nothing can listen for provider "llm"`) {
		t.Errorf("line %d: %s", p.Range.Start.Line, p.Message)
	}
}

// Shows that programs which run at one time in one process are given ports of their own:
// those that are servers, and those that ask for one with sut.port. Each holds its port
// until all have begun, as nothing listens there that would keep it from others.
func TestPortsOfTwoRuns(t *testing.T) {
	const runs = 8
	dir, together := t.TempDir(), t.TempDir()
	text := `scenario "s" {
  sut {
    command = ["sh", "-c", "touch %s/$0; while [ $(ls %s | wc -l) -lt %d ]; do sleep 0.05; done; echo $0", sut.port]
    timeout = "60s"
  }
  assert "its port" { condition = tonumber(trimspace(sut.stdout)) > 1023 }
}
`
	path := dir + "/a.scenario.hcl"
	if err := os.WriteFile(path, fmt.Appendf(nil, text, together, together, runs), 0o666); err != nil {
		t.Fatal(err)
	}
	plan := planOf(t, path)
	var group sync.WaitGroup
	for range runs { // each ends only where all have ports of their own
		group.Go(func() {
			r := sut.Play(plan, sut.Options{WorkingDir: dir, Environment: os.Environ()})
			if r.Verdict != interp.Pass {
				t.Errorf("%s: %+v", r.Verdict, r.Problems)
			}
		})
	}
	group.Wait()
}

// Shows that the files of a program are searched for what no check reads only where that is asked for.
func TestUnreadIsAskedFor(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	dir := t.TempDir()
	path := dir + "/a.scenario.hcl"
	text := "scenario \"s\" {\n  sut {\n    env = { LOG_LEVEL = \"debug\" }\n  }\n  assert \"ends\" { condition = sut.exit_code == 0 }\n}\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, asked := range []bool{false, true} {
		r := sut.Play(planOf(t, path), sut.Options{Command: []string{sh, "-c", "exit 0"}, WorkingDir: dir, Environment: os.Environ(), Unread: asked})
		if r.Verdict != interp.Pass || strings.Contains(strings.Join(r.Unread, "\n"), "LOG_LEVEL") != asked || !asked && r.Unread != nil {
			t.Errorf("asked for: %v: %s, %q", asked, r.Verdict, r.Unread)
		}
	}
}
