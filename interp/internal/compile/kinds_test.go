package compile

import (
	"slices"
	"testing"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Every kind of step that a file can write, and every one that stands for
// something else, is known to the plan and has a row here.
func TestEveryKindIsCompiled(t *testing.T) {
	written := []plan.Kind{plan.KindSub, plan.KindCall}
	for _, b := range language.StepBlock().Kinds {
		written = append(written, plan.Kind(b.Kind))
	}
	all := plan.StepKinds()
	for _, k := range written {
		if !slices.Contains(all, k) {
			t.Errorf("kind %q is in the language and not in plan.StepKinds", k)
		}
	}
	for _, k := range all {
		if !slices.Contains(written, k) {
			t.Errorf("kind %q is in plan.StepKinds and not in the language", k)
		}
		if kinds[k] == nil {
			t.Errorf("kind %q has no row in compile/kinds.go", k)
		}
	}
	if len(kinds) != len(all) {
		t.Errorf("compile/kinds.go has %d rows for %d kinds", len(kinds), len(all))
	}
}

// The reference tells every attribute of the result of every kind of step.
func TestEveryAttributeIsInTheReference(t *testing.T) {
	listed := map[string]bool{}
	for _, r := range observe.Results() {
		for _, a := range r.Attrs {
			listed[a.Name] = true
		}
	}
	for _, k := range plan.StepKinds() {
		for _, f := range observe.FieldsOf(k) {
			if !listed[f.Name] {
				t.Errorf("%q of a step of kind %q is in no section of Results, in observe/readable.go", f.Name, k)
			}
		}
	}
}
