package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The pages in docs/ are what the code generates now.
func TestPagesAreFresh(t *testing.T) {
	for _, p := range pages() {
		have, err := os.ReadFile(filepath.Join("..", "..", "docs", p.name))
		if err != nil || string(have) != p.text {
			t.Errorf("docs/%s is stale: run go generate ./... and commit what it writes (%v)", p.name, err)
		}
	}
}

// The generated files of the standard library are what the code generates now.
func TestLibraryIsFresh(t *testing.T) {
	for _, p := range libraryFiles() {
		have, err := os.ReadFile(filepath.Join("..", "..", "stdlib", p.name))
		if err != nil || string(have) != p.text {
			t.Errorf("stdlib/%s is stale: run go generate ./... and commit what it writes (%v)", p.name, err)
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
