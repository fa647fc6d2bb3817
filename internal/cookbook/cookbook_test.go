package cookbook

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/scenario-lang/scenario"
	"github.com/scenario-lang/scenario/internal/pages"
)

const (
	root   = "../.."
	folder = "scenarios/cookbook"
	suffix = ".scenario.hcl"
)

// Each recipe passes as it is, is short, and says in its head what the problem is,
// what is checked and what goes wrong without the policy.
func TestRecipes(t *testing.T) {
	for _, name := range recipes(t) {
		text := read(t, name)
		if n := strings.Count(text, "\n"); n > 60 {
			t.Errorf("%s has %d lines, of 60 at most", name, n)
		}
		head, _, _ := strings.Cut(text, "\n\n")
		for _, word := range []string{"# Problem: ", "\n# Checked: ", "\n# With"} {
			if !strings.Contains(head, word) {
				t.Errorf("the head of %s has no %q", name, word)
			}
		}
		if red := problems(t, name, text); len(red) > 0 {
			t.Errorf("%s: %v", name, red)
		}
	}
}

// Every recipe is red without its policy, where its wrong version says.
func TestRecipesWithoutTheirPolicy(t *testing.T) {
	shown := map[string]bool{}
	for _, w := range wrongs(t) {
		shown[w.recipe] = true
		text, err := pages.Patch(read(t, w.recipe), w.diff)
		if err != nil {
			t.Errorf("%s: %v", w, err)
			continue
		}
		if red := problems(t, w.recipe, text); !slices.Contains(red, w.red) {
			t.Errorf("%s: %s should be red, and is not: %v", w, w.red, red)
		}
	}
	for _, name := range recipes(t) {
		if !shown[name] {
			t.Errorf("testdata/wrong.txtar has no version of %s without its policy", name)
		}
	}
}

// The page has every recipe, with the lines that matter: at most three, and one of
// its wrong versions changes nothing else.
func TestIndex(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "cookbook.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := pages.Blocks(string(page))
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]string{}
	for _, b := range blocks {
		if name, ok := strings.CutPrefix(b.Argument, folder+"/"); ok && b.Directive == "part" {
			lines[strings.TrimSuffix(name, suffix)] = b.Text
		}
	}
	for _, name := range recipes(t) {
		text, ok := lines[name]
		if !ok {
			t.Errorf("docs/cookbook.md shows no lines of %s", name)
			continue
		}
		if n := strings.Count(text, "\n"); n > 3 {
			t.Errorf("docs/cookbook.md shows %d lines of %s, of 3 at most", n, name)
		}
		if !strings.Contains(string(page), "](../"+folder+"/"+name+suffix+")") {
			t.Errorf("docs/cookbook.md has no link to %s", name)
		}
		if !slices.ContainsFunc(wrongs(t), func(w wrong) bool { return w.recipe == name && w.within(text) }) {
			t.Errorf("the lines of %s in docs/cookbook.md are not the ones that a wrong version changes:\n%s", name, text)
		}
	}
}

// wrong is a recipe without its policy.
type wrong struct{ recipe, what, red, diff string }

func (w wrong) String() string { return w.recipe + ": " + w.what }

// within reports whether all that the version takes away is among some lines.
func (w wrong) within(lines string) bool {
	for line := range strings.Lines(w.diff) {
		if gone, ok := strings.CutPrefix(line, "-"); ok && !strings.Contains("\n"+lines, "\n"+gone) {
			return false
		}
	}
	return true
}

// wrongs reads testdata/wrong.txtar.
func wrongs(t *testing.T) []wrong {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "wrong.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var all []wrong
	for _, f := range archive.Files {
		recipe, what, named := strings.Cut(f.Name, ": ")
		first, diff, _ := strings.Cut(string(f.Data), "\n")
		red, ok := strings.CutPrefix(first, "red ")
		if !named || !ok {
			t.Fatalf("%s: a section is \"RECIPE: WHAT\", and its first line \"red KIND NAME\"", f.Name)
		}
		all = append(all, wrong{recipe, what, red, diff})
	}
	return all
}

// recipes are the names of all of them, without their suffix.
func recipes(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, folder, "*"+suffix))
	if err != nil || len(files) < 24 {
		t.Fatal(files, err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(filepath.Base(f), suffix)
	}
	return files
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, folder, name+suffix))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// problems runs a version of a recipe and returns what is red in it, each as a kind
// and a quoted name.
func problems(t *testing.T, name, text string) []string {
	t.Helper()
	file := path.Join(folder, name+suffix)
	suite, err := scenario.Load(os.DirFS(root), file, scenario.File(file, text))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return nil
	}
	var red []string
	for _, s := range suite.Scenarios() {
		for _, p := range s.Run(t.Context()).Problems() {
			red = append(red, p.Kind+" \""+p.Name+"\"")
		}
	}
	return red
}
