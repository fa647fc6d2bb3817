package interp

import "github.com/zclconf/go-cty/cty"

// subFields are what a sub of a fanout has beside the common attributes of a
// step; they are there also of one that never began.
var subFields = []field[stepResult]{
	{"id", textShape, "Its label.", func(s *stepResult) cty.Value { return text(s.step.name) }, nil},
	{"group", nullable(textShape), "The group of which only one appears in the aggregate.", func(s *stepResult) cty.Value { return textOrNull(s.step.sub.group) }, nil},
	{"priority", numberShape, "Its rank in the group.", func(s *stepResult) cty.Value { return number(s.step.sub.priority) }, nil},
}

var (
	subStepFields = append(append([]field[stepResult]{}, stepFields...), subFields...)
	subStepShape  = shapeOf("sub", subStepFields)
)

// fanoutFields are what a step that fans out has beside the common attributes
// and its subs by their ids.
var fanoutFields = []field[stepResult]{
	{"subs", nullable(tupleOf(subStepShape)), "Its subs in the order in which they are declared.", nil, func(s *stepResult, read *needs) cty.Value {
		return tupleVal(s.inner, func(n *node) cty.Value {
			attrs := map[string]cty.Value{}
			addResult(attrs, subStepFields, s.of.steps[n.name], read)
			return cty.ObjectVal(attrs)
		})
	}},
	{"aggregate", nullable(textShape), "All answers in one text.", func(s *stepResult) cty.Value { return textOrNull(s.aggregate) }, nil},
}

var (
	fanoutStepFields = append(append([]field[stepResult]{}, stepFields...), fanoutFields...)
	fanoutStepShape  = shapeOf("fanout step", fanoutStepFields)
)
