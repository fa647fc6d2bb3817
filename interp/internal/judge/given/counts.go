package given

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/trace"
)

// Counts are the queries of which a draw knows between which numbers their answers are.
var Counts = []string{"metric", "events"}

// Query is the answer to one of [Counts], of which a run found something: a number of what it
// counts, or so many events of each type, of which nothing else is known.
func (d Draw) Query(name string, args []cty.Value, found cty.Value) cty.Value {
	filter := cty.NullVal(cty.DynamicPseudoType)
	if len(args) > 0 {
		filter = args[len(args)-1]
	}
	if slices.ContainsFunc(args, func(v cty.Value) bool { return !v.IsWhollyKnown() }) {
		return cty.DynamicVal
	}
	switch {
	case name == "metric" && len(args) > 0 && args[0].Type() == cty.String && !args[0].IsNull():
		metric, _ := strings.CutPrefix(args[0].AsString(), strings.TrimSuffix(d.f.p.Prefix, "_")+"_")
		least, most := d.f.counted(metric, textOf(filter, "step_id"), filter)
		return d.number(&schema.Range{Least: least, Most: most}, fmt.Sprintf("metric %#v", args))
	case name == "events" && found.IsKnown() && found.Type().IsTupleType():
		return d.events(filter, found.AsValueSlice())
	}
	return cty.DynamicVal
}

// events are so many of each type that a filter lets pass and that may come at all.
func (d Draw) events(filter cty.Value, found []cty.Value) cty.Value {
	types := []trace.Type{trace.Type(textOf(filter, "type"))}
	few := math.Inf(1)
	if types[0] == "" {
		types, few = d.f.types(), max(fewEvents, d.reach)
	}
	list := []cty.Value{}
	for _, t := range types {
		r := schema.Range{Most: min(few, d.f.mostEvents(t, textOf(filter, "step")))}
		if t == trace.RunStart || t == trace.RunEnd {
			r.Most = 1
		}
		n, drawn := d.length(&r, fmt.Sprintf("events %#v %s", filter, t))
		if !drawn {
			return cty.DynamicVal
		}
		list = append(list, slices.Repeat([]cty.Value{eventOf(t, found)}, n)...)
	}
	return cty.TupleVal(list)
}

// types are those of the events that a run may have.
func (f *File) types() (list []trace.Type) {
	impossible := f.o.Impossible()
	for _, t := range event.Types() {
		if impossible[t.Type] == "" {
			list = append(list, t.Type)
		}
	}
	return list
}

// fewEvents is how many events of each type there are at most where all are asked for and no
// more matter.
const fewEvents = 4

// eventOf is an event of which nothing is known but its type, with the attributes of one that
// was found.
func eventOf(t trace.Type, found []cty.Value) cty.Value {
	i := max(0, slices.IndexFunc(found, func(e cty.Value) bool { return hasType(e, t) }))
	if i >= len(found) || !found[i].Type().IsObjectType() {
		return cty.DynamicVal
	}
	attrs := unknownOf(found[i : i+1])[0].AsValueMap()
	attrs["type"] = cty.StringVal(string(t))
	return cty.ObjectVal(attrs)
}

// textOf is an attribute of a filter that is a string, "" where it has none.
func textOf(filter cty.Value, name string) string {
	if filter.IsNull() || !filter.Type().IsObjectType() || !filter.Type().HasAttribute(name) {
		return ""
	}
	v := filter.GetAttr(name)
	if v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return ""
	}
	return v.AsString()
}

// counted is what a metric comes to at least and at most, of one step or of all.
func (f *File) counted(metric, step string, labels cty.Value) (least, most float64) {
	switch metric {
	case "retries_total":
		return 0, f.mostOfSteps(step, retriesOf)
	case "attempts_total":
		if step == "" && textOf(labels, "target") == "" && textOf(labels, "outcome") == "" {
			least = f.mostOfSteps(step, f.surelyDialled)
		}
		if math.IsInf(least, 1) {
			least = 0
		}
		return least, f.mostOfSteps(step, attemptsOf)
	case "mock_fault_total":
		return 0, f.mostFaults()
	case "routes_total":
		return 0, f.mostRoutes(textOf(labels, "actor"))
	case "breaker_state":
		return 0, 2 * float64(len(f.o.Targets))
	}
	return 0, math.Inf(1)
}

// surelyDialled is 1 for a step that dials whatever happens, and 0 for others.
func (f *File) surelyDialled(s *plan.Step) float64 {
	if f.dials(s) || f.dialsAny(s) {
		return 1
	}
	return 0
}

// mostEvents is how many events of a type there are at most.
func (f *File) mostEvents(t trace.Type, step string) float64 {
	switch t {
	case trace.RetryWait:
		return f.mostOfSteps(step, retriesOf)
	case trace.AttemptStart, trace.AttemptEnd:
		return f.mostOfSteps(step, attemptsOf)
	case trace.StepStart, trace.StepEnd:
		return f.mostOfSteps(step, func(*plan.Step) float64 { return 1 })
	case trace.Fault:
		return f.mostFaults()
	case trace.Route:
		return f.mostRoutes("")
	}
	return math.Inf(1)
}

// mostRoutes is how many calls are routed to an actor at most, to all of them for "".
func (f *File) mostRoutes(actor string) float64 {
	if f.p.Population != nil {
		if n := f.mostCalls(actor); n > 0 {
			return float64(n)
		}
	}
	return math.Inf(1)
}

func retriesOf(s *plan.Step) float64 {
	if s.Gateway == nil {
		return 0
	}
	return float64(s.Retry.MaxRetries)
}

func attemptsOf(s *plan.Step) float64 {
	if s.Gateway == nil {
		return 0
	}
	return float64((s.Retry.MaxRetries + 1) * len(s.Gateway.Targets))
}

// mostOfSteps is the sum of what steps come to at most, where each runs once at most.
func (f *File) mostOfSteps(step string, of func(*plan.Step) float64) (most float64) {
	if !f.eachOnce() {
		return math.Inf(1)
	}
	for _, s := range f.steps() {
		if step == "" || s.Name == step {
			most += of(s.Step)
		}
	}
	return most
}

// eachOnce reports whether every step of a run is its own, runs once at most, and in one turn.
func (f *File) eachOnce() bool {
	return f.alone() && len(f.p.Actions) == 0 && f.all(func(s *plan.Step) bool {
		return s.Inner == nil && !s.Substitute && len(s.Tools) == 0 && s.Target.Actor == ""
	})
}

// mostFaults is how many faults the script of a scenario injects at most.
func (f *File) mostFaults() (most float64) {
	p := f.p
	if p.BenchRun != nil || p.Recording != nil || p.Responses != nil || len(p.Outages) > 0 || p.Population != nil {
		return math.Inf(1)
	}
	for _, s := range p.Scripts {
		for _, e := range s.Entries {
			switch {
			case e.Fault == nil:
			case e.Times == plan.Unlimited || s.Exhausted != "fail" || s.Address == "*":
				return math.Inf(1)
			default:
				most += float64(e.Times)
			}
		}
	}
	return most
}
