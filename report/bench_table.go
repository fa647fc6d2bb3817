package report

import (
	"bytes"
	"fmt"
	"slices"
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
	if said := ungated(r); said != "" {
		line(dim, "%s", said)
	}
	if r.Against != nil {
		for _, said := range against(r.Against) {
			line("", "%s", said)
		}
		t.sides(b, r)
	}
}

// sidesShown is how many cases of one reason a terminal shows as they were and as
// they are.
const sidesShown = 2

// sides shows what was answered before and what now, in the cases that were better.
func (t *text) sides(b *bytes.Buffer, r *bench.Report) {
	for _, g := range worse(r) {
		for i, now := range g.cases {
			if i == sidesShown && !t.opts.Verbose {
				fmt.Fprintf(b, "    %s\n", t.paint(dim, fmt.Sprintf("… and %s: %s", plural(len(g.cases)-i, "more case"), safe(g.why))))
				break
			}
			was := r.Against.Was(now.ID)
			fmt.Fprintf(b, "    %s\n", safe(fmt.Sprintf("%s: score %.3f, was %.3f%s", was.ID, now.Score.Score, was.Score.Score, afterComma(unsteady(now)))))
			t.excerpt(b, "before", outputOf(was, now))
			t.excerpt(b, "now", outputOf(now, was))
		}
	}
}

// afterComma is something more to say, "" for nothing.
func afterComma(said string) string {
	if said == "" {
		return ""
	}
	return ", " + said
}

// outputOf is the answer to show of a case beside another run of it: that of the
// first trial which ended otherwise, else of the first.
func outputOf(c, other *bench.CaseResult) bench.Excerpt {
	show := 0
	for i := range min(len(c.Trials), len(other.Trials)) {
		if c.Trials[i].Passed != other.Trials[i].Passed {
			show = i
			break
		}
	}
	if show >= len(c.Trials) {
		return bench.Excerpt{}
	}
	k := c.Trials[show].Look()
	switch {
	case k == nil:
		return bench.Excerpt{}
	case k.Output.Text != "":
		return k.Output
	}
	return k.Log
}

// ungated is said of a bench that is done whatever its scores are.
func ungated(r *bench.Report) string {
	switch {
	case r.Of > 0:
		return fmt.Sprintf("no gate is asked: %d of %d cases were selected", len(r.Cases), r.Of)
	case len(r.Gates) == 0:
		return noGate
	}
	return ""
}

// noGate is said where nothing says it.
const noGate = "no gate: nothing says which scores are good enough"

// headline are the numbers that say how good the system is.
func headline(r *bench.Report) string {
	if !wholly(r) {
		return fmt.Sprintf("%d of the %s that ran passed; %d did not run, so that there is no rate", r.Passed, plural(r.Ran(), "case"), len(r.Cases)-r.Ran())
	}
	p := r.PassRate
	s := fmt.Sprintf("%d of %d cases passed (%s, %s to %s), mean score %.3f, lower bound %.3f", r.Passed, len(r.Cases), share(p.Value), share(p.Low), share(p.High), r.MeanScore, r.LowerBound)
	if n := len(r.ByK); n > 1 {
		s += fmt.Sprintf(", pass@%d %s, pass^%d %s", n, share(r.PassAt), n, share(r.PassAll))
	}
	return s
}

// wholly reports whether every case ran. Of a part of them that was not chosen, rates and
// means say nothing.
func wholly(r *bench.Report) bool { return r.Ran() == len(r.Cases) }

// spent says what the run was and cost.
func spent(r *bench.Report) string {
	s := fmt.Sprintf("run %s, %s", r.RunID, dollars(r.CostUSD))
	if !r.Complete {
		s += fmt.Sprintf(", incomplete (%s): %d of %d cases ran", r.PartialReason, r.Ran(), len(r.Cases))
	}
	if r.Rescored {
		s += ", answers of before scored anew"
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

// alikeShown is how many cases that did not pass for one reason are shown, where
// nobody asked for all.
const alikeShown = 5

// cases writes the table: all cases for people who asked for all, with what was
// asked and answered, else those that did not pass. Of many with one reason the
// first stand for all.
func (t *text) cases(b *bytes.Buffer, r *bench.Report) {
	all := reasons(r)
	rows, rest := noted(r, t.opts.Verbose), 0
	if len(all)+len(rows) == 0 {
		return
	}
	width := caseWidth(r)
	fmt.Fprintf(b, "    %s\n", t.paint(dim, fmt.Sprintf("%-*s  passed  score  why", width, "case")))
	shown := 0
	for _, g := range all {
		n := len(g.cases)
		if !t.opts.Verbose {
			n = min(n, casesShown-shown)
			if n > alikeShown+1 || n < len(g.cases) {
				n = min(n, alikeShown)
			}
			if len(g.cases) > 2 && len(g.cases) == len(r.Cases) && sameSaid(g.cases) {
				n = min(n, 1)
			}
		}
		for _, c := range g.cases[:n] {
			t.caseRow(b, c, width)
		}
		if shown += n; n < len(g.cases) && n > 0 {
			fmt.Fprintf(b, "    %s\n", t.paint(dim, fmt.Sprintf("… and %d more: %s", len(g.cases)-n, safe(g.why))))
		} else if n == 0 {
			rest += len(g.cases)
		}
	}
	for _, c := range rows {
		if !t.opts.Verbose && shown >= casesShown {
			break
		}
		shown++
		t.caseRow(b, c, width)
	}
	if rest > 0 {
		fmt.Fprintf(b, "    %s\n", t.paint(dim, fmt.Sprintf("… and %d more", rest)))
	}
	if !t.opts.Verbose && len(all) > 0 && answered(all[0].cases[0]) && !t.opts.Quiet {
		fmt.Fprintf(b, "    %s\n", t.paint(dim, "-v shows what each case was asked and answered; --report html=bench.html is a page of it"))
	}
}

// sameSaid reports whether all that is said of some cases is the same: one mistake of a
// program or a rubric, and no property of the cases.
func sameSaid(cases []*bench.CaseResult) bool {
	first := saidOf(cases[0])
	return first != "" && !slices.ContainsFunc(cases[1:], func(c *bench.CaseResult) bool { return saidOf(c) != first })
}

// noted are the cases to show beside those that did not pass: all of them, or
// those with failure modes, and those that show nothing.
func noted(r *bench.Report, all bool) (rows []*bench.CaseResult) {
	for _, c := range ordered(r) {
		if bad := c.Ran && !c.Passed; !bad && (all || c.Ran && (len(c.FailureModes) > 0 || c.Nothing != "")) {
			rows = append(rows, c)
		}
	}
	return rows
}

// answered reports whether something is kept of what a case was answered.
func answered(c *bench.CaseResult) bool {
	for i := range c.Trials {
		if c.Trials[i].Look() != nil {
			return true
		}
	}
	return false
}

// caseWidth is that of the column of ids.
func caseWidth(r *bench.Report) int {
	width := len("case")
	for i := range r.Cases {
		width = max(width, len([]rune(safe(r.Cases[i].ID))))
	}
	return min(width, 40)
}

func (t *text) caseRow(b *bytes.Buffer, c *bench.CaseResult, width int) {
	passed, color := "no", red
	if c.Passed {
		passed, color = "yes", ""
	}
	if !c.Ran {
		passed, color = "-", dim
	}
	row := fmt.Sprintf("%-*s  %-6s  %.3f  %s", width, safe(c.ID), passed, c.Score.Score, safe(saidOf(c)))
	fmt.Fprintf(b, "    %s\n", t.paint(color, strings.TrimRight(row, " ")))
	if t.opts.Verbose {
		t.said(b, c)
	}
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
		return append([]string{"baseline: no case of both runs can be compared"}, sidesOf(c)...)
	}
	d := c.Difference
	said := []string{fmt.Sprintf("baseline: %s, mean score %+.3f (%+.3f to %+.3f) over %d common cases", c.Verdict(), d.Value, d.Low, d.High, c.Common)}
	if flipped := len(c.Fixed) + len(c.Broken); flipped > 0 {
		said = append(said, fmt.Sprintf("%d of %d cases flipped: %d no longer passing, %d passing now (p = %s by McNemar's exact test)", flipped, c.Common, len(c.Broken), len(c.Fixed), chance(c.Chance)))
	}
	return append(said, sidesOf(c)...)
}

// chance is a probability with three digits, one that is smaller as such.
func chance(p float64) string {
	if p < 0.001 {
		return "less than 0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// sidesOf names the cases that are otherwise, and those that cannot be compared.
func sidesOf(c *bench.Comparison) (said []string) {
	if c.Unknown {
		said = append(said, "the baseline does not tell what it asked and how it scored: whether that is the same is not known")
	}
	if c.Around {
		said = append(said, "files beside the rubric's program have changed; if it reads them, scores may differ for that: name what it reads in depends_on")
	}
	for _, list := range []struct {
		what string
		ids  []string
	}{
		{"no longer passes", c.Broken},
		{"scores lower", c.Lower},
		{"passes now", c.Fixed},
		{"only in this run", c.Added},
		{"only in the baseline", c.Removed},
		{"not compared, as the input is another", c.OtherInput},
		{"not compared, as the rubric is another (--rescore scores old answers by it)", c.OtherRubric},
	} {
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
