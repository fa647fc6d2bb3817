package resultcache

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func none(string) (string, bool) { return "", false }

// entries are the files of a cache with their sizes.
func entries(t *testing.T, dir string) (n int, size int64) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			info, err := d.Info()
			if err != nil {
				return err
			}
			n, size = n+1, size+info.Size()
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return n, size
}

// Shows that a directory does not grow without bound, and that the oldest entries
// go first.
func TestOldEntriesGo(t *testing.T) {
	dir := t.TempDir()
	c, err := Open(dir, "call")
	if err != nil {
		t.Fatal(err)
	}
	c.max = 64 << 10
	row := json.RawMessage(`"` + strings.Repeat("x", 1<<10) + `"`)
	var keys []Key
	for i := range 100 {
		k := c.Key(fmt.Append(nil, i))
		keys = append(keys, k)
		c.Keep(k, &Entry{Values: ValuesOf(nil, none), Scenarios: []Scenario{{Row: row}}})
		at := time.Now().Add(time.Duration(i-1000) * time.Minute)
		if err := os.Chtimes(c.path(k), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if n, _ := entries(t, dir); n != 100 {
		t.Fatalf("%d entries", n)
	}
	c.Close()
	n, size := entries(t, dir)
	if size > c.max || size < c.max/2 {
		t.Errorf("%d entries of %d bytes are left", n, size)
	}
	if c.Find(keys[0], none) != nil || c.Find(keys[99], none) == nil {
		t.Error("the oldest entry is left, or the newest is gone")
	}
	again, err := Open(dir, "call")
	if err != nil {
		t.Fatal(err)
	}
	if again.max = 1; again.Find(keys[99], none) == nil {
		t.Error("another call does not find it")
	}
	again.Close() // it kept nothing
	if left, _ := entries(t, dir); left != n {
		t.Errorf("a call that kept nothing removed %d", n-left)
	}
}

// Shows that an entry too large for anything is not kept, and that no two calls or
// files share one.
func TestEntriesAreApart(t *testing.T) {
	dir := t.TempDir()
	c, _ := Open(dir, "a", "b")
	other, _ := Open(dir, "ab", "")
	k := c.Key([]byte("text"), "name")
	c.Keep(k, &Entry{Values: ValuesOf(nil, none)})
	if c.Find(k, none) == nil {
		t.Error("it is not found")
	}
	for _, strange := range []Key{other.Key([]byte("text"), "name"), c.Key([]byte("text"), "nam", "e"), c.Key([]byte("etext"), "nam"), c.Key([]byte("text"))} {
		if strange == k {
			t.Error("two have one key")
		}
	}
	large := c.Key([]byte("large"))
	c.Keep(large, &Entry{Values: ValuesOf(nil, none), Scenarios: []Scenario{{Row: json.RawMessage(`"` + strings.Repeat("x", entryMax) + `"`)}}})
	if c.Find(large, none) != nil {
		t.Error("an entry of any size is kept")
	}
	if n, _ := entries(t, dir); n != 1 {
		t.Errorf("%d entries", n)
	}
	if ValuesOf([]string{"A"}, none) == ValuesOf([]string{"A"}, func(string) (string, bool) { return "", true }) {
		t.Error("an empty variable is as good as none")
	}
}

// Shows that calls may keep and find the same entry at one time, and see a whole
// one or none.
func TestCallsAtOneTime(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			c, err := Open(dir, "call")
			if err != nil {
				t.Error(err)
				return
			}
			k := c.Key([]byte("text"))
			for range 50 {
				c.Keep(k, &Entry{Values: ValuesOf(nil, none), Scenarios: []Scenario{{Row: json.RawMessage(fmt.Sprintf(`"%d %s"`, i, strings.Repeat("x", i*1000)))}}})
				if e := c.Find(k, none); e == nil || len(e.Scenarios) != 1 {
					t.Error("there is no whole entry")
				}
			}
			c.Close()
		})
	}
	wg.Wait()
	if n, _ := entries(t, dir); n != 1 {
		t.Errorf("%d files are left", n)
	}
}

// Shows that a directory is not as it was once a link in it leads elsewhere.
func TestLinkThatLeadsElsewhere(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "latest")
	if err := os.Symlink("v1", link); err != nil {
		t.Skip("this system has no links:", err)
	}
	before, err := ReadAt(dir, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if same, _ := ReadAt(dir, time.Time{}); same != before {
		t.Error("the same directory has another sum")
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("v2", link); err != nil {
		t.Fatal(err)
	}
	if now, err := ReadAt(dir, time.Time{}); err != nil || now == before {
		t.Errorf("it has the sum of before: %v", err)
	}
}
