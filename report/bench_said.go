package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/interp/bench"
)

// What a terminal shows of one text of a case.
const (
	saidLines = 12
	saidWidth = 300
)

// said writes what was asked and answered in a case, trial by trial: all of it for
// one that did not pass.
func (t *text) said(b *bytes.Buffer, c *bench.CaseResult) {
	t.excerpt(b, "input", c.Input)
	for i := range c.Trials {
		trial := &c.Trials[i]
		k := trial.Look()
		same := sameAsBefore(c, i)
		if len(c.Trials) > 1 {
			said := trialWord(trial) + fmt.Sprintf(", score %.3f", trial.Score.Score)
			if same {
				said += sameAnswer
			}
			t.saidLine(b, fmt.Sprintf("trial %d", i+1), said)
		}
		if k == nil || same {
			continue
		}
		t.excerpt(b, "output", k.Output)
		if trial.Passed {
			continue
		}
		for _, broken := range k.Broken {
			t.saidLine(b, "false", broken)
		}
		for _, o := range k.Operands {
			t.saidLine(b, "", "├ "+o.Text+" = "+o.Value)
		}
		t.wrote(b, "stderr", k.Log)
		t.wrote(b, "rubric", k.Judged)
		for j := range k.Calls {
			call := &k.Calls[j]
			t.saidLine(b, "call", virtual(call.At)+"  "+callLine(call))
			t.excerpt(b, "  asked", call.Asked)
			t.excerpt(b, "  got", call.Answered)
		}
		if k.CallsLeft > 0 {
			t.saidLine(b, "", "… and "+count(k.CallsLeft, "call")+" more; the log has them")
		}
	}
}

func (t *text) excerpt(b *bytes.Buffer, name string, e bench.Excerpt) {
	if strings.TrimSpace(e.Text) == "" {
		return
	}
	all := strings.Split(strings.TrimRight(e.Text, "\n"), "\n")
	for i, line := range all {
		if i == saidLines {
			t.saidLine(b, "", fmt.Sprintf("… and %s; --report html=… has more", plural(len(all)-i, "more line")))
			break
		}
		if i > 0 {
			name = ""
		}
		t.saidLine(b, name, shortened(line, saidWidth))
	}
	if note := excerptNote(e); note != "" {
		t.saidLine(b, "", "("+note+")")
	}
}

// wrote shows what a program wrote on standard error: of much the first lines and the
// last, which say why it failed.
func (t *text) wrote(b *bytes.Buffer, name string, e bench.Excerpt) {
	all := strings.Split(strings.TrimRight(e.Text, "\n"), "\n")
	const first = saidLines / 4
	if left := len(all) - saidLines; left > 0 {
		between := fmt.Sprintf("… %s; --report html=… has more", plural(left, "line"))
		e.Text = strings.Join(slices.Concat(all[:first], []string{between}, all[first+left+1:]), "\n")
	}
	t.excerpt(b, name, e)
}

func (t *text) saidLine(b *bytes.Buffer, name, line string) {
	fmt.Fprintf(b, "      %s %s\n", t.paint(dim, fmt.Sprintf("%-8s", name)), safe(line))
}
