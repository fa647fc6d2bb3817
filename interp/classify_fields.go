package interp

import "github.com/zclconf/go-cty/cty"

// classifyFields are what a step that classifies has beside the common
// attributes.
var classifyFields = []field[stepResult]{
	{"entries", nullable(tupleOf(openShape)), "Where the parts of the text go: the entries of the answer, or one for the fallback.", func(s *stepResult) cty.Value { return s.entries }, nil},
	{"outcome", nullable(oneOf(classifyOutcomes()...)), "`\"ok\"`, or why the text went to the fallback.", func(s *stepResult) cty.Value { return textOrNull(s.outcome) }, nil},
	{"content", nullable(textShape), "The answer of the model, null where none was asked or none came.", func(s *stepResult) cty.Value {
		if !s.hasContent {
			return null
		}
		return text(s.content)
	}, nil},
	{"usage", usageShape, "Tokens of all answers.", nil, func(s *stepResult, read *needs) cty.Value { return object(usageFields, &s.usage, read) }},
}

var (
	classifyStepFields = append(append([]field[stepResult]{}, stepFields...), classifyFields...)
	classifyStepShape  = shapeOf("classify step", classifyStepFields)
)
