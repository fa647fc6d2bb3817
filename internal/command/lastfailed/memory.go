package lastfailed

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/internal/disk"
)

// filesMax is of how many files failures are kept.
const filesMax = 2000

// ranBefore begins the names of the files that say of a suite that it has run.
const ranBefore = "ran-"

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

// Open uses a directory, which is made when there is something to remember. Without
// one it remembers as long as it lives.
func Open(dir string) *Memory { return &Memory{dir: dir, files: map[string]*file{}} }

// hashLength is that of a name, hashed.
const hashLength = 2 * sha256.Size

func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// of is what is known of a scenario file.
func (m *Memory) of(path string) *file {
	if f := m.files[path]; f != nil {
		return f
	}
	if m.dir == "" {
		m.files[path] = in("", path)
		return m.files[path]
	}
	real := disk.Real(path)
	name := hashed(real)
	f := in(filepath.Join(m.dir, name), real)
	if m.files[path] = f; m.listed()[name] {
		f.load()
	}
	return f
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
		f := in(dir, string(path))
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
		if len(f.found) < len(f.failed) && f.below(root) {
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
		if f.below(root) {
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
		f.keep(hashed(name))
	} else if f.failed[hashed(name)] {
		f.drop(hashed(name))
	}
	f.tidy()
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
