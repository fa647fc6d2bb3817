package given

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// SucceedsOnce says why a condition holds whatever happens that limits how many attempts of a
// step succeed, or counts the one of a step that succeeded: such a step ends with its first
// success. It is "" for any other condition.
func (f *File) SucceedsOnce(e hclsyntax.Expression) string {
	x, is := dsl.Bare(e).(*hclsyntax.BinaryOpExpr)
	if !is {
		return ""
	}
	name, most, op := successesOf(x.LHS), x.RHS, x.Op
	if name == "" {
		name, most, op = successesOf(x.RHS), x.LHS, mirrored(x.Op)
	}
	n, written := dsl.Literal(dsl.Bare(most))
	if name == "" || !written || n.Type() != cty.Number || n.IsNull() {
		return ""
	}
	s := f.o.Steps[name]
	if s == nil || !f.plays(s.Step) || f.p.Population != nil || !endsWithSuccess(s.Step) {
		return ""
	}
	limit := op == hclsyntax.OpLessThanOrEqual && n.GreaterThanOrEqualTo(cty.NumberIntVal(1)).True() || op == hclsyntax.OpLessThan && n.GreaterThan(cty.NumberIntVal(1)).True()
	if !limit && (!dsl.IsEqual(op) || f.struck || s.Status != read.StatusSuccess || !n.RawEquals(cty.NumberIntVal(1))) {
		return ""
	}
	return fmt.Sprintf("it holds whatever the run does: a step ends with its first success, so %q never has two, and what the service did with an attempt whose answer was lost is in none of them; it shows nothing here.\nhint: check what makes a repetition harmless, such as one idempotency_key in all attempts, or count the attempts themselves", name)
}

// endsWithSuccess reports whether the first attempt that succeeds is the last one of a step.
func endsWithSuccess(s *plan.Step) bool {
	return slices.Contains([]plan.Kind{plan.KindHTTP, plan.KindSQL, plan.KindLLM}, s.Kind) && len(s.Tools) == 0 && !s.Tool &&
		!slices.ContainsFunc(s.Validates, func(v *plan.Validation) bool { return v.Retry })
}

// successesOf is the step of length([for a in step.NAME.attempts : a if a.outcome == "success"]),
// "" for anything else.
func successesOf(e hclsyntax.Expression) string {
	call, is := dsl.Bare(e).(*hclsyntax.FunctionCallExpr)
	if !is || call.Name != "length" || len(call.Args) != 1 {
		return ""
	}
	list, is := dsl.Bare(call.Args[0]).(*hclsyntax.ForExpr)
	if !is || list.KeyExpr != nil || list.CondExpr == nil {
		return ""
	}
	path, is := dsl.Bare(list.CollExpr).(*hclsyntax.ScopeTraversalExpr)
	if !is || len(path.Traversal) != 3 || path.Traversal.RootName() != "step" {
		return ""
	}
	name, _ := read.AttrName(path.Traversal, 1)
	if of, _ := read.AttrName(path.Traversal, 2); of != "attempts" || !slices.ContainsFunc(dsl.Conjuncts(list.CondExpr), func(part hclsyntax.Expression) bool { return isSuccess(part, list.ValVar) }) {
		return ""
	}
	return name
}

// isSuccess reports whether a condition asks that an attempt succeeded.
func isSuccess(e hclsyntax.Expression, attempt string) bool {
	x, is := dsl.Bare(e).(*hclsyntax.BinaryOpExpr)
	if !is || !dsl.IsEqual(x.Op) {
		return false
	}
	for _, sides := range [][2]hclsyntax.Expression{{x.LHS, x.RHS}, {x.RHS, x.LHS}} {
		path, is := dsl.Bare(sides[0]).(*hclsyntax.ScopeTraversalExpr)
		v, written := dsl.Literal(dsl.Bare(sides[1]))
		if !is || !written || len(path.Traversal) != 2 || path.Traversal.RootName() != attempt {
			continue
		}
		switch attr, _ := read.AttrName(path.Traversal, 1); attr {
		case "outcome":
			return v.RawEquals(cty.StringVal(read.StatusSuccess))
		case "error":
			return v.IsNull()
		}
	}
	return false
}

// mirrored is the operation of a comparison with its sides exchanged.
func mirrored(op *hclsyntax.Operation) *hclsyntax.Operation {
	switch op {
	case hclsyntax.OpGreaterThan:
		return hclsyntax.OpLessThan
	case hclsyntax.OpGreaterThanOrEqual:
		return hclsyntax.OpLessThanOrEqual
	case hclsyntax.OpLessThan, hclsyntax.OpLessThanOrEqual:
		return nil // a least number
	}
	return op
}
