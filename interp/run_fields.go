package interp

import "github.com/zclconf/go-cty/cty"

var partialFields = []field[partialResult]{
	{"completed_steps", tupleOf(textShape), "Steps that are done.", func(p *partialResult) cty.Value { return texts(p.completed) }, nil},
	{"failed_steps", tupleOf(textShape), "Steps that failed, timed out or were cancelled.", func(p *partialResult) cty.Value { return texts(p.failed) }, nil},
	{"skipped_steps", tupleOf(textShape), "Steps that were skipped.", func(p *partialResult) cty.Value { return texts(p.skipped) }, nil},
	{"remaining_steps", tupleOf(textShape), "Steps that never came to run.", func(p *partialResult) cty.Value { return texts(p.remaining) }, nil},
	{"completion_ratio", numberShape, "Share of steps that are done.", func(p *partialResult) cty.Value { return cty.NumberFloatVal(p.ratio) }, nil},
	{"recoverable", boolShape, "Whether going on from here makes sense.", func(p *partialResult) cty.Value { return cty.BoolVal(p.recoverable) }, nil},
	{"hint", hintShape, "How to recover.", func(p *partialResult) cty.Value { return text(p.hint) }, nil},
	{"data", openShape, "Outputs of the steps that are done, by name.", func(p *partialResult) cty.Value {
		return cty.ObjectVal(p.data)
	}, nil},
}

var runFields = []field[runResult]{
	{"status", runStatusShape, `"success", "partial", "failed", "timeout" or "cancelled".`, func(r *runResult) cty.Value { return text(r.status) }, nil},
	{"error", failureShape, "The failure of a run that did not succeed.", nil, func(r *runResult, read *needs) cty.Value { return failureVal(r.err, read) }},
	{"output", anyShape, "The workflow's output.", func(r *runResult) cty.Value { return r.output }, nil},
	{"started_ms", numberShape, "When it started.", func(r *runResult) cty.Value { return millis(r.started) }, nil},
	{"ended_ms", numberShape, "When it ended.", func(r *runResult) cty.Value { return millis(r.ended) }, nil},
	{"elapsed_ms", numberShape, "How long it took.", func(r *runResult) cty.Value { return millis(r.ended - r.started) }, nil},
	{"cost_usd", numberShape, "What all answers cost.", func(r *runResult) cty.Value { return cty.NumberFloatVal(r.costUSD) }, nil},
	{"usage", shapeOf("usage", usageFields), "Tokens of all answers.", nil, func(r *runResult, read *needs) cty.Value { return object(usageFields, &r.usage, read) }},
	{"run_id", textShape, "The id on every span of the run.", func(r *runResult) cty.Value { return text(r.id.Text()) }, nil},
	{"lifecycle", tupleOf(shapeOf("stage", stageFields)), "The stages of its lifecycle as it entered them.", nil, func(r *runResult, read *needs) cty.Value {
		return tupleVal(r.stages(), func(s stageEntry) cty.Value { return object(stageFields, &s, read) })
	}},
	{"partial", shapeOf("partial result", partialFields), "What is there of a run that stopped half way.", nil, func(r *runResult, read *needs) cty.Value { return object(partialFields, &r.partial, read) }},
}

// known are the attributes that a run has before its end.
var known = map[string]bool{"started_ms": true, "cost_usd": true, "usage": true, "run_id": true, "lifecycle": true}

// runVal is what run reads. Of a run that has not ended there is what it has
// spent so far, and null in place of all that its end decides; of one that has
// not begun everything is null.
func runVal(r *runResult, read *needs) cty.Value {
	if r != nil && r.status != "" {
		return object(runFields, r, read)
	}
	attrs := map[string]cty.Value{}
	addNulls(attrs, runFields, read)
	if r == nil {
		return cty.ObjectVal(attrs)
	}
	for i := range runFields {
		f := &runFields[i]
		switch part := read.of(f.name); {
		case part == nil || !known[f.name]:
		case f.nested != nil:
			attrs[f.name] = f.nested(r, part)
		default:
			attrs[f.name] = f.value(r)
		}
	}
	return cty.ObjectVal(attrs)
}
