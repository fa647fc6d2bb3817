package explore

import (
	"slices"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
)

// A catalogue is what can strike in one scenario, the commonest first.
type catalogue []faults.Trial

// newCatalogue lists what is tried of the kinds that are wanted.
func newCatalogue(f faults.Figures, wanted func(kind string) bool) catalogue {
	return slices.DeleteFunc(faults.Trials(f), func(t faults.Trial) bool { return !wanted(t.Kind.Name) })
}

// at are the strikes at a point, in the order in which they are tried.
func (c catalogue) at(p *interp.Point) []Strike {
	var list []Strike
	for i := range c {
		if t := &c[i]; p.Part() != "lock" && p.Meets(t.Kind) {
			list = append(list, Strike{Address: p.Address, Lane: p.Lane, N: p.N, Fault: t.Kind, Args: t.Args})
		}
	}
	return list
}

// lasting are the strikes that a service can have for a while, at a point.
func (c catalogue) lasting(p *interp.Point, o *Outage) []Strike {
	var list []Strike
	for i := range c {
		if t := &c[i]; t.Lasts && p.Meets(t.Kind) {
			list = append(list, Strike{Address: p.Address, Fault: t.Kind, Args: t.Args, Outage: o})
		}
	}
	return list
}
