package repocheck

import (
	"strings"
	"testing"
)

// dailyPage says of each finding about daily work which test shows its mend.
const dailyPage = "docs/conformance/daily.md"

// dailyFindings are what has to have a line there.
const dailyFindings = "R2 R3 R4 R6 R7 R8 R9 B1 L1 L2 L3 L4 L5 L6 L7 L9 D2 D3 D4 D5 D6 D7 S4"

// Every finding about daily work has a line that names a test, and the tests are there.
func TestEveryDailyFindingIsNamed(t *testing.T) {
	files, err := readTree()
	if err != nil {
		t.Fatal(err)
	}
	page := ""
	for _, f := range files {
		if f.Path == dailyPage {
			page = f.Text
		}
	}
	_, wrong := checkProgramsPage(page, testsOf(files))
	for _, w := range append(wrong, withoutRow(page)...) {
		t.Errorf("%s: %s", dailyPage, w)
	}
	if lost := withoutRow(strings.ReplaceAll(page, "| R7:", "| ")); len(lost) != 1 || lost[0] != "no row for R7" {
		t.Errorf("without its row, R7 is %q", lost)
	}
}

// withoutRow are the findings that have no row.
func withoutRow(page string) (lost []string) {
	for _, f := range strings.Fields(dailyFindings) {
		if !strings.Contains(page, "\n| "+f+":") {
			lost = append(lost, "no row for "+f)
		}
	}
	return lost
}
