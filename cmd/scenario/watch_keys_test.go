//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/scenario-lang/scenario/suite"
)

// A sitting is somebody before a terminal on which the command watches.
type sitting struct {
	t    *testing.T
	ours *os.File
	c    *exec.Cmd

	mu   sync.Mutex
	seen bytes.Buffer
	// read is how much of it has been looked at.
	read int
}

// sit starts the command on a terminal of its own, as a shell does with what it runs
// in the foreground.
func sit(t *testing.T, env []string, args ...string) *sitting {
	t.Helper()
	ours, theirs := terminal(t, 100)
	s := &sitting{t: t, ours: ours, c: exec.CommandContext(t.Context(), filepath.Join(commandDir(t), "scenario"), args...)}
	s.c.Stdin, s.c.Stdout, s.c.Stderr = theirs, theirs, theirs
	s.c.Env = append([]string{"PATH=" + os.Getenv("PATH"), "TERM=xterm", "LANG=C.UTF-8"}, env...)
	s.c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.c.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	go func() {
		var b [4096]byte
		for {
			n, err := ours.Read(b[:])
			_, _ = s.Write(b[:n])
			if err != nil {
				return
			}
		}
	}()
	return s
}

// Write implements io.Writer: it is what the command prints.
func (s *sitting) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen.Write(b)
}

// until asks again and again, for as long as a slow machine takes.
func (s *sitting) until(what string, ok func() bool) {
	s.t.Helper()
	for range 3000 {
		if ok() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.t.Fatalf("%s never came:\n%s", what, s.seen.String())
}

// shows waits for text and returns what came before it since the last time.
func (s *sitting) shows(text string) (before string) {
	s.t.Helper()
	s.until(fmt.Sprintf("%q", text), func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		rest := s.seen.String()[s.read:]
		i := strings.Index(rest, text)
		if i < 0 {
			return false
		}
		before, s.read = rest[:i], s.read+i+len(text)
		return true
	})
	return before
}

func (s *sitting) types(keys string) {
	s.t.Helper()
	if _, err := s.ours.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// plain reports whether the terminal sends lines and shows what is typed.
func (s *sitting) plain() bool {
	var m syscall.Termios
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, s.ours.Fd(), syscall.TCGETS, uintptr(unsafe.Pointer(&m))); errno != 0 {
		s.t.Fatal(errno)
	}
	return m.Lflag&(syscall.ICANON|syscall.ECHO) == syscall.ICANON|syscall.ECHO
}

// waits waits until the command waits for keys.
func (s *sitting) waits() (before string) {
	s.t.Helper()
	before = s.shows("q quits\r\n")
	s.until("the keyboard", func() bool { return !s.plain() })
	return before
}

// ends waits for the command's end.
func (s *sitting) ends(code int) {
	s.t.Helper()
	_ = s.c.Wait()
	if got := s.c.ProcessState.ExitCode(); got != code {
		s.t.Errorf("exit code %d, want %d\n%s", got, code, s.seen.String())
	}
	if !s.plain() {
		s.t.Error("the terminal does not show any more what is typed")
	}
}

const twoScenarios = `workflow "w" {
  step "value" "v" { value = 1 }
}
scenario "one" {
  run = workflow.w
  expect "v" { output = 1 }
}
scenario "two" {
  run = workflow.w
  expect "v" { output = %d }
}
`

const oneSnapshot = `workflow "w" {
  step "value" "v" { value = 1 }
}
scenario "kept" {
  run = workflow.w
  snapshot "value" { value = step.v.output }
}
`

// Shows every key on a real terminal, that the terminal is given back while the
// command is stopped and when it ends, and that a question can be left.
func TestWatchKeys(t *testing.T) {
	for _, home := range []bool{true, false} { // with a directory for what failed, and without
		dir := t.TempDir()
		t.Chdir(dir)
		write(t, "a"+suite.Suffix, fmt.Sprintf(twoScenarios, 2))
		write(t, "go.mod", "module m\n")
		var env []string
		if home {
			env = []string{"HOME=" + t.TempDir()}
		}
		s := sit(t, env, "test", "--watch", "a"+suite.Suffix, ".")
		if got := s.waits(); !strings.Contains(got, "1 passed, 1 failed") {
			t.Errorf("at first there is\n%s", got)
		}
		s.types("?")
		s.shows("run what failed")
		for _, key := range []string{"r", "\r"} {
			s.types(key)
			if got := s.waits(); !strings.Contains(got, "1 passed, 1 failed") {
				t.Errorf("%q runs\n%s", key, got)
			}
		}
		s.types("f")
		if got := s.waits(); !strings.Contains(got, "--last-failed: 1 scenario") || !strings.Contains(got, "0 passed, 1 failed") {
			t.Errorf("f runs\n%s", got)
		}
		s.types("/twx\x7fo\r")
		if got := s.waits(); !strings.Contains(got, "0 passed, 1 failed") || !strings.Contains(got, `only scenarios that match "two"`) {
			t.Errorf("/ runs\n%s", got)
		}
		s.types("r")
		if got := s.waits(); !strings.Contains(got, "0 passed, 1 failed") {
			t.Errorf("r with a filter runs\n%s", got)
		}
		s.types("t(\r")
		s.shows("is not a regular expression")
		s.types("t\x1b")
		s.types("/\r")
		if got := s.waits(); !strings.Contains(got, "1 passed, 1 failed") || strings.Contains(got, "only scenarios") {
			t.Errorf("without a filter there is\n%s", got)
		}
		write(t, "a"+suite.Suffix, fmt.Sprintf(twoScenarios, 1))
		if got := s.waits(); !strings.Contains(got, "2 passed, 0 failed") {
			t.Errorf("a change runs\n%s", got)
		}
		s.types("f")
		if got := s.waits(); !strings.Contains(got, "every selected scenario passed when it last ran") {
			t.Errorf("f runs\n%s", got)
		}
		s.types("q")
		s.ends(0)
	}
}

// Shows that snapshots are recorded after a yes and not otherwise, and never in CI.
func TestWatchUpdatesSnapshots(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a"+suite.Suffix, oneSnapshot)
	s := sit(t, nil, "test", "--watch")
	if got := s.waits(); !strings.Contains(got, "0 passed, 1 failed") {
		t.Errorf("at first there is\n%s", got)
	}
	s.types("un\r")
	s.shows("(y/n) n\r\n")
	s.types("r")
	if got := s.waits(); !strings.Contains(got, "0 passed, 1 failed") {
		t.Errorf("after a no there is\n%s", got)
	}
	s.types("uy\r")
	if got := s.waits(); !strings.Contains(got, "recorded ") || !strings.Contains(got, "1 passed, 0 failed") {
		t.Errorf("after a yes there is\n%s", got)
	}
	s.types("q")
	s.ends(0)

	s = sit(t, []string{"CI=true"}, "test", "--watch")
	s.waits()
	s.types("u")
	s.shows("--update is refused")
	s.types("q")
	s.ends(0)
}

// Shows that the terminal is what it was when the command is stopped, goes on, or is
// interrupted, while it waits and while it asks.
func TestWatchGivesTheTerminalBack(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a"+suite.Suffix, fmt.Sprintf(twoScenarios, 1))
	s := sit(t, nil, "test", "--watch")
	s.waits()
	s.types("\x1a") // Ctrl-Z
	s.until("the stop", func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.c.Process.Pid))
		_, state, _ := strings.Cut(string(stat), ") ")
		return err == nil && strings.HasPrefix(state, "T")
	})
	if !s.plain() {
		t.Error("a stopped command keeps the terminal")
	}
	if err := s.c.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	s.until("the keyboard", func() bool { return !s.plain() })
	s.types("r")
	s.waits()
	s.types("\x03")
	s.ends(130)

	s = sit(t, nil, "test", "--watch")
	s.waits()
	s.types("/")
	s.shows("for all): ")
	s.types("\x03")
	s.ends(130)
}

// Shows that a command in the background reads no keys and goes on.
func TestWatchWithoutKeys(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a"+suite.Suffix, fmt.Sprintf(twoScenarios, 1))
	ours, theirs := terminal(t, 80)
	defer theirs.Close()
	s := &sitting{t: t, ours: ours, c: exec.CommandContext(t.Context(), filepath.Join(commandDir(t), "scenario"), "test", "--watch")}
	s.c.Stdin, s.c.Stdout, s.c.Stderr = theirs, s, s
	if err := s.c.Start(); err != nil {
		t.Fatal(err)
	}
	s.shows("watching for changes; Ctrl-C stops")
	s.types("q\n")
	time.Sleep(100 * time.Millisecond) // a band: there is nothing to wait for
	if !s.plain() {
		t.Error("the terminal is changed by a command whose output is no terminal")
	}
	if err := s.c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	s.ends(130)
}
