package lastfailed

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/internal/disk"
)

// The bounds of what is kept: files with failures, and bytes of the list of a
// file's scenarios.
const (
	filesMax = 2000
	listMax  = 4 << 20
)

// list is the file that names the scenarios of one with a failure, pathName the file
// that says where that one was, and ranBefore begins the names of those that say of a suite that it has run.
const (
	list      = "scenarios.json"
	pathName  = "path"
	ranBefore = "ran-"
)

// A Memory knows what failed. It is safe for concurrent use.
type Memory struct {
	dir string

	mu    sync.Mutex
	files map[string]*file
	// there are the directories of files with failures, as they were at first, and
	// nil before anybody asked; where there is none, a file that passes costs nothing.
	there map[string]bool
	ended bool
	grew  bool
	// moved are files with failures that are not where they were, see [Memory.gone].
	moved    []*file
	hasMoved bool
}

// A file is what is known of a scenario file. It is not there where nothing of it
// failed.
type file struct {
	dir, path string
	// found are those of failed that have been asked for under another path.
	found map[string]bool
	// failed are the names of what did not pass, hashed, and known those of all
	// scenarios that there were, nil where that is not known.
	failed, known map[string]bool
	// all are the scenarios that the file has now, once something of it has ended; told says
	// that their list is written, and tooLong that it never is.
	all           []string
	told, tooLong bool
}

// Open uses a directory, which is made when there is something to remember. Without
// one it remembers as long as it lives.
func Open(dir string) *Memory { return &Memory{dir: dir, files: map[string]*file{}} }

func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// of is what is known of a scenario file.
func (m *Memory) of(path string) *file {
	if f := m.files[path]; f != nil {
		return f
	}
	f := &file{failed: map[string]bool{}}
	m.files[path] = f
	if m.dir == "" {
		return f
	}
	f.path = disk.Real(path)
	f.dir = filepath.Join(m.dir, hashed(f.path))
	if m.listed()[filepath.Base(f.dir)] {
		f.load()
	}
	return f
}

// load reads what is known of a file.
func (f *file) load() {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return // nothing of it failed
	}
	for _, e := range entries {
		if e.Name() != list && e.Name() != pathName {
			f.failed[e.Name()] = true
		}
	}
	var known []string
	if data, err := disk.Read(filepath.Join(f.dir, list), listMax); err == nil && json.Unmarshal(data, &known) == nil {
		f.known = namesOf(known)
	}
}

// namesOf are names, hashed.
func namesOf(all []string) map[string]bool {
	names := make(map[string]bool, len(all))
	for _, name := range all {
		names[hashed(name)] = true
	}
	return names
}

// gone are the files with failures that are not where they were: they have been renamed,
// or removed.
func (m *Memory) gone() []*file {
	if m.hasMoved {
		return m.moved
	}
	m.hasMoved = true
	for name := range m.listed() {
		dir := filepath.Join(m.dir, name)
		path, err := disk.Read(filepath.Join(dir, pathName), listMax)
		if err != nil || disk.Exists(string(path)) {
			continue
		}
		f := &file{dir: dir, path: string(path), failed: map[string]bool{}, found: map[string]bool{}}
		if f.load(); len(f.failed) > 0 {
			m.moved = append(m.moved, f)
		}
	}
	slices.SortFunc(m.moved, func(a, b *file) int { return cmp.Compare(a.path, b.path) })
	return m.moved
}

// Lost are the files below a directory that had failures, are not there any more, and
// whose failures nobody has asked for under another path.
func (m *Memory) Lost(root string) (paths []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.gone() {
		if len(f.found) < len(f.failed) && strings.HasPrefix(f.path, disk.Real(root)+string(filepath.Separator)) {
			paths = append(paths, f.path)
		}
	}
	return paths
}

// Forget forgets the files below a directory that are not there any more.
func (m *Memory) Forget(root string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.gone() {
		if strings.HasPrefix(f.path, disk.Real(root)+string(filepath.Separator)) {
			f.prune(nil)
			f.tidy()
		}
	}
}

// listed are the directories of files with failures.
func (m *Memory) listed() map[string]bool {
	if m.there != nil {
		return m.there
	}
	m.there = map[string]bool{}
	if m.dir == "" {
		return m.there
	}
	entries, _ := os.ReadDir(m.dir) // where there is none, nothing failed
	for _, e := range entries {
		if e.IsDir() {
			m.there[e.Name()] = true
		}
	}
	return m.there
}

// Failed reports whether a scenario of a file did not pass when it last ran. Of a
// file with a failure it also takes what was not there then: that may be the
// failure under a new name; and so may be one of the same name as a failure of a file
// that is not there any more.
func (m *Memory) Failed(path, name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, id, moved := m.of(path), hashed(name), false
	for _, g := range m.gone() {
		if g.failed[id] && disk.Exists(path) {
			g.found[id], moved = true, true
		}
	}
	return moved || f.failed[id] || len(f.failed) > 0 && f.known != nil && !f.known[id]
}

// Ended notes what became of a scenario, one of all that its file has.
func (m *Memory) Ended(path, name string, all []string, passed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended = true
	if passed && m.files[path] == nil && len(m.listed()) == 0 {
		return // nothing of it failed
	}
	for _, g := range m.gone() {
		if g.failed[hashed(name)] && disk.Exists(path) {
			g.drop(hashed(name))
			g.tidy()
		}
	}
	f := m.of(path)
	if passed && len(f.failed) == 0 {
		return
	}
	if f.prune(all); !passed {
		m.grew = true
		f.failed[hashed(name)] = true
		f.keep(hashed(name))
	} else if f.failed[hashed(name)] {
		f.drop(hashed(name))
	}
	f.tidy()
}

// keep writes down a failure. That it cannot be written is no failure of anything.
func (f *file) keep(failed string) {
	if f.dir == "" {
		return
	}
	for range keepTries {
		if f.tooLong || f.written(failed) {
			return
		}
	}
}

// keepTries is how often a failure is written down: another call may remove the
// directory that looks empty to it.
const keepTries = 5

// written writes down a failure, and reports whether it is there now.
func (f *file) written(failed string) bool {
	if os.MkdirAll(f.dir, 0o700) != nil {
		return false
	}
	names := filepath.Join(f.dir, list)
	if !f.told || !disk.Exists(names) {
		data, err := json.Marshal(f.all)
		if f.tooLong = err != nil || len(data) > listMax; f.tooLong || disk.Write(filepath.Join(f.dir, pathName), []byte(f.path), 0o600) != nil || disk.Write(names, data, 0o600) != nil {
			return false
		}
		f.told = true
	}
	return disk.Write(filepath.Join(f.dir, failed), nil, 0o600) == nil && disk.Exists(filepath.Join(f.dir, failed)) && disk.Exists(names)
}

func (f *file) drop(failed string) {
	delete(f.failed, failed)
	if f.dir != "" {
		_ = os.Remove(filepath.Join(f.dir, failed))
	}
}

// prune forgets failures of scenarios that the file does not have any more. It does so
// once for what the file has now: of many that fail each would ask for all.
func (f *file) prune(all []string) {
	if len(all) > 0 && len(f.all) == len(all) && &f.all[0] == &all[0] || f.all != nil && slices.Equal(f.all, all) {
		return
	}
	f.all, f.known, f.told, f.tooLong = all, namesOf(all), false, false
	for name := range f.failed {
		if !f.known[name] {
			f.drop(name)
		}
	}
}

// tidy removes a file of which nothing failed any more.
func (f *file) tidy() {
	if len(f.failed) > 0 {
		return
	}
	if f.told = false; f.dir == "" {
		return
	}
	entries, err := os.ReadDir(f.dir)
	if err != nil || slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != list && e.Name() != pathName }) {
		return
	}
	_ = os.Remove(filepath.Join(f.dir, list))
	_ = os.Remove(filepath.Join(f.dir, pathName))
	_ = os.Remove(f.dir) // another call may have put something into it
}

// Ran reports whether a suite, which is named by its root directory, has run.
func (m *Memory) Ran(root string) bool {
	if m.dir == "" {
		m.mu.Lock()
		defer m.mu.Unlock()
		return m.ended
	}
	return disk.Exists(filepath.Join(m.dir, ranBefore+hashed(disk.Real(root))))
}

// Close notes that suites have run, if any of them has, and removes the oldest of
// what is too much.
func (m *Memory) Close(roots ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.ended || m.dir == "" {
		return
	}
	for _, root := range roots {
		if !m.Ran(root) && os.MkdirAll(m.dir, 0o700) == nil {
			_ = disk.Write(filepath.Join(m.dir, ranBefore+hashed(disk.Real(root))), nil, 0o600)
		}
	}
	if m.grew {
		m.shrink()
	}
}

// shrink removes what is known of the files that failed longest ago.
func (m *Memory) shrink() {
	entries, err := os.ReadDir(m.dir)
	if err != nil || len(entries) <= filesMax {
		return
	}
	type old struct {
		name string
		at   int64
	}
	var all []old
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !strings.HasPrefix(e.Name(), ".") {
			all = append(all, old{e.Name(), info.ModTime().UnixNano()})
		}
	}
	slices.SortFunc(all, func(a, b old) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.name, b.name)) })
	for _, o := range all[:max(0, len(all)-filesMax*3/4)] {
		_ = os.RemoveAll(filepath.Join(m.dir, o.name))
	}
}
