// Package explore finds what breaks a scenario that nobody wrote down: it runs it
// again and again, each time with other faults at other points, and holds every
// run to the invariants of its file.
//
// A point is one attempt of a step, or one call of an actor. A strike is a fault
// at a point, or an outage from one on, and a set of them is what one run is
// given. A search begins with the run without a fault, tries every single strike
// at its points, then pairs: only points of the first strike's own run, asked
// after it began. Nothing is drawn, and nothing depends on how many runs are made
// at one time.
//
// search.go holds the order of the search, catalogue.go what strikes at a point,
// oracle.go what is a find, and survival.go what is told beside finds. Of scenarios
// it knows only how to run one with an injector: see [World].
package explore
