package lastfailed

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// ends runs some of a file's scenarios in a call of its own, and notes in model which failed.
func ends(dir string, random *rand.Rand, all, mine []string, model map[string]bool) {
	m := Open(dir)
	for _, name := range mine {
		if random.IntN(3) > 0 {
			model[name] = random.IntN(2) == 0
			m.Ended("f", name, all, !model[name])
		}
	}
	m.Close("root")
}

// agrees compares what a new call knows with a model.
func agrees(t *testing.T, dir string, model map[string]bool) {
	t.Helper()
	m := Open(dir)
	for name, failed := range model {
		if m.Failed("f", name) != failed {
			t.Errorf("%s: failed %v", name, !failed)
		}
	}
}

// files are those that are kept.
func files(t *testing.T, dir string) (found []string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// numbered are names of scenarios.
func numbered(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprint(i)
	}
	return all
}

// Shows that what a call knows is what ended last, whatever failed and passed before, and
// that neither calls nor failures make more files than there may be.
func TestCallsOneAfterTheOther(t *testing.T) {
	for seed := range uint64(20) {
		dir := filepath.Join(t.TempDir(), "failed")
		random, all, model := rand.New(rand.NewPCG(1, seed)), numbered(1+int(seed)%7), map[string]bool{}
		for range 3 * callsMax {
			ends(dir, random, all, all, model)
			agrees(t, dir, model)
			if n := len(files(t, dir)); n > callsMax+2 {
				t.Fatalf("seed %d: %d files", seed, n)
			}
		}
	}
}

// Shows that calls at one time, which run different scenarios of one file again and again,
// lose nothing of each other, while each removes notes of others.
func TestCallsAtOneTime(t *testing.T) {
	const calls = 4
	all := numbered(3 * calls)
	dir := filepath.Join(t.TempDir(), "failed")
	models := make([]map[string]bool, calls)
	var wg sync.WaitGroup
	for i := range calls {
		models[i] = map[string]bool{}
		wg.Go(func() {
			for n := range uint64(20) {
				ends(dir, rand.New(rand.NewPCG(uint64(i), n)), all, all[3*i:3*i+3], models[i])
			}
		})
	}
	wg.Wait()
	for _, model := range models {
		agrees(t, dir, model)
	}
}

// Shows that many failures of a file are three files, and that nothing is left once all of it
// passed.
func TestManyFailuresAreThreeFiles(t *testing.T) {
	dir, all := filepath.Join(t.TempDir(), "failed"), numbered(500)
	m := Open(dir)
	for _, name := range all {
		m.Ended("f", name, all, false)
	}
	if found := files(t, dir); len(found) != 3 {
		t.Errorf("files: %q", found)
	}
	m = Open(dir)
	for _, name := range all {
		m.Ended("f", name, all, true)
	}
	if found := files(t, dir); len(found) != 0 {
		t.Errorf("left: %q", found)
	}
}

// Shows what files of notes say: the higher round counts, of one round that it failed, and
// what is damaged says nothing. A name that a call was about to remove is read as well.
func TestNotes(t *testing.T) {
	a, b := hashed("a"), hashed("b")
	for _, c := range []struct {
		about  string
		calls  []string
		failed string
	}{
		{"the last line of a call", []string{"1 failed " + a + "\n1 passed " + a + "\n"}, ""},
		{"a higher round", []string{"2 passed " + a + "\n", "1 failed " + a + "\n"}, ""},
		{"a higher round, read first", []string{"1 failed " + a + "\n", "2 passed " + a + "\n"}, ""},
		{"one round", []string{"3 passed " + a + "\n", "3 failed " + a + "\n"}, "a"},
		{"one round, read first", []string{"3 failed " + a + "\n", "3 passed " + a + "\n"}, "a"},
		{"two scenarios", []string{"1 failed " + a + "\n", "1 failed " + b + "\n"}, "a b"},
		{"a line that is cut off", []string{"1 failed " + a + "\n2 passed " + a}, "a"},
		{"no round", []string{"0 failed " + a + "\n-1 failed " + b + "\nx failed " + b + "\n9999999999999999 failed " + a + "\n"}, ""},
		{"another word", []string{"1 broken " + a + "\n"}, ""},
		{"no name", []string{"1 failed a\n1 failed\n\n\x00\xff\n"}, ""},
	} {
		dir := t.TempDir()
		for i, text := range c.calls {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(ofCall, i, []string{"", replaced}[i%2])), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		n := notes{dir: dir}
		n.load()
		var failed []string
		for _, name := range []string{"a", "b"} {
			if n.failures()[hashed(name)] {
				failed = append(failed, name)
			}
		}
		if got := strings.Join(failed, " "); got != c.failed {
			t.Errorf("%s: failed %q, want %q", c.about, got, c.failed)
		}
	}
}

// Shows that failures of the format before are known, and that their files go with the last of
// them.
func TestFormerFormat(t *testing.T) {
	dir, all := filepath.Join(t.TempDir(), "failed"), []string{"a", "b"}
	m := Open(dir)
	m.Ended("f", "a", all, false)
	for _, path := range files(t, dir) {
		if !strings.HasPrefix(filepath.Base(path), ofCall) {
			continue
		}
		if os.Remove(path) != nil || os.WriteFile(filepath.Join(filepath.Dir(path), hashed("a")), nil, 0o600) != nil {
			t.Fatal("not written")
		}
	}
	m = Open(dir)
	if !m.Failed("f", "a") || m.Failed("f", "b") {
		t.Error("the failure is not known")
	}
	m.Ended("f", "b", all, false)
	if m = Open(dir); !m.Failed("f", "a") || !m.Failed("f", "b") {
		t.Error("one of the two is not known")
	}
	m.Ended("f", "a", all, true)
	m.Ended("f", "b", all, true)
	if found := files(t, dir); len(found) > 0 {
		t.Errorf("left: %q", found)
	}
}

// Shows that a call keeps what another one has written between its reading and its removing,
// and that one whose file was removed writes what it knows again.
func TestRemovedMeanwhile(t *testing.T) {
	dir, all := filepath.Join(t.TempDir(), "failed"), []string{"a", "b", "c"}
	first := Open(dir)
	first.Ended("f", "a", all, false)
	second := Open(dir)
	if !second.Failed("f", "a") { // it has read
		t.Fatal("the failure is not known")
	}
	first.Ended("f", "b", all, false) // and the first goes on
	second.Ended("f", "a", all, true) // nothing that it knows of failed any more
	if m := Open(dir); !m.Failed("f", "b") || m.Failed("f", "a") {
		t.Error("what was written meanwhile is lost")
	}
	for _, path := range files(t, dir) {
		if strings.HasPrefix(filepath.Base(path), ofCall) && os.Remove(path) != nil {
			t.Fatal("not removed")
		}
	}
	first.Ended("f", "c", all, false)
	if m := Open(dir); !m.Failed("f", "c") {
		t.Error("nothing is written after a file of notes was removed")
	}
}

// Shows that a call which takes over the notes of many also has what they got after it had
// read them, and that only its own are left.
func TestManyCalls(t *testing.T) {
	dir, all := filepath.Join(t.TempDir(), "failed"), numbered(2*callsMax)
	var calls []*Memory
	for i := range callsMax {
		calls = append(calls, Open(dir))
		calls[i].Ended("f", all[i], all, false)
	}
	last := Open(dir)
	last.Failed("f", all[0])
	for i, m := range calls {
		m.Ended("f", all[callsMax+i], all, i%2 > 0)
	}
	if last.Ended("f", all[0], all, true); len(files(t, dir)) != 3 {
		t.Errorf("files: %q", files(t, dir))
	}
	for i, name := range all {
		if want := i > 0 && (i < callsMax || i%2 == 0); Open(dir).Failed("f", name) != want {
			t.Errorf("%s: failed %v", name, !want)
		}
	}
}
