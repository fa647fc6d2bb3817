//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/notify"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// A fakeNotifier says what the test tells it to. A send on changes returns when
// the watch takes it, which it does between two rounds only.
type fakeNotifier struct {
	changes chan string
	added   []string
	closed  bool
}

func (n *fakeNotifier) Add(dir string) error {
	if !slices.Contains(n.added, dir) {
		n.added = append(n.added, dir)
	}
	return nil
}
func (n *fakeNotifier) Changes() <-chan string { return n.changes }
func (n *fakeNotifier) Close() error           { n.closed = true; return nil }

// watching is `test --watch` with time and file system in the test's hands.
type watching struct {
	t     *testing.T
	n     *fakeNotifier
	quiet chan time.Time
	out   strings.Builder
	ended chan cli.ExitCode
}

func startWatching(t *testing.T, args ...string) *watching {
	w := &watching{t: t, n: &fakeNotifier{changes: make(chan string)}, quiet: make(chan time.Time), ended: make(chan cli.ExitCode)}
	a, _ := surroundings(func(p *interp.Plan) *interp.Result { return interp.Run(p, interp.RunOptions{}) })
	a.Stdout, a.Stderr = &w.out, &w.out
	a.Notifier = func() (notify.Notifier, error) { return w.n, nil }
	a.After = func(d time.Duration) <-chan time.Time {
		switch d {
		case settle:
			return w.quiet
		case 300 * time.Millisecond: // for the same signal to come twice
			return nil
		}
		t.Errorf("waits for %s", d)
		return w.quiet
	}
	go func() { w.ended <- execute(a, append([]string{"test", "--watch", "--parallel", "1"}, args...)) }()
	return w
}

// change tells of changes, then that it is quiet, and returns after the round.
func (w *watching) change(paths ...string) {
	for _, p := range paths {
		w.n.changes <- p
	}
	w.quiet <- time.Time{}
	w.round()
}

// round returns when the watch waits for changes. What it is told for that
// concerns nothing.
func (w *watching) round() { w.n.changes <- "notes.txt" }

// interrupt ends the watch and returns how.
func (w *watching) interrupt() cli.ExitCode {
	if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
		w.t.Error(err)
	}
	return <-w.ended
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

const one = "workflow \"w\" {\n  step \"value\" \"v\" { value = %s }\n}\nscenario \"s\" {\n  run = workflow.w\n  expect \"v\" { output = 1 }\n}\n"

// Shows that a change runs the files that it concerns and no other: the file
// itself, those that import it, read it, or list its directory; that what an
// invalid file kept from running is made up for; that changes before it is
// quiet are one; and that an interruption ends all with 130.
func TestWatch(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "common"+suite.Suffix, "workflow \"w\" {\n  step \"value\" \"v\" { value = 1 }\n}\n")
	write(t, "a"+suite.Suffix, "import = [\"./common.scenario.hcl\"]\nscenario \"s\" {\n  run = workflow.w\n  expect \"v\" { output = 1 }\n}\n")
	write(t, "data/x.json", "1")
	write(t, "b"+suite.Suffix, fmt.Sprintf(one, `length(fileset("data/*.json"))`))
	write(t, "c"+suite.Suffix, fmt.Sprintf(one, "1"))
	write(t, "data.txt", "1")
	write(t, "e"+suite.Suffix, fmt.Sprintf(one, `tonumber(trimspace(file("data.txt")))`))

	w := startWatching(t)
	w.round()
	write(t, "c"+suite.Suffix, fmt.Sprintf(one, "2"))
	w.change("c" + suite.Suffix)
	w.change("common" + suite.Suffix)
	w.change("notes.txt")
	write(t, "data.txt", "3")
	w.change("data.txt")
	write(t, "data/y.json", "1")
	w.change("data/y.json")
	write(t, "c"+suite.Suffix, "scenario {")
	w.change("c" + suite.Suffix)
	w.change("a" + suite.Suffix)
	write(t, "c"+suite.Suffix, fmt.Sprintf(one, "1"))
	w.change("c" + suite.Suffix)
	write(t, "sub/d"+suite.Suffix, fmt.Sprintf(one, "1"))
	w.change("sub")
	if err := os.Remove("b" + suite.Suffix); err != nil {
		t.Fatal(err)
	}
	w.change("b" + suite.Suffix)
	write(t, "data.txt", "1")
	w.change("data.txt", "sub/d"+suite.Suffix, "data.txt")
	w.change("")
	code := w.interrupt()
	if code != 130 || !w.n.closed {
		t.Errorf("exit code %d, closed %v", code, w.n.closed)
	}
	for _, dir := range []string{".", "data", "sub"} {
		if !slices.ContainsFunc(w.n.added, func(d string) bool { return d == dir || d == disk.Real(dir) }) {
			t.Errorf("%s is not watched: %v", dir, w.n.added)
		}
	}
	got := strings.Split(strings.TrimSuffix(w.out.String(), "watching for changes; Ctrl-C stops\n"), "watching for changes; Ctrl-C stops\n")
	for i := range got {
		got[i] = shortened(got[i])
	}
	want := []string{
		"a b c e: 4 passed, 0 failed", // all
		"c: 0 passed, 1 failed",       // itself
		"a: 1 passed, 0 failed",       // who imports it
		"e: 0 passed, 1 failed",       // who reads it
		"b: 0 passed, 1 failed",       // who lists its directory
		"invalid",                     // c
		"invalid",                     // a, and c still
		"a c: 2 passed, 0 failed",     // both are due
		"d: 1 passed, 0 failed",       // in a new directory
		"e d: 2 passed, 0 failed",     // one round for all changes
		"a c e d: 4 passed, 0 failed", // whatever has changed
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n%s", diff, w.out.String())
	}
}

// shortened is the files of a round and what became of their scenarios.
func shortened(text string) string {
	var files []string
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "Error: ") {
			return "invalid"
		}
		fields := strings.Fields(line)
		if len(fields) > 1 && strings.HasSuffix(fields[1], suite.Suffix) {
			files = append(files, strings.TrimSuffix(filepath.Base(fields[1]), suite.Suffix))
		}
		if before, _, ok := strings.Cut(line, ", 0 errored"); ok {
			return strings.Join(files, " ") + ": " + before
		}
	}
	return text
}

// Shows that a mistake in the command line ends a watch at once, and that a
// signal while a suite runs ends it with its code.
func TestWatchEnds(t *testing.T) {
	world(t)
	w := startWatching(t, "--shard", "3/2")
	if code := <-w.ended; code != 2 || !strings.Contains(w.out.String(), "--shard 3/2 is not of the form I/N") {
		t.Errorf("exit code %d\n%s", code, w.out.String())
	}
	w = startWatching(t, "--list")
	if code := <-w.ended; code != 2 {
		t.Errorf("exit code %d\n%s", code, w.out.String())
	}
	a, end := surroundings(func(p *interp.Plan) *interp.Result {
		if p.Name == "2" {
			if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
				t.Error(err)
			}
			select {}
		}
		return passed(p)
	})
	a.Notifier = func() (notify.Notifier, error) { return &fakeNotifier{changes: make(chan string)}, nil }
	got := end(execute(a, []string{"test", "--watch", "--parallel", "1"}))
	if got.code != 143 || !strings.Contains(got.stderr, "interrupted: 3 of 4") {
		t.Errorf("%+v", got)
	}
}

// Shows that the operating system's own notifier tells of a file that is
// written and of one that is moved to its place, and not of its mode.
func TestDiskNotifier(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "old"), "x")
	n, err := notify.OnDisk()
	if err != nil {
		t.Skipf("this machine tells nobody of changes of its files: %v", err)
	}
	if err := notify.AddTree(n, dir); err != nil {
		t.Fatal(err)
	}
	if err := n.Add(filepath.Join(dir, "absent")); err != nil {
		t.Errorf("a directory that is gone: %v", err)
	}
	if err := os.Chmod(filepath.Join(dir, "old"), 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, ".tmp"), "x")
	if err := os.Rename(filepath.Join(dir, ".tmp"), filepath.Join(dir, "new")); err != nil {
		t.Fatal(err)
	}
	for path := range n.Changes() {
		if filepath.Base(path) == "old" {
			t.Error("a mode counts as a change")
		}
		if filepath.Base(path) == "new" {
			break
		}
	}
	if err := n.Close(); err != nil {
		t.Error(err)
	}
}
