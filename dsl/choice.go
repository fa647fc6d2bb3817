package dsl

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/schema"
)

// choice is the branch of a conditional that stands between references. Which
// one it is must be known before anything runs, as everything is that refers to
// a declaration. It returns nil where it is not, and says so.
func (r Reader) choice(a *Attr, e hclsyntax.Expression) hclsyntax.Expression {
	chosen, others, open := r.chosen(e)
	if open != nil {
		rng := open.Condition.Range()
		*r.Diags = append(*r.Diags, &hcl.Diagnostic{
			Severity: hcl.DiagError, Summary: "Choice that is not known before the run", Subject: &rng,
			Detail: fmt.Sprintf("The attribute %q is decided before anything runs: its condition may refer to var, local, each and matrix, and must be true or false. What depends on the run is said with when.", a.Name),
		})
		return nil
	}
	for _, e := range others {
		r.wellFormed(a, e)
	}
	return chosen
}

// chosen follows conditionals to the branch that is taken, and lists those that
// are not. One whose condition is not known is open.
func (r Reader) chosen(e hclsyntax.Expression) (chosen hclsyntax.Expression, others []hclsyntax.Expression, open *hclsyntax.ConditionalExpr) {
	for {
		switch x := e.(type) {
		case *hclsyntax.ParenthesesExpr:
			e = x.Expression
		case *hclsyntax.ConditionalExpr:
			yes, known := r.decides(x.Condition)
			if !known {
				return nil, nil, x
			}
			other := x.TrueResult
			if e = x.FalseResult; yes {
				e, other = x.TrueResult, x.FalseResult
			}
			others = append(others, other)
		default:
			return e, others, nil
		}
	}
}

// decides evaluates a condition over what is known of the file.
func (r Reader) decides(e hclsyntax.Expression) (yes, known bool) {
	v, diags := Evaluate(e, r.Ctx)
	if diags.HasErrors() || v.IsNull() || !v.IsKnown() {
		return false, false
	}
	v, _ = v.Unmark()
	if v.Type() != cty.Bool {
		return false, false
	}
	return v.True(), true
}

// wellFormed complains about a branch that is not taken and could never be.
func (r Reader) wellFormed(a *Attr, e hclsyntax.Expression) {
	list := []hclsyntax.Expression{e}
	if tuple, ok := e.(*hclsyntax.TupleConsExpr); ok && a.Schema.Type == schema.Refs {
		list = tuple.Exprs
	}
	for _, e := range list {
		switch e.(type) {
		case *hclsyntax.ConditionalExpr, *hclsyntax.ParenthesesExpr:
		default:
			if !isNullLiteral(e) {
				r.reference(a, e)
			}
		}
	}
}
