package observe

import (
	"github.com/scenario-lang/scenario/interp/internal/event"
)

// An Asked is an attempt of a step as it asked and as it ended.
type Asked struct {
	N       int
	Request *event.Request
	End     *event.AttemptEnd
}

// Asked are the attempts of a step that have ended, in their order.
func (s *StepResult) Asked() []Asked {
	var list []Asked
	for _, a := range s.attempts {
		if a.request != nil && !a.open {
			list = append(list, Asked{a.n, a.request, a.response})
		}
	}
	return list
}
