package program

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
)

// NoData is what is said of a mutant that is unseen.
const NoData = "no scenario has data that shows it"

// indent is where what is said of a mutant begins.
const indent = "          "

// WriteText writes for people what became of the mutants, in this order:
//   - the lines with a mutant that no scenario noticed, each with those that say most;
//   - header fields that no check reads, once for each file;
//   - the lines all of whose mutants crash, and those that no scenario comes to;
//   - the files that no scenario reads, and what was not changed;
//   - how many of each there are, and the score.
//
// Limit is how long it was given, 0 for as long as it takes.
func WriteText(w io.Writer, r *Report, limit time.Duration) error {
	var b strings.Builder
	for _, n := range r.unnoticed() {
		fmt.Fprintf(&b, "%-8s  %s\n", n.Verdict, Without(n.String(), r.Hidden, n.in()))
		if n.Verdict == Survived {
			fmt.Fprintf(&b, "%sfirst difference in %q: %s\n", indent, n.By.Name, n.Difference)
		}
	}
	for _, f := range r.fields() {
		fmt.Fprintf(&b, "%-8s  %s\n", Survived, f)
	}
	for _, n := range r.crashed() {
		fmt.Fprintf(&b, "%-8s  %s\n%s%s\n", Crashed, Without(n.String(), r.Hidden, n.in()), indent, NoneRuns)
	}
	for _, s := range r.Stretches() {
		fmt.Fprintf(&b, "%-8s  %s\n%sno scenario comes to %s\n", Unrun, s, indent, s.these())
	}
	switch n := len(r.Unread); {
	case n > mostUnread:
		fmt.Fprintf(&b, "%-8s  %s and %d more files\n%s%s\n", "unread", r.Unread[0].Shown, n-1, indent, NotRead)
	default:
		for _, s := range r.Unread {
			fmt.Fprintf(&b, "%-8s  %s\n%s%s\n", "unread", s.Shown, indent, NotRead)
		}
	}
	for _, u := range r.Unchanged {
		b.WriteString(u.String() + "\n")
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	r.account(&b, limit)
	_, err := io.WriteString(w, b.String())
	return err
}

// unnoticed are the mutants of one line that no scenario noticed; the first says most.
type unnoticed struct {
	*Mutant
	others []*Mutant
}

// mostShown is how many changes of one line are shown.
const mostShown = 3

// String is the place of the line, and what is changed there: those of other operators before those of the same, the
// first as it is and the others in short.
func (n *unnoticed) String() string {
	shown, said := []*Mutant{n.Mutant}, map[string]bool{n.brief(): true}
	operators := map[string]bool{n.Operator: true}
	for _, again := range []bool{false, true} {
		for _, m := range n.others {
			if len(shown) == mostShown {
				break
			}
			if text := m.brief(); operators[m.Operator] == again && !said[text] {
				shown, said[text], operators[m.Operator] = append(shown, m), true, true
			}
		}
	}
	var b strings.Builder
	b.WriteString(n.Name())
	for _, m := range shown[1:] {
		b.WriteString(", " + m.brief())
	}
	switch more := 1 + len(n.others) - len(shown); {
	case more == 1:
		b.WriteString(", and 1 other change")
	case more > 1:
		fmt.Fprintf(&b, ", and %d other changes", more)
	}
	return b.String()
}

// Without is what is shown of changes whose lines have no secret: as they are, and without their texts where a part of
// them, which is cut, looks like a secret that is none. Otherwise stands for those of which nothing can be shown.
func Without(changes string, hidden func(string) string, otherwise string) string {
	if hidden == nil || hidden(changes) == changes {
		return changes
	}
	if changes = WithoutTexts(changes); hidden(changes) == changes {
		return changes
	}
	return otherwise
}

// in is what is shown of changes of a line that look like secrets.
func (m *Mutant) in() string {
	return fmt.Sprintf("%s:%d: %s in a line that names a secret", m.Of.Shown, m.Line, m.Operator)
}

// WithoutTexts is code, or changes of code, without its texts and their quotes. A quote that is left open ends where
// the code does.
func WithoutTexts(code string) string {
	var b strings.Builder
	quote, escaped := rune(0), false
	for _, r := range code {
		switch {
		case quote == 0 && (r == '"' || r == '\''):
			b.WriteRune('…')
			quote = r
		case quote == 0:
			b.WriteRune(r)
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
		case r == quote:
			quote = 0
		case r == '`':
			b.WriteRune(r)
			quote = 0
		}
	}
	return b.String()
}

// mostBrief is how many letters of a part of a change are shown where that is not the first of its line.
const mostBrief = 28

// brief is what is changed, without what stands around it, and of what is long a part: the beginning, or of a place in
// a file of data the end.
func (m *Mutant) brief() string {
	cut := func(text string) string {
		r := []rune(text)
		switch n := len(r) - mostBrief + 1; {
		case n <= 1:
			return text
		case m.Of.Data:
			return "…" + strings.TrimSpace(string(r[n:]))
		default:
			return strings.TrimSpace(string(r[:len(r)-n])) + "…"
		}
	}
	parts := strings.Split(m.Change, "`")
	if len(parts) == 5 && parts[2] == " → " && parts[0]+parts[4] == "" {
		parts[1], parts[3] = apart(parts[1], parts[3])
	}
	if len(parts) != 3 && len(parts) != 5 { // it has such signs of its own
		return m.Change
	}
	for i := 1; i < len(parts); i += 2 {
		parts[i] = cut(parts[i])
	}
	return strings.Join(parts, "`")
}

// apart are two texts without the words that both begin and end with, but for one where nothing would be left.
func apart(a, b string) (string, string) {
	x, y := pieces(a), pieces(b)
	for len(x) > 1 && len(y) > 1 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 1 && len(y) > 1 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	left, right := strings.TrimSpace(strings.Join(x, "")), strings.TrimSpace(strings.Join(y, ""))
	if left == "" || right == "" || left == right {
		return a, b
	}
	return left, right
}

// pieces are the words of a text, its spaces, its texts in quotes, and each run of signs.
func pieces(text string) (list []string) {
	last, quote := 0, rune(0)
	for _, r := range text {
		kind := 3
		switch {
		case quote != 0:
			kind = 4
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.':
			kind = 1
		case unicode.IsSpace(r):
			kind = 2
		}
		if quote == 0 && (kind != last || strings.ContainsRune("()[]{}\"'", r)) {
			list = append(list, "")
		}
		list[len(list)-1] += string(r)
		last = kind
		switch {
		case quote == r:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote = r
		}
	}
	return list
}

// unnoticed are the mutants that survived or are unseen, in the order of how much they say, then of files and lines. Of
// one line those that survived are one, and those that are unseen another. Those that only show that no check reads a
// field of a header are none of them.
func (r *Report) unnoticed() (list []*unnoticed) {
	type row struct {
		place
		verdict Verdict
		at      *Mutant // of changes that are made at once, and of those of more than a line, which stand alone
	}
	of := map[row]*unnoticed{}
	for _, m := range r.Mutants {
		if m.Verdict != Survived && m.Verdict != Unseen || m.Verdict == Survived && m.field != "" {
			continue
		}
		at := row{place: place{m.Of, m.Line}, verdict: m.Verdict}
		if m.Parts != nil || m.Operator == shape {
			at.at = m
		}
		if n := of[at]; n != nil {
			n.others = append(n.others, m)
			continue
		}
		of[at] = &unnoticed{Mutant: m}
		list = append(list, of[at])
	}
	weights := make(map[*unnoticed]int, len(list))
	for _, n := range list {
		weights[n] = n.weight()
	}
	slices.SortStableFunc(list, func(a, b *unnoticed) int {
		return cmp.Or(cmp.Compare(weights[a], weights[b]), cmp.Compare(a.Of.Path, b.Of.Path), cmp.Compare(a.Line, b.Line))
	})
	return list
}

// NoneRuns is what is said of a line all of whose mutants crashed.
const NoneRuns = "no change of this line that still runs was tried"

// crashed are the lines whose mutants end by an error of their own, as far as they were tried and compile.
func (r *Report) crashed() (list []*unnoticed) {
	of := map[place]*unnoticed{}
	others := map[place]bool{}
	for _, m := range r.Mutants {
		at := place{m.Of, m.Line}
		switch {
		case m.Verdict == "" || m.Verdict == Invalid || m.Parts != nil:
		case m.Verdict != Crashed:
			others[at] = true
		case of[at] != nil:
			of[at].others = append(of[at].others, m)
		default:
			of[at] = &unnoticed{Mutant: m}
			list = append(list, of[at])
		}
	}
	list = slices.DeleteFunc(list, func(n *unnoticed) bool { return others[place{n.Of, n.Line}] })
	slices.SortStableFunc(list, func(a, b *unnoticed) int {
		return cmp.Or(cmp.Compare(a.Of.Path, b.Of.Path), cmp.Compare(a.Line, b.Line))
	})
	return list
}

// mostUnread is how many files that are unread are shown by their names.
const mostUnread = 3

// NotRead is what is said of a file that is unread.
const NotRead = "every scenario also passes with nonsense in this file: none reads it, or no check looks at what it does"

// Name is the place of a mutant and what is changed there.
func (m *Mutant) Name() string { return fmt.Sprintf("%s:%d: %s", m.Of.Shown, m.Line, m.Change) }

// A Stretch is a part of a file that no scenario comes to.
type Stretch struct {
	Of *Source
	// From and To are its first and its last line.
	From, To int
}

// String is its place.
func (s Stretch) String() string {
	if s.From == s.To {
		return fmt.Sprintf("%s:%d", s.Of.Shown, s.From)
	}
	return fmt.Sprintf("%s:%d–%d", s.Of.Shown, s.From, s.To)
}

func (s Stretch) these() string {
	if s.From == s.To {
		return "this line"
	}
	return "these lines"
}

// Stretches are the parts of files that no scenario comes to, in order. Lines without mutants are taken for what is
// around them.
func (r *Report) Stretches() (list []Stretch) {
	lines := slices.DeleteFunc(slices.Clone(r.Mutants), func(m *Mutant) bool { return m.Verdict == "" || m.Verdict == Invalid })
	slices.SortStableFunc(lines, func(a, b *Mutant) int {
		return cmp.Or(cmp.Compare(a.Of.Path, b.Of.Path), cmp.Compare(a.Line, b.Line))
	})
	for i, m := range lines {
		if m.Verdict != Unrun {
			continue
		}
		if n := len(list); n > 0 && i > 0 && lines[i-1].Verdict == Unrun && list[n-1].Of == m.Of {
			list[n-1].To = m.Line
			continue
		}
		list = append(list, Stretch{m.Of, m.Line, m.Line})
	}
	return list
}

// account says how many mutants of each verdict there are, and the score.
func (r *Report) account(b *strings.Builder, limit time.Duration) {
	notes := map[Verdict]string{
		Unseen:  "no scenario has data that shows them",
		Unrun:   "no scenario comes to their lines",
		Invalid: "do not compile",
		Crashed: "end by an error of their own in the changed line",
	}
	for _, v := range []Verdict{Killed, Survived, Unseen, Unrun, Invalid, Crashed} {
		n := r.Count(v)
		if n == 0 && (v == Unrun || v == Invalid || v == Crashed) {
			continue
		}
		fmt.Fprintf(b, "%-8s %5d", v, n)
		if note := notes[v]; note != "" && n > 0 {
			fmt.Fprintf(b, "  (%s)", note)
		}
		b.WriteString("\n")
	}
	if left := len(r.Mutants) - r.Tried(); left > 0 && r.Late {
		fmt.Fprintf(b, "not tried %4d  (the time was over; a --budget of more than %s tries more, and how many depends on the machine)\n", left, limit)
	} else if left > 0 {
		fmt.Fprintf(b, "not tried %4d\n", left)
	}
	if killed, of := r.Score(); of > 0 {
		switch left := len(r.Mutants) - r.Tried(); {
		case left > r.Tried(): // a percentage of so little says nothing
			fmt.Fprintf(b, "score: %d of %d tried (%d not tried)\n", killed, of, left)
		case left > 0:
			fmt.Fprintf(b, "score: %d of %d, %g %% of what was tried\n", killed, of, r.Percent())
		default:
			fmt.Fprintf(b, "score: %d of %d, %g %%\n", killed, of, r.Percent())
		}
	}
}
