package compile

import (
	"slices"
	"testing"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/schema"
)

// A policy of targets is in the language in one of two ways: as a block of the
// target, or as a declaration that the target names by an attribute of the same
// name. And what a target names or contains is a policy with a row in
// policy.Kinds, or it would have no effect.
func TestEveryPolicyIsInTheLanguage(t *testing.T) {
	target := language.File().Block("gateway").Block("target")
	var rows []string
	for _, k := range policy.Kinds() {
		rows = append(rows, k.Name)
		a := target.Attr(k.Name)
		switch inside := target.Block(k.Name) != nil; {
		case inside && a != nil:
			t.Errorf("policy %q is a block and an attribute of a target", k.Name)
		case inside:
		case a == nil:
			t.Errorf("policy %q has a row in interp/policy/kinds.go, and no block and no attribute of a target in dsl/language", k.Name)
		case a.Type != schema.Ref || !slices.Equal(a.Refs, []string{k.Name}) || language.File().Block(k.Name) == nil:
			t.Errorf("the attribute %q of a target does not refer to a block %q of the file", k.Name, k.Name)
		}
	}
	for _, a := range target.Attrs {
		if a.Type == schema.Ref && a.Name != "provider" && !slices.Contains(rows, a.Name) {
			t.Errorf("a target refers to a %s, which has no row in interp/policy/kinds.go", a.Name)
		}
	}
	for _, b := range target.Blocks {
		if !slices.Contains(rows, b.Type) {
			t.Errorf("a target contains a %s, which has no row in interp/policy/kinds.go", b.Type)
		}
	}
}
