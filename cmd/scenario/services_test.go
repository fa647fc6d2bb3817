package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// startService starts a stand-in until the end of the script: serve openai.
func startService(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 || pageServices[args[0]] == nil {
		ts.Fatalf("usage: serve service")
	}
	s, err := newStandInProxy(ts.MkAbs("."), "api.openai.com")
	ts.Check(err)
	s.saying(pageServices[args[0]])
	ts.Defer(s.Close)
	for _, v := range s.Env {
		name, value, _ := strings.Cut(v, "=")
		ts.Setenv(name, value)
	}
}

// Shows that a replay needs no network: it passes in a namespace that has no
// interface, where a socket could lead nowhere, and a live run does not.
func TestReplayWithoutANetwork(t *testing.T) {
	if err := exec.Command("unshare", "-rn", "true").Run(); err != nil {
		t.Skip("unshare -rn is not permitted here: ", err)
	}
	s, dir := standInFor(t), t.TempDir()
	writeIn(t, dir, "ask.scenario.hcl", twoSteps)
	if out, code := liveIn(t, dir, s, "record", "ask.scenario.hcl"); code != 0 {
		t.Fatalf("exit %d:\n%s", code, out)
	}
	alone := func(args ...string) (string, int) {
		c := exec.Command("unshare", append([]string{"-rn", filepath.Join(commandDir(t), "scenario")}, args...)...)
		c.Dir, c.Env = dir, append(cleanEnv(), s.env()...)
		out, _ := c.CombinedOutput()
		return string(out), c.ProcessState.ExitCode()
	}
	if out, code := alone("test", "ask.scenario.hcl"); code != 0 {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if out, code := alone("run", "ask.scenario.hcl"); code != 1 || s.requests() != 2 {
		t.Errorf("a live run: exit %d, %d requests:\n%s", code, s.requests(), out)
	}
	scenarios, err := filepath.Abs(filepath.Join(repository, "scenarios"))
	if err != nil {
		t.Fatal(err)
	}
	if out, code := alone("test", "-q", filepath.Join(scenarios, "cassettes")); code != 0 {
		t.Errorf("exit %d:\n%s", code, out)
	}
}
