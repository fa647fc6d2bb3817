package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/stdlib"
)

// The generated files are what the code generates now.
func TestFilesAreFresh(t *testing.T) {
	root := filepath.Join("..", "..")
	all := folders()
	llms, err := llmsPage(root)
	if err != nil {
		t.Fatal(err)
	}
	all["."] = []page{{"llms.txt", llms}}
	for dir, files := range all {
		for _, p := range files {
			have, err := os.ReadFile(filepath.Join(root, dir, p.name))
			if err != nil || string(have) != p.text {
				t.Errorf("%s/%s is stale: run go generate ./... and commit what it writes (%v)", dir, p.name, err)
			}
		}
	}
}

// The page for coding agents has all words of the language that a scenario of a
// workflow or a program needs, in three thousand words.
func TestAgentsPage(t *testing.T) {
	page := agentsPage()
	if n := len(strings.Fields(page)); n > 3000 {
		t.Errorf("it has %d words, of 3000 at most", n)
	}
	if strings.Contains(page, "{{") {
		t.Error("a list is not filled in")
	}
	words := strings.FieldsFunc(page, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	has := func(kind, word string) {
		if !slices.Contains(words, word) {
			t.Errorf("it does not have the %s %s", kind, word)
		}
	}
	for _, k := range faults.Kinds() {
		has("fault", k.Name)
	}
	for _, g := range interp.GateTable() {
		if !g.Driven {
			has("gate", g.Name)
		}
	}
	for _, k := range language.StepBlock().Kinds {
		if language.LaterKinds["step "+k.Kind] {
			continue
		}
		has("kind of step", k.Kind)
		for _, a := range k.Listed() {
			has("attribute of "+k.Kind, a.Name)
		}
	}
	for _, b := range language.File().Blocks {
		for _, k := range append(slices.Clone(b.Kinds), b) {
			for _, a := range k.Listed() {
				if slices.Contains(briefBlocks, b.Type) {
					has("attribute of "+b.Type, a.Name)
				}
			}
		}
	}
	for _, f := range slices.Concat(stdlib.List(), stdlib.Queries()) {
		has("function", f.Name)
	}
}

// The list for language models names every page of docs/ but the decisions, under an
// address that is there.
func TestLLMS(t *testing.T) {
	root := filepath.Join("..", "..")
	text, err := llmsPage(root)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(text, "# scenario\n\n> ") || !strings.Contains(text, "\n## Optional\n") {
		t.Errorf("it is not in the form of llmstxt.org:\n%s", text)
	}
	for _, l := range link().FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.Join(root, l[1])); err != nil {
			t.Error(err)
		}
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(pages) < 20 {
		t.Fatal(pages, err)
	}
	for _, p := range pages {
		if name := filepath.Base(p); name != "README.md" && !strings.Contains(text, "(docs/"+name) {
			t.Errorf("it does not name docs/%s: docs/README.md has to", name)
		}
	}
}

// Every kind of fault, function and event type has its place on a page.
func TestPagesAreWhole(t *testing.T) {
	all := ""
	for _, p := range pages() {
		all += p.text
	}
	for _, want := range []string{"## http_error", "`metric(name, labels)`", "## attempt_end", "`POLICY_BUDGET`", "› step \"llm\"", "Written `validate \"NAME\" { … }`.", "Written `step \"http\" \"NAME\" { … }`.", "`delays_ms`", "`unused_reply`"} {
		if !strings.Contains(all, want) {
			t.Errorf("no page has %s", want)
		}
	}
}
