package scenariotest_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Shows what a test that imports this package links, beside the standard library:
// testdata/imports.txt is read in review like code. Whoever tests a program pays
// for every line of it.
func TestImports(t *testing.T) {
	const golden = "testdata/imports.txt"
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(out))
	slices.Sort(lines)
	got := strings.Join(lines, "\n") + "\n"
	if os.Getenv("UPDATE_IMPORTS") != "" {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || got != string(want) {
		t.Errorf("the packages that are linked have changed (%v); UPDATE_IMPORTS=1 writes\n%s", err, got)
	}
}
