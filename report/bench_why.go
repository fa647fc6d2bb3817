package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/bench"
)

// A reason is why cases did not pass, the same for all of them.
type reason struct {
	why   string
	cases []*bench.CaseResult
}

// reasons groups the cases that ran and did not pass by why, the largest group
// first, each in the order of the ids.
func reasons(r *bench.Report) []*reason {
	return grouped(r, func(c *bench.CaseResult) bool { return c.Ran && !c.Passed })
}

// worse groups the cases that were better in the baseline.
func worse(r *bench.Report) []*reason {
	if r.Against == nil || len(r.Against.Before) == 0 {
		return nil
	}
	was := map[string]bool{}
	for i := range r.Against.Before {
		was[r.Against.Before[i].ID] = true
	}
	return grouped(r, func(c *bench.CaseResult) bool { return was[c.ID] })
}

func grouped(r *bench.Report, wanted func(c *bench.CaseResult) bool) []*reason {
	var all []*reason
	by := map[string]*reason{}
	for i := range r.Cases {
		c := &r.Cases[i]
		if !wanted(c) {
			continue
		}
		why := whyOf(c)
		g := by[why]
		if g == nil {
			g = &reason{why: why}
			by[why], all = g, append(all, g)
		}
		g.cases = append(g.cases, c)
	}
	slices.SortStableFunc(all, func(a, b *reason) int { return cmp.Compare(len(b.cases), len(a.cases)) })
	return all
}

// whyOf is what a case that did not pass has in common with others: the codes of
// its failure modes, with what the bench's own say of it, and the conditions that
// did not hold, but not the values in them.
func whyOf(c *bench.CaseResult) string {
	var list []string
	for i := range c.Trials {
		if t := &c.Trials[i]; !t.Passed {
			list = append(list, whyOfTrial(t))
		}
	}
	if len(list) == 0 {
		return "a lower score"
	}
	slices.Sort(list)
	why := strings.Join(slices.Compact(list), "; ")
	if unsteady(c) != "" {
		return "in some trials: " + why
	}
	return why
}

// unsteady says of a case in how many of its trials it failed, "" where all of them
// ended alike.
func unsteady(c *bench.CaseResult) string {
	failed := c.Failed()
	if !c.Ran || failed == 0 || failed == len(c.Trials) {
		return ""
	}
	return fmt.Sprintf("%d of %d trials failed", failed, len(c.Trials))
}

func whyOfTrial(t *bench.Trial) string {
	var list []string
	for _, m := range t.FailureModes {
		said := m.Code + " (" + m.Severity + ")"
		if bench.Reserved(m.Code) && m.Detail != "" {
			said += ": " + varying().ReplaceAllString(oneLine(m.Detail), "…")
		}
		list = append(list, said)
	}
	if len(list) == 0 {
		if k := t.Look(); k != nil && len(k.Broken) > 0 {
			list = append(list, unheld(k.Broken))
		}
	}
	if len(list) == 0 && judged(t) != "" {
		list = append(list, "the rubric said: "+varying().ReplaceAllString(judged(t), "…"))
	}
	if len(list) == 0 {
		return "not passed"
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), "; ")
}

// judged is the last line that a rubric's program wrote on standard error, which is why
// it scored as it did where its score has no failure modes.
func judged(t *bench.Trial) string {
	k := t.Look()
	if k == nil {
		return ""
	}
	text := strings.TrimSpace(k.Judged.Text)
	return shortened(oneLine(text[strings.LastIndexByte(text, '\n')+1:]), judgedOnRow)
}

// judgedOnRow is how many characters of what a rubric said a row of a table shows.
const judgedOnRow = 120

// unheld says which conditions did not hold.
func unheld(broken []string) string {
	if len(broken) == 1 {
		return broken[0] + " does not hold"
	}
	return strings.Join(broken[:len(broken)-1], ", ") + " and " + broken[len(broken)-1] + " do not hold"
}

// varying is what differs between messages of one failure: numbers, and what
// stands in quotes.
var varying = pattern.New(`"[^"]*"|'[^']*'|[0-9]+`)

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// saidOf is why one case did not pass, on one line: its failure modes, else the
// condition that did not hold with its values.
func saidOf(c *bench.CaseResult) string {
	said, some := saidOfAll(c), unsteady(c)
	if some != "" && said != "" {
		return some + ": " + said
	}
	return some + said
}

func saidOfAll(c *bench.CaseResult) string {
	switch {
	case c.Passed && c.Nothing != "" && len(c.FailureModes) == 0:
		return "shows nothing: " + c.Nothing
	case c.Passed || len(c.FailureModes) > 0:
		return modesOf(c.FailureModes)
	}
	for i := range c.Trials {
		if c.Trials[i].Passed {
			continue
		}
		k := c.Trials[i].Look()
		if k == nil {
			continue
		}
		if len(k.Broken) == 0 {
			if said := judged(&c.Trials[i]); said != "" {
				return said
			}
			continue
		}
		said := unheld(k.Broken)
		values := make([]string, len(k.Operands))
		for j, o := range k.Operands {
			values[j] = o.Text + " = " + shortened(oneLine(o.Value), operandOnRow)
		}
		if len(values) > 0 {
			said += ": " + strings.Join(values, ", ")
		}
		return said
	}
	return ""
}

// operandOnRow is how many characters of a value a row of a table shows.
const operandOnRow = 60

// ordered are the cases as people want to see them: those that did not pass by
// why, those with failure modes, those that never ran, all others.
func ordered(r *bench.Report) []*bench.CaseResult {
	list := make([]*bench.CaseResult, 0, len(r.Cases))
	for _, g := range reasons(r) {
		list = append(list, g.cases...)
	}
	for _, wanted := range []func(c *bench.CaseResult) bool{
		func(c *bench.CaseResult) bool { return c.Ran && c.Passed && len(c.FailureModes) > 0 },
		func(c *bench.CaseResult) bool { return !c.Ran },
		func(c *bench.CaseResult) bool { return c.Ran && c.Passed && len(c.FailureModes) == 0 },
	} {
		for i := range r.Cases {
			if c := &r.Cases[i]; wanted(c) {
				list = append(list, c)
			}
		}
	}
	return list
}

// excerptNote says how much of a text is shown, "" where all of it is.
func excerptNote(e bench.Excerpt) string {
	if !e.Cut() {
		return ""
	}
	which := "the first %d"
	if e.Ends {
		which = "%d"
	}
	return fmt.Sprintf(which+" of %d bytes; the log has more", len(e.Text), e.Bytes)
}

// sameAsBefore reports whether a trial ended like the one before it and with the same
// answer, so that it need not be shown again.
func sameAsBefore(c *bench.CaseResult, i int) bool {
	if i == 0 {
		return false
	}
	a, b := &c.Trials[i-1], &c.Trials[i]
	if a.Passed != b.Passed || a.Score.Score != b.Score.Score || !slices.Equal(a.FailureModes, b.FailureModes) {
		return false
	}
	was, is := a.Look(), b.Look()
	return was != nil && is != nil && was.Output == is.Output && was.Log == is.Log && was.Judged == is.Judged && slices.Equal(was.Calls, is.Calls)
}

// sameAnswer is said of such a trial.
const sameAnswer = ", the same answer"

// trialWord is how a trial ended.
func trialWord(t *bench.Trial) string {
	if t.Passed {
		return "passed"
	}
	return "did not pass"
}

// callLine is a call on one line.
func callLine(c *bench.Call) string {
	s := fmt.Sprintf("%s %d", c.Step, c.Attempt)
	if c.Target != "" {
		s += " @ " + c.Target
	}
	if c.What != "" {
		s += " " + c.What
	}
	return s + ": " + c.Outcome
}
