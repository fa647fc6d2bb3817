package help

import (
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
)

// faultText explains a kind of fault.
func faultText(k *faults.Kind) string {
	var b strings.Builder
	fmt.Fprintf(&b, "fault %q\n\n", k.Name)
	b.WriteString(wrapped("", k.Summary))
	b.WriteString(wrapped("", "Valid on: "+strings.Join(k.For, ", ")+"."))
	if len(k.Attrs) > 0 {
		b.WriteString("\nArguments:\n")
		arguments(&b, k.Attrs)
	}
	b.WriteString("\n" + wrapped("", "Common to all faults: after (the wait before it fires), times, target, turn, iteration, optional, and one reply {} or replay {} that it disturbs."))
	b.WriteString("\nObserved as, and what a retry policy does about it by default:\n")
	b.WriteString(aligned(rows(Observations(k))))
	b.WriteString("\nExample:\n\n" + indented(faultExample(k)))
	return b.String()
}

// rows are observations as cells: failure, mode, what a policy does, where and
// with which arguments.
func rows(list []Observation) [][]string {
	var table [][]string
	for _, o := range list {
		after := "not retried"
		switch {
		case o.Failure == "":
			after = "an answer"
		case o.Retried:
			after = "retried"
		}
		table = append(table, []string{dash(o.Failure), dash(o.Mode), after, o.When()})
	}
	return table
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// aligned writes rows in columns.
func aligned(table [][]string) string {
	var widths []int
	for _, row := range table {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	var b strings.Builder
	for _, row := range table {
		line := ""
		for i, cell := range row[:len(row)-1] {
			line += fmt.Sprintf("  %-*s", widths[i], cell)
		}
		b.WriteString(wrapped(line+"  ", row[len(row)-1]))
	}
	return b.String()
}

// faultExample is a file with a scenario in which the fault fires and which
// passes: it expects what is observed at the first place where the kind is valid.
// A test shows that every kind has one.
func faultExample(k *faults.Kind) string {
	for _, w := range worlds() {
		for _, script := range w.scripts(k) {
			if source, ok := w.expecting(k.Name+", and what comes of it", script); ok {
				return source
			}
		}
	}
	return ""
}

// scripts are the ways of writing a fault, the most telling first: around an
// answer or by itself, with an answer behind it for a second attempt or without.
func (w *world) scripts(k *faults.Kind) []string {
	written := func(body string) string {
		if body == "" {
			return fmt.Sprintf("fault %q {}", k.Name)
		}
		return fmt.Sprintf("fault %q {\n%s\n}", k.Name, body)
	}
	alone := written(k.Example)
	if w.actor {
		return []string{alone}
	}
	around := written(strings.TrimPrefix(k.Example+"\n\n"+w.reply, "\n\n"))
	return []string{around + "\n" + w.reply, alone + "\n" + w.reply, around, alone}
}

// expecting completes a script by checks of what is observed with it. It is false
// where the script is refused, or the scenario does not pass as it is.
func (w *world) expecting(name, script string) (source string, ok bool) {
	plan, ok := compiled(w.scenario(name, script, laxly))
	if !ok {
		return "", false
	}
	var o Observation
	o.read(interp.Run(plan, interp.RunOptions{}).Events, w.actor)
	source = w.scenario(name, script, w.checks(&o))
	if plan, ok = compiled(source); !ok {
		return "", false
	}
	return source, interp.Run(plan, interp.RunOptions{}).Verdict == interp.Pass
}

// checks say in a scenario what is observed.
func (w *world) checks(o *Observation) string {
	kind, _, _ := strings.Cut(o.Failure, " ")
	switch {
	case w.actor && o.status == "success":
		return "\nexpect \"it\" { status = \"success\" }\n"
	case w.actor:
		return fmt.Sprintf("\nexpect \"it\" {\nstatus = %q\nerror = { kind = %q }\n}\n", o.status, kind)
	case kind == "":
		return "\nexpect \"ask\" {\nstatus  = \"success\"\nretries = 0\n}\n"
	case o.Retried:
		return fmt.Sprintf("\nexpect \"ask\" {\nstatus  = \"success\"\nretries = 1\n}\nassert \"the first attempt fails\" {\ncondition = step.ask.attempts[0].error.kind == %q\n}\n", kind)
	}
	return fmt.Sprintf("\nexpect \"run\" { status = \"failed\" }\nexpect \"ask\" {\nretries = 0\nerror   = { kind = %q }\n}\n", kind)
}
