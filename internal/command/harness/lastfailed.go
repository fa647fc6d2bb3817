package harness

import (
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/lastfailed"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// failures are the scenarios that did not pass when they last ran. Nil knows of none
// and remembers none.
type failures struct {
	*lastfailed.Memory
	// selects says that only those are run.
	selects bool
	// roots are those of the suites that are run.
	roots []string
}

// Failures has the invocation remember what does not pass, and, where only says so,
// run nothing but what did not pass when it last ran. It remembers in known, where
// that is not nil, if there is no directory for it.
func (s *Invocation) Failures(f *CacheFlags, only bool, known *lastfailed.Memory) error {
	dir := f.directory(s.App)
	switch {
	case dir == "" && known != nil:
	case dir == "" && only && f.off:
		return cli.Usagef("drop one of them", "--last-failed needs what --no-cache does not keep")
	case dir == "" && only:
		return cli.Usagef("name a directory with --cache-dir, here and in the run before", "--last-failed knows no earlier run: nothing is kept where CI is set or there is no home directory")
	case dir == "":
		return nil
	}
	if dir != "" {
		known = lastfailed.Open(filepath.Join(dir, "failed"))
	}
	s.Runner.failures = &failures{Memory: known, selects: only}
	if only {
		s.Sel.Also = func(p *interp.Plan) bool { return s.Runner.failures.Failed(p.File, p.Name) }
	}
	return nil
}

// covers notes which suites the files are of.
func (f *failures) covers(source *suite.Source, files []*Loaded) {
	if f == nil {
		return
	}
	known := map[string]bool{}
	for _, file := range files {
		if root := source.Root(file.Path); !known[root] {
			known[root] = true
			f.roots = append(f.roots, root)
		}
	}
}

// ended notes what became of a scenario. One that was skipped is as it was.
func (f *failures) ended(r *interp.Result, siblings []string) {
	if f != nil && r.Verdict != interp.Skip {
		f.Ended(r.Plan.File, r.Plan.Name, siblings, !bad(r))
	}
}

// tell says what is run, where that is not all.
func (f *failures) tell(s *Invocation) {
	if f != nil && f.selects {
		TellLastFailed(s.App, s.Common.Quiet, s.Wanted, "scenario")
		for _, path := range f.lost() {
			fmt.Fprintf(s.App.Stderr, "--last-failed: %s had failures and is not there any more: what it had under other names is not run here\n", strconv.Quote(path))
		}
	}
}

// nothing says why there is nothing to run, nil where that has another reason.
func (f *failures) nothing(s *Invocation) error {
	if f == nil || !f.selects {
		return nil
	}
	if lost := f.lost(); len(lost) > 0 {
		return NoLastRun(strconv.Quote(filepath.Base(lost[0])) + " had failures and is not there any more")
	}
	for _, root := range f.roots {
		if f.Ran(root) {
			return NothingFailed("every selected scenario passed when it last ran")
		}
	}
	return NoLastRun("no earlier run of these files is known")
}

// lost are the files with failures that are not there any more, under no name.
func (f *failures) lost() (paths []string) {
	for _, root := range f.roots {
		paths = append(paths, f.Lost(root)...)
	}
	return paths
}

func (f *failures) close() {
	if f != nil {
		for _, root := range f.roots {
			if !f.selects {
				f.Forget(root)
			}
		}
		f.Close(f.roots...)
	}
}

// TellLastFailed says how many things --last-failed runs.
func TellLastFailed(a *cli.App, quiet bool, n int, what string) {
	if !quiet {
		fmt.Fprintf(a.Stderr, "--last-failed: %s\n", cli.Plural(n, what))
	}
}

// NoLastRun is the end of a call with --last-failed that knows of no earlier one.
func NoLastRun(why string) error {
	return cli.ExitAs(cli.ExitNothing, "--last-failed: "+why, "run once without --last-failed")
}

// NothingFailedYet is the end of one before which none failed of those that ran, and some
// did not; what names those, as "4 cases".
func NothingFailedYet(what, them string) error {
	return cli.ExitAs(cli.ExitNothing, "--last-failed: what ran in the last run passed, and "+what+" did not run", "--resume runs "+them)
}

// NothingFailed is the end of a call with --last-failed before which all passed.
func NothingFailed(why string) error {
	return cli.ExitAs(cli.ExitNothing, "--last-failed: "+why, "")
}
