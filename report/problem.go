package report

import (
	"bytes"
	"fmt"
	"strings"

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
		parts = append(parts, strings.TrimRight(p.Diff, "\n"))
	}
	return strings.Join(parts, "\n")
}

func operands(p *interp.Problem) []string {
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

// writeAlike shows the further places of a problem, a line each.
func (t *text) writeAlike(b *bytes.Buffer, e *Entry, more []interp.Problem) {
	for i := range more {
		file, line := place(e.Result, &more[i])
		what, _, _ := strings.Cut(more[i].Message, "\n")
		indented(b, fmt.Sprintf("and %s:%d: %s", safe(file), line, what))
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
		lines = append(lines, p.Diff)
	}
	if tells(p) {
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
		first, _, _ = strings.Cut(strings.TrimSpace(p.Diff), "\n")
	}
	if first == "" {
		return title(p)
	}
	return title(p) + ": " + first
}

func title(p *interp.Problem) string {
	if p.Name == "" {
		return p.Kind
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
	n := 0
	for l := range bytes.Lines(e.Source) {
		if n++; n > shown {
			break
		}
		if n >= first {
			lines = append(lines, fmt.Sprintf("%*d │ %s", width, n, bytes.TrimRight(l, "\r\n")))
		}
	}
	if last > shown {
		lines = append(lines, fmt.Sprintf("%*s │ … %d more lines", width, "", last-shown))
	}
	return lines
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
