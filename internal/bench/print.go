package main

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/scenario-lang/scenario/internal/bench/paired"
)

// printNotes writes what was run for a bar, and what it took.
func printNotes(w io.Writer, b bar, m measured) {
	fmt.Fprintf(w, "%s %s\n", b.ID, b.What)
	for _, n := range m.Notes {
		fmt.Fprintf(w, "    %s\n", n)
	}
}

// A row is a figure of a bar in the table at the end.
type row struct {
	bar    bar
	figure figure
}

// key names the row from one run to the next.
func (r row) key() string { return r.bar.ID + ": " + r.bar.What + ": " + r.figure.What }

// printTable writes a line for every figure: the goal, what was measured, how far the
// noise reaches, and what was measured before. It returns how many goals were missed.
func printTable(w io.Writer, rows []row, before kept) (beyond int) {
	fmt.Fprintf(w, "\n| goal | what | of it | is | 99 %% of medians | goal | | before |\n|---|---|---|---:|---:|---:|---|---:|\n")
	for _, r := range rows {
		verdict := r.figure.verdict()
		if verdict == missed {
			beyond++
		}
		old := "–"
		if v, known := before.Figures[r.key()]; known {
			old = number(v, r.figure.Unit)
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %s |\n",
			r.bar.ID, r.bar.What, r.figure.What, number(r.figure.Of.Median, r.figure.Unit), reach(r.figure.Of, r.figure.Unit), r.figure.Goal, verdict, old)
	}
	if before.Of != "" {
		fmt.Fprintf(w, "\nbefore: %s\n", before.Of)
	}
	return beyond
}

// reach is what the noise reaches from and to. What was measured once has none, and of few values
// it says how many there were, as they do not make 99 percent.
func reach(of paired.Interval, unit string) string {
	if of.Of <= 1 {
		return "once"
	}
	both := number(of.Low, "") + " – " + number(of.High, unit)
	if of.Of < paired.Sure {
		return fmt.Sprintf("%s, all %d", both, of.Of)
	}
	return both
}

// number writes a value with three digits.
func number(v float64, unit string) string {
	digits := 0
	if v != 0 {
		digits = max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	}
	text := strconv.FormatFloat(v, 'f', min(digits, 3), 64)
	if unit == "" || unit == "×" {
		return text + unit
	}
	return text + " " + unit
}

// spread writes the least, the median and the most of several values.
func spread(values []float64) string {
	least, most := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		least, most = min(least, v), max(most, v)
	}
	return fmt.Sprintf("%.4g – %.4g – %.4g", least, paired.Median(values), most)
}
