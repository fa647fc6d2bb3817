package repocheck

import (
	"slices"
	"strings"
	"testing"
)

// scalePage says of each promise about queues and workers which test shows it, and
// scaleForUsers is the page that makes them.
const (
	scalePage     = "docs/conformance/scale.md"
	scaleForUsers = "docs/scale.md"
)

// Every test that the page of queues names is there, each row names one, and each row
// of the table of failures that users read has a row with the same words.
func TestEveryPromiseOfScaleIsNamed(t *testing.T) {
	files, err := readTree()
	if err != nil {
		t.Fatal(err)
	}
	page, users := "", ""
	for _, f := range files {
		switch f.Path {
		case scalePage:
			page = f.Text
		case scaleForUsers:
			users = f.Text
		}
	}
	rows, wrong := checkProgramsPage(page, testsOf(files))
	for _, w := range append(wrong, checkFailureRows(users, page)...) {
		t.Errorf("%s: %s", scalePage, w)
	}
	if rows < 30 {
		t.Errorf("%s has %d rows: it is cut", scalePage, rows)
	}
}

// Shows that a row which users read, and the other page has not, is found.
func TestEveryPromiseOfScaleFindsOffenders(t *testing.T) {
	const users = "## What happens when something fails\n\n| what | what you see |\n|---|---|\n| a worker is killed | its units |\n| the server restarts | nothing |\n\n## Next\n\n| another | table |\n|---|---|\n"
	const first, second = "| a worker is killed | `TestA` |\n", "| the server restarts | `TestB` |\n"
	for page, want := range map[string][]string{
		first + second: nil,
		first:          {`no row for "the server restarts"`},
		"":             {`no row for "a worker is killed"`, `no row for "the server restarts"`},
	} {
		if got := checkFailureRows(users, page); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", page, got, want)
		}
	}
	if got := checkFailureRows("# Another page\n", first); len(got) != 1 {
		t.Errorf("a page without the table: %q", got)
	}
}

// checkFailureRows lists the rows of the table of failures for users that a page has
// not.
func checkFailureRows(users, page string) (wrong []string) {
	_, table, _ := strings.Cut(users, "## What happens when something fails\n")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := 0
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| what |") {
			continue
		}
		rows++
		what, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		if !strings.Contains(page, "| "+what+" | ") {
			wrong = append(wrong, `no row for "`+what+`"`)
		}
	}
	if rows == 0 {
		wrong = append(wrong, "no table of failures was found in "+scaleForUsers)
	}
	return wrong
}
