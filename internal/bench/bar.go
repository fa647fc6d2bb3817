package main

import "fmt"

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

// A figure is one number with the limits that it is held against.
type figure struct {
	What, Unit string
	Of         spread
	// First is what has to be reached, Goal what we want; nil for none.
	First, Goal *limit
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

// verdict is the limit with a word for how the median stands to it.
func (f *figure) verdict(l *limit) string {
	if l == nil {
		return "–"
	}
	sign, word := "≤", "ok"
	if l.least {
		sign = "≥"
	}
	if !l.met(f.Of.median) {
		word = "missed"
	}
	return fmt.Sprintf("%s %g%s %s", sign, l.bound, f.Unit, word)
}
