package texts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
)

// isWhole is the name of a function that compares whole texts. No file can write it.
const isWhole = "is whole"

// comparing is a condition in which [isWhole] compares the elements of lists with texts of the
// file, and reports whether there are such comparisons: of what a message, a request or a line
// says, with several words.
func comparing(condition hclsyntax.Expression) (out hclsyntax.Expression, some bool) {
	list := map[hclsyntax.Expression]bool{}
	dsl.EachExpr(condition, func(e hclsyntax.Expression) {
		if x, is := e.(*hclsyntax.ForExpr); is {
			for _, part := range []hclsyntax.Expression{x.ValExpr, x.CondExpr} {
				dsl.EachExpr(part, func(e hclsyntax.Expression) {
					x, is := e.(*hclsyntax.BinaryOpExpr)
					if is && dsl.IsComparison(x.Op) && (saysWords(x.LHS) && isText(x.RHS) || saysWords(x.RHS) && isText(x.LHS)) {
						list[e] = true
					}
				})
			}
		}
	})
	if len(list) == 0 {
		return condition, false
	}
	return dsl.Replaced(condition, func(e hclsyntax.Expression) hclsyntax.Expression {
		if !list[e] {
			return nil
		}
		x, _ := e.(*hclsyntax.BinaryOpExpr)
		text, words := x.LHS, x.RHS
		if saysWords(text) {
			text, words = words, text
		}
		rng := x.Range()
		element, _ := dsl.Bare(text).(*hclsyntax.ScopeTraversalExpr)
		line := &hclsyntax.LiteralValueExpr{Val: cty.BoolVal(len(element.Traversal) == 1), SrcRange: rng}
		call := &hclsyntax.FunctionCallExpr{Name: isWhole, Args: []hclsyntax.Expression{text, words, line}, NameRange: rng, OpenParenRange: rng, CloseParenRange: rng}
		if dsl.IsEqual(x.Op) {
			return call
		}
		return &hclsyntax.UnaryOpExpr{Op: hclsyntax.OpLogicalNot, Val: call, SrcRange: rng, SymbolRange: rng}
	}), true
}

// saysWords reports whether an expression is a text of several words.
func saysWords(e hclsyntax.Expression) bool {
	v, written := dsl.Literal(dsl.Bare(e))
	return written && !v.IsNull() && v.Type() == cty.String && len(strings.Fields(v.AsString())) > 1
}

// isText reports whether an expression reads an element of a list, or what a part of a message or
// a request says.
func isText(e hclsyntax.Expression) bool {
	x, is := dsl.Bare(e).(*hclsyntax.ScopeTraversalExpr)
	if !is {
		return false
	}
	last, named := x.Traversal[len(x.Traversal)-1].(hcl.TraverseAttr)
	return len(x.Traversal) == 1 || named && slices.Contains([]string{"content", "text", "body", "prompt"}, last.Name)
}

// part is equality of two texts that is also that of the second with a part of the first. A message
// that begins with it may be that one with more behind it, which says that it is another; a line
// is not.
func part(first *Writing) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{anyParameter, anyParameter, anyParameter},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			text, _ := args[0].Unmark()
			words, _ := args[1].Unmark()
			if text.Type() == cty.String && !text.IsNull() && isPart(words.AsString(), text.AsString()) &&
				(args[2].True() || !strings.HasPrefix(text.AsString(), words.AsString())) {
				*first = cmp.Or(*first, whole)
				return cty.True, nil
			}
			return cty.BoolVal(text.RawEquals(words)), nil
		},
	})
}

var anyParameter = function.Parameter{Name: "value", Type: cty.DynamicPseudoType, AllowNull: true, AllowDynamicType: true, AllowMarked: true}
