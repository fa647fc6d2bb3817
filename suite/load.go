package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/internal/overlay"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/stdlib"
)

// A Loader reads and compiles scenario files. Its fields are set before it is
// used; then it is safe for concurrent use.
type Loader struct {
	// Source is where the files are. It must not be nil.
	Source *Source
	// Vars are values of variables, nil for none.
	Vars *Variables
	// Env finds variables of the environment: those that provider blocks name,
	// and SCENARIO_VAR_x for the variable x. Nil finds none.
	Env func(name string) (string, bool)
	// Placeholder says which variables env() does not read and gives a placeholder
	// for. Nil says that all are read.
	Placeholder func(name string) bool
	// Seed replaces the seed of every scenario, where not nil.
	Seed *uint64
	// Extensions are what the caller adds to the language, nil for nothing.
	Extensions *language.Extensions
	// Strict refuses cassettes that do not prove themselves whole, and those that
	// are older than their scenarios allow.
	Strict bool
	// Now is the present time, against which recordings are too old; where it
	// is zero none is.
	Now time.Time
	// Live takes a cassette that is not there yet for an empty one, and notes
	// where cassettes are.
	Live bool
	// Benches takes the benches of the files in the place of their scenarios.
	Benches bool
	// Wanted says which scenarios of a file will run, nil that all may. Of the
	// others a file keeps no more than what names them.
	Wanted func(f *File, p *interp.Plan) bool
	// Reads notes what every file is compiled from, where it is not nil.
	Reads *Reads
	// Lint says what else there is to warn of in a file, nil for nothing.
	Lint func(*dsl.File) hcl.Diagnostics
	// Unsaved gives the texts of scenario files, and of those that file() reads, that
	// differ from those that Source has, nil for none. Of the latter it is asked by
	// their real names.
	Unsaved func(path string) ([]byte, bool)

	mu     sync.Mutex
	opened map[string]fs.FS
	closer []io.Closer
}

// A File is one scenario file after reading and compiling.
type File struct {
	// Path is the name that it was loaded by; Place is its path from the suite
	// root.
	Path, Place string
	Source      []byte
	// Imports are the files that it brings in, with what they bring in.
	Imports []*dsl.File
	// Imported are the paths of those imports that have scenarios of their own, which do
	// not become scenarios of this file.
	Imported []string
	// Benches are the names of those that the file itself declares.
	Benches []string
	// Untried are the names of scenarios that say what they tolerate, where no scenario of
	// the file puts it to the test.
	Untried []string
	// Plans is nil where Diags has errors.
	Plans []*interp.Plan
	// Diags are what is wrong with the file, down to not being readable.
	Diags hcl.Diagnostics
	// Outlines are those of the file and of its imports where all that is wrong are
	// warnings, for writing them.
	Outlines map[string]dsl.Outline
	// Variables are the names of those that the file declares; Parsed says that
	// they are all.
	Variables []string
	Parsed    bool
	// Given are the values, as text, that variables of the file have from outside,
	// and Sensitive the names of those that are declared as such.
	Given     map[string]string
	Sensitive []string
	// Environment are the variables of the environment that the file asks for, and
	// Placeholders those of them that it got a placeholder for; both are sorted.
	Environment, Placeholders []string
	// Cassettes are the paths of the file's cassettes by what the file calls
	// them, where the loader is live.
	Cassettes map[string]string
	// Crash is the report of a panic in the compiler, "" where there was none.
	Crash string

	ctx context.Context // ends its compilation
}

// Failed reports whether the file has no plans because something is wrong with
// it.
func (f *File) Failed() bool { return f.Crash != "" || f.Diags.HasErrors() }

// AddSources adds the texts that the diagnostics of the file are about, by
// their paths.
func (f *File) AddSources(to map[string][]byte) {
	to[f.Path] = f.Source
	for _, in := range f.Imports {
		to[in.Path] = in.Source
	}
}

// LoadAll loads files one after the other. The error is that of a context that
// has ended, with the files before it.
func (l *Loader) LoadAll(ctx context.Context, paths []string) ([]*File, error) {
	var files []*File
	for _, path := range paths {
		if ctx.Err() != nil {
			return files, context.Cause(ctx)
		}
		files = append(files, l.LoadContext(ctx, path))
	}
	return files, nil
}

// Load reads and compiles one file.
func (l *Loader) Load(path string) *File { return l.LoadContext(context.Background(), path) }

// LoadContext is [Loader.Load] until the context ends; what is said of the file
// is then of no use.
func (l *Loader) LoadContext(ctx context.Context, path string) (out *File) {
	out = &File{Path: path, Place: l.Source.Place(path), ctx: ctx}
	defer func() {
		if p := recover(); p != nil {
			out.Plans, out.Crash = nil, fmt.Sprintf("compiling %s: %v\n%s", path, p, debug.Stack())
		}
	}()
	l.compile(out)
	return out
}

// compile fills in what there is to know of a file.
func (l *Loader) compile(out *File) {
	path := out.Path
	l.Reads.begin(path)
	src, err := l.readScenario(path)
	if err != nil {
		start := hcl.Range{Filename: path, Start: hcl.InitialPos, End: hcl.InitialPos}
		out.Diags = hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "File cannot be read", Detail: l.Source.whyUnread(path, err), Subject: &start}}
		return
	}
	out.Source = src
	file, diags := dsl.ParseExtended(l.Extensions, path, src)
	out.Diags = diags
	if file == nil {
		return
	}
	if !diags.HasErrors() {
		file, out.Diags = l.Link(file)
		out.Diags = append(diags, out.Diags...)
		out.Imports = file.Imports
		out.Imported = withScenarios(out.Imports)
	}
	for _, b := range file.Body.All("variable") {
		out.Variables = append(out.Variables, b.Name())
		if sensitive(b) {
			out.Sensitive = append(out.Sensitive, b.Name())
		}
	}
	for _, b := range file.Body.All("bench") {
		out.Benches = append(out.Benches, b.Name())
	}
	if out.Diags.HasErrors() {
		out.Diags = append(out.Diags, interp.Independent(file, out.Diags)...)
		return
	}
	out.Parsed = true
	compiled, diags := interp.Compile(file, l.options(out, file))
	out.Diags = append(out.Diags, diags...)
	if compiled == nil {
		return
	}
	out.Plans, out.Placeholders, out.Untried = compiled.Plans, compiled.Placeholders, compiled.Untried
	if l.Benches {
		out.Plans = compiled.Benches
	}
	l.thin(out)
	if len(out.Diags) > 0 {
		out.Outlines = file.Outlines()
	}
}

// withScenarios are the paths of the files that declare or generate scenarios.
func withScenarios(files []*dsl.File) (paths []string) {
	for _, f := range files {
		if slices.ContainsFunc(f.Body.Blocks, func(b *dsl.Block) bool { return b.Declares("scenario") }) {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// thin keeps of scenarios that will not run what names them, and says of the
// others whose recordings are too old.
func (l *Loader) thin(out *File) {
	for i, p := range out.Plans {
		if l.Wanted != nil && !l.Wanted(out, p) {
			out.Plans[i] = p.Stub(false)
		} else if old := p.StaleCassette(l.Now); old != nil && !l.Now.IsZero() {
			if l.Strict {
				refuse(old)
			}
			out.Diags = append(out.Diags, old)
		}
	}
}

// refuse makes an error of the warning of an old recording.
func refuse(old *hcl.Diagnostic) {
	old.Severity = hcl.DiagError
	old.Detail = strings.Replace(old.Detail, "It is played all the same", "It is refused, as --strict-cassettes requires", 1)
	old.Extra = &interp.CassetteError{Err: errors.New(old.Detail)}
}

// read is the text of a scenario file, the unsaved one before that of the
// source.
func (l *Loader) read(path string) ([]byte, error) {
	if l.Unsaved != nil {
		if src, ok := l.Unsaved(path); ok {
			return src, nil
		}
	}
	return l.Source.read(path, dsl.MaxFileSize)
}

// readScenario is the text of a scenario file that a command line or a search
// names.
func (l *Loader) readScenario(path string) ([]byte, error) {
	if err := l.Source.linkedOut(path); err != nil {
		return nil, err
	}
	return l.read(path)
}

// Text is what a file that a command line or a search names says, as it is compiled.
func (l *Loader) Text(path string) ([]byte, error) { return l.readScenario(path) }

// whyUnread says why a file that is listed cannot be read: of a link it is what
// it leads to that is missing.
func (s *Source) whyUnread(path string, err error) string {
	why := "The file cannot be read: " + cause(err).Error() + "."
	if target, notLink := s.system.readLink(path); notLink == nil {
		why += " It is a link to " + filepath.ToSlash(target) + "."
	}
	return why
}

func (l *Loader) options(out *File, file *dsl.File) interp.Options {
	out.Given = l.Vars.of(file, l.Env)
	o := interp.Options{
		Vars:         out.Given,
		Seed:         l.Seed,
		Place:        out.Place,
		Files:        l.files(out.Path),
		Env:          stdlib.Lookup(out.noted(l.Env)),
		ReadSnapshot: l.Source.snapshots(out.Path),
		Recording:    l.Live,
		Context:      out.ctx,
		Lint:         l.Lint,
	}
	if l.Live {
		out.Cassettes = map[string]string{}
	}
	if l.Placeholder != nil {
		o.Placeholder = func(name string) bool {
			out.asked(name)
			return l.Placeholder(name)
		}
	}
	o.LoadCassette = l.cassettes(out)
	if l.Wanted != nil {
		o.Wanted = func(p *interp.Plan) bool { return l.Wanted(out, p) }
	}
	if l.Reads != nil {
		l.Reads.watch(out.Path, &o)
	}
	return o
}

// noted is env, that notes what is asked for.
func (f *File) noted(env func(string) (string, bool)) func(string) (string, bool) {
	return func(name string) (string, bool) {
		f.asked(name)
		if env == nil {
			return "", false
		}
		return env(name)
	}
}

func (f *File) asked(name string) {
	if i, known := slices.BinarySearch(f.Environment, name); !known {
		f.Environment = slices.Insert(f.Environment, i, name)
	}
}

// files is what the functions file and fileset of one scenario file may read.
func (l *Loader) files(path string) stdlib.Files {
	root := l.Source.Root(path)
	files, err := l.below(root)
	if err != nil {
		return stdlib.Files{}
	}
	dir, err := filepath.Rel(root, filepath.Dir(l.Source.Real(path)))
	if err != nil {
		return stdlib.Files{}
	}
	files = permittedFS{files, func(name string) error {
		return l.Source.permitted(root, filepath.Join(root, dir), filepath.Join(root, filepath.FromSlash(name)))
	}}
	if l.Unsaved != nil {
		files = unsavedFS{files, func(name string) ([]byte, bool) {
			return l.Unsaved(l.Source.Real(filepath.Join(root, filepath.FromSlash(name))))
		}}
	}
	if l.Reads != nil {
		files = watchedFS{files, func(name string) { l.Reads.note(path, filepath.Join(root, filepath.FromSlash(name))) }}
	}
	return stdlib.Files{FS: files, Dir: filepath.ToSlash(dir), Real: func(name string) string {
		below, err := filepath.Rel(root, l.Source.system.real(filepath.Join(root, filepath.FromSlash(name))))
		if err != nil || !filepath.IsLocal(below) {
			return ""
		}
		return filepath.ToSlash(below)
	}}
}

// permittedFS refuses to open what may not be read.
type permittedFS struct {
	fs.FS
	permitted func(name string) error
}

func (p permittedFS) Open(name string) (fs.File, error) {
	if err := p.permitted(name); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return p.FS.Open(name)
}

// unsavedFS has texts of its own for some of its files.
type unsavedFS struct {
	fs.FS
	text func(name string) ([]byte, bool)
}

func (u unsavedFS) Open(name string) (fs.File, error) {
	f, err := u.FS.Open(name)
	if err != nil {
		return nil, err
	}
	text, ok := u.text(name)
	if !ok {
		return f, nil
	}
	f.Close() // nothing was written
	return overlay.FS{Files: map[string]string{name: string(text)}}.Open(name)
}

// below is a suite root, opened once.
func (l *Loader) below(root string) (fs.FS, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if files := l.opened[root]; files != nil {
		return files, nil
	}
	files, closer, err := l.Source.system.sub(root)
	if err != nil {
		return nil, err
	}
	if closer != nil {
		l.closer = append(l.closer, closer)
	}
	if l.opened == nil {
		l.opened = map[string]fs.FS{}
	}
	l.opened[root] = files
	return files, nil
}

// Close releases the suite roots. No file is loaded afterwards; plans need
// nothing of the loader.
func (l *Loader) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.closer {
		c.Close() // nothing was written
	}
	l.closer, l.opened = nil, nil
}
