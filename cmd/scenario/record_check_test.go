package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Shows that a check of a service that now repeats the key it was sent tells of
// another status, shows the answer without the key, and leaves the file as it
// was.
func TestCheckHidesTheKey(t *testing.T) {
	s, dir := standInFor(t), askSuite(t, "plain")
	if out, code := liveIn(t, dir, s, "record", "ask.scenario.hcl"); code != 0 {
		t.Fatalf("exit %d:\n%s", code, out)
	}
	path := filepath.Join(dir, "tapes", "ask.yaml")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "ask.scenario.hcl")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	writeIn(t, dir, "ask.scenario.hcl", strings.Replace(string(text), `"plain"`, `"leaky"`, 1))
	for _, args := range [][]string{{"-v"}, {"--json"}} {
		out, code := liveIn(t, dir, s, append([]string{"record", "--check", "ask.scenario.hcl"}, args...)...)
		if code != 1 || strings.Contains(out, standInKey) || strings.Contains(out, standInKey[:12]) {
			t.Errorf("exit %d:\n%s", code, out)
		}
		want := []string{"shape    status: recorded 200, now 401", `asked    body.model: recorded "plain", now "leaky"`, "no such key: <REDACTED>"}
		if args[0] == "--json" {
			want = []string{`{"tier":"shape","path":"status","recorded":"200","now":"401"}`, `"asked":[{"path":"body.model"`, "no such key: <REDACTED>"}
		}
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("%s is not in\n%s", w, out)
			}
		}
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("the cassette was changed")
	}
}

// Shows that streams and failures are checked: what a service always does is
// equal, and a stream that is cut now has another shape.
func TestCheckStreams(t *testing.T) {
	for model, want := range map[string]string{
		"plain-stream": "1 answer checked, 0 in another shape, 0 with other content only",
		"cut-stream":   "2 answers checked, 0 in another shape, 1 with other content only",
	} {
		s, dir := standInFor(t), askSuite(t, model)
		for _, args := range [][]string{{"record", "ask.scenario.hcl"}, {"record", "--check", "ask.scenario.hcl"}} {
			out, code := liveIn(t, dir, s, args...)
			if code != 0 || args[1] == "--check" && !strings.Contains(out, want) {
				t.Errorf("%s: exit %d:\n%s", model, code, out)
			}
		}
	}
}

// Shows that a check which is stopped compares nothing: what it cut off itself
// would look like another answer.
func TestCheckStopped(t *testing.T) {
	s, dir := standInFor(t), askSuite(t, "plain-stream")
	if out, code := liveIn(t, dir, s, "record", "ask.scenario.hcl"); code != 0 {
		t.Fatalf("exit %d:\n%s", code, out)
	}
	s = standInFor(t)
	s.hold(9)
	defer close(s.resume)
	c, out := command(t, dir, s.env(), "record", "--check", "ask.scenario.hcl")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	<-s.streaming // a first event was sent, and the next ones are held back
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	if code := c.ProcessState.ExitCode(); code != 130 || !strings.Contains(out.String(), "nothing is compared: the run was interrupted") || strings.Contains(out.String(), "checked,") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}
