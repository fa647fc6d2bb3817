package constant

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// pair is the verdict on two parts that are joined with || or &&, where together
// they leave nothing, or everything, out.
func (f *finder) pair(p, q hclsyntax.Expression, or bool) verdict {
	if f.opposite(p, q) || f.opposite(q, p) {
		return always(or, "one part is the opposite of another", hintValue)
	}
	x, a := f.against(p)
	y, b := f.against(q)
	if x == nil || y == nil || !f.same(x, y) {
		return verdict{}
	}
	if or { // what leaves nothing out is what the opposites cannot both be
		a.relation, b.relation = opposed(a.relation), opposed(b.relation)
	}
	if !a.excludes(b) {
		return verdict{}
	}
	if or {
		return always(true, "one part holds wherever another does not", hintAnd)
	}
	return always(false, "two parts exclude each other", hintValue)
}

func opposed(r relation) relation { return (less | equal | greater) &^ r }

// opposite reports whether p is !q, or the comparison of the same operands with
// the opposite operator.
func (f *finder) opposite(p, q hclsyntax.Expression) bool {
	if x, ok := dsl.Bare(p).(*hclsyntax.UnaryOpExpr); ok && x.Op == hclsyntax.OpLogicalNot {
		return f.same(x.Val, q)
	}
	x, first := dsl.Bare(p).(*hclsyntax.BinaryOpExpr)
	y, second := dsl.Bare(q).(*hclsyntax.BinaryOpExpr)
	if !first || !second {
		return false
	}
	a, b := relationOf(x.Op), relationOf(y.Op)
	if a == none || b == none {
		return false
	}
	return opposed(a) == b && f.same(x.LHS, y.LHS) && f.same(x.RHS, y.RHS) ||
		opposed(a) == b.turned() && f.same(x.LHS, y.RHS) && f.same(x.RHS, y.LHS)
}

// A limit is what a part says of an operand: how it compares with a value that is
// written out.
type limit struct {
	relation relation
	value    cty.Value
}

// against takes a comparison with a written value apart; nil where it is none.
func (f *finder) against(e hclsyntax.Expression) (operand hclsyntax.Expression, l limit) {
	x, ok := dsl.Bare(e).(*hclsyntax.BinaryOpExpr)
	if !ok {
		return nil, l
	}
	r := relationOf(x.Op)
	if r == none {
		return nil, l
	}
	if v, written := dsl.Literal(x.RHS); written {
		return x.LHS, limit{r, v}
	}
	if v, written := dsl.Literal(x.LHS); written {
		return x.RHS, limit{r.turned(), v}
	}
	return nil, l
}

// excludes reports whether no value is within both limits.
func (l limit) excludes(m limit) bool {
	a, b := l.value, m.value
	if a.IsNull() || b.IsNull() || !a.Type().Equals(b.Type()) {
		return false
	}
	if a.RawEquals(b) {
		return l.relation&m.relation == none
	}
	if l.relation == equal && m.relation == equal {
		return true // two different values
	}
	if a.Type() != cty.Number {
		return false
	}
	if a.GreaterThan(b).True() {
		l, m = m, l
	}
	return apart(l, m)
}

// apart reports whether no number is within two limits, of which the first has
// the smaller value.
func apart(l, m limit) bool {
	for _, region := range [][2]relation{
		{less, less}, // below both
		{equal, less},
		{greater, less}, // between them
		{greater, equal},
		{greater, greater},
	} {
		if l.relation&region[0] != none && m.relation&region[1] != none {
			return false
		}
	}
	return true
}
