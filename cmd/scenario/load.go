package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/stdlib"
)

// A loader reads and compiles scenario files. It is safe for concurrent use.
type loader struct {
	vars *variables
	// seed replaces the seed of every scenario, where not nil.
	seed *uint64

	mu    sync.Mutex
	roots map[string]*os.Root
}

// loaded is one file after reading and compiling.
type loaded struct {
	path   string
	source []byte
	// plans is nil where diags has errors.
	plans []*interp.Plan
	diags hcl.Diagnostics
	// declared are the variables of the file; parsed says that they are all.
	declared []string
	parsed   bool
	// crashed is the report of a panic in the compiler.
	crashed string
}

// load reads and compiles one file. What is wrong with it, down to not being
// readable, is in the diagnostics.
func (l *loader) load(path string) (out *loaded) {
	out = &loaded{path: path}
	defer func() {
		if p := recover(); p != nil {
			out.plans, out.crashed = nil, fmt.Sprintf("compiling %s: %v\n%s", path, p, debug.Stack())
		}
	}()
	src, err := readLimited(path, dsl.MaxFileSize)
	if err != nil {
		start := hcl.Range{Filename: path, Start: hcl.InitialPos, End: hcl.InitialPos}
		out.diags = hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "File cannot be read", Detail: cause(err).Error() + ".", Subject: &start}}
		return out
	}
	out.source = src
	file, diags := dsl.Parse(path, src)
	out.diags = diags
	if file == nil {
		return out
	}
	for _, b := range file.Body.All("variable") {
		out.declared = append(out.declared, b.Name())
	}
	if diags.HasErrors() {
		return out
	}
	out.parsed = true
	suite, diags := interp.Compile(file, l.options(file))
	out.diags = append(out.diags, diags...)
	if suite != nil {
		out.plans = suite.Plans
	}
	return out
}

func (l *loader) options(file *dsl.File) interp.Options {
	root := suiteRoot(file.Path)
	return interp.Options{
		Vars:         l.vars.of(file),
		Seed:         l.seed,
		Files:        l.files(root, file.Path),
		LoadCassette: cassettes(file.Path, root),
	}
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
	dir, err := filepath.Rel(root, filepath.Dir(resolved(path)))
	if err != nil {
		return stdlib.Files{}
	}
	return stdlib.Files{FS: opened.FS(), Dir: filepath.ToSlash(dir)}
}

// close releases the suite roots; no expression is evaluated afterwards.
func (l *loader) close() {
	for _, r := range l.roots {
		r.Close()
	}
}

// cassettes loads the recordings of one scenario file, each once however many
// scenarios play it. A path is relative to the file and stays in the root.
func cassettes(file, root string) func(string) (*cassette.Cassette, error) {
	known := map[string]*cassette.Cassette{}
	return func(written string) (*cassette.Cassette, error) {
		if c := known[written]; c != nil {
			return c, nil
		}
		path, err := besides(file, root, written)
		if err != nil {
			return nil, err
		}
		c, err := cassette.Load(filepath.ToSlash(path))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no file %s\nhint: the path is relative to the scenario file", filepath.ToSlash(path))
		}
		if err != nil {
			return nil, fmt.Errorf("in %w", err)
		}
		known[written] = c
		return c, nil
	}
}

// loadAll loads files on several cores and returns them in order. A file whose
// loading was not reached before stop was closed is nil.
func (l *loader) loadAll(paths []string, workers int, stop <-chan struct{}) []*loaded {
	files := make([]*loaded, len(paths))
	load := func(i int) *loaded { return l.load(paths[i]) }
	ordered(len(paths), workers, stop, load, func(i int, f *loaded, _ progressState) bool {
		files[i] = f
		return true
	})
	return files
}

// check prints what is wrong with the files and says how that ends the
// command. Mistyped variables count only when all files could be read: the
// declaration may be in the part that could not.
func (l *loader) check(a *app, files []*loaded, quiet bool) error {
	code, parsed := exitPassed, true
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
		}
		if f.crashed != "" {
			fmt.Fprintf(a.stderr, "Error: internal error: %s\n", f.crashed)
		}
	}
	slices.Sort(declared)
	if parsed {
		if err := l.vars.unknown(slices.Compact(declared), a.stderr); err != nil {
			return err
		}
	}
	a.writeDiagnostics(diags, sources, quiet)
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
