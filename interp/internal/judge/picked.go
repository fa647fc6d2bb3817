package judge

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/conform"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/judge/unknown"
	"github.com/scenario-lang/scenario/stdlib"
)

// picking are the functions whose result is one of the elements of a list, or of their
// arguments, or the list in another order.
var picking = []string{"max", "min", "sort", "reverse", "element", "slice", "coalesce", "one"}

// throughPicked marks what the file gives in the place of elements that are not there, in
// an expression that is a copy: `max(concat([0], list)...)` and its like, and, where
// something is limited, `list == [] ? 0 : list[0]`.
func (l *look) throughPicked(a *dsl.Absence) {
	limits := map[string]bool{}
	for _, c := range a.Comparisons {
		limits[c.Func] = premise.IsOrder(c.Op) || dsl.IsComparison(c.Op) && !dsl.IsEqual(c.Op)
	}
	var visit func(e hclsyntax.Expression)
	visit = func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ForExpr: // what chooses elements says nothing of them
			visit(x.CollExpr)
			visit(x.ValExpr)
			return
		case *hclsyntax.FunctionCallExpr:
			switch {
			case slices.Contains(picking, x.Name):
				l.pickedFrom(x)
			case limits[x.Name]:
				for i := range x.Args {
					l.throughChoice(&x.Args[i])
				}
			}
		case *hclsyntax.IndexExpr:
			l.throughChosen(&x.Collection)
		case *hclsyntax.RelativeTraversalExpr:
			l.throughChosen(&x.Source)
		}
		dsl.EachPart(e, visit)
	}
	visit(a.Expr)
}

// throughChosen is throughJoined for a list of which one element is asked for. One that was
// chosen from nothing has no known elements, so that try and can say nothing of them.
func (l *look) throughChosen(e *hclsyntax.Expression) {
	x, is := dsl.Bare(*e).(*hclsyntax.ForExpr)
	if !is || x.CondExpr == nil {
		l.throughJoined(e)
		return
	}
	at := x.Range()
	*e = &hclsyntax.FunctionCallExpr{Name: elementOf, Args: []hclsyntax.Expression{x}, NameRange: at, OpenParenRange: at, CloseParenRange: at}
	l.functions[elementOf] = function.New(&function.Spec{
		Params: []function.Parameter{unknown.Parameter("list")},
		Type:   function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			list, marks := args[0].Unmark()
			if why := madeOfNone(marks, nil); why != "" && isEmpty(list) {
				return l.note(why, cty.DynamicPseudoType), nil
			}
			return args[0], nil
		},
	})
}

// elementOf is the function of a list of which one element is asked for. No file can write
// such a name.
const elementOf = "element of what was chosen"

// pickedFrom marks the default of a function that picks.
func (l *look) pickedFrom(f *hclsyntax.FunctionCallExpr) {
	if len(f.Args) == 0 {
		return
	}
	list := &f.Args[len(f.Args)-1]
	if !f.ExpandFinal {
		l.throughJoined(&f.Args[0])
		return
	}
	said := f.Args[:len(f.Args)-1]
	if len(said) == 0 || slices.ContainsFunc(said, func(e hclsyntax.Expression) bool { return !isSaid(e) }) || !readsObserved(*list) {
		l.throughJoined(list)
		return
	}
	mark, of := l.defaultFor(operandsIn(f), []hclsyntax.Expression{*list}), stdlib.Functions()[f.Name]
	l.rename(f)
	l.functions[f.Name] = function.New(&function.Spec{
		Params: of.Params(), VarParam: of.VarParam(),
		Type: of.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, err := of.Call(args)
			if err == nil && len(args) == len(said) {
				return mark(v), nil
			}
			return v, err
		},
	})
}

// throughJoined marks what the file says in a list that is joined of several, where all
// others are empty.
func (l *look) throughJoined(e *hclsyntax.Expression) {
	l.throughChoice(e)
	f, is := dsl.Bare(*e).(*hclsyntax.FunctionCallExpr)
	if !is || f.ExpandFinal || !readsObserved(f) {
		return
	}
	lists := f.Args
	switch f.Name {
	case "concat":
	case "flatten":
		list, is := dsl.Bare(f.Args[0]).(*hclsyntax.TupleConsExpr)
		if !is {
			return
		}
		lists = list.Exprs
	default:
		return
	}
	var other []hclsyntax.Expression
	for _, list := range lists {
		if !isSaid(list) {
			other = append(other, list)
		}
	}
	mark, of, flat := l.defaultFor(operandsIn(f), other), stdlib.Functions()[f.Name], f.Name == "flatten"
	l.rename(f)
	l.functions[f.Name] = function.New(&function.Spec{
		VarParam: &function.Parameter{Name: "lists", Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true, AllowDynamicType: true, AllowMarked: true},
		Type:     function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			parts := args
			if flat {
				if bare, _ := args[0].Unmark(); !bare.IsKnown() || bare.IsNull() || !bare.CanIterateElements() {
					return cty.DynamicVal, nil
				}
				parts = args[0].AsValueSlice()
			}
			marked := slices.Clone(parts)
			for i, a := range parts {
				bare, _ := a.Unmark()
				switch {
				case !bare.IsWhollyKnown():
					return cty.DynamicVal, nil
				case isSaid(lists[i]):
					marked[i] = markedIn(bare, mark)
				case !isEmpty(bare):
					return of.Call(args)
				}
			}
			if flat {
				marked = []cty.Value{cty.TupleVal(marked)}
			}
			return of.Call(marked)
		},
	})
}

// defaultFor is how a default is marked that is given in the place of lists.
func (l *look) defaultFor(operands int, lists []hclsyntax.Expression) func(cty.Value) cty.Value {
	each := slices.ContainsFunc(lists, speaksOfEach)
	return func(v cty.Value) cty.Value {
		if each && isZero(v) {
			return v.Mark(none(ofNothing)) // as the sum of nothing is
		}
		return v.Mark(chosen{operands, saysNone(v)})
	}
}

// throughChoice marks what a conditional comes to where the file says that branch, and not
// the other one, and what was observed decides. A mark on the branch itself would be
// one of the conditional, whichever branch is taken.
func (l *look) throughChoice(e *hclsyntax.Expression) {
	x, is := dsl.Bare(*e).(*hclsyntax.ConditionalExpr)
	if !is || l.checker.mayDiffer() || !readsObserved(x.Condition) || isSaid(x.TrueResult) == isSaid(x.FalseResult) {
		return
	}
	said, operands, at := isSaid(x.TrueResult), operandsIn(x), x.Range()
	given := &hclsyntax.FunctionCallExpr{Args: []hclsyntax.Expression{x, x.Condition}, NameRange: at, OpenParenRange: at, CloseParenRange: at}
	l.rename(given)
	l.functions[given.Name] = function.New(&function.Spec{
		Params: []function.Parameter{unknown.Parameter("result"), unknown.Parameter("condition")},
		Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if condition, _ := args[1].Unmark(); !condition.RawEquals(cty.BoolVal(said)) {
				return args[0], nil
			}
			return markedIn(args[0], func(v cty.Value) cty.Value { return v.Mark(chosen{operands, saysNone(v)}) }), nil
		},
	})
	*e = given
}

// markedIn is a value that is marked, or a list or an object with each of its elements
// marked.
func markedIn(v cty.Value, mark func(cty.Value) cty.Value) cty.Value {
	if bare, _ := v.Unmark(); !bare.IsNull() && (bare.Type().IsObjectType() || bare.Type().IsTupleType()) {
		return conform.EachOf(bare, mark)
	}
	return mark(v)
}

// operandsIn counts what an expression of a copy reads.
func operandsIn(e hclsyntax.Expression) (n int) {
	for range dsl.Variables(e) {
		n++
	}
	return n
}
