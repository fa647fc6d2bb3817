package observe

import (
	"slices"
)

// attempt is the one of a number, which has begun and is not forgotten.
func (s *StepResult) attempt(n int) *attemptResult {
	if n <= len(s.attempts) && s.attempts[n-1].n == n {
		return s.attempts[n-1]
	}
	i, _ := slices.BinarySearchFunc(s.attempts, n, func(a *attemptResult, n int) int { return a.n - n })
	return s.attempts[i]
}

// Forget drops the attempts of a program that are over and began before the event
// of a number, for a run that has no end of its own. Counts and sums keep them.
func (o *Observed) Forget(before uint64) {
	past := func(a *attemptResult) bool { return a.served != nil && a.seq < before }
	for _, s := range o.Steps {
		if s.asked == nil {
			continue
		}
		s.asked.forget(past)
		s.attempts = without(s.attempts, past)
		o.renew(s)
	}
	for _, t := range o.Targets {
		t.attempts = without(t.attempts, past)
	}
}

func (r *askedResult) forget(past func(*attemptResult) bool) {
	for _, c := range r.calls {
		c.attempts = without(c.attempts, past)
		if len(c.attempts) > 0 && c.attempts[0].prior != nil {
			c.attempts[0].prior.prior = nil // it is kept for the gap alone
		}
	}
	empty := func(c *callResult) bool { return len(c.attempts) == 0 }
	r.calls = without(r.calls, empty)
	for _, l := range r.lanes {
		l.attempts, l.calls = without(l.attempts, past), without(l.calls, empty)
	}
}

// without is a list of its own without some elements, so that they are free.
func without[T any](list []T, some func(T) bool) []T {
	var kept []T
	for _, e := range list {
		if !some(e) {
			kept = append(kept, e)
		}
	}
	return kept
}

// once counts different positive numbers that are given in about their order.
type once struct {
	bits []uint64
	n    int
}

func (o *once) see(number int) {
	for number/64 >= len(o.bits) {
		o.bits = append(o.bits, 0)
	}
	if bit := uint64(1) << (number % 64); o.bits[number/64]&bit == 0 {
		o.bits[number/64] |= bit
		o.n++
	}
}
