package tied

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/trace"
)

// ofSteps are the types of events of which each step has its own.
var ofSteps = []trace.Type{trace.StepStart, trace.StepEnd, trace.AttemptStart, trace.AttemptEnd, trace.Route}

// Turned is a list in which each element stands before those right before it that may as well come
// after it, which tied says of two; moved turns true where there is such a one.
func Turned(v cty.Value, moved *bool, tied func(a, b cty.Value) bool) cty.Value {
	list := v.AsValueSlice()
	for i := range list {
		for at := i; at > 0 && tied(list[at-1], list[at]); at-- {
			list[at-1], list[at] = list[at], list[at-1]
			*moved = true
		}
	}
	return cty.TupleVal(list)
}

// TurnedByType is [Turned] for events, those of each type among themselves. typeOf is the type of one.
func TurnedByType(v cty.Value, typeOf func(cty.Value) string, moved *bool, tied func(a, b cty.Value) bool) cty.Value {
	list := v.AsValueSlice()
	for _, kind := range ofSteps {
		var at []int
		var some []cty.Value
		for i, e := range list {
			if typeOf(e) == string(kind) {
				at, some = append(at, i), append(some, e)
			}
		}
		for i, e := range Turned(cty.TupleVal(some), moved, tied).AsValueSlice() {
			list[at[i]] = e
		}
	}
	return cty.TupleVal(list)
}
