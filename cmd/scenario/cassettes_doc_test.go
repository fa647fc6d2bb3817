package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The page about recordings is true: its cassette and its scenario, written to
// an empty folder, give what its commands print there, and the call that it
// says nothing answers is explained in its words.
func TestCassettesPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/cassettes.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := string(page)
	dir := t.TempDir()
	source := fenced(t, doc, "```hcl\n")
	for name, text := range map[string]string{
		"ask.yaml": fenced(t, doc, "```yaml\n"), "ask.scenario.hcl": source,
		"spain.scenario.hcl": strings.ReplaceAll(source, "France", "Spain"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}

	blocks := strings.Split(doc, "```console\n")[1:]
	for _, block := range blocks {
		block, _, _ = strings.Cut(block, "```")
		command, want, _ := strings.Cut(block, "\n")
		got, code := inDir(t, dir, strings.Fields(strings.TrimPrefix(command, "$ "))[1:]...)
		if diff := cmp.Diff(want, got); diff != "" || code != 0 {
			t.Errorf("%s: exit %d (-page +printed):\n%s", command, code, diff)
		}
	}
	if len(blocks) < 3 {
		t.Errorf("the page has %d commands", len(blocks))
	}

	got, code := inDir(t, dir, "test", "spain.scenario.hcl")
	miss := "      " + strings.ReplaceAll(strings.TrimSpace(fenced(t, doc, "```text\n")), "\n", "\n      ")
	if !strings.Contains(got, miss) || code != 1 {
		t.Errorf("exit %d, and the page's message is not in:\n%s", code, got)
	}
}
