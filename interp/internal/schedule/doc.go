// Package schedule says, without a run, what a workflow comes to when everything
// fails: when each attempt can begin at the earliest, which can never begin, how long
// it all takes at most, and what it costs.
//
//	s := schedule.Of(plan)
//	err := s.Write(w, 80)
//
// What it calls impossible is so in every run, and its bounds hold in every run. What it
// cannot bound it says it cannot.
package schedule
