package compile

import (
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/compile/excuse"
	"github.com/scenario-lang/scenario/interp/internal/plain"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/stdlib"
)

// invariants compiles those of the scenario and those of the file. One of the
// file holds in every scenario that has all it refers to.
func (sc *scenarioCompiler) invariants(env *dsl.Env) {
	for _, b := range sc.Top("invariant") {
		i, diags := sc.invariant(b, env)
		if i == nil {
			if !strings.HasPrefix(b.DefRange.Filename, stdlib.ModulePrefix) {
				sc.p.Inapplicable = append(sc.p.Inapplicable, plan.InvariantCount{Name: b.Name(), Range: b.DefRange, Foreign: true, Imported: dsl.Place(b.DefRange).Filename != sc.File.Path})
			}
			if _, known := sc.foreign[b]; !known {
				sc.foreign[b] = diags
			}
			continue
		}
		sc.foreign[b] = nil
	}
	for _, b := range sc.block.All("invariant") {
		i, diags := sc.invariant(b, env)
		sc.Diags = append(sc.Diags, diags...)
		if i != nil {
			i.Own = true
			excuse.Find(sc.p, sc.Statics, &i.Assertion, i.Needs)
		}
	}
}

// A standardKey is all that an invariant of the standard library depends on: its block,
// which is read once, and which of the roots that not every scenario has there are.
type standardKey struct {
	block          *dsl.Block
	endpoints, sut bool
}

// standardInvariants are those that were compiled, of *plan.Invariant by standardKey. Many
// files of a run import the same ones, whose conditions read nothing of them by name.
var standardInvariants sync.Map

// invariant compiles one, or takes it from another scenario that had the same.
func (sc *scenarioCompiler) invariant(b *dsl.Block, env *dsl.Env) (*plan.Invariant, hcl.Diagnostics) {
	if sc.File.Extensions != nil || !strings.HasPrefix(b.DefRange.Filename, stdlib.ModulePrefix) {
		return sc.newInvariant(b, env)
	}
	key := standardKey{b, env.Roots["endpoints"] != nil, env.Roots["sut"] != nil}
	if known, ok := standardInvariants.Load(key); ok {
		i := *known.(*plan.Invariant)
		sc.p.Invariants = append(sc.p.Invariants, &i)
		return &i, nil
	}
	i, diags := sc.newInvariant(b, env)
	if i != nil && len(diags) == 0 && i.Plain == nil && i.Checks == nil {
		kept := *i
		standardInvariants.Store(key, &kept)
	}
	return i, diags
}

func (sc *scenarioCompiler) newInvariant(b *dsl.Block, env *dsl.Env) (*plan.Invariant, hcl.Diagnostics) {
	a, diags := sc.condition(b, env)
	if a == nil {
		return nil, diags
	}
	if !strings.HasPrefix(b.DefRange.Filename, stdlib.ModulePrefix) {
		sc.seesLess(a.Condition)
	}
	i := &plan.Invariant{Assertion: *a, Needs: &read.Needs{}, Standard: stdlib.IsModule(b.DefRange.Filename)}
	i.Needs.Add(a.Condition)
	i.Needs.Add(a.Message)
	i.Absence = sc.absence(a.Condition)
	i.Checks = stepChecks(a.Condition)
	i.Plain = plain.New(a.Condition, i.Absence)
	sc.p.Invariants = append(sc.p.Invariants, i)
	return i, diags
}

// reportForeign complains about the invariants of the file that fit none of
// its scenarios, nor any other workflow.
func (c *compiler) reportForeign() {
	for _, b := range c.Top("invariant") {
		diags, tried := c.foreign[b]
		// One of the library may be about programs alone, in a file without any.
		if tried && diags == nil || strings.HasPrefix(b.DefRange.Filename, stdlib.ModulePrefix) {
			continue
		}
		for _, wb := range c.Top("workflow") {
			sc := &scenarioCompiler{compiler: c, p: &plan.Plan{Handle: plan.Handle{Prefix: c.prefix}, Workflow: c.workflows[wb.Name()]}}
			a, found := sc.condition(b, sc.observedEnv())
			if a != nil {
				diags = nil
				break
			}
			if diags == nil {
				diags = found
			}
		}
		c.Diags = append(c.Diags, diags...)
	}
}

// absence prepares a condition for operands that are not there, once for all
// scenarios of the file.
func (c *compiler) absence(e hclsyntax.Expression) *dsl.Absence {
	if c.absences[e] == nil {
		if c.absences == nil {
			c.absences = map[hclsyntax.Expression]*dsl.Absence{}
		}
		c.absences[e] = dsl.NewAbsence(e, func(root string) bool { return root != "var" && root != "local" })
	}
	return c.absences[e]
}

// stepChecks takes a condition apart into checks of single steps. It is nil for
// one that is about more than that.
func stepChecks(e hclsyntax.Expression) []*plan.StepCheck {
	switch x := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return stepChecks(x.Expression)
	case *hclsyntax.BinaryOpExpr:
		if x.Op == hclsyntax.OpLogicalAnd {
			left, right := stepChecks(x.LHS), stepChecks(x.RHS)
			if left == nil || right == nil {
				return nil
			}
			return append(left, right...)
		}
		if dsl.IsEqual(x.Op) {
			return noneOf(x)
		}
	case *hclsyntax.UnaryOpExpr:
		if f, ok := x.Val.(*hclsyntax.FunctionCallExpr); ok && x.Op == hclsyntax.OpLogicalNot && f.Name == "anytrue" && len(f.Args) == 1 {
			return eachStep(f.Args[0], cty.False)
		}
	case *hclsyntax.FunctionCallExpr:
		if x.Name == "alltrue" && len(x.Args) == 1 {
			return eachStep(x.Args[0], cty.True)
		}
	}
	return nil
}

// noneOf reads `[for … if …] == []` and `length([for … if …]) == 0`.
func noneOf(x *hclsyntax.BinaryOpExpr) []*plan.StepCheck {
	if t, ok := x.RHS.(*hclsyntax.TupleConsExpr); ok && len(t.Exprs) == 0 {
		return eachStep(x.LHS, read.Null)
	}
	f, ok := x.LHS.(*hclsyntax.FunctionCallExpr)
	zero, literal := x.RHS.(*hclsyntax.LiteralValueExpr)
	if ok && literal && f.Name == "length" && len(f.Args) == 1 && zero.Val.Type() == cty.Number && zero.Val.Equals(cty.Zero).True() {
		return eachStep(f.Args[0], read.Null)
	}
	return nil
}

// eachStep reads a list that is made of steps, each by itself.
func eachStep(e hclsyntax.Expression, want cty.Value) []*plan.StepCheck {
	x, ok := e.(*hclsyntax.ForExpr)
	if !ok || x.KeyVar != "" || x.KeyExpr != nil {
		return nil
	}
	over, ok := x.CollExpr.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(over.Traversal) != 1 || over.Traversal.RootName() != "steps" {
		return nil
	}
	for _, part := range []hclsyntax.Expression{x.ValExpr, x.CondExpr} {
		if part != nil && !aboutOnly(part, x.ValVar) {
			return nil
		}
	}
	return []*plan.StepCheck{{Each: x, Want: want}}
}

// aboutOnly reports whether an expression reads nothing of a run but one
// variable.
func aboutOnly(e hclsyntax.Expression, name string) bool {
	for t := range dsl.Variables(e) {
		if root := t.RootName(); root != name && root != "var" && root != "local" {
			return false
		}
	}
	pure := true
	_ = hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		if f, ok := n.(*hclsyntax.FunctionCallExpr); ok && read.IsQuery(f.Name) {
			pure = false
		}
		return nil
	})
	return pure
}
