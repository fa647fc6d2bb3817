package cassette

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette/internal/disk"
)

// Shows that a large body and a binary one stand beside the file by their sum,
// are read from there, and refuse the file when they are changed, cut or gone.
func TestSidecars(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.yaml")
	large := `{"a":"` + strings.Repeat("x", 300_000) + `"}`
	binary := strings.Repeat("\xff\x00", 1000)
	items := []*Interaction{recorded("a", 1, `{}`, large), recorded("b", 1, `{}`, binary), recorded("c", 1, large, "\xff")}
	if err := (&Cassette{Interactions: items}).Save(path); err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{large, binary} {
		data, err := os.ReadFile(filepath.Join(path+".bodies", hexSum(body)))
		if string(data) != body || err != nil {
			t.Errorf("%d bytes, %v", len(data), err)
		}
	}
	file, _ := os.ReadFile(path)
	if len(file) > 4096 || !strings.Contains(string(file), "    beside: {response: "+hexSum(binary)+"}\n") {
		t.Errorf("%s", file)
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := sameItems(items, c.Interactions); d != "" {
		t.Error(d)
	}
	dir, base := filepath.Split(path)
	fromFS, err := LoadFS(os.DirFS(dir), base)
	if err != nil {
		t.Fatal(err)
	}
	if d := sameItems(items, fromFS.Interactions); d != "" || fromFS.Digest != c.Digest {
		t.Errorf("from a file system: %s, digest %s", d, fromFS.Digest)
	}
	name := filepath.Join(path+".bodies", hexSum(binary))
	refused := func(want string) {
		t.Helper()
		if _, err := Load(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "interaction 2") {
			t.Errorf("want %q, got %v", want, err)
		}
		if _, err := LoadFS(os.DirFS(dir), base); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("from a file system: want %q, got %v", want, err)
		}
	}
	writeFile(t, name, binary[1:])
	refused("is not as it was written")
	writeFile(t, name, "")
	refused("is not as it was written")
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	refused("is missing")
	if _, err := Parse(path, file); err == nil || !strings.Contains(err.Error(), "without its folder") {
		t.Errorf("got %v", err)
	}
	stripped := onlyPlain(string(file))
	if _, err := Parse(path, []byte(stripped)); err == nil || !strings.Contains(err.Error(), "go-vcr drops") {
		t.Errorf("got %v", err)
	}
	for _, bad := range []string{"../" + hexSum(binary)[3:], strings.ToUpper(hexSum(binary)), "x"} {
		if _, err := bodiesOf(disk.OS{}, path).get(bad); err == nil || !strings.Contains(err.Error(), "no sum") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// onlyPlain leaves of a file what go-vcr knows.
func onlyPlain(text string) string {
	var kept []string
	inside := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  x-scenario:") || strings.HasPrefix(line, "x-scenario") {
			inside = strings.HasPrefix(line, " ")
			continue
		}
		if inside = inside && strings.HasPrefix(line, "    "); !inside {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Shows that a recording removes the bodies that nothing needs any more, and no
// other, and that what is left behind is found.
func TestBodiesComeAndGo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.yaml")
	kept, first, second := strings.Repeat("\xfe", 2000), strings.Repeat("\xfd", 2000), strings.Repeat("\xfc", 2000)
	record := func(step, body string) {
		t.Helper()
		r := recorderFor(t, path, RecordOptions{})
		if err := recordOne(t, r, jsonAnswer(body), dialled(t, step, 1, chatURL, `{}`)); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Commit(nil); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	have := func(bodies ...string) {
		t.Helper()
		entries, _ := os.ReadDir(path + ".bodies")
		if len(entries) != len(bodies) {
			t.Errorf("there are %v", entries)
		}
		for _, b := range bodies {
			if _, err := os.Stat(filepath.Join(path+".bodies", hexSum(b))); err != nil {
				t.Error(err)
			}
		}
	}
	record("a", kept)
	record("b", first)
	have(kept, first)
	record("b", second)
	have(kept, second)
	if got, err := Orphans(path); len(got) != 0 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	stray := filepath.Join(path+".bodies", hexSum(first))
	writeFile(t, stray, first)
	if got, err := Orphans(path); len(got) != 1 || got[0] != stray || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	if err := os.Remove(stray); err != nil {
		t.Fatal(err)
	}
	record("a", "1")
	record("b", "2")
	if left, _ := filepath.Glob(path + "*"); len(left) != 1 {
		t.Errorf("left behind %v", left)
	}
	if got, err := Orphans(path); len(got) != 0 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}

// Shows that a body which holds a secret that redaction missed is not written
// beside the file either.
func TestRefusedBodyHasNoSidecar(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.yaml")
	r := recorderFor(t, path, RecordOptions{})
	it := recorded("a", 1, `{}`, strings.Repeat("\xff", 2000)+" sk-ant-api03-"+strings.Repeat("aB3", 31)+"AA ")
	if err := r.add(&Take{}, it); err == nil {
		t.Error("it was written")
	}
	if left, _ := filepath.Glob(path + ".bodies/*"); len(left) != 0 {
		t.Errorf("left behind %v", left)
	}
	var out bytes.Buffer
	if err := Write(&out, &Cassette{Interactions: []*Interaction{it}}); err != nil || strings.Contains(out.String(), sidecarText) {
		t.Errorf("%v", err)
	}
}
