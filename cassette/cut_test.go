package cassette

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/scenario-lang/scenario/wire"
)

// ownFiles are whole files of our format: those of the examples, and one with
// all that a recording can hold.
func ownFiles(t testing.TB) map[string][]byte {
	t.Helper()
	broken := streamed("broken")
	broken.Response.End, broken.Response.Trailer = wire.EndRST, []wire.Field{{Name: "X-Sum", Value: "7"}}
	files := map[string][]byte{"all.yaml": written(
		t,
		recorded("json", 1, `{"q":"über\n"}`, `{"a":[1,2,{"b":"- request"}]}`), streamed("stream"), broken,
		recorded("text", 1, "a=1&b=2", "x-scenario-end: {count: 1}\n\n- request:\n"), recorded("binary", 2, `{}`, "\x00\xff\r\n"),
		&Interaction{Step: "refused", Attempt: 1, Method: http.MethodGet, URL: chatURL, Error: "refused", ErrorText: "connection refused"},
	)}
	paths, err := filepath.Glob(filepath.Join(root(t), "scenarios", "*", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte("\nx-scenario-end:")) {
			files[filepath.Base(path)] = data
		}
	}
	if len(files) < 4 {
		t.Fatalf("only %d files of ours", len(files))
	}
	return files
}

// Shows that no file of ours loads that was cut at any byte but its last line
// end: neither the examples nor one with all that a recording can hold.
func TestEveryCutOfFilesInUse(t *testing.T) {
	stride := 1
	if testing.Short() {
		stride = 13
	}
	for name, data := range ownFiles(t) {
		for n := 0; n < len(data)-1; n += stride {
			if c, err := Parse("", data[:n]); err == nil {
				t.Errorf("%s cut at %d of %d: loaded with %d interactions", name, n, len(data), len(c.Interactions))
			}
		}
	}
}

// Shows that a file of ours of which a part is gone, or which something was put
// into, is refused, or holds every interaction as it was.
func FuzzDamagedFile(f *testing.F) {
	files := ownFiles(f)
	names := slices.Sorted(maps.Keys(files))
	for i := range names {
		f.Add(i, 100, 40, []byte(nil))
		f.Add(i, 0, 0, []byte("\ufeff"))
		f.Add(i, 2000, 1, []byte("\n"))
		f.Add(i, 1<<20, 0, []byte("\n# end\n"))
	}
	f.Fuzz(func(t *testing.T, which, at, length int, with []byte) {
		whole := files[names[uint(which)%uint(len(names))]]
		at = min(max(at, 0), len(whole))
		end := min(at+max(length, 0), len(whole))
		data := append(append(bytes.Clone(whole[:at]), with...), whole[end:]...)
		c, err := Parse("", data)
		if err != nil {
			return
		}
		if !c.Own {
			t.Fatalf("loaded as %s", c.Format)
		}
		if d := sameItems(parsed(t, whole).Interactions, c.Interactions); d != "" {
			t.Fatal(d)
		}
	})
}

// Shows that of a journal that is cut at any byte exactly the interactions are
// recovered that were written to their end, and that a cut within one is told.
func TestEveryCutOfAJournal(t *testing.T) {
	d := newMemDisk()
	r, err := NewRecorder("a.yaml", RecordOptions{disk: d, Provider: "openai"})
	if err != nil {
		t.Fatal(err)
	}
	var ends []int
	for i := range 3 {
		call := dialled(t, fmt.Sprint("step", i), 1, chatURL, `{}`)
		take := r.Begin(call, TakeOptions{Now: newClock().Now})
		resp, err := take.RoundTrip(jsonAnswer(fmt.Sprintf(`{"n":%d}`, i)), call.Request)
		if err != nil {
			t.Fatal(err)
		}
		readAll(t, resp)
		if err := errors.Join(take.Seal(true), r.Sync()); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, len(d.names[journalPath("a.yaml")].data))
	}
	journal := d.names[journalPath("a.yaml")].data
	for n := range len(journal) + 1 {
		_, list, cut, err := readJournal("a", journal[:n], bodiesOf(d, "a.yaml"))
		kept := 0
		for kept < len(ends) && n >= ends[kept]-1 { // the last line end may be missing
			kept++
		}
		if err != nil || len(list) != kept {
			t.Fatalf("cut at %d of %d: %d interactions, %v, want %d", n, len(journal), len(list), err, kept)
		}
		if inside := kept > 0 && n > ends[kept-1]; kept > 0 && cut != inside {
			t.Errorf("cut at %d of %d with %d whole: told %v", n, len(journal), kept, cut)
		}
	}
}
