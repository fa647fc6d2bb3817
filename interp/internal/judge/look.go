package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/judge/conform"
	"github.com/scenario-lang/scenario/interp/internal/judge/unknown"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/stdlib"
)

// A look evaluates a condition that holds for what it rests on: comparisons and
// functions that were given nothing to look at have no known result, and note
// why.
type look struct {
	checker   *checker
	functions map[string]function.Function
	why       string // that of the first
	whole     bool   // it compares whole values with what the file says
}

func newLook(c *checker, condition hclsyntax.Expression, a *dsl.Absence) *look {
	l := &look{checker: c}
	l.functions = map[string]function.Function{
		"alltrue": l.quantifier(false), "anytrue": l.quantifier(true),
		"overlaps": l.pairs(), "distinct": l.sorts("distinct"), "toset": l.sorts("toset"),
		"contains": l.member(), filtered: choice(),
		"schemaerror": conforming(),
		"join":        l.combines("join", false), "setintersection": l.combines("setintersection", true), "one": l.combines("one", false),
	}
	l.throughEach(condition, a.Expr)
	l.throughQueries(a.Expr)
	l.looksInTexts(a)
	l.looksForTexts()
	l.asksProgram()
	l.asksRun()
	throughFilters(a.Expr)
	if !c.mayDiffer() { // the rows of a table may leave a premise out
		l.throughImplications(a)
	}
	l.throughFallbacks(a.Expr)
	l.throughSums(a)
	l.throughPicked(a)
	l.throughDefaults(a)
	for _, x := range a.Comparisons {
		l.functions[x.Func] = l.compare(x)
	}
	return l
}

// note notes why something shows nothing, and is what it comes to.
func (l *look) note(why string, result cty.Type) cty.Value {
	if l.why == "" {
		l.why = why
	}
	return cty.UnknownVal(result)
}

// compare is a comparison. It has no result where it compares nothing that was
// there.
func (l *look) compare(x *dsl.Comparison) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{unknown.Parameter("left"), unknown.Parameter("right")},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			left, leftMarks := args[0].UnmarkDeep()
			right, rightMarks := args[1].UnmarkDeep()
			if !left.IsWhollyKnown() || !right.IsWhollyKnown() {
				return cty.UnknownVal(cty.Bool), nil
			}
			v, err := compared(x, left, right)
			if err != nil {
				return cty.NilVal, err
			}
			b := both{l.checker, x, left, right, v.IsKnown() && v.True()}
			if why := madeOfNone(leftMarks, rightMarks); why != "" {
				return l.note(why, cty.Bool), nil
			}
			if why := b.byDefaults(leftMarks, rightMarks); why != "" {
				return l.note(why, cty.Bool), nil
			}
			if (isFromNothing(leftMarks) || isFromNothing(rightMarks)) && !b.explicit() {
				return l.note(ofNothing, cty.Bool), nil
			}
			if why := b.aboutNothing(); why != "" {
				return l.note(why, cty.Bool), nil
			}
			return v, nil
		},
	})
}

// madeOfNone says why one of two values was made of nothing, "" where neither was.
func madeOfNone(left, right cty.ValueMarks) (why string) {
	for _, marks := range []cty.ValueMarks{left, right} {
		for m := range marks {
			if n, is := m.(none); is && (why == "" || string(n) < why) {
				why = string(n)
			}
		}
	}
	return why
}

// compared is what the operation of a comparison comes to.
func compared(x *dsl.Comparison, left, right cty.Value) (cty.Value, error) {
	args := []cty.Value{left, right}
	for i, p := range x.Op.Impl.Params() {
		if p.Type == cty.DynamicPseudoType {
			continue
		}
		v, err := convert.Convert(args[i], p.Type)
		if err != nil {
			return cty.NilVal, err
		}
		args[i] = v
	}
	return x.Op.Impl.Call(args)
}

// quantifier is alltrue, or anytrue, where nothing comes to no known result, and
// elements that show nothing do not count.
func (l *look) quantifier(anyOf bool) function.Function {
	return unknown.List(func(list []cty.Value) cty.Value {
		if len(list) == 0 {
			return l.note(ofNothing, cty.Bool)
		}
		result := cty.UnknownVal(cty.Bool)
		for _, e := range list {
			if e.IsNull() || !e.IsKnown() || e.Type() != cty.Bool {
				continue
			}
			if result = e; e.True() == anyOf {
				break // one is enough
			}
		}
		return result
	})
}

// pairs is overlaps, where fewer than two that could overlap are none to look at,
// and none that took any time are none that can.
func (l *look) pairs() function.Function {
	return unknown.List(func(list []cty.Value) cty.Value {
		n, err := observe.Overlaps([]cty.Value{cty.TupleVal(list)})
		switch {
		case err != nil:
			return cty.UnknownVal(cty.Number)
		case observe.Began(list) < 2:
			return l.note(ofNothing, cty.Number)
		case !l.checker.run.Obs.Driven() && observe.Timeless(list):
			return l.note(ofNoTime, cty.Number)
		case isZero(n) && l.checker.run.Obs.Apart(list):
			return l.note(ofApart, cty.Number)
		}
		return n
	})
}

// sorts is distinct or toset, where nothing but null and empty strings is none to
// tell apart: no call had what a condition counts the sorts of.
func (l *look) sorts(name string) function.Function {
	return unknown.List(func(list []cty.Value) cty.Value {
		if slices.ContainsFunc(list, isThere) {
			return unknown.Called(name, cty.TupleVal(list))
		}
		if len(list) > 0 {
			return l.note(ofNoneThere, cty.DynamicPseudoType)
		}
		return l.note(ofNothing, cty.DynamicPseudoType)
	})
}

// ofNoneThere says why what no element has is not told apart.
const ofNoneThere = "it holds because every element of the list was null or empty, and nothing tells those apart, so it shows nothing here.\nhint: say that each is there as well, such as alltrue([for … : … != null])"

// member is contains, where a list of nothing holds nothing, and of what is not
// there only that.
func (l *look) member() function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{unknown.Parameter("list"), unknown.Parameter("value")},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			list, _ := args[0].UnmarkDeep()
			value, _ := args[1].UnmarkDeep()
			if !list.IsWhollyKnown() || !value.IsWhollyKnown() {
				return cty.UnknownVal(cty.Bool), nil
			}
			if !list.IsNull() && list.Type() != cty.String && list.CanIterateElements() {
				switch all := list.AsValueSlice(); {
				case len(all) == 0:
					return l.note(ofNothing, cty.Bool), nil
				case !slices.ContainsFunc(all, isThere):
					return l.note(ofNull("every element of the list"), cty.Bool), nil
				}
			}
			return unknown.Called("contains", list, value), nil
		},
	})
}

// inPlaceOfJQ is the function that stands for jq. No file can write such a name.
const inPlaceOfJQ = "what jq makes of what is there"

// throughQueries puts it in the place of jq, in an expression that is a copy.
func (l *look) throughQueries(e hclsyntax.Expression) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if f, call := e.(*hclsyntax.FunctionCallExpr); call && f.Name == "jq" && len(f.Args) == 2 {
			f.Name = inPlaceOfJQ
			l.functions[inPlaceOfJQ] = l.queried()
		}
	})
}

// queried is jq: what it makes of a value in which nothing is there is marked where its
// program says something of all of it, or gives a default.
func (l *look) queried() function.Function {
	f := stdlib.Functions()["jq"]
	return function.New(&function.Spec{
		Params: []function.Parameter{unknown.Parameter("value"), unknown.Parameter("program")},
		Type:   function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if !args[0].IsWhollyKnown() || !args[1].IsWhollyKnown() {
				return cty.DynamicVal, nil
			}
			value, marks := args[0].UnmarkDeep()
			program, _ := args[1].Unmark()
			v, err := f.Call([]cty.Value{value, program})
			if err != nil || program.IsNull() || v.IsNull() {
				return v, err
			}
			if isFalse(v) && anyWord().MatchString(program.AsString()) {
				// Of nothing, any is false and all is true; of something that is not, neither.
				if all, err := f.Call([]cty.Value{value, cty.StringVal(anyWord().ReplaceAllString(program.AsString(), "all"))}); err == nil && isTrue(all) {
					return v.Mark(none(ofNothing)), nil
				}
				return v.WithMarks(marks), nil
			}
			for _, other := range []cty.Value{conform.Hollow(value), conform.Leaves(value)} {
				if w, err := f.Call([]cty.Value{other, program}); err != nil || !w.RawEquals(v) {
					return v.WithMarks(marks), nil
				}
			}
			switch {
			case isTrue(v):
				return l.note(ofNothing, cty.Bool), nil
			case !isEmpty(v):
				return v.WithMarks(marks), nil
			case isZero(v) && !isVacuousQuery(program.AsString()):
				return v.WithMarks(marks).Mark(fromNothing), nil
			case !isVacuousQuery(program.AsString()):
				return v.WithMarks(marks), nil
			}
			return v.Mark(none(ofNothing)), nil
		},
	})
}

// anyWord finds the any of a program.
var anyWord = pattern.New(`\bany\b`)

func isVacuousQuery(program string) bool {
	return slices.ContainsFunc(vacuousQuery, func(part string) bool { return strings.Contains(program, part) })
}

// vacuousQuery are the parts of a program of jq that choose from what is there.
var vacuousQuery = []string{"all", "any", "select", "map", "//"}

// combines is a function of lists whose result is of nothing where all of them are
// empty, or one is enough.
func (l *look) combines(name string, one bool) function.Function {
	f := stdlib.Functions()[name]
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(),
		Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, err := f.Call(args)
			lists, empty := 0, 0
			for _, a := range args {
				if !a.CanIterateElements() {
					continue
				}
				if lists++; a.LengthInt() == 0 {
					empty++
				}
			}
			if err == nil && (empty == lists || one && empty > 0) {
				return v.Mark(none(ofNothing)), nil
			}
			return v, err
		},
	})
}

// isThere reports whether a value is neither null nor an empty string.
func isThere(v cty.Value) bool {
	return v.IsKnown() && !v.IsNull() && !v.RawEquals(cty.StringVal(""))
}

// oneHolds is && where a side of which nothing is known says nothing.
var oneHolds = &hclsyntax.Operation{
	Impl: hclsyntax.OpLogicalAnd.Impl,
	Type: cty.Bool,
	ShortCircuit: func(left, right cty.Value, leftDiags, rightDiags hcl.Diagnostics) (cty.Value, hcl.Diagnostics) {
		if !leftDiags.HasErrors() && !rightDiags.HasErrors() && (isTrue(left) && !right.IsKnown() || !left.IsKnown() && isTrue(right)) {
			return cty.True, nil
		}
		return hclsyntax.OpLogicalAnd.ShortCircuit(left, right, leftDiags, rightDiags)
	},
}

// isTrue reports whether a value that may be marked is true.
func isTrue(v cty.Value) bool {
	v, _ = v.Unmark()
	return plan.IsTrue(v)
}

// ofNoTime says why an order shows nothing.
const ofNoTime = "it holds because nothing that it compares took any time: what begins and ends at one instant is in no order and overlaps nothing, so it shows nothing here.\nhint: give the replies a latency, such as latency = \"1s\""

// ofNull says that something was null, or empty.
func ofNull(what string) string {
	return fmt.Sprintf("it holds because %s was null or empty, so it compares nothing that was there and shows nothing here.\nhint: say that it is there as well, such as … != null, or compare it with null where it must not be", what)
}
