package observe

import (
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
	read.Attr("entries", read.Nullable(read.TupleOf(entryShape)), "Where the parts of the text go: the entries of the answer, or one for the fallback.", func(s *StepResult) cty.Value { return s.Entries.OrNull() }),
	read.Attr("outcome", read.Nullable(read.OneOf(classifyOutcome)), "`\"ok\"`, or why the text went to the fallback.", func(s *StepResult) cty.Value { return read.TextOrNull(s.Outcome) }),
	read.Attr("content", read.Nullable(read.TextShape), "The answer of the model, null where none was asked or none came.", func(s *StepResult) cty.Value {
		if !s.HasContent {
			return read.Null
		}
		return read.Text(s.Content)
	}),
	read.Part("usage", usageShape, "Tokens of all answers.", func(s *StepResult, need *read.Needs) cty.Value { return read.Object(usageFields, &s.usage, need) }),
}

// subFields are what a sub of a fanout has beside the common attributes of a
// step; they are there also of one that never began.
var subFields = []read.Field[StepResult]{
	read.Attr("id", read.OneOf(read.Sub), "Its label.", func(s *StepResult) cty.Value { return read.Text(s.Step.Name) }),
	read.Attr("group", read.Nullable(read.TextShape), "The group of which only one appears in the aggregate.", func(s *StepResult) cty.Value { return read.TextOrNull(s.Step.Sub.Group) }),
	read.Attr("priority", read.NumberShape, "Its rank in the group.", func(s *StepResult) cty.Value { return read.Number(s.Step.Sub.Priority) }),
}

// fanoutFields are what a step that fans out has beside the common attributes
// and its subs by their ids.
var fanoutFields = []read.Field[StepResult]{
	read.Part("subs", read.Nullable(read.TupleOf(subResult.shape)), "Its subs in the order in which they are declared.", func(s *StepResult, need *read.Needs) cty.Value {
		return read.Elements(s.Inner, need, func(n *plan.Node, part *read.Needs) cty.Value {
			attrs := map[string]cty.Value{}
			addResult(attrs, subResult.fields, s.of.Steps[n.Name], part)
			return cty.ObjectVal(attrs)
		})
	}),
	read.Attr("aggregate", read.Nullable(read.TextShape), "All answers in one text.", func(s *StepResult) cty.Value { return read.TextOrNull(s.Aggregate) }),
}

// loopFields and workflowFields are what steps that run a graph of steps have
// beside the common attributes and the results of those steps.
var (
	loopFields = []read.Field[StepResult]{
		read.Attr("iterations", read.Nullable(read.NumberShape), "How often the steps inside ran.", func(s *StepResult) cty.Value { return read.Number(s.Iterations) }),
	}
	workflowFields = []read.Field[StepResult]{
		read.Part("run", read.Nullable(read.ShapeOf("run", RunFields)), "The inner run, with the attributes of `run`.", func(s *StepResult, need *read.Needs) cty.Value { return RunVal(s.Ran, need) }),
		read.Part("partial", read.Nullable(read.ShapeOf("partial result", PartialFields)), "Short for `run.partial`.", func(s *StepResult, need *read.Needs) cty.Value {
			if s.Ran == nil || s.Ran.Status == "" {
				return read.Null
			}
			return read.Object(PartialFields, &s.Ran.partial, need)
		}),
		read.Part("usage", usageShape, "Tokens of all answers inside.", func(s *StepResult, need *read.Needs) cty.Value { return read.Object(usageFields, &s.usage, need) }),
	}
)

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
	return &s
}
