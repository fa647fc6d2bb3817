package report

import (
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

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
// Where Options.Pages takes them, the scenarios of a suite with more than 5,000
// of them are on further pages, and the one page is the index of those.
//
// With Options.Scores it is about benches: how many cases passed stands in the
// place of times and attempts, and every bench is open.
func HTML(w io.Writer, o Options) Reporter {
	return &htmlPage{w: w, scores: o.Scores, clock: o.clock(), pages: o.Pages}
}

type htmlPage struct {
	w      io.Writer
	scores bool
	clock  string // that of the times

	// chunks are what was added and is on no page of its own yet; bytes is how
	// long their sections are.
	chunks []htmlChunk
	bytes  int
	// invalid are the diagnostics, which stand before everything else.
	invalid markup

	// pages takes further pages, nil where there is to be one; written is how
	// many there are, and index what the first file says of them.
	pages   *Pages
	written int
	index   htmlIndex

	file  string
	total htmlCounts
	files int
	// n numbers the scenarios, unfolded counts those that are shown open.
	n, unfolded int
}

// An htmlChunk is as much as one page of several shows.
type htmlChunk struct {
	rows     []htmlRow
	sections markup
}

// An htmlRow is what a table says of one scenario.
type htmlRow struct {
	file string
	name string
	// n is its number in the suite, of which its fragment is made.
	n       int
	verdict interp.Verdict
	// took is on its own clock.
	took             time.Duration
	attempts, faults int
	// scores are the figures of a bench.
	scores [3]string
}

// htmlCounts are the sums of a file or a suite.
type htmlCounts struct {
	Summary
	attempts, faults int
}

func (c *htmlCounts) add(r *htmlRow) {
	c.count(r.verdict, r.took)
	c.attempts += r.attempts
	c.faults += r.faults
}

func (h *htmlPage) Add(e Entry) error {
	r := e.Result
	if r.Plan.File != h.file || h.n == 0 {
		h.file = r.Plan.File
		h.files++
	}
	if err := h.room(); err != nil {
		return err
	}
	h.n++
	p := newPicture(r.Events, r.Virtual)
	row := htmlRow{file: r.Plan.File, name: e.name(), n: h.n, verdict: r.Verdict, took: r.Virtual, attempts: p.attempts, faults: p.faults}
	if h.scores {
		row.scores = scoreCells(r.Bench)
	}
	h.total.add(&row)
	chunk := &h.chunks[len(h.chunks)-1]
	chunk.rows = append(chunk.rows, row)
	before := chunk.sections.Len()
	s := section{markup: &chunk.sections, e: &e, p: p, id: fmt.Sprintf("s%d", h.n), scores: h.scores}
	s.write(h.unfold(r) || h.scores)
	h.bytes += chunk.sections.Len() - before
	return nil
}

// cells are the figures of a row of the table, below the words of columns.
func (h *htmlPage) cells(took time.Duration, attempts, faults int) [3]string {
	if h.scores {
		return [3]string{}
	}
	return [3]string{virtual(took), strconv.Itoa(attempts), strconv.Itoa(faults)}
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

func (h *htmlPage) Invalid(d Diagnostic) error {
	h.invalid.add("<div class=\"pb\"><h3>%s <code class=\"mut\">%s</code></h3>\n", d.Summary, d.place(""))
	if d.Detail != "" {
		h.invalid.add("<p>%s</p>\n", d.Detail)
	}
	h.invalid.add("</div>\n")
	return nil
}

func (h *htmlPage) Close(s Summary) error {
	var m markup
	if h.written > 0 {
		if err := h.turn(true); err != nil {
			return err
		}
	}
	h.begin(&m, s)
	h.head(&m, s)
	if h.invalid.Len() > 0 {
		m.add("<h2>Errors in files</h2>\n")
		m.Write(h.invalid.Bytes())
	}
	switch {
	case h.written > 0:
		h.indexTable(&m)
	case h.n > 0:
		m.add("<h2 id=\"files\">%s</h2>\n", strings.ToUpper(h.noun()[:1])+plurals(h.noun())[1:])
		h.show(&m, h.chunks, &h.total.Summary)
	}
	m.add("</body></html>\n")
	_, err := h.w.Write(m.Bytes())
	return err
}

// begin writes what stands before the body of a page.
func (h *htmlPage) begin(m *markup, s Summary) {
	m.add("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n")
	m.add("<title>scenario: %s</title>\n<style>\n%s</style></head>\n<body>\n%s", s.line(h.clock), raw(htmlStyle), raw(timelineSymbols))
}

// show writes the table of scenarios and what there is to say of each.
func (h *htmlPage) show(m *markup, chunks []htmlChunk, s *Summary) {
	h.only(m, s)
	h.tableHead(m, "file and "+h.noun())
	var rows []htmlRow
	for i := range chunks {
		rows = append(rows, chunks[i].rows...)
	}
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].file == rows[0].file {
			n++
		}
		h.group(m, rows[:n])
		rows = rows[n:]
	}
	c := h.columns()
	m.add("</table>\n<p class=\"mut narrow\">A wider window also shows: %s, %s.</p>\n<h2>In detail</h2>\n", c[1], c[2])
	if !h.scores {
		legend(m)
	}
	for i := range chunks {
		m.Write(chunks[i].sections.Bytes())
	}
}

// only offers to hide what passed, where there is something else.
func (h *htmlPage) only(m *markup, s *Summary) {
	if s.Passed > 0 && s.Passed+s.Skipped < s.Total() {
		m.add("<label class=\"only\"><input type=\"checkbox\" id=\"only\"> show only what did not pass</label>\n")
	}
}

func (h *htmlPage) tableHead(m *markup, what string) {
	c := h.columns()
	m.add("<table><thead><tr><th scope=col>verdict<th scope=col>%s<th scope=col class=n>%s<th scope=col class=\"n w\">%s<th scope=col class=\"n w\">%s</thead>\n", what, c[0], c[1], c[2])
}

// group writes the rows of one file under a row of its own.
func (h *htmlPage) group(m *markup, rows []htmlRow) {
	var sum htmlCounts
	for i := range rows {
		sum.add(&rows[i])
	}
	h.heading(m, rows[0].file, "", &sum)
	for i := range rows {
		h.row(m, &rows[i], "")
	}
}

// heading writes the row of a file, which leads to where its scenarios are.
func (h *htmlPage) heading(m *markup, file string, link raw, sum *htmlCounts) {
	var name markup
	name.add("%s", file)
	if link != "" {
		name.Reset()
		name.add("<a href=\"%s\">%s</a>", link, file)
	}
	cells := h.cells(sum.Virtual, sum.attempts, sum.faults)
	m.add("<tbody class=\"%s\"><tr><th><span class=\"v %[1]s\">%[1]s</span><th scope=rowgroup>%[2]s<th class=n>%[3]s<th class=\"n w\">%[4]s<th class=\"n w\">%[5]s\n",
		string(sum.Status()), raw(name.String()), cells[0], cells[1], cells[2])
}

// row writes the row of one scenario, which is on the page that a link leads to.
func (h *htmlPage) row(m *markup, r *htmlRow, link raw) {
	cells := h.cells(r.took, r.attempts, r.faults)
	if h.scores {
		cells = r.scores
	}
	m.add("<tr class=\"%s\"><td><span class=\"v %[1]s\">%[1]s</span><td><a href=\"%[2]s#s%[3]d\">%[4]s</a><td class=n>%[5]s<td class=\"n w\">%[6]s<td class=\"n w\">%[7]s\n",
		string(r.verdict), link, r.n, r.name, cells[0], cells[1], cells[2])
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
