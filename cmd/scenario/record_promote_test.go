package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Shows that failures of a recording become faults of a new scenario, which
// passes without the network and answers the rest from the cassette.
func TestPromoteFaults(t *testing.T) {
	s, dir := standInFor(t), askSuite(t, "flaky")
	out, code := liveIn(t, dir, s, "record", "--promote-faults", "faults.scenario.hcl", "ask.scenario.hcl")
	if code != 0 || !strings.Contains(out, "wrote faults.scenario.hcl: 1 scenario with the recorded failures as faults") {
		t.Fatalf("exit %d:\n%s", code, out)
	}
	data, err := os.ReadFile(filepath.Join(dir, "faults.scenario.hcl"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if strings.Count(text, `fault "http_error"`) != 2 || !strings.Contains(text, "interaction = 3") || strings.Contains(text, standInKey) {
		t.Errorf("%s", text)
	}
	dialled := s.dialled
	for _, args := range [][]string{{"test", "faults.scenario.hcl"}, {"fmt", "--check", "faults.scenario.hcl"}} {
		if out, code := liveIn(t, dir, s, args...); code != 0 || s.dialled != dialled {
			t.Errorf("%q: exit %d:\n%s\n%s", args, code, out, text)
		}
	}
	out, code = liveIn(t, dir, s, "record", "--promote-faults", "faults.scenario.hcl", "ask.scenario.hcl")
	if code != 2 || s.dialled != dialled || !strings.Contains(out, "faults.scenario.hcl already exists") {
		t.Errorf("again: exit %d:\n%s", code, out)
	}
}

// Shows that broken streams are replayed exactly, and that a recording without a
// failure gives no file.
func TestPromoteFaultsOthers(t *testing.T) {
	for model, want := range map[string]string{"cut-stream": "replay {", "plain": ""} {
		s, dir := standInFor(t), askSuite(t, model)
		out, code := liveIn(t, dir, s, "record", "--promote-faults", "faults.scenario.hcl", "ask.scenario.hcl")
		data, _ := os.ReadFile(filepath.Join(dir, "faults.scenario.hcl"))
		if want == "" {
			if code != 0 || data != nil || !strings.Contains(out, "no failure was recorded") {
				t.Errorf("%s: exit %d:\n%s", model, code, out)
			}
			continue
		}
		out, code = liveIn(t, dir, s, "test", "faults.scenario.hcl")
		if code != 0 || !strings.Contains(string(data), want) {
			t.Errorf("%s: exit %d:\n%s\n%s", model, code, out, data)
		}
	}
}
