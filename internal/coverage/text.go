package coverage

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
)

// signs are how a state is drawn: they differ in shape, not in colour alone.
var signs = map[State]string{Checked: "●", Met: "○", Open: "·", Impossible: " "}

// WriteText writes tables for people.
func WriteText(w io.Writer, tables []*Table) error {
	var b strings.Builder
	for i, t := range tables {
		if i > 0 {
			b.WriteByte('\n')
		}
		t.write(&b)
	}
	if len(tables) > 1 {
		fmt.Fprintf(&b, "\nall: %s\n", CountOf(tables...))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// String is the account of a count.
func (n Count) String() string {
	return fmt.Sprintf("● checked %d of %d possible (%d %%)  ○ met %d  · open %d", n.Checked, n.Possible(), n.Percent(), n.Met, n.Open)
}

func (t *Table) write(b *strings.Builder) {
	fmt.Fprintf(b, "%s, %s\n", t.title(), plural(t.Scenarios, "scenario"))
	width := 12
	for _, r := range t.Rows {
		width = max(width, utf8.RuneCountInString(r.Address))
	}
	if len(t.Rows) > 0 {
		b.WriteString(strings.Repeat(" ", width))
		for _, g := range faults.Groups() {
			b.WriteString(" " + string(g))
		}
		b.WriteByte('\n')
	}
	for _, r := range t.Rows {
		line := pad(r.Address, width)
		for _, c := range r.Cells {
			line += " " + centred(signs[c.State], len(c.Group))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	fmt.Fprintln(b, CountOf(t))
	t.writePolicies(b)
	for _, p := range t.Unreached {
		fmt.Fprintf(b, "never evaluated: %s  %s:%d\n", p.What, p.Range.Filename, p.Range.Start.Line)
	}
	for _, c := range t.Idle {
		fmt.Fprintf(b, "never evaluated: invariant %q  %s:%d\n", c.Name, c.Range.Filename, c.Range.Start.Line)
	}
}

// title says which workflow it is.
func (t *Table) title() string {
	switch {
	case t.Workflow == "":
		return "actors of " + t.File
	case t.Line == 0:
		return "workflow " + t.Workflow + "  " + t.File
	}
	return fmt.Sprintf("workflow %s  %s:%d", t.Workflow, t.File, t.Line)
}

func (t *Table) writePolicies(b *strings.Builder) {
	width := 0
	for i := range t.Policies {
		width = max(width, utf8.RuneCountInString(policyName(&t.Policies[i])))
	}
	for i := range t.Policies {
		p := &t.Policies[i]
		b.WriteString(pad(policyName(p), width))
		for _, u := range p.Uses {
			sign := signs[Open]
			if u.Seen {
				sign = signs[Checked]
			}
			b.WriteString("  " + u.Name + " " + sign)
		}
		b.WriteByte('\n')
	}
}

// policyName says which policy it is.
func policyName(p *interp.CoveredPolicy) string { return fmt.Sprintf("%s %q", p.Kind, p.Name) }

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// centred is a sign of one column in the middle of a field.
func centred(sign string, width int) string {
	left := (width - 1) / 2
	return strings.Repeat(" ", left) + sign + strings.Repeat(" ", width-1-left)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
