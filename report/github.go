package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/scenario-lang/scenario/interp"
)

// GitHub writes workflow commands of GitHub Actions, which show each failure at
// its line in a change: an error for what did not hold, a notice for a gate
// that was broken and allowed.
func GitHub(w io.Writer, opts Options) Reporter { return &github{w, opts.Base} }

type github struct {
	w    io.Writer
	base string
}

func (g *github) Add(e Entry) error {
	for i := range e.Result.Problems {
		var program []string
		if i == 0 { // once is enough
			program = programLines(e.Result)
		}
		if err := g.annotate("error", &e, &e.Result.Problems[i], program...); err != nil {
			return err
		}
	}
	for i := range e.Result.Relaxed {
		if err := g.annotate("notice", &e, &e.Result.Relaxed[i]); err != nil {
			return err
		}
	}
	return nil
}

// annotate shows a problem at its line, and below it what more there is to say.
func (g *github) annotate(level string, e *Entry, p *interp.Problem, more ...string) error {
	file, line := place(e.Result, p)
	at := fmt.Sprintf("file=%s,line=%d", githubProperty(g.base+file), line)
	if p.Range.Filename != "" {
		if p.Range.End.Line > line {
			at += fmt.Sprintf(",endLine=%d", p.Range.End.Line)
		}
		if p.Range.Start.Column > 0 {
			at += fmt.Sprintf(",col=%d", p.Range.Start.Column)
		}
	}
	if level == "notice" {
		p = &interp.Problem{Kind: p.Tells(), Name: p.Name, Message: p.Message}
	}
	head := fmt.Sprintf("%s: %s", e.name(), title(p))
	_, err := fmt.Fprintf(g.w, "::%s %s,title=%s::%s\n", level, at, githubProperty(head), githubData(strings.Join(append([]string{explanation(p)}, more...), "\n")))
	return err
}

func (g *github) Invalid(d Diagnostic) error {
	at := ""
	if d.File != "" {
		at = "file=" + githubProperty(g.base+d.File) + ","
	}
	if d.Line > 0 {
		at += fmt.Sprintf("line=%d,", d.Line)
	}
	if d.EndLine > d.Line {
		at += fmt.Sprintf("endLine=%d,", d.EndLine)
	}
	if d.Column > 0 {
		at += fmt.Sprintf("col=%d,", d.Column)
	}
	message := d.Detail
	if message == "" {
		message = d.Summary // a command without a message shows nothing
	}
	_, err := fmt.Fprintf(g.w, "::error %stitle=%s::%s\n", at, githubProperty(d.Summary), githubData(message))
	return err
}

func (g *github) Close(s Summary) error {
	for _, c := range s.NeverEvaluated() {
		if _, err := fmt.Fprintf(g.w, "::warning file=%s,line=%d,title=%s::%s\n", githubProperty(g.base+c.Range.Filename), c.Range.Start.Line,
			githubProperty(fmt.Sprintf("invariant %q", c.Name)), githubData("No run evaluated it: "+c.Idle()+".")); err != nil {
			return err
		}
	}
	if !s.Incomplete {
		return nil
	}
	_, err := fmt.Fprintf(g.w, "::error title=scenario::%s\n", githubData(incomplete))
	return err
}

var (
	githubDataEscapes     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubPropertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// githubData is the message of a command, githubProperty the value of one of
// its properties. A line break that was left as it is would end the command
// and let an answer begin another.
func githubData(s string) string {
	return githubDataEscapes.Replace(strings.Map(visibleLines, s))
}

func githubProperty(s string) string {
	return githubPropertyEscapes.Replace(strings.Map(visibleLines, s))
}

func visibleLines(r rune) rune {
	if r == '\n' || r == '\r' {
		return r
	}
	return visible(r)
}
