package explore

import (
	"slices"
	"time"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/trace"
)

// just is how far before or behind an instant an answer comes, where no other instant
// is nearer.
const just = time.Millisecond

// A spot is a point, as another run has it, too.
type spot struct {
	address, lane string
	n             int
}

// isSilence reports whether a set is one attempt that is silent until somebody gives
// it up.
func (s Set) isSilence() bool {
	return len(s) == 1 && s[0].Outage == nil && s[0].Events == nil && s[0].Fault == faults.Silence() && !s[0].HasAfter
}

// isDelay reports whether a strike makes a good answer late.
func (s *Strike) isDelay() bool { return s.Fault == faults.Late() }

// delays are the strikes by which an answer comes just before, at and just behind each
// instant of the run in which its attempt is silent: until then something else happens,
// or the attempt is given up. What comes later is silence.
func (s *search) delays() []Set {
	if s.report.Unsteady != nil {
		return nil
	}
	if p := s.world.Program; !s.tries(faults.Late().Name) || p != nil && !p.Virtual {
		return nil // where the clock is real, no instant comes again
	}
	var sets []Set
	s.listen()
	for i := range s.base.points {
		p := &s.base.points[i]
		if !s.strikes(p.Address) || !p.Meets(faults.Late()) {
			continue
		}
		due := p.At
		if ends := s.ends[p.Address]; p.N <= len(ends) {
			due = ends[p.N-1]
		}
		for _, at := range around(due, s.silences[spot{p.Address, p.Lane, p.N}]) {
			sets = append(sets, Set{{Address: p.Address, Lane: p.Lane, N: p.N, Fault: faults.Late(), Args: schema.Values{"by": at - due}}})
		}
	}
	return sets
}

// listen makes the runs in which an attempt is silent that were not made as singles.
func (s *search) listen() {
	var missing []Set
	for i := range s.base.points {
		p := &s.base.points[i]
		if _, known := s.silences[spot{p.Address, p.Lane, p.N}]; !known && s.strikes(p.Address) && p.Meets(faults.Silence()) && p.Meets(faults.Late()) {
			missing = append(missing, Set{{Address: p.Address, Lane: p.Lane, N: p.N, Fault: faults.Silence()}})
		}
	}
	missing = missing[:min(len(missing), max(0, s.Runs-s.report.Account.Runs))]
	s.playAll(missing, func(o *outcome) bool {
		s.report.Account.Runs++
		s.silent(o)
		return true
	})
}

// silent notes when something happens in a run in which an attempt is silent, up to the
// end of that.
func (s *search) silent(o *outcome) {
	if !o.set.isSilence() || o.events == nil || o.last < 0 {
		return
	}
	x, began := &o.set[0], o.points[o.last].At
	end, ends := nthEnd(o.events, x.Address, x.N)
	instants := []time.Duration{}
	for i := range o.events {
		if at := o.events[i].At; at > began && (!ends || at <= end) {
			instants = append(instants, at)
		}
	}
	slices.Sort(instants)
	s.silences[spot{x.Address, x.Lane, x.N}] = slices.Compact(instants)
}

// around are the instants just before, at and just behind others, as far as they come
// after an answer that is due, and no later than the last.
func around(due time.Duration, instants []time.Duration) []time.Duration {
	var list []time.Duration
	before := due
	for i, at := range instants {
		if at <= due {
			before = at
			continue
		}
		list = append(list, at-min(just, (at-before)/2), at)
		if i+1 < len(instants) {
			list = append(list, at+min(just, (instants[i+1]-at)/2))
		}
		before = at
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return slices.DeleteFunc(list, func(at time.Duration) bool { return at <= due })
}

// endsOf are when the attempts of each address ended in a run, in that order.
func endsOf(events []trace.Event) map[string][]time.Duration {
	ends := map[string][]time.Duration{}
	for i := range events {
		if e := &events[i]; e.Type == trace.AttemptEnd {
			ends[e.Step] = append(ends[e.Step], e.At)
		}
	}
	return ends
}

// nthEnd is when the nth attempt of an address ended in a run.
func nthEnd(events []trace.Event, address string, n int) (time.Duration, bool) {
	for i := range events {
		if e := &events[i]; e.Type == trace.AttemptEnd && e.Step == address {
			if n--; n == 0 {
				return e.At, true
			}
		}
	}
	return 0, false
}

// untilReaction is an outage that is over as soon as a policy has done something about
// it: a breaker has opened, another target or step has stood in, a registry has changed
// its mind. It is nil where none has.
func untilReaction(o *outcome) Set {
	if len(o.set) != 1 || o.set[0].Outage == nil || o.set[0].Outage.To != 0 || o.last < 0 {
		return nil
	}
	struck := o.points[o.last].At
	i := slices.IndexFunc(o.events, func(e trace.Event) bool { return e.At >= struck && reacts(&e) })
	if i < 0 {
		return nil
	}
	x, reach := o.set[0], *o.set[0].Outage
	at := o.events[i].At // what has made the policy react is struck, too
	next := slices.IndexFunc(o.points, func(p interp.Point) bool { return p.At > at && x.meets(&p) })
	if next < 0 {
		return nil // it would strike the same
	}
	reach.To = at + min(just, (o.points[next].At-at+1)/2)
	x.Outage = &reach
	return Set{x}
}

// untilCount are outages that strike one attempt less than a threshold of the file, as
// many, and one more.
func (s *search) untilCount(o *outcome) []Set {
	if len(o.set) != 1 || o.set[0].Outage == nil || o.set[0].Outage.To != 0 {
		return nil
	}
	var met []time.Duration
	for i := range o.points {
		if o.set[0].meets(&o.points[i]) {
			met = append(met, o.points[i].At)
		}
	}
	var sets []Set
	for _, t := range s.figures.thresholds {
		for n := max(1, t-1); n <= t+1 && n < len(met); n++ {
			if met[n] == met[n-1] {
				continue // no instant is between them
			}
			x, reach := o.set[0], *o.set[0].Outage
			reach.To = met[n-1] + min(just, (met[n]-met[n-1]+1)/2)
			x.Outage = &reach
			sets = append(sets, Set{x})
		}
	}
	return sets
}

// reacts reports whether an event is a policy's answer to failures.
func reacts(e *trace.Event) bool {
	switch e.Type {
	case trace.Breaker:
		return e.Text("to") == "open"
	case trace.Fallback, trace.Registry:
		return true
	}
	return false
}
