package harness

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/pool"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// A Loader loads the files of one call of a command. It is safe for concurrent
// use.
type Loader struct {
	suite.Loader
	// Partial says that only some files of a suite are loaded, so that a
	// variable may be declared in another one.
	Partial bool
	// Faultless says that faults come from the files alone, so that what scenarios tolerate
	// is put to no test beyond those.
	Faultless bool
	// Environment are the variables of the environment that provider blocks may
	// read; for all others they get a placeholder.
	Environment []string
	// WarningsFail says that a warning is as bad as an error.
	WarningsFail bool
	// Shuffle is the order in which files are read.
	Shuffle Shuffle
	// Room is for files that stay compiled, nil without a bound; beyond it
	// each file is handed to Overflow, in the goroutine that loaded it.
	Room     *room
	Overflow func(*Loaded)
	// selects takes the places among paths, nil where scenarios are not selected.
	selects *suite.Selection
	// flow says of the files that there are whether they are run as they are
	// read: each is then handed, in order, to what it returns.
	flow func(names []string) func(*Loaded)
	// memory knows files of earlier calls, nil none.
	memory *memory
	// invalid is set as soon as something is wrong with a file.
	invalid atomic.Bool
	// unread counts files that a halt left.
	unread int
}

// NewLoader is one for the files of a command.
func NewLoader(a *cli.App) *Loader {
	l := &Loader{Loader: suite.Loader{Source: a.Source(), Env: a.Env, Lint: interp.Unsent}}
	l.Placeholder = func(name string) bool { return !slices.Contains(l.Environment, name) }
	return l
}

// Only has the loader compile for running what is selected, and nothing else.
// Paths that name scenarios, such as FILE:LINE, become part of the selection.
func (l *Loader) Only(sel *suite.Selection) { l.Wanted, l.selects = sel.Selects, sel }

// Loaded is one file with what became of it.
type Loaded struct {
	*suite.File
	// early holds what became of the plans that were run at once, nil for the
	// others; it is nil for a file that is kept.
	early []*outcome
}

// names are those of the scenarios of a file.
func (f *Loaded) names() []string {
	names := make([]string, len(f.Plans))
	for i, p := range f.Plans {
		names[i] = p.Name
	}
	return names
}

// FilesOf are the files as the suite knows them.
func FilesOf(files []*Loaded) []*suite.File {
	all := make([]*suite.File, len(files))
	for i, f := range files {
		all[i] = f.File
	}
	return all
}

// load reads and compiles one file.
func (l *Loader) load(path string) *Loaded {
	if known := l.memory.recall(path); known != nil {
		return known
	}
	out := &Loaded{File: l.Load(path)}
	if l.WarningsFail {
		out.refuseWarnings()
	}
	l.memory.began(out)
	switch {
	case out.Failed():
		l.invalid.Store(true)
	case l.Room != nil && !l.Room.take(len(out.Source)):
		l.Overflow(out)
	}
	return out
}

// refuseWarnings makes errors of the warnings about a file.
func (f *Loaded) refuseWarnings() {
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

// Load finds, reads and compiles all files of a command line. With an error
// among them there are none to run. A halt returns what was read before it
// only where some of it has run already.
func Load(a *cli.App, l *Loader, paths []string, workers int, h *cli.Halt, quiet bool) ([]*Loaded, error) {
	if l.selects != nil {
		picked, err := l.selects.Pick(l.Source, paths)
		if err != nil {
			return nil, cli.UsageOf(err)
		}
		paths = picked
	}
	names, left, err := l.Source.Find(paths)
	if err != nil {
		return nil, cli.UsageOf(err)
	}
	if !quiet {
		for _, passed := range left {
			fmt.Fprintln(a.Stderr, "note: "+cli.Visible(passed))
		}
	}
	if len(names) == 0 {
		return nil, NothingFound(paths)
	}
	p := a.ProgressOn(a.Stderr, len(names), "files")
	if l.Shuffle.On {
		l.Shuffle.tell(a.Stderr)
		l.Room = l.Shuffle.room(names, a.Keep)
	}
	read := func(*Loaded) {}
	if l.flow != nil {
		if report := l.flow(names); report != nil {
			l.Room = NewRoom(0)
			read = func(f *Loaded) {
				p.Clear()
				report(f)
			}
		}
	}
	files := l.loadAll(names, workers, h.C, p.Show, read)
	p.Clear()
	if l.unread = len(names) - len(files); l.unread > 0 {
		message := fmt.Sprintf("stopped before %d of %d files were read", l.unread, len(names))
		if !slices.ContainsFunc(files, func(f *Loaded) bool { return f.early != nil }) {
			return nil, cli.ExitAs(h.Cause(), message+"; nothing was run", "")
		}
		fmt.Fprintln(a.Stderr, message)
	}
	if !quiet && !l.Benches {
		l.tellUnrun(a, files, names, left)
		l.tellUntried(a, files)
	}
	return files, l.check(a, files, quiet)
}

// tellUnrun says which files that were read have something that this command does not run:
// benches without a scenario, and scenarios of files that are only imported. Names are the
// files that were asked for, and left says what of the suite was passed over already.
func (l *Loader) tellUnrun(a *cli.App, files []*Loaded, names, left []string) {
	run := map[string]bool{}
	for _, name := range names {
		run[l.Source.Real(name)] = true
	}
	for _, f := range files {
		if len(f.Benches) > 0 && len(f.Plans) == 0 && !f.Failed() && len(files) > 1 {
			fmt.Fprintf(a.Stderr, "note: %s has no scenario for its bench %q: %s runs it\n", cli.Visible(f.Path), f.Benches[0], cmp.Or(a.Benches, "scenario bench"))
		}
		if f.Failed() || l.selects != nil && l.selects.Narrows() {
			continue // more is not run, or not asked for
		}
		for _, path := range f.Imported {
			real := l.Source.Real(path)
			if run[real] || slices.ContainsFunc(left, func(said string) bool { return strings.HasPrefix(said, path+" ") }) {
				continue
			}
			run[real] = true // said once
			fmt.Fprintf(a.Stderr, "note: %s has scenarios that are not run: %s only imports it\n", cli.Visible(path), cli.Visible(f.Path))
		}
	}
}

// tellUntried says in one line which scenarios say what they survive where nothing of it
// comes to them.
func (l *Loader) tellUntried(a *cli.App, files []*Loaded) {
	var first *Loaded
	count := 0
	for _, f := range files {
		if !l.Faultless || f.Failed() || len(f.Untried) == 0 {
			continue
		}
		first = cmp.Or(first, f)
		count += len(f.Untried)
	}
	if first == nil {
		return
	}
	and := " tolerates faults and gets"
	if count > 1 {
		and = fmt.Sprintf(" and %s tolerate faults and get", cli.Plural(count-1, "more scenario"))
	}
	fmt.Fprintf(a.Stderr, "note: %q in %s%s none here: scenario explore tries them\n", cli.Visible(first.Untried[0]), cli.Visible(first.Path), and)
}

// NothingFound says where scenario files were looked for.
func NothingFound(paths []string) error {
	e := suite.NothingFound(paths)
	return cli.ExitAs(cli.ExitNothing, e.Problem, e.Hint)
}

// loadAll loads files on several cores and returns them in order, without
// those that were not finished when stop was closed. each is told how many
// are done, and read is handed each file in order.
func (l *Loader) loadAll(paths []string, workers int, stop <-chan struct{}, each func(done int), read func(*Loaded)) []*Loaded {
	files := make([]*Loaded, 0, len(paths))
	load := func(i int) *Loaded { return l.load(paths[i]) }
	keep := func(_ int, f *Loaded, s pool.State) bool {
		if s == pool.Finished {
			files = append(files, f)
			read(f)
		}
		return true
	}
	if l.Shuffle.On {
		turns := l.Shuffle.Turns(len(paths), func(i int) string { return l.Source.Place(paths[i]) })
		pool.Jumbled(turns, workers, stop, load, keep, each)
		return files
	}
	pool.Ordered(len(paths), workers, stop, load, func(i int, f *Loaded, s pool.State) bool {
		each(i + 1)
		return keep(i, f, s)
	})
	return files
}

// check prints what is wrong with the files and says how that ends the
// command. Mistyped variables count only when all files could be read: the
// declaration may be in the part that could not.
func (l *Loader) check(a *cli.App, files []*Loaded, quiet bool) error {
	code, parsed := cli.ExitPassed, l.unread == 0
	var declared, asked, withheld []string
	for _, f := range files {
		declared, asked = append(declared, f.Variables...), append(asked, f.Environment...)
		withheld = append(withheld, f.Placeholders...)
		parsed = parsed && f.Parsed
		code = cli.Worst(code, f.code())
		if f.Crash != "" {
			fmt.Fprintf(a.Stderr, "Error: internal error: %s\n", f.Crash)
		}
	}
	slices.Sort(declared)
	if parsed && !l.Partial {
		if err := l.undeclared(a, slices.Compact(declared), quiet); err != nil {
			return err
		}
		if err := unasked(l.Environment, asked); err != nil {
			return err
		}
	}
	diags, sources := said(files)
	WriteDiagnostics(a, diags, sources, outlines(files), quiet)
	if !quiet && code == cli.ExitPassed {
		tellPlaceholders(a.People(a.Stderr), withheld)
	}
	return cli.ExitWith(code)
}

// code is what a file alone would end the command with: an error of the file
// itself counts more than a cassette that cannot be loaded.
func (f *Loaded) code() cli.ExitCode {
	code := cli.ExitPassed
	if f.Crash != "" {
		code = cli.ExitInternal
	}
	for _, d := range f.Diags {
		switch _, broken := d.Extra.(*interp.CassetteError); {
		case d.Severity != hcl.DiagError:
		case broken:
			code = cli.Worst(code, cli.ExitCassette)
		default:
			code = cli.Worst(code, cli.ExitInvalid)
		}
	}
	return code
}
