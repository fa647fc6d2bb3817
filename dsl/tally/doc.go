// Package tally bounds what is computed together: all expressions of a file while
// it is compiled, or all that one run of a scenario does.
//
//	t := tally.New(256 << 20)
//	if !t.Spend(cost, func() tally.Part { return tally.Part{Range: rng} }) {
//		most, percent := t.Most() // what took the largest part of it
//		return fmt.Errorf("%d %% of it are due to %s", percent, most)
//	}
//
// What is counted is work and never time, so that what fits on one machine fits
// on all of them.
package tally
