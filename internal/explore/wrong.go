package explore

import (
	"iter"
	"slices"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/providers/wrong"
)

// wrongs are answers that are well-formed and wrong, at each attempt of the run without a
// fault, and how many there are.
func (s *search) wrongs() (sets iter.Seq[Set], n int) {
	sets = func(yield func(Set) bool) {
		for i := range s.base.points {
			for _, x := range s.wrongAt(&s.base.points[i]) {
				if !yield(Set{x}) {
					return
				}
			}
		}
	}
	for range sets {
		n++
	}
	return sets, n
}

// wrongAt are those at a point. Actors have none: what one answers is known when it has.
func (s *search) wrongAt(p *interp.Point) []Strike {
	if p.Part() != "" || !s.strikes(p.Address) {
		return nil
	}
	list := s.catalogue.lies(p)
	if !s.tries(KindWrong) {
		return list
	}
	for _, way := range wrong.Ways() {
		list = append(list, Strike{Address: p.Address, Lane: p.Lane, N: p.N, Wrong: way})
	}
	return list
}

// lied reports whether an answer of the run was made false, which is no matter of what
// it survives: nothing told the program.
func (o *outcome) lied() bool {
	return o.reply != nil || slices.ContainsFunc(o.set, func(x Strike) bool { return x.Fault != nil && x.Fault.Lies })
}
