package repocheck

import (
	"fmt"
	"path"
	"strings"
	"testing"
)

// greenPage says of each way to be green without a reason which test shows it.
const greenPage = "docs/conformance/green.md"

// Every test, part of a test, scenario and script that the page names is there, and each
// row names one.
func TestEveryFalseGreenIsNamed(t *testing.T) {
	files, err := readTree()
	if err != nil {
		t.Fatal(err)
	}
	page, named := "", testsOf(files)
	for _, f := range files {
		if f.Path == greenPage {
			page = f.Text
		}
		if strings.HasPrefix(f.Path, "scenarios/") && strings.HasSuffix(f.Path, ".scenario.hcl") {
			named[path.Base(f.Path)] += f.Text
		}
	}
	rows, wrong := checkGreenPage(page, named)
	for _, w := range wrong {
		t.Errorf("%s: %s", greenPage, w)
	}
	if rows < 55 {
		t.Errorf("%s has %d rows: it is cut", greenPage, rows)
	}
}

// Shows that the check finds what it is for.
func TestEveryFalseGreenFindsOffenders(t *testing.T) {
	named := map[string]string{"TestA": "", "a.scenario.hcl": "scenario \"it waits\" {\n"}
	for row, want := range map[string]string{
		"| a way | `TestA`, `a.scenario.hcl/it waits` |": "",
		"| a way | `a.scenario.hcl/it wait` |":           "it wait",
		"| a way | `b.scenario.hcl/it waits` |":          "b.scenario.hcl",
		"| a way | `TestB` |":                            "TestB",
		"| a way |  |":                                   "names no test",
	} {
		_, wrong := checkGreenPage("| what must not be | shown by |\n|---|---|\n"+row+"\n", named)
		if got := strings.Join(wrong, "\n"); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", row, got, want)
		}
	}
}

// checkGreenPage is [checkProgramsPage] for a page that names scenarios, too.
func checkGreenPage(page string, named map[string]string) (rows int, wrong []string) {
	rows, wrong = checkProgramsPage(page, named)
	for _, m := range quoted.FindAllStringSubmatch(page, -1) {
		file, name, is := strings.Cut(m[1], ".scenario.hcl/")
		if is && !strings.Contains(named[file+".scenario.hcl"], fmt.Sprintf("scenario %q {", name)) {
			wrong = append(wrong, fmt.Sprintf("there is no scenario %q in %s.scenario.hcl", name, file))
		}
	}
	return rows, wrong
}
