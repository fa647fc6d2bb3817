package vacuous

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// Expected refuses empty objects in the value of an attribute of an expect block:
// objects are compared as far as they are given, so {} is equal to any.
func Expected(a *dsl.Attr) (diags hcl.Diagnostics) {
	var visit func(e hclsyntax.Expression)
	visit = func(e hclsyntax.Expression) {
		switch e := e.(type) {
		case *hclsyntax.ParenthesesExpr:
			visit(e.Expression)
		case *hclsyntax.TupleConsExpr:
			for _, x := range e.Exprs {
				visit(x)
			}
		case *hclsyntax.ObjectConsExpr:
			for _, item := range e.Items {
				visit(item.ValueExpr)
			}
			if len(e.Items) == 0 {
				diags = append(diags, &hcl.Diagnostic{
					Severity: hcl.DiagError, Summary: "Expectation of any object", Subject: e.SrcRange.Ptr(),
					Detail: fmt.Sprintf("An object is compared as far as it is given, so {} in %q is equal to any object. Give the attributes that it must have. That it is empty says an assert block, such as condition = length(keys(step.NAME.%s)) == 0.", a.Name, a.Name),
				})
			}
		}
	}
	visit(a.Expr)
	return diags
}
