package given

import (
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/schema"
)

// A File is what the file of a run says, which no run changes.
type File struct {
	o *observe.Observed
	p *plan.Plan
	// steps are those that a run observes, in no order.
	steps func() []*observe.StepResult
	// shapes are those of the roots of conditions, made once.
	shapes func() map[string]*schema.Shape
	// struck says that faults which the scenario does not inject may strike the run, so that
	// it may fail.
	struck bool
}

// New is the file of a run.
func New(o *observe.Observed) *File {
	f := &File{o: o, p: o.Plan, steps: sync.OnceValue(func() []*observe.StepResult { return slices.Collect(maps.Values(o.Steps)) })}
	f.shapes = sync.OnceValue(func() map[string]*schema.Shape { return allShapes(f) })
	return f
}

// UnderFaults is the file for runs that faults may strike which the scenario does not inject.
func (f *File) UnderFaults() *File {
	f.struck = true
	return f
}

// Shapes are those of the roots of conditions.
func (f *File) Shapes() map[string]*schema.Shape { return f.shapes() }

// all reports whether something is true of every step of the scenario.
func (f *File) all(is func(*plan.Step) bool) bool {
	return !slices.ContainsFunc(f.steps(), func(s *observe.StepResult) bool { return !is(s.Step) })
}

// alone reports whether the steps of the run are all that there is: no actor, no program
// and no second run of the workflow.
func (f *File) alone() bool { return !f.o.Driven() && f.p.Population == nil && f.p.Instances <= 1 }

// plays reports whether the run makes the calls of a step itself: in a run of a program it does
// where that serves it.
func (f *File) plays(s *plan.Step) bool {
	return !f.o.Driven() || f.o.Way == plan.Exec && s.Endpoint == nil && f.p.Sut.Serving() != nil
}

// begins reports whether a step begins with the run, whatever happens.
func (f *File) begins(s *plan.Step) bool {
	w := f.p.Workflow
	return f.alone() && w != nil && (w.MaxConcurrent <= 0 || len(w.Steps) <= w.MaxConcurrent) && len(f.p.Actions) == 0 &&
		slices.Contains(w.Steps, s) && s.When == nil && len(s.After) == 0 && !s.Substitute
}

// dials reports whether a step dials its target as the run begins, whatever happens.
func (f *File) dials(s *plan.Step) bool {
	return f.begins(s) && NeverRefused(s) && !f.p.Workflow.Budget.Limited()
}

// oneTarget is the target that a step may call where there is just one, nil else.
func oneTarget(s *plan.Step) *plan.Target {
	if s.Gateway == nil || len(s.Gateway.Targets) != 1 {
		return nil
	}
	return s.Gateway.Targets[0]
}

// oneProvider is the provider behind all targets of a step, nil where there are several.
func oneProvider(s *plan.Step) *plan.Provider {
	if s.Gateway == nil {
		return nil
	}
	p := s.Gateway.Targets[0].Provider
	if slices.ContainsFunc(s.Gateway.Targets, func(t *plan.Target) bool { return t.Provider != p }) {
		return nil
	}
	return p
}

// NeverRetries reports whether nothing repeats a step. One of a policy that says so does
// that on purpose.
func NeverRetries(s *plan.Step) bool { return s.Retry.MaxRetries == 0 && s.Retry.Name == "" }

// NeverRefused reports whether nothing refuses a call of a step without a dial.
func NeverRefused(s *plan.Step) bool {
	return s.Gateway != nil && len(s.Gateway.Targets) == 1 && len(s.Gateway.Targets[0].Policies) == 0 && s.Bulkhead == nil && len(s.Gateway.Targets[0].Models) == 0
}

// alwaysSucceeds reports whether a step succeeds in every run: one that fans out fails
// for no failure of its subs, and nothing else can end it or keep it from beginning.
func (f *File) alwaysSucceeds(s *plan.Step) bool {
	p := f.p
	return s.Fanout != nil && s.When == nil && s.Timeout == 0 && len(s.Validates) == 0 && len(s.After) == 0 && !s.Substitute && s.Args["arguments"] == nil &&
		!slices.ContainsFunc(p.Actions, cancels) && p.Workflow != nil && p.Workflow.Timeout == 0 && slices.Contains(p.Workflow.Steps, s) && !CancelsOthers(p.Workflow)
}

// cancels reports whether an action ends the run or a part of it. What happens to actors and to
// the network between them is met by the subs of a fanout, and by nothing else of it.
func cancels(a *plan.Action) bool { return a.Event != nil && a.Event.Cancel.Typ != "" }

// CancelsOthers reports whether a step of a workflow may fail while others run, which ends
// them: that is so unless the workflow goes on, or has no others.
func CancelsOthers(w *plan.Workflow) bool {
	return len(w.Steps) > 1 && w.MaxConcurrent != 1 && slices.ContainsFunc(w.Steps, func(s *plan.Step) bool { return s.Fanout == nil && s.AfterFailure != plan.GoOn })
}

// replaces reports whether a step of the scenario is the fallback of another one, also if
// its on_failure switches it off.
func (f *File) replaces() bool {
	return !f.all(func(s *plan.Step) bool { return s.Fallback < 0 && !s.Substitute })
}

// neverRuns reports whether the when of a step is false by what the file alone says, and not by
// an input or by what came before.
func (f *File) neverRuns(s *plan.Step) bool {
	if s.When == nil {
		return false
	}
	for t := range dsl.Variables(s.When) {
		if name := t.RootName(); name != "var" && name != "local" {
			return false
		}
	}
	v, diags := dsl.Evaluate(s.When, f.p.Static)
	return !diags.HasErrors() && v.IsKnown() && v.RawEquals(cty.False)
}

// alwaysBegins reports whether nothing keeps a step from running.
func (f *File) alwaysBegins(s *plan.Step) bool {
	p := f.p
	return p.Workflow != nil && len(p.Workflow.Steps) == 1 && p.Workflow.Steps[0] == s && s.When == nil && len(p.Actions) == 0 && p.Workflow.Timeout == 0
}

// onlyFanouts reports whether all steps of a run succeed in every run, and so does the run.
func (f *File) onlyFanouts() bool {
	w := f.p.Workflow
	return w != nil && len(w.Steps) > 0 && (w.Output == nil || isResult(w.Output)) && !slices.ContainsFunc(w.Steps, func(s *plan.Step) bool { return !f.alwaysSucceeds(s) })
}

// isResult reports whether an expression is an attribute of a step as it is, which is there
// whatever the step comes to.
func isResult(e hclsyntax.Expression) bool {
	path, is := dsl.Bare(e).(*hclsyntax.ScopeTraversalExpr)
	return is && len(path.Traversal) == 3 && path.Traversal.RootName() == "step"
}

// loops reports whether anything of the scenario runs in iterations, and talks whether a
// step has turns.
func (f *File) loops() bool {
	return !f.all(func(s *plan.Step) bool { return s.Kind != plan.KindLoop })
}
func (f *File) talks() bool { return !f.all(func(s *plan.Step) bool { return len(s.Tools) == 0 }) }
