package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/stdlib"
)

// A loader reads and compiles scenario files. It is safe for concurrent use.
type loader struct {
	places locator
	vars   *variables
	// seed replaces the seed of every scenario, where not nil.
	seed *uint64
	// strict refuses cassettes that do not prove themselves whole.
	strict bool
	// now is the wall clock's, against which recordings are too old; none is
	// where it is zero.
	now time.Time
	// live takes a cassette that is not there yet for an empty one.
	live bool
	// bench takes the benches of the files in the place of their scenarios.
	bench bool
	// reads notes what every file is compiled from, where somebody watches.
	reads *reads
	// partial says that only some files of a suite are loaded, so that a
	// variable may be declared in another one.
	partial bool
	// sel says which scenarios will run, nil that all may.
	sel *selection
	// shuffle is the order in which files are read.
	shuffle shuffle
	// room is for files that stay compiled, nil without a bound; beyond it
	// each file is handed to overflow, in the goroutine that loaded it.
	room     *room
	overflow func(*loaded)
	// open gives the texts of files that are not saved yet, nil for none.
	open func(path string) ([]byte, bool)
	// invalid is set as soon as something is wrong with a file.
	invalid atomic.Bool
	// unread counts files that a halt left.
	unread int

	mu    sync.Mutex
	roots map[string]*os.Root
}

// loaded is one file after reading and compiling.
type loaded struct {
	path   string
	source []byte
	// imports are the files that it brings in, with what they bring in.
	imports []*dsl.File
	// plans is nil where diags has errors.
	plans []*interp.Plan
	// early holds what became of the plans that were run at once, nil for the
	// others; it is nil for a file that is kept.
	early []*outcome
	diags hcl.Diagnostics
	// declared are the variables of the file; parsed says that they are all.
	declared []string
	// tapes are the cassettes of the file, by their path as it is written.
	tapes  map[string]string
	parsed bool
	// crashed is the report of a panic in the compiler.
	crashed string
}

// load reads and compiles one file. What is wrong with it, down to not being
// readable, is in the diagnostics.
func (l *loader) load(path string) (out *loaded) {
	out = &loaded{path: path}
	defer func() {
		if p := recover(); p != nil {
			l.invalid.Store(true)
			out.plans, out.crashed = nil, fmt.Sprintf("compiling %s: %v\n%s", path, p, debug.Stack())
		}
	}()
	l.compile(out)
	switch {
	case out.code() != exitPassed:
		l.invalid.Store(true)
	case l.room != nil && !l.room.take(len(out.source)):
		l.overflow(out)
	}
	return out
}

// compile fills in what there is to know of a file.
func (l *loader) compile(out *loaded) {
	path := out.path
	l.reads.begin(path)
	src, err := l.read(path)
	if err != nil {
		start := hcl.Range{Filename: path, Start: hcl.InitialPos, End: hcl.InitialPos}
		out.diags = hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "File cannot be read", Detail: whyUnread(path, err), Subject: &start}}
		return
	}
	out.source = src
	file, diags := dsl.Parse(path, src)
	out.diags = diags
	if file == nil {
		return
	}
	if !diags.HasErrors() {
		file, out.diags = dsl.Link(file, l.imports(path))
		out.diags = append(diags, out.diags...)
		out.imports = file.Imports
	}
	for _, b := range file.Body.All("variable") {
		out.declared = append(out.declared, b.Name())
	}
	if out.diags.HasErrors() {
		out.diags = append(out.diags, interp.Independent(file, out.diags)...)
		return
	}
	out.parsed = true
	o := l.options(file)
	if l.reads != nil {
		l.reads.watch(path, &o)
	}
	if l.live {
		o.LoadCassette = l.blanks(out, o.LoadCassette)
	}
	suite, diags := interp.Compile(file, o)
	out.diags = append(out.diags, diags...)
	if suite == nil {
		return
	}
	out.plans = suite.Plans
	if l.bench {
		out.plans = suite.Benches
	}
	wanted := l.wanted(path)
	for i, p := range out.plans {
		if wanted != nil && !wanted(p) {
			out.plans[i] = p.Stub(false)
		} else if old := p.StaleCassette(l.now); old != nil && !l.now.IsZero() {
			out.diags = append(out.diags, old)
		}
	}
}

// read is the text of a scenario file, the unsaved one before that on disk.
// whyUnread says why a file that is listed cannot be read: of a link it is what
// it leads to that is missing.
func whyUnread(path string, err error) string {
	why := "The file cannot be read: " + cause(err).Error() + "."
	if target, notLink := os.Readlink(path); notLink == nil {
		why += " It is a link to " + filepath.ToSlash(target) + "."
	}
	return why
}

func (l *loader) read(path string) ([]byte, error) {
	if l.open != nil {
		if src, ok := l.open(path); ok {
			return src, nil
		}
	}
	return readLimited(path, dsl.MaxFileSize)
}

func (l *loader) options(file *dsl.File) interp.Options {
	root := l.places.root(file.Path)
	return interp.Options{
		Vars:         l.vars.of(file),
		Seed:         l.seed,
		Place:        l.place(root, file.Path),
		Files:        l.files(root, file.Path),
		Env:          stdlib.Lookup(l.vars.env),
		ReadSnapshot: snapshots(file.Path, root),
		LoadCassette: l.recordings(file.Path, root),
		Wanted:       l.wanted(file.Path),
		Recording:    l.live,
	}
}

// wanted says which scenarios of a file will run, nil for all.
func (l *loader) wanted(path string) func(*interp.Plan) bool {
	if l.sel == nil {
		return nil
	}
	place := l.sel.place(path)
	return func(p *interp.Plan) bool { return l.sel.wants(p) && l.sel.sharded(place, p.Name) }
}

// place is what traces call a file: its path from the suite root.
func (l *loader) place(root, path string) string {
	place, err := filepath.Rel(root, l.places.real(path))
	if err != nil {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(place)
}

// files is what the functions file and fileset of one scenario file may read.
func (l *loader) files(root, path string) stdlib.Files {
	l.mu.Lock()
	defer l.mu.Unlock()
	opened := l.roots[root]
	if opened == nil {
		var err error
		if opened, err = os.OpenRoot(root); err != nil {
			return stdlib.Files{}
		}
		if l.roots == nil {
			l.roots = map[string]*os.Root{}
		}
		l.roots[root] = opened
	}
	dir, err := filepath.Rel(root, filepath.Dir(l.places.real(path)))
	if err != nil {
		return stdlib.Files{}
	}
	files := opened.FS()
	if l.reads != nil {
		files = watchedFS{files, func(name string) { l.reads.note(path, filepath.Join(root, filepath.FromSlash(name))) }}
	}
	return stdlib.Files{FS: files, Dir: filepath.ToSlash(dir)}
}

// close releases the suite roots; no expression is evaluated afterwards.
func (l *loader) close() {
	for _, r := range l.roots {
		r.Close()
	}
}

// load finds, reads and compiles all files of a command line. With an error
// among them there are none to run. A halt returns what was read before it
// only where some of it has run already.
func (a *app) load(l *loader, paths []string, workers int, h *halt, quiet bool) ([]*loaded, error) {
	names, err := l.places.discover(paths)
	if err != nil {
		return nil, err
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
	return files, l.check(a, files, quiet)
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
		turns := l.shuffle.turns(len(paths), func(i int) string { return l.sel.below(paths[i]) })
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
	var declared []string
	var diags hcl.Diagnostics
	sources := map[string][]byte{}
	for _, f := range files {
		declared = append(declared, f.declared...)
		parsed = parsed && f.parsed
		code = worst(code, f.code())
		if len(f.diags) > 0 {
			diags = append(diags, f.diags...)
			sources[f.path] = f.source
			for _, in := range f.imports {
				sources[in.Path] = in.Source
			}
		}
		if f.crashed != "" {
			fmt.Fprintf(a.stderr, "Error: internal error: %s\n", f.crashed)
		}
	}
	slices.Sort(declared)
	if parsed && !l.partial {
		if err := l.vars.unknown(slices.Compact(declared), a.stderr); err != nil {
			return err
		}
	}
	a.writeDiagnostics(dsl.Distinct(diags), sources, quiet)
	return exitWith(code)
}

// code is what a file alone would end the command with: an error of the file
// itself counts more than a cassette that cannot be loaded.
func (f *loaded) code() exitCode {
	code := exitPassed
	if f.crashed != "" {
		code = exitInternal
	}
	for _, d := range f.diags {
		switch _, tape := d.Extra.(*interp.CassetteError); {
		case d.Severity != hcl.DiagError:
		case tape:
			code = worst(code, exitCassette)
		default:
			code = worst(code, exitInvalid)
		}
	}
	return code
}
