package excuse

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Find notes the endings of the run, and of what the scenario does by itself, that a
// condition may ask for: it compares the status by == or != with that ending or with
// success, where the comparison can change the result. What is known before the run
// is in static. The condition reads what needs say, nil for what the plan does.
func Find(p *plan.Plan, static *hcl.EvalContext, a *plan.Assertion, needs *read.Needs) {
	if a.Condition != nil && speaksOfEnds(a) {
		(&excuser{plan: p, static: static, of: a, needs: needs}).condition(a.Condition)
	}
}

// speaksOfEnds reports whether the source of a condition has a word by which one reads how
// something ended, which most do not.
func speaksOfEnds(a *plan.Assertion) bool {
	rng := a.Condition.Range()
	if !rng.CanSliceBytes(a.Source) {
		return true
	}
	source := rng.SliceBytes(a.Source)
	return bytes.Contains(source, []byte("status")) || bytes.Contains(source, []byte("sut"))
}

// excuser walks the condition of an assertion; vars are the variables of the for expressions
// around a part of it, each with what its elements are results of, "" for other
// variables.
type excuser struct {
	plan   *plan.Plan
	static *hcl.EvalContext
	of     *plan.Assertion
	needs  *read.Needs
	vars   []excuseVar
}

type excuseVar struct{ name, subject string }

// condition walks an expression of which the value matters.
func (x *excuser) condition(e hclsyntax.Expression) {
	switch e := e.(type) {
	case *hclsyntax.BinaryOpExpr:
		switch {
		case e.Op == hclsyntax.OpLogicalAnd, e.Op == hclsyntax.OpLogicalOr:
			x.either(e)
			return
		case dsl.IsComparison(e.Op):
			x.compared(e.LHS, e.RHS)
			x.compared(e.RHS, e.LHS)
		}
	case *hclsyntax.ConditionalExpr:
		x.condition(e.Condition)
		v, known := x.constant(e.Condition)
		if !known || plan.IsTrue(v) {
			x.condition(e.TrueResult)
		}
		if !known || !plan.IsTrue(v) {
			x.condition(e.FalseResult)
		}
		return
	case *hclsyntax.ForExpr:
		x.within(e, func() {
			x.condition(e.ValExpr)
			if e.CondExpr != nil {
				x.condition(e.CondExpr)
			}
		})
		return
	}
	dsl.EachPart(e, x.condition)
}

// either walks the sides of && and ||, but for one that the other decides.
func (x *excuser) either(e *hclsyntax.BinaryOpExpr) {
	decides := func(side hclsyntax.Expression) bool {
		v, known := x.constant(side)
		return known && v.Type() == cty.Bool && !v.IsNull() && v.True() == (e.Op == hclsyntax.OpLogicalOr)
	}
	if !decides(e.RHS) {
		x.condition(e.LHS)
	}
	if !decides(e.LHS) {
		x.condition(e.RHS)
	}
}

// compared notes what a comparison with a constant says of a status.
func (x *excuser) compared(e, with hclsyntax.Expression) {
	e, with = unwrapped(e), unwrapped(with)
	if list, ok := e.(*hclsyntax.TupleConsExpr); ok {
		if other, ok := with.(*hclsyntax.TupleConsExpr); ok && len(other.Exprs) == len(list.Exprs) {
			for i := range list.Exprs {
				x.compared(list.Exprs[i], other.Exprs[i])
			}
			return
		}
	}
	switch e.(type) {
	case *hclsyntax.TupleConsExpr, *hclsyntax.ForExpr:
	default:
		if x.status(e) == "" {
			return
		}
	}
	if v, known := x.constant(with); known {
		x.comparedWith(e, v)
	}
}

// comparedWith notes what a comparison with a value says of a status, or of
// those in a tuple.
func (x *excuser) comparedWith(e hclsyntax.Expression, v cty.Value) {
	if subject := x.status(e); subject != "" {
		x.plan.Excuses.Ask(subject, v, x.of, x.needs)
		return
	}
	if v.IsNull() || !v.Type().IsTupleType() {
		return
	}
	parts := v.AsValueSlice()
	switch e := unwrapped(e).(type) {
	case *hclsyntax.TupleConsExpr:
		for i := range min(len(parts), len(e.Exprs)) {
			x.comparedWith(e.Exprs[i], parts[i])
		}
	case *hclsyntax.ForExpr:
		x.within(e, func() {
			for _, v := range parts {
				x.comparedWith(e.ValExpr, v)
			}
		})
	}
}

// status is what an expression is the status of, or a list of statuses; "" for
// any other expression.
func (x *excuser) status(e hclsyntax.Expression) string {
	switch e := unwrapped(e).(type) {
	case *hclsyntax.ScopeTraversalExpr:
		subject, rest := x.subject(e.Traversal)
		for len(rest) > 0 && isIndex(rest[0]) {
			rest = rest[1:]
		}
		if name, ok := read.AttrName(rest, 0); ok && name == "status" && len(rest) == 1 || len(rest) == 0 && plan.IsExcusedProgram(subject) {
			return subject
		}
	case *hclsyntax.SplatExpr:
		source, ok := e.Source.(*hclsyntax.ScopeTraversalExpr)
		each, isPath := e.Each.(*hclsyntax.RelativeTraversalExpr)
		if !ok || !isPath {
			return ""
		}
		subject, rest := x.subject(source.Traversal)
		if name, ok := read.AttrName(each.Traversal, 0); ok && name == "status" && len(each.Traversal) == 1 && len(rest) == 0 {
			return subject
		}
	case *hclsyntax.ForExpr:
		subject := ""
		if e.KeyExpr == nil {
			x.within(e, func() { subject = x.status(e.ValExpr) })
		}
		return subject
	}
	return ""
}

// subject is what a traversal begins with: the run, a block of the scenario that
// has a result, or a variable that stands for one.
func (x *excuser) subject(t hcl.Traversal) (subject string, rest hcl.Traversal) {
	root := t.RootName()
	for i := len(x.vars) - 1; i >= 0; i-- {
		if x.vars[i].name == root {
			return x.vars[i].subject, t[1:]
		}
	}
	if root == "run" {
		return root, t[1:]
	}
	if name, ok := read.AttrName(t, 1); ok && root == "sut" {
		return plan.ExcusedProgram(name), t[2:]
	}
	name, ok := read.AttrName(t, 1)
	if d := x.plan.ActionOf(name); ok && d != nil && d.What() == root {
		return d.Address(), t[2:]
	}
	return "", nil
}

// within walks a part of a for expression with its variables.
func (x *excuser) within(e *hclsyntax.ForExpr, walk func()) {
	outer := len(x.vars)
	subject := ""
	if c, ok := unwrapped(e.CollExpr).(*hclsyntax.ScopeTraversalExpr); ok {
		if s, rest := x.subject(c.Traversal); len(rest) == 0 {
			subject = s
		}
	}
	if e.KeyVar != "" {
		x.vars = append(x.vars, excuseVar{name: e.KeyVar})
	}
	x.vars = append(x.vars, excuseVar{e.ValVar, subject})
	walk()
	x.vars = x.vars[:outer]
}

// constant is the value of an expression that reads nothing of the run.
func (x *excuser) constant(e hclsyntax.Expression) (cty.Value, bool) {
	if v, written := dsl.Literal(dsl.Bare(e)); written {
		return v, true
	}
	if x.reads(e) {
		return cty.NilVal, false
	}
	v, diags := dsl.Evaluate(e, x.static)
	return v, !diags.HasErrors() && v.IsWhollyKnown()
}

// reads reports whether an expression certainly reads something of the run: to
// evaluate it would only say that, at length.
func (x *excuser) reads(e hclsyntax.Expression) bool {
	switch e := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return !dsl.Knows(x.static, e.Traversal.RootName())
	case *hclsyntax.ParenthesesExpr:
		return x.reads(e.Expression)
	case *hclsyntax.RelativeTraversalExpr:
		return x.reads(e.Source)
	case *hclsyntax.IndexExpr:
		return x.reads(e.Collection)
	case *hclsyntax.SplatExpr:
		return x.reads(e.Source)
	case *hclsyntax.ForExpr:
		return x.reads(e.CollExpr)
	case *hclsyntax.UnaryOpExpr:
		return x.reads(e.Val)
	case *hclsyntax.BinaryOpExpr:
		if e.Op == hclsyntax.OpLogicalAnd || e.Op == hclsyntax.OpLogicalOr { // one side may decide
			return x.reads(e.LHS) && x.reads(e.RHS)
		}
		return x.reads(e.LHS) || x.reads(e.RHS)
	case *hclsyntax.FunctionCallExpr:
		return e.Name != "try" && e.Name != "can" && slices.ContainsFunc(e.Args, x.reads)
	}
	return false
}

func unwrapped(e hclsyntax.Expression) hclsyntax.Expression {
	for {
		p, ok := e.(*hclsyntax.ParenthesesExpr)
		if !ok {
			return e
		}
		e = p.Expression
	}
}

func isIndex(t hcl.Traverser) bool {
	i, ok := t.(hcl.TraverseIndex)
	return ok && i.Key.Type() == cty.Number
}
