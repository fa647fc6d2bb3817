package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/interp/bench"
)

// What the page shows of a bench at most: of the cases with one reason those that
// can be unfolded, of which the first are open, and ids of the rest; and of all
// benches together so many bytes, after which cases are named alone.
const (
	htmlCases     = 1000
	htmlAlike     = 50
	htmlAlikeOpen = 2
	htmlAlikeIDs  = 500
	htmlAnswers   = 5 << 20
)

// cases shows what was asked and answered: the cases that did not pass by why,
// the largest group first, then all others folded.
func (s *section) cases(r *bench.Report) {
	groups := reasons(r)
	if len(groups) > 0 {
		s.add("<h3>%s</h3>\n", "Why cases did not pass")
	}
	for _, g := range groups {
		s.add("<section class=\"why\">")
		s.add("<h4><b>%s</b> %s</h4>\n", plural(len(g.cases), "case"), g.why)
		for i, c := range g.cases {
			if i == htmlAlike {
				s.named(g.cases[i:])
				break
			}
			s.oneCase(c, i < htmlAlikeOpen)
		}
		s.add("</section>\n")
	}
	s.others(r)
}

// others are the cases that passed or never ran.
func (s *section) others(r *bench.Report) {
	rest := noted(r, true)
	if len(rest) == 0 {
		return
	}
	s.add("<details class=\"why\"><summary>%s</summary>\n", othersTold(rest))
	for i, c := range rest {
		if i == htmlCases {
			s.add("<p class=\"mut\">%s</p>\n", fmt.Sprintf("and %s", plural(len(rest)-i, "more case")))
			break
		}
		s.oneCase(c, false)
	}
	s.add("</details>\n")
}

func othersTold(rest []*bench.CaseResult) string {
	passed := 0
	for _, c := range rest {
		if c.Ran {
			passed++
		}
	}
	said := plural(passed, "case") + " passed"
	if n := len(rest) - passed; n > 0 {
		said += ", " + plural(n, "case") + " did not run"
	}
	return said
}

// named lists the ids of cases that are not shown otherwise.
func (s *section) named(cases []*bench.CaseResult) {
	ids := make([]string, 0, min(len(cases), htmlAlikeIDs))
	for _, c := range cases[:cap(ids)] {
		ids = append(ids, c.ID)
	}
	said := strings.Join(ids, ", ")
	if n := len(cases) - len(ids); n > 0 {
		said += fmt.Sprintf(" … and %d more", n)
	}
	s.add("<details><summary>%s for the same reason</summary><p class=\"mono\">%s</p></details>\n", plural(len(cases), "more case"), said)
}

// oneCase is a case that unfolds: its input, and trial by trial what was answered.
func (s *section) oneCase(c *bench.CaseResult, open bool) {
	word, state := "fail", raw("")
	switch {
	case !c.Ran:
		word = "skip"
	case c.Passed:
		word = "pass"
	}
	if open {
		state = " open"
	}
	row := raw(fmt.Sprintf("<span class=\"v %s\">%[1]s</span><b>%s</b><span class=\"mut\">%s</span><span class=\"t\">%.3f</span>",
		word, escaped(c.ID), escaped(saidOf(c)), c.Score.Score))
	if s.Len() > htmlAnswers {
		s.add("<p class=\"cs\">%s</p>\n", row)
		return
	}
	s.add("<details class=\"cs %s\"%s><summary>%s</summary><div>\n", word, state, row)
	if c.CostUSD > 0 {
		s.add("<p class=\"mut\">%s</p>\n", dollars(c.CostUSD))
	}
	s.add("<div class=\"io\">")
	s.said("input", c.Input)
	if text := expectedIn(c.Input); text != "" {
		s.said("expected", bench.Excerpt{Text: text})
	}
	if len(c.Trials) == 1 {
		s.outputs(c.Trials[0].Look())
	}
	s.add("</div>\n")
	for i := range c.Trials {
		t := &c.Trials[i]
		if len(c.Trials) > 1 {
			said := fmt.Sprintf("%.3f", t.Score.Score)
			if sameAsBefore(c, i) {
				said += sameAnswer
			}
			s.add("<h5>trial %d %s, score %s</h5>\n", i+1, trialWord(t), said)
		}
		if sameAsBefore(c, i) {
			continue
		}
		s.trial(c, t)
	}
	s.add("</div></details>\n")
}

// expectedIn is what a case says that it expects, by the names that people give
// that, "" where it has none of them.
func expectedIn(input bench.Excerpt) string {
	var has map[string]json.RawMessage
	if json.Unmarshal([]byte(input.Text), &has) != nil {
		return ""
	}
	for _, name := range bench.Expected() {
		if v := has[name]; len(v) > 0 && string(v) != "null" {
			return string(v)
		}
	}
	return ""
}

// trial shows what became of one trial.
func (s *section) trial(c *bench.CaseResult, t *bench.Trial) {
	if len(c.Trials) > 1 && len(t.FailureModes) > 0 {
		s.add("<p>%s</p>\n", modesOf(t.FailureModes))
	}
	k := t.Look()
	if k == nil {
		return
	}
	if len(c.Trials) > 1 {
		s.add("<div class=\"io\">")
		s.outputs(k)
		s.add("</div>\n")
	}
	if !t.Passed && len(k.Broken) > 0 {
		for _, broken := range k.Broken {
			s.add("<p>did not hold: <code>%s</code></p>\n", broken)
		}
		s.add("<dl class=\"ops mono\">")
		for _, o := range k.Operands {
			s.add("<dt>%s<dd>%s", o.Text, o.Value)
		}
		s.add("</dl>\n")
	}
	s.calls(k)
}

// outputs shows what the system and the rubric wrote.
func (s *section) outputs(k *bench.Kept) {
	if k == nil {
		return
	}
	s.said("output", k.Output)
	s.said("stderr", k.Log)
	s.said("stderr of the rubric", k.Judged)
}

// calls is the transcript of a trial, folded.
func (s *section) calls(k *bench.Kept) {
	if len(k.Calls) == 0 {
		return
	}
	s.add("<details class=\"at\"><summary>%s</summary><div>\n", plural(len(k.Calls)+k.CallsLeft, "call"))
	for i := range k.Calls {
		c := &k.Calls[i]
		s.add("<h5>%s <span class=\"mut\">at %s</span></h5><div class=\"io\">", callLine(c), virtual(c.At))
		s.said("asked", c.Asked)
		s.said("answered", c.Answered)
		s.add("</div>\n")
	}
	if k.CallsLeft > 0 {
		s.add("<p class=\"mut\">%s not shown; the log has them</p>\n", plural(k.CallsLeft, "call"))
	}
	s.add("</div></details>\n")
}

// said shows a text of a case with its name: JSON laid out, and how much of it
// there is.
func (s *section) said(name string, e bench.Excerpt) {
	s.excerpt(name, e, long(e))
}

// long reports whether a text is laid out by itself.
func long(e bench.Excerpt) bool { return len(strings.TrimRight(e.Text, "\n ")) > 60 }

// excerpt is said where it is known whether JSON is indented.
func (s *section) excerpt(name string, e bench.Excerpt, indent bool) {
	text := strings.TrimRight(e.Text, "\n ")
	if text == "" {
		return
	}
	if indent && e.JSON() != nil {
		var b bytes.Buffer
		if json.Indent(&b, []byte(text), "", "  ") == nil {
			text = b.String()
		}
	}
	s.add("<div><h6>%s</h6><pre>%s</pre>", name, text)
	if note := excerptNote(e); note != "" {
		s.add("<p class=\"mut\">%s</p>", note)
	}
	s.add("</div>")
}

// sides shows what was answered before and what now, in the cases that were better,
// by why they are worse.
func (s *section) sides(r *bench.Report) {
	groups := worse(r)
	if len(groups) == 0 {
		return
	}
	s.add("<h3>Worse than in the baseline</h3>\n")
	for _, g := range groups {
		s.add("<section class=\"why\">")
		s.add("<h4><b>%s</b> %s</h4>\n", plural(len(g.cases), "case"), g.why)
		for i, now := range g.cases {
			if i == htmlAlike || s.Len() > htmlAnswers {
				s.named(g.cases[i:])
				break
			}
			s.side(now, r.Against.Was(now.ID), i < htmlAlikeOpen)
		}
		s.add("</section>\n")
	}
}

func (s *section) side(now, was *bench.CaseResult, open bool) {
	word, state := "pass", raw("")
	if !now.Passed {
		word = "fail"
	}
	if open {
		state = " open"
	}
	s.add("<details class=\"cs %s\"%s><summary><span class=\"v %[1]s\">%[1]s</span><b>%[3]s</b><span class=\"mut\">%[4]s</span><span class=\"t\">%[5]s</span></summary><div><div class=\"io\">",
		word, state, was.ID, saidOf(now), fmt.Sprintf("%.3f, was %.3f", now.Score.Score, was.Score.Score))
	s.said("input", now.Input)
	before, after := outputOf(was, now), outputOf(now, was)
	indent := long(before) || long(after) // alike, or they cannot be compared line by line
	s.excerpt("before", before, indent)
	s.excerpt("now", after, indent)
	s.add("</div></div></details>\n")
}
