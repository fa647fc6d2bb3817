package explore

import (
	"encoding/json"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// knownRow is a row of the page of known finds: file, scenario, find and the reason.
var knownRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (.+) \\| (.+) \\| (.{20,}) \\|$")

// Every find of a baseline has a row of the page, in the part that names its baseline, with
// a reason; and every row has its find.
func TestKnownFindsHaveReasons(t *testing.T) {
	page, err := os.ReadFile("../../docs/conformance/known.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, least := range map[string]int{"known.json": 5, "wrong.json": 10} {
		_, part, _ := strings.Cut(string(page), "\nIn `internal/explore/testdata/"+name+"`.")
		part, _, _ = strings.Cut(part, "\n## ")
		var want, got []string
		for _, row := range knownRow.FindAllStringSubmatch(part, -1) {
			want = append(want, strings.Join(row[1:4], " | "))
		}
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			var f struct {
				Type string `json:"type"`
				Told
			}
			if err := json.Unmarshal([]byte(line), &f); err != nil {
				t.Fatal(err)
			}
			if f.Type == "find" {
				file := strings.TrimSuffix(strings.TrimPrefix(f.File, "scenarios/"), suite.Suffix)
				got = append(got, strings.Join([]string{file, f.Scenario, f.Name}, " | "))
			}
		}
		if len(got) < least {
			t.Errorf("%s has %d finds", name, len(got))
		}
		for _, f := range got {
			if !slices.Contains(want, f) {
				t.Errorf("a find of %s has no reason in docs/conformance/known.md: %s", name, f)
			}
		}
		for _, f := range want {
			if !slices.Contains(got, f) {
				t.Errorf("docs/conformance/known.md has a row of %s that is no find of it: %s", name, f)
			}
		}
	}
}

// The files with a call that may wait for ever are those of the list: a file that is new
// there, or is not any more, has to be decided on.
func TestFilesThatMayWait(t *testing.T) {
	if testing.Short() {
		t.Skip("all scenarios under silence")
	}
	text, err := os.ReadFile("testdata/deadlock.txt")
	if err != nil {
		t.Fatal(err)
	}
	want, got := strings.Fields(string(text)), []string(nil)
	for _, name := range exampleFiles(t) {
		l := suite.Loader{Source: suite.Disk(), Placeholder: func(string) bool { return true }}
		file := l.Load(path.Join(examples, name))
		for _, p := range file.Plans {
			if p.NotRun(interp.Interpreted) != "" || slices.Contains(got, name) {
				continue
			}
			r := Explore(Interpreted(p, nil), Options{MaxK: 1, Runs: UsualRuns, Parallel: 2, NoStandard: true, Kinds: []string{"timeout"}})
			if slices.ContainsFunc(r.Finds, (*Find).deadlock) {
				got = append(got, name)
			}
		}
		l.Close()
	}
	for _, name := range got {
		if !slices.Contains(want, name) {
			t.Errorf("%s has a call that may wait for ever: give it a deadline, or a line in testdata/deadlock.txt", name)
		}
	}
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("%s has no call that may wait for ever any more: take it from testdata/deadlock.txt", name)
		}
	}
}
