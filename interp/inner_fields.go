package interp

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/schema"
)

// loopFields and workflowFields are what steps that run a graph of steps have
// beside the common attributes and the results of those steps.
var (
	loopFields = []field[stepResult]{
		{"iterations", nullable(numberShape), "How often the steps inside ran.", func(s *stepResult) cty.Value { return number(s.iterations) }, nil},
	}
	workflowFields = []field[stepResult]{
		{"run", nullable(shapeOf("run", runFields)), "The inner run, with the attributes of `run`.", nil, func(s *stepResult, read *needs) cty.Value { return runVal(s.ran, read) }},
		{"partial", nullable(shapeOf("partial result", partialFields)), "Short for `run.partial`.", nil, func(s *stepResult, read *needs) cty.Value {
			if s.ran == nil || s.ran.status == "" {
				return null
			}
			return object(partialFields, &s.ran.partial, read)
		}},
		{"usage", usageShape, "Tokens of all answers inside.", nil, func(s *stepResult, read *needs) cty.Value { return object(usageFields, &s.usage, read) }},
	}

	loopStepFields     = append(append([]field[stepResult]{}, stepFields...), loopFields...)
	workflowStepFields = append(append([]field[stepResult]{}, stepFields...), workflowFields...)

	loopStepShape     = shapeOf("loop step", loopStepFields)
	workflowStepShape = shapeOf("workflow step", workflowStepFields)
)

// around is the shape of a step that runs a graph of steps: its own attributes
// and the results of those steps.
func around(own *schema.Shape, inner *workflow) *schema.Shape {
	s := *own
	s.Attrs = make(map[string]*schema.Shape, len(own.Attrs)+len(inner.steps))
	for name, a := range own.Attrs {
		s.Attrs[name] = a
	}
	for _, n := range inner.steps {
		s.Attrs[n.name] = n.shape
	}
	return &s
}
