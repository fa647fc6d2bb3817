package assured

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// The attributes that are when something begins, and when it ends.
var (
	begins = []string{"started_ms", "started_at_ms"}
	ends   = []string{"ended_ms", "ended_at_ms"}
)

const ofTouching = "both sides are the same instant: the one step begins when the other ends, as a step does that waits for it, so it does not show that the two overlap.\nhint: write < in the place of <=, or > in that of >="

// touches says of a part of a condition that one step begins no later than another one ends that it does so
// just then. "" where it begins earlier, and where the condition asks for that instant.
func (l *look) touches(parts []hclsyntax.Expression, i int) string {
	begin, end, within := overlap(parts[i])
	if !within {
		return ""
	}
	text := func(e hclsyntax.Expression) string { return string(dsl.AppendSource(nil, dsl.Bare(e))) }
	for n, part := range parts {
		x, is := dsl.Bare(part).(*hclsyntax.BinaryOpExpr)
		if n == i || !is {
			continue
		}
		left, right := text(x.LHS), text(x.RHS)
		both := left == text(begin) && right == text(end) || left == text(end) && right == text(begin)
		if _, _, same := overlap(part); both && !same {
			return "" // it says that the one comes after the other as well
		}
	}
	began, diags := dsl.Evaluate(begin, l.ctx)
	ended, more := dsl.Evaluate(end, l.ctx)
	if diags.HasErrors() || more.HasErrors() || began.Type() != cty.Number || began.IsNull() || !began.IsKnown() || !began.RawEquals(ended) {
		return ""
	}
	return ofTouching
}

// overlap are the sides of a comparison which says that something begins no later than something else ends.
func overlap(e hclsyntax.Expression) (begin, end hclsyntax.Expression, is bool) {
	e = dsl.Bare(e)
	least, most := hclsyntax.OpGreaterThanOrEqual, hclsyntax.OpLessThanOrEqual
	if not, is := e.(*hclsyntax.UnaryOpExpr); is && not.Op == hclsyntax.OpLogicalNot {
		e, least, most = dsl.Bare(not.Val), hclsyntax.OpLessThan, hclsyntax.OpGreaterThan
	}
	x, is := e.(*hclsyntax.BinaryOpExpr)
	if !is || x.Op != least && x.Op != most {
		return nil, nil, false
	}
	begin, end = x.LHS, x.RHS
	if x.Op == least {
		begin, end = end, begin
	}
	of, others := timesOf(begin, "max", begins), timesOf(end, "min", ends)
	return begin, end, len(of) > 0 && len(others) > 0 && !(len(of) == 1 && slices.Equal(of, others))
}

// timesOf are the steps of which an expression reads times of some names: it is one of those, or what a function
// chooses among several. nil where it reads anything else.
func timesOf(e hclsyntax.Expression, function string, names []string) (steps []string) {
	list := []hclsyntax.Expression{e}
	if f, is := dsl.Bare(e).(*hclsyntax.FunctionCallExpr); is && f.Name == function && !f.ExpandFinal {
		list = f.Args
	}
	for _, e := range list {
		x, is := dsl.Bare(e).(*hclsyntax.ScopeTraversalExpr)
		if !is || x.Traversal.RootName() != "step" {
			return nil
		}
		if attr, _ := last(e); !slices.Contains(names, attr) {
			return nil
		}
		name, _ := read.AttrName(x.Traversal, 1)
		steps = append(steps, name)
	}
	return steps
}
