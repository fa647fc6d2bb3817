package repocheck

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"
)

// programsPage says of each rule about programs which test shows it.
const programsPage = "docs/conformance/programs.md"

var (
	testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	quoted   = regexp.MustCompile("`([^`]+)`")
)

// Every test, part of a test and script that the page of programs names is there, each
// row names one, and every gate has a row.
func TestEveryRuleOfProgramsIsNamed(t *testing.T) {
	files, err := readTree()
	if err != nil {
		t.Fatal(err)
	}
	tests, gates, page := testsOf(files), "", ""
	for _, f := range files {
		switch f.Path {
		case programsPage:
			page = f.Text
		case "docs/reference-results.md":
			_, gates, _ = strings.Cut(f.Text, "\n## Gates\n")
		}
	}
	rows, wrong := checkProgramsPage(page, tests)
	for _, w := range wrong {
		t.Errorf("%s: %s", programsPage, w)
	}
	if rows < 80 {
		t.Errorf("%s has %d rows: it is cut", programsPage, rows)
	}
	named := regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\|").FindAllStringSubmatch(gates, -1)
	if len(named) < 15 {
		t.Errorf("only %d gates were found", len(named))
	}
	for _, g := range named {
		if !strings.Contains(page, "\n| `"+g[1]+"`") {
			t.Errorf("%s has no row for the gate %s", programsPage, g[1])
		}
	}
}

// Shows that the check finds what it is for.
func TestEveryRuleOfProgramsFindsOffenders(t *testing.T) {
	tests := map[string]string{"TestA": "", "TestA/a part": "", "x.txtar": ""}
	for row, want := range map[string]string{
		"| a rule | `TestA`, `x.txtar` |":        "",
		"| a rule | `TestA/a part` |":            "",
		"| a rule | `TestA/another` |":           "TestA/another",
		"| a rule | `TestB` |":                   "TestB",
		"| a rule | `y.txtar` |":                 "y.txtar",
		"| a rule |  |":                          "names no test",
		"a sentence with `TestB`, not in a row.": "TestB",
	} {
		_, wrong := checkProgramsPage("| rule | shown by |\n|---|---|\n"+row+"\n", tests)
		if got := strings.Join(wrong, "\n"); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", row, got, want)
		}
	}
}

// testsOf are the tests of all modules with their subtests, as TEST/PART, and the
// scripts of the command with their text.
func testsOf(files []*file) map[string]string {
	tests := map[string]string{}
	for _, f := range files {
		if strings.HasPrefix(f.Path, "cmd/scenario/testdata/script/") {
			tests[path.Base(f.Path)] = f.Text
		}
		if strings.HasSuffix(f.Path, "_test.go") {
			for _, m := range testFunc.FindAllStringSubmatch(f.Text, -1) {
				tests[m[1]] = ""
			}
		}
	}
	for part := range partsOf(files) {
		tests[part] = ""
	}
	return tests
}

// checkProgramsPage counts the rows of a page, and lists what it names and no tree has.
func checkProgramsPage(page string, tests map[string]string) (rows int, wrong []string) {
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "|") {
			_, shown, _ := strings.Cut(strings.Trim(line, "| "), " | ")
			if strings.Contains(line, "shown by") || strings.HasPrefix(line, "|---") {
				continue
			}
			rows++
			if !strings.Contains(shown, "Test") && !strings.Contains(shown, ".txtar") && !strings.Contains(shown, ".scenario.hcl/") {
				wrong = append(wrong, fmt.Sprintf("%q names no test", line))
			}
		}
		for _, m := range quoted.FindAllStringSubmatch(line, -1) {
			name, _, _ := strings.Cut(m[1], "/")
			if !strings.HasPrefix(name, "Test") && !strings.HasSuffix(name, ".txtar") {
				continue
			}
			if _, known := tests[m[1]]; !known {
				wrong = append(wrong, fmt.Sprintf("there is no %s", m[1]))
			}
		}
	}
	return rows, wrong
}
