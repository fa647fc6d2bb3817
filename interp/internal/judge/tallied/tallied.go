// Package tallied tells of limits on how many values a histogram of a program has, where how large they
// are is meant.
//
//	why := tallied.Why(condition, ctx, said) // "" where nothing is to be told
package tallied

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
)

const ofTally = "it limits how many values the histogram %[1]q has, here %[2]v, and not how large they are, together %[3]v: %[4]s of a histogram is a count.\nhint: limit the sum, sum([for m in sut.metrics(%[1]q) : m.sum]) < …, or say that the count is meant: sum([for m in sut.metrics(%[1]q) : m.count]) < …"

// Asks reports whether a condition asks for metrics of the program.
func Asks(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, call := e.(*hclsyntax.FunctionCallExpr)
		found = found || call && (f.Name == "sut.metric" || f.Name == "sut.metrics")
	})
	return found
}

// Why says of a condition that a part of it limits how many values a histogram has: from above, or by a
// number that no count is. "" where it limits none so, and where said is nil.
func Why(condition hclsyntax.Expression, ctx *hcl.EvalContext, said observe.Said) (why string) {
	if said == nil || !Asks(condition) {
		return ""
	}
	l := &limits{ctx: ctx, said: said}
	dsl.EachExpr(condition, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.FunctionCallExpr:
			if x.Name == "sut.metrics" && len(x.Args) == 1 {
				l.listed = append(l.listed, l.text(x.Args[0]))
			}
		case *hclsyntax.UnaryOpExpr:
			if c, is := dsl.Bare(x.Val).(*hclsyntax.BinaryOpExpr); is && x.Op == hclsyntax.OpLogicalNot {
				l.turned = append(l.turned, c)
			}
		case *hclsyntax.ForExpr:
			if x.CondExpr != nil {
				dsl.EachExpr(x.CondExpr, func(e hclsyntax.Expression) {
					if c, is := e.(*hclsyntax.BinaryOpExpr); is {
						l.turned = append(l.turned, c)
					}
				})
			}
		}
	})
	dsl.EachExpr(condition, func(e hclsyntax.Expression) {
		if x, is := e.(*hclsyntax.BinaryOpExpr); is && why == "" {
			why = l.why(x)
		}
	})
	return why
}

// limits are those of a condition.
type limits struct {
	ctx  *hcl.EvalContext
	said observe.Said
	// listed are the metrics of which the condition reads the series, and turned the comparisons that
	// have to be false, or choose what there has to be none of.
	listed []string
	turned []*hclsyntax.BinaryOpExpr
}

func (l *limits) why(x *hclsyntax.BinaryOpExpr) string {
	upper := x.Op == hclsyntax.OpLessThan || x.Op == hclsyntax.OpLessThanOrEqual
	lower := x.Op == hclsyntax.OpGreaterThan || x.Op == hclsyntax.OpGreaterThanOrEqual
	if !upper && !lower && !dsl.IsComparison(x.Op) {
		return ""
	}
	limited, bound := x.LHS, x.RHS
	names, read := l.counted(limited)
	if len(names) == 0 {
		limited, bound, upper, lower = x.RHS, x.LHS, lower, upper
		names, read = l.counted(limited)
	}
	if len(names) == 0 || !upper && !(lower && slices.Contains(l.turned, x)) && !l.isNoCount(bound) {
		return ""
	}
	for _, name := range names {
		if n, sum, is := l.histogram(name); is {
			return fmt.Sprintf(ofTally, name, n, sum, read)
		}
	}
	return ""
}

// counted are the metrics of which an expression may say how many values they have, and how it reads that.
func (l *limits) counted(e hclsyntax.Expression) (names []string, how string) {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.FunctionCallExpr:
		switch {
		case x.Name == "sut.metric" && len(x.Args) > 0:
			return []string{l.text(x.Args[0])}, "sut.metric(…)"
		case slices.Contains([]string{"abs", "ceil", "floor", "max", "min"}, x.Name) && len(x.Args) == 1:
			return l.counted(x.Args[0])
		}
	case *hclsyntax.BinaryOpExpr:
		_, scaled := dsl.Literal(dsl.Bare(x.RHS))
		if _, by := dsl.Literal(dsl.Bare(x.LHS)); by && x.Op == hclsyntax.OpMultiply {
			return l.counted(x.RHS)
		}
		if scaled && x.Op.Type == cty.Number && x.Op != hclsyntax.OpAdd && x.Op != hclsyntax.OpSubtract { // a division has an operation of its own
			return l.counted(x.LHS)
		}
	case *hclsyntax.ScopeTraversalExpr:
		return l.value(x.Traversal)
	case *hclsyntax.RelativeTraversalExpr:
		return l.value(x.Traversal)
	}
	return nil, ""
}

// value are the metrics of which the value of a series is read.
func (l *limits) value(path hcl.Traversal) ([]string, string) {
	if last, is := path[len(path)-1].(hcl.TraverseAttr); is && last.Name == "value" {
		return l.listed, "the value"
	}
	return nil, ""
}

// isNoCount reports whether a bound is a number that is written out, and with a fraction.
func (l *limits) isNoCount(bound hclsyntax.Expression) bool {
	v, written := dsl.Literal(dsl.Bare(bound))
	return written && !v.IsNull() && v.Type() == cty.Number && !v.AsBigFloat().IsInt()
}

func (l *limits) text(e hclsyntax.Expression) string {
	v, diags := dsl.Evaluate(e, l.ctx)
	if diags.HasErrors() || v.IsMarked() || !v.IsKnown() || v.IsNull() || v.Type() != cty.String {
		return ""
	}
	return v.AsString()
}

// histogram is how many values a metric has, and what they add up to, and reports whether all its series
// are histograms.
func (l *limits) histogram(name string) (n int64, sum float64, is bool) {
	if name == "" {
		return 0, 0, false
	}
	series, err := l.said.Metrics(name)
	if err != nil || len(series) == 0 {
		return 0, 0, false
	}
	for _, s := range series {
		o, _ := s.(map[string]any)
		count, counts := o["count"].(int64)
		of, adds := o["sum"].(float64)
		if !counts || !adds {
			return 0, 0, false
		}
		n, sum = n+count, sum+of
	}
	return n, sum, true
}
