package exchange

import (
	"time"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// A Use is how often an entry answered, and how often it says.
type Use struct {
	Script *plan.Script
	Entry  *plan.Entry
	// Used is how often it answered the same step, Calls how often any.
	Used, Want, Calls int
	// Pending counts the calls that ended before its fault had come.
	Pending int
}

// Fired is how often a fault came.
func (u Use) Fired() int { return min(u.Used, u.Calls-u.Pending) }

// Uses lists the entries of all scripts, but of those for a program, which are
// not there to be used by a workflow.
func (s *Sources) Uses() []Use {
	var list []Use
	for _, sc := range s.plan.Scripts {
		if s.plan.ForProgram(sc) {
			continue
		}
		for i, e := range sc.Entries {
			u := Use{Script: sc, Entry: e, Want: max(e.Times, 1), Pending: s.pending[e]}
			for _, c := range s.cursorsOf(sc) {
				u.Used = max(u.Used, c.used[i])
				u.Calls += c.used[i]
			}
			list = append(list, u)
		}
	}
	return list
}

// Over notes that a call which an entry answered is over, so long after it was
// made, and reports whether that was before the fault of the entry had come. A
// fault that is a wait has come with its beginning.
func (s *Sources) Over(e *plan.Entry, after time.Duration) (pending bool) {
	if e == nil || e.Fault == nil || e.Fault.Slow || after >= e.After {
		return false
	}
	if s.pending == nil {
		s.pending = map[*plan.Entry]int{}
	}
	s.pending[e]++
	return true
}

// UnusedResponses lists the turns of a response file that answered nothing.
func (s *Sources) UnusedResponses() []Use {
	p := s.plan.Responses
	if p == nil {
		return nil
	}
	var list []Use
	for _, sc := range p.Scripts {
		for i, e := range sc.Entries {
			used := 0
			for _, c := range s.cursorsOf(sc) {
				used += c.used[i]
			}
			if used == 0 {
				list = append(list, Use{Script: sc, Entry: e, Want: 1})
			}
		}
	}
	return list
}

// UnusedInteractions lists the interactions of the cassette that answered
// nothing and are not recorded anew.
func (s *Sources) UnusedInteractions() []*cassette.Interaction {
	if s.player == nil {
		return nil
	}
	var list []*cassette.Interaction
	for _, it := range s.player.Unused() {
		if !s.live.First(it.Step) {
			list = append(list, it)
		}
	}
	return list
}
