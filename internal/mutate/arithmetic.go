package mutate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// otherSign is the operator that stands in the place of one of arithmetic, "" for any other operator.
func otherSign(sign string) string {
	switch sign {
	case "+":
		return "-"
	case "-":
		return "+"
	case "*":
		return "/"
	case "/", "%":
		return "*"
	}
	return ""
}

// A change puts a text in the place of a part of a file.
type change struct {
	what     string
	from, to int
	with     string
}

// twinsMax is how long an operation is at most that is looked for a second time in its attribute.
const twinsMax = 200

// arithmetic changes what is computed: another operator, an operand of + or * that is left out, and a percentage
// that is taken for an amount. What is left out is still evaluated, so that a step waits for the same steps.
//
// An operation on elements of a list often stands twice in an expression, as in q.price + q.tax ==
// min([for x in quotes : x.price + x.tax]...). One of the two alone hardly ever makes sense, so both are changed
// as well.
func arithmetic(s *site) []edit {
	var list []edit
	for _, a := range s.Attrs {
		vars := forVariables(a.Expr)
		var order []string
		twins := map[string][]*hclsyntax.BinaryOpExpr{}
		_ = hclsyntax.VisitAll(a.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
			x, ok := n.(*hclsyntax.BinaryOpExpr)
			if !ok || otherSign(s.sign(x)) == "" {
				return nil
			}
			for _, c := range s.otherResults(x) {
				list = append(list, s.changed(a, x.Range(), c.what, c))
			}
			if shape, of := s.shape(x, vars); of {
				if twins[shape] == nil {
					order = append(order, shape)
				}
				twins[shape] = append(twins[shape], x)
			}
			return nil
		})
		for _, shape := range order {
			list = append(list, s.alike(a, twins[shape])...)
		}
	}
	return append(list, s.signs(hclsyntax.OpNegate)...)
}

// changed is an edit of an attribute that changes several parts, in the order in which they stand.
func (s *site) changed(a *dsl.Attr, rng hcl.Range, what string, changes ...change) edit {
	text := s.src
	for _, c := range slices.Backward(changes) {
		text = spliced(text, c.from, c.to, c.with)
	}
	return s.part(a, rng, what, text)
}

// otherResults are the changes of one operation.
func (s *site) otherResults(x *hclsyntax.BinaryOpExpr) []change {
	sign := s.sign(x)
	from, to := x.LHS.Range().End.Byte, x.RHS.Range().Start.Byte
	var list []change
	leave := func(e hclsyntax.Expression) {
		with := "0 * (" + s.source(e.Range()) + ")"
		if sign == "*" {
			with = "(1 + " + with + ")"
		}
		list = append(list, change{
			what: fmt.Sprintf("%s left out of %s", s.brief(e.Range()), s.brief(x.Range())),
			from: e.Range().Start.Byte, to: e.Range().End.Byte, with: with,
		})
	}
	if sign == "+" || sign == "*" {
		left, chain := x.LHS.(*hclsyntax.BinaryOpExpr)
		if !chain || s.sign(left) != sign { // its own operands are left out one after the other
			leave(x.LHS)
		}
		leave(x.RHS)
	}
	list = append(list, change{
		what: fmt.Sprintf("%s → %s %s", s.brief(x.Range()), otherSign(sign), s.brief(x.RHS.Range())),
		from: from, to: to, with: strings.Replace(string(s.src[from:to]), sign, otherSign(sign), 1),
	})
	if value, sign, share := s.percentage(x); value != nil {
		with := fmt.Sprintf("((%s) %s (%s))", s.source(value.Range()), sign, s.source(share.Range()))
		share := s.brief(share.Range())
		factor := "(100 " + sign + " " + share + ") / 100"
		if s.sign(x) == "*" {
			factor = "(1 " + sign + " " + share + " / 100)"
		}
		list = append(list, change{
			what: fmt.Sprintf("… * %s → … %s %s", factor, sign, share),
			from: x.Range().Start.Byte, to: x.Range().End.Byte, with: withLines(with, s.source(x.Range())),
		})
	}
	return list
}

// percentage is what a percentage is taken off or put on, as in value * (100 - share) / 100 and in
// value * (1 - share / 100), and which of the two is done. The value is nil for any other operation.
func (s *site) percentage(x *hclsyntax.BinaryOpExpr) (value hclsyntax.Expression, sign string, share hclsyntax.Expression) {
	whole, product := "1", x
	if s.sign(x) == "/" && s.source(x.RHS.Range()) == "100" {
		whole = "100"
		product, _ = dsl.Bare(x.LHS).(*hclsyntax.BinaryOpExpr)
	}
	if product == nil || s.sign(product) != "*" {
		return nil, "", nil
	}
	for _, sides := range [][2]hclsyntax.Expression{{product.LHS, product.RHS}, {product.RHS, product.LHS}} {
		rest, ok := dsl.Bare(sides[1]).(*hclsyntax.BinaryOpExpr)
		if !ok || s.sign(rest) != "-" && s.sign(rest) != "+" || s.source(rest.LHS.Range()) != whole {
			continue
		}
		share := rest.RHS
		if whole == "1" { // a share of one is never taken for an amount
			part, ok := dsl.Bare(share).(*hclsyntax.BinaryOpExpr)
			if !ok || s.sign(part) != "/" || s.source(part.RHS.Range()) != "100" {
				continue
			}
			share = part.LHS
		}
		if v, written := dsl.Literal(share); !written || v.Type() != cty.Number {
			return sides[0], s.sign(rest), share
		}
	}
	return nil, "", nil
}

// alike changes operations that are the same but for the names of elements, all in the same way.
func (s *site) alike(a *dsl.Attr, twins []*hclsyntax.BinaryOpExpr) []edit {
	if len(twins) < 2 {
		return nil
	}
	changes := make([][]change, len(twins))
	for i, x := range twins {
		changes[i] = s.otherResults(x)
	}
	var list []edit
	for k := range changes[0] {
		all := make([]change, len(twins))
		for i := range twins {
			all[i] = changes[i][k]
		}
		slices.SortFunc(all, func(a, b change) int { return a.from - b.from })
		list = append(list, s.changed(a, twins[0].Range(), fmt.Sprintf("%s, %d times", changes[0][k].what, len(twins)), all...))
	}
	return list
}

// forVariables are the names that the for expressions of an expression give to elements, each with the text of what
// these are elements of.
func forVariables(e hclsyntax.Expression) map[string]*hclsyntax.ForExpr {
	vars := map[string]*hclsyntax.ForExpr{}
	_ = hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		if x, ok := n.(*hclsyntax.ForExpr); ok && vars[x.ValVar] == nil {
			vars[x.ValVar] = x
		}
		return nil
	})
	return vars
}

// shape is the text of an operation with one name in the place of those of elements. It is none of an operation
// without any, and of a long one.
func (s *site) shape(x *hclsyntax.BinaryOpExpr, vars map[string]*hclsyntax.ForExpr) (text string, ok bool) {
	if rng := x.Range(); len(vars) == 0 || rng.End.Byte-rng.Start.Byte > twinsMax {
		return "", false
	}
	var roots []hcl.Range
	for _, t := range x.Variables() {
		if vars[t.RootName()] != nil {
			roots = append(roots, t[0].SourceRange())
		}
	}
	slices.SortFunc(roots, func(a, b hcl.Range) int { return a.Start.Byte - b.Start.Byte })
	var b strings.Builder
	at := x.Range().Start.Byte
	for _, r := range roots {
		b.Write(s.src[at:r.Start.Byte])
		b.WriteString("_")
		at = r.End.Byte
	}
	b.Write(s.src[at:x.Range().End.Byte])
	return strings.Join(strings.Fields(b.String()), " "), len(roots) > 0
}
