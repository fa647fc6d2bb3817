package judge

import (
	"fmt"
	"math"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/given"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// banded says how to write a condition that compares a time exactly, where time is
// real and no two runs are alike, "" where there is nothing to say.
func (c *checker) banded(a *plan.Assertion) string {
	if !c.realTime() {
		return ""
	}
	hint := ""
	_ = hclsyntax.VisitAll(a.Condition, func(n hclsyntax.Node) hcl.Diagnostics {
		op, ok := n.(*hclsyntax.BinaryOpExpr)
		if !ok || !dsl.IsEqual(op.Op) || hint != "" {
			return nil
		}
		for _, side := range [2][2]hclsyntax.Expression{{op.LHS, op.RHS}, {op.RHS, op.LHS}} {
			want, literal := dsl.Literal(dsl.Bare(side[1]))
			if time := dsl.Bare(side[0]); literal && isTime(time) {
				hint = bandHint(string(time.Range().SliceBytes(a.Source)), want)
			}
		}
		return nil
	})
	return hint
}

// unwaited says why a condition on the gaps between the attempts of a program shows no wait, see
// [given.Unwaited]; "" where it shows one.
func (c *checker) unwaited(e hclsyntax.Expression) string {
	if !c.realTime() || c.amid {
		return ""
	}
	return given.Unwaited(c.run.Plan.Sut, mentionsCall(e, "within") || mentionsCall(e, "abs"), func(gaps ...cty.Value) bool {
		v, known := c.knownWith(c.absence(e), given.Gaps(c.ctx, gaps), map[string]function.Function{"length": lengthOfUnknown})
		return known && isTrue(v)
	})
}

// realTime reports whether the times of the run are those of a real clock.
func (c *checker) realTime() bool {
	way := c.run.Obs.Way
	return way == plan.Exec || way == plan.Serve
}

// isTime reports whether an expression is a time, by the name of what it reads.
func isTime(e hclsyntax.Expression) bool {
	var steps hcl.Traversal
	switch e := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		steps = e.Traversal
	case *hclsyntax.RelativeTraversalExpr:
		steps = e.Traversal
	case *hclsyntax.IndexExpr:
		return isTime(e.Collection)
	}
	for i := len(steps) - 1; i >= 0; i-- {
		if attr, ok := steps[i].(hcl.TraverseAttr); ok {
			return strings.HasSuffix(attr.Name, "_ms")
		}
	}
	return false
}

// bandHint is what to write in place of an exact time.
func bandHint(text string, want cty.Value) string {
	if want.IsNull() || !want.IsKnown() || want.Type() != cty.Number {
		return ""
	}
	low, _ := want.AsBigFloat().Float64()
	return fmt.Sprintf("\nhint: time is real here, and no two runs are alike: compare in a band, as in within(%s, %.0f, %.0f)", text, math.Floor(low), math.Ceil(low*1.5)+500)
}
