package cassette

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Shows that recording through a link writes the file that it leads to, with the
// bodies beside that, and leaves the link; that both names are one cassette,
// which only one recorder has at a time; and that a link to nothing is replaced,
// so that no file appears where nobody looked.
func TestRecordingThroughALink(t *testing.T) {
	large := strings.Repeat("x", sidecarMin+1)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, large)
	}))
	defer srv.Close()
	dir := t.TempDir()
	real, link, dangling := filepath.Join(dir, "shared", "real.yaml"), filepath.Join(dir, "link.yaml"), filepath.Join(dir, "dangling.yaml")
	record := func(path string) {
		t.Helper()
		r := recorderFor(t, path, RecordOptions{Provider: "http"})
		if err := recordOne(t, r, http.DefaultTransport, dialled(t, "answer", 1, srv.URL, "")); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Commit(nil); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	record(real)
	for name, target := range map[string]string{link: filepath.Join("shared", "real.yaml"), dangling: filepath.Join("elsewhere.yaml")} {
		if err := os.Symlink(target, name); err != nil {
			t.Skip(err)
		}
	}
	large += "y"
	record(link)
	for _, path := range []string{real, link} {
		c, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(c.Interactions[0].Response.Body()); len(c.Interactions) != 1 || got != large {
			t.Errorf("%s has %d interactions and a body of %d bytes", path, len(c.Interactions), len(got))
		}
		if orphans, err := Orphans(path); err != nil || len(orphans) > 0 {
			t.Errorf("%s has orphans %v, %v", path, orphans, err)
		}
		if err := c.Save(path); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Readlink(link); err != nil {
		t.Errorf("the link is gone: %v", err)
	}
	r := recorderFor(t, real, RecordOptions{})
	if _, err := NewRecorder(link, RecordOptions{}); !errors.Is(err, ErrLocked) {
		t.Errorf("a second recorder: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	record(dangling)
	if _, err := os.Lstat(filepath.Join(dir, "elsewhere.yaml")); err == nil {
		t.Error("a link to nothing made a file")
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if want := 4; len(left) != want { // shared, link.yaml, dangling.yaml and its bodies
		t.Errorf("left: %v", left)
	}
}
