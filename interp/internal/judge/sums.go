package judge

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/unknown"
)

// fromNothing marks the sum of an empty list of a result, such as delays_ms: that it
// is 0 says that there was nothing.
const fromNothing = "from nothing"

func isFromNothing(marks cty.ValueMarks) bool {
	_, is := marks[fromNothing]
	return is
}

// throughSums makes the sums of an expression that is a copy mark those of nothing. The
// sum of what was made of each element of an empty list speaks of elements of which there
// is none, as alltrue does.
func (l *look) throughSums(a *dsl.Absence) {
	l.functions["sum"] = sum(fromNothing)
	dsl.EachExpr(a.Expr, func(e hclsyntax.Expression) {
		if f, is := call(e, "sum"); is && speaksOfEach(f.Args[0]) {
			f.Name = sumOfEach
			l.functions[sumOfEach] = sum(none(ofNothing))
		}
	})
}

// sumOfEach is the sum of what is said of each element. No file can write such a name.
const sumOfEach = "sum of each"

// sum is the sum of a list; that of nothing has a mark.
func sum(mark any) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{unknown.Parameter("list")},
		Type:   function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			list, marks := args[0].UnmarkDeep()
			switch {
			case list.IsNull() || !list.IsKnown() || !list.CanIterateElements():
				return cty.DynamicVal, nil
			case list.LengthInt() == 0:
				return unknown.Called("sum", list).WithMarks(marks).Mark(mark), nil
			}
			return unknown.Called("sum", list).WithMarks(marks), nil
		},
	})
}

// speaksOfEach reports whether a list of a copy has something of each element of another
// list, all of whose elements count.
func speaksOfEach(e hclsyntax.Expression) bool {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.ForExpr:
		return x.CondExpr == nil
	case *hclsyntax.SplatExpr:
		return true
	}
	return false
}
