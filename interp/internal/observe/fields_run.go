package observe

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plain"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// PartialFields are the attributes of run.partial.
var PartialFields = []read.Field[event.PartialResult]{
	read.Attr("completed_steps", read.ListOf(read.StepName), "Steps that are done.", func(p *event.PartialResult) cty.Value { return read.Texts(p.Completed) }),
	read.Attr("failed_steps", read.ListOf(read.StepName), "Steps of the workflow itself, not those inside them, that failed, timed out or were cancelled.", func(p *event.PartialResult) cty.Value { return read.Texts(p.Failed) }),
	read.Attr("skipped_steps", read.ListOf(read.StepName), "Steps that were skipped.", func(p *event.PartialResult) cty.Value { return read.Texts(p.Skipped) }),
	read.Attr("remaining_steps", read.ListOf(read.StepName), "Steps that never came to run.", func(p *event.PartialResult) cty.Value { return read.Texts(p.Remaining) }),
	read.Attr("completion_ratio", read.ShareShape, "Share of steps that are done.", func(p *event.PartialResult) cty.Value { return cty.NumberFloatVal(p.Ratio) }),
	read.Attr("recoverable", read.BoolShape, "Whether going on from here makes sense.", func(p *event.PartialResult) cty.Value { return cty.BoolVal(p.Recoverable) }),
	read.Attr("hint", read.OneOf(read.Hint), "How to recover.", func(p *event.PartialResult) cty.Value { return read.Text(p.Hint) }),
	read.Attr("data", read.OpenShape, "Outputs of the steps that are done, by name.", func(p *event.PartialResult) cty.Value {
		return cty.ObjectVal(p.Data)
	}),
}

// RunFields are the attributes of run.
var RunFields = []read.Field[RunResult]{
	read.Attr("status", read.OneOf(read.RunStatus), `"success", "partial", "failed", "timeout" or "cancelled".`, func(r *RunResult) cty.Value { return read.Text(r.Status) }),
	read.Part("error", read.FailureShape, "The failure of a run that did not succeed.", func(r *RunResult, need *read.Needs) cty.Value { return read.FailureVal(r.Err, need) }).Directly(func(r *RunResult) plain.Value { return read.DirectFailure(r.Err) }),
	read.Attr("output", read.AnyShape, "The workflow's output.", func(r *RunResult) cty.Value { return r.Output }),
	read.Attr("started_ms", read.NumberShape, "When it started.", func(r *RunResult) cty.Value { return read.Millis(r.started) }),
	read.Attr("ended_ms", read.NumberShape, "When it ended.", func(r *RunResult) cty.Value { return read.Millis(r.ended) }),
	read.Attr("elapsed_ms", read.NumberShape, "How long it took.", func(r *RunResult) cty.Value { return read.Millis(r.ended - r.started) }),
	read.Attr("cost_usd", read.NumberShape, "What all answers cost.", func(r *RunResult) cty.Value { return read.Dollars(r.CostUSD) }),
	read.Part("usage", read.ShapeOf("usage", usageFields), "Tokens of all answers.", func(r *RunResult, need *read.Needs) cty.Value { return read.Object(usageFields, &r.Usage, need) }),
	read.Attr("run_id", read.TextShape, "The id on every span of the run.", func(r *RunResult) cty.Value { return read.Text(r.id.Text()) }),
	read.Part("lifecycle", read.TupleOf(read.ShapeOf("stage", StageFields)), "The stages of its lifecycle as it entered them.", func(r *RunResult, need *read.Needs) cty.Value {
		return read.Elements(r.stages(), need, func(s stageEntry, part *read.Needs) cty.Value { return read.Object(StageFields, &s, part) })
	}),
	read.Part("partial", read.ShapeOf("partial result", PartialFields), "What is there of a run that stopped half way.", func(r *RunResult, need *read.Needs) cty.Value { return read.Object(PartialFields, &r.partial, need) }),
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
