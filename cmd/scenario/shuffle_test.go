package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// begun runs the suite in the working directory and returns the scenarios in
// the order in which they began, with how the command ended.
func begun(keep int64, args ...string) ([]string, played) {
	var mu sync.Mutex
	var order []string
	a, end := surroundings(func(p *interp.Plan) *interp.Result {
		mu.Lock()
		defer mu.Unlock()
		order = append(order, p.Name)
		return interp.Run(p, interp.RunOptions{})
	})
	a.Keep = keep
	ended := end(execute(a, append([]string{"test", "--parallel", "1"}, args...)))
	mu.Lock() // a suite that fails fast does not wait for what still runs
	defer mu.Unlock()
	return slices.Clone(order), ended
}

// digest is what the order of the seed 7 sorts by, as the documentation of the
// flag's code says it: the seed, then the name.
func digest(name string) string {
	var seed [8]byte
	binary.BigEndian.PutUint64(seed[:], 7)
	sum := sha256.Sum256(append(seed[:], name...))
	return string(sum[:])
}

// Shows that scenarios of all files change places, in an order that the seed
// repeats from anywhere, and that results come in the order of the files.
func TestShuffleMixesAllFiles(t *testing.T) {
	writeSuite(t, 8, -1)
	if err := os.Mkdir("go.mod", 0o777); err != nil { // the suite root
		t.Fatal(err)
	}
	plain, _ := begun(1 << 20)
	want := slices.SortedFunc(slices.Values(plain), func(a, b string) int {
		return cmp.Compare(digest(keyOf(a)), digest(keyOf(b)))
	})
	got, ended := begun(1<<20, "--shuffle=7", "--json")
	if !slices.Equal(got, want) {
		t.Errorf("began as %q, want %q", got, want)
	}
	if _, unshuffled := begun(1<<20, "--json"); wallMS.ReplaceAllString(ended.stdout, "") != wallMS.ReplaceAllString(unshuffled.stdout, "") {
		t.Errorf("results are\n%s\nwant\n%s", ended.stdout, unshuffled.stdout)
	}
	if err := os.Mkdir("sub", 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir("sub")
	if moved, _ := begun(1<<20, "--shuffle=7", ".."); !slices.Equal(moved, want) {
		t.Errorf("from another directory they began as %q, want %q", moved, want)
	}
	some, _ := begun(1<<20, "--shuffle=7", "--run", "-[01]$", "..")
	left := slices.DeleteFunc(slices.Clone(want), func(name string) bool { return strings.HasSuffix(name, "-2") })
	if !slices.Equal(some, left) {
		t.Errorf("a part of them began as %q, want %q", some, left)
	}
	if other, _ := begun(1<<20, "--shuffle=8", ".."); slices.Equal(other, want) || len(other) != len(want) {
		t.Errorf("another seed gives %q", other)
	}
}

// keyOf names a scenario of a suite as the order does.
func keyOf(name string) string {
	file, _, _ := strings.Cut(name, "-")
	return fmt.Sprintf("f%02s%s\x00%s", file, suite.Suffix, name)
}

// Shows that a suite too large to be kept compiled runs file by file, the files
// and what is in each in an order of the seed's, with the same results.
func TestShuffleOfALargeSuite(t *testing.T) {
	writeSuite(t, 8, -1)
	if err := os.Mkdir("go.mod", 0o777); err != nil {
		t.Fatal(err)
	}
	plain, unshuffled := begun(1<<20, "-v")
	want := slices.SortedFunc(slices.Values(plain), func(a, b string) int {
		x, y := keyOf(a), keyOf(b)
		fileX, _, _ := strings.Cut(x, "\x00")
		fileY, _, _ := strings.Cut(y, "\x00")
		return cmp.Or(cmp.Compare(digest(fileX), digest(fileY)), cmp.Compare(digest(x), digest(y)))
	})
	got, ended := begun(0, "--shuffle=7", "-v")
	if !slices.Equal(got, want) {
		t.Errorf("began as %q, want %q", got, want)
	}
	if ended.stdout != unshuffled.stdout {
		t.Errorf("results are\n%s\nwant\n%s", ended.stdout, unshuffled.stdout)
	}
}

// Shows that with --fail-fast nothing is begun behind a failure that is known,
// in the order of the files, and that all before it is.
func TestShuffleFailsFast(t *testing.T) {
	writeSuite(t, 8, 2)
	const bad = "2-1"
	plain, _ := begun(1 << 20)
	at := slices.Index(plain, bad)
	for seed := range 10 {
		got, ended := begun(1<<20, "--fail-fast", fmt.Sprintf("--shuffle=%d", seed))
		for _, name := range got[slices.Index(got, bad)+1:] {
			if slices.Index(plain, name) > at {
				t.Errorf("seed %d: %q began after the failure, which comes before it", seed, name)
			}
		}
		for _, name := range plain[:at+1] {
			if !slices.Contains(got, name) {
				t.Errorf("seed %d: %q comes before the failure and was not run", seed, name)
			}
		}
		if _, unshuffled := begun(1<<20, "--fail-fast"); ended.stdout != unshuffled.stdout {
			t.Errorf("seed %d: results are\n%s\nwant\n%s", seed, ended.stdout, unshuffled.stdout)
		}
	}
}
