package given

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Rounds are the attributes that say how often the steps in a loop ran.
var Rounds = []string{"iterations", "runs"}

// OfIterated begins to say that a limit on the iterations of a loop shows nothing.
const OfIterated = "it holds however often the loop would go on: "

// Iterated says why an upper limit on the iterations of one loop shows nothing: the loop ended before its
// max_iterations, the script has no answer for one iteration more, which breaks a gate, and the limit
// would allow it. One that allows what came alone is left as it is: it says how many there were.
func (f *File) Iterated(p Put) string {
	var of *observe.StepResult
	script := ""
	with := func(k int) func(hcl.Traversal) cty.Value {
		return func(path hcl.Traversal) cty.Value {
			s := f.o.StepAt(path)
			v, diags := path.TraverseAbs(p.Ctx)
			if diags.HasErrors() || s == nil || of != nil && of != s || path.RootName() != "step" {
				return cty.DynamicVal
			}
			if of == nil {
				script = f.endOfLoop(s)
			}
			of = s
			return iterated(v, lastOf(path), k)
		}
	}
	if !p.Holds(with(0)) || of == nil || script == "" || of.Iterations > mostAtOnce || !p.Fails(with(beyond)) {
		return ""
	}
	for k := 1; k <= of.Iterations+1; k++ {
		if !p.Holds(with(k)) {
			return ""
		}
	}
	return fmt.Sprintf("%sits script on %q ends with iteration %d, and one more breaks a gate, so the limit is never met and shows nothing here.\nhint: let the loop have no end by itself (times = \"*\"), so that max_iterations ends it, or say with == how many iterations there are", OfIterated, script, of.Iterations)
}

// endOfLoop is the step in a loop of which the script was used up as the loop ended by itself, "" where
// max_iterations ended it, or there is no such step.
func (f *File) endOfLoop(loop *observe.StepResult) string {
	s := loop.Step
	if s.Kind != plan.KindLoop || !f.alone() || f.struck || loop.Status != read.StatusSuccess || loop.Iterations < 1 ||
		s.Iterations > 0 && loop.Iterations >= s.Iterations || f.p.Allow[plan.GateOverConsumed] || f.p.Recording != nil || f.p.Responses != nil {
		return ""
	}
	names := []string{}
	for _, inner := range f.steps() {
		script := f.p.ScriptFor(inner.Name, "")
		if inner.Outer == loop.Node && inner.Step.When == nil && inner.Step.Gateway != nil && inner.Status == read.StatusSuccess &&
			script != nil && script.Address == inner.Name && script.Exhausted == "fail" && !slices.ContainsFunc(script.Entries, endless) {
			names = append(names, inner.Name)
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// endless reports whether an entry may answer more calls than came.
func endless(e *plan.Entry) bool {
	return e.Times == plan.Unlimited || e.Optional || e.Selects() || e.Replay != nil
}

// iterated is a value in which the number of iterations, or the list of them, is that of k, and of
// which nothing else is known.
func iterated(v cty.Value, name string, k int) cty.Value {
	switch t := v.Type(); {
	case v.IsNull() || !v.IsKnown():
	case t == cty.Number && name == Rounds[0]:
		return cty.NumberIntVal(int64(k))
	case t.IsTupleType() && name == Rounds[1]:
		return cty.TupleVal(slices.Repeat([]cty.Value{cty.DynamicVal}, k))
	}
	return cty.DynamicVal
}
