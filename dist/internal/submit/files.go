package submit

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/scenario-lang/scenario/dist/internal/bundle"
	"github.com/scenario-lang/scenario/internal/command/benches"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// gathered are the files that a run is compiled from. It is safe for concurrent use.
type gathered struct {
	loader *harness.Loader
	// private are paths of what stays here.
	private []string

	mu    sync.Mutex
	paths map[string]bool
	// given are the values that variables have from outside, by file and name.
	given map[string]map[string]string
	// dropped are the hashes of the plans of files of which only the names are left.
	dropped map[string]map[string]string
	// secret are the variables that some file declares as sensitive and that have a
	// value from outside.
	secret map[string]bool
}

func gather(l *harness.Loader) *gathered {
	return &gathered{loader: l, paths: map[string]bool{}, given: map[string]map[string]string{}, secret: map[string]bool{}, dropped: map[string]map[string]string{}}
}

// drop lets all of a file go but the names and hashes of its scenarios.
func (g *gathered) drop(f *harness.Loaded) {
	hashes := map[string]string{}
	for i, hash := range harness.Identify(f) {
		hashes[f.Plans[i].Name] = hash
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.dropped[f.Path] = hashes
}

// hash is that of a plan, whether or not it was dropped.
func (g *gathered) hash(p *interp.Plan) string {
	if hash := g.dropped[p.File][p.Name]; hash != "" {
		return hash
	}
	return p.Hash()
}

// add takes over a scenario file.
func (g *gathered) add(f *suite.File) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.paths[f.Path] = true
	for name, value := range f.Given {
		if slices.Contains(f.Sensitive, name) {
			g.secret[name] = true
		}
		if g.given[f.Path] == nil {
			g.given[f.Path] = map[string]string{}
		}
		g.given[f.Path][name] = value
	}
}

// variables are the names of those that do not travel, their values and those of the
// others, by file. A name that is sensitive in one file is so in all.
func (g *gathered) variables() (sensitive []string, kept, given map[string]map[string]string) {
	kept = map[string]map[string]string{}
	for path, values := range g.given {
		kept[path] = map[string]string{}
		for name := range g.secret {
			if value, set := values[name]; set {
				kept[path][name] = value
				delete(values, name)
			}
		}
	}
	return names(g.secret), kept, g.given
}

// bundle packs the files, and says where they are seen from.
func (g *gathered) bundle(jobs []harness.Job) (data []byte, digest, cwd string, err error) {
	if cwd, err = os.Getwd(); err != nil {
		return nil, "", "", err
	}
	cwd = disk.Real(cwd)
	b := bundle.NewBuilder()
	b.Dir(cwd)
	source := g.loader.Source
	for _, path := range names(g.paths) {
		if err := g.scenario(b, cwd, path); err != nil {
			return nil, "", "", err
		}
	}
	for _, path := range g.loader.Reads.All() {
		if err := b.Add(path); err != nil {
			return nil, "", "", err
		}
	}
	for path, target := range g.loader.Reads.Links() {
		b.Link(path, target)
	}
	for _, j := range jobs {
		if len(j.Plan.BenchPrograms()) == 0 {
			continue
		}
		files, links, err := benches.Files(j.Plan, source.Root(j.Plan.File), g.private)
		if err != nil {
			return nil, "", "", err
		}
		for path, target := range links {
			b.Link(path, target)
		}
		for _, path := range files {
			if err := b.Add(path); err != nil {
				return nil, "", "", err
			}
		}
	}
	data, digest, err = b.Bytes()
	return data, digest, cwd, err
}

// scenario adds a scenario file, its place in the suite, and the links that lead to it.
func (g *gathered) scenario(b *bundle.Builder, cwd, path string) error {
	source := g.loader.Source
	typed := filepath.FromSlash(path)
	if !filepath.IsAbs(typed) {
		typed = filepath.Join(cwd, typed)
	}
	real := source.Real(path)
	if real != typed {
		b.Link(typed, real)
	}
	root := source.Root(path)
	switch _, err := os.Lstat(filepath.Join(root, ".git")); {
	case err == nil:
		b.Dir(filepath.Join(root, ".git"))
	default:
		if _, err := os.Lstat(filepath.Join(root, "go.mod")); err == nil {
			b.Empty(filepath.Join(root, "go.mod"))
		}
	}
	return b.Add(real)
}

// names are those of a set, in order.
func names(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }
