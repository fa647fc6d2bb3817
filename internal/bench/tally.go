package main

import (
	"fmt"
	"io"

	"github.com/scenario-lang/scenario/internal/bench/paired"
)

// tallies are what several comparisons of two builds came to, by row, in the order of the
// rows.
type tallies []*tally

type tally struct {
	name        string
	least, most float64
	verdicts    map[paired.Verdict]int
}

// add counts what a row came to once.
func (t *tallies) add(name string, ratio float64, v paired.Verdict) {
	for _, row := range *t {
		if row.name == name {
			row.least, row.most = min(row.least, ratio), max(row.most, ratio)
			row.verdicts[v]++
			return
		}
	}
	*t = append(*t, &tally{name, ratio, ratio, map[paired.Verdict]int{v: 1}})
}

// print writes a line for each row, and how often something was slower at all.
func (t tallies) print(out io.Writer) {
	fmt.Fprint(out, "\n| what | least | most | same | slower | faster | too noisy |\n|---|---:|---:|---:|---:|---:|---:|\n")
	all := map[paired.Verdict]int{}
	for _, row := range t {
		fmt.Fprintf(out, "| %s | %.3f | %.3f |", row.name, row.least, row.most)
		for _, v := range []paired.Verdict{paired.Same, paired.Slower, paired.Faster, paired.Noisy} {
			fmt.Fprintf(out, " %d |", row.verdicts[v])
			all[v] += row.verdicts[v]
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "\n%d the same, %d slower, %d faster, %d too noisy\n", all[paired.Same], all[paired.Slower], all[paired.Faster], all[paired.Noisy])
}
