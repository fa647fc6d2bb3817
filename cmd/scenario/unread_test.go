//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// intoClosedPipe runs the command with an output that nobody reads, as behind
// head, and returns its exit code and what it says beside.
func intoClosedPipe(t *testing.T, args ...string) (int, string) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	defer write.Close()
	var errs bytes.Buffer
	c := exec.CommandContext(t.Context(), filepath.Join(commandDir(t), "scenario"), args...)
	c.Stdout, c.Stderr = write, &errs
	c.WaitDelay = 10 * time.Second
	err = c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), errs.String()
}

// Shows that a suite whose output nobody reads any more is run to its end: it
// writes its reports and traces, leaves nothing behind, says nothing of it, and
// its exit code is what it would be.
func TestClosedPipe(t *testing.T) {
	for bad, want := range map[int]int{-1: 0, 2: 1} {
		writeSuite(t, 4, bad)
		code, said := intoClosedPipe(t, "test", "-v", "--report", "junit=r.xml", "--report", "html=r.html", "--trace-out", "t")
		if code != want || strings.Contains(said, "write") {
			t.Errorf("exit code %d, want %d\n%s", code, want, said)
		}
		written, _ := os.ReadFile("r.xml")
		if !bytes.Contains(written, []byte("</testsuites>")) || !bytes.Contains(written, []byte(`tests="12"`)) {
			t.Errorf("the report is\n%s", written)
		}
		if left, _ := filepath.Glob(".*.[0-9]*"); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// Shows that what would go on for nobody stops: --watch, once its output is not
// read.
func TestWatchIntoClosedPipe(t *testing.T) {
	writeSuite(t, 1, -1)
	if code, said := intoClosedPipe(t, "test", "--watch"); code != 141 {
		t.Errorf("exit code %d, want 141\n%s", code, said)
	}
}
