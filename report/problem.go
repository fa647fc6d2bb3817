package report

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp"
)

// snippetLines bounds what is shown of the source for one problem.
const snippetLines = 8

// explanation is all that a problem says, as text of one or more lines: what
// the scenario's author wrote or the engine found, operands, difference.
func explanation(p *interp.Problem) string {
	parts := make([]string, 0, 2+len(p.Operands))
	if p.Message != "" {
		parts = append(parts, strings.TrimRight(p.Message, "\n"))
	}
	parts = append(parts, operands(p)...)
	if p.Diff != "" {
		parts = append(parts, strings.TrimRight(broken(p), "\n"))
	}
	return strings.Join(parts, "\n")
}

// ofLibrary reports whether a problem is one of the standard library's, whose text
// nobody has at hand: what it says is enough.
func ofLibrary(p *interp.Problem) bool { return strings.HasPrefix(p.Range.Filename, "std/") }

// broken are the lines of a difference. An invariant of the library lists what
// breaks it, and each of these is a line as it stands.
func broken(p *interp.Problem) string {
	if !ofLibrary(p) {
		return p.Diff
	}
	var list []string
	for line := range strings.Lines(p.Diff) {
		line = strings.TrimRight(line, "\n")
		if m := listed().FindStringSubmatch(line); m != nil {
			line = m[1]
		}
		list = append(list, line)
	}
	return strings.Join(list, "\n")
}

// listed is an element of a list that should be empty.
var listed = pattern.New(`^\[\d+\]: "(.*)", want nothing there$`)

func operands(p *interp.Problem) []string {
	if ofLibrary(p) {
		return nil
	}
	lines := make([]string, len(p.Operands))
	for i, o := range p.Operands {
		lines[i] = "├ " + o.Text + " = " + o.Value
	}
	return lines
}

// writeProblem shows one problem: what and where, and below it the details.
func (t *text) writeProblem(b *bytes.Buffer, e *Entry, p *interp.Problem) {
	file, line := place(e.Result, p)
	fmt.Fprintf(b, "    %s  %s:%d\n", t.paint(bold, title(p)), safe(file), line)
	for _, l := range details(e, p) {
		indented(b, l)
	}
}

// alike counts the problems at the front of a list that are one for people:
// the same gate, broken for the same reason in several places.
func alike(list []interp.Problem) int {
	n := 1
	for n < len(list) && list[0].Kind == "gate" && list[n].Kind == "gate" && list[n].Name == list[0].Name && hint(&list[n]) == hint(&list[0]) && hint(&list[0]) != "" {
		n++
	}
	return n
}

// hint is what a problem's message says to do, "" where it says nothing.
func hint(p *interp.Problem) string {
	_, hint, _ := strings.Cut(p.Message, "\nhint: ")
	return hint
}

// byCause divides problems: causes are those that come of no other, and consequences the rest.
func byCause(list []interp.Problem) (causes, consequences []interp.Problem) {
	for _, p := range list {
		if p.Follows {
			consequences = append(consequences, p)
		} else {
			causes = append(causes, p)
		}
	}
	return causes, consequences
}

// inBrief is a problem in a line, with its place.
func inBrief(e *Entry, p *interp.Problem) string {
	what := strings.TrimPrefix(strings.TrimPrefix(gist(p), title(p)), ": ")
	return strings.TrimSuffix(heading(e, p)+": "+what, ": ")
}

// writeConsequences shows what follows from the first problem, a line each.
func (t *text) writeConsequences(b *bytes.Buffer, e *Entry, list []interp.Problem) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(b, "    %s\n", t.paint(dim, "what follows from that (-v shows all of it):"))
	for _, line := range briefs(e, list) {
		indented(b, line)
	}
}

// briefs are problems in a line each, those that are one for people in one.
func briefs(e *Entry, list []interp.Problem) (lines []string) {
	for len(list) > 0 {
		n, line := alike(list), inBrief(e, &list[0])
		if n > 1 {
			line += fmt.Sprintf(" (and %d more like it)", n-1)
		}
		lines, list = append(lines, line), list[n:]
	}
	return lines
}

// writeAlike shows the further places of a problem, a line each.
func (t *text) writeAlike(b *bytes.Buffer, e *Entry, more []interp.Problem) {
	for _, line := range places(e, more) {
		indented(b, "and "+line)
	}
}

// heading says in a line what a problem is about and where it is.
func heading(e *Entry, p *interp.Problem) string {
	file, line := place(e.Result, p)
	return fmt.Sprintf("%s  %s:%d", title(p), file, line)
}

// details are the source that a problem is about, the operands under it, the
// difference, then what it means and what to do.
func details(e *Entry, p *interp.Problem) []string {
	lines := append(snippet(e, p), operands(p)...)
	if p.Diff != "" {
		lines = append(lines, broken(p))
	}
	if tells(p) && !(ofLibrary(p) && p.Diff != "") {
		lines = append(lines, p.Message)
	}
	return lines
}

// tells reports whether a problem's message says more than what stands above
// it.
func tells(p *interp.Problem) bool {
	return p.Message != "" && (!p.Bare || p.Diff == "" && len(p.Operands) == 0)
}

// gist says in one line what a problem is.
func gist(p *interp.Problem) string {
	first, _, _ := strings.Cut(strings.TrimSpace(p.Message), "\n")
	if !tells(p) || first == "" {
		first, _, _ = strings.Cut(strings.TrimSpace(broken(p)), "\n")
	}
	if first == "" {
		return title(p)
	}
	return title(p) + ": " + first
}

func title(p *interp.Problem) string {
	switch {
	case p.Name == "":
		return p.Kind
	case ofLibrary(p):
		return fmt.Sprintf("%s %q of %s", p.Kind, p.Name, p.Range.Filename)
	}
	return fmt.Sprintf("%s %q", p.Kind, p.Name)
}

// snippet returns the lines of the source that a problem is about, with their
// numbers.
func snippet(e *Entry, p *interp.Problem) []string {
	first, last := p.Range.Start.Line, p.Range.End.Line
	if e.Source == nil || first < 1 || p.Range.Filename != e.Result.Plan.File {
		return nil
	}
	if p.Range.End.Column == 1 && last > first {
		last--
	}
	shown := min(last, first+snippetLines-1)
	width := len(fmt.Sprint(shown))
	var lines []string
	for n := first; n <= shown; n++ {
		if text, is := line(e.Source, n); is {
			lines = append(lines, fmt.Sprintf("%*d │ %s", width, n, cut(string(text))))
		}
	}
	if last > shown {
		lines = append(lines, fmt.Sprintf("%*s │ … %d more lines", width, "", last-shown))
	}
	return lines
}

// snippetWidth bounds a line of source, in characters.
const snippetWidth = 160

// cut shortens a long line of source.
func cut(line string) string {
	if r := []rune(line); len(r) > snippetWidth {
		return string(r[:snippetWidth]) + " …"
	}
	return line
}

// indented writes text under a problem's title. Control characters, which can
// come from a recorded answer, do not reach the terminal.
func indented(b *bytes.Buffer, text string) {
	for l := range strings.Lines(text) {
		b.WriteString("      ")
		b.WriteString(strings.Map(visible, strings.TrimRight(l, "\r\n")))
		b.WriteByte('\n')
	}
}

// safe is text of one line that a terminal shows as it is.
func safe(s string) string { return strings.Map(visible, s) }

func visible(r rune) rune {
	if r < ' ' && r != '\t' || obeyed(r) {
		return '\uFFFD'
	}
	return r
}

// obeyed reports whether a terminal or a browser obeys a character from U+007F
// up in place of showing it: the second set of control characters, and marks
// that turn the direction of what follows, so that it reads as something else.
func obeyed(r rune) bool {
	return r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
