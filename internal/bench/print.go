package main

import (
	"fmt"
	"io"
)

// printBar writes a line for every figure and reports whether a first bar was
// missed.
func printBar(w io.Writer, b bar, m measured) (missed bool) {
	for i := range m.Figures {
		f := &m.Figures[i]
		fmt.Fprintf(w, "%-4s %-52s %-16s %8.3g %-3s (%.3g – %.3g – %.3g)   bar %-16s goal %s\n",
			b.ID, b.What, f.What, f.Of.median, f.Unit, f.Of.min, f.Of.median, f.Of.max, f.verdict(f.First), f.verdict(f.Goal))
		missed = missed || f.First != nil && !f.First.met(f.Of.median)
	}
	for _, n := range m.Notes {
		fmt.Fprintf(w, "       %s\n", n)
	}
	return missed
}
