//go:build unix

package main

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Shows that a signal in the middle of a run ends the program, which ignores that
// it is asked to, and the child that it has, within a second; that the scenarios
// are reported, and that nothing of it is left. The programs are real ones.
func TestExecEndsItsProgram(t *testing.T) {
	t.Chdir(t.TempDir())
	text := `provider "openai" "llm" {}

scenario "one" {
  sut { command = ["sh", "-c", "trap '' TERM; sleep 60 & echo $! > child; kill -INT $PPID; wait; wait"] }
  expect "run" { status = "success" }
}

scenario "two" {
  sut { command = ["true"] }
  expect "run" { status = "success" }
}
`
	if err := os.WriteFile("a.scenario.hcl", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	began := time.Now()
	code := run([]string{"exec"}, strings.NewReader(""), &out, &errs, noEnv)
	if took := time.Since(began); code != 130 || took > 5*time.Second {
		t.Errorf("exit %d after %s", code, took)
	}
	if !strings.Contains(out.String(), "2 scenarios in 1 file were not run, because the suite was interrupted") || !strings.Contains(errs.String(), "interrupted: 2 of 2 scenarios were not run") {
		t.Errorf("got %s\n%s", &out, &errs)
	}
	child, err := os.ReadFile("child")
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(child)))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Second); syscall.Kill(pid, 0) == nil; time.Sleep(time.Millisecond) {
		if stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); bytes.Contains(stat, []byte(") Z ")) {
			break // nobody has asked after it yet
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d is left", pid)
		}
	}
}
