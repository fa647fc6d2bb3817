package work

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/dist/internal/bundle"
	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// A Version error is why a worker does not run the units of a run: it would not run
// what the submitter compiled.
type Version struct{ Why string }

func (v *Version) Error() string { return "worker_version: " + v.Why }

// keepFiles is how many compiled files stay in memory.
const keepFiles = 16

// Plans compiles the files of bundles, each once as long as it is used. It is safe for
// concurrent use.
type Plans struct {
	queue *queue.Queue
	// dir is where bundles are unpacked.
	dir string
	env cli.Lookup
	// kept are the values of sensitive variables that this process submitted a run with,
	// by file and name; nil where another one submitted it.
	kept map[string]map[string]string

	mu sync.Mutex
	// files are the newest last, and known those that this process had compiled
	// before, by path.
	files   []*file
	known   map[string]*file
	bundles map[string]*sync.Mutex
}

// A file is one scenario file of a run, compiled once.
type file struct {
	run, path string
	// bundle is the digest of the files that it is among.
	bundle  string
	compile sync.Once
	plans   map[string]*interp.Plan
	source  []byte
	dir     string
	err     error
	// left are the units of a known file that nobody has asked for.
	left int
}

// NewPlans compiles with the environment env, unpacking bundles below a directory.
func NewPlans(q *queue.Queue, dir string, env cli.Lookup) *Plans {
	return &Plans{queue: q, dir: dir, env: env, known: map[string]*file{}, bundles: map[string]*sync.Mutex{}}
}

// Keep has the values of sensitive variables, by file and name, with which this process
// submitted the run, whatever its environment says.
func (p *Plans) Keep(values map[string]map[string]string) { p.kept = values }

// Lacks is a sensitive variable of a run that has no value here, "" for none.
func (p *Plans) Lacks(r *job.Run) string {
	if p.kept != nil {
		return ""
	}
	for _, name := range r.Sensitive {
		if _, set := p.env(harness.VariablePrefix + name); !set {
			return name
		}
	}
	return ""
}

// A Compiled plan lies in a file with a text, in a directory of this machine.
type Compiled struct {
	*interp.Plan
	Source []byte
	Dir    string
}

// Of is the plan of a unit. The error is a *[Version] where it is not the one that was
// submitted.
func (p *Plans) Of(ctx context.Context, r *job.Run, u *job.Unit) (Compiled, error) {
	plan, err := p.Named(ctx, r, u.File, u.Name)
	if err != nil {
		return plan, err
	}
	if hash := plan.Hash(); hash != u.PlanHash {
		return plan, &Version{fmt.Sprintf("the plan of %s is another one here%s", u, another(r, cli.Build()))}
	}
	return plan, nil
}

// another says why a plan of a run may be another one by the build that is here: by the build,
// or by a variable that does not travel, where there is one.
func another(r *job.Run, here string) string {
	const variable = "a variable that does not travel has another value"
	varies := len(r.Sensitive)+len(r.Environment) > 0
	switch {
	case here == r.Version && varies:
		return fmt.Sprintf(", although worker and submitter are both %s: %s", here, variable)
	case here == r.Version:
		return fmt.Sprintf(", although worker and submitter are both %s", here)
	case varies:
		return fmt.Sprintf(": the worker is %s, the submitter is %s; or %s", here, r.Version, variable)
	}
	return fmt.Sprintf(": the worker is %s, the submitter is %s", here, r.Version)
}

// Know has the plans of a file used as the submitter compiled them, in this process, until
// all of its units were handed out.
func (p *Plans) Know(f *suite.File, units int) {
	one := &file{path: f.Path, left: units, plans: map[string]*interp.Plan{}, source: f.Source}
	for _, plan := range f.Plans {
		one.plans[plan.Name] = plan
	}
	one.compile.Do(func() {})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.known[f.Path] = one
}

// Named is the plan of a scenario or bench by its file and name.
func (p *Plans) Named(ctx context.Context, r *job.Run, path, name string) (Compiled, error) {
	f := p.file(r, path)
	f.compile.Do(func() { f.err = p.compile(ctx, r, f) })
	if f.err != nil {
		var version *Version
		if !errors.As(f.err, &version) {
			p.drop(f) // another try may find the server
		}
		return Compiled{}, f.err
	}
	plan := f.plans[name]
	if plan == nil {
		return Compiled{}, &Version{fmt.Sprintf("%s has no %q here", path, name)}
	}
	return Compiled{plan, f.source, f.dir}, nil
}

func (p *Plans) file(r *job.Run, path string) *file {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.known[path]; f != nil {
		f.left--
		if f.left <= 0 {
			delete(p.known, path)
		}
		return f
	}
	i := slices.IndexFunc(p.files, func(f *file) bool { return f.run == r.ID && f.path == path })
	if i < 0 {
		if len(p.files) >= keepFiles {
			p.files = slices.Delete(p.files, 0, 1)
		}
		f := &file{run: r.ID, path: path, bundle: r.Bundle}
		p.files = append(p.files, f)
		return f
	}
	f := p.files[i]
	p.files = append(slices.Delete(p.files, i, i+1), f)
	return f
}

// at is where a bundle is unpacked.
func (p *Plans) at(digest string) string { return filepath.Join(p.dir, digest) }

// Only removes the bundles that were unpacked here except for some, with what was compiled
// from them. A unit of another one that comes later has its files fetched again.
func (p *Plans) Only(needed map[string]bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files = slices.DeleteFunc(p.files, func(f *file) bool { return !needed[f.bundle] })
	for digest, one := range p.bundles {
		if needed[digest] || !one.TryLock() {
			continue
		}
		delete(p.bundles, digest)
		// At once, for who unpacks it again; what is below may take long.
		if gone, err := os.MkdirTemp(p.dir, "gone"); err == nil {
			_ = os.Rename(p.at(digest), filepath.Join(gone, "files"))
			go os.RemoveAll(gone)
		}
		one.Unlock()
	}
}

func (p *Plans) drop(f *file) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files = slices.DeleteFunc(p.files, func(o *file) bool { return o == f })
}

func (p *Plans) compile(ctx context.Context, r *job.Run, f *file) error {
	if name := p.Lacks(r); name != "" {
		return &Version{fmt.Sprintf("the variable %q is sensitive and does not travel, and %s%s is not in the environment of the worker", name, harness.VariablePrefix, name)}
	}
	dir, err := p.unpacked(ctx, r.ID, r.Bundle)
	if err != nil {
		return err
	}
	vars := &suite.Variables{}
	for name, value := range r.Given[f.path] {
		vars.Set(name, value)
	}
	for name, value := range p.kept[f.path] {
		vars.Set(name, value)
	}
	l := &suite.Loader{
		Source: suite.Mirror(dir, r.Cwd), Vars: vars, Seed: r.Seed, Benches: r.Benches != nil, Wanted: r.Selected.Wanted(),
		Env:         func(name string) (string, bool) { return p.lookup(r, name) },
		Placeholder: func(name string) bool { return !slices.Contains(r.Environment, name) },
	}
	defer l.Close()
	loaded := l.Load(f.path)
	if loaded.Failed() {
		why := "the compiler crashed"
		if loaded.Crash == "" {
			why = loaded.Diags.Error()
		}
		return &Version{fmt.Sprintf("%s cannot be compiled here, by %s: %s", f.path, cli.Build(), why)}
	}
	f.plans, f.source = map[string]*interp.Plan{}, loaded.Source
	f.dir = filepath.Dir(suite.MirrorPath(dir, l.Source.Real(f.path)))
	for _, plan := range loaded.Plans {
		if r.Benches != nil {
			plan = plan.WithBench(r.Trials, 0)
		}
		f.plans[plan.Name] = plan
	}
	return nil
}

// lookup finds what a run may read of the environment of the worker.
func (p *Plans) lookup(r *job.Run, name string) (string, bool) {
	variable, ok := strings.CutPrefix(name, harness.VariablePrefix)
	if ok && p.kept == nil && slices.Contains(r.Sensitive, variable) || !ok && slices.Contains(r.Environment, name) {
		return p.env(name)
	}
	return "", false
}

// unpacked is where the files of a run are, fetched once.
func (p *Plans) unpacked(ctx context.Context, run, digest string) (string, error) {
	p.mu.Lock()
	one := p.bundles[digest]
	if one == nil {
		one = &sync.Mutex{}
		p.bundles[digest] = one
	}
	p.mu.Unlock()
	one.Lock()
	defer one.Unlock()
	dir := p.at(digest)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	store, err := p.queue.Bundles(ctx)
	if err != nil {
		return "", err
	}
	data, err := Fetch(ctx, p.queue, store, digest, "the files of run "+run)
	if err != nil {
		return "", err
	}
	if err := bundle.Unpack(data, digest, dir); err != nil {
		return "", &Machine{err}
	}
	return dir, nil
}
