package explore

import (
	"iter"
	"slices"
)

// pairs are the singles that were tried, each with every strike at a point of its
// own run that was asked after it began. They are made as they are asked for: there
// may be millions.
func (s *search) pairs() iter.Seq[Set] {
	nodes := s.parentsOfPairs()
	return func(yield func(Set) bool) {
		for _, n := range nodes {
			for set := range s.pairsBehind(n.outcome) {
				if !yield(set) {
					return
				}
			}
		}
		for _, n := range nodes {
			for _, x := range s.kills(n) {
				if !yield(Set{n.set[0], x}) {
					return
				}
			}
		}
	}
}

// pointsKept is how many points a search keeps of the runs of one strike.
const pointsKept = 150_000

// remember keeps the points of a run for its pairs, or, beyond what may be kept, how many
// pairs it has: it is made again when their turn comes.
func (s *search) remember(o *outcome) {
	if s.kept += len(o.points); s.kept <= s.points || o.last < 0 {
		return
	}
	s.kept -= len(o.points)
	o.began = o.points[o.last].At
	for range s.pairsBehind(o) {
		o.behind++
	}
	o.points, o.forgotten = nil, true
}

// pairsBehind are the strike of a run, each with every strike at a point that was asked
// after it began.
func (s *search) pairsBehind(o *outcome) iter.Seq[Set] {
	return func(yield func(Set) bool) {
		if o.last < 0 {
			return
		}
		points := o.points
		if o.forgotten {
			points = s.play(o.set).points
		}
		for i := o.last + 1; i < len(points); i++ {
			p := &points[i]
			if !s.strikes(p.Address) || o.set.at(p) != nil {
				continue
			}
			for _, x := range s.catalogue.at(p) {
				if x.rank == 0 && o.set[0].Events != nil {
					continue // beside an event only what is met often
				}
				if !yield(Set{o.set[0], x}) {
					return
				}
			}
		}
	}
}

// countPairs is how many pairs there are.
func (s *search) countPairs() (n int) {
	for _, node := range s.parentsOfPairs() {
		if node.forgotten {
			n += node.behind
			continue
		}
		for range s.pairsBehind(node.outcome) {
			n++
		}
	}
	for _, node := range s.parentsOfPairs() {
		n += len(s.kills(node))
	}
	return n
}

// parentsOfPairs are the runs of one strike of which pairs are made.
func (s *search) parentsOfPairs() []*node {
	return slices.DeleteFunc(slices.Concat(s.order, s.alike), func(n *node) bool {
		return n.undecided || n.stuck || n.diverged
	})
}
