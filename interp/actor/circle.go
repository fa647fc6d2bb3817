package actor

import "slices"

// A circle of waits is a set of calls each of which waits for a lock or a pool whose
// units are all held by others of the set, or by calls that wait for one of them. None
// of them can go on before something else ends one: a deadline, or an event.

// waiters are the calls that wait for a lock or a pool where v has to wait for them: v
// itself, or what its session called.
func (v *visit) waiters() []*visit {
	if v.awaits == nil {
		return v.below
	}
	return append([]*visit{v}, v.below...)
}

// within does something with every call in whose session a call is made.
func (v *visit) within(do func(outer *visit)) {
	for s := v.call.Via.session; s != nil; s = s.visit.call.Via.session {
		do(s.visit)
	}
}

// circle is the circle of waits that a call closes by what it has begun to wait for: who
// waits for what, that call first. It is nil where there is none.
func (v *visit) circle() []string {
	stuck := v.stuck()
	if !stuck[v] {
		return nil
	}
	var list []string
	for _, u := range v.wayBack(v, stuck, map[*visit]bool{}) {
		list = append(list, u.call.Origin.Name()+" waits for "+u.awaits.place)
	}
	return list
}

// stuck are the calls that a call waits for, directly or not, and that wait without end
// as long as nothing but a release ends a wait.
func (v *visit) stuck() map[*visit]bool {
	reached, stuck := []*visit{v}, map[*visit]bool{v: true}
	for i := 0; i < len(reached); i++ {
		for _, h := range reached[i].awaits.users {
			for _, u := range h.waiters() {
				if !stuck[u] {
					stuck[u], reached = true, append(reached, u)
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, u := range reached {
			if stuck[u] && u.awaits.mayComeFree(stuck) {
				delete(stuck, u)
				changed = true
			}
		}
	}
	return stuck
}

// mayComeFree reports whether someone holds a unit, or is about to take one, who does not
// wait for one of the stuck.
func (c *claims) mayComeFree(stuck map[*visit]bool) bool {
	return len(c.users) < c.units || slices.ContainsFunc(c.users, func(h *visit) bool {
		return !slices.ContainsFunc(h.waiters(), func(u *visit) bool { return stuck[u] })
	})
}

// wayBack are the stuck calls from v to the one that waits for a unit that first holds,
// nil where none does.
func (v *visit) wayBack(first *visit, stuck, seen map[*visit]bool) []*visit {
	seen[v] = true
	for _, h := range v.awaits.users {
		for _, u := range h.waiters() {
			if u == first {
				return []*visit{v}
			}
			if !stuck[u] || seen[u] {
				continue
			}
			if rest := u.wayBack(first, stuck, seen); rest != nil {
				return append([]*visit{v}, rest...)
			}
		}
	}
	return nil
}
