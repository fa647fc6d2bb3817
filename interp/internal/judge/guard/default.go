package guard

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// WhyDefault says why a condition shows nothing that compares a value with itself.
const WhyDefault = "it holds because the file has no such member, so that the default stands for it, and that is the other side of the comparison: it shows nothing here.\nhint: check the name of the member, or leave the default out"

// IsItsDefault reports whether a condition compares a value with the default of a lookup, or
// of a try, that finds nothing, and both are written alike.
func IsItsDefault(e hclsyntax.Expression, ctx *hcl.EvalContext) bool {
	x, is := dsl.Bare(e).(*hclsyntax.BinaryOpExpr)
	if !is {
		return false
	}
	for _, sides := range [][2]hclsyntax.Expression{{x.LHS, x.RHS}, {x.RHS, x.LHS}} {
		f, is := dsl.Bare(sides[1]).(*hclsyntax.FunctionCallExpr)
		if is && len(f.Args) > 1 && observed(sides[0]) && alike(sides[0], f.Args[len(f.Args)-1]) && findsNothing(f, ctx) {
			return true
		}
	}
	return false
}

// findsNothing reports whether a call gives its default.
func findsNothing(f *hclsyntax.FunctionCallExpr, ctx *hcl.EvalContext) bool {
	switch {
	case f.ExpandFinal:
	case f.Name == "try" && len(f.Args) == 2:
		_, diags := dsl.Evaluate(f.Args[0], ctx)
		return diags.HasErrors()
	case f.Name == "lookup" && len(f.Args) == 3:
		of, ofDiags := dsl.Evaluate(f.Args[0], ctx)
		key, keyDiags := dsl.Evaluate(f.Args[1], ctx)
		of, _ = of.Unmark()
		key, _ = key.Unmark()
		if ofDiags.HasErrors() || keyDiags.HasErrors() || !of.IsKnown() || of.IsNull() || !key.IsKnown() || key.IsNull() || key.Type() != cty.String {
			return false
		}
		switch t := of.Type(); {
		case t.IsObjectType():
			return !t.HasAttribute(key.AsString())
		case t.IsMapType():
			return of.HasIndex(key).False()
		}
	}
	return false
}

// observed reports whether an expression reads more than what the file says: a default that
// the file says is compared with on purpose, as what there is none of.
func observed(e hclsyntax.Expression) bool {
	for t := range dsl.Variables(e) {
		if read.IsObserved(t.RootName()) {
			return true
		}
	}
	return false
}

func alike(a, b hclsyntax.Expression) bool {
	return bytes.Equal(dsl.AppendSource(nil, dsl.Bare(a)), dsl.AppendSource(nil, dsl.Bare(b)))
}
