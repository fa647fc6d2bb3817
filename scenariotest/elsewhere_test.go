package scenariotest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/scenariotest"
)

// Not a test of its own: it is in a package whose file lies in a directory beside it.
func TestElsewhereIn(t *testing.T) {
	dir := os.Getenv("ELSEWHERE")
	if dir == "" {
		t.Skip("TestElsewhere runs this")
	}
	t.Chdir(filepath.Join(dir, "app"))
	file := filepath.Join("..", "dir", os.Getenv("ELSEWHERE_FILE"))
	if os.Getenv("ELSEWHERE_FIND") == "" {
		scenariotest.Run(t, file, reads)
		return
	}
	scenariotest.Explore(t, file, explored(client{hasty: true}), scenariotest.Update())
}

// Shows that a file in a directory beside that of the test is run, that what is wrong with
// one is shown with its line, and that finds of one are written where they can import it,
// are named so, and are run at the next start: whatever marks the root of a suite, and
// where.
func TestElsewhere(t *testing.T) {
	const right = "provider \"http\" \"web\" { base_url = \"http://web.test\" }\n\nscenario \"s\" {\n  on \"web\" {\n    reply {}\n  }\n}\n"
	example, err := os.ReadFile("testdata/explored.scenario.hcl")
	if err != nil {
		t.Fatal(err)
	}
	for name, marks := range map[string][]string{
		"no mark":             nil,
		"the package":         {"app/go.mod"},
		"the file":            {"dir/go.mod"},
		"both, each its own":  {"app/go.mod", "dir/go.mod"},
		"both":                {"go.mod"},
		"both, and their own": {"go.mod", "app/go.mod"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write := func(name, text string) {
				path := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			write("app/a.txt", "")
			for _, mark := range marks {
				write(mark, "module m\n")
			}
			write("dir/right.scenario.hcl", right)
			write("dir/wrong.scenario.hcl", strings.Replace(right, "reply {}", "reply { stauts_code = 200 }", 1))
			write("dir/explored.scenario.hcl", string(example))
			for _, c := range []struct {
				file, find string
				says       []string
			}{
				{"right.scenario.hcl", "", nil},
				{"wrong.scenario.hcl", "", []string{"reply { stauts_code = 200 }", `Did you mean "status_code"?`}},
				{"explored.scenario.hcl", "1", []string{"testdata/explore/TestElsewhereIn/a-program-asks-again-no-sooner"}},
				{"explored.scenario.hcl", "1", []string{"--- FAIL: TestElsewhereIn/a-program-asks-again-no-sooner", "elsewhere_test.go:24: invariant a program asks again no sooner"}},
			} {
				text, failed := output(t, "TestElsewhereIn", "ELSEWHERE="+dir, "ELSEWHERE_FILE="+c.file, "ELSEWHERE_FIND="+c.find)
				if failed != (c.says != nil) {
					t.Errorf("%s: failed = %t", c.file, failed)
				}
				for _, want := range c.says {
					if !strings.Contains(text, want) {
						t.Errorf("%s: nothing says %q", c.file, want)
					}
				}
				if strings.Contains(text, "not written") {
					t.Errorf("%s: a find is not written", c.file)
				}
				if t.Failed() {
					t.Fatal(text)
				}
			}
		})
	}
}
