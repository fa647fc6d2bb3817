package bench

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The page about benches is whole: rows CG1 to CG14 are in its table, each with
// something that shows it, the ten tests of the document are all there, and
// every test, file and scenario that the page names exists. That a scenario can
// fail is shown where all literals of the suite are changed.
func TestBenchesTable(t *testing.T) {
	read := func(pattern string) string {
		paths, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		var all strings.Builder
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
		return all.String()
	}
	page := read("docs/conformance/benches.md")
	tests := read("interp/bench/*_test.go") + read("cmd/scenario/*_test.go") + read("internal/process/*_test.go")
	named := regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(page, -1)
	if len(named) < 20 {
		t.Errorf("the page names %d tests", len(named))
	}
	for _, name := range named {
		if !strings.Contains(tests, "\nfunc "+name[1]+"(") {
			t.Errorf("there is no %s", name[1])
		}
	}
	rows := map[string]bool{}
	shows := regexp.MustCompile("`Test\\w+`|\"(?:V|CG)\\d+\"|`scenarios/[\\w/.]+`|`cmd/[\\w/.]+`")
	for _, row := range regexp.MustCompile(`(?m)^\| ((?:CG\d+ )+)\|[^|]+\|(.*)\|$`).FindAllStringSubmatch(page, -1) {
		if !shows.MatchString(row[2]) {
			t.Errorf("nothing shows %s", row[1])
		}
		for _, id := range strings.Fields(row[1]) {
			rows[id] = true
		}
	}
	for _, id := range strings.Fields("CG1 CG2 CG3 CG4 CG5 CG6 CG7 CG8 CG9 CG10 CG11 CG12 CG13 CG14") {
		if !rows[id] {
			t.Errorf("row %s is not in the table", id)
		}
	}
	if n := len(regexp.MustCompile("`test_\\w+`").FindAllString(page, -1)); n != 10 {
		t.Errorf("%d tests of the document are named, it has ten", n)
	}
	for _, path := range regexp.MustCompile("`((?:scenarios|cmd|interp)/[\\w/.]+)`").FindAllStringSubmatch(page, -1) {
		if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(path[1]))); err != nil {
			t.Error(err)
		}
	}
	numbers := read("scenarios/bench/numbers.scenario.hcl")
	for _, quoted := range regexp.MustCompile(`"((?:V|CG)\d+)"`).FindAllStringSubmatch(page, -1) {
		if !regexp.MustCompile(`(?m)^scenario "[^"]*\b` + quoted[1] + `\b`).MatchString(numbers) {
			t.Errorf("there is no scenario %s", quoted[1])
		}
	}
}
