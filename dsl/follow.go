package dsl

import (
	"maps"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl/tally"
)

// A Follower is told of every evaluation in the contexts that it was given to. It
// may be asked by several goroutines at a time.
type Follower interface {
	// Evaluated says what an expression has come to, and returns what it took to
	// look at that, in bytes. It is not told of what it evaluates itself.
	Evaluated(e Evaluation) int64
}

// An Evaluation is one of an expression, and what came of it.
type Evaluation struct {
	Expr  hclsyntax.Expression
	Value cty.Value
	Diags hcl.Diagnostics
	ctx   *hcl.EvalContext
}

// Roots are the variables that the expression reads, with their values.
func (e Evaluation) Roots() map[string]cty.Value {
	roots := map[string]cty.Value{}
	for t := range Variables(e.Expr) {
		if v, found := lookUp(e.ctx, t.RootName()); found {
			roots[t.RootName()] = v
		}
	}
	return roots
}

// Function is a function that the expression can call, false for none.
func (e Evaluation) Function(name string) (function.Function, bool) {
	for ctx := e.ctx; ctx != nil; ctx = ctx.Parent() {
		if f, found := ctx.Functions[name]; found {
			return f, true
		}
	}
	return function.Function{}, false
}

// Of is the evaluation of a part of the expression, without what came of it.
func (e Evaluation) Of(part hclsyntax.Expression) Evaluation {
	return Evaluation{Expr: part, ctx: e.ctx}
}

// Again evaluates the expression with other values and functions of these names.
func (e Evaluation) Again(roots map[string]cty.Value, functions map[string]function.Function) (cty.Value, hcl.Diagnostics) {
	m := meterOf(e.ctx)
	ctx := e.ctx.NewChild()
	ctx.Variables, ctx.Functions = maps.Clone(roots), functions
	if ctx.Variables == nil {
		ctx.Variables = map[string]cty.Value{}
	}
	// It may build as much as the first evaluation might, and counts for no file
	// and no run.
	ctx.Variables[meterVar] = cty.CapsuleVal(meterType, &Meter{value: m.value, many: m.many, ctx: m.ctx, copies: m.copies})
	return Evaluate(e.Expr, ctx)
}

// Followed is a static context in which a follower is told of what is evaluated;
// so it is in contexts below it, and in what [Bounded] makes of it.
func Followed(static *hcl.EvalContext, f Follower) *hcl.EvalContext {
	m := meterOf(static)
	own := &Meter{value: m.value, many: m.many, work: m.work, ctx: m.ctx, copies: m.copies, over: m.over, follower: f}
	own.large.Store(m.large.Load())
	return withMeter(static, own)
}

// FollowedAs is a static context in which whoever follows what is evaluated in another one is
// told of that as well; it is the same one where nobody does.
func FollowedAs(static, other *hcl.EvalContext) *hcl.EvalContext {
	if m := meterOf(other); m.follower != nil {
		return Followed(static, m.follower)
	}
	return static
}

// Follow makes a meter tell a follower of what is evaluated, from now on.
func (m *Meter) Follow(f Follower) { m.follower = f }

// withMeter is a static context with another meter.
func withMeter(static *hcl.EvalContext, m *Meter) *hcl.EvalContext {
	ctx := static.Parent().NewChild()
	ctx.Variables = maps.Clone(static.Variables)
	ctx.Variables[meterVar] = cty.CapsuleVal(meterType, m)
	return ctx
}

// follow tells the follower of an evaluation.
func (m *Meter) follow(e Evaluation) (cty.Value, hcl.Diagnostics) {
	cost := m.follower.Evaluated(e)
	if cost > 0 && m.work != nil && !m.work.Spend(cost, func() tally.Part { return partOf(e.Expr) }) {
		over := hcl.Diagnostics{budgetError(e.Expr, m.work.Together())}
		return cty.DynamicVal, over
	}
	return e.Value, e.Diags
}
