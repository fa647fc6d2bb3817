package judge

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// quantifiers are the functions that hold, or count nothing, where there is
// nothing to look at.
var quantifiers = []string{"alltrue", "anytrue", "overlaps"}

// aboutNothing reports whether a condition that holds does so over nothing: all
// that it says is said of the elements of lists, and the lists are empty. A part
// of it that is joined with && and says something else is enough.
//
// Each quantifier over nothing is an unknown value in place of its result. What
// is known all the same does not rest on it.
func (c *checker) aboutNothing(a *plan.Assertion) bool {
	if !quantifies(a) {
		return false
	}
	for _, part := range conjuncts(a.Condition, nil) {
		looked := false
		ctx := c.ctx.NewChild()
		ctx.Functions = map[string]function.Function{
			"alltrue": quantifier(&looked, false), "anytrue": quantifier(&looked, true),
			"overlaps": pairs(&looked),
		}
		v, diags := dsl.Evaluate(part, ctx)
		if diags.HasErrors() || v.IsKnown() || looked {
			return false
		}
	}
	return true
}

// quantifies reports whether a quantifier is called in a condition, as far as a
// look at its source tells.
func quantifies(a *plan.Assertion) bool {
	rng := a.Condition.Range()
	if !rng.CanSliceBytes(a.Source) {
		return false
	}
	source := rng.SliceBytes(a.Source)
	for _, name := range quantifiers {
		if bytes.Contains(source, []byte(name)) {
			return true
		}
	}
	return false
}

// conjuncts adds the parts of a condition that all have to hold.
func conjuncts(e hclsyntax.Expression, list []hclsyntax.Expression) []hclsyntax.Expression {
	switch x := e.(type) {
	case *hclsyntax.ParenthesesExpr:
		return conjuncts(x.Expression, list)
	case *hclsyntax.BinaryOpExpr:
		if x.Op == hclsyntax.OpLogicalAnd {
			return conjuncts(x.RHS, conjuncts(x.LHS, list))
		}
	}
	return append(list, e)
}

// quantifier is alltrue, or anytrue, where nothing comes to no known result.
// looked is set where it looks at an element.
func quantifier(looked *bool, anyOf bool) function.Function {
	return unknowing(func(list []cty.Value) cty.Value {
		result := cty.UnknownVal(cty.Bool)
		for _, e := range list {
			if e.IsNull() || !e.IsKnown() || e.Type() != cty.Bool {
				continue
			}
			*looked = true
			if result = e; e.True() == anyOf {
				break // one is enough
			}
		}
		return result
	})
}

// pairs is overlaps, where fewer than two that could overlap are none to look at.
func pairs(looked *bool) function.Function {
	return unknowing(func(list []cty.Value) cty.Value {
		n, err := observe.Overlaps([]cty.Value{cty.TupleVal(list)})
		if err != nil || observe.Began(list) < 2 {
			return cty.UnknownVal(cty.Number)
		}
		*looked = true
		return n
	})
}

// unknowing is a function of a list whose elements may be unknown.
func unknowing(impl func(list []cty.Value) cty.Value) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true, AllowDynamicType: true, AllowMarked: true}},
		Type:   function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, _ := args[0].UnmarkDeep()
			if v.IsNull() || !v.IsKnown() || !v.CanIterateElements() {
				return cty.DynamicVal, nil
			}
			return impl(v.AsValueSlice()), nil
		},
	})
}

// overNothing is a check that holds of nothing, as reports have it.
func overNothing(kind string, a *plan.Assertion) plan.Problem {
	return plan.Problem{
		Kind: plan.KindNothing, Name: kind + " " + strconv.Quote(a.Name), Range: a.Condition.Range(),
		Message: "it holds of 0 of 0: what it quantifies over was empty, so it shows nothing here.\nhint: say how many there have to be as well, such as length(…) > 0, or with == [] that there are none",
	}
}

// counted says of how many elements a quantifier speaks where there are none,
// beside the value of its operand.
func counted(o dsl.Operand, parts []dsl.Operand) string {
	for _, name := range []string{"alltrue(", "anytrue("} {
		inner, ok := strings.CutPrefix(o.Text, name)
		if !ok || o.Err != "" {
			continue
		}
		for _, p := range parts {
			if p.Err == "" && p.Text+")" == inner && empty(p.Value) {
				return " (0 of 0)"
			}
		}
	}
	return ""
}

func empty(v cty.Value) bool {
	return !v.IsNull() && v.IsKnown() && v.Type().IsTupleType() && len(v.Type().TupleElementTypes()) == 0
}

// nothing tells of the checks that hold over nothing. Where nothing else is
// checked, the scenario checks nothing.
func (r *finished) nothing(result *plan.Result, empty []plan.Problem) {
	p, checks := r.Plan, result.Checks
	for _, i := range r.watcher.all {
		switch {
		case i.evaluated == 0:
		case !i.Own:
			checks--
		case r.watcher.sole && !i.shows:
			empty = append(empty, overNothing("invariant", &i.Assertion))
		}
	}
	result.Relaxed = append(result.Relaxed, empty...)
	if len(empty) == 0 || len(empty) < checks || len(result.Problems) > 0 || r.Obs.Way == plan.Serve || r.Obs.Way == plan.Embedded {
		return
	}
	place := hcl.Pos{Line: p.Line, Column: 1}
	gate := plan.Problem{
		Kind: "gate", Name: plan.GateNoAssertion, Range: hcl.Range{Filename: p.File, Start: place, End: place},
		Message: "the scenario checks nothing: all that it asserts holds of 0 of 0.\nhint: say how many there have to be as well, such as length(…) > 0, or with == [] that there are none; or allow = [\"" + plan.GateNoAssertion + "\"]",
	}
	if p.Allow[plan.GateNoAssertion] {
		result.Relaxed = append(result.Relaxed, gate)
		return
	}
	result.Problems = append(result.Problems, gate)
}
