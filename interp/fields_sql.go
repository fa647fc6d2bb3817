package interp

import (
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// sqlFields are what a step of a database has beside the common attributes.
var sqlFields = []field[stepResult]{
	{"rows", nullable(tupleOf(anyShape)), "The rows, a tuple of objects; empty for a statement that returns none.", func(s *stepResult) cty.Value { return s.rows }, nil},
	{"affected", nullable(numberShape), "How many rows the server says it returned or changed, null where it says nothing.", func(s *stepResult) cty.Value {
		if s.affected == nil {
			return null
		}
		return number(*s.affected)
	}, nil},
}

var (
	sqlStepFields = slices.Concat(stepFields, sqlFields)
	sqlStepShape  = shapeOf("sql step", sqlStepFields)
)
