package judge

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// ofPremise says that what an implication is about did not come about.
const ofPremise = "it holds because its premise does not: what it says of the other case was not asked of this run, so it shows nothing here.\nhint: say which case it is as well, or what has to hold in this one"

// vacuous is the function that stands for the true of `a ? b : true`. No file can
// write such a name.
const vacuous = "true without its premise"

// ofFallback says that only the fallback of try decides.
const ofFallback = "it holds by the last argument of try, as what comes before cannot be evaluated: it shows nothing here.\nhint: leave try out, or say in which case there is nothing to compare"

// fallback is the function that stands for the true of `try(a, true)`.
const fallback = "true where all else fails"

// throughImplications makes the implications of an expression that is a copy have
// no known result where their premise does not hold and nothing else does:
// `!a || b`, `a != "x" || b`, `length(a) < 2 || b` about a, and `a ? b : true`. An
// alternative of two that may both be, and one that the file decides, is none.
func (l *look) throughImplications(a *dsl.Absence) {
	l.functions[vacuous] = l.noting(ofPremise)
	unequal, short := map[string]bool{}, premise.Guards{}
	for _, c := range a.Comparisons {
		unequal[c.Func] = !dsl.IsEqual(c.Op) && dsl.IsComparison(c.Op) && !c.Null
		if list := listThatIsShort(c); list != nil {
			short[c.Func] = list
		}
	}
	paths := map[string]hcl.Traversal{}
	for _, o := range a.Slots {
		paths[o.Var] = o.Path
	}
	l.throughNullGuards(a, paths)
	dsl.EachExpr(a.Expr, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.BinaryOpExpr:
			if x.Op != hclsyntax.OpLogicalOr {
				return
			}
			first, second := short.Guard(x.LHS, x.RHS, paths), short.Guard(x.RHS, x.LHS, paths)
			if first == second {
				first, second = isPremise(x.LHS, unequal), isPremise(x.RHS, unequal)
			}
			if first != second {
				x.Op = l.implied(first)
			}
		case *hclsyntax.ConditionalExpr:
			if !readsObserved(x.Condition) {
				return
			}
			standFor(&x.TrueResult, vacuous)
			standFor(&x.FalseResult, vacuous)
		}
	})
}

// throughFallbacks does the same for try(a, true), where a cannot be evaluated.
func (l *look) throughFallbacks(e hclsyntax.Expression) {
	l.functions[fallback] = l.noting(ofFallback)
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if x, call := e.(*hclsyntax.FunctionCallExpr); call && x.Name == "try" && len(x.Args) > 1 && !x.ExpandFinal {
			standFor(&x.Args[len(x.Args)-1], fallback)
		}
	})
}

// noting is a function that notes why its place shows nothing.
func (l *look) noting(why string) function.Function {
	return function.New(&function.Spec{
		Type: function.StaticReturnType(cty.Bool),
		Impl: func([]cty.Value, cty.Type) (cty.Value, error) { return l.note(why, cty.Bool), nil },
	})
}

// standFor puts a function in the place of an expression that is written out as
// true.
func standFor(e *hclsyntax.Expression, name string) {
	if v, written := dsl.Literal(dsl.Bare(*e)); written && v.RawEquals(cty.True) {
		at := (*e).Range()
		*e = &hclsyntax.FunctionCallExpr{Name: name, NameRange: at, OpenParenRange: at, CloseParenRange: at}
	}
}

// isPremise reports whether a part of a disjunction says that a premise does not
// hold: a negation, or a comparison by !=.
func isPremise(e hclsyntax.Expression, unequal map[string]bool) bool {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.UnaryOpExpr:
		return x.Op == hclsyntax.OpLogicalNot && readsObserved(x.Val)
	case *hclsyntax.FunctionCallExpr:
		return unequal[x.Name] && readsObserved(x)
	case *hclsyntax.BinaryOpExpr:
		return x.Op == hclsyntax.OpLogicalOr && isPremise(x.LHS, unequal) && isPremise(x.RHS, unequal)
	}
	return false
}

// listThatIsShort is the list, or the number of retries, of a comparison that asks for few
// elements of it or none, nil for any other comparison.
func listThatIsShort(c *dsl.Comparison) hcl.Traversal {
	for _, s := range []struct {
		list, bound dsl.Side
		op          *hclsyntax.Operation
	}{{c.Left, c.Right, c.Op}, {c.Right, c.Left, premise.Turned(c.Op)}} {
		if observed(s.bound) || len(s.list.Slots) != 1 {
			continue
		}
		v, written := dsl.Literal(dsl.Bare(s.bound.Expression))
		_, empty := dsl.Bare(s.bound.Expression).(*hclsyntax.TupleConsExpr)
		_, counted := call(s.list.Expression, "length")
		if _, path := dsl.Bare(s.list.Expression).(*hclsyntax.ScopeTraversalExpr); path {
			counted = premise.Counts(s.list.Slots[0].Path)
		}
		switch {
		case counted && written && (s.op == hclsyntax.OpLessThan || s.op == hclsyntax.OpLessThanOrEqual || dsl.IsEqual(s.op) && isZero(v)):
			return s.list.Slots[0].Path
		case empty && dsl.IsEqual(s.op):
			return s.list.Slots[0].Path
		}
	}
	return nil
}

// readsObserved reports whether a part of a copy reads anything but what the file
// says.
func readsObserved(e hclsyntax.Expression) (found bool) {
	for t := range dsl.Variables(e) {
		found = found || read.IsObserved(t.RootName())
	}
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, call := e.(*hclsyntax.FunctionCallExpr)
		found = found || call && (read.IsQuery(f.Name) || strings.HasPrefix(f.Name, "sut."))
	})
	return found
}

// implied is || of which one side says that the premise does not hold.
//
//go:noinline
func (l *look) implied(premiseFirst bool) *hclsyntax.Operation {
	return &hclsyntax.Operation{
		Impl: hclsyntax.OpLogicalOr.Impl,
		Type: cty.Bool,
		ShortCircuit: func(left, right cty.Value, leftDiags, rightDiags hcl.Diagnostics) (cty.Value, hcl.Diagnostics) {
			premise, rest, premiseDiags, restDiags := left, right, leftDiags, rightDiags
			if !premiseFirst {
				premise, rest, premiseDiags, restDiags = right, left, rightDiags, leftDiags
			}
			switch {
			case l.checker.amid && !premiseDiags.HasErrors() && isTrue(premise) && !restDiags.HasErrors() && isTrue(rest):
				return l.note(ofPremise, cty.Bool), nil // what has not happened yet holds of anything
			case !restDiags.HasErrors() && isTrue(rest):
				return cty.True, nil
			case !premiseDiags.HasErrors() && isTrue(premise):
				return l.note(ofPremise, cty.Bool), nil
			case !premiseDiags.HasErrors() && !premise.IsKnown() && restDiags.HasErrors():
				return cty.UnknownVal(cty.Bool), nil // it has shown nothing already
			}
			return hclsyntax.OpLogicalOr.ShortCircuit(left, right, leftDiags, rightDiags)
		},
	}
}
