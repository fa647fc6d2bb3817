package explore

import (
	"slices"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/schema"
)

// shrinkMax bounds the runs that are made to shrink one find.
const shrinkMax = 2000

// A shrinker makes a find smaller, as long as the same oracle of the same name tells
// of it: it drops strikes, puts at most two faults at points in the place of an
// outage, and commoner kinds and earlier attempts in that of others.
type shrinker struct {
	*search
	key  findKey
	best *outcome
	runs int
	// known says that the caller knows it: what nobody knows does not shrink to what is.
	known bool
}

// shrink returns the run of the smallest set that it finds for a find.
func (s *search) shrink(key findKey, o *outcome, known bool) *outcome {
	h := &shrinker{search: s, key: key, best: o, known: known}
	for h.runs < shrinkMax && (h.drops() || h.endsOutages() || h.moves() || h.simpler() || h.rounds()) {
		continue
	}
	s.report.Account.Shrinking += h.runs
	return h.best
}

// try runs a set, and keeps it where it shows the same.
func (h *shrinker) try(set Set) bool {
	if h.runs == shrinkMax || len(set) == 0 || h.ended() {
		return false
	}
	if h.key.oracle == KindModel && groupOf(set) != groupOf(h.best.set) {
		return false // it is another find
	}
	h.runs++
	o := h.play(set)
	if !o.shows(h.key) || h.world.Program != nil && o.last < 0 {
		return false
	}
	if !h.known && h.becomesKnown(o) {
		return false
	}
	h.best = o
	return true
}

// becomesKnown reports whether what a run shows is known to the caller.
func (h *shrinker) becomesKnown(o *outcome) bool {
	return h.Known != nil && slices.ContainsFunc(o.broken, func(p interp.Problem) bool {
		return keyOf(&p) == h.key && slices.ContainsFunc(brokenUnder(&p, o), func(names []string) bool { return h.knows(&p, names) })
	})
}

// replaced is the best set with others in the place of one strike.
func (h *shrinker) replaced(i int, with ...Strike) Set {
	return slices.Concat(h.best.set[:i], with, h.best.set[i+1:])
}

// drops leaves one strike out.
func (h *shrinker) drops() bool {
	for i := range h.best.set {
		if h.try(h.replaced(i)) {
			return true
		}
	}
	return false
}

// endsOutages puts faults at one or two points in the place of an outage.
func (h *shrinker) endsOutages() bool {
	for i, x := range h.best.set {
		if x.Outage == nil {
			continue
		}
		var met []Strike
		for j := range h.best.points {
			if p := &h.best.points[j]; x.meets(p) {
				met = append(met, Strike{Address: p.Address, Lane: p.Lane, N: p.N, Fault: x.Fault, Args: x.Args, After: x.After, HasAfter: x.HasAfter})
			}
		}
		if len(met) <= 2 && h.try(h.replaced(i, met...)) {
			return true
		}
		for j := range h.best.points {
			if p := &h.best.points[j]; x.meets(p) && h.anyAt(i, p, h.catalogue.at(p)) {
				return true
			}
		}
	}
	return false
}

// anyAt tries strikes at one point in the place of another strike.
func (h *shrinker) anyAt(i int, p *interp.Point, list []Strike) bool {
	for _, x := range list {
		if x.meets(p) && h.try(h.replaced(i, x)) {
			return true
		}
	}
	return false
}

// moves puts a fault at an earlier attempt of its address.
func (h *shrinker) moves() bool {
	for i, x := range h.best.set {
		for n := 1; x.Outage == nil && n < x.N; n++ {
			earlier := x
			earlier.N = n
			if h.try(h.replaced(i, earlier)) {
				return true
			}
		}
	}
	return false
}

// simpler puts a commoner kind in the place of one.
func (h *shrinker) simpler() bool {
	for i, x := range h.best.set {
		at := slices.IndexFunc(h.best.points, func(p interp.Point) bool { return x.meets(&p) })
		if at < 0 {
			continue
		}
		p := &h.best.points[at]
		others := h.catalogue.at(p)
		if x.Outage != nil {
			others = h.catalogue.lasting(p, x.Outage)
		}
		for _, y := range others {
			if y.What() == x.What() {
				break
			}
			if h.try(h.replaced(i, y)) {
				return true
			}
		}
	}
	return false
}

// units are what times are rounded to, the roundest first.
var units = []time.Duration{time.Minute, 10 * time.Second, time.Second, 100 * time.Millisecond, 10 * time.Millisecond}

// rounds puts rounder times in the place of how late an answer is, and of when an
// outage ends.
func (h *shrinker) rounds() bool {
	for i, x := range h.best.set {
		by, late := x.Args["by"].(time.Duration)
		late = late && x.isDelay()
		if !late && (x.Outage == nil || x.Outage.To == 0) {
			continue
		}
		from := by
		if !late {
			from = x.Outage.To
		}
		for _, unit := range units {
			if from%unit == 0 {
				break // it is as round as it gets
			}
			y := x
			if up := from.Truncate(unit) + unit; late {
				y.Args = schema.Values{"by": up}
			} else {
				reach := *x.Outage
				reach.To, y.Outage = up, &reach
			}
			if h.try(h.replaced(i, y)) {
				return true
			}
		}
	}
	return false
}
