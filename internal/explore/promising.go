package explore

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/trace"
)

// promisingFirst orders the singles of a program whose time is real by how much they
// promise: few of them may be tried. Outages of services come first, then the commonest
// faults at the first attempt of each address, those before others where a repetition
// may do harm, then silence, and then the rest: a 400, one of each group of faults, the
// next of each, and what makes a program wait as the last. With a model its finds and one set for
// each of its behaviours come before all that.
func (s *search) promisingFirst(sets []Set) {
	harmful := s.harmful()
	turns, seen := map[string]int{}, map[string]int{}
	for _, set := range sets {
		if x := &set[0]; promise(x) == rest {
			group := fmt.Sprintf("%s %s %s", x.Address, x.Lane, x.group())
			if turns[set.String()] = seen[group]; refused(x) {
				turns[set.String()] = -1
				continue
			}
			seen[group]++
		}
	}
	slices.SortStableFunc(sets, func(a, b Set) int {
		return cmp.Or(
			cmp.Compare(promise(&a[0]), promise(&b[0])), cmp.Compare(turns[a.String()], turns[b.String()]), cmp.Compare(harm(harmful, &a[0]), harm(harmful, &b[0])),
		)
	})
	if s.comparer != nil {
		s.comparer.tellingFirst(sets, !s.NoStandard)
	}
}

// What the model of a program says of a set.
const (
	breaks = iota // something, as no set before it
	shows         // a behaviour that no set before it shows
	nothing
)

// tellingFirst brings those sets to the front that tell most of the model: one for each
// thing that is broken in it, then one for each of its behaviours.
func (b *comparer) tellingFirst(sets []Set, standard bool) {
	says := map[string]int{}
	behaviours, broken := map[behaviour]bool{}, map[findKey]bool{}
	note := func(o *outcome) (what int) {
		what = nothing
		if !behaviours[o.key] {
			behaviours[o.key], what = true, shows
		}
		for i := range o.broken {
			if key := keyOf(&o.broken[i]); !broken[key] {
				broken[key], what = true, breaks
			}
		}
		return what
	}
	note(b.world.play(nil, b.reader, b.limit, standard))
	for _, set := range sets {
		says[set.String()] = nothing
		if o := b.world.play(set, b.reader, b.limit, standard); o.says() {
			says[set.String()] = note(o)
		}
	}
	slices.SortStableFunc(sets, func(x, y Set) int { return cmp.Compare(says[x.String()], says[y.String()]) })
}

// refused reports whether a strike is what a service most often says to a request that is
// wrong: who asks again after that asks again after anything.
func refused(x *Strike) bool { return x.Args["status_code"] == http.StatusBadRequest }

// How much a strike promises, the most first.
const (
	service = iota // does not work
	commonest
	silence
	rest
	later   // than the first attempt
	waiting // takes long
)

// promise is smaller for what is tried earlier.
func promise(x *Strike) int {
	group := x.group()
	switch {
	case x.Fault == faults.Silence() && x.Outage == nil && x.N == 1:
		return silence
	case group == faults.GroupHang || group == faults.GroupLate:
		return waiting
	case x.Outage != nil && (x.Outage.Provider != "" || x.Outage.Target != ""):
		return service
	case x.Outage == nil && x.N == 1 && x.rank > 0:
		return commonest
	case x.N > 1:
		return later
	}
	return rest
}

// harm is 0 for a strike at an address where a repetition may do harm, and 1 for others.
func harm(harmful map[string]bool, x *Strike) int {
	if harmful[x.Address] {
		return 0
	}
	return 1
}

// harmful are the addresses of HTTP that the run without a fault asks with a method that
// is not idempotent.
func (s *search) harmful() map[string]bool {
	kinds, list := map[string]string{}, map[string]bool{}
	for i := range s.report.Base.Events {
		e := &s.report.Base.Events[i]
		switch e.Type {
		case trace.StepStart:
			kinds[e.Step] = e.Text("kind")
		case trace.AttemptStart:
			if m := e.Text("method"); kinds[e.Step] == "http" && (m == "POST" || m == "PATCH") {
				list[e.Step] = true
			}
		}
	}
	return list
}
