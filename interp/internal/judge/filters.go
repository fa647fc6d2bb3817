package judge

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/unknown"
)

// filtered is the function through which the filters of a condition that is looked
// at get what they choose from. No file can write such a name.
const filtered = "what a filter chooses from"

// A none marks what was made of nothing, such as what a filter chose from an empty
// list, and says why it shows nothing, whatever it is compared with.
type none string

// throughFilters makes the filters of an expression that is a copy ask for what
// they choose from. What stands in each element of another list is not asked for:
// there may be something in the next one.
func throughFilters(e hclsyntax.Expression) {
	if x, ok := e.(*hclsyntax.ForExpr); ok {
		if x.CondExpr != nil {
			at := x.CollExpr.Range()
			x.CollExpr = &hclsyntax.FunctionCallExpr{Name: filtered, Args: []hclsyntax.Expression{x.CollExpr}, NameRange: at, OpenParenRange: at, CloseParenRange: at}
		}
		throughFilters(x.CollExpr)
		return
	}
	dsl.EachPart(e, throughFilters)
}

// choice marks a collection without an element.
func choice() function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{unknown.Parameter("list")},
		Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v := args[0]
			if bare, _ := v.Unmark(); bare.IsKnown() && !bare.IsNull() && bare.CanIterateElements() && bare.LengthInt() == 0 {
				return v.Mark(none(ofNothing)), nil
			}
			return v, nil
		},
	})
}
