// Package lastpass finds what conditions say of a step inside a loop, or of a handler, that an
// earlier iteration or session may break unseen, because the name of the step reads the last:
//
//	for _, r := range lastpass.Of(condition) {
//		if r.Missed(loop.While, name) { // the last iteration is not what is meant
//			warn(r.Path)
//		}
//	}
package lastpass

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A Reading is a value of a step, of which a condition says something.
type Reading struct {
	Path hcl.Traversal
	// plain says that it has to be true, or false, and nothing is ruled out.
	plain bool
}

// Of are the values of steps, or of actors, of which a condition says what they never are, or always: it
// negates something of them, sets a limit to them, or says that no element of them is so, or
// all are, or that they are true. What it says of a value with == may well be meant of the
// last iteration, and so may what is said beside an alternative.
func Of(condition hclsyntax.Expression) (list []Reading) {
	for _, part := range dsl.Conjuncts(condition) {
		plain := isTruth(part)
		if !plain && !rules(part) {
			continue
		}
		for t := range dsl.Variables(part) {
			if (t.RootName() == "step" || t.RootName() == "actor") && !isOrdered(t) {
				list = append(list, Reading{t, plain})
			}
		}
	}
	return list
}

// Missed reports whether the value of a step inside a loop is meant of every iteration. Where
// the loop goes on by what the step came to, the last iteration is the one that it waited
// for; that something is true may be meant of that in any loop that waits for something.
// While is nil for a loop that only counts.
func (r Reading) Missed(while hclsyntax.Expression, step string) bool {
	if while == nil {
		return true
	}
	for t := range dsl.Variables(while) {
		if name, _ := read.AttrName(t, 1); t.RootName() == "step" && (r.plain || name == step) {
			return false
		}
	}
	return true
}

// isTruth reports whether a condition is a value, or says that one is true or false.
func isTruth(e hclsyntax.Expression) bool {
	is := func(e hclsyntax.Expression) bool {
		_, path := dsl.Bare(e).(*hclsyntax.ScopeTraversalExpr)
		return path
	}
	says := func(e hclsyntax.Expression) bool {
		v, written := dsl.Literal(dsl.Bare(e))
		return written && !v.IsNull() && v.Type() == cty.Bool
	}
	x, compares := dsl.Bare(e).(*hclsyntax.BinaryOpExpr)
	return is(e) || compares && dsl.IsEqual(x.Op) && (is(x.LHS) && says(x.RHS) || is(x.RHS) && says(x.LHS))
}

func rules(e hclsyntax.Expression) bool {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.UnaryOpExpr:
		return x.Op == hclsyntax.OpLogicalNot
	case *hclsyntax.FunctionCallExpr:
		return x.Name == "alltrue" || x.Name == "within"
	case *hclsyntax.BinaryOpExpr:
		switch {
		case x.Op == hclsyntax.OpLessThan || x.Op == hclsyntax.OpLessThanOrEqual || x.Op == hclsyntax.OpGreaterThan || x.Op == hclsyntax.OpGreaterThanOrEqual:
			return true
		case dsl.IsEqual(x.Op):
			return isNone(x.LHS) && chooses(x.RHS) || isNone(x.RHS) && chooses(x.LHS)
		case dsl.IsComparison(x.Op): // !=
			return !isNone(x.LHS) && !isNone(x.RHS)
		}
	}
	return false
}

// isNone reports whether an expression says that nothing is there: null, zero, or empty.
func isNone(e hclsyntax.Expression) bool {
	if list, is := dsl.Bare(e).(*hclsyntax.TupleConsExpr); is {
		return len(list.Exprs) == 0
	}
	v, written := dsl.Literal(dsl.Bare(e))
	return written && (v.IsNull() || v.RawEquals(cty.StringVal("")) || v.RawEquals(cty.Zero))
}

// chooses reports whether an expression takes some of the elements of a list.
func chooses(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, is := e.(*hclsyntax.ForExpr)
		found = found || is && f.CondExpr != nil
	})
	return found
}

// isOrdered reports whether a path is one that the last iteration decides for all: when it
// ended, which is after all others did, and the status, as a failure ends the loop.
func isOrdered(t hcl.Traversal) bool {
	for i := range t {
		if name, _ := read.AttrName(t, i); slices.Contains([]string{"started_ms", "ended_ms", "status", "error"}, name) {
			return true
		}
	}
	return false
}
