package bench

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The page about benches is whole: rows CG1 to CG14 are in its table, and every
// test and every row's scenario that it names is there.
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
	page := read("docs/benches.md")
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
	for _, row := range regexp.MustCompile(`(?m)^\| ((?:CG\d+ )+)\|`).FindAllStringSubmatch(page, -1) {
		for _, id := range strings.Fields(row[1]) {
			rows[id] = true
		}
	}
	for _, id := range strings.Fields("CG1 CG2 CG3 CG4 CG5 CG6 CG7 CG8 CG9 CG10 CG11 CG12 CG13 CG14") {
		if !rows[id] {
			t.Errorf("row %s is not in the table", id)
		}
	}
	numbers := read("scenarios/bench/numbers.scenario.hcl")
	for _, quoted := range regexp.MustCompile(`"((?:V|CG)\d+)"`).FindAllStringSubmatch(page, -1) {
		if !regexp.MustCompile(`(?m)^scenario "[^"]*\b` + quoted[1] + `\b`).MatchString(numbers) {
			t.Errorf("there is no scenario %s", quoted[1])
		}
	}
}
