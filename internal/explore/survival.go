package explore

import (
	"cmp"
	"slices"
	"time"
)

// Survival is what single strikes do to a run that would have succeeded. None of it
// is a find: who asks has to say whether it may be.
type Survival struct {
	// Tried counts the faults at one point, outages left out, and Lost those of them
	// that the run does not survive.
	Tried, Lost int
	// Places are the addresses at which a run is lost or degraded, the worst first.
	Places []Place
	// Degraded counts the strikes after which the run says success with another
	// output, or with a step that failed.
	Degraded int
	// Slowest and Dearest are the worst of those that ended, nil where none made the
	// run longer, or cost more.
	Slowest, Dearest *Worst
}

// A Place is an address with what the run does not survive there.
type Place struct {
	Address string
	// Tried counts the kinds that were tried there, with other arguments as another.
	Tried int
	// Kinds are what struck, as briefly as can be understood, by the status of the
	// run that came of it, and by [degraded].
	Kinds map[string][]string
	tried map[string]bool
}

// A Worst is a run that took more than any other.
type Worst struct {
	Set            Set
	Time, TimeBase time.Duration
	Cost, CostBase float64
}

// add notes what became of a run of one strike.
func (v *Survival) add(o, base *outcome) {
	x := &o.set[0]
	if o.stuck || x.HasAfter && x.After == patience || x.alone() || x.Events != nil {
		return // its end is ours, or it is chosen so that something comes of it
	}
	if o.elapsed > base.elapsed && (v.Slowest == nil || o.elapsed > v.Slowest.Time) {
		v.Slowest = &Worst{Set: o.set, Time: o.elapsed, TimeBase: base.elapsed}
	}
	if o.cost.Cmp(base.cost) > 0 && (v.Dearest == nil || o.cost.Float64() > v.Dearest.Cost) {
		v.Dearest = &Worst{Set: o.set, Cost: o.cost.Float64(), CostBase: base.cost.Float64()}
	}
	if x.Outage != nil {
		return
	}
	v.Tried++
	p, what := v.place(x.Address), x.What()
	if !p.tried[what] {
		p.tried[what] = true
		p.Tried++
	}
	switch lost, status := o.lost(base); {
	case o.status == "cancelled":
	case lost != "":
		v.Lost++
		p.add(status, what)
	case o.output != base.output || o.failedSteps > base.failedSteps:
		v.Degraded++
		p.add(degraded, what)
	}
}

// degraded stands for a run that says success, with another output or a failed step.
const degraded = "degraded"

func (p *Place) add(status, what string) {
	if !slices.Contains(p.Kinds[status], what) {
		p.Kinds[status] = append(p.Kinds[status], what)
	}
}

func (v *Survival) place(address string) *Place {
	for i := range v.Places {
		if v.Places[i].Address == address {
			return &v.Places[i]
		}
	}
	v.Places = append(v.Places, Place{Address: address, Kinds: map[string][]string{}, tried: map[string]bool{}})
	return &v.Places[len(v.Places)-1]
}

// conclude brings the worst places to the front.
func (v *Survival) conclude() {
	v.Places = slices.DeleteFunc(v.Places, func(p Place) bool { return len(p.Kinds) == 0 })
	slices.SortStableFunc(v.Places, func(a, b Place) int { return cmp.Compare(b.count(), a.count()) })
}

func (p *Place) count() int {
	n := 0
	for status, list := range p.Kinds {
		if status != degraded {
			n += len(list)
		}
	}
	return n
}
