package coverage

import (
	"slices"
	"sync"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
)

// goesOn strikes every point of the address from the first instant of a strike on. A
// failure that is no fault goes on as the commonest fault of its group.
func goesOn(s *interp.CoveredStrike) func(interp.Point) *interp.Injection {
	return func(at interp.Point) *interp.Injection {
		if at.Address != s.Address || at.At < s.At {
			return nil
		}
		if s.Fault != nil {
			return &interp.Injection{Fault: s.Fault, Args: s.Args, After: s.After, HasAfter: s.HasAfter}
		}
		if t := commonest(s.Group, at.Meets); t != nil {
			return &interp.Injection{Fault: t.Kind, Args: t.Args}
		}
		return nil
	}
}

// commonest is the fault of a group that is met most often, nil where none can be.
func commonest(g faults.Group, meets func(*faults.Kind) bool) *faults.Trial {
	for _, t := range trials() {
		if meets(t.Kind) && t.Kind.GroupOf(t.Args) == g {
			return &t
		}
	}
	return nil
}

// trials are faults of every kind, the commonest first: as a search tries them, and
// those that it does not try as they are by themselves.
var trials = sync.OnceValue(func() []faults.Trial {
	list := faults.Trials(faults.Figures{Statuses: []int{400}, RetryAfters: []int{1}})
	for _, k := range faults.Kinds() {
		if !slices.ContainsFunc(list, func(t faults.Trial) bool { return t.Kind == k }) {
			list = append(list, faults.Trial{Kind: k, Args: k.Usual()})
		}
	}
	return list
})
