package effects

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl/dotted"
	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/providers/catalog"
)

const (
	suite         = "../../scenarios"
	referencePage = "../../docs/reference-blocks.md"
)

// Shows that every kind of step, fault and provider is used in the scenarios
// that teach the language, and that the reference describes every kind of step.
func TestEveryKindHasAScenario(t *testing.T) {
	used := usedKinds(t)
	page, err := os.ReadFile(referencePage)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range language.File().Block("workflow").Block("step").Kinds {
		for _, missing := range withoutScenario(used, "step", k.Kind) {
			t.Error(missing)
		}
		if !strings.Contains(string(page), fmt.Sprintf("› step %q\n", k.Kind)) {
			t.Errorf("the reference has no entry for steps of kind %q: run go generate ./...", k.Kind)
		}
	}
	for _, k := range faults.Kinds() {
		for _, missing := range withoutScenario(used, "fault", k.Name) {
			t.Error(missing)
		}
	}
	for _, k := range catalog.Kinds() {
		for _, missing := range withoutScenario(used, "provider", k.Name) {
			t.Error(missing)
		}
	}
}

// A kind that no scenario uses is found, and one that is used is not.
func TestAnUnusedKindIsFound(t *testing.T) {
	used := usedKinds(t)
	if got := withoutScenario(used, "step", "teleport"); len(got) != 1 {
		t.Errorf("a kind that nobody uses: %q", got)
	}
	if got := withoutScenario(used, "step", "llm"); len(got) != 0 {
		t.Errorf("a kind that is used: %q", got)
	}
}

func withoutScenario(used map[string]bool, block, kind string) []string {
	if used[block+" "+kind] {
		return nil
	}
	return []string{fmt.Sprintf("no file of scenarios/ has a %s of kind %q: write the scenario that fails without it", block, kind)}
}

// usedKinds are the blocks of all scenarios by type and first label.
func usedKinds(t *testing.T) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	var visit func(body *hclsyntax.Body)
	visit = func(body *hclsyntax.Body) {
		for _, b := range body.Blocks {
			if len(b.Labels) > 0 {
				used[b.Type+" "+b.Labels[0]] = true
			}
			visit(b.Body)
		}
	}
	err := filepath.WalkDir(suite, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, worldSuffix) {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, diags := dotted.ParseConfig(src, path, hcl.InitialPos)
		if diags.HasErrors() {
			return diags
		}
		visit(file.Body.(*hclsyntax.Body))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return used
}
