package mutate

import (
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp"
)

// fitting reports whether a mutant that is red gives what the program expects there: every expression can be evaluated,
// and what its step gives and asks has the types that it has without the mutant. It makes both runs once more.
func fitting(x *reading, m *Mutant, o interp.RunOptions) bool {
	if slices.ContainsFunc(x.result.Problems, func(p interp.Problem) bool { return p.Kind == "gate" && p.Name == "broken_expression" }) {
		return false
	}
	step, is := strings.CutPrefix(m.Declaration, "step.")
	if !is {
		return true
	}
	step, _, _ = strings.Cut(step, " ")
	_, of := interp.RunObserved(x.plan, o)
	_, by := interp.RunObserved(x.mutant, o)
	for _, part := range []string{".output", ".attempts"} {
		a, diags := of.Value("step." + step + part)
		b, others := by.Value("step." + step + part)
		if !diags.HasErrors() && !others.HasErrors() && !alikeInKind(a, b, 0) {
			return false
		}
	}
	return true
}

// kindsMax is how deep the types of two values are compared.
const kindsMax = 10

// alikeInKind reports whether two values are lists, objects, texts, numbers or flags alike, with all in them that both
// have. Nothing is like everything.
func alikeInKind(a, b cty.Value, depth int) bool {
	switch {
	case depth > kindsMax || !a.IsKnown() || !b.IsKnown() || a.IsNull() || b.IsNull():
		return true
	case isList(a) && isList(b):
		n := min(a.LengthInt(), b.LengthInt())
		list, others := a.AsValueSlice(), b.AsValueSlice()
		for i := range n {
			if !alikeInKind(list[i], others[i], depth+1) {
				return false
			}
		}
		return true
	case a.Type().IsObjectType() && b.Type().IsObjectType():
		for name := range a.Type().AttributeTypes() {
			if b.Type().HasAttribute(name) && !alikeInKind(a.GetAttr(name), b.GetAttr(name), depth+1) {
				return false
			}
		}
		return true
	}
	return a.Type().Equals(b.Type())
}
