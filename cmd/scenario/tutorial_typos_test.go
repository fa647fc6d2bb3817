package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/pages"
)

// tutorialFiles are the scenario files of the tutorial about programs.
func tutorialFiles(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(repository, "docs", "tutorial-programs.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := pages.Blocks(string(page))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, b := range blocks {
		if b.Directive == "file" && strings.HasSuffix(b.Argument, ".hcl") {
			files[filepath.Base(b.Argument)] = b.Text
		}
	}
	if len(files) != 5 {
		t.Fatalf("there are %d scenario files, want those of four chapters and one with a mistake", len(files))
	}
	return files
}

// freely are the strings of those files that may be anything: names that the author
// chooses, what a service says, where it is.
var freely = regexp.MustCompile(`half an answer is no answer|the whole answer|gives up in time|one request|an outage of two kinds|waits as long as it is told|the shop is asked for its items|an answer that is lost charges nobody twice|the charge is printed|to the question|Why is the sky blue|the order is what is paid for|it asks for the items|A-17|` +
	`Rayleigh|scattering\.|Retry-After|https://shop\.example|SHOP_URL|https://payments\.example|PAYMENTS_URL|ch_1|/itmes`)

// freeKeys are members of a request or an answer, which may be called anything.
var freeKeys = map[string]bool{"items": true, "order": true, "cents": true}

// Each line of the tutorial's scenario files is mistyped: two letters swapped in each
// word, a quote, a brace or an equals sign left out. The message names the line, and for
// a word the one that was meant.
func TestTutorialMistyped(t *testing.T) {
	word := regexp.MustCompile(`[A-Za-z_]{3,}`)
	tried := 0
	for name, text := range tutorialFiles(t) {
		lines := strings.SplitAfter(text, "\n")
		offset := 0
		for i, line := range lines {
			free := freely.FindAllStringIndex(line, -1)
			isFree := func(at int) bool {
				for _, f := range free {
					if f[0] <= at && at < f[1] {
						return true
					}
				}
				return false
			}
			for _, w := range word.FindAllStringIndex(line, -1) {
				was := line[w[0]:w[1]]
				is := was[:1] + was[2:3] + was[1:2] + was[3:]
				if is == was || isFree(w[0]) || freeKeys[was] {
					continue
				}
				tried++
				got := validating(t, name, text[:offset+w[0]]+is+text[offset+w[1]:])
				declared := strings.Contains(got.stderr, fmt.Sprintf("Did you mean %q?", is)) // it is told of where it is used
				said := strings.Contains(got.stderr, fmt.Sprintf("line %d", i+1)) && strings.Contains(got.stderr, was)
				if got.code != 3 || !said && !declared {
					t.Errorf("%s:%d: %q for %q: exit code %d\n%s", name, i+1, is, was, got.code, got.stderr)
				}
			}
			for at, c := range line {
				if !strings.ContainsRune(`"{}[]()=`, c) || isFree(at) {
					continue
				}
				tried++
				got := validating(t, name, text[:offset+at]+text[offset+at+1:])
				if got.code != 3 || !strings.Contains(got.stderr, "on "+name+" line ") {
					t.Errorf("%s:%d: without %q at %d: exit code %d\n%s", name, i+1, c, at, got.code, got.stderr)
				}
			}
			offset += len(line)
		}
	}
	t.Logf("%d mistakes", tried)
}

// validating is what `scenario validate` says of a file.
func validating(t *testing.T, name, text string) played {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	a, end := surroundings(passed)
	return end(execute(a, []string{"validate", name}))
}
