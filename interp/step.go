package interp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// stepOutcome is what a step gathers while it runs.
type stepOutcome struct {
	value        cty.Value // the default output
	json         cty.Value
	answered     bool
	content      string
	chunks       []string
	body         string
	finishReason string
	toolCalls    []providers.ToolCall
	model        string
	turns        int
	iterations   int
	aggregate    string
	entries      cty.Value
	outcome      string
	structured   cty.Value
	isError      bool
	progress     cty.Value
	statusCode   int
	headers      map[string]string
	rows         cty.Value // of a database
	affected     *int
	// stop is why there was no further round after a failed one.
	stop string
}

// runStep runs one step from its start event to its end event.
func (r *run) runStep(ctx context.Context, s *stepState) {
	s.result = stepOutcome{value: null, json: null, entries: null, rows: null, structured: null, progress: null}
	s.failed, s.retried, s.operation = nil, 0, ""
	wanted, f := r.when(s)
	if f == nil && !wanted {
		r.emit(trace.Event{Type: trace.StepEnd, Step: s.name, Attrs: attrs("status", statusSkipped, "skipped_reason", skippedByWhen)})
		return
	}
	start := addAttrs(make([]trace.Attr, 0, 2), "kind", s.step.kind)
	if g := s.step.gateway; g != nil {
		start = addAttrs(start, "gateway", g.name)
	}
	r.emit(trace.Event{Type: trace.StepStart, Step: s.name, Target: s.step.calls(), Attrs: start})
	stepCtx := ctx
	if s.step.timeout > 0 {
		var cancel context.CancelFunc
		stepCtx, cancel = r.clock.WithTimeoutCause(ctx, s.step.timeout, fmt.Errorf("the step's timeout of %s passed", s.step.timeout))
		defer cancel()
	}
	output := null
	if f == nil {
		f = r.perform(stepCtx, s)
	}
	if f == nil {
		output, f = r.stepOutput(s)
	}
	r.endStep(ctx, stepCtx, s, output, f)
}

// when evaluates the step's condition for running at all.
func (r *run) when(s *stepState) (bool, *failure.Failure) {
	if s.step.when == nil {
		return true, nil
	}
	v, f := r.evaluate(s, s.step.when, "when", nil)
	if f != nil {
		return false, f
	}
	if v.IsNull() || v.Type() != cty.Bool {
		return false, r.broken(s, "when", "is neither true nor false")
	}
	return v.True(), nil
}

// perform does what the kind of step does.
func (r *run) perform(ctx context.Context, s *stepState) *failure.Failure {
	switch s.step.kind {
	case "llm":
		return r.llm(ctx, s)
	case "http":
		return r.http(ctx, s)
	case kindMCP:
		return r.mcp(ctx, s)
	case "sql":
		return r.sql(ctx, s)
	case kindLoop:
		return r.loop(ctx, s)
	case kindWorkflow:
		return r.nested(ctx, s)
	case kindClassify:
		return r.classify(ctx, s)
	case kindFanout:
		return r.fanOut(ctx, s)
	case kindSub:
		return r.dispatch(ctx, s)
	case kindCall:
		return r.callStep(ctx, s)
	case "wait":
		args, f := r.arguments(s)
		if f != nil {
			return f
		}
		if err := r.clock.Sleep(ctx, args.Duration("for")); err != nil {
			return cancelled(err)
		}
		return nil
	}
	v, f := r.evaluate(s, s.step.args["value"].Expr, "value", nil)
	if f == nil {
		s.result.value = normalise(v)
	}
	return f
}

// stepOutput is what dependants will read: the step's own expression, or what
// its kind gives.
func (r *run) stepOutput(s *stepState) (cty.Value, *failure.Failure) {
	if s.step.output == nil {
		return s.result.value, nil
	}
	v, f := r.evaluate(s, s.step.output, "output", map[string]cty.Value{"self": r.self(s)})
	if f != nil {
		return null, f
	}
	return normalise(v), nil
}

// self is the step's result so far, as its own expressions read it.
func (r *run) self(s *stepState) cty.Value {
	res := *r.obs.steps[s.name]
	res.status = statusSuccess
	res.output = s.result.value
	s.result.fill(&res)
	res.ended = r.clock.Elapsed()
	return stepVal(&res, everything)
}

// fill writes what the step gathered into a copy of its result.
func (o *stepOutcome) fill(res *stepResult) {
	res.hasContent, res.content, res.body, res.chunks = o.answered, o.content, o.body, o.chunks
	res.finishReason, res.toolCalls, res.model, res.turns, res.iterations = o.finishReason, o.toolCalls, o.model, o.turns, o.iterations
	res.aggregate, res.entries, res.outcome = o.aggregate, o.entries, o.outcome
	res.structured, res.isError, res.progress = o.structured, o.isError, o.progress
	res.statusCode, res.headers, res.json = o.statusCode, o.headers, o.json
	res.rows, res.affected = o.rows, o.affected
}

// endStep names the status of a step and emits its end.
func (r *run) endStep(ctx, stepCtx context.Context, s *stepState, output cty.Value, f *failure.Failure) {
	status := statusSuccess
	switch {
	case f == nil:
	case ctx.Err() != nil:
		status = statusCancelled
		f = &failure.Failure{Kind: failure.Cancelled, Message: "cancelled: " + causeText(ctx), Rule: failure.RuleCancelled}
	case errors.Is(stepCtx.Err(), context.DeadlineExceeded):
		status = statusTimeout
		r.emit(trace.Event{Type: trace.Timeout, Step: s.name, Attrs: attrs("layer", "step", "after_ns", s.step.timeout)})
		f = r.classified(&failure.Failure{Kind: failure.Timeout, Message: r.timeoutText(s), Step: s.name, Operation: s.operation, Retries: s.retried, Chain: r.obs.steps[s.name].beneath()})
	default:
		status = statusFailed
	}
	if f != nil && f.Step == "" { // of an inner run as a whole
		own := *f
		own.Step = s.name
		f = &own
	}
	s.failed = f
	o := &s.result
	list := addAttrs(make([]trace.Attr, 0, stepEndUsual), "status", status, "output", ifValue(output), "answered", ifSet(o.answered), "content", o.content, "chunks", o.chunks,
		"finish_reason", o.finishReason, "tool_calls", callsAttr(o.toolCalls), "model", o.model, "turns", ifSet(o.turns), "iterations", ifSet(o.iterations),
		"headers", headersAttr(o.headers), "body", o.body, "json", ifValue(o.json), "stop", o.stop, "retries", ifSet(s.retried),
		"aggregate", o.aggregate, "outcome", o.outcome, "entries", ifValue(o.entries),
		"structured", ifValue(o.structured), "is_error", ifSet(o.isError), "progress", ifValue(o.progress))
	if s.step.kind == "sql" {
		list = addAttrs(list, "rows", ifValue(o.rows))
		if o.affected != nil {
			list = append(list, trace.Attr{Key: "affected", Value: *o.affected})
		}
	}
	if k := s.step.classifier; k != nil {
		list = addAttrs(list, "classifier", k.name)
	}
	if f == nil || f.StatusCode == 0 {
		list = addAttrs(list, "status_code", ifSet(o.statusCode))
	}
	if f != nil {
		list = addAttrs(list, "failed_attempt", ifSet(f.Attempt), "failed_target", f.Target)
		if f.Step != s.name {
			list = addAttrs(list, "failed_step", f.Step)
		}
	}
	r.emit(trace.Event{Type: trace.StepEnd, Step: s.name, Attrs: failed(list, f)})
}

// stepEndUsual is how many attributes the end of a step has at most where
// nothing failed.
const stepEndUsual = 12

// causeText says what ended a context.
func causeText(ctx context.Context) string { return context.Cause(ctx).Error() }

func (r *run) timeoutText(s *stepState) string {
	text := fmt.Sprintf("step %q did not end within its timeout of %s", s.name, s.step.timeout)
	if last := r.obs.steps[s.name].lastFailure(); last != nil {
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
	if !isLiteral(e) {
		ctx = r.stepContext(s, extra)
	}
	return r.evaluateIn(ctx, s, e, name)
}

// evaluateIn is evaluate in a context that is there; a literal needs none.
func (r *run) evaluateIn(ctx *hcl.EvalContext, s *stepState, e hclsyntax.Expression, name string) (cty.Value, *failure.Failure) {
	v, diags := e.Value(ctx)
	if diags.HasErrors() {
		return null, r.broken(s, name, diagText(diags))
	}
	if heavier(v, maxComputed) {
		return null, r.broken(s, name, "it comes to more than 64 MiB, which is as large as an answer may be")
	}
	return v, nil
}

// broken is the failure of a step whose attribute has no usable value. It
// breaks a gate too: more often than the program under test it is the file
// that is wrong.
func (r *run) broken(s *stepState, name, why string) *failure.Failure {
	f := r.refused(s, name, why)
	rng := s.step.rng
	if a := s.step.block.Attr(name); a != nil {
		rng = a.Range
	}
	r.brokenGate(f, rng)
	return f
}

// brokenReturn breaks that gate for an answer of an actor.
func (r *run) brokenReturn(f *failure.Failure, why error) {
	var e errReturn
	errors.As(why, &e)
	r.brokenGate(f, e.rng)
}

func (r *run) brokenGate(f *failure.Failure, rng hcl.Range) {
	r.gate(gateBroken, fmt.Sprintf("%s.\nhint: mend the expression, with try(…, null) where a value may be missing; allow = [%q] where the program under test fails there, too",
		strings.TrimSuffix(f.Message, "."), gateBroken), rng)
}

// refused is the failure of a step that cannot go on with an attribute's
// value.
func (r *run) refused(s *stepState, name, why string) *failure.Failure {
	stage := failure.Plan
	if name == "output" {
		stage = failure.Aggregate
	}
	return r.classified(&failure.Failure{Kind: failure.Validation, Stage: stage, Message: fmt.Sprintf("the attribute %q of step %q %s", name, s.name, why), Step: s.name})
}

func diagText(diags hcl.Diagnostics) string {
	return strings.TrimSpace("cannot be evaluated: " + firstError(diags))
}

// stepContext is what the expressions of a step can read: inputs, and the
// results of the steps they refer to. A step that was replaced reads as the
// one that ran in its place.
func (r *run) stepContext(s *stepState, extra map[string]cty.Value) *hcl.EvalContext {
	ctx := r.reading(s.step.needs)
	for o, from := s, r; o != nil; o, from = from.owner, from.parent {
		if o.arguments != cty.NilVal {
			ctx.Variables["arguments"] = o.arguments
			break
		}
		if !from.workflow.body {
			break
		}
	}
	for name, v := range extra {
		ctx.Variables[name] = v
	}
	return ctx
}

// reading is what expressions of the run's graph read, and no more.
func (r *run) reading(n *needs) *hcl.EvalContext {
	ctx := r.plan.static.NewChild()
	ctx.Variables = map[string]cty.Value{"input": r.inputs}
	if r.workflow.body {
		ctx.Variables["loop"] = cty.ObjectVal(map[string]cty.Value{"index": number(r.iteration - 1)})
	}
	if read := n.of("step"); read != nil {
		steps := map[string]cty.Value{}
		for _, k := range read.kids {
			if res := r.find(k.name); res != nil {
				steps[k.name] = r.dependencyVal(res, k.part)
			}
		}
		ctx.Variables["step"] = cty.ObjectVal(steps)
	}
	return ctx
}

// find returns the result of a step by the name that it has in the run's graph,
// or in the one around a loop's body.
func (r *run) find(name string) *stepResult {
	for ; r != nil; r = r.parent {
		if i, ok := r.workflow.index[name]; ok {
			return r.obs.steps[r.steps[i].name]
		}
		if !r.workflow.body {
			break
		}
	}
	return nil
}

func (r *run) dependencyVal(res *stepResult, only *needs) cty.Value {
	sub := r.obs.substitute(res)
	if sub == res || sub.status != statusSuccess {
		return stepVal(res, only)
	}
	// The substitute may be of another kind: what it lacks is its output.
	attrs := map[string]cty.Value{}
	addStep(attrs, sub, everything)
	for _, f := range fieldsOf(res.step.kind) {
		if _, has := attrs[f.name]; !has {
			attrs[f.name] = null
			if f.name == "content" || f.name == "body" || f.name == "json" || f.name == "rows" {
				attrs[f.name] = sub.output
			}
		}
	}
	for _, n := range res.inner {
		attrs[n.step.name] = stepVal(r.obs.steps[n.name], everything)
	}
	return cty.ObjectVal(attrs)
}

// arguments evaluates the arguments of a step into a reader of Go values.
func (r *run) arguments(s *stepState) (argReader, *failure.Failure) {
	args := make(argReader, 0, len(s.step.args))
	var ctx *hcl.EvalContext // one for all of them: nothing happens in between
	for _, a := range s.step.block.Attrs {
		if s.step.args[a.Name] != a {
			continue
		}
		if ctx == nil && !isLiteral(a.Expr) {
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
		args = append(args, argument{a.Name, v, converted})
	}
	return args, nil
}
