package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/command/keys"
	"github.com/scenario-lang/scenario/internal/command/lastfailed"
	"github.com/scenario-lang/scenario/internal/command/notify"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/suite"
)

// settle is how long it has to be quiet after a change before the suite runs
// again: an editor writes a file in several steps.
const settle = 100 * time.Millisecond

// A watch runs a suite whenever one of its files changes.
type watch struct {
	app   *cli.App
	flags *testFlags
	set   *pflag.FlagSet
	// paths are what the command was told to test.
	paths    []string
	notifier notify.Notifier
	reads    *suite.Reads
	// due are scenario files that have to run: those that changed, and those
	// that could not run because one among them was invalid.
	due map[string]bool
	// keys are those of the terminal, nil where there is none.
	keys *keys.Keyboard
	// filter is what was typed to select scenarios, in the place of --run; "" for
	// nothing.
	filter string
	// typedRun is what --run was given on the command line.
	typedRun string
}

// testWatch runs the suite, and then again what a change concerns, until it is
// interrupted.
func testWatch(a *cli.App, f *testFlags, paths []string, set *pflag.FlagSet) error {
	if f.list {
		return cli.Usagef("drop one of them", "--watch runs scenarios, and --list runs none")
	}
	n, err := a.Notifier()
	if err != nil {
		return cli.ExitAs(cli.ExitInternal, fmt.Sprintf("cannot watch files: %s", err), "")
	}
	defer n.Close()
	h := a.WatchHalt(0)
	defer h.Release()
	w := &watch{app: a, flags: f, set: set, paths: paths, notifier: n, reads: suite.NewReads(suite.Disk()), typedRun: f.Selection.Run}
	if f.known = lastfailed.Open(""); cli.IsTerminal(a.Stderr) {
		w.keys = keys.Open(a.Stdin)
		defer w.keys.Close()
	}
	// Directories are watched before they are read, so that nothing is missed.
	if err := w.watchPaths(); err != nil {
		return err
	}
	err = w.round(paths, false)
	f.failed = false // with --last-failed, that was the first round
	for {
		if e, ok := err.(*cli.ExitError); ok && (e.Code == cli.ExitUsage || h.Interrupted()) {
			return err
		}
		todo := w.next(h.C)
		switch {
		case todo.quit:
			return nil
		case todo.stopped:
			return cli.ExitWith(h.Cause())
		}
		w.clear()
		err = w.asked(todo)
	}
}

// A task is what a watch does next.
type task struct {
	// files are those that have to run because of a change, nil for all of the suite.
	files []string
	// failed runs what did not pass, and update records snapshots.
	failed, update bool
	// stopped says that the watch was stopped from outside, and quit that somebody
	// has typed so.
	stopped, quit bool
}

// asked does a round for a task.
func (w *watch) asked(todo task) error {
	if todo.files != nil {
		return w.round(todo.files, true)
	}
	typed := w.flags.Update
	w.flags.failed, w.flags.Update = todo.failed, typed || todo.update
	defer func() { w.flags.failed, w.flags.Update = false, typed }()
	return w.round(w.paths, false)
}

// round runs some files and says how to go on.
func (w *watch) round(paths []string, partial bool) error {
	l := harness.NewLoader(w.app)
	l.Reads, l.Partial = w.reads, partial
	err := runTest(w.app, w.flags, paths, w.set, l)
	code := cli.Conclude(w.app.People(w.app.Stderr), err)
	if code == cli.ExitUsage || code.Signalled() {
		return cli.ExitWith(code)
	}
	if ran := code != cli.ExitInvalid && code != cli.ExitCassette; ran {
		w.due = nil
	} else {
		w.remember(paths, partial)
	}
	if err := w.watchPaths(); err != nil {
		return err
	}
	for _, dir := range w.reads.Directories() {
		if err := w.notifier.Add(dir); err != nil {
			return w.cannot(dir, err)
		}
	}
	w.invite()
	return nil
}

// remember keeps what did not run because a file was invalid.
func (w *watch) remember(paths []string, partial bool) {
	if !partial {
		paths, _ = suite.Disk().Discover(w.paths)
	}
	w.due = map[string]bool{}
	for _, p := range paths {
		w.due[p] = true
	}
}

// watchPaths watches the directories of what is to be tested.
func (w *watch) watchPaths() error {
	paths := w.paths
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, p := range paths {
		var err error
		if disk.IsDir(p) {
			err = notify.AddTree(w.notifier, p)
		} else {
			err = w.notifier.Add(filepath.Dir(p))
		}
		if err != nil {
			return w.cannot(p, err)
		}
	}
	return nil
}

func (w *watch) cannot(path string, err error) error {
	return cli.ExitAs(cli.ExitInternal, fmt.Sprintf("cannot watch %s: %s", filepath.ToSlash(path), err), "the system may limit how many directories a user can watch; name fewer")
}

// next waits for changes that concern scenario files, for a key that asks for a
// round, or for the end.
func (w *watch) next(stop <-chan struct{}) task {
	w.keys.Listen()
	defer w.keys.Rest()
	for {
		changed, todo := w.changes(stop)
		if todo != nil {
			return *todo
		}
		if files := w.concerned(changed); len(files) > 0 {
			return task{files: files}
		}
	}
}

// changes waits for a change and then until it is quiet. A task comes before that.
func (w *watch) changes(stop <-chan struct{}) (changed []string, todo *task) {
	var quiet <-chan time.Time
	for {
		select {
		case path := <-w.notifier.Changes():
			changed = append(changed, path)
			if path != "" && disk.IsDir(path) {
				_ = notify.AddTree(w.notifier, path) // a new one; if it is gone again, that is told too
			}
			quiet = w.app.After(settle)
		case <-quiet:
			return changed, nil
		case key := <-w.keys.C():
			if todo := w.key(key, stop); todo != nil {
				return nil, todo
			}
		case <-stop:
			return nil, &task{stopped: true}
		}
	}
}

// concerned are the scenario files of the suite that have to run after a
// change.
func (w *watch) concerned(changed []string) []string {
	files, err := suite.Disk().Discover(w.paths)
	if err != nil {
		return nil // a path is gone for now, as while an editor saves
	}
	if slices.Contains(changed, "") {
		return files
	}
	real := make([]string, len(changed))
	for i, p := range changed {
		real[i] = disk.Real(p)
	}
	readers := w.reads.Concerned(real)
	concerned := slices.DeleteFunc(slices.Clone(files), func(f string) bool {
		return !slices.Contains(real, disk.Real(f)) && !slices.Contains(readers, f) && !below(real, f)
	})
	if len(concerned) == 0 {
		return nil
	}
	return slices.DeleteFunc(files, func(f string) bool { return !slices.Contains(concerned, f) && !w.due[f] })
}

// below reports whether a file is below one of the directories, such as one
// that has been moved to its place.
func below(dirs []string, file string) bool {
	real := disk.Real(file)
	return slices.ContainsFunc(dirs, func(d string) bool { return strings.HasPrefix(real, d+string(filepath.Separator)) })
}

// clear empties a terminal, so that only the latest results are on it.
func (w *watch) clear() {
	if cli.IsTerminal(w.app.Stdout) && w.app.Smart(w.app.Stdout) {
		if f, ok := cli.FileOf(w.app.Stdout); ok {
			fmt.Fprint(f, "\x1b[H\x1b[2J\x1b[3J")
		}
	}
}
