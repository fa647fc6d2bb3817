package vacuous

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// Override warns of a block of an override all of which the overridden block says
// already, so that the scenario runs what the others run.
func Override(own, by *dsl.Block) (diags hcl.Diagnostics) {
	if len(by.Attrs) == 0 || slices.ContainsFunc(by.Blocks, func(n *dsl.Block) bool { return n.Type != "step" }) {
		return nil
	}
	for _, a := range by.Attrs {
		if !sameAlready(own, a) {
			return nil
		}
	}
	a := by.Attrs[0]
	return hcl.Diagnostics{{
		Severity: hcl.DiagWarning, Summary: "Override without effect", Subject: a.NameRange.Ptr(),
		Detail: fmt.Sprintf("%s %q has the same %s already, so the scenario runs what it would run without the override. Give it another value, or take it out.", own.Type, own.Name(), a.Name),
	}}
}

// sameAlready reports whether a block has an attribute as another gives it, or
// lacks one that is taken away.
func sameAlready(own *dsl.Block, a *dsl.Attr) bool {
	had := own.Attr(a.Name)
	if had == nil {
		v, literal := dsl.Literal(a.Expr)
		return literal && v.IsNull() && v.Type() == cty.DynamicPseudoType && slices.Contains([]string{"retry", "fallback"}, a.Name)
	}
	return bytes.Equal(dsl.AppendSource(nil, had.Expr), dsl.AppendSource(nil, a.Expr))
}
