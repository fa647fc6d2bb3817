package sut_test

import (
	"net"
	"os"
	"strings"
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
