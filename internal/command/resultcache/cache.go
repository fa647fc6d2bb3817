package resultcache

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/scenario-lang/scenario/internal/disk"
)

// The sizes, in bytes, of a directory and of one entry.
const (
	totalMax = 64 << 20
	entryMax = 4 << 20
)

// A Cache is a directory of entries, as one call of a command uses it. Several
// calls may use it at one time. It is safe for concurrent use.
type Cache struct {
	dir  string
	call [sha256.Size]byte
	max  int64
	kept atomic.Bool
}

// Open uses a directory, which is made where it is not there. The texts are all of
// the call that a result depends on, in a fixed order.
func Open(dir string, call ...string) (*Cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	sum := sha256.New()
	fold(sum, call...)
	return &Cache{dir: dir, call: [sha256.Size]byte(sum.Sum(nil)), max: totalMax}, nil
}

// fold adds texts so that no two lists of them give the same sum.
func fold(to hash.Hash, texts ...string) {
	var size [8]byte
	for _, t := range texts {
		binary.BigEndian.PutUint64(size[:], uint64(len(t)))
		to.Write(size[:])
		io.WriteString(to, t)
	}
}

// A Key is where the entry of a file belongs.
type Key string

// Key is that of a file by what is known of it before it is compiled: its text, and
// the names that results call it by.
func (c *Cache) Key(source []byte, names ...string) Key {
	sum := sha256.New()
	sum.Write(c.call[:])
	fold(sum, names...)
	sum.Write(source)
	return Key(hex.EncodeToString(sum.Sum(nil)))
}

func (c *Cache) path(k Key) string { return filepath.Join(c.dir, string(k[:2]), string(k[2:])) }

// Find is the entry of a file where everything that it depends on is as it was, nil
// otherwise. What is damaged is as good as nothing.
func (c *Cache) Find(k Key, env func(string) (string, bool)) *Entry {
	data, err := disk.Read(c.path(k), entryMax)
	if err != nil || len(data) > entryMax {
		return nil
	}
	e, ok := decode(data)
	if !ok || e.Values != ValuesOf(e.Asked, env) || !e.unchanged() {
		return nil
	}
	return e
}

// Keep stores an entry. That it cannot be stored is no failure of anything.
func (c *Cache) Keep(k Key, e *Entry) {
	data, err := e.encode()
	if err != nil || len(data) > entryMax {
		return
	}
	path := c.path(k)
	if os.MkdirAll(filepath.Dir(path), 0o700) == nil && disk.Write(path, data, 0o600) == nil {
		c.kept.Store(true)
	}
}

// Close removes the oldest entries where there are too many.
func (c *Cache) Close() {
	if !c.kept.Load() {
		return
	}
	type kept struct {
		path string
		size int64
		at   time.Time
	}
	var all []kept
	var total int64
	_ = filepath.WalkDir(c.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil // somebody else removes entries, too
		}
		if info, err := d.Info(); err == nil {
			all = append(all, kept{path, info.Size(), info.ModTime()})
			total += info.Size()
		}
		return nil
	})
	if total <= c.max {
		return
	}
	slices.SortFunc(all, func(a, b kept) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.path, b.path)) })
	for _, k := range all {
		if total <= c.max*3/4 {
			return
		}
		if os.Remove(k.path) == nil {
			total -= k.size
		}
	}
}

// headMax is as much of an executable as holds the id that the linker gives it.
const headMax = 64 << 10

// Binary names the program that runs: another build is another name.
func Binary() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.CopyN(sum, f, headMax); err != nil && err != io.EOF {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil)) + " " + strconv.FormatInt(info.Size(), 10) + " " + info.ModTime().UTC().Format(time.RFC3339Nano)
}
