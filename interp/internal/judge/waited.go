package judge

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A stop is a part of the condition at which the run of a program was ended.
type stop struct {
	text string
	// measure is what it compares with bound by op, "" where it is no comparison with
	// what the file says.
	measure string
	op      *hclsyntax.Operation
	bound   cty.Value
}

// Why a check of what the run waited for shows nothing.
const (
	ofWaited  = "it is what until of sut waits for, and the gate not_done fails a run in which that does not come, so the check adds nothing.\nhint: check what the program did besides, or give sut a settle, such as settle = \"500ms\", to see what it does next"
	ofStopped = "it holds because the run was ended as soon as until of sut held, and what the program would have done next was not seen, so it shows nothing here.\nhint: give sut a settle, such as settle = \"500ms\", so that one more would be seen"
)

// stopped are the parts of the condition at which the run was ended, none where it was
// not ended at once by one.
func (c *checker) stopped() []stop {
	sut := c.run.Plan.Sut
	if sut == nil || sut.Until == nil || sut.Settle > 0 || c.run.Obs.Way != plan.Exec ||
		slices.ContainsFunc(c.run.Obs.Gates, func(g plan.Problem) bool { return g.Name == plan.GateNotDone }) {
		return nil
	}
	var list []stop
	for _, e := range dsl.Conjuncts(sut.Until.Condition) {
		s := stop{text: written(e)}
		if x, is := dsl.Bare(e).(*hclsyntax.BinaryOpExpr); is && (dsl.IsEqual(x.Op) || premise.IsOrder(x.Op)) {
			switch {
			case isSaid(x.RHS):
				s.measure, s.op, s.bound = written(x.LHS), x.Op, c.said(x.RHS)
			case isSaid(x.LHS):
				s.measure, s.op, s.bound = written(x.RHS), premise.Turned(x.Op), c.said(x.LHS)
			}
		}
		list = append(list, s)
	}
	return list
}

func (c *checker) said(e hclsyntax.Expression) cty.Value {
	v, diags := dsl.Evaluate(e, c.ctx)
	if diags.HasErrors() {
		return cty.NilVal
	}
	return v
}

// written is an expression without the space that makes no difference.
func written(e hclsyntax.Expression) string {
	return strings.Join(strings.Fields(string(dsl.AppendSource(nil, dsl.Bare(e)))), " ")
}

// waitedFor says why a condition cannot but hold when the run has been ended, "" where
// it can.
func (c *checker) waitedFor(e hclsyntax.Expression) string {
	stops := c.stopped()
	if len(stops) == 0 {
		return ""
	}
	text := written(e)
	for _, s := range stops {
		if s.text == text {
			return ofWaited
		}
		if s.measure == "" || !onlyReads(e, s.measure) {
			continue
		}
		if x := partOf(e, s.measure); x != nil {
			if why := s.decides(c.said(x)); why != "" {
				return why
			}
		}
	}
	return ""
}

// decides says why the value at which a run was ended is no other than it had to be.
func (s *stop) decides(v cty.Value) string {
	switch {
	case dsl.IsEqual(s.op):
		return ofWaited
	case s.op != hclsyntax.OpGreaterThan && s.op != hclsyntax.OpGreaterThanOrEqual:
	case v == cty.NilVal || s.bound == cty.NilVal || v.IsNull() || s.bound.IsNull() || v.Type() != cty.Number || s.bound.Type() != cty.Number:
	default:
		if before, err := s.op.Impl.Call([]cty.Value{v.Subtract(cty.NumberIntVal(1)), s.bound}); err == nil && before.False() {
			return ofStopped
		}
	}
	return ""
}

// partOf is the first part of a condition that is written as a measure is.
func partOf(e hclsyntax.Expression, measure string) (found hclsyntax.Expression) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if found == nil && written(e) == measure {
			found = e
		}
	})
	return found
}

// onlyReads reports whether a measure is all that a condition reads of a run.
func onlyReads(e hclsyntax.Expression, measure string) bool {
	e = dsl.Bare(e)
	if written(e) == measure {
		return true
	}
	switch x := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return !read.IsObserved(x.Traversal.RootName())
	case *hclsyntax.FunctionCallExpr:
		if read.IsQuery(x.Name) || strings.HasPrefix(x.Name, "sut.") {
			return false
		}
	}
	only := true
	dsl.EachPart(e, func(part hclsyntax.Expression) { only = only && onlyReads(part, measure) })
	return only
}

// expectedOfWaited says why an attribute cannot but be what is expected of it.
func (c *checker) expectedOfWaited(path string, actual cty.Value) string {
	for _, s := range c.stopped() {
		if s.measure == path {
			if why := s.decides(actual); why != "" {
				return why
			}
		}
	}
	return ""
}
