package actor

import (
	"errors"
	"fmt"
	"slices"
)

// A change is what a block of the scenario did to an actor, or to its entry in a
// registry: whoever is refused because of it, or answered because of it, shows
// its effect.
type change struct {
	// by names the block, "" where the world came there by itself.
	by string
	// back says that calls which were refused before are taken since.
	back bool
}

// split is a partition that is or was there.
type split struct {
	groups [][]string
	// by made it, and ended is the block that ended it.
	by, ended string
}

// apart reports whether it lies between two actors. One that no set names is on
// every side.
func (s split) apart(a, b string) bool {
	in, other := -1, -1
	for i, group := range s.groups {
		if slices.Contains(group, a) {
			in = i
		}
		if slices.Contains(group, b) {
			other = i
		}
	}
	return in >= 0 && other >= 0 && in != other
}

// claims says who waits for a lock or a pool, and who holds units of it.
type claims struct {
	place   string
	units   int
	holds   []string // the blocks of the scenario, one for each unit
	users   []*visit // the calls, one for each unit
	waiting []*visit
}

// took notes that a call took a unit.
func (c *claims) took(v *visit) { c.users = append(c.users, v) }

// left notes that a call gave a unit back.
func (c *claims) left(v *visit) {
	i := slices.Index(c.users, v)
	c.users = slices.Delete(c.users, i, i+1)
}

// held notes that a block took a unit: who waits still waits because of it.
func (c *claims) held(by string) {
	c.holds = append(c.holds, by)
	for _, v := range c.waiting {
		v.shows(by)
	}
}

// given notes that a block gave a unit back.
func (c *claims) given(by string) {
	i := slices.Index(c.holds, by)
	c.holds = slices.Delete(c.holds, i, i+1)
}

// blocked notes that a call finds no unit free.
func (c *claims) blocked(v *visit) {
	for _, by := range c.holds {
		v.shows(by)
	}
}

// await notes that a call waits, until the returned function is called.
func (c *claims) await(v *visit) (over func()) {
	c.blocked(v)
	c.waiting = append(c.waiting, v)
	v.awaits = c
	v.within(func(outer *visit) { outer.below = append(outer.below, v) })
	itself := func(o *visit) bool { return o == v }
	return func() {
		c.waiting = slices.DeleteFunc(c.waiting, itself)
		v.awaits = nil
		v.within(func(outer *visit) { outer.below = slices.DeleteFunc(outer.below, itself) })
	}
}

// shows notes that the call went as it did because of a block of the scenario.
func (v *visit) shows(by string) {
	if by != "" && !slices.Contains(v.because, by) {
		v.because = append(v.because, by)
	}
}

// expelled is why a call that was inside of an actor ended before its time.
type expelled struct {
	actor string
	// killed says that the process died, and not that its time was over.
	killed bool
	by     string
}

func (e *expelled) Error() string {
	if e.killed {
		return fmt.Sprintf("actor %q was killed", e.actor)
	}
	return fmt.Sprintf("actor %q was drained, and its time for ending what was under way is over", e.actor)
}

// expulsion is why work ended whose context ended for that cause, nil where
// nobody was made to leave an actor.
func expulsion(cause error) *expelled {
	var e *expelled
	if errors.As(cause, &e) {
		return e
	}
	return nil
}
