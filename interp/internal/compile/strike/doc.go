// Package strike reads what strikes calls, as far as a block says it by itself: what
// the fault of a script may have beside its kind, what an actor replies in a script,
// and outages, which strike every attempt at a place for a while.
//
//	o := strike.Outage(read(b), read(b.First("fault")), kind, strike.Place{Steps: steps})
package strike
