package main

import (
	"fmt"

	"github.com/scenario-lang/scenario/internal/bench/paired"
)

// A bar is one thing that has to be fast.
type bar struct {
	ID, What string
	Measure  func(*lab) (measured, error)
}

// measured is what a bar's rounds showed.
type measured struct {
	// Figures are what is held against limits.
	Figures []figure
	// Notes say what was run, and what each side took.
	Notes []string
}

// A figure is one number, and the limit that it is held against: a ratio to what
// cannot be done with less in the same run, or with Unit an absolute value, which
// depends on the machine.
type figure struct {
	What, Unit string
	Of         paired.Interval
	// Goal is nil where there is none.
	Goal *limit
}

// A limit is a number that a figure must not pass.
type limit struct {
	bound float64
	least bool
}

func atMost(x float64) *limit  { return &limit{x, false} }
func atLeast(x float64) *limit { return &limit{x, true} }

func (l *limit) met(x float64) bool {
	if l.least {
		return x >= l.bound
	}
	return x <= l.bound
}

func (l *limit) String() string {
	switch {
	case l == nil:
		return ""
	case l.least:
		return fmt.Sprintf("≥ %g", l.bound)
	}
	return fmt.Sprintf("≤ %g", l.bound)
}

// verdict is a word on the goal, "" where there is none. Where the goal lies within the
// noise, nothing is known.
func (f *figure) verdict() string {
	if f.Goal == nil {
		return ""
	}
	switch low, high := f.Goal.met(f.Of.Low), f.Goal.met(f.Of.High); {
	case low && high:
		return "met"
	case low || high:
		return "too noisy"
	}
	return missed
}

// missed is the verdict on what is beyond its goal.
const missed = "missed"

// ratioOf is a figure that is a ratio of two series, pair by pair.
func ratioOf(what string, a, b []float64, goal *limit) figure {
	return figure{What: what, Unit: "×", Of: paired.Of(paired.Ratios(a, b)), Goal: goal}
}

// valueOf is a figure that is a value of its own.
func valueOf(what, unit string, values []float64, goal *limit) figure {
	return figure{What: what, Unit: unit, Of: paired.Of(values), Goal: goal}
}
