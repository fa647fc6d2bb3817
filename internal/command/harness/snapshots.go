package harness

import (
	"fmt"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// MayUpdate refuses to record snapshots where nobody looks at them.
func MayUpdate(a *cli.App) error {
	if ci, _ := a.Env("CI"); ci != "" && ci != "false" && ci != "0" {
		return cli.Usagef("run it on your own machine, read what changed, and commit it", "--update is refused because CI is %q in the environment: a snapshot that a build records for itself can never fail", ci)
	}
	return nil
}

// A snapshotWriter records the values of snapshots and says so.
type snapshotWriter struct {
	app    *cli.App
	source *suite.Source
	quiet  bool
}

// SnapshotsOf writes snapshots beside the files of a source.
func SnapshotsOf(a *cli.App, source *suite.Source, quiet bool) *snapshotWriter {
	return &snapshotWriter{a, source, quiet}
}

// settle records the values of a scenario that differ from their records. The
// scenario passes then, where nothing else is wrong with it.
func (w *snapshotWriter) settle(r *interp.Result) (*interp.Result, error) {
	settled, err := w.source.Record(r)
	for _, s := range settled.Written {
		if w.quiet {
			break
		}
		done := "recorded"
		if s.Changed {
			done = "changed"
		}
		fmt.Fprintf(w.app.Stderr, "%s %s\n", done, s.Path)
	}
	if settled.Refused {
		fmt.Fprintf(w.app.Stderr, "%s:%d: no snapshot of %q is recorded, because the scenario fails for another reason\n", r.Plan.File, r.Plan.Line, r.Plan.Name)
	}
	return settled.Result, err
}

// UnusedSnapshots names records that no scenario of the files compares anything
// with: a snapshot that was renamed, or whose scenario was, is compared no more.
func (l *Loader) UnusedSnapshots(a *cli.App, files []*Loaded, quiet bool) error {
	for _, path := range l.Source.UnusedSnapshots(FilesOf(files)) {
		if err := l.strayed(a, quiet, "%s belongs to no snapshot; delete it if none was renamed", path); err != nil {
			return err
		}
	}
	return nil
}
