package observe

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/read"
)

// sqlFields are what a step of a database has beside the common attributes.
var sqlFields = []read.Field[StepResult]{
	read.Attr("rows", read.Nullable(read.TupleOf(read.AnyShape)), "The rows, a list of objects; empty for a statement that returns none.", func(s *StepResult) cty.Value { return s.Rows.OrNull() }),
	read.Attr("affected", read.Nullable(read.NumberShape), "How many rows the server says it returned or changed, null where it says nothing.", func(s *StepResult) cty.Value {
		if s.Affected == nil {
			return read.Null
		}
		return read.Number(*s.Affected)
	}),
}
