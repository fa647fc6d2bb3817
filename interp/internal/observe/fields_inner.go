package observe

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// The outcomes of a classification.
const (
	OutcomeOK             = "ok"
	OutcomeInvalidJSON    = "invalid_json"
	OutcomeInvalidPayload = "invalid_payload"
	OutcomeInvalidItem    = "invalid_item"
	OutcomeInvalidKeys    = "invalid_keys"
	OutcomeInvalidTypes   = "invalid_types"
	OutcomeBlank          = "blank"
	OutcomeInvalidSegment = "invalid_segment"
	OutcomeUnknownTarget  = "unknown_target"
	OutcomeFailed         = "failed"
)

// entryShape is an entry of a classification; its schema may say more.
var entryShape = &schema.Shape{
	Kind: schema.ShapeObject, Name: "an entry", Observed: true, Open: true, Nullable: true,
	Attrs: map[string]*schema.Shape{plan.EntryTarget: read.OneOf(read.Declared("candidate", read.DomainCandidate))},
}

// classifyFields are what a step that classifies has beside the common
// attributes.
var classifyFields = []read.Field[StepResult]{
	{Name: "entries", Shape: read.Nullable(read.TupleOf(entryShape)), Doc: "Where the parts of the text go: the entries of the answer, or one for the fallback.", Value: func(s *StepResult) cty.Value { return s.Entries.OrNull() }},
	{Name: "outcome", Shape: read.Nullable(read.OneOf(classifyOutcome)), Doc: "`\"ok\"`, or why the text went to the fallback.", Value: func(s *StepResult) cty.Value { return read.TextOrNull(s.Outcome) }},
	{Name: "content", Shape: read.Nullable(read.TextShape), Doc: "The answer of the model, null where none was asked or none came.", Value: func(s *StepResult) cty.Value {
		if !s.HasContent {
			return read.Null
		}
		return read.Text(s.Content)
	}},
	{Name: "usage", Shape: usageShape, Doc: "Tokens of all answers.", Nested: func(s *StepResult, need *read.Needs) cty.Value { return read.Object(usageFields, &s.usage, need) }},
}

// subFields are what a sub of a fanout has beside the common attributes of a
// step; they are there also of one that never began.
var subFields = []read.Field[StepResult]{
	{Name: "id", Shape: read.OneOf(read.Sub), Doc: "Its label.", Value: func(s *StepResult) cty.Value { return read.Text(s.Step.Name) }},
	{Name: "group", Shape: read.Nullable(read.TextShape), Doc: "The group of which only one appears in the aggregate.", Value: func(s *StepResult) cty.Value { return read.TextOrNull(s.Step.Sub.Group) }},
	{Name: "priority", Shape: read.AnyNumberShape, Doc: "Its rank in the group.", Value: func(s *StepResult) cty.Value { return read.Number(s.Step.Sub.Priority) }},
}

// fanoutFields are what a step that fans out has beside the common attributes
// and its subs by their ids.
var fanoutFields = []read.Field[StepResult]{
	{Name: "subs", Shape: read.Nullable(read.TupleOf(subResult.shape)), Doc: "Its subs in the order in which they are declared.", Nested: func(s *StepResult, need *read.Needs) cty.Value {
		return read.Elements(s.Inner, need, func(n *plan.Node, part *read.Needs) cty.Value {
			attrs := map[string]cty.Value{}
			addResult(attrs, subResult.fields, s.of.Steps[n.Name], part)
			return cty.ObjectVal(attrs)
		})
	}},
	{Name: "aggregate", Shape: read.Nullable(read.TextShape), Doc: "All answers in one text.", Value: func(s *StepResult) cty.Value { return read.TextOrNull(s.Aggregate) }},
}

// loopFields and workflowFields are what steps that run a graph of steps have
// beside the common attributes and the results of those steps.
var (
	loopFields = []read.Field[StepResult]{
		{Name: "iterations", Shape: read.Nullable(read.NumberShape), Doc: "How often the steps inside ran.", Value: func(s *StepResult) cty.Value { return read.Number(s.Iterations) }},
		{Name: runsName, Shape: read.Nullable(read.TupleOf(read.OpenShape)), Doc: "Its iterations in order, each with the steps inside by name: `step.LOOP.runs[0].NAME`. Of one that an iteration left out, `attempts`, `rejections` and `delays_ms` are empty there, `retries` and `cost_usd` 0.", Nested: func(*StepResult, *read.Needs) cty.Value { return read.Null }}, // AddStep knows what the steps inside have
	}
	workflowFields = []read.Field[StepResult]{
		{Name: "run", Shape: read.Nullable(read.ShapeOf("run", RunFields)), Doc: "The inner run, with the attributes of `run`.", Nested: func(s *StepResult, need *read.Needs) cty.Value { return RunVal(s.Ran, need) }},
		{Name: "partial", Shape: read.Nullable(read.ShapeOf("partial result", PartialFields)), Doc: "Short for `run.partial`.", Nested: func(s *StepResult, need *read.Needs) cty.Value {
			if s.Ran == nil || s.Ran.Status == "" {
				return read.Null
			}
			return read.Object(PartialFields, &s.Ran.partial, need)
		}},
		{Name: runsName, Shape: read.Nullable(read.TupleOf(read.OpenShape)), Doc: "Its rounds in order, each with the steps of the workflow by name: `step.OUTER.runs[0].NAME`. There is one without a retry.", Nested: func(*StepResult, *read.Needs) cty.Value { return read.Null }}, // as above
		{Name: "usage", Shape: usageShape, Doc: "Tokens of all answers inside.", Nested: func(s *StepResult, need *read.Needs) cty.Value { return read.Object(usageFields, &s.usage, need) }},
	}
)

// runsName is the attribute of a loop that has all its iterations, and of a
// workflow step that has all its rounds.
const runsName = "runs"

// runsVal is the value of that attribute.
func (s *StepResult) runsVal(need *read.Needs) cty.Value {
	return read.Elements(s.runs(), need, func(run []*StepResult, part *read.Needs) cty.Value {
		attrs := map[string]cty.Value{}
		for _, res := range run {
			if of := part.Of(res.Step.Name); of != nil {
				attrs[res.Step.Name] = countable(res, StepVal(res, of))
			}
		}
		return cty.ObjectVal(attrs)
	})
}

// countable is what a pass shows of a step: where it never ran, the lists of what it did
// are empty and its counts 0, as all passes are joined and added, and flatten takes a null
// for one more attempt.
func countable(s *StepResult, v cty.Value) cty.Value {
	if !s.NeverRan() {
		return v
	}
	attrs := v.AsValueMap()
	for _, name := range []string{"attempts", "rejections", "delays_ms", runsName} {
		if list, ok := attrs[name]; ok && list.IsNull() {
			attrs[name] = cty.EmptyTupleVal
		}
	}
	for _, name := range []string{"retries", "cost_usd"} {
		if n, ok := attrs[name]; ok && n.IsNull() {
			attrs[name] = cty.Zero
		}
	}
	for _, n := range s.Inner {
		if of, ok := attrs[n.Step.Name]; ok {
			attrs[n.Step.Name] = countable(s.inside(n), of)
		}
	}
	return cty.ObjectVal(attrs)
}

// runs are the results of the steps inside a loop or workflow, by pass. Each has all of
// them, also those that it never came to.
func (s *StepResult) runs() (list [][]*StepResult) {
	for _, res := range s.passes {
		for len(list) < res.pass {
			run := make([]*StepResult, len(s.Inner))
			for i, n := range s.Inner {
				run[i] = &StepResult{Node: n, of: s.of, Output: read.Null}
			}
			list = append(list, run)
		}
		list[res.pass-1][res.Step.Index] = res
	}
	return list
}

// inside is the result of a step inside this one, of the last pass. What was done before the step around it began anew is found in
// what that one has kept.
func (s *StepResult) inside(n *plan.Node) *StepResult {
	if s.of.Steps[s.Name] != s {
		for _, res := range slices.Backward(s.passes) {
			if res.Node == n {
				return res
			}
		}
		return &StepResult{Node: n, of: s.of, Output: read.Null}
	}
	return s.of.Steps[n.Name]
}

// Around is the shape of a step that runs a graph of steps: its own attributes
// and the results of those steps.
func Around(own *schema.Shape, inner *plan.Workflow) *schema.Shape {
	s := *own
	s.Attrs = make(map[string]*schema.Shape, len(own.Attrs)+len(inner.Steps))
	for name, a := range own.Attrs {
		s.Attrs[name] = a
	}
	for _, n := range inner.Steps {
		s.Attrs[n.Name] = n.Shape
	}
	if own.Attrs[runsName] != nil {
		run := &schema.Shape{Kind: schema.ShapeObject, Name: "iteration", Observed: own.Observed, Attrs: make(map[string]*schema.Shape, len(inner.Steps))}
		for _, n := range inner.Steps {
			run.Attrs[n.Name] = n.Shape
		}
		runs := read.Nullable(read.TupleOf(run))
		runs.Doc = own.Attrs[runsName].Doc
		s.Attrs[runsName] = runs
	}
	return &s
}
