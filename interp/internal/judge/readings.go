package judge

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/stdlib"
)

// A Reading is what one check of a scenario read of a run.
type Reading struct {
	// Kind is "expect", "assert", "invariant" or "snapshot", Name as in a problem.
	Kind, Name string
	Range      hcl.Range
	values     []cty.Value
}

// Same reports whether the check read the same of another run.
func (r Reading) Same(other Reading) bool {
	return slices.EqualFunc(r.values, other.values, func(a, b cty.Value) bool { return a.RawEquals(b) })
}

// Readings are what the checks of a scenario read of a run that has ended, in the
// order of the plan. What comes with this program checks every scenario alike and is
// left out. Of a condition it is the values that are compared, and not whether
// they are as they have to be.
func Readings(o *observe.Observed) []Reading {
	c := &checker{run: &finished{Plan: o.Plan, Obs: o}, ctx: o.ObservedContext(o.Plan.Needs, nil)}
	var list []Reading
	for _, x := range o.Plan.Expects {
		r := Reading{Kind: "expect", Name: x.Address, Range: x.Rng}
		for _, result := range c.results(x.Address) {
			for _, a := range x.Attrs {
				r.add(result.GetAttr(a.Name))
			}
		}
		list = append(list, r)
	}
	for _, a := range o.Plan.Asserts {
		c.look(a, func() { list = append(list, c.reading("assert", a.Name, a.Condition)) })
	}
	for _, i := range o.Plan.Invariants {
		if !stdlib.IsModule(i.Rng.Filename) {
			c.look(&i.Assertion, func() { list = append(list, c.reading("invariant", i.Name, i.Condition)) })
		}
	}
	for _, s := range o.Plan.SnapshotChecks {
		list = append(list, c.reading("snapshot", s.Name, s.Value))
	}
	return list
}

// results are those that an expectation speaks of.
func (c *checker) results(address string) []cty.Value {
	n := len(c.run.Obs.Calls[address])
	if n <= 1 {
		return []cty.Value{c.result(address)}
	}
	list := make([]cty.Value, n)
	for i := range list {
		list[i] = c.call(address, i)
	}
	return list
}

func (c *checker) reading(kind, name string, e hclsyntax.Expression) Reading {
	r := Reading{Kind: kind, Name: name, Range: e.Range()}
	for _, part := range parts(e) {
		v, diags := dsl.Evaluate(part, c.ctx)
		if diags.HasErrors() {
			v = cty.StringVal(diags.Error())
		}
		r.add(v)
	}
	return r
}

func (r *Reading) add(v cty.Value) {
	v, _ = v.UnmarkDeep()
	r.values = append(r.values, v)
}

// parts are those of a condition whose values decide it: what stands on the
// sides of its comparisons, and what its functions that say true or false are asked
// about. Of a for expression they are those of each element.
func parts(e hclsyntax.Expression) []hclsyntax.Expression {
	switch e := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		return nil
	case *hclsyntax.ParenthesesExpr:
		return parts(e.Expression)
	case *hclsyntax.UnaryOpExpr:
		if e.Op == hclsyntax.OpLogicalNot {
			return parts(e.Val)
		}
	case *hclsyntax.BinaryOpExpr:
		if e.Op.Type == cty.Bool {
			return append(parts(e.LHS), parts(e.RHS)...)
		}
	case *hclsyntax.FunctionCallExpr:
		if decides[e.Name] {
			var list []hclsyntax.Expression
			for _, a := range e.Args {
				list = append(list, parts(a)...)
			}
			return list
		}
	case *hclsyntax.ForExpr:
		if each := parts(e.ValExpr); e.KeyExpr == nil && len(each) > 0 {
			own := *e
			own.ValExpr = &hclsyntax.TupleConsExpr{Exprs: each, SrcRange: e.ValExpr.Range()}
			return []hclsyntax.Expression{&own}
		}
	}
	return []hclsyntax.Expression{e}
}

// decides are the functions whose value is true or false because of what they are
// asked about. One that asks the run itself, such as exists(), is read as it is.
var decides = map[string]bool{
	"alltrue": true, "anytrue": true, "approx": true, "can": true, "contains": true, "endswith": true, "regexmatch": true,
	"startswith": true, "strcontains": true, "tobool": true, "within": true, "word": true,
}
