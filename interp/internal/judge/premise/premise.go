// Package premise finds what an implication is about: of `!a || b`, `x != "failed" || b` and
// `a ? b : true` the part that has to hold before the rest says anything.
//
//	parts := premise.Of(condition, observed.IsSub)
package premise

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Of are the parts of a condition of which one is enough and that rule its premise out, such as
// `x != "failed"`: the premise is that all of them are false. There are none where it has no
// premise, or one that the end of a run does not tell: it may have held before. isSub reports of a path
// whether its third name is that of a sub of the fanout before it, which runs once.
func Of(e hclsyntax.Expression, isSub func(t hcl.Traversal) bool) []hclsyntax.Expression {
	var out []hclsyntax.Expression
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.ConditionalExpr:
		switch {
		case isTrue(x.FalseResult):
			out = []hclsyntax.Expression{not(x.Condition)}
		case isTrue(x.TrueResult):
			out = []hclsyntax.Expression{x.Condition}
		}
	case *hclsyntax.BinaryOpExpr:
		all := alternatives(x)
		for _, part := range all {
			if rulesOut(part) {
				out = append(out, part)
			}
		}
		if len(out) == len(all) { // that something is not there follows where another value is ruled out
			out = slices.DeleteFunc(out, func(e hclsyntax.Expression) bool { return dsl.IsNullTest(e) })
		}
		if len(out) == len(all) {
			return nil // two that may both be meant
		}
	}
	for _, part := range out {
		if !stays(part, isSub) {
			return nil
		}
	}
	return out
}

func isTrue(e hclsyntax.Expression) bool {
	v, written := dsl.Literal(dsl.Bare(e))
	return written && v.RawEquals(cty.True)
}

func not(e hclsyntax.Expression) hclsyntax.Expression {
	return &hclsyntax.UnaryOpExpr{Op: hclsyntax.OpLogicalNot, Val: e, SrcRange: e.Range(), SymbolRange: e.Range()}
}

// alternatives are the parts of a disjunction of which one has to hold.
func alternatives(e hclsyntax.Expression) []hclsyntax.Expression {
	if x, is := dsl.Bare(e).(*hclsyntax.BinaryOpExpr); is && x.Op == hclsyntax.OpLogicalOr {
		return append(alternatives(x.LHS), alternatives(x.RHS)...)
	}
	return []hclsyntax.Expression{e}
}

// rulesOut reports whether a part says that something is not so, or is not there.
func rulesOut(e hclsyntax.Expression) bool {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.UnaryOpExpr:
		return x.Op == hclsyntax.OpLogicalNot
	case *hclsyntax.BinaryOpExpr:
		return dsl.IsNullTest(x) || dsl.IsComparison(x.Op) && !dsl.IsEqual(x.Op) && (written(x.LHS) || written(x.RHS))
	}
	return false
}

func written(e hclsyntax.Expression) bool {
	v, is := dsl.Literal(dsl.Bare(e))
	return is && !v.IsNull()
}

// final are the attributes of results that stay as they are once they are there.
var final = []string{"status", "error", "content", "output", "stop", "skipped_reason", "replaced_by", "json", "body"}

// stays reports whether all that a part reads is known at the end of a run as it was before: the
// results of the run, of its steps and of calls. Those in a loop come anew.
func stays(e hclsyntax.Expression, isSub func(t hcl.Traversal) bool) bool {
	some := false
	for t := range dsl.Variables(e) {
		if !staysAt(t, isSub) {
			return false
		}
		some = true
	}
	calls := false
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, is := e.(*hclsyntax.FunctionCallExpr)
		_, loop := e.(*hclsyntax.ForExpr)
		calls = calls || loop || is && read.IsQuery(f.Name)
	})
	return some && !calls
}

func staysAt(t hcl.Traversal, isSub func(t hcl.Traversal) bool) bool {
	at := 2
	if t.RootName() == "step" && isSub(t) {
		at = 3
	}
	switch t.RootName() {
	case "run":
		at = 1
	case "step", "call", "fanout", "classify":
	default:
		return false
	}
	name, named := read.AttrName(t, at)
	return named && slices.Contains(final, name)
}
