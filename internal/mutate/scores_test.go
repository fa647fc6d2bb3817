package mutate

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// scoresFile has a line for each file of the scenarios: its name, the mutants that are
// killed, and those that can be told from the original.
const scoresFile = "internal/mutate/testdata/scores.txt"

// Our own scenarios notice what they did: the score of no file falls, and what the first
// file and those about policies leave is in the table of the page, with reasons.
// UPDATE_SCORES=1 writes the scores anew.
func TestScores(t *testing.T) {
	update := os.Getenv("UPDATE_SCORES") != ""
	if testing.Short() && !update {
		t.Skip("half a minute: not with -short")
	}
	t.Chdir("../..")
	r := Run(hostsBelow(t, "scenarios"), Options{Compile: compileFile, K: 1, Runs: 2000, Parallel: 2})
	for _, b := range r.Broken {
		t.Errorf("%s: %q does not pass", b.Plan.File, b.Plan.Name)
	}
	listed(t, r)
	got := scoresOf(r)
	if update {
		var b bytes.Buffer
		for _, file := range sortedFiles(got) {
			fmt.Fprintf(&b, "%s %d %d\n", file, got[file].killed, got[file].of)
		}
		if err := os.WriteFile(scoresFile, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(scoresFile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var file string
		var was score
		if _, err := fmt.Sscan(line, &file, &was.killed, &was.of); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		is := got[file]
		t.Logf("%s: %d of %d", file, is.killed, is.of)
		if is.killed*was.of < was.killed*is.of || is.of == 0 {
			t.Errorf("%s: %d of %d mutants are killed, it was %d of %d: scenario mutate --max-k 1 %s says which are not; UPDATE_SCORES=1 where that is meant", file, is.killed, is.of, was.killed, was.of, file)
		}
		delete(got, file)
	}
	for _, file := range sortedFiles(got) {
		t.Errorf("%s has no score in %s: write it with UPDATE_SCORES=1", file, scoresFile)
	}
}

// A score is how many mutants of a file are killed, of how many.
type score struct{ killed, of int }

// scoresOf are those of the files of a report.
func scoresOf(r *Report) map[string]score {
	all := map[string]score{}
	for _, m := range r.Mutants {
		s := all[m.File]
		switch m.Verdict {
		case Killed:
			s.killed++
			s.of++
		case Survived, Unseen:
			s.of++
		}
		if s.of > 0 {
			all[m.File] = s
		}
	}
	return all
}

func sortedFiles(scores map[string]score) []string {
	var names []string
	for name := range scores {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var listedRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| `([^`]+)` \\| .+ \\|$")

// listed holds the table of the page to a report.
func listed(t *testing.T, r *Report) {
	page, err := os.ReadFile("docs/conformance/mutation.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, row := range listedRow.FindAllStringSubmatch(string(page), -1) {
		want = append(want, row[1]+" "+row[2])
	}
	for _, m := range r.Mutants {
		file := strings.TrimPrefix(m.File, "scenarios/")
		if (m.Verdict == Survived || m.Verdict == Unseen) && (file == "first.scenario.hcl" || path.Dir(file) == "policies") {
			got = append(got, file+" "+m.Declaration+": "+m.Change)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	for _, row := range got {
		if i := slices.Index(want, row); i >= 0 {
			want = slices.Delete(want, i, i+1)
		} else {
			t.Errorf("is not killed, and not in docs/conformance/mutation.md: %s", row)
		}
	}
	for _, row := range want {
		t.Errorf("is in docs/conformance/mutation.md, and is killed or not made: %s", row)
	}
}

// hostsBelow are the files of a directory with scenarios that run.
func hostsBelow(t *testing.T, dir string) []*Host {
	t.Helper()
	names, err := suite.Disk().Discover([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	var hosts []*Host
	for _, name := range names {
		f := compileFile(name, nil)
		if f.Failed() {
			t.Fatal(name, f.Diags, f.Crash)
		}
		h := &Host{File: f}
		for _, p := range f.Plans {
			if p.NotRun(interp.Interpreted) == "" {
				h.Plans = append(h.Plans, p)
			}
		}
		hosts = append(hosts, h)
	}
	return hosts
}

// compileFile compiles a file of the disk.
func compileFile(name string, texts map[string][]byte) *suite.File {
	l := suite.Loader{Source: suite.Disk(), Placeholder: func(string) bool { return true }}
	defer l.Close()
	l.Unsaved = func(path string) ([]byte, bool) {
		text, ok := texts[path]
		return text, ok
	}
	return l.Load(name)
}
