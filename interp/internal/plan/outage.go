package plan

import (
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"
)

// A Reach is where something does not work, and from when to when.
type Reach struct {
	// Address, Target and Provider say where: one of them is not "".
	Address, Target, Provider string
	// From and To are times of the run. The instant To is not part of it; 0 is the
	// end of the run.
	From, To time.Duration
}

// Covers reports whether an attempt is in reach: at one of the addresses that a
// script for it might have, on a target of a provider.
func (r *Reach) Covers(addresses []string, target, provider string, at time.Duration) bool {
	switch {
	case at < r.From || r.To > 0 && at >= r.To:
		return false
	case r.Provider != "":
		return provider == r.Provider
	case r.Target != "":
		return target == r.Target
	}
	return slices.Contains(addresses, r.Address)
}

// Where names the place.
func (r *Reach) Where() string {
	switch {
	case r.Provider != "":
		return "provider " + r.Provider
	case r.Target != "":
		return "target " + r.Target
	}
	return r.Address
}

// When names the time.
func (r *Reach) When() string {
	if r.To == 0 {
		return fmt.Sprintf("from %s on", r.From)
	}
	return fmt.Sprintf("from %s to %s", r.From, r.To)
}

// An Outage has every attempt in its reach meet a fault.
type Outage struct {
	Reach
	// Optional says that nobody need meet it.
	Optional bool
	// Entry is the fault, as a line of a script. It has the name of the outage.
	Entry *Entry
	Rng   hcl.Range
}

// OutageKind is what a tolerance calls faults that last.
const OutageKind = "outage"

// A Tolerance is what a run survives: with so many faults it is a success.
type Tolerance struct {
	Faults int
	// Kinds are the only ones, in the words of retry_on, or [OutageKind]; all where it
	// is empty.
	Kinds []string
	Rng   hcl.Range
}

// Recalls reports whether a fault of the plan answers with what was answered before.
func (p *Plan) Recalls() bool {
	recalls := func(e *Entry) bool { return e.Fault != nil && e.Fault.Recalls }
	return slices.ContainsFunc(p.Outages, func(o *Outage) bool { return recalls(o.Entry) }) ||
		slices.ContainsFunc(p.Scripts, func(s *Script) bool { return slices.ContainsFunc(s.Entries, recalls) })
}
