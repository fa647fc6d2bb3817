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
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// ofAnyWord says why a condition on a value shows nothing that every value meets.
const ofAnyWord = "it holds whatever the value is: every one that it can have meets the condition, so it shows nothing here.\nhint: name the one that it has to be"

// allowsAll says why a condition that reads one value, which is of few kinds, cannot but
// hold: it is put to all of them. "" where it can.
func (c *checker) allowsAll(e hclsyntax.Expression) string {
	var path hcl.Traversal
	several := false
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ForExpr, *hclsyntax.SplatExpr, *hclsyntax.RelativeTraversalExpr:
			several = true
		case *hclsyntax.FunctionCallExpr:
			several = several || read.IsQuery(x.Name) || x.Name == "try" || x.Name == "can"
		case *hclsyntax.ScopeTraversalExpr:
			switch {
			case !isObserved(x.Traversal.RootName()):
			case path == nil:
				path = x.Traversal
			default:
				several = several || dsl.TraversalText(path) != dsl.TraversalText(x.Traversal)
			}
		}
	})
	if several || path == nil {
		return ""
	}
	all := observe.Range(path)
	if len(all) == 0 {
		return ""
	}
	if all[0].Type() == cty.Number {
		all = append(slices.Clip(all), numbersIn(e, all[0], all[len(all)-1])...)
	}
	a := dsl.NewAbsence(e, isObserved)
	for _, v := range all {
		ctx := c.ctx.NewChild()
		ctx.Variables = map[string]cty.Value{}
		for _, s := range a.Slots {
			ctx.Variables[s.Var] = v
		}
		if got, diags := dsl.Evaluate(a.Expr, ctx); diags.HasErrors() || !isTrue(got) {
			return ""
		}
	}
	return ofAnyWord
}

// mayAllowAll reports whether a condition has a form that every value of a kind may meet.
func mayAllowAll(e hclsyntax.Expression) bool {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.BinaryOpExpr:
		return x.Op == hclsyntax.OpLogicalOr || isOrder(x.Op)
	case *hclsyntax.FunctionCallExpr:
		return slices.Contains([]string{"contains", "anytrue", "alltrue", "regexmatch", "within"}, x.Name)
	case *hclsyntax.UnaryOpExpr:
		return mayAllowAll(x.Val)
	}
	return false
}

// numbersIn are the numbers that a condition compares with, and those beside them, as
// far as a value can be one of them.
func numbersIn(e hclsyntax.Expression, least, most cty.Value) (list []cty.Value) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if v, written := dsl.Literal(e); written && v.Type() == cty.Number && !v.IsNull() {
			one := cty.NumberIntVal(1)
			list = append(list, v.Subtract(one), v, v.Add(one))
		}
	})
	return slices.DeleteFunc(list, func(v cty.Value) bool {
		return v.LessThan(least).True() || v.GreaterThan(most).True()
	})
}

// ofImpossible says why to rule out what nothing can bring about shows nothing.
const ofImpossible = "it holds whatever the run does: it rules out nothing but what cannot come to pass here, as no event cancels the run, its workflow has no timeout, or no fanout aborts a sub, so it shows nothing here.\nhint: say what the status has to be"

// rulesOutImpossible says why a condition cannot but hold that rules out only statuses of
// the run and its steps which nothing in the scenario can bring about; "" where it can: it
// is put to all the others, with nothing else known, and to those.
func (c *checker) rulesOutImpossible(e hclsyntax.Expression) string {
	runs, steps := c.impossible()
	if c.amid || len(runs)+len(steps) == 0 || !readsStatus(e) {
		return ""
	}
	a := dsl.NewAbsence(e, isObserved)
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
	fans := len(p.Actions) > 0
	for _, s := range c.run.Obs.Steps {
		fans = fans || s.Step.Fanout != nil
	}
	if !fans {
		steps = append(steps, read.StatusAborted)
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
		attrs := keeping(v, func(string) bool { return false }).AsValueMap()
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
	i := slices.IndexFunc(types, refused)
	if i < 0 || slices.ContainsFunc(event.Types(), func(t trace.TypeInfo) bool { return impossible[t.Type] == "" && refused(t.Type) }) {
		return ""
	}
	return ofNoSubject(impossible[types[i]])
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
