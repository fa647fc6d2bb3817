package report

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/interp"
)

// markdownMax bounds, in bytes, what is told of single scenarios. GitHub
// refuses a step's summary beyond 1 MiB altogether.
const markdownMax = 400 << 10

// markdownFull bounds, in bytes, what is told altogether, whatever is wrong with the
// last scenario that found room.
const markdownFull = 800 << 10

// Markdown writes a summary for a page of a CI system or a comment: the counts,
// then what did not pass and why. It is bounded, whatever the suite is.
func Markdown(w io.Writer, opts Options) Reporter {
	return &markdown{w: w, base: opts.Base, scores: opts.Scores, clock: opts.clock()}
}

type markdown struct {
	w    io.Writer
	base string
	// scores says that it is about benches, whose times are no result.
	scores bool
	body   bytes.Buffer
	// left counts scenarios that did not pass and found no room.
	left int
	// clock is that of the times.
	clock string
	// leftInvalid counts diagnostics that found none.
	leftInvalid int
}

func (m *markdown) Add(e Entry) error {
	r := e.Result
	if r.Verdict != interp.Fail && r.Verdict != interp.Error && len(r.Relaxed) == 0 {
		return nil
	}
	if m.body.Len() > markdownMax {
		m.left++
		return nil
	}
	b := &m.body
	if len(r.Problems) > 0 {
		what := ", " + m.clock + " " + virtual(r.Virtual)
		if m.scores {
			what = ""
		}
		if m.scores && r.Bench != nil {
			what = ", " + headline(r.Bench)
		}
		fmt.Fprintf(b, "### %s: %s\n\n%s:%d%s\n\n", r.Verdict, markdownText(e.name()), markdownText(m.base+r.Plan.File), r.Plan.Line, what)
	}
	first, consequences := byCause(r.Problems)
	for i := range first {
		m.problem(&e, &first[i])
		if i == 0 {
			m.consequences(&e, consequences)
		}
	}
	if said := programLines(r); said != nil {
		m.code(strings.Join(said, "\n"))
	}
	if said := evaluations(r); len(r.Problems) > 0 && len(said) > 0 {
		m.code(strings.Join(said, "\n"))
	}
	if len(r.Problems) > 0 && !m.scores && r.Bench == nil {
		m.timeline(r)
	}
	for i := range r.Relaxed {
		fmt.Fprintf(b, "%s: %s in %s (%s)\n\n", sentence(r.Relaxed[i].Tells()), markdownText(r.Relaxed[i].Name), markdownText(e.name()), markdownText(m.base+r.Plan.File))
	}
	return nil
}

// problem shows one problem as code.
func (m *markdown) problem(e *Entry, p *interp.Problem) {
	m.code(strings.Join(append([]string{heading(e, p)}, details(e, p)...), "\n"))
}

// consequences shows what follows from a problem, a line each.
func (m *markdown) consequences(e *Entry, list []interp.Problem) {
	if len(list) == 0 {
		return
	}
	following := append([]string{"what follows from that:"}, briefs(e, list)...)
	m.code(strings.Join(following, "\n"))
}

// timelineWidth is how many columns the picture of a run has.
const timelineWidth = 96

// timeline shows what happened when, closed until somebody opens it.
func (m *markdown) timeline(r *interp.Result) {
	var drawn bytes.Buffer
	t := &text{opts: Options{Width: timelineWidth}}
	t.writeChart(&drawn, newPicture(r.Events, r.Virtual))
	writeTimeline(&drawn, r.Events)
	if drawn.Len() == 0 {
		return
	}
	m.body.WriteString("<details><summary>Timeline</summary>\n\n")
	m.code(strings.TrimRight(drawn.String(), "\n"))
	m.body.WriteString("</details>\n\n")
}

// code shows text in a fence that nothing inside can end.
func (m *markdown) code(text string) {
	code := strings.Map(visibleLines, text)
	if room := min(20<<10, max(0, markdownFull-m.body.Len())); len(code) > room {
		code = strings.ToValidUTF8(code[:room], "") + "\n…"
	}
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	fmt.Fprintf(&m.body, "%s\n%s\n%s\n\n", fence, code, fence)
}

func (m *markdown) Invalid(d Diagnostic) error {
	if m.body.Len() > markdownMax {
		m.leftInvalid++
		return nil
	}
	fmt.Fprintf(&m.body, "### error: %s\n\n", markdownText(d.Summary))
	if at := d.place(m.base); at != "" {
		fmt.Fprintf(&m.body, "%s\n\n", markdownText(at))
	}
	if d.Detail != "" {
		m.code(d.Detail)
	}
	return nil
}

func (m *markdown) Close(s Summary) error {
	var b bytes.Buffer
	names, figures := []string{"passed", "failed", "errored", "skipped"}, []string{strconv.Itoa(s.Passed), strconv.Itoa(s.Failed), strconv.Itoa(s.Errored), strconv.Itoa(s.Skipped)}
	if s.Done > 0 {
		names, figures = append(names, "done"), append(figures, strconv.Itoa(s.Done))
	}
	if !m.scores {
		names, figures = append(names, m.clock+" time"), append(figures, virtual(s.Virtual))
	}
	fmt.Fprintf(&b, "## scenario: %s\n\n| %s |\n%s|\n| %s |\n\n", s.Status(), strings.Join(names, " | "), strings.Repeat("|---", len(names)), strings.Join(figures, " | "))
	if s.Incomplete {
		b.WriteString(incomplete + "\n\n")
	}
	b.Write(m.body.Bytes())
	for _, c := range s.NeverEvaluated() {
		fmt.Fprintf(&b, "Never evaluated: invariant %s (%s:%d): %s\n\n", markdownText(c.Name), markdownText(m.base+c.Range.Filename), c.Range.Start.Line, c.Idle())
	}
	if m.left > 0 {
		fmt.Fprintf(&b, "%s more are not shown.\n", plural(m.left, m.noun()))
	}
	if m.leftInvalid > 0 {
		fmt.Fprintf(&b, "%s more are not shown.\n", plural(m.leftInvalid, "error"))
	}
	_, err := m.w.Write(b.Bytes())
	return err
}

func (m *markdown) noun() string {
	if m.scores {
		return "bench"
	}
	return "scenario"
}

// markdownText is text that no reader takes for markup.
func markdownText(s string) string {
	var b strings.Builder
	for _, r := range strings.Map(visible, strings.ReplaceAll(s, "\n", " ")) {
		if strings.ContainsRune("\\`*_{}[]<>#+!|~&@$^=", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// sentence is a text as it begins one.
func sentence(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
