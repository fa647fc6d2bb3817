package mutate

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/internal/explore"
)

// WriteText writes for people what became of the mutants: those that survived and those
// that nobody meets, and what no scenario reads; then how many of each there are, and the processor time that it took
// where that is known.
func WriteText(w io.Writer, r *Report, o Options, cpu time.Duration) error {
	var b strings.Builder
	within := r.within()
	for _, m := range r.Mutants {
		inner, whole := within[m]
		switch m.Verdict {
		case Survived:
			m.head(&b)
			m.survived(&b)
		case Unseen:
			m.head(&b)
			m.unseen(&b)
		case Unshown:
			if within[m] < 0 {
				break
			}
			m.head(&b)
			b.WriteString(indent + NoData)
			switch {
			case inner == 1:
				b.WriteString(", nor another change of it")
			case whole:
				fmt.Fprintf(&b, ", nor %d other changes of it", inner)
			}
			b.WriteString("\n")
		}
	}
	for _, x := range r.Bypassed() {
		fmt.Fprintf(&b, "%-8s  %s  %s:%d\n%s%s\n", Unread, x.Name(), x.File, x.Line, indent, x.Reason())
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	r.account(&b, o)
	b.WriteString(r.NotLooked() + r.NotChanged())
	b.WriteString(explore.Spent(cpu))
	_, err := io.WriteString(w, b.String())
	return err
}

// within says of unshown changes of schemas, and of calls with a default, how many others lie within them, which no data shows either; it is -1 for
// these.
func (r *Report) within() map[*Mutant]int {
	count := map[*Mutant]int{}
	var whole *Mutant
	for _, m := range r.Mutants {
		switch {
		case m.Verdict != Unshown || m.Operator != "schema" && m.Operator != "computation":
		case (m.part || m.Operator == "schema") && whole != nil && whole.File == m.File && whole.Range.Start.Byte <= m.Range.Start.Byte && m.Range.End.Byte <= whole.Range.End.Byte:
			count[whole]++
			count[m] = -1
		default:
			whole = m
		}
	}
	return count
}

// NoData is what is said of a mutant that is unshown.
const NoData = "no scenario has data that shows it"

// indent is where what is said of a mutant begins.
const indent = "          "

// head says which mutant it is.
func (m *Mutant) head(b *strings.Builder) {
	fmt.Fprintf(b, "%-8s  %s: %s  %s:%d\n", m.Verdict, m.Declaration, m.Change, m.File, m.Line)
}

func (m *Mutant) survived(b *strings.Builder) {
	d := m.Difference
	fmt.Fprintf(b, "%sfirst difference in %q: %s\n", indent, m.By.Name, d)
	if d.Assert == "" {
		fmt.Fprintf(b, "%snothing that an assertion can read differs\n", indent)
		return
	}
	fmt.Fprintf(b, "%sit would be seen by %s\n", indent, d.Assert)
}

// String says what differs.
func (d *Difference) String() string {
	switch {
	case d.Of == "" && d.By == "":
		return "its trace differs"
	case d.By == "":
		return fmt.Sprintf("no %s", d.Of)
	case d.Of == "":
		return d.By
	}
	return fmt.Sprintf("%s (without it %s)", d.By, d.Of)
}

// Met says why an unseen mutant is one.
func (m *Mutant) Met() string {
	if m.By == nil {
		return "no scenario meets it; not tried under faults"
	}
	return fmt.Sprintf("no scenario meets it; shown in %q by: %s", m.By.Name, m.Shown)
}

func (m *Mutant) unseen(b *strings.Builder) {
	fmt.Fprintf(b, "%s%s\n", indent, m.Met())
	if m.Emitted != "" {
		fmt.Fprintf(b, "%swritten: %s\n", indent, m.Emitted)
	}
	if m.Unwritten != "" {
		fmt.Fprintf(b, "%snot written: %s\n", indent, m.Unwritten)
	}
}

// account says how many mutants of each verdict there are, and the score.
func (r *Report) account(b *strings.Builder, o Options) {
	partly, notes := 0, map[Verdict]string{}
	for _, m := range r.Mutants {
		if m.Verdict == Equivalent && !m.All {
			partly++
		}
	}
	faults := "no fault shows them"
	if o.K == 2 {
		faults = "no fault and no two faults show them"
	}
	if o.Runs == 0 {
		notes[Unseen] = "not tried under faults"
	}
	if partly > 0 {
		faults += fmt.Sprintf("; of %d not all were tried in %s runs", partly, grouped(o.Runs))
	}
	notes[Equivalent] = faults
	notes[Unshown] = "no scenario has data that shows them"
	notes[Unread] = "no scenario reads the declaration"
	notes[Invalid] = "does not compile"
	for _, v := range []Verdict{Killed, Survived, Unseen, Equivalent, Unshown, Unread, Invalid} {
		n := r.Count(v)
		if n == 0 && slices.Contains([]Verdict{Unshown, Unread, Invalid}, v) {
			continue
		}
		fmt.Fprintf(b, "%-10s %4d", v, n)
		if note := notes[v]; note != "" && n > 0 {
			fmt.Fprintf(b, "  (%s)", note)
		}
		b.WriteString("\n")
	}
	killed, of := r.Score()
	if of > 0 {
		fmt.Fprintf(b, "score: %d of %d, %g %%", killed, of, r.Percent())
		if n := r.Count(Unshown); n > 0 {
			fmt.Fprintf(b, ", without the %d unshown", n)
		}
		b.WriteString("\n")
	}
}

// grouped writes a number with commas.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
