package judge

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Why what no run decides shows nothing.
const (
	ofNames    = "it holds whatever the run does: which parts there are, and in which order, is what the file says, so it shows nothing here.\nhint: check what became of them, such as [for s in fanout.NAME.subs : s.status]"
	ofNoPolicy = "it holds whatever the run does: the step has no retry policy, so nothing is ever tried again, and it shows nothing here.\nhint: give the step a retry, or leave the check out"
	ofFanout   = "it holds whatever the run does: a fanout succeeds whatever becomes of its subs, so it shows nothing here.\nhint: check them, such as [for s in fanout.NAME.subs : s.status], or fanout.NAME.aggregate"
)

// fixedByFile says why a condition that holds would hold in every run: it is decided by
// what the file alone gives of what a run observes, "" where it is not.
func (c *checker) fixedByFile(e hclsyntax.Expression) (why string) {
	if c.amid {
		return ""
	}
	for t := range dsl.Variables(e) {
		if _, now := c.fixed(t); now != "" {
			why = now
		}
	}
	if why == "" {
		return ""
	}
	a := dsl.NewAbsence(e, isObserved)
	ctx := c.ctx.NewChild()
	ctx.Variables, ctx.Functions = make(map[string]cty.Value, len(a.Slots)), map[string]function.Function{}
	for _, s := range a.Slots {
		ctx.Variables[s.Var] = cty.DynamicVal
		if v, is := c.fixed(s.Path); is != "" && !s.Caught {
			ctx.Variables[s.Var] = v
		}
	}
	for _, name := range observe.Queries() {
		ctx.Functions[name] = unseen
	}
	if v, diags := dsl.Evaluate(a.Expr, ctx); diags.HasErrors() || !v.IsKnown() {
		return ""
	}
	return why
}

// fixed is what the file alone gives of a path of a result, with unknown values for all
// that a run decides, and says why that is so; "" where it gives nothing.
func (c *checker) fixed(t hcl.Traversal) (cty.Value, string) {
	if len(t) == 1 {
		if !slices.Contains([]string{"step", "fanout", "classify", "endpoint", "target", "breaker", "actor"}, t.RootName()) {
			return cty.NilVal, ""
		}
		v, diags := t.TraverseAbs(c.ctx)
		if diags.HasErrors() || v.IsNull() || !v.Type().IsObjectType() {
			return cty.NilVal, ""
		}
		return keeping(v, func(string) bool { return false }), ofNames
	}
	o := c.run.Obs
	if o.Driven() {
		return cty.NilVal, ""
	}
	if t.RootName() == "run" {
		if attr, _ := read.AttrName(t, 1); len(t) == 2 && attr == "status" && c.onlyFanouts() {
			return cty.StringVal(o.Run.Status), ofFanout
		}
		return cty.NilVal, ""
	}
	s := o.StepAt(t)
	if s == nil || !s.Began {
		return cty.NilVal, ""
	}
	at := 2 + strings.Count(s.Name, ".")
	attr, named := read.AttrName(t, at)
	if !named {
		return cty.NilVal, ""
	}
	v, diags := t.TraverseAbs(c.ctx)
	switch {
	case diags.HasErrors():
	case attr == "subs" && t.RootName() == "fanout":
		if len(t) > at+2 {
			if name, _ := read.AttrName(t, at+2); slices.Contains(ofSub, name) {
				return v, ofNames
			}
			return cty.NilVal, ""
		}
		return withNames(v), ofNames
	case len(t) != at+1:
	case (attr == "status" || attr == stepErrors) && c.alwaysSucceeds(s.Step):
		return v, ofFanout
	case (attr == "retries" || attr == "delays_ms") && s.Step.Gateway != nil && s.Step.Retry.MaxRetries == 0 && s.Step.Retry.Name == "" && c.run.Plan.Instances <= 1:
		return v, ofNoPolicy
	}
	return cty.NilVal, ""
}

// givenBy says why the file alone gives an attribute of a result, "" where a run does.
func (c *checker) givenBy(t hcl.Traversal) string {
	_, why := c.fixed(t)
	return why
}

// ofSub are the attributes of a sub that the file gives.
var ofSub = []string{"id", "target", "group", "priority"}

// withNames is a list of subs, or one of them, with nothing known of them but what the
// file gives.
func withNames(v cty.Value) cty.Value {
	switch {
	case v.IsNull():
	case v.Type().IsTupleType():
		list := v.AsValueSlice()
		for i, s := range list {
			list[i] = withNames(s)
		}
		return cty.TupleVal(list)
	case v.Type().IsObjectType():
		return keeping(v, func(name string) bool { return slices.Contains(ofSub, name) })
	}
	return v
}

// keeping is an object with unknown values for all attributes but some.
func keeping(v cty.Value, known func(name string) bool) cty.Value {
	attrs := v.AsValueMap()
	for name := range attrs {
		if !known(name) {
			attrs[name] = cty.DynamicVal
		}
	}
	return cty.ObjectVal(attrs)
}

// alwaysSucceeds reports whether a step succeeds in every run: one that fans out fails
// for no failure of its subs, and nothing else can end it or keep it from beginning.
func (c *checker) alwaysSucceeds(s *plan.Step) bool {
	p := c.run.Plan
	return s.Fanout != nil && s.When == nil && s.Timeout == 0 && len(s.Validates) == 0 && len(s.After) == 0 && !s.Substitute && s.Args["arguments"] == nil &&
		len(p.Actions) == 0 && p.Workflow != nil && p.Workflow.Timeout == 0 && slices.Contains(p.Workflow.Steps, s)
}

// onlyFanouts reports whether all steps of a run succeed in every run.
func (c *checker) onlyFanouts() bool {
	w := c.run.Plan.Workflow
	return w != nil && len(w.Steps) > 0 && w.Output == nil && !slices.ContainsFunc(w.Steps, func(s *plan.Step) bool { return !c.alwaysSucceeds(s) })
}
