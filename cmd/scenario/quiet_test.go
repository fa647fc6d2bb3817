package main

import (
	"strings"
	"testing"
)

// Shows that the first command that people are told to type, which runs our own
// examples, warns of nothing, and says of what is not run and of broken gates that
// are allowed no more than a line a file.
func TestExamplesAreQuiet(t *testing.T) {
	t.Chdir(repository)
	out, said, code := typed(t, "test", "./scenarios")
	if code != 0 || strings.Contains(said, "Warning") {
		t.Errorf("exit code %d\n%s", code, said)
	}
	files, lines := 0, strings.Split(strings.TrimSpace(out), "\n")
	for _, line := range lines[:len(lines)-1] {
		switch {
		case strings.HasPrefix(line, "pass  "), strings.HasPrefix(line, "skip  "):
			files++
		case !strings.HasPrefix(line, "    skipped: ") && !strings.HasPrefix(line, "    ignored: "):
			t.Errorf("it prints %q", line)
		}
	}
	if more := len(lines) - 1 - files; files < 90 || more > files/5 {
		t.Errorf("there are %d lines of %d files, and %d more", len(lines), files, more)
	}
}
