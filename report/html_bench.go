package report

import (
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/interp/bench"
)

// plotBins is how many bars the plot of scores has.
const plotBins = 20

// The measures of the plot of scores, in pixels.
const (
	plotHeight = 120
	plotBase   = 100
	plotTop    = 14
)

// bench shows what a bench came to: its numbers, a plot of its scores, its
// cases.
func (s *section) bench(r *bench.Report) {
	s.add("<p><b>%s</b></p>\n<p class=\"mut\">%s</p>\n", headline(r), spent(r))
	for _, w := range r.Warnings {
		s.add("<p class=\"mut\">warning: %s</p>\n", w)
	}
	for _, g := range r.Gates {
		switch {
		case g.Error != "":
			s.add("<p>gate %s: %s</p>\n", g.Name, g.Error)
		case g.Passed: // else it is among the problems
			s.add("<p>gate %s: passed, %s</p>\n", g.Name, strings.Join(g.Reasons, "; "))
		}
	}
	if said := ungated(r); said != "" {
		s.add("<p class=\"mut\">%s</p>\n", said)
	}
	if r.Against != nil {
		for _, said := range against(r.Against) {
			s.add("<p>%s</p>\n", said)
		}
		s.sides(r)
	}
	if r.Ran() > 0 {
		s.add("<figure>%s<figcaption>%s</figcaption></figure>\n", plotScores(r), plotTold(r))
	}
	s.cases(r)
}

// scoreCells are what the page's first table says of a bench; nil for one that
// did not run.
func scoreCells(r *bench.Report) [3]string {
	if r == nil {
		return [3]string{}
	}
	return [3]string{passedOf(r), scored(r, r.MeanScore), scored(r, r.LowerBound)}
}

// plotTold says what the plot shows: the two lines in it as well.
func plotTold(r *bench.Report) string {
	if !wholly(r) {
		return "How many of the cases that ran have which score."
	}
	return fmt.Sprintf("How many cases have which score. The lines are the lower bound, %.3f, and the mean, %.3f.", r.LowerBound, r.MeanScore)
}

// plotScores draws how many cases have which score, with the mean and the
// lower bound. Places are shares of the width, so that it grows with the page.
func plotScores(r *bench.Report) raw {
	var bins [plotBins]int
	most := 1
	for i := range r.Cases {
		if !r.Cases[i].Ran {
			continue
		}
		n := min(int(r.Cases[i].Score.Score*plotBins), plotBins-1)
		bins[n]++
		most = max(most, bins[n])
	}
	var m markup
	m.add("<svg class=tl height=%d role=img aria-label=\"%s\">\n", plotHeight, "How many cases have which score: "+headline(r))
	for i, n := range bins {
		if n == 0 {
			continue
		}
		height := max(1, (plotBase-plotTop)*n/most)
		x := 100 * float64(i) / plotBins
		m.add("<rect class=ok x=\"%s%%\" y=%d width=\"%s%%\" height=%d><title>%s</title></rect>\n",
			raw(fmt.Sprintf("%.2f", x+0.2)), plotBase-height, raw(fmt.Sprintf("%.2f", 100.0/plotBins-0.4)), height, fmt.Sprintf("%d with a score from %.2f", n, float64(i)/plotBins))
		m.add("<text class=\"c m\" x=\"%s%%\" y=%d>%d</text>\n", raw(fmt.Sprintf("%.2f", x+50.0/plotBins)), plotBase-height-3, n)
	}
	m.add("<line class=ax x1=\"0%%\" x2=\"100%%\" y1=%d y2=%[1]d />\n", plotBase)
	type line struct {
		at   float64
		word string
	}
	var marks []line
	if wholly(r) {
		marks = []line{{r.LowerBound, "lower bound"}, {r.MeanScore, "mean"}}
	}
	for _, mark := range marks {
		x := raw(fmt.Sprintf("%.2f", 100*mark.at))
		m.add("<line class=ax x1=\"%s%%\" x2=\"%[1]s%%\" y1=0 y2=%d><title>%s</title></line>\n", x, plotBase, fmt.Sprintf("%s %.3f", mark.word, mark.at))
	}
	for _, at := range []float64{0, 0.25, 0.5, 0.75, 1} {
		class := "c"
		switch at {
		case 0:
			class = "s"
		case 1:
			class = "e"
		}
		m.add("<text class=\"%s m\" x=\"%s%%\" y=%d>%s</text>\n", class, raw(fmt.Sprintf("%.0f", 100*at)), plotHeight-5, fmt.Sprintf("%.2f", at))
	}
	m.add("</svg>")
	return raw(m.String())
}
