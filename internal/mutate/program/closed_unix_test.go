//go:build unix

package program

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Shows that what the user may not read stays where it is, and that what a run has closed is removed.
func TestClosed(t *testing.T) {
	if os.Getuid() == 0 {
		asNobody(t) // root may read everything
		return
	}
	of, at := t.TempDir(), t.TempDir()
	lay(t, of, map[string]string{"app.sh": "echo", "secret": "x", "database/pages": "x"})
	for _, name := range []string{"secret", "database"} {
		path := filepath.Join(of, name)
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(path, 0o700) })
	}
	tr, err := copyTree(of, at, never)
	if err != nil {
		t.Fatal(err)
	}
	first := map[string]string{"app.sh": "echo", "database": "dir"}
	if got := laid(t, at); !maps.Equal(got, first) {
		t.Errorf("copied: %v, not %v", got, first)
	}
	if sources, err := Sources(of, nil, nil, filepath.Base); err != nil || len(sources) != 1 {
		t.Errorf("source files: %v %v", sources, err)
	}
	lay(t, at, map[string]string{"made/deep/a": "1", "made/b": "2", "database/own": "3"})
	for _, name := range []string{"made/deep", "made", "database"} {
		if err := os.Chmod(filepath.Join(at, filepath.FromSlash(name)), 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tr.restore(nil); err != nil {
		t.Fatal(err)
	}
	if got := laid(t, at); !maps.Equal(got, first) {
		t.Errorf("after a run: %v, not %v", got, first)
	}
}

// asNobody runs a test once more as a user to whom nothing belongs.
func asNobody(t *testing.T) {
	const nobody = 65534
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "nobody-") // those of a test are closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "program.test")
	if err := os.WriteFile(path, program, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, "-test.v", "-test.run=^"+t.Name()+"$")
	c.Dir, c.Env = dir, append(os.Environ(), "TMPDIR="+dir)
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	said, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(said), "--- PASS: "+t.Name()) {
		t.Errorf("as another user: %v\n%s", err, said)
	}
}
