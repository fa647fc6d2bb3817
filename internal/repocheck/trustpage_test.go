package repocheck

import (
	"fmt"
	"strings"
	"testing"
)

// trustPage says of each thing that searches have to do which test shows it.
const trustPage = "docs/conformance/trust.md"

// trustParts is how many parts the page has.
const trustParts = 9

// Every part of the page about searches has rows, each of which names a test, and the tests
// are there.
func TestTrustIsShown(t *testing.T) {
	files, err := readTree()
	if err != nil {
		t.Fatal(err)
	}
	page := ""
	for _, f := range files {
		if f.Path == trustPage {
			page = f.Text
		}
	}
	_, wrong := checkProgramsPage(page, testsOf(files))
	for _, w := range append(wrong, withoutPart(page)...) {
		t.Errorf("%s: %s", trustPage, w)
	}
	if lost := withoutPart(strings.ReplaceAll(page, "\n## 6. ", "\n## ")); len(lost) != 1 || lost[0] != "no rows for 6" {
		t.Errorf("without its heading, 6 is %q", lost)
	}
}

// withoutPart are the parts that have no row.
func withoutPart(page string) (lost []string) {
	for n := range trustParts {
		_, part, _ := strings.Cut(page, fmt.Sprintf("\n## %d. ", n+1))
		part, _, _ = strings.Cut(part, "\n## ")
		if !strings.Contains(part, "|---|---|\n| ") {
			lost = append(lost, fmt.Sprintf("no rows for %d", n+1))
		}
	}
	return lost
}
