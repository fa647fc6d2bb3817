package explore

import (
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/providers/wrong"
)

// wrongs are answers that are well-formed and wrong, at each attempt of the run without a
// fault.
func (s *search) wrongs() []Set {
	var sets []Set
	for i := range s.base.points {
		for _, x := range s.wrongAt(&s.base.points[i]) {
			sets = append(sets, Set{x})
		}
	}
	return sets
}

// wrongAt are those at a point. Actors have none: what one answers is known when it has.
func (s *search) wrongAt(p *interp.Point) []Strike {
	if p.Part() != "" || !s.tries(KindWrong) || !s.strikes(p.Address) {
		return nil
	}
	var list []Strike
	for _, way := range wrong.Ways() {
		list = append(list, Strike{Address: p.Address, Lane: p.Lane, N: p.N, Wrong: way})
	}
	return list
}
