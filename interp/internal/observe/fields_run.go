package observe

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plain"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// PartialFields are the attributes of run.partial.
var PartialFields = []read.Field[event.PartialResult]{
	{Name: "completed_steps", Shape: read.ListOf(read.StepName), Doc: "Steps that are done.", Value: func(p *event.PartialResult) cty.Value { return read.Texts(p.Completed) }},
	{Name: "failed_steps", Shape: read.ListOf(read.StepName), Doc: "Steps of the workflow itself, not those inside them, that failed, timed out or were cancelled.", Value: func(p *event.PartialResult) cty.Value { return read.Texts(p.Failed) }},
	{Name: "skipped_steps", Shape: read.ListOf(read.StepName), Doc: "Steps that were skipped.", Value: func(p *event.PartialResult) cty.Value { return read.Texts(p.Skipped) }},
	{Name: "remaining_steps", Shape: read.ListOf(read.StepName), Doc: "Steps that never came to run.", Value: func(p *event.PartialResult) cty.Value { return read.Texts(p.Remaining) }},
	{Name: "completion_ratio", Shape: read.ShareShape, Doc: "Share of steps that are done.", Value: func(p *event.PartialResult) cty.Value { return cty.NumberFloatVal(p.Ratio) }},
	{Name: "recoverable", Shape: read.BoolShape, Doc: "Whether going on from here makes sense.", Value: func(p *event.PartialResult) cty.Value { return cty.BoolVal(p.Recoverable) }},
	{Name: "hint", Shape: read.OneOf(read.Hint), Doc: "How to recover.", Value: func(p *event.PartialResult) cty.Value { return read.Text(p.Hint) }},
	{Name: "data", Shape: read.OpenShape, Doc: "Outputs of the steps that are done, by name.", Value: func(p *event.PartialResult) cty.Value {
		return cty.ObjectVal(p.Data)
	}},
}

// RunFields are the attributes of run.
var RunFields = []read.Field[RunResult]{
	{Name: "status", Shape: read.OneOf(read.RunStatus), Doc: `"success", "partial", "failed", "timeout" or "cancelled".`, Value: func(r *RunResult) cty.Value { return read.Text(r.Status) }},
	{Name: "error", Shape: read.FailureShape, Doc: "The failure of a run that did not succeed.", Nested: func(r *RunResult, need *read.Needs) cty.Value { return read.FailureVal(r.Err, need) }, Direct: func(r *RunResult) plain.Value { return read.DirectFailure(r.Err) }},
	{Name: "output", Shape: read.AnyShape, Doc: "The workflow's output.", Value: func(r *RunResult) cty.Value { return r.Output }},
	{Name: "started_ms", Shape: read.NumberShape, Doc: "When it started.", Value: func(r *RunResult) cty.Value { return read.Millis(r.started) }},
	{Name: "ended_ms", Shape: read.NumberShape, Doc: "When it ended.", Value: func(r *RunResult) cty.Value { return read.Millis(r.ended) }},
	{Name: "elapsed_ms", Shape: read.NumberShape, Doc: "How long it took.", Value: func(r *RunResult) cty.Value { return read.Millis(r.ended - r.started) }},
	{Name: "cost_usd", Shape: read.NumberShape, Doc: "What all answers cost.", Value: func(r *RunResult) cty.Value { return read.Dollars(r.CostUSD) }},
	{Name: "usage", Shape: read.ShapeOf("usage", usageFields), Doc: "Tokens of all answers.", Nested: func(r *RunResult, need *read.Needs) cty.Value { return read.Object(usageFields, &r.Usage, need) }},
	{Name: "run_id", Shape: read.TextShape, Doc: "The id on every span of the run.", Value: func(r *RunResult) cty.Value { return read.Text(r.id.Text()) }},
	{Name: "lifecycle", Shape: read.TupleOf(read.ShapeOf("stage", StageFields)), Doc: "The stages of its lifecycle as it entered them.", Nested: func(r *RunResult, need *read.Needs) cty.Value {
		return read.Elements(r.stages(), need, func(s stageEntry, part *read.Needs) cty.Value { return read.Object(StageFields, &s, part) })
	}},
	{Name: "partial", Shape: read.ShapeOf("partial result", PartialFields), Doc: "What is there of a run that stopped half way.", Nested: func(r *RunResult, need *read.Needs) cty.Value { return read.Object(PartialFields, &r.partial, need) }},
}

// known are the attributes that a run has before its end.
var known = map[string]bool{"started_ms": true, "cost_usd": true, "usage": true, "run_id": true, "lifecycle": true}

// RunVal is what run reads. Of a run that has not ended there is what it has
// spent so far, and null in place of all that its end decides; of one that has
// not begun everything is null.
func RunVal(r *RunResult, need *read.Needs) cty.Value {
	if r != nil && r.Status != "" {
		return read.Object(RunFields, r, need)
	}
	attrs := map[string]cty.Value{}
	read.AddNulls(attrs, RunFields, need)
	if r == nil {
		return cty.ObjectVal(attrs)
	}
	for i := range RunFields {
		f := &RunFields[i]
		switch part := need.Of(f.Name); {
		case part == nil || !known[f.Name]:
		case f.Nested != nil:
			attrs[f.Name] = f.Nested(r, part)
		default:
			attrs[f.Name] = f.Value(r)
		}
	}
	return cty.ObjectVal(attrs)
}
