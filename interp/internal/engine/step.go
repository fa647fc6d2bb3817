package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// stackRoom is what a step needs of its stack: policies, an adapter and parsers
// call each other in some thirty levels.
const stackRoom = 20 << 10

// deepen grows the stack of a task while there is next to nothing on it. On the
// way down it would grow again and again, and be copied every time with all that
// has been called so far, which costs more than a call's own waits.
//
//go:noinline
func deepen(at int) byte {
	var room [stackRoom]byte
	room[at%stackRoom] = 1
	return room[0]
}

// stepOutcome is what a step gathers while it runs.
type stepOutcome struct {
	event.Answer
	recall     *exchange.Recall
	value      cty.Value // the default output
	statusCode int
	// earlier are the calls of tools that the model asked for in the turns before.
	earlier event.Calls
	// stop is why there was no further round after a failed one.
	stop string
	// met names the events of the scenario whose effect the step shows.
	met []string
}

// runStep runs one step from its start event to its end event.
func (r *run) runStep(ctx context.Context, s *stepState) {
	s.result = stepOutcome{recall: r.client.Recall, value: read.Null}
	s.failed, s.retried, s.operation = nil, 0, ""
	wanted, f := r.when(s)
	if f == nil && !wanted {
		r.emit(trace.Event{Step: s.Name, Payload: &event.StepEnd{Status: read.StatusSkipped, SkippedReason: read.SkippedByWhen}})
		return
	}
	if o := s.replaces; o != nil {
		r.emit(trace.Event{Step: o.Name, Payload: &event.Fallback{From: o.Name, To: s.Name}})
		s.replaces = nil
	}
	start := &event.StepStart{Kind: string(s.Step.Kind)}
	if g := s.Step.Gateway; g != nil {
		start.Gateway = g.Name
	}
	r.emit(trace.Event{Step: s.Name, Target: s.Step.Calls(), Payload: start})
	stepCtx := ctx
	if s.Step.Timeout > 0 {
		var cancel context.CancelFunc
		stepCtx, cancel = r.Clock.WithTimeoutCause(ctx, s.Step.Timeout, fmt.Errorf("the step's timeout of %s passed", s.Step.Timeout))
		defer cancel()
	}
	output := read.Null
	if f == nil {
		f = kinds[s.Step.Kind].perform(stepCtx, r, s)
	}
	if f == nil && !kinds[s.Step.Kind].keeps() {
		f = r.breach(s)
	}
	if f == nil {
		output, f = r.stepOutput(s)
	}
	r.endStep(ctx, stepCtx, s, output, f)
}

// when evaluates the step's condition for running at all.
func (r *run) when(s *stepState) (bool, *failure.Failure) {
	if s.Step.When == nil {
		return true, nil
	}
	v, f := r.evaluate(s, s.Step.When, "when", nil)
	if f != nil {
		return false, f
	}
	if v.IsNull() || v.Type() != cty.Bool {
		return false, r.broken(s, "when", "is neither true nor false")
	}
	return v.True(), nil
}

// stepOutput is what dependants will read: the step's own expression, or what
// its kind gives.
func (r *run) stepOutput(s *stepState) (cty.Value, *failure.Failure) {
	if s.Step.Output == nil {
		return s.result.value, nil
	}
	v, f := r.evaluate(s, s.Step.Output, "output", map[string]cty.Value{"self": r.self(s)})
	if f != nil {
		return read.Null, f
	}
	return read.Normalise(v), nil
}

// self is the step's result so far, as its own expressions read it.
func (r *run) self(s *stepState) cty.Value {
	res := *r.Obs.Steps[s.Name]
	res.Status = read.StatusSuccess
	res.Output = s.result.value
	res.Answer, res.StatusCode = s.result.Answer, s.result.statusCode
	res.Ended = r.Clock.Elapsed()
	return observe.StepVal(&res, read.Everything)
}

// endStep names the status of a step and emits its end.
func (r *run) endStep(ctx, stepCtx context.Context, s *stepState, output cty.Value, f *failure.Failure) {
	status := read.StatusSuccess
	switch {
	case f == nil:
	case ctx.Err() != nil:
		status = read.StatusCancelled
		f = &failure.Failure{Kind: failure.Cancelled, Message: "cancelled: " + causeText(ctx), Rule: failure.RuleCancelled}
	case errors.Is(stepCtx.Err(), context.DeadlineExceeded):
		status = read.StatusTimeout
		r.emit(trace.Event{Step: s.Name, Payload: &event.Timeout{Layer: "step", After: s.Step.Timeout}})
		f = r.classified(&failure.Failure{Kind: failure.Timeout, Message: r.timeoutText(s), Step: s.Name, Operation: s.operation, Retries: s.retried, Chain: r.Obs.Steps[s.Name].Beneath()})
	default:
		status = read.StatusFailed
	}
	if f != nil && f.Step == "" { // of an inner run as a whole
		own := *f
		own.Step = s.Name
		f = &own
	}
	s.failed = f
	o := &s.result
	end := &event.StepEnd{
		Failed: r.client.Failed(f), Place: event.PlaceOf(f), Answer: o.Answer, StatusCode: cmp.Or(event.StatusOf(f), o.statusCode), Status: status,
		Output: event.Value{Value: output}, Stop: o.stop, Retries: s.retried, Met: append(o.met, cancelledBy(ctx, f)...),
	}
	if end.FailedStep == s.Name {
		end.FailedStep = ""
	}
	if k := s.Step.Classifier; k != nil {
		end.Classifier = k.Name
	}
	r.emit(trace.Event{Step: s.Name, Payload: end})
}

// causeText says what ended a context.
func causeText(ctx context.Context) string { return context.Cause(ctx).Error() }

func (r *run) timeoutText(s *stepState) string {
	text := fmt.Sprintf("step %q did not end within its timeout of %s", s.Name, s.Step.Timeout)
	if wait := r.Obs.Steps[s.Name].Waiting(r.Clock.Elapsed()); wait > 0 {
		text += fmt.Sprintf(": it was waiting %s before retry %d", wait, s.retried+1)
	}
	if last := r.Obs.Steps[s.Name].LastFailure(); last != nil {
		text += "; its last failure: " + last.Message
	}
	return text
}

// classified gives a failure its mode.
func (r *run) classified(f *failure.Failure) *failure.Failure {
	*f = r.taxonomy.Classify(*f)
	return f
}

// cancelled is the failure of a wait that its context ended.
func cancelled(err error) *failure.Failure {
	return &failure.Failure{Kind: failure.Cancelled, Message: "cancelled: " + err.Error(), Rule: failure.RuleCancelled}
}

// evaluate computes an expression of a step while the run goes on. What goes
// wrong is a failure of the step: the program under test asked for something
// that is not there.
func (r *run) evaluate(s *stepState, e hclsyntax.Expression, name string, extra map[string]cty.Value) (cty.Value, *failure.Failure) {
	var ctx *hcl.EvalContext
	if !plan.IsLiteral(e) {
		ctx = r.stepContext(s, extra)
	}
	return r.evaluateIn(ctx, s, e, name)
}

// evaluateIn is evaluate in a context that is there; a literal needs none.
func (r *run) evaluateIn(ctx *hcl.EvalContext, s *stepState, e hclsyntax.Expression, name string) (cty.Value, *failure.Failure) {
	v, diags := dsl.Evaluate(e, ctx)
	if diags.HasErrors() {
		return read.Null, r.broken(s, name, plan.DiagText(diags))
	}
	return v, nil
}

// broken is the failure of a step whose attribute has no usable value. It
// breaks a gate too: more often than the program under test it is the file
// that is wrong.
func (r *run) broken(s *stepState, name, why string) *failure.Failure {
	f := r.refused(s, name, why)
	rng := s.Step.Rng
	if a := s.Step.Block.Attr(name); a != nil {
		rng = a.Range
	}
	r.brokenGate(f, rng)
	return f
}

// brokenReturn breaks that gate for an answer of an actor.
func (r *run) brokenReturn(f *failure.Failure, why error) {
	var e plan.ErrReturn
	errors.As(why, &e)
	r.brokenGate(f, e.Rng)
}

func (r *run) brokenGate(f *failure.Failure, rng hcl.Range) {
	r.gate(plan.GateBroken, fmt.Sprintf("%s.\nhint: mend the expression, with try(…, null) where a value may be missing; allow = [%q] where the program under test fails there, too",
		strings.TrimSuffix(f.Message, "."), plan.GateBroken), rng)
}

// refused is the failure of a step that cannot go on with an attribute's
// value.
func (r *run) refused(s *stepState, name, why string) *failure.Failure {
	stage := failure.Plan
	if name == "output" {
		stage = failure.Aggregate
	}
	return r.classified(&failure.Failure{Kind: failure.Validation, Stage: stage, Message: fmt.Sprintf("the attribute %q of step %q %s", name, s.Name, why), Step: s.Name})
}

// stepContext is what the expressions of a step can read: inputs, and the
// results of the steps they refer to. A step that was replaced reads as the
// one that ran in its place.
func (r *run) stepContext(s *stepState, extra map[string]cty.Value) *hcl.EvalContext {
	ctx := r.reading(s.Step.Needs)
	for o, from := s, r; o != nil; o, from = from.owner, from.parent {
		if o.arguments != cty.NilVal {
			ctx.Variables["arguments"] = o.arguments
			break
		}
		if !from.workflow.Body {
			break
		}
	}
	for name, v := range extra {
		ctx.Variables[name] = v
	}
	return ctx
}

// reading is what expressions of the run's graph read, and no more.
func (r *run) reading(n *read.Needs) *hcl.EvalContext {
	ctx := r.Obs.Static().NewChild()
	ctx.Variables = map[string]cty.Value{"input": r.inputs}
	if r.workflow.Body {
		ctx.Variables["loop"] = cty.ObjectVal(map[string]cty.Value{"index": read.Number(r.iteration - 1)})
	}
	if need := n.Of("step"); need != nil {
		steps := map[string]cty.Value{}
		for _, k := range need.Kids {
			if res := r.find(k.Name); res != nil {
				steps[k.Name] = r.dependencyVal(res, k.Part)
			}
		}
		ctx.Variables["step"] = cty.ObjectVal(steps)
		dsl.Built(ctx)
	}
	return ctx
}

// find returns the result of a step by the name that it has in the run's graph,
// or in the one around a loop's body.
func (r *run) find(name string) *observe.StepResult {
	for ; r != nil; r = r.parent {
		if i, ok := r.workflow.Index[name]; ok {
			return r.Obs.Steps[r.steps[i].Name]
		}
		if !r.workflow.Body {
			break
		}
	}
	return nil
}

// dependencyVal is what an expression reads of a step. One that was replaced
// reads as its substitute, wherever it stands and whoever reads it.
func (r *run) dependencyVal(res *observe.StepResult, only *read.Needs) cty.Value {
	sub := r.Obs.Substitute(res)
	if sub == res || sub.Status != read.StatusSuccess {
		if len(res.Inner) == 0 {
			return observe.StepVal(res, only)
		}
		attrs := map[string]cty.Value{}
		observe.AddStep(attrs, res, only)
		r.addInner(attrs, res, only)
		return cty.ObjectVal(attrs)
	}
	// The substitute may be of another kind: what it lacks is its output.
	attrs := map[string]cty.Value{}
	observe.AddStep(attrs, sub, read.Everything)
	for _, f := range observe.FieldsOf(res.Step.Kind) {
		if _, has := attrs[f.Name]; !has {
			attrs[f.Name] = read.Null
			if f.Name == "content" || f.Name == "body" || f.Name == "json" || f.Name == "rows" {
				attrs[f.Name] = sub.Output
			}
		}
	}
	r.addInner(attrs, res, read.Everything)
	return cty.ObjectVal(attrs)
}

// addInner adds what is read of the steps inside a step.
func (r *run) addInner(attrs map[string]cty.Value, res *observe.StepResult, only *read.Needs) {
	for _, n := range res.Inner {
		if part := only.Of(n.Step.Name); part != nil {
			attrs[n.Step.Name] = r.dependencyVal(r.Obs.Steps[n.Name], part)
		}
	}
}

// arguments evaluates the arguments of a step into a reader of Go values.
func (r *run) arguments(s *stepState) (plan.ArgReader, *failure.Failure) {
	args := make(plan.ArgReader, 0, len(s.Step.Args))
	var ctx *hcl.EvalContext // one for all of them: nothing happens in between
	for _, a := range s.Step.Block.Attrs {
		if s.Step.Args[a.Name] != a {
			continue
		}
		if ctx == nil && !plan.IsLiteral(a.Expr) {
			ctx = r.stepContext(s, nil)
		}
		v, f := r.evaluateIn(ctx, s, a.Expr, a.Name)
		if f != nil {
			return args, f
		}
		if v.IsNull() {
			continue
		}
		converted, err := dsl.Convert(v, a.Schema)
		if err != nil {
			return args, r.broken(s, a.Name, err.Error())
		}
		args = append(args, plan.Argument{Name: a.Name, Raw: v, Value: converted})
	}
	return args, nil
}

// classifier is the run's taxonomy. A rule of it that cannot be evaluated is a
// mistake in the file that no check before the run could find.
func (r *run) classifier() *failure.Taxonomy {
	t := cmp.Or(r.workflow.Taxonomy, plan.DefaultTaxonomy())
	if known := r.taxonomies[t]; known != nil {
		return known
	}
	reported := map[*plan.Detect]bool{}
	r.taxonomies[t] = t.Bound(r.Obs.Static(), func(d *plan.Detect, why string) {
		if reported[d] {
			return
		}
		reported[d] = true
		r.defect(fmt.Sprintf("the condition of a detect rule cannot be evaluated: %s", why), d.When.Range())
	})
	return r.taxonomies[t]
}
