package exchange

import (
	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// An UnusedEntry is an entry that answered less often than it says.
type UnusedEntry struct {
	Script     *plan.Script
	Entry      *plan.Entry
	Used, Want int
}

// UnusedEntries lists the entries of all scripts that were used less often than
// they say, with how often they were.
func (s *Sources) UnusedEntries() []UnusedEntry {
	var list []UnusedEntry
	for _, sc := range s.plan.Scripts {
		for i, e := range sc.Entries {
			used := 0
			for _, c := range s.cursorsOf(sc) {
				used = max(used, c.used[i])
			}
			want := max(e.Times, 1)
			if !e.Optional && used < want {
				list = append(list, UnusedEntry{sc, e, used, want})
			}
		}
	}
	return list
}

// UnusedResponses lists the turns of a response file that answered nothing.
func (s *Sources) UnusedResponses() []UnusedEntry {
	p := s.plan.Responses
	if p == nil {
		return nil
	}
	var list []UnusedEntry
	for _, sc := range p.Scripts {
		for i, e := range sc.Entries {
			used := 0
			for _, c := range s.cursorsOf(sc) {
				used += c.used[i]
			}
			if used == 0 {
				list = append(list, UnusedEntry{Script: sc, Entry: e, Want: 1})
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
