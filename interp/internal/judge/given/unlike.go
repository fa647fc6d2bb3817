package given

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Why that the waits of a step differ shows nothing of jitter: OfGrowth where there is none, so that it
// shows that they grow.
const (
	OfJitter = "it holds without jitter, too: "
	OfGrowth = "it holds although there is no jitter: "
)

// Unlike says why a condition shows nothing of jitter that says of the waits of one step only that they
// differ, in whatever order: by the policy they do without jitter. "" where it shows something. holds and
// fails are those of [File.Enough].
func (f *File) Unlike(ctx *hcl.EvalContext, holds, fails func(at func(hcl.Traversal) cty.Value) bool) string {
	if f.o.Driven() || f.p.Instances > 1 {
		return ""
	}
	var of *observe.StepResult
	with := func(ms func(i, n int) float64) func(hcl.Traversal) cty.Value {
		return func(path hcl.Traversal) cty.Value {
			s := f.o.StepAt(path)
			name, _ := read.AttrName(path, 2)
			if s == nil || of != nil && of != s || path.RootName() != "step" || name != Waits[0] {
				return cty.DynamicVal
			}
			of = s
			waits := make([]cty.Value, len(s.Delays))
			for i := range waits {
				waits[i] = cty.NumberFloatVal(ms(i, len(waits)))
			}
			v, diags := path[3:].TraverseRel(cty.TupleVal(waits))
			if diags.HasErrors() {
				return cty.DynamicVal
			}
			return v
		}
	}
	alike := func(int, int) float64 { return 1000 }
	if !fails(with(alike)) || of == nil || len(of.Delays) < 2 || slices.ContainsFunc(of.Asked(), asksForWait) {
		return ""
	}
	b := of.Step.Retry.Backoff
	if b.Linear {
		return "" // it has no jitter at all
	}
	plain := b
	plain.Jitter, plain.FullJitter = 0, false
	wait := func(i, _ int) float64 {
		least, _ := plain.Range(i + 1)
		return float64(least.Microseconds()) / 1e3
	}
	for _, ms := range []func(i, n int) float64{
		wait,
		func(i, n int) float64 { return wait(n-1-i, n) },
		func(i, _ int) float64 { return float64(1000 + (i*37)%101) },
	} {
		if !holds(with(ms)) {
			return ""
		}
	}
	why := OfJitter
	if b.Jitter == 0 && !b.FullJitter {
		why = OfGrowth
	}
	return fmt.Sprintf("%sthe waits of retry.%s grow from one to the next and differ by that, so it shows nothing of jitter here.\nhint: compare the first waits of several steps, such as length(distinct([for s in [step.a, step.b] : s.delays_ms[0]])) == 2; or say how the waits grow, such as %[3]s[1] > %[3]s[0]", why, of.Step.Retry.Name, "step."+of.Name+".delays_ms")
}

// asksForWait reports whether the answer to an attempt said how long to wait.
func asksForWait(a observe.Asked) bool {
	return a.End != nil && a.End.Failed != nil && a.End.RetryAfter != nil
}
