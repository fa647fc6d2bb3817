package report

import (
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/interp"
)

// A section is what the page says of one scenario.
type section struct {
	*markup
	e      *Entry
	p      *picture
	id     string
	scores bool // the page is about benches
	// detailed says that there is room for the attempts.
	detailed bool
}

// write writes a scenario that folds. Its fragment is inside of what folds, so
// that a link to it unfolds it.
func (s *section) write(open bool) {
	r := s.e.Result
	state := raw("")
	if open {
		state = " open"
	}
	took := virtual(r.Virtual)
	if s.scores {
		took = "" // how long programs took is no result
	}
	s.add("<details class=\"sc %s\"%s><summary><span class=\"v %[1]s\">%[1]s</span><span>%[3]s</span><span class=\"t\">%[4]s</span></summary><div id=\"%[5]s\">\n",
		string(r.Verdict), state, s.e.name(), took, s.id)
	s.about()
	s.problems()
	for i := range r.Relaxed {
		s.problem(&r.Relaxed[i], r.Relaxed[i].Tells()+": ")
	}
	s.program()
	if said := evaluations(r); len(said) > 0 {
		s.add("<details><summary>%s</summary><pre>%s</pre></details>\n", plural(len(said), "invariant"), lines(said))
	}
	if r.Bench != nil {
		s.bench(r.Bench)
	}
	bad := r.Verdict == interp.Fail || r.Verdict == interp.Error
	s.detailed = bad && s.Len() <= htmlDetails
	anchor := ""
	if s.detailed && s.p.attempts <= htmlAttempts {
		anchor = s.id + "a" // all of them are below
	}
	if drawn := drawSVG(s.p, s.e.name(), anchor); drawn != "" {
		s.add("<figure>%s</figure>\n", drawn)
	}
	if bad {
		s.attempts()
		s.log()
	}
	s.add("</div></details>\n")
}

// about says where the scenario is and what was checked.
func (s *section) about() {
	r := s.e.Result
	said := []string{}
	if s.e.Reason != "" {
		said = append(said, s.e.Reason)
	}
	if r.Verdict != interp.Skip && !s.scores {
		said = append(said, plural(r.Checks, "check"), plural(s.p.attempts, "attempt"), plural(s.p.faults, "injected fault"))
	}
	if len(r.Plan.Tags) > 0 {
		said = append(said, "tags "+strings.Join(r.Plan.Tags, ", "))
	}
	s.add("<p class=\"mut\"><code>%s:%d</code>", r.Plan.File, r.Plan.Line)
	for _, one := range said {
		s.add(" · %s", one)
	}
	s.add("</p>\n")
	if r.Plan.Description != "" {
		s.add("<p>%s</p>\n", r.Plan.Description)
	}
}

// problems shows why the scenario did not pass: what comes of another problem is
// folded under it, and one gate that was broken in several places for one reason is
// one problem.
func (s *section) problems() {
	first, consequences := byCause(s.e.Result.Problems)
	if len(consequences) == 0 {
		s.alike(first)
		return
	}
	s.alike(first[:1])
	s.add("<details class=\"fo\"><summary>%s</summary>\n", "what follows from it: "+plural(len(consequences), "problem"))
	s.alike(consequences)
	s.add("</details>\n")
	s.alike(first[1:])
}

// alike shows problems, each with those that are the same one in other places.
func (s *section) alike(list []interp.Problem) {
	for len(list) > 0 {
		n := alike(list)
		s.problem(&list[0], "")
		if n > 1 {
			s.add("<details class=\"fo\"><summary>%s</summary><pre>%s</pre></details>\n", fmt.Sprintf("and in %s", plural(n-1, "other place")), lines(places(s.e, list[1:n])))
		}
		list = list[n:]
	}
}

// places are the places of problems, with what each of them says of it.
func places(e *Entry, list []interp.Problem) []string {
	var all []string
	for i := range list {
		file, line := place(e.Result, &list[i])
		what, _, _ := strings.Cut(list[i].Message, "\n")
		all = append(all, fmt.Sprintf("%s:%d: %s", file, line, what))
	}
	return all
}

// problem shows what did not hold: the source, what each part of it was, how
// it differs, what its author says.
func (s *section) problem(p *interp.Problem, prefix string) {
	class := "pb"
	if prefix != "" {
		class = "pb al"
	}
	file, line := place(s.e.Result, p)
	s.add("<div class=\"%s\"><h3>%s <code class=\"mut\">%s:%d</code></h3>\n", class, prefix+title(p), file, line)
	if source := snippet(s.e, p); len(source) > 0 {
		s.add("<pre>%s</pre>\n", lines(source))
	}
	if len(p.Operands) > 0 && !ofLibrary(p) {
		s.add("<dl class=\"ops mono\">")
		for _, o := range p.Operands {
			s.add("<dt>%s<dd>%s", o.Text, o.Value)
		}
		s.add("</dl>\n")
	}
	if p.Diff != "" {
		s.add("<pre>%s</pre>\n", strings.TrimRight(broken(p), "\n"))
	}
	if tells(p) && !(ofLibrary(p) && p.Diff != "") {
		s.add("<p>%s</p>\n", strings.TrimRight(p.Message, "\n"))
	}
	s.add("</div>\n")
}

// program tells how the program under test ended, and what it wrote last where the
// scenario did not pass.
func (s *section) program() {
	line, said := programEnd(s.e.Result)
	if line == "" {
		return
	}
	s.add("<p>%s</p>\n", sentence(line))
	if len(said) > 0 {
		s.add("<pre>%s</pre>\n", lines(said))
	}
}

// log is the timeline in words.
func (s *section) log() {
	if said := timeline(s.e.Result.Events); len(said) > 0 {
		s.add("<details><summary>What happened, in words</summary><pre>%s</pre></details>\n", lines(said))
	}
}
