package repocheck

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// unlinked are the pages that a text does not link to, by their names.
func unlinked(text string, pages []string) []string {
	var list []string
	for _, page := range pages {
		if !strings.Contains(text, "]("+page+")") {
			list = append(list, page)
		}
	}
	return list
}

// Every page of the documentation is linked from its first one, so that readers
// find what was added, and those of providers from that of the language.
func TestEveryPageIsLinked(t *testing.T) {
	root, err := findRoot()
	if err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(paths) < 20 {
		t.Fatalf("%d pages, %v", len(paths), err)
	}
	var pages []string
	for _, p := range paths {
		if name := filepath.Base(p); name != "README.md" {
			pages = append(pages, name)
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range unlinked(string(text), pages) {
		t.Errorf("docs/README.md does not link to %s", page)
	}
	language, err := os.ReadFile(filepath.Join(root, "docs", "language.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range unlinked(string(language), pages) {
		if strings.HasPrefix(page, "provider-") {
			t.Errorf("docs/language.md does not link to %s, in its sentence on providers", page)
		}
	}
	if got := unlinked("see [a](a.md)", []string{"a.md", "b.md"}); len(got) != 1 || got[0] != "b.md" {
		t.Errorf("planted: %q", got)
	}
}
