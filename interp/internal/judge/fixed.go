package judge

import (
	"cmp"
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
	if why != "" {
		if _, known := c.known(dsl.NewAbsence(e, isObserved), c.fixedAt); known {
			return why
		}
	}
	return cmp.Or(c.neverRetried(e), c.neverStruck(e))
}

// fixedAt is what the file alone gives of an operand, unknown where it gives nothing.
func (c *checker) fixedAt(path hcl.Traversal) cty.Value {
	if v, is := c.fixed(path); is != "" {
		return v
	}
	return cty.DynamicVal
}

// known is what a condition comes to with other values of its operands, of which all may be
// unknown, and no answer of any query; and reports whether that is known.
func (c *checker) known(a *dsl.Absence, at func(hcl.Traversal) cty.Value) (v cty.Value, known bool) {
	return c.knownOf(a, at, nil)
}

// knownOf is known with other answers of the queries for events and spans, made of those
// that there are; nil for none.
func (c *checker) knownOf(a *dsl.Absence, at func(hcl.Traversal) cty.Value, found func(cty.Value) cty.Value) (v cty.Value, known bool) {
	ctx := c.ctx.NewChild()
	ctx.Variables, ctx.Functions = make(map[string]cty.Value, len(a.Slots)), map[string]function.Function{}
	for _, s := range a.Slots {
		ctx.Variables[s.Var] = cty.DynamicVal
		if !s.Caught {
			ctx.Variables[s.Var] = at(s.Path)
		}
	}
	for _, name := range observe.Queries() {
		ctx.Functions[name] = unseen
		if of, asked := c.ctx.Functions[name]; asked && found != nil && (name == "events" || name == "spans") {
			ctx.Functions[name] = observe.Query(func(args []cty.Value) (cty.Value, error) {
				v, err := of.Call(args)
				if err != nil {
					return v, err
				}
				return found(v), nil
			})
		}
	}
	v, diags := dsl.Evaluate(a.Expr, ctx)
	return v, !diags.HasErrors() && v.IsKnown()
}

// neverRetried is fixedByFile for what a condition says of the retries of steps that it
// goes through, in steps or by their names. Which of them ran, and how many, is what a run
// decides: so the condition holds with more of them and with fewer as well, and has no
// result without their retries.
func (c *checker) neverRetried(e hclsyntax.Expression) string {
	if c.run.Obs.Driven() || c.run.Plan.Instances > 1 || !readsRetries(e) {
		return ""
	}
	a := dsl.NewAbsence(e, isObserved)
	with := func(retries bool, some func([]cty.Value) []cty.Value) (cty.Value, bool) {
		return c.known(a, func(path hcl.Traversal) cty.Value {
			v, diags := path.TraverseAbs(c.ctx)
			switch root := path.RootName(); {
			case diags.HasErrors():
			case len(path) == 1 && root == "steps" && v.Type().IsTupleType():
				list := v.AsValueSlice()
				for i, s := range list {
					list[i] = c.withRetries(textAt(s, "name"), s, retries)
				}
				return cty.TupleVal(some(list))
			case len(path) == 1 && root == "step" && isAnyObject(v):
				attrs := v.AsValueMap()
				for name, s := range attrs {
					attrs[name] = c.withRetries(name, s, retries)
				}
				return cty.ObjectVal(attrs)
			case root == "steps" && len(path) == 3 && retries:
				return c.retriesAt(path, v)
			case retries:
				return c.fixedAt(path)
			}
			return cty.DynamicVal
		})
	}
	for _, some := range []func([]cty.Value) []cty.Value{
		func(list []cty.Value) []cty.Value { return list },
		func(list []cty.Value) []cty.Value { return slices.Concat(list, list) },
		func(list []cty.Value) []cty.Value { return list[:min(1, len(list))] },
	} {
		if v, known := with(true, some); !known || !isTrue(v) {
			return ""
		}
		if _, known := with(false, some); known {
			return ""
		}
	}
	return ofNoPolicy
}

// retriesAt is the value of an attribute of one of the steps, unknown where a run decides it.
func (c *checker) retriesAt(path hcl.Traversal, v cty.Value) cty.Value {
	attr, _ := read.AttrName(path, 2)
	of, diags := path[:2].TraverseAbs(c.ctx)
	if s := c.run.Obs.Steps[textAt(of, "name")]; diags.HasErrors() || s == nil || !neverRetries(s.Step) || !slices.Contains(ofRetries, attr) {
		return cty.DynamicVal
	}
	return v
}

// withRetries is a step of which nothing is known, but its retries and waits where it has
// no policy.
func (c *checker) withRetries(name string, v cty.Value, retries bool) cty.Value {
	if v.IsNull() || !v.Type().IsObjectType() {
		return cty.DynamicVal
	}
	s := c.run.Obs.Steps[name]
	fixed := retries && s != nil && neverRetries(s.Step)
	return keeping(v, func(name string) bool { return fixed && slices.Contains(ofRetries, name) })
}

// ofRetries are the attributes of a step that say what its policy did.
var ofRetries = []string{"retries", "delays_ms"}

// neverRetries reports whether nothing repeats a step. One of a policy that says so does
// that on purpose.
func neverRetries(s *plan.Step) bool { return s.Retry.MaxRetries == 0 && s.Retry.Name == "" }

// readsRetries reports whether an expression reads the retries or waits of something.
func readsRetries(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) { found = found || slices.Contains(ofRetries, lastName(e)) })
	return found
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
	case attr == "replaced_by" && !c.replaces():
		return v, ofNoSubject("a fallback for the step")
	case attr == "rejections" && neverRefused(s.Step) && c.run.Plan.Population == nil:
		return v, ofNoSubject("a policy that refuses calls of the step")
	case attr == "skipped_reason" && c.alwaysBegins(s.Step):
		return v, ofNoSubject("a reason to skip the step")
	case slices.Contains(ofRetries, attr) && s.Step.Gateway != nil && neverRetries(s.Step) && c.run.Plan.Instances <= 1:
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

// replaces reports whether a step of the scenario is the fallback of another one, also if
// its on_failure switches it off.
func (c *checker) replaces() bool {
	for _, s := range c.run.Obs.Steps {
		if s.Step.Fallback >= 0 || s.Step.Substitute {
			return true
		}
	}
	return false
}

// neverRefused reports whether nothing refuses a call of a step without a dial.
func neverRefused(s *plan.Step) bool {
	return s.Gateway != nil && len(s.Gateway.Targets) == 1 && len(s.Gateway.Targets[0].Policies) == 0 && s.Bulkhead == nil && len(s.Gateway.Targets[0].Models) == 0
}

// alwaysBegins reports whether nothing keeps a step from running.
func (c *checker) alwaysBegins(s *plan.Step) bool {
	p := c.run.Plan
	return p.Workflow != nil && len(p.Workflow.Steps) == 1 && p.Workflow.Steps[0] == s && s.When == nil && len(p.Actions) == 0 && p.Workflow.Timeout == 0
}

// onlyFanouts reports whether all steps of a run succeed in every run.
func (c *checker) onlyFanouts() bool {
	w := c.run.Plan.Workflow
	return w != nil && len(w.Steps) > 0 && w.Output == nil && !slices.ContainsFunc(w.Steps, func(s *plan.Step) bool { return !c.alwaysSucceeds(s) })
}
