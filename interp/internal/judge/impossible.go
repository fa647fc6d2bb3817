package judge

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge/given"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// ofImpossible says why to rule out what nothing can bring about shows nothing.
const ofImpossible = "it holds whatever the run does: it rules out nothing but what cannot come to pass here, as no event cancels it, it has no timeout, or no fanout aborts a sub, so it shows nothing here.\nhint: say what the status has to be"

// rulesOutImpossible says why a condition cannot but hold that rules out only statuses of
// the run and its steps which nothing in the scenario can bring about; "" where it can: it
// is put to all the others, with nothing else known, and to those.
func (c *checker) rulesOutImpossible(e hclsyntax.Expression) string {
	if c.amid || isPoint(e) || !readsStatus(e) { // success and failed may both be
		return ""
	}
	runs, steps := c.impossible()
	if len(runs)+len(steps) == 0 {
		return ""
	}
	a := c.absence(e)
	holds := func(run, step string) bool {
		v, known := c.known(a, func(path hcl.Traversal) cty.Value { return c.ofStatus(path, cty.StringVal(run), cty.StringVal(step)) })
		return known && isTrue(v)
	}
	broken := false
	for _, run := range read.RunStatus.Members {
		for _, step := range read.StepStatus.Members {
			switch might := !slices.Contains(runs, run) && !slices.Contains(steps, step); {
			case holds(run, step):
			case might:
				return ""
			default:
				broken = true
			}
		}
	}
	if !broken {
		return ""
	}
	return ofImpossible
}

// impossible are the statuses that the run and its steps cannot have, whatever is under
// test.
func (c *checker) impossible() (runs, steps []string) {
	p := c.run.Plan
	if c.run.Obs.Driven() || p.Workflow == nil || p.BenchRun != nil || p.Instances > 1 {
		return nil, nil
	}
	if p.Workflow.Timeout == 0 {
		runs = append(runs, read.StatusTimeout)
	}
	if !slices.ContainsFunc(p.Actions, func(a *plan.Action) bool { return a.Event != nil && a.Event.Cancel.Typ == "run" }) {
		runs = append(runs, read.StatusCancelled)
	}
	fans, outer, timed := false, false, false
	goesOn := false
	for _, s := range c.run.Obs.Steps {
		goesOn = goesOn || s.Step.AfterFailure == plan.GoOn
		fans, outer, timed = fans || s.Step.Fanout != nil, outer || s.Step.Inner != nil, timed || s.Step.Timeout > 0
	}
	if !goesOn {
		runs = append(runs, read.StatusPartial)
	}
	if !fans {
		steps = append(steps, read.StatusAborted)
	}
	if len(p.Actions) > 0 {
		return runs, steps // a call has the other endings of what it asks
	}
	if !fans && !outer && p.Workflow.Timeout == 0 && !given.CancelsOthers(p.Workflow) {
		steps = append(steps, read.StatusCancelled)
	}
	if !fans && !outer && !timed {
		steps = append(steps, read.StatusTimeout)
	}
	return runs, steps
}

// ofStatus is what a path comes to where the run and its steps have some status, and
// nothing else is known.
func (c *checker) ofStatus(path hcl.Traversal, run, step cty.Value) cty.Value {
	last, _ := read.AttrName(path, len(path)-1)
	of := func(v cty.Value) cty.Value {
		if !isAnyObject(v) || !v.Type().HasAttribute("status") {
			return cty.DynamicVal
		}
		attrs := v.AsValueMap()
		for name := range attrs {
			attrs[name] = cty.DynamicVal
		}
		attrs["status"] = step
		return cty.ObjectVal(attrs)
	}
	switch root := path.RootName(); {
	case root == "run" && len(path) == 2 && last == "status":
		return run
	case root == "step" && last == "status" && c.run.Obs.StepAt(path) != nil, root == "steps" && len(path) == 3 && last == "status":
		return step
	case len(path) == 1 && (root == "steps" || root == "step"):
		v, diags := path.TraverseAbs(c.ctx)
		switch {
		case diags.HasErrors():
		case v.Type().IsTupleType():
			list := v.AsValueSlice()
			for i, s := range list {
				list[i] = of(s)
			}
			return cty.TupleVal(list)
		case isAnyObject(v):
			attrs := v.AsValueMap()
			for name, s := range attrs {
				attrs[name] = of(s)
			}
			return cty.ObjectVal(attrs)
		}
	}
	return cty.DynamicVal
}

// readsStatus reports whether an expression reads the status of something.
func readsStatus(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) { found = found || lastName(e) == "status" })
	return found
}

// neverCome says that a condition holds only because events are not among all of them
// which no run of the scenario has: it does not with one of those, and does with one of
// any other type.
func (c *checker) neverCome(e hclsyntax.Expression) string {
	if c.amid || !mentionsCall(e, "events") {
		return ""
	}
	impossible := c.run.Obs.Impossible()
	refused := func(t trace.Type) bool {
		v, known := c.withEvents(e, "type", func(list []cty.Value) []cty.Value { return append(list, likeOneOf(list, t)) })
		return known && !isTrue(v)
	}
	types := slices.Sorted(maps.Keys(impossible))
	all, known := c.withEvents(e, "type", func(list []cty.Value) []cty.Value {
		for _, t := range types {
			list = append(list, likeOneOf(list, t))
		}
		return list
	})
	if known && isTrue(all) {
		return "" // it holds with one of each, so it is about none of them
	}
	i := slices.IndexFunc(types, refused)
	if i < 0 || slices.ContainsFunc(event.Types(), func(t trace.TypeInfo) bool { return impossible[t.Type] == "" && refused(t.Type) }) {
		return ""
	}
	return given.NoSubject(impossible[types[i]])
}

// withEvents is a condition with other events than there were, where it asks for some
// without a filter for an attribute; and reports whether it has a result.
func (c *checker) withEvents(e hclsyntax.Expression, filter string, others func([]cty.Value) []cty.Value) (v cty.Value, known bool) {
	f, asked := c.ctx.Functions["events"]
	if !asked {
		return cty.NilVal, false
	}
	ctx := c.ctx.NewChild()
	ctx.Functions = map[string]function.Function{"events": observe.Query(func(args []cty.Value) (cty.Value, error) {
		v, err := f.Call(args)
		if err != nil || !v.Type().IsTupleType() || v.LengthInt() == 0 || len(args) > 0 && textAt(args[0], filter) != "" {
			return v, err
		}
		return cty.TupleVal(others(v.AsValueSlice())), nil
	})}
	v, diags := dsl.Evaluate(e, ctx)
	return v, !diags.HasErrors() && v.IsKnown()
}

// likeOneOf is an event of a type which is else as one of some is, that of a step where
// there is one.
func likeOneOf(list []cty.Value, t trace.Type) cty.Value {
	like := list[0]
	if i := slices.IndexFunc(list, func(v cty.Value) bool { return textAt(v, "step") != "" }); i >= 0 {
		like = list[i]
	}
	more := like.AsValueMap()
	more["type"] = cty.StringVal(string(t))
	return cty.ObjectVal(more)
}

// ofNoSuchFault says why to rule out faults that the scenario does not inject shows nothing.
const ofNoSuchFault = "it holds whatever the run does: it rules out nothing but faults that the scenario does not inject, so it shows nothing here.\nhint: leave the check out, or inject the fault that it is about"

// neverStruck says why a condition cannot but hold that says of faults only that there are
// none which the scenario does not inject: it holds with each of those that it does, and
// without one, whatever else is observed and however often.
func (c *checker) neverStruck(e hclsyntax.Expression) string {
	if !readsFault(e) {
		return ""
	}
	kinds, known := c.run.Obs.Faults()
	if !known {
		return ""
	}
	a := c.absence(e)
	with := func(some given.Many, faults ...cty.Value) (cty.Value, bool) {
		world := func(v cty.Value) cty.Value { return struckBy(v, some, faults) }
		return c.knownOf(a, func(path hcl.Traversal) cty.Value {
			root, diags := path[:1].TraverseAbs(c.ctx)
			if diags.HasErrors() {
				return cty.DynamicVal
			}
			v, diags := path[1:].TraverseRel(world(root))
			if diags.HasErrors() {
				return cty.DynamicVal
			}
			return v
		}, func(_ string, _ []cty.Value, v cty.Value) cty.Value { return world(v) })
	}
	none := cty.NullVal(cty.String)
	for _, some := range given.OftenOrNot {
		for _, kind := range append([]cty.Value{none}, kinds...) {
			for _, faults := range [][]cty.Value{{kind}, {none, kind}} {
				if v, known := with(some, faults...); !known || !isTrue(v) {
					return ""
				}
			}
		}
	}
	if len(kinds) == 0 {
		return given.NoSubject("a fault")
	}
	return ofNoSuchFault
}

// ofFault are the attributes that tell which fault struck an attempt, in results, events
// and spans.
var ofFault = []string{"fault", "fault_type", "mock.fault_type"}

// struckBy is a value of which nothing is known but the faults, one after the other, and
// that has other numbers of elements.
func struckBy(v cty.Value, some given.Many, faults []cty.Value) cty.Value {
	switch {
	case v.IsNull() || !v.IsKnown():
	case v.Type().IsTupleType():
		list := some(v.AsValueSlice())
		for i, e := range list {
			list[i] = struckBy(e, some, append(faults[i%len(faults):len(faults):len(faults)], faults[:i%len(faults)]...))
		}
		return cty.TupleVal(list)
	case v.Type().IsObjectType():
		attrs := v.AsValueMap()
		for name, part := range attrs {
			attrs[name] = struckBy(part, some, faults)
			if slices.Contains(ofFault, name) {
				attrs[name] = faults[0]
			}
		}
		return cty.ObjectVal(attrs)
	}
	return cty.DynamicVal
}

// readsFault reports whether an expression reads by which fault something was struck.
func readsFault(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		found = found || slices.Contains(ofFault, lastName(e))
		if x, index := e.(*hclsyntax.IndexExpr); index {
			key, written := dsl.Literal(x.Key)
			found = found || written && isString(key) && slices.Contains(ofFault, key.AsString())
		}
	})
	return found
}
