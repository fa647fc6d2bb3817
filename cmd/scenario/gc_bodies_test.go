package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Shows that gc names a body that nothing refers to, removes it with --write
// and leaves the others.
func TestGCOfBodies(t *testing.T) {
	s, dir := standInFor(t), t.TempDir()
	s.saying(map[string]string{"one": strings.Repeat("long ", 60_000)})
	text := strings.Replace(twoSteps, "two, ${step.first.content}", "two", 1)
	text = strings.Replace(text, "echo two, echo one", "echo two", 1)
	writeIn(t, dir, "ask.scenario.hcl", text)
	if out, code := liveIn(t, dir, s, "record", "ask.scenario.hcl"); code != 0 {
		t.Fatalf("exit %d:\n%s", code, out)
	}
	stray := filepath.Join("ask.yaml.bodies", strings.Repeat("ab", 32))
	writeIn(t, dir, stray, "left behind")
	for _, c := range []struct {
		args []string
		left int
	}{{nil, 2}, {[]string{"--write"}, 1}} {
		out, code := liveIn(t, dir, s, append([]string{"cassette", "gc", "ask.scenario.hcl"}, c.args...)...)
		entries, err := os.ReadDir(filepath.Join(dir, "ask.yaml.bodies"))
		if code != 0 || err != nil || len(entries) != c.left || strings.Count(out, "refers to this body") != 1 || !strings.Contains(out, stray) {
			t.Errorf("exit %d, %v, %v:\n%s", code, entries, err, out)
		}
	}
	if out, code := liveIn(t, dir, s, "test", "ask.scenario.hcl"); code != 0 {
		t.Errorf("exit %d:\n%s", code, out)
	}
}
