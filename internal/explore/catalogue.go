package explore

import (
	"slices"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
)

// A catalogue is what can strike in one scenario, the commonest first.
type catalogue struct {
	trials  []faults.Trial
	options *Options
}

// catalogueOf lists what is tried in a world.
func catalogueOf(w *World, o *Options) catalogue {
	f := figuresOf(w.Plan)
	if w.Program != nil && w.Program.Virtual && !slices.Contains(f.RetryAfters, ownWait) {
		f.RetryAfters = append(f.RetryAfters, ownWait)
	}
	return catalogue{faults.Trials(f), o}
}

// ownWait is a Retry-After, in seconds, that is longer than the waits of most programs,
// which stand in no file.
const ownWait = 30

// Gravest are the kinds of the shortest search: outages, and silences.
func Gravest() []string {
	list := []string{"outage"}
	for _, k := range faults.Kinds() {
		if k.Silent {
			list = append(list, k.Name)
		}
	}
	return list
}

// at are the strikes at a point, in the order in which they are tried.
func (c catalogue) at(p *interp.Point) []Strike {
	var list []Strike
	for i := range c.trials {
		if t := &c.trials[i]; c.options.tries(t.Kind.Name) && p.Part() != "lock" && p.Meets(t.Kind) {
			list = append(list, Strike{Address: p.Address, Lane: p.Lane, N: p.N, Fault: t.Kind, Args: t.Args, rank: t.Rank})
		}
	}
	return list
}

// lasting are the strikes that a service can have for a while, at a point: of all
// kinds where outages alone are tried.
func (c catalogue) lasting(p *interp.Point, o *Outage) []Strike {
	var list []Strike
	for i := range c.trials {
		t := &c.trials[i]
		wanted := c.options.tries(t.Kind.Name) || slices.Contains(c.options.Kinds, "outage") && !slices.Contains(c.options.Except, t.Kind.Name)
		if t.Lasts && wanted && p.Meets(t.Kind) {
			list = append(list, Strike{Address: p.Address, Fault: t.Kind, Args: t.Args, rank: t.Rank, Outage: o})
		}
	}
	return list
}
