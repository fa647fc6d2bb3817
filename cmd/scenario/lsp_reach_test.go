package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/suite"
)

// Shows that an editor may leave out the files that a change does not reach: after any
// edit of any example, a check of all of them says of the others what it said before.
func TestChangeReachesWhatReadsIt(t *testing.T) {
	root := disk.Real(t.TempDir())
	if err := os.CopyFS(root, os.DirFS(filepath.Join(repository, "scenarios"))); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"policies/retry", "policies/breaker", "flow/loops", "services/fanout"} {
		text := fmt.Sprintf("import = [\"./%s%s\"]\nlocals { unused = 1 }\n", name, suite.Suffix)
		write(t, filepath.Join(root, fmt.Sprintf("imports%d%s", i, suite.Suffix)), text)
	}
	names, err := suite.Disk().Discover([]string{root})
	if err != nil {
		t.Fatal(err)
	}
	a, reads := &cli.App{Env: noEnv}, suite.NewReads(suite.Disk())
	edited := map[string][]byte{}
	open := func(path string) ([]byte, bool) {
		text, ok := edited[filepath.Base(path)]
		return text, ok
	}
	said := func(name string) string {
		var b strings.Builder
		for _, d := range check(a, t.Context(), &suite.Variables{}, reads, name, open) {
			fmt.Fprintln(&b, d.Severity, d.Subject, d.Summary, d.Detail)
		}
		return b.String()
	}
	before := map[string]string{}
	for _, name := range names {
		before[name] = said(name)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	edits := 24
	if testing.Short() {
		edits = 6
	}
	imported := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return len(concernedBy(reads, name)) == 0 })
	if len(imported) < 3 {
		t.Fatalf("only %v are read by others", imported)
	}
	reached := 0
	for n := range edits {
		name := names[rnd.IntN(len(names))]
		if n%2 == 0 {
			name = imported[rnd.IntN(len(imported))]
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		at := rnd.IntN(len(src))
		concerned := concernedBy(reads, name)
		edited = map[string][]byte{filepath.Base(name): slices.Concat(src[:at], src[min(len(src), at+rnd.IntN(40)):])}
		for _, other := range names {
			switch {
			case filepath.Base(other) == filepath.Base(name): // names are told apart by their last part alone
			case slices.Contains(concerned, other):
				reached++
			case said(other) != before[other]:
				t.Errorf("an edit of %s at %d changes what is said of %s, which does not read it", name, at, other)
			}
		}
		edited = nil
		said(name)
	}
	if reached == 0 {
		t.Error("no edit reached another file")
	}
}

// concernedBy are the files that read one, by the names that they are checked by.
func concernedBy(reads *suite.Reads, name string) []string {
	files := reads.Concerned([]string{name})
	for i, f := range files {
		if abs, err := filepath.Abs(f); err == nil {
			files[i] = abs
		}
	}
	return slices.DeleteFunc(files, func(f string) bool { return f == name })
}
