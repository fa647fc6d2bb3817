package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp"
)

// The page of a large suite has further pages beside it, which a smaller run
// removes, and a directory of something else is left alone.
func TestReportOfALargeSuiteHasPages(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs thousands of scenarios twice")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "many.scenario.hcl")
	text := `workflow "w" {
  step "http" "get" {
    provider = provider.api
    path     = "/"
  }
}
provider "http" "api" { base_url = "http://api.test" }
scenario "one" {
  for_each = flatten([for i in range(52) : [for j in range(100) : "n${100 * i + j}"]])
  run      = workflow.w
  on "get" {
    reply { body = each.key }
  }
  expect "get" { body = each.key }
}
`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	page, pages := filepath.Join(dir, "out", "r.html"), filepath.Join(dir, "out", "r.pages")
	run := func(want int, args ...string) string {
		t.Helper()
		a, end := surroundings(func(p *interp.Plan) *interp.Result { return interp.Run(p, interp.RunOptions{}) })
		ended := end(execute(a, append([]string{"test", "--no-cache", file, "--report", "html=" + page}, args...)))
		if ended.code != 0 {
			t.Fatalf("exit %d\n%s%s", ended.code, ended.stdout, ended.stderr)
		}
		entries, _ := os.ReadDir(pages)
		if len(entries) != want {
			t.Errorf("%q: %d pages, want %d", args, len(entries), want)
		}
		if beside, _ := os.ReadDir(filepath.Dir(page)); len(beside) > 2 {
			t.Errorf("%q: something is left beside the report: %v", args, beside)
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}

	if first := run(11); !strings.Contains(first, `href="r.pages/11.html#s5001"`) || strings.Contains(first, "<svg class") {
		t.Error("the first file is no index of its pages")
	}
	if first := run(0, "--run", "n4242\\b"); !strings.Contains(first, "<figure>") {
		t.Error("one scenario is not shown on one page")
	}
	if err := os.MkdirAll(pages, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(pages, "notes.txt"), []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if first := run(1); strings.Count(first, "<figure>") != 5200 {
		t.Error("beside a directory of something else the report is not one page")
	}
}
