package report

import (
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/interp"
)

//go:embed timeline.css
var timelineStyle string

//go:embed html.css
var pageStyle string

// htmlStyle is that of the page: its colours and timelines, then all else.
var htmlStyle = timelineStyle + pageStyle

//go:embed timeline_symbols.svg
var timelineSymbols string

// openMax bounds how many scenarios that did not pass are shown unfolded.
const openMax = 20

// HTML writes one page that needs nothing else: no network, no script, no
// second file. It says what became of each file and scenario; for those that
// did not pass, why, and what was sent and answered in each attempt; and for
// all, a timeline. It is written when the suite ends, because it begins with
// the counts.
//
// With Options.Scores it is about benches: how many cases passed stands in the
// place of times and attempts, and every bench is open.
func HTML(w io.Writer, o Options) Reporter {
	return &htmlPage{w: w, scores: o.Scores, clock: o.clock()}
}

type htmlPage struct {
	w      io.Writer
	scores bool
	clock  string // that of the times

	// rows are the lines of the table, those of file still being collected in
	// fileRows; sections follow the table.
	rows, sections markup
	// invalid are the diagnostics, which stand before everything else.
	invalid  markup
	file     string
	fileRows markup
	counts   htmlCounts

	total htmlCounts
	files int
	// n numbers the scenarios, unfolded counts those that are shown open.
	n, unfolded int
}

// htmlCounts are the sums of a file or a suite.
type htmlCounts struct {
	Summary
	attempts, faults int
}

func (h *htmlPage) Add(e Entry) error {
	r := e.Result
	if r.Plan.File != h.file || h.n == 0 {
		h.endFile()
		h.file = r.Plan.File
		h.files++
	}
	h.n++
	p := newPicture(r.Events, r.Virtual)
	for _, c := range []*htmlCounts{&h.counts, &h.total} {
		c.Add(r)
		c.attempts += p.attempts
		c.faults += p.faults
	}
	one := htmlCounts{attempts: p.attempts, faults: p.faults}
	one.Virtual = r.Virtual
	cells := h.cells(&one)
	if h.scores {
		cells = scoreCells(r.Bench)
	}
	h.fileRows.add("<tr class=\"%s\"><td><span class=\"v %[1]s\">%[1]s</span><td><a href=\"#s%[2]d\">%[3]s</a><td class=n>%[4]s<td class=\"n w\">%[5]s<td class=\"n w\">%[6]s\n",
		string(r.Verdict), h.n, e.name(), cells[0], cells[1], cells[2])
	s := section{markup: &h.sections, e: &e, p: p, id: fmt.Sprintf("s%d", h.n), scores: h.scores}
	s.write(h.unfold(r) || h.scores)
	return nil
}

// cells are the figures of a row of the table, below the words of columns.
func (h *htmlPage) cells(c *htmlCounts) [3]string {
	if h.scores {
		return [3]string{}
	}
	return [3]string{virtual(c.Virtual), strconv.Itoa(c.attempts), strconv.Itoa(c.faults)}
}

// columns name the figures of the table.
func (h *htmlPage) columns() [3]string {
	if h.scores {
		return [3]string{"cases passed", "mean score", "lower bound"}
	}
	return [3]string{h.clock + " time", "attempts", "faults"}
}

func (h *htmlPage) noun() string {
	if h.scores {
		return "bench"
	}
	return "scenario"
}

// unfold reports whether a scenario is shown open.
func (h *htmlPage) unfold(r *interp.Result) bool {
	if bad := r.Verdict == interp.Fail || r.Verdict == interp.Error; !bad || h.unfolded >= openMax {
		return false
	}
	h.unfolded++
	return true
}

// endFile writes the rows of one file under a row of its own.
func (h *htmlPage) endFile() {
	c := &h.counts
	if c.Total() > 0 {
		cells := h.cells(c)
		h.rows.add("<tbody class=\"%s\"><tr><th><span class=\"v %[1]s\">%[1]s</span><th scope=rowgroup>%[2]s<th class=n>%[3]s<th class=\"n w\">%[4]s<th class=\"n w\">%[5]s\n",
			string(c.Status()), h.file, cells[0], cells[1], cells[2])
		h.rows.Write(h.fileRows.Bytes())
	}
	*c = htmlCounts{}
	h.fileRows.Reset()
}

func (h *htmlPage) Invalid(d Diagnostic) error {
	h.invalid.add("<div class=\"pb\"><h3>%s <code class=\"mut\">%s</code></h3>\n", d.Summary, d.place(""))
	if d.Detail != "" {
		h.invalid.add("<p>%s</p>\n", d.Detail)
	}
	h.invalid.add("</div>\n")
	return nil
}

func (h *htmlPage) Close(s Summary) error {
	h.endFile()
	var m markup
	m.add("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n")
	m.add("<title>scenario: %s</title>\n<style>\n%s</style></head>\n<body>\n%s", s.line(h.clock), raw(htmlStyle), raw(timelineSymbols))
	h.head(&m, s)
	if h.invalid.Len() > 0 {
		m.add("<h2>Errors in files</h2>\n")
		m.Write(h.invalid.Bytes())
	}
	if h.n > 0 {
		m.add("<h2 id=\"files\">%s</h2>\n", strings.ToUpper(h.noun()[:1])+plurals(h.noun())[1:])
		if h.total.Passed > 0 && h.total.Passed+h.total.Skipped < h.n {
			m.add("<label class=\"only\"><input type=\"checkbox\" id=\"only\"> show only what did not pass</label>\n")
		}
		c := h.columns()
		m.add("<table><thead><tr><th scope=col>verdict<th scope=col>file and %s<th scope=col class=n>%s<th scope=col class=\"n w\">%s<th scope=col class=\"n w\">%s</thead>\n", h.noun(), c[0], c[1], c[2])
		m.Write(h.rows.Bytes())
		m.add("</table>\n<p class=\"mut narrow\">A wider window also shows: %s, %s.</p>\n<h2>In detail</h2>\n", c[1], c[2])
		if !h.scores {
			legend(&m)
		}
		m.Write(h.sections.Bytes())
	}
	m.add("</body></html>\n")
	_, err := h.w.Write(m.Bytes())
	return err
}

// head says at a glance how the suite ended.
func (h *htmlPage) head(m *markup, s Summary) {
	m.add("<header><h1><span class=\"v %s\">%[1]s</span> %[2]s in %[3]s</h1>\n", string(s.Status()), plural(h.n, h.noun()), plural(h.files, "file"))
	if s.Incomplete {
		m.add("<p class=\"pb\">%s</p>\n", incomplete)
	}
	m.add("<ul class=\"chips\">")
	for _, c := range []struct {
		n     int
		class string
		word  string
	}{{s.Passed, "pass", "passed"}, {s.Failed, "fail", "failed"}, {s.Errored, "error", "errored"}, {s.Skipped, "skip", "skipped"}, {s.Done, "done", "done"}} {
		if c.n == 0 && c.class == string(interp.Done) { // of benches alone
			continue
		}
		class := ""
		if c.n > 0 {
			class = c.class
		}
		m.add("<li class=\"%s\"><b>%d</b>%s", class, c.n, c.word)
	}
	if !h.scores {
		m.add("<li><b>%s</b>%s time<li><b>%d</b>attempts<li><b>%d</b>injected faults", virtual(s.Virtual), h.clock, h.total.attempts, h.total.faults)
	}
	m.add("</ul></header>\n")
}

// legend explains the signs of the timelines, once for all of them.
func legend(m *markup) {
	m.add("<ul class=\"leg\" aria-label=\"Signs of the timelines\">")
	for _, k := range signsOfMarks {
		m.add("<li><svg width=16 height=16 aria-hidden=true><use href=\"#k%d\" x=8 y=8 /></svg>%s", int(k.kind), k.means)
	}
	for _, b := range signsOfSpans {
		m.add("<li><svg class=tl style=\"width:18px\" height=12 aria-hidden=true><rect class=%s width=18 height=12 /></svg>%s", raw(b.class), b.means)
	}
	m.add("</ul>\n")
}

// lines joins what is shown in one block.
func lines(all []string) string { return strings.Join(all, "\n") }
