package given

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Tries are the attributes that say how often something was tried, or between which attempts
// was waited.
var Tries = []string{"attempts", "retries", "delays_ms", "gaps_ms"}

// OfEnough begins to say that a limit on how often something is tried shows nothing.
const OfEnough = "it holds however often it would be tried: "

// beyond is so many attempts that no limit allows them which a file could mean.
const beyond = 5_000

// Enough says why an upper limit on how often one step is tried shows nothing: it holds with every
// number of attempts up to one more than that which came, and the last of these succeeded, so that
// no policy and no program could have made more. One that allows what came alone is left as it is:
// it says how many there were. "" where it shows something. holds and fails report whether the
// condition does where operands are as the function says, and nothing else is known.
func (f *File) Enough(ctx *hcl.EvalContext, holds, fails func(at func(hcl.Traversal) cty.Value) bool) string {
	most, steps := 0, map[string]bool{}
	with := func(k int) func(hcl.Traversal) cty.Value {
		return func(path hcl.Traversal) cty.Value {
			v, diags := path.TraverseAbs(ctx)
			tries := f.succeededAfter(path)
			if diags.HasErrors() || tries < 2 {
				return cty.DynamicVal
			}
			most = max(most, tries)
			steps[dsl.TraversalText(path[:min(2, len(path))])] = true
			return tried(v, lastOf(path), k)
		}
	}
	if !holds(with(1)) || most == 0 || most > mostAtOnce || len(steps) > 1 || !fails(with(beyond)) {
		return ""
	}
	for k := 2; k <= most+1; k++ {
		if !holds(with(k)) {
			return ""
		}
	}
	return fmt.Sprintf("%sattempt %d succeeded, and nothing is tried again after that, so the limit is never met and shows nothing here.\nhint: let every attempt fail (times = \"*\"), or say with == how many there are", OfEnough, most)
}

// succeededAfter is with which attempt a step succeeded of which an operand tells, or the only call
// of a program, 0 where it did not, or something else may be tried after a success. Which
// attempt of a step of its own succeeds, no script says where a program answers them.
func (f *File) succeededAfter(path hcl.Traversal) (tries int) {
	var s *observe.StepResult
	switch root := path.RootName(); root {
	case "steps":
		if f.o.Driven() {
			return 0
		}
		for _, s := range f.o.Order {
			if !f.succeeded(s) {
				return 0
			}
			tries = max(tries, s.Tries())
		}
		return tries
	case "step":
		s = f.o.StepAt(path)
	case "endpoint":
		name, _ := read.AttrName(path, 1)
		s = f.o.Steps[name]
	}
	if s == nil {
		return 0
	}
	if f.plays(s.Step) {
		if f.succeeded(s) && !f.o.Driven() {
			return s.Tries()
		}
		return 0
	}
	script := f.p.ScriptFor(s.Name, "")
	if f.p.Allow[plan.GateOverConsumed] || f.p.Recording != nil || script == nil || script.Exhausted != "fail" ||
		slices.ContainsFunc(script.Entries, func(e *plan.Entry) bool { return e.Times == plan.Unlimited }) {
		return 0
	}
	return s.OneCall()
}

// succeeded reports whether a step of the run succeeded, and nothing of it is tried after that.
func (f *File) succeeded(s *observe.StepResult) bool {
	return s.Status == read.StatusSuccess && !f.struck && f.p.Population == nil && endsWithSuccess(s.Step)
}

// tried is a value in which each list and number of [Tries] is that of k attempts, or of as many
// as there were, and of which nothing else is known.
func tried(v cty.Value, name string, k int) cty.Value {
	few := func(n int) cty.Value {
		return cty.TupleVal(slices.Repeat([]cty.Value{cty.DynamicVal}, max(0, n)))
	}
	switch t := v.Type(); {
	case v.IsNull() || !v.IsKnown():
		return cty.DynamicVal
	case t.IsTupleType() && name == "attempts":
		return few(k)
	case t.IsTupleType() && slices.Contains(Tries, name):
		return few(k - 1)
	case t.IsTupleType():
		list := v.AsValueSlice()
		for i := range list {
			list[i] = tried(list[i], name, k)
		}
		return cty.TupleVal(list)
	case t.IsObjectType():
		attrs := v.AsValueMap()
		for _, name := range slices.Sorted(maps.Keys(attrs)) {
			attrs[name] = tried(attrs[name], name, k)
		}
		return cty.ObjectVal(attrs)
	case t == cty.Number && name == "retries":
		return cty.NumberIntVal(int64(k - 1))
	}
	return cty.DynamicVal
}
