package judge

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// ofVoid says that there is nothing in the value of a snapshot.
const ofVoid = "its value is null or empty, as recorded, so it shows nothing here.\nhint: where that is right, say so with an assert: … == null"

// recordsNothing says why a snapshot that is as recorded shows nothing, "" where it
// does: there is nothing in its value, or what is in it would be the same whatever
// happens. That a number is 0 is no statement of anybody, as it is in an assertion: it
// was recorded.
func (c *checker) recordsNothing(s *plan.SnapshotCheck) (why string) {
	own := *c
	own.recorded = true
	for _, part := range recordedParts(s.Value, nil) {
		now := own.partRecordsNothing(part, s.Source)
		if now == "" {
			return ""
		}
		why = now
	}
	return why
}

// recordedParts are what the value of a snapshot is made of, one where it is no list and
// no object that is written out.
func recordedParts(e hclsyntax.Expression, list []hclsyntax.Expression) []hclsyntax.Expression {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.TupleConsExpr:
		for _, part := range x.Exprs {
			list = recordedParts(part, list)
		}
	case *hclsyntax.ObjectConsExpr:
		for _, item := range x.Items {
			list = recordedParts(item.ValueExpr, list)
		}
	default:
		list = append(list, e)
	}
	return list
}

func (c *checker) partRecordsNothing(e hclsyntax.Expression, source []byte) string {
	v, diags := dsl.Evaluate(e, c.ctx)
	switch {
	case diags.HasErrors():
		return ""
	case isVoid(v):
		return ofVoid
	case isSaid(e):
		return ofNoRun
	}
	if why := c.unmovedIn(e, v); why != "" {
		return why
	}
	switch v.Type() {
	case cty.Bool:
		if !v.True() {
			e = not(e)
		}
	case cty.Number, cty.String:
		at := e.Range()
		e = &hclsyntax.BinaryOpExpr{LHS: e, Op: hclsyntax.OpEqual, RHS: &hclsyntax.LiteralValueExpr{Val: v, SrcRange: at}, SrcRange: at}
	default:
		return c.ofScript(e)
	}
	return c.aboutNothing(&plan.Assertion{Condition: e, Source: source})
}

// unmovedIn says why a value is made of nothing but numbers that are 0 whatever is under
// test, and of what is empty; "" where it is not.
func (c *checker) unmovedIn(e hclsyntax.Expression, v cty.Value) string {
	var asked []observe.Measure
	for _, m := range c.unmoved() {
		if mentions(e, &m) {
			asked = append(asked, m)
		}
	}
	if len(asked) == 0 {
		return ""
	}
	z := &zeros{checker: c, of: asked, alone: true}
	if alone, ok := c.with(dsl.NewAbsence(e, read.IsObserved), z); !ok || !isKnownOrVoid(alone, v) {
		return ""
	}
	why := asked[0].Why
	if z.why != "" {
		why = z.why
	}
	return ofZero + why
}

// isKnownOrVoid reports whether all of a value is known, or there is nothing in what it
// is when all of it is known.
func isKnownOrVoid(v, whole cty.Value) bool {
	switch {
	case isVoid(whole):
		return true
	case !v.IsKnown():
		return false
	case v.IsWhollyKnown():
		return true
	}
	parts, all := v.AsValueSlice(), whole.AsValueSlice()
	if len(parts) != len(all) {
		return false
	}
	for i, part := range parts {
		if !isKnownOrVoid(part, all[i]) {
			return false
		}
	}
	return true
}
