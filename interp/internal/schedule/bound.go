package schedule

import (
	"math"
	"time"
)

// A Bound is the longest that something takes.
type Bound struct {
	Time time.Duration
	// Open says why nothing ends it, "" where Time does.
	Open string
}

// timeMax is longer than anything that anybody waits for.
const timeMax = 1 << 62

// and is one after the other.
func (b Bound) and(c Bound) Bound {
	switch {
	case b.Open != "":
		return b
	case c.Open != "":
		return c
	}
	return Bound{Time: added(b.Time, c.Time)}
}

// or is the longer of two.
func (b Bound) or(c Bound) Bound {
	switch {
	case b.Open != "":
		return b
	case c.Open != "":
		return c
	}
	return Bound{Time: max(b.Time, c.Time)}
}

// by is so many times the bound.
func (b Bound) by(n int) Bound {
	if b.Open == "" && n > 0 && b.Time > timeMax/time.Duration(n) {
		return Bound{Time: timeMax}
	}
	b.Time *= time.Duration(n)
	return b
}

// within is the bound where a deadline ends it, 0 for none.
func (b Bound) within(deadline time.Duration) Bound {
	if deadline > 0 && (b.Open != "" || b.Time > deadline) {
		return Bound{Time: deadline}
	}
	return b
}

// added is a sum that stays in bounds.
func added(a, b time.Duration) time.Duration {
	if a > timeMax-b {
		return timeMax
	}
	return a + b
}

// A Count is how often something happens at most.
type Count struct {
	N int
	// Open says why nothing bounds it, "" where N does.
	Open string
}

const countMax = min(1<<40, math.MaxInt>>1) // two of them are an int, also where ints have 32 bits

func (c Count) by(n Count) Count {
	switch {
	case c.Open != "":
		return c
	case n.Open != "":
		return n
	case n.N > 0 && c.N > countMax/n.N:
		return Count{N: countMax}
	}
	return Count{N: c.N * n.N}
}

func (c Count) and(n Count) Count {
	switch {
	case c.Open != "":
		return c
	case n.Open != "":
		return n
	}
	return Count{N: min(c.N+n.N, countMax)}
}
