package program

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Shows which directories the files lie in that a command names, also in what a shell is given.
func TestDirectories(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"app.py", "web/app.mjs", "tests/run.sh", "lib/deep/x.rb"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		command []string
		want    []string
	}{
		{[]string{"python3", "../app.py"}, []string{"."}},
		{[]string{"sh", "-c", "cd .. && python3 app.py"}, []string{"."}},
		{[]string{"sh", "-c", "python3 ../app.py | cat"}, []string{"."}},
		{[]string{"bash", "-ec", "cd '..'; cd web\nPORT=1 node app.mjs 2>&1"}, []string{"web"}},
		{[]string{"env", "sh", "-c", "(cd \"../lib\" && ruby deep/x.rb)"}, []string{"lib/deep"}},
		{[]string{"sh", "-c", "./run.sh; cd ..; python3 app.py"}, []string{"tests", "."}},
		{[]string{"sh", "-c", "cd \"$HERE\" && python3 app.py"}, nil},
		{[]string{"sh", "-c", "cd .. && echo cd web && node app.mjs"}, nil},
		{[]string{"python3", "-c", "cd .. && python3 app.py"}, nil},
		{[]string{"sh", "-c", "cd"}, nil},
	} {
		var got []string
		for _, named := range Directories(filepath.Join(dir, "tests"), c.command) {
			rel, err := filepath.Rel(dir, named)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, filepath.ToSlash(rel))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, not %q", c.command, got, c.want)
		}
	}
}
