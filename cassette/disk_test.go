package cassette

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"sync"
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
	locks map[string]bool
	// left counts operations until the machine goes down; negative is never.
	left int
	ops  []string
}

// A memFile is a file's content: all of it, and how much is on the medium.
type memFile struct {
	data   []byte
	synced int
}

func newMemDisk() *memDisk {
	return &memDisk{names: map[string]*memFile{}, safe: map[string]*memFile{}, locks: map[string]bool{}, left: -1}
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
)

func (l lost) String() string {
	return [...]string{"nothing lost", "bytes lost", "names lost", "all lost"}[l]
}

// reboot is the disk after a crash.
func (d *memDisk) reboot(l lost) *memDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	next := newMemDisk()
	names := d.names
	if l == losesNames || l == losesAll {
		names = d.safe
	}
	for name, f := range names {
		kept := f.data
		if l == losesBytes || l == losesAll {
			kept = kept[:f.synced]
		}
		g := &memFile{data: bytes.Clone(kept), synced: len(kept)}
		next.names[name], next.safe[name] = g, g
	}
	return next
}

func (d *memDisk) Create(name string) (diskFile, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.step("create " + name)
	if err != nil && d.left == 0 && len(d.ops)%2 == 0 {
		return nil, err // it may or may not have happened
	}
	d.names[name] = &memFile{}
	return &memHandle{d, name, d.names[name]}, err
}

func (d *memDisk) Append(name string) (diskFile, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("append " + name); err != nil {
		return nil, err
	}
	if d.names[name] == nil {
		d.names[name] = &memFile{}
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
		delete(d.names, from)
		d.names[to] = f
	}
	return err
}

func (d *memDisk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.step("remove " + name)
	if err == nil || len(d.ops)%2 == 0 {
		delete(d.names, name)
	}
	return err
}

func (d *memDisk) Mkdir(string) error { return nil }

func (d *memDisk) SyncDir(string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.step("sync the directory"); err != nil {
		return err
	}
	d.safe = maps.Clone(d.names)
	return nil
}

func (d *memDisk) Lock(name, _ string) (func() error, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.locks[name] {
		return nil, errBusy
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
