package cassette

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/cassette/internal/disk"
)

// errCrash is what every operation returns once the machine has gone down.
var errCrash = errors.New("the machine is down")

// A memDisk is a disk that can go down at any operation. It tells what is on
// the medium from what only the system has: bytes that were not synced, and
// names in a directory that was not. What of those survives a crash is the
// worst case that the test asks for.
type memDisk struct {
	mu    sync.Mutex
	names map[string]*memFile // what the system shows
	safe  map[string]*memFile // names on the medium
	dirs  map[string]bool     // folders; true for one whose name is on the medium
	// pending are changes of names that are not on the medium, in their order.
	pending []nameChange
	locks   map[string]bool
	// left counts operations until the machine goes down; negative is never.
	left int
	ops  []string
}

// A nameChange is a name that leads to another file now; nil is none.
type nameChange struct {
	name string
	file *memFile
}

func apply(names map[string]*memFile, c nameChange) {
	delete(names, c.name)
	if c.file != nil {
		names[c.name] = c.file
	}
}

// set changes names, all of them in one step of the medium.
func (d *memDisk) set(changes ...nameChange) {
	for _, c := range changes {
		apply(d.names, c)
	}
	d.pending = append(d.pending, changes...)
}

// A memFile is a file's content: all of it, and how much is on the medium.
type memFile struct {
	data   []byte
	synced int
}

func newMemDisk() *memDisk {
	return &memDisk{names: map[string]*memFile{}, safe: map[string]*memFile{}, dirs: map[string]bool{".": true}, locks: map[string]bool{}, left: -1}
}

// step counts an operation, and reports whether the machine goes down in it.
func (d *memDisk) step(name string) error {
	d.ops = append(d.ops, name)
	if d.left == 0 {
		return errCrash
	}
	if d.left > 0 {
		d.left--
		if d.left == 0 {
			return errCrash
		}
	}
	return nil
}

// lost says what a crash takes of what is not on the medium.
type lost int

const (
	losesNothing lost = iota
	losesBytes
	losesNames
	losesAll
	// losesOlderNames loses what was not synced but for the last change, as a
	// medium keeps no order.
	losesOlderNames
	// losesButAByte keeps one byte of what was not synced: a torn write.
	losesButAByte
)

func (l lost) String() string {
	return [...]string{"nothing lost", "bytes lost", "names lost", "all lost", "all names but the last lost", "all bytes but one lost"}[l]
}

// reboot is the disk after a crash.
func (d *memDisk) reboot(l lost) *memDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	next := newMemDisk()
	names := d.names
	if l == losesNames || l == losesAll || l == losesOlderNames {
		names = maps.Clone(d.safe)
	}
	if n := len(d.pending); l == losesOlderNames && n > 0 {
		apply(names, d.pending[n-1])
	}
	for name, f := range names {
		if dir := filepath.Dir(name); !d.dirs[dir] && l != losesNothing && l != losesBytes && l != losesButAByte {
			continue
		}
		next.dirs[filepath.Dir(name)] = true
		kept := f.data
		if l == losesBytes || l == losesAll {
			kept = kept[:f.synced]
		}
		if l == losesButAByte {
			kept = kept[:min(f.synced+1, len(kept))]
		}
		g := &memFile{data: bytes.Clone(kept), synced: len(kept)}
		next.names[name], next.safe[name] = g, g
	}
	return next
}

func (d *memDisk) Create(name string) (disk.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.step("create " + name)
	if err != nil && d.left == 0 && len(d.ops)%2 == 0 {
		return nil, err // it may or may not have happened
	}
	d.set(nameChange{name, &memFile{}})
	return &memHandle{d, name, d.names[name]}, err
}

func (d *memDisk) Append(name string) (disk.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("append " + name); err != nil {
		return nil, err
	}
	if d.names[name] == nil {
		d.set(nameChange{name, &memFile{}})
	}
	return &memHandle{d, name, d.names[name]}, nil
}

func (d *memDisk) ReadFile(name string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f := d.names[name]; f != nil {
		return bytes.Clone(f.data), nil
	}
	return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
}

func (d *memDisk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.step("rename " + from)
	if f := d.names[from]; f != nil && (err == nil || len(d.ops)%2 == 0) {
		d.set(nameChange{from, nil}, nameChange{to, f})
	}
	return err
}

func (d *memDisk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.step("remove " + name)
	if _, isDir := d.dirs[name]; isDir {
		return err // it stays, which the system may do for longer
	}
	if err == nil || len(d.ops)%2 == 0 {
		d.set(nameChange{name, nil})
	}
	return err
}

func (d *memDisk) Mkdir(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, there := d.dirs[name]; !there {
		d.dirs[name] = false
	}
	return nil
}

// SyncDir is of one directory: its files, and the folders in it.
func (d *memDisk) SyncDir(dir string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("sync the directory " + dir); err != nil {
		return err
	}
	var left []nameChange
	for _, c := range d.pending {
		if filepath.Dir(c.name) == dir {
			apply(d.safe, c)
		} else {
			left = append(left, c)
		}
	}
	d.pending = left
	for name := range d.dirs {
		d.dirs[name] = d.dirs[name] || filepath.Dir(name) == dir
	}
	return nil
}

func (d *memDisk) Lock(name, _ string) (func() error, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.locks[name] {
		return nil, disk.ErrBusy
	}
	d.locks[name] = true
	return func() error {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.locks, name)
		return nil
	}, nil
}

type memHandle struct {
	d    *memDisk
	name string
	f    *memFile
}

// Write writes half where the machine goes down in it.
func (h *memHandle) Write(p []byte) (int, error) {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	was := h.d.left
	if err := h.d.step("write " + h.name); err != nil {
		if was > 0 {
			h.f.data = append(h.f.data, p[:len(p)/2]...)
		}
		return 0, err
	}
	h.f.data = append(h.f.data, p...)
	return len(p), nil
}

func (h *memHandle) Sync() error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if err := h.d.step("sync " + h.name); err != nil {
		return err
	}
	h.f.synced = len(h.f.data)
	return nil
}

func (h *memHandle) Close() error { return nil }

// find lists the files whose content holds a text.
func (d *memDisk) find(text string) []string {
	var found []string
	for name, f := range d.names {
		if strings.Contains(string(f.data), text) {
			found = append(found, name)
		}
	}
	return found
}
