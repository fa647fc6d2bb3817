package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/scenario-lang/scenario/interp"
)

// markdownMax bounds, in bytes, what is told of single scenarios. GitHub
// refuses a step's summary beyond 1 MiB altogether.
const markdownMax = 400 << 10

// Markdown writes a summary for a page of a CI system or a comment: the counts,
// then what did not pass and why. It is bounded, whatever the suite is.
func Markdown(w io.Writer, opts Options) Reporter { return &markdown{w: w, base: opts.Base} }

type markdown struct {
	w    io.Writer
	base string
	body bytes.Buffer
	// left counts scenarios that did not pass and found no room.
	left int
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
		fmt.Fprintf(b, "### %s: %s\n\n%s:%d, virtual %s\n\n", r.Verdict, markdownText(r.Plan.Name), markdownText(m.base+r.Plan.File), r.Plan.Line, virtual(r.Virtual))
	}
	for i := range r.Problems {
		m.problem(&e, &r.Problems[i])
	}
	for i := range r.Relaxed {
		fmt.Fprintf(b, "Allowed: %s in %s (%s)\n\n", markdownText(r.Relaxed[i].Name), markdownText(r.Plan.Name), markdownText(m.base+r.Plan.File))
	}
	return nil
}

// problem shows one problem as code, in a fence that nothing inside can end.
func (m *markdown) problem(e *Entry, p *interp.Problem) {
	code := strings.Map(visibleLines, strings.Join(append([]string{heading(e, p)}, details(e, p)...), "\n"))
	if room := 20 << 10; len(code) > room {
		code = strings.ToValidUTF8(code[:room], "") + "\n…"
	}
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	fmt.Fprintf(&m.body, "%s\n%s\n%s\n\n", fence, code, fence)
}

func (m *markdown) Close(s Summary) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "## scenario: %s\n\n| passed | failed | errored | skipped | virtual time |\n|---|---|---|---|---|\n| %d | %d | %d | %d | %s |\n\n",
		s.Status(), s.Passed, s.Failed, s.Errored, s.Skipped, virtual(s.Virtual))
	if s.Incomplete {
		b.WriteString(incomplete + "\n\n")
	}
	b.Write(m.body.Bytes())
	if m.left > 0 {
		fmt.Fprintf(&b, "%s more are not shown.\n", plural(m.left, "scenario"))
	}
	_, err := m.w.Write(b.Bytes())
	return err
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
