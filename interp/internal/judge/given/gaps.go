package given

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// shortGap is what a gap between two attempts comes to at most where nothing waits, and longGap a
// very long one, in milliseconds.
const shortGap, longGap = 20, 1e8

// ofBand says why a band that begins where no wait is shows none.
const ofBand = "it holds without any wait: the band begins at what the gaps of a program are that asks again at once, so it shows no wait here.\nhint: say how long the wait has to be at least, such as within(…, \"200ms\", \"2s\"); and where only the most matters, say just that, such as <= 1500"

// Scale is how much faster the time of a program's run is than the real one. sut may be nil.
func Scale(sut *plan.Sut) float64 {
	if sut != nil && sut.TimeScale > 0 {
		return sut.TimeScale
	}
	return 1
}

// Unwaited says why a condition on the gaps between the attempts of a program shows no wait: it
// holds of gaps that are as short as those of a program which asks again at once, and of others
// that are as long as they like, or is a band that begins there. "" where it shows one. holds
// reports whether the condition holds with gaps, in turn, and nothing else known.
func Unwaited(sut *plan.Sut, band bool, holds func(gaps ...cty.Value) bool) string {
	scale := Scale(sut)
	short, long := cty.NumberFloatVal(shortGap*scale), cty.NumberFloatVal(longGap*scale)
	if !holds(short) || holds(cty.UnknownVal(cty.Number)) {
		return ""
	}
	switch {
	case holds(long) && holds(short, long) && holds(long, short):
		return fmt.Sprintf("it holds without any wait: a program that asks again at once has gaps of some milliseconds, and a gap of %.0fms is enough, so it shows no wait here.\nhint: say how long the wait has to be at least, such as >= 200, or within(…, \"200ms\", \"2s\"); and where only the most matters, say just that, such as <= 1500", shortGap*scale)
	case band:
		return ofBand
	}
	return ""
}

// Gaps are the operands of a condition with other gaps between attempts, which repeat, and nothing
// else of them known but how many there are.
func Gaps(ctx *hcl.EvalContext, gaps []cty.Value) func(hcl.Traversal) cty.Value {
	n := 0
	next := func() cty.Value { n++; return gaps[(n-1)%len(gaps)] }
	return func(path hcl.Traversal) cty.Value {
		v, diags := path.TraverseAbs(ctx)
		if diags.HasErrors() || path.RootName() != "endpoint" && path.RootName() != "step" {
			return cty.DynamicVal
		}
		name := ""
		for i := range path {
			if now, is := read.AttrName(path, i); is {
				name = now
			}
		}
		return withGaps(v, name, next)
	}
}

func withGaps(v cty.Value, name string, next func() cty.Value) cty.Value {
	switch t := v.Type(); {
	case v.IsNull() || !v.IsKnown():
		return v
	case t.IsTupleType():
		list := v.AsValueSlice()
		for i := range list {
			list[i] = withGaps(list[i], name, next)
		}
		return cty.TupleVal(list)
	case t.IsObjectType():
		attrs := v.AsValueMap()
		for _, name := range slices.Sorted(maps.Keys(attrs)) {
			attrs[name] = withGaps(attrs[name], name, next)
		}
		return cty.ObjectVal(attrs)
	case t == cty.Number && slices.Contains([]string{"gaps_ms", "gap_ms", "delays_ms"}, name):
		return next()
	}
	return cty.DynamicVal
}
