// Package paced tells of checks of a program's waits that hold of a wait which programs choose by
// themselves, too, where an answer said how long to wait.
//
//	waits := paced.Waits{Run: observed}
//	why := waits.Why(condition, ctx, value) // "" where nothing is to be told
package paced

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/stdlib"
)

// A pace is how long a program waits by itself, whatever an answer says.
type pace struct {
	first  time.Duration
	factor float64
}

// paces are the waits that clients are commonly given: curl --retry and the policies of many libraries
// wait a second and double that, those of model SDKs begin with half a second, Polly with two.
var paces = []pace{{time.Second, 1}, {time.Second, 2}, {500 * time.Millisecond, 2}, {2 * time.Second, 2}}

// wait is that before retry n, 0 for the first, in milliseconds.
func (p pace) wait(n int, scale float64) cty.Value {
	return cty.NumberFloatVal(float64(p.first.Milliseconds()) * math.Pow(p.factor, float64(n)) * scale)
}

func (p pace) String() string {
	if p.factor == 1 {
		return "waits " + p.first.String()
	}
	return fmt.Sprintf("waits %s and doubles that each time", p.first)
}

// Value evaluates a condition with its operands as a function says, and reports whether its result is
// known.
type Value func(e hclsyntax.Expression, at func(hcl.Traversal) cty.Value) (v cty.Value, known bool)

// Waits are those of a run, with what its assertions say of the paces, which is found out once.
type Waits struct {
	Run *observe.Observed

	told     map[string]time.Duration
	excluded map[pace]bool
}

// Why says of a condition that holds that it would hold of a program which heeds no Retry-After, if it
// waits by itself as programs do, and that no other assertion of the scenario would fail then. "" where
// it has to be heeded, where no answer that the condition reads had one, or where the condition asks
// for no wait. Times are those of a program.
func (w *Waits) Why(condition hclsyntax.Expression, ctx *hcl.EvalContext, value Value) string {
	o := w.Run
	if o.Way != plan.Exec && o.Way != plan.Serve || !Reads(condition) {
		return ""
	}
	scale := 1.0
	if o.Plan.Sut != nil && o.Plan.Sut.TimeScale > 0 {
		scale = o.Plan.Sut.TimeScale
	}
	is := func(want bool, e hclsyntax.Expression, p pace) bool {
		v, known := value(e, operands(ctx, p, scale))
		return known && v.RawEquals(cty.BoolVal(want))
	}
	if w.told == nil {
		w.told = told(o)
	}
	atOnce := pace{20 * time.Millisecond, 1}
	for _, part := range dsl.Conjuncts(condition) {
		asked := longest(part, w.told)
		if asked == 0 || !is(false, part, atOnce) {
			continue
		}
		for _, p := range paces {
			if !is(true, part, p) || resilient(o.Plan) && p.first < time.Duration(float64(asked)/scale) || w.excludes(p, is) {
				continue
			}
			return fmt.Sprintf("it holds of a program that does not read Retry-After, too, if it %s by itself, so it shows less than that the program waits as long as it is told.\nhint: have the answer ask for a wait that programs do not choose by themselves, such as 3 seconds, and check for that: within(…, \"2900ms\", \"4500ms\")", p)
		}
	}
	return ""
}

// excludes reports whether an assertion of the scenario fails of a pace.
func (w *Waits) excludes(p pace, is func(want bool, e hclsyntax.Expression, p pace) bool) bool {
	excluded, known := w.excluded[p]
	if !known {
		excluded = slices.ContainsFunc(w.Run.Plan.Asserts, func(a *plan.Assertion) bool {
			return Reads(a.Condition) && slices.ContainsFunc(dsl.Conjuncts(a.Condition), func(e hclsyntax.Expression) bool { return is(false, e, p) })
		})
		if w.excluded == nil {
			w.excluded = map[pace]bool{}
		}
		w.excluded[p] = excluded
	}
	return excluded
}

// names are the attributes that are waits of a program.
var names = []string{"gaps_ms", "gap_ms", "delays_ms"}

// Reads reports whether a condition reads waits, so that there may be something to tell.
func Reads(e hclsyntax.Expression) bool {
	for name := range read.Names(e) {
		if slices.Contains(names, name) {
			return true
		}
	}
	return false
}

// resilient reports whether invariants of the standard library see a program that comes back too soon.
func resilient(p *plan.Plan) bool {
	return slices.ContainsFunc(p.Invariants, func(i *plan.Invariant) bool { return stdlib.IsModule(i.Rng.Filename) })
}

// told is the longest wait that answers asked a program for, by endpoint.
func told(o *observe.Observed) map[string]time.Duration {
	all := map[string]time.Duration{}
	for _, e := range o.Log.Events() {
		if p, is := e.Payload.(*event.AttemptEnd); is && p.Served != nil && p.Failed != nil && p.Failed.RetryAfter != nil {
			all[e.Step] = max(all[e.Step], *p.Failed.RetryAfter)
		}
	}
	return all
}

// longest is the longest of them that came from what a condition reads.
func longest(e hclsyntax.Expression, told map[string]time.Duration) (asked time.Duration) {
	for t := range dsl.Variables(e) {
		if name, _ := read.AttrName(t, 1); t.RootName() == "endpoint" || t.RootName() == "step" {
			asked = max(asked, told[name])
		}
	}
	return asked
}

// operands are those of a condition with the waits of a pace, and nothing else of them known but how
// many there are.
func operands(ctx *hcl.EvalContext, p pace, scale float64) func(hcl.Traversal) cty.Value {
	return func(path hcl.Traversal) cty.Value {
		v, diags := path.TraverseAbs(ctx)
		if diags.HasErrors() || path.RootName() != "endpoint" && path.RootName() != "step" {
			return cty.DynamicVal
		}
		name, n := "", 0
		for i, step := range path {
			if now, is := read.AttrName(path, i); is {
				name = now
			}
			if index, is := step.(hcl.TraverseIndex); is && index.Key.Type() == cty.Number {
				at, _ := index.Key.AsBigFloat().Int64()
				n = int(at)
			}
		}
		if name == "gap_ms" {
			n--
		}
		return paced(v, name, max(0, n), p, scale)
	}
}

// paced is a value whose waits are those of a pace; n is which wait a number is.
func paced(v cty.Value, name string, n int, p pace, scale float64) cty.Value {
	switch t := v.Type(); {
	case v.IsNull() || !v.IsKnown():
		return v
	case t.IsTupleType():
		list, n := v.AsValueSlice(), 0
		for i, e := range list {
			list[i] = paced(e, name, n, p, scale)
			if n++; name == "attempts" && isFirst(e) {
				n = 0
			}
		}
		return cty.TupleVal(list)
	case t.IsObjectType():
		attrs := v.AsValueMap()
		for name := range attrs {
			attrs[name] = paced(attrs[name], name, n, p, scale)
		}
		return cty.ObjectVal(attrs)
	case t == cty.Number && slices.Contains(names, name):
		return p.wait(n, cmp.Or(scale, 1))
	}
	return cty.DynamicVal
}

// isFirst reports whether an attempt is the first of its call, which has no wait before it.
func isFirst(v cty.Value) bool {
	return v.Type().IsObjectType() && v.Type().HasAttribute("gap_ms") && v.GetAttr("gap_ms").IsNull()
}
