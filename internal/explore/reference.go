package explore

import (
	"bytes"
	"iter"
	"slices"
	"sync"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// A Reference is a world beside which others are run that should differ from it: each
// set of strikes on both, in the order of a search, until two runs can be told apart.
// Wrong answers are none of them: they show what a program checks, and a variant checks
// the same.
// What the world itself does under a set is found out once. It is safe for concurrent
// use.
type Reference struct {
	mu     sync.Mutex
	search *search
	levels [2]refLevel
}

// A refLevel is what is known of the sets of one size.
type refLevel struct {
	tried []tried
	// next are the sets that follow, nil before the first was asked for.
	next func() (Set, bool)
	stop func()
	over bool
}

// tried is a set, with what the world did under it.
type tried struct {
	set Set
	key behaviour
	// void says that its run says nothing: the set does not apply, or leads to a call
	// that nothing answers.
	void bool
}

// NewReference prepares a world whose run without a fault passes. Of the options it
// takes which kinds, and which addresses, are tried.
func NewReference(w *World, o Options) *Reference {
	o.NoStandard, o.Parallel = true, 1
	s := newSearch(w, &o)
	s.begin()
	return &Reference{search: s}
}

// Close lets go of what was prepared for further sets.
func (r *Reference) Close() {
	for i := range r.levels {
		if r.levels[i].stop != nil {
			r.levels[i].stop()
		}
	}
}

// Differs runs the sets of a size on a variant of the world, at most so many, and
// returns the first under which the two can be told apart, nil for none. runs is how
// many it took, and all says that there were no more.
func (r *Reference) Differs(variant *World, k, most int) (set Set, runs int, all bool) {
	for i := 0; ; i++ {
		if runs == most || r.search.ended() {
			return nil, runs, false
		}
		t, ok := r.at(k, i)
		if !ok {
			return nil, runs, !r.search.ended()
		}
		if t.void {
			continue
		}
		runs++
		o := variant.play(t.set, r.search.reader, r.search.limit, false)
		switch {
		case o.interrupted:
			return nil, runs, false
		case o.unfit != "": // the variant never comes there
		case o.unanswered != "" || o.key != t.key:
			return t.set, runs, false
		}
	}
}

// Simpler is a single fault in the place of a set that is an outage, the first of those
// that it consists of under which a variant differs, too; or the set itself.
func (r *Reference) Simpler(variant *World, set Set) Set {
	if len(set) != 1 || set[0].Outage == nil {
		return set
	}
	for _, x := range r.search.world.Single(set) {
		one := Set{x}
		o := r.search.world.play(one, r.search.reader, r.search.limit, false)
		v := variant.play(one, r.search.reader, r.search.limit, false)
		if o.unfit == "" && o.unanswered == "" && !o.interrupted && v.unfit == "" && !v.interrupted && (v.unanswered != "" || v.key != o.key) {
			return one
		}
	}
	return set
}

// at is a set of a size by its number, from 0, and whether there is one.
func (r *Reference) at(k, i int) (tried, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := &r.levels[k-1]
	for len(l.tried) <= i && !l.over {
		set, ok := r.following(k)
		if l.over = !ok; !ok {
			break
		}
		o := r.search.world.play(set, r.search.reader, r.search.limit, false)
		if o.interrupted {
			return tried{}, false
		}
		t := tried{set: set, key: o.key, void: o.unfit != "" || o.unanswered != ""}
		if k == 1 && !t.void {
			r.search.strikeAgain(o)
		}
		l.tried = append(l.tried, t)
	}
	if i >= len(l.tried) {
		return tried{}, false
	}
	return l.tried[i], true
}

// following is the next set of a size. Pairs begin once all singles were tried.
func (r *Reference) following(k int) (Set, bool) {
	l := &r.levels[k-1]
	if l.next == nil {
		var sets iter.Seq[Set]
		if k == 1 {
			sets = r.search.first()
		} else {
			sets = r.search.pairs()
		}
		l.next, l.stop = iter.Pull(sets)
	}
	return l.next()
}

// first are the sets of one strike, in the order of a search, which are made as they are
// asked for: some follow from the runs of those before them.
func (s *search) first() iter.Seq[Set] {
	return func(yield func(Set) bool) {
		for _, set := range s.singles() {
			if !yield(set) {
				return
			}
		}
		for len(s.later) > 0 {
			set := s.later[0]
			if s.later = s.later[1:]; !yield(set) {
				return
			}
		}
		for _, set := range slices.Concat(s.delays(), s.events(s.base.instants)) {
			if !yield(set) {
				return
			}
		}
	}
}

// strikeAgain notes a run whose points a second strike may meet.
func (s *search) strikeAgain(o *outcome) {
	s.follow(o)
	if len(s.cast.actors) > 0 {
		o.instants = instantsOf(o.events)
	}
	o.events, o.invariants, o.broken = nil, nil, nil
	n := s.seen[o.key]
	switch {
	case o.set[0].alone(): // as in a search
	case n == nil:
		n = &node{o}
		s.seen[o.key], s.order = n, append(s.order, n)
	case o.last < n.last:
		n.outcome = o
	}
}

// Single is a set with faults at single points in the place of outages: at those that a
// run of the world under the set comes to.
func (w *World) Single(set Set) Set {
	limit := 0
	if _, base := w.bare(); base != nil {
		limit = limitOf(len(base.Events))
	}
	points := w.play(set, newReader(w.Plan), limit, false).points
	var list Set
	for _, x := range set {
		if x.Outage == nil {
			list = append(list, x)
			continue
		}
		for i := range points {
			if p := &points[i]; x.meets(p) {
				list = append(list, Strike{Address: p.Address, Lane: p.Lane, N: p.N, Fault: x.Fault, Args: x.Args, After: x.After, HasAfter: x.HasAfter})
			}
		}
	}
	return list
}

// Injector is what strikes where a set says.
func (s Set) Injector() func(interp.Point) *interp.Injection {
	return func(p interp.Point) *interp.Injection { return s.at(&p) }
}

// A Comparison tells apart runs of one scenario whose program is not the same.
type Comparison struct{ reader reader }

// Compare prepares the comparison of runs of a plan, in canonical JSON.
func Compare(plan []byte) Comparison { return Comparison{newReader(plan)} }

// Differ finds the first event, of those that something can read, in which two runs
// differ: nil for one that has ended before. equal says that there is none.
func (c Comparison) Differ(a, b []trace.Event) (of, by *trace.Event, equal bool) {
	a, b = readable(a), readable(b)
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return nil, &b[i], false
		case i >= len(b):
			return &a[i], nil, false
		case c.reader.behaviour(a[i:i+1]) != c.reader.behaviour(b[i:i+1]):
			return &a[i], &b[i], false
		}
	}
	return nil, nil, true
}

// Attribute is the first attribute of two events, by its name, that differs and that
// something can read; "" for none.
func (c Comparison) Attribute(a, b *trace.Event) string {
	for _, name := range c.reader.attrs[a.Type] {
		v, w := a.Attr(name), b.Attr(name)
		if (v == nil) != (w == nil) || v != nil && !bytes.Equal(trace.AppendValue(nil, v), trace.AppendValue(nil, w)) {
			return name
		}
	}
	return ""
}

// readable are the events that count in a comparison.
func readable(events []trace.Event) []trace.Event {
	return slices.DeleteFunc(slices.Clone(events), func(e trace.Event) bool { return e.Type == trace.Fault || e.Type == trace.Gate })
}
