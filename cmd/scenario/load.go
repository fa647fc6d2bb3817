package main

import (
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// A loader loads the files of one call of a command. It is safe for concurrent
// use.
type loader struct {
	suite.Loader
	// partial says that only some files of a suite are loaded, so that a
	// variable may be declared in another one.
	partial bool
	// environment are the variables of the environment that provider blocks may
	// read; for all others they get a placeholder.
	environment []string
	// strict says that a warning is as bad as an error.
	strict bool
	// shuffle is the order in which files are read.
	shuffle shuffle
	// room is for files that stay compiled, nil without a bound; beyond it
	// each file is handed to overflow, in the goroutine that loaded it.
	room     *room
	overflow func(*loaded)
	// invalid is set as soon as something is wrong with a file.
	invalid atomic.Bool
	// unread counts files that a halt left.
	unread int
}

// loader is one for files of the disk.
func (a *app) loader() *loader {
	l := &loader{Loader: suite.Loader{Source: suite.Disk(), Env: a.env}}
	l.Placeholder = func(name string) bool { return !slices.Contains(l.environment, name) }
	return l
}

// only has the loader compile for running what is selected, and nothing else.
func (l *loader) only(sel *suite.Selection) { l.Wanted = sel.Selects }

// loaded is one file with what became of it.
type loaded struct {
	*suite.File
	// early holds what became of the plans that were run at once, nil for the
	// others; it is nil for a file that is kept.
	early []*outcome
}

// filesOf are the files as the suite knows them.
func filesOf(files []*loaded) []*suite.File {
	all := make([]*suite.File, len(files))
	for i, f := range files {
		all[i] = f.File
	}
	return all
}

// load reads and compiles one file.
func (l *loader) load(path string) *loaded {
	out := &loaded{File: l.Load(path)}
	if l.strict {
		out.refuseWarnings()
	}
	switch {
	case out.Failed():
		l.invalid.Store(true)
	case l.room != nil && !l.room.take(len(out.Source)):
		l.overflow(out)
	}
	return out
}

// refuseWarnings makes errors of the warnings about a file.
func (f *loaded) refuseWarnings() {
	for i, d := range f.Diags {
		if d.Severity != hcl.DiagError {
			refused := *d
			refused.Severity = hcl.DiagError
			f.Diags[i] = &refused
		}
	}
	if f.Failed() {
		f.Plans = nil
	}
}

// load finds, reads and compiles all files of a command line. With an error
// among them there are none to run. A halt returns what was read before it
// only where some of it has run already.
func (a *app) load(l *loader, paths []string, workers int, h *halt, quiet bool) ([]*loaded, error) {
	names, left, err := l.Source.Find(paths)
	if err != nil {
		return nil, usageOf(err)
	}
	if !quiet {
		for _, passed := range left {
			fmt.Fprintln(a.stderr, "note: "+visible(passed))
		}
	}
	if len(names) == 0 {
		return nil, nothingFound(paths)
	}
	p := a.progressOn(a.stderr, len(names), "files")
	if l.shuffle.on {
		l.shuffle.tell(a.stderr)
		l.room = l.shuffle.room(names, a.keep)
	}
	files := l.loadAll(names, workers, h.C, func(done int) {
		p.show(done)
		a.memory.ease(done)
	})
	p.clear()
	if l.unread = len(names) - len(files); l.unread > 0 {
		message := fmt.Sprintf("stopped before %d of %d files were read", l.unread, len(names))
		if !slices.ContainsFunc(files, func(f *loaded) bool { return f.early != nil }) {
			return nil, &exitError{h.cause(), message + "; nothing was run", ""}
		}
		fmt.Fprintln(a.stderr, message)
	}
	if !quiet && !l.Benches {
		for _, f := range files {
			if len(f.Benches) > 0 && len(f.Plans) == 0 && !f.Failed() && len(files) > 1 {
				fmt.Fprintf(a.stderr, "note: %s has no scenario for its bench %q: scenario bench runs it\n", visible(f.Path), f.Benches[0])
			}
		}
	}
	return files, l.check(a, files, quiet)
}

// nothingFound says where scenario files were looked for.
func nothingFound(paths []string) error {
	e := suite.NothingFound(paths)
	return &exitError{exitNothing, e.Problem, e.Hint}
}

// loadAll loads files on several cores and returns them in order, without
// those that were not finished when stop was closed. each is told how many
// are done.
func (l *loader) loadAll(paths []string, workers int, stop <-chan struct{}, each func(done int)) []*loaded {
	files := make([]*loaded, 0, len(paths))
	load := func(i int) *loaded { return l.load(paths[i]) }
	keep := func(_ int, f *loaded, s progressState) bool {
		if s == finished {
			files = append(files, f)
		}
		return true
	}
	if l.shuffle.on {
		turns := l.shuffle.turns(len(paths), func(i int) string { return l.Source.Place(paths[i]) })
		jumbled(turns, workers, stop, load, keep, each)
		return files
	}
	ordered(len(paths), workers, stop, load, func(i int, f *loaded, s progressState) bool {
		each(i + 1)
		return keep(i, f, s)
	})
	return files
}

// check prints what is wrong with the files and says how that ends the
// command. Mistyped variables count only when all files could be read: the
// declaration may be in the part that could not.
func (l *loader) check(a *app, files []*loaded, quiet bool) error {
	code, parsed := exitPassed, l.unread == 0
	var declared, asked, withheld []string
	for _, f := range files {
		declared, asked = append(declared, f.Variables...), append(asked, f.Environment...)
		withheld = append(withheld, f.Placeholders...)
		parsed = parsed && f.Parsed
		code = worst(code, f.code())
		if f.Crash != "" {
			fmt.Fprintf(a.stderr, "Error: internal error: %s\n", f.Crash)
		}
	}
	slices.Sort(declared)
	if parsed && !l.partial {
		if err := l.undeclared(a, slices.Compact(declared), quiet); err != nil {
			return err
		}
		if err := unasked(l.environment, asked); err != nil {
			return err
		}
	}
	diags, sources := said(files)
	a.writeDiagnostics(diags, sources, outlines(files), quiet)
	if !quiet && code == exitPassed {
		tellPlaceholders(a.people(a.stderr), withheld)
	}
	return exitWith(code)
}

// code is what a file alone would end the command with: an error of the file
// itself counts more than a cassette that cannot be loaded.
func (f *loaded) code() exitCode {
	code := exitPassed
	if f.Crash != "" {
		code = exitInternal
	}
	for _, d := range f.Diags {
		switch _, broken := d.Extra.(*interp.CassetteError); {
		case d.Severity != hcl.DiagError:
		case broken:
			code = worst(code, exitCassette)
		default:
			code = worst(code, exitInvalid)
		}
	}
	return code
}
