package mutate

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// sumOf is the for expression whose elements a call of sum adds, nil for any other expression.
func sumOf(e hclsyntax.Expression) *hclsyntax.ForExpr {
	call, ok := dsl.Bare(e).(*hclsyntax.FunctionCallExpr)
	if !ok || call.Name != "sum" || len(call.Args) != 1 || call.ExpandFinal {
		return nil
	}
	list, ok := dsl.Bare(call.Args[0]).(*hclsyntax.ForExpr)
	if !ok || list.KeyExpr != nil {
		return nil
	}
	return list
}

// around is a for expression with another element in the place of its own.
func (s *site) around(list *hclsyntax.ForExpr, element string) string {
	all, own := list.Range(), list.ValExpr.Range()
	return string(s.src[all.Start.Byte:own.Start.Byte]) + element + string(s.src[own.End.Byte:all.End.Byte])
}

// roundedSum rounds a sum in the place of what is added: floor(sum([for x in xs : x.a]) + 0.5) / 100 in the place of
// sum([for x in xs : floor(x.a + 0.5) / 100]). The number that is added before, and the one that is multiplied or
// divided by afterwards, stay outside of the sum.
func (s *site) roundedSum(a *dsl.Attr, sum *hclsyntax.FunctionCallExpr) []edit {
	list := sumOf(sum)
	if list == nil {
		return nil
	}
	rounded, scale := s.apart(list.ValExpr, "*", "/")
	call, ok := dsl.Bare(rounded).(*hclsyntax.FunctionCallExpr)
	if !ok || call.Name != "floor" && call.Name != "ceil" || len(call.Args) != 1 || call.ExpandFinal {
		return nil
	}
	added, shift := s.apart(call.Args[0], "+", "-")
	with := "(" + call.Name + "(sum(" + s.around(list, s.source(added.Range())) + ")" + shift + ")" + scale + ")"
	what := s.brief(call.Range()) + " of each → of the sum"
	return []edit{s.part(a, sum.Range(), what, replaced(s.src, sum.Range(), withLines(with, s.source(sum.Range()))))}
}

// apart is an expression without the number that one of two operators applies to it at its end, and the text of these.
func (s *site) apart(e hclsyntax.Expression, one, other string) (hclsyntax.Expression, string) {
	x, ok := dsl.Bare(e).(*hclsyntax.BinaryOpExpr)
	if !ok {
		return e, ""
	}
	sign := s.sign(x)
	v, written := dsl.Literal(x.RHS)
	if sign != one && sign != other || !written || v.IsNull() || v.Type() != cty.Number {
		return e, ""
	}
	return x.LHS, " " + sign + " " + s.source(x.RHS.Range())
}

// sign is an operator as it is written: "/" is another operation where the number after it may be 0.
func (s *site) sign(x *hclsyntax.BinaryOpExpr) string {
	return strings.TrimSpace(string(s.src[x.LHS.Range().End.Byte:x.RHS.Range().Start.Byte]))
}

// plainMean leaves out the weights of a mean: sum([for x in xs : x.a]) / length([for x in xs : x.w]) in the place of
// sum([for x in xs : x.a * x.w]) / sum([for x in xs : x.w]).
func (s *site) plainMean(a *dsl.Attr, x *hclsyntax.BinaryOpExpr) []edit {
	if s.sign(x) != "/" {
		return nil
	}
	values, weights := sumOf(x.LHS), sumOf(x.RHS)
	if values == nil || weights == nil || s.around(values, "") != s.around(weights, "") {
		return nil
	}
	product, ok := dsl.Bare(values.ValExpr).(*hclsyntax.BinaryOpExpr)
	if !ok || s.sign(product) != "*" {
		return nil
	}
	weight, value := s.source(weights.ValExpr.Range()), product.LHS
	switch weight {
	case s.source(product.RHS.Range()):
	case s.source(product.LHS.Range()):
		value = product.RHS
	default:
		return nil
	}
	with := "(sum(" + s.around(values, s.source(value.Range())) + ") / length(" + s.source(weights.Range()) + "))"
	what := "the weight " + brief(weight) + " left out of the mean"
	return []edit{s.part(a, x.Range(), what, replaced(s.src, x.Range(), withLines(with, s.source(x.Range()))))}
}
