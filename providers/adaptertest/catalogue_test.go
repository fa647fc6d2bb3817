package adaptertest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/catalog"
)

// unrecorded are the kinds of which no recorded traffic is to be had, so that a
// dialect could be held against nothing.
var unrecorded = []string{"ollama"}

// Shows that every language model of the catalogue is tried with every fault,
// by each of its interfaces, has tests of the bytes that it sends and reads, and
// is known in recorded traffic.
func TestEveryModelIsTried(t *testing.T) {
	for _, k := range catalog.Kinds() {
		if k.Family != "llm" {
			continue
		}
		for _, missing := range untried(k, "..") {
			t.Errorf("%s: %s", k.Name, missing)
		}
	}
	for _, name := range unrecorded {
		if _, err := os.Stat(fmt.Sprintf("dialect_%s_test.go", name)); err == nil {
			t.Errorf("%s has a dialect: take it off the list of those that have none", name)
		}
	}
}

// untried lists what a kind of provider lacks.
func untried(k *catalog.Kind, root string) (missing []string) {
	speakers := []providers.Adapter{k.Adapter}
	for _, a := range k.APIs {
		speakers = append(speakers, a)
	}
	recorded := !slices.Contains(unrecorded, k.Name)
	for _, a := range speakers {
		if !slices.ContainsFunc(modelInterfaces, func(m modelInterface) bool { return m.adapter == a }) {
			missing = append(missing, fmt.Sprintf("TestFaults has no line for %T", a))
		}
		if recorded && !slices.ContainsFunc(dialects, func(d *dialect) bool { return d.adapter == a }) {
			missing = append(missing, fmt.Sprintf("no dialect has the adapter %T", a))
		}
	}
	files := []string{
		filepath.Join(root, k.Name, "request_test.go"),
		filepath.Join(root, k.Name, "render_test.go"),
		filepath.Join(root, k.Name, "parse_test.go"),
	}
	if recorded {
		files = append(files, fmt.Sprintf("dialect_%s_test.go", k.Name))
	}
	for _, f := range files {
		if _, err := os.Stat(f); err != nil {
			missing = append(missing, fmt.Sprintf("there is no %s", filepath.ToSlash(f)))
		}
	}
	return missing
}

// A new kind that has nothing yet is told all that it lacks.
func TestAnUntriedModelIsFound(t *testing.T) {
	got := untried(&catalog.Kind{Name: "new", Family: "llm", Adapter: hearing{}}, "..")
	want := []string{
		"TestFaults has no line for adaptertest_test.hearing",
		"no dialect has the adapter adaptertest_test.hearing",
		"there is no ../new/request_test.go",
		"there is no ../new/render_test.go",
		"there is no ../new/parse_test.go",
		"there is no dialect_new_test.go",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
