package report

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/interp/bench"
)

// casesShown is how many cases a terminal shows where nobody asked for all:
// those that did not pass first come first.
const casesShown = 20

// bench writes what a bench came to: its numbers, a table of cases, its gates.
func (t *text) bench(b *bytes.Buffer, r *bench.Report) {
	line := func(color, format string, args ...any) {
		fmt.Fprintf(b, "    %s\n", t.paint(color, safe(fmt.Sprintf(format, args...))))
	}
	line("", "%s", headline(r))
	line(dim, "%s", spent(r))
	t.cases(b, r)
	for _, w := range r.Warnings {
		line(yellow, "warning: %s", w)
	}
	for _, g := range r.Gates {
		switch {
		case g.Error != "":
			line(yellow, "gate %s: %s", g.Name, g.Error)
		case g.Passed:
			line(green, "gate %s: passed, %s", g.Name, strings.Join(g.Reasons, "; "))
		case !t.opts.Scores: // else it is among the problems
			line(red, "gate %s: not passed: %s", g.Name, strings.Join(g.Reasons, "; "))
		}
	}
	if len(r.Gates) == 0 {
		line(dim, "%s", noGate)
	}
	if r.Against != nil {
		for _, said := range against(r.Against) {
			line("", "%s", said)
		}
	}
}

// noGate is said of a bench that is done whatever its scores are.
const noGate = "no gate: nothing says which scores are good enough"

// headline are the numbers that say how good the system is.
func headline(r *bench.Report) string {
	p := r.PassRate
	s := fmt.Sprintf("%d of %d cases passed (%s, %s to %s), mean score %.3f, lower bound %.3f", r.Passed, len(r.Cases), share(p.Value), share(p.Low), share(p.High), r.MeanScore, r.LowerBound)
	if n := len(r.ByK); n > 1 {
		s += fmt.Sprintf(", pass@%d %s, pass^%d %s", n, share(r.PassAt), n, share(r.PassAll))
	}
	return s
}

// spent says what the run was and cost.
func spent(r *bench.Report) string {
	s := fmt.Sprintf("run %s, %s", r.RunID, dollars(r.CostUSD))
	if !r.Complete {
		s += fmt.Sprintf(", incomplete (%s): %d of %d cases ran", r.PartialReason, r.Ran(), len(r.Cases))
	}
	if r.Kept > 0 {
		s += fmt.Sprintf(", %d trials kept from before", r.Kept)
	}
	return s
}

func share(part float64) string { return strconv.FormatFloat(100*part, 'f', 1, 64) + "%" }

// dollars shows cents, and more where it is less than one.
func dollars(usd float64) string {
	if usd != 0 && usd < 0.01 {
		return fmt.Sprintf("$%.2g", usd)
	}
	return fmt.Sprintf("$%.2f", usd)
}

// cases writes the table: all cases for people who asked for all, else those
// that did not pass.
func (t *text) cases(b *bytes.Buffer, r *bench.Report) {
	shown, more := notable(r, t.opts.Verbose)
	if len(shown) == 0 {
		return
	}
	width := len("case")
	for _, c := range shown {
		width = max(width, len([]rune(safe(c.ID))))
	}
	width = min(width, 40)
	fmt.Fprintf(b, "    %s\n", t.paint(dim, fmt.Sprintf("%-*s  passed  score  failure modes", width, "case")))
	for _, c := range shown {
		passed, color := "no", red
		if c.Passed {
			passed, color = "yes", ""
		}
		if !c.Ran {
			passed, color = "-", dim
		}
		row := fmt.Sprintf("%-*s  %-6s  %.3f  %s", width, safe(c.ID), passed, c.Score.Score, safe(modesOf(c.FailureModes)))
		fmt.Fprintf(b, "    %s\n", t.paint(color, strings.TrimRight(row, " ")))
	}
	if more > 0 {
		fmt.Fprintf(b, "    %s\n", t.paint(dim, fmt.Sprintf("… and %d more; -v shows every case", more)))
	}
}

// notable are the cases to show: those that ran and did not pass or have
// failure modes.
func notable(r *bench.Report, all bool) (shown []*bench.CaseResult, more int) {
	for i := range r.Cases {
		c := &r.Cases[i]
		switch {
		case all || c.Ran && (!c.Passed || len(c.FailureModes) > 0) && len(shown) < casesShown:
			shown = append(shown, c)
		case c.Ran && !c.Passed:
			more++
		}
	}
	return shown, more
}

// modesOf lists failure modes on one line.
func modesOf(modes []bench.FailureMode) string {
	said := make([]string, len(modes))
	for i, m := range modes {
		said[i] = m.Code + " (" + m.Severity + ")"
		if detail := strings.Join(strings.Fields(m.Detail), " "); detail != "" {
			said[i] += ": " + detail
		}
	}
	return strings.Join(said, "; ")
}

// against says how a run differs from an earlier one.
func against(c *bench.Comparison) []string {
	if c.Common == 0 {
		return []string{"baseline: no case is in both runs"}
	}
	d := c.Difference
	verdict := "no significant difference"
	if c.Significant() {
		verdict = "better"
		if d.High < 0 {
			verdict = "worse"
		}
	}
	said := []string{fmt.Sprintf("baseline: %s, mean score %+.3f (%+.3f to %+.3f) over %d common cases", verdict, d.Value, d.Low, d.High, c.Common)}
	for _, list := range []struct {
		what string
		ids  []string
	}{{"passes now", c.Fixed}, {"no longer passes", c.Broken}, {"only in this run", c.Added}, {"only in the baseline", c.Removed}} {
		if n := len(list.ids); n > casesShown {
			said = append(said, fmt.Sprintf("%s: %s … and %d more", list.what, strings.Join(list.ids[:casesShown], ", "), n-casesShown))
		} else if n > 0 {
			said = append(said, fmt.Sprintf("%s: %s", list.what, strings.Join(list.ids, ", ")))
		}
	}
	return said
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %s", n, plurals(noun))
}
