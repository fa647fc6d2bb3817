package harness

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/resultcache"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
	"github.com/scenario-lang/scenario/suite"
)

// CacheFlags say whether results of files that passed are kept and shown again.
type CacheFlags struct {
	dir string
	off bool
}

// Register adds --cache-dir and --no-cache.
func (f *CacheFlags) Register(flags *pflag.FlagSet) {
	flags.StringVar(&f.dir, "cache-dir", "", "keep results of files that passed in `directory`, for when nothing has changed;\nthe user's cache by default, and none in CI")
	flags.BoolVar(&f.off, "no-cache", false, "run everything, and keep no results")
}

// directory is where results are kept, "" for nowhere.
func (f *CacheFlags) directory(a *cli.App) string {
	switch {
	case f.off:
		return ""
	case f.dir != "":
		return f.dir
	case a.IsSet("CI") || !a.IsSet("HOME") && !a.IsSet("XDG_CACHE_HOME") && !a.IsSet("LOCALAPPDATA"):
		return ""
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "scenario", "results")
}

// justNow is how long a file has to be unchanged before what was made of it is
// kept: the clocks of file systems are not exact.
const justNow = 2 * time.Second

// A memory has files that passed answered by what an earlier call kept of them, and
// keeps what this call comes to. It is safe for concurrent use, and nil remembers
// nothing.
type memory struct {
	cache  *resultcache.Cache
	loader *Loader
	since  time.Time
	// events says that results are kept with their events.
	events bool

	mu sync.Mutex
	// open are the files that were compiled and whose results may be kept, by
	// their paths.
	open map[string]*remembered
}

// A remembered is a file whose results are collected.
type remembered struct {
	key   resultcache.Key
	entry resultcache.Entry
	// count is how many scenarios the file has.
	count int
}

// Remember has the invocation go by what was kept, and keep results. It is for
// calls that run every scenario once, in the order of the files, and of which
// nobody else asks what was read, as --watch does. A directory that
// cannot be used is an error only where it was asked for.
func (s *Invocation) Remember(f *CacheFlags, p *PlayFlags) error {
	if f.off && f.dir != "" {
		return cli.Usagef("", "--cache-dir and --no-cache contradict each other")
	}
	dir, binary := f.directory(s.App), resultcache.Binary()
	if dir == "" || binary == "" || len(s.Traces) > 0 || s.Runner.spanned || s.Runner.metered || s.Common.Count > 1 || p.Update || s.Loader.Reads != nil {
		return nil
	}
	call := []string{
		"1", cli.Version(), binary, runtime.GOOS, strconv.FormatBool(p.Strict), strconv.FormatBool(p.strictCassettes), strconv.FormatBool(s.Runner.events), strconv.FormatBool(s.Runner.tells),
		fmt.Sprint(s.Loader.Seed != nil), strconv.FormatUint(p.seed, 10), s.Loader.Vars.Fingerprint(), strings.Join(s.Loader.Environment, "\x00"),
	}
	cache, err := resultcache.Open(dir, call...)
	if err != nil && f.dir == "" {
		return nil
	}
	if err != nil {
		return cli.Usagef("name a directory that can be written", "--cache-dir %s cannot be used: %s", filepath.ToSlash(dir), err)
	}
	m := &memory{cache: cache, loader: s.Loader, since: s.Runner.Watch.Started.Add(-justNow), events: s.Runner.events, open: map[string]*remembered{}}
	s.Loader.Reads = suite.NewReads(s.Loader.Source)
	s.Loader.memory, s.Runner.memory = m, m
	return nil
}

// close ends the use of the cache.
func (m *memory) close() {
	if m != nil {
		m.cache.Close()
	}
}

// names are what results call a file by, and where it looks for others.
func (m *memory) names(path string) []string {
	return []string{path, m.loader.Source.Place(path), m.loader.Source.Root(path)}
}

// recall is a file as an earlier call left it, nil where it has to be compiled.
func (m *memory) recall(path string) *Loaded {
	if m == nil {
		return nil
	}
	src, err := m.loader.Text(path)
	if err != nil {
		return nil
	}
	e := m.cache.Find(m.cache.Key(src, m.names(path)...), m.loader.Env)
	if e == nil {
		return nil
	}
	f := &Loaded{File: &suite.File{
		Path: path, Place: m.loader.Source.Place(path), Source: src, Parsed: true,
		Variables: e.Variables, Benches: e.Benches, Environment: e.Environment, Placeholders: e.Placeholders, Imported: e.Imported, Untried: e.Untried,
	}}
	for _, s := range e.Scenarios {
		row, err := report.ReadEntry(s.Row)
		if err != nil {
			return nil
		}
		row.Result.Plan.Snapshots = s.Snapshots
		f.Plans = append(f.Plans, row.Result.Plan)
		f.early = append(f.early, &outcome{result: row.Result, source: row.Source, wall: s.Wall, cached: true})
	}
	return f
}

// began notes a file that was compiled, if nothing but its results has to be
// remembered: no warnings, no secrets, nothing that another day ends otherwise.
func (m *memory) began(f *Loaded) {
	if m == nil || !f.Parsed || f.Crash != "" || len(f.Diags) > 0 || len(f.Plans) == 0 {
		return
	}
	for _, p := range f.Plans {
		if p.NotRun(interp.Interpreted) != "" || len(p.Sensitive()) > 0 || p.StaleCassette(distant) != nil {
			return
		}
	}
	r := &remembered{key: m.cache.Key(f.Source, m.names(f.Path)...), count: len(f.Plans)}
	asked := slices.Clone(f.Environment)
	for _, name := range f.Variables {
		asked = append(asked, VariablePrefix+name)
	}
	r.entry = resultcache.Entry{
		Variables: f.Variables, Benches: f.Benches, Environment: f.Environment, Placeholders: f.Placeholders, Imported: f.Imported, Untried: f.Untried,
		Asked: asked, Values: resultcache.ValuesOf(asked, m.loader.Env),
	}
	for _, path := range m.loader.Reads.Of(f.Path) {
		read, err := resultcache.ReadAt(path, m.since)
		if err != nil {
			return
		}
		r.entry.Reads = append(r.entry.Reads, read)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.open[f.Path] = r
}

// distant is a day on which every recording is too old that ever will be.
var distant = time.Date(9999, time.January, 1, 0, 0, 0, 0, time.UTC)

// ended notes what became of a scenario. A file is kept when all of its
// scenarios have passed, and given up with the first that has not.
func (m *memory) ended(e *report.Entry, o *outcome) {
	if m == nil || o.cached {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	path := e.Result.Plan.File
	r := m.open[path]
	if r == nil {
		return
	}
	row := m.row(e)
	if e.Result.Verdict != interp.Pass || e.Reason != "" || row == nil {
		delete(m.open, path)
		return
	}
	r.entry.Scenarios = append(r.entry.Scenarios, resultcache.Scenario{Row: row, Wall: e.Wall, Snapshots: e.Result.Plan.Snapshots})
	if len(r.entry.Scenarios) == r.count {
		delete(m.open, path)
		m.cache.Keep(r.key, &r.entry)
	}
}

// row is what a merge would be told of a scenario, nil where it cannot be written.
// Ids cost as much as writing a plan down, and go with the events.
func (m *memory) row(e *report.Entry) json.RawMessage {
	shown := *e
	if !m.events {
		result := *e.Result
		result.Plan, result.Events = result.Plan.Stub(false), nil
		shown.Result = &result
	}
	var b bytes.Buffer
	w := report.Merge(&b, report.Options{})
	if err := w.Add(shown); err != nil {
		return nil
	}
	_, row, _ := bytes.Cut(b.Bytes(), []byte("\n"))
	return bytes.TrimSuffix(row, []byte("\n"))
}
