package repocheck

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// A word is a text that does not belong in the tree, with the reason. Patterns
// are put together from parts, so that this file does not match itself.
type word struct {
	Pattern *regexp.Regexp
	Why     string
	// In tells the files it is looked for in; nil means all.
	In func(*file) bool
}

func product(f *file) bool { return f.AST != nil && !f.IsTest() }

// corpusIsNamed are the files that may name the recorded data that can lie
// beside a checkout; tests name it as the default of SCENARIO_CORPUS.
func corpusIsNamed(f *file) bool {
	return f.Path == "Makefile" || f.Path == ".ci/run" || f.IsTest()
}

var words = []word{
	{regexp.MustCompile(`(?i)\bsub` + `agent|helper ` + `session`), "the project speaks of itself alone", nil},
	{regexp.MustCompile(`(^|[^\w.)}-])/(ho` + `me|ro` + `ot|wo` + `rk|Us` + `ers)/`), "a path of one machine means nothing on another", nil},
	{regexp.MustCompile(`\.\./sha` + `red`), "what lies beside the repository is not part of it", func(f *file) bool { return !corpusIsNamed(f) }},
	{regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X|HA` + `CK)\b`), "write it, or open an issue", product},
}

// checkWords finds the lines that hold a word of the list.
func checkWords(f *file) []string {
	var found []string
	for _, w := range words {
		if w.In != nil && !w.In(f) || !w.Pattern.MatchString(f.Text) {
			continue
		}
		n := 0
		for line := range strings.Lines(f.Text) {
			n++
			if m := w.Pattern.FindString(line); m != "" {
				found = append(found, fmt.Sprintf("%s:%d: %q: %s", f.Path, n, strings.TrimSpace(m), w.Why))
			}
		}
	}
	return found
}

// Shows that no file speaks of what is not the project: other machines' paths,
// the tools it was made with, work left undone.
func TestWords(t *testing.T) {
	for _, f := range allFiles(t) {
		report(t, checkWords(f))
	}
}

// Shows that each word is found where it is not wanted, and that its harmless
// neighbours are not.
func TestWordsFindOffenders(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"maker", "docs/x.md", "written by a sub" + "agent", "speaks of itself"},
		{"home", "docs/x.md", "run /ho" + "me/me/bin/scenario", "path of one machine"},
		{"home in quotes", "a.go", `package a; const x = "/ro` + `ot/.cache"`, "path of one machine"},
		{"URL", "docs/x.md", "https://example.com/ho" + "me/", ""},
		{"variable", "docs/x.md", "${tmp}/wo" + "rk/x", ""},
		{"beside", "docs/x.md", "see ../sha" + "red/data", "beside the repository"},
		{"beside in CI", ".ci/run", "../sha" + "red/data/cassettes", ""},
		{"undone", "a.go", "package a // TO" + "DO: this", "write it"},
		{"undone in a test", "a_test.go", "package a // TO" + "DO: this", ""},
		{"todo as a word", "a.go", "package a // todos", ""},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, checkWords(source(t, c.file, c.text)), c.want) })
	}
}
