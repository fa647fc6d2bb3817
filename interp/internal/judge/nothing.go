package judge

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/stdlib"
)

// aboutNothing says why a condition that holds does so over nothing, "" where it
// does not. All that it says is said of the elements of lists that are empty, or
// of steps that never ran, or its value is decided before anything is observed. A
// part of it that is joined with && and says something else is enough.
//
// What there is nothing of counts as unknown: the result of a quantifier over an
// empty list, and an operand of a step that never ran. What is known all the same
// does not rest on it.
func (c *checker) aboutNothing(a *plan.Assertion) (why string) {
	quantified, idle, chosen := c.mentions(a, quantifiers), c.idle(), c.mentions(a, choices)
	if !quantified && !idle && !chosen {
		return ""
	}
	for _, part := range conjuncts(a.Condition, nil) {
		now := c.partAboutNothing(part, quantified, idle, chosen)
		if now == "" {
			return ""
		}
		why = now
	}
	return why
}

// quantifiers are the functions that hold, or count nothing, where there is
// nothing to look at; choices are how a condition begins to read what its file
// chooses.
var (
	quantifiers = []string{"alltrue", "anytrue", "overlaps", "distinct"}
	choices     = []string{"var.", "local.", "true", "false"}
)

// mentions reports whether one of some words is in the source of a condition.
func (c *checker) mentions(a *plan.Assertion, words []string) bool {
	rng := a.Condition.Range()
	if !rng.CanSliceBytes(a.Source) {
		return false
	}
	source := rng.SliceBytes(a.Source)
	return slices.ContainsFunc(words, func(w string) bool { return bytes.Contains(source, []byte(w)) })
}

// idleSteps reports whether there are steps that never ran.
func idleSteps(o *observe.Observed) bool {
	for _, s := range o.Steps {
		if s.NeverRan() {
			return true
		}
	}
	return false
}

// stepErrors is the attribute of a step that is null after a success, too.
const stepErrors = "error"

// Why a condition shows nothing.
const (
	ofNothing = "it holds of 0 of 0: what it quantifies over was empty, so it shows nothing here.\nhint: say how many there have to be as well, such as length(…) > 0, or with == [] that there are none"
	ofNoStep  = "it holds because a step that it reads never ran, so it shows nothing here.\nhint: say that the step ran, such as step.NAME.status == \"success\", or that it did not"
	ofNoRun   = "it holds whatever the run does: what the file itself says decides it"
)

// partAboutNothing is aboutNothing for one part of a condition.
func (c *checker) partAboutNothing(e hclsyntax.Expression, quantified, idle, chosen bool) string {
	if quantified {
		looked := false
		ctx := c.ctx.NewChild()
		ctx.Functions = map[string]function.Function{
			"alltrue": quantifier(&looked, false), "anytrue": quantifier(&looked, true),
			"overlaps": pairs(&looked), "distinct": sorts(&looked),
		}
		if v, diags := dsl.Evaluate(e, ctx); !diags.HasErrors() && !v.IsKnown() && !looked {
			return ofNothing
		}
	}
	if !idle && !chosen {
		return ""
	}
	absence := dsl.NewAbsence(e, func(root string) bool { return !slices.Contains([]string{"var", "local", "each", "matrix"}, root) })
	if known, read := c.without(absence, c.ofIdleStep, nil); idle && read && !known {
		return ofNoStep
	}
	if !chosen {
		return ""
	}
	queries := map[string]function.Function{}
	for _, name := range observe.Queries() {
		queries[name] = unseen
	}
	if known, _ := c.without(absence, func(*dsl.Slot) bool { return true }, queries); known {
		return ofNoRun
	}
	return ""
}

// unseen is a query of which no answer is known.
var unseen = function.New(&function.Spec{
	VarParam: &function.Parameter{Name: "arguments", Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true, AllowDynamicType: true, AllowMarked: true},
	Type:     function.StaticReturnType(cty.DynamicPseudoType),
	Impl:     func([]cty.Value, cty.Type) (cty.Value, error) { return cty.DynamicVal, nil },
})

// without reports whether the value of a condition is known without the operands
// that are out, and with other answers of some functions; and whether there are
// such operands.
func (c *checker) without(a *dsl.Absence, out func(*dsl.Slot) bool, functions map[string]function.Function) (known, some bool) {
	ctx := c.ctx.NewChild()
	ctx.Functions = functions
	ctx.Variables = make(map[string]cty.Value, len(a.Slots))
	for _, s := range a.Slots {
		path := s.Path
		if s.Caught {
			path = path[:1]
		}
		v, diags := path.TraverseAbs(c.ctx)
		switch {
		case out(s):
			v, some = cty.DynamicVal, true
		case diags.HasErrors():
			return true, false
		}
		ctx.Variables[s.Var] = v
	}
	v, diags := dsl.Evaluate(a.Expr, ctx)
	return diags.HasErrors() || v.IsKnown(), some
}

// ofIdleStep reports whether an operand is one that a step would have if it had
// run: null is no answer then. A comparison with null asks just that, but for the
// error, which is null also after a success.
func (c *checker) ofIdleStep(s *dsl.Slot) bool {
	v, diags := s.Path.TraverseAbs(c.ctx)
	if s.Caught || diags.HasErrors() || !v.IsNull() {
		return false
	}
	step := c.run.Obs.StepAt(s.Path)
	if step == nil || !step.NeverRan() {
		return false
	}
	attr, _ := read.AttrName(s.Path, len(s.Path)-1)
	return !s.Nullable || attr == stepErrors
}

// ofNoStep reports whether an expectation that is met asks nothing but for the
// absence of an error, and of a step that never ran.
func (c *checker) ofNoStep(x *plan.Expectation) bool {
	s := c.run.Obs.Steps[x.Address]
	return s != nil && s.NeverRan() && s.Err == nil && !slices.ContainsFunc(x.Attrs, func(a *dsl.Attr) bool { return a.Name != stepErrors })
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

// sorts is distinct, where nothing but null and empty strings is none to tell
// apart: no call had what a condition counts the sorts of.
func sorts(looked *bool) function.Function {
	return unknowing(func(list []cty.Value) cty.Value {
		for _, e := range list {
			if !e.IsNull() && e.IsKnown() && !e.RawEquals(cty.StringVal("")) {
				*looked = true
				v, err := stdlib.Functions()["distinct"].Call([]cty.Value{cty.TupleVal(list)})
				if err != nil {
					return cty.DynamicVal
				}
				return v
			}
		}
		return cty.DynamicVal
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

// overNothing is a check that shows nothing, as reports have it.
func overNothing(check, name, why string, rng hcl.Range) plan.Problem {
	kind := plan.KindIdle
	if why == ofNothing {
		kind = plan.KindNothing
	}
	return plan.Problem{Kind: kind, Name: check + " " + strconv.Quote(name), Range: rng, Message: why}
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
			empty = append(empty, overNothing("invariant", i.Name, ofNothing, i.Condition.Range()))
		}
	}
	result.Relaxed = append(result.Relaxed, empty...)
	if len(empty) == 0 || len(empty) < checks || len(result.Problems) > 0 || r.Obs.Way == plan.Serve || r.Obs.Way == plan.Embedded {
		return
	}
	place := hcl.Pos{Line: p.Line, Column: 1}
	gate := plan.Problem{
		Kind: "gate", Name: plan.GateNoAssertion, Range: hcl.Range{Filename: p.File, Start: place, End: place},
		Message: "the scenario checks nothing: all that it asserts holds of 0 of 0, or of steps that never ran.\nhint: say how many there have to be as well, such as length(…) > 0, or that a step ran; or allow = [\"" + plan.GateNoAssertion + "\"]",
	}
	if p.Allow[plan.GateNoAssertion] {
		result.Relaxed = append(result.Relaxed, gate)
		return
	}
	result.Problems = append(result.Problems, gate)
}
