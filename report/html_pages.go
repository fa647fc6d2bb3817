package report

import (
	"fmt"
	"slices"

	"github.com/scenario-lang/scenario/interp"
)

// The bounds of one page. Beyond them the report is an index, and the scenarios
// are on pages of their own, each with so many scenarios and bytes at most.
const (
	onePageScenarios, onePageBytes = 5000, 16 << 20
	pageScenarios, pageBytes       = 500, 2 << 20
)

// indexMax bounds how many scenarios that did not pass the index names itself.
const indexMax = 1000

// An htmlIndex is what the first file of several says of the others.
type htmlIndex struct {
	files []htmlFile
	// unnamed counts the scenarios that did not pass and have no row.
	named, unnamed int
}

// An htmlFile is what an index says of one file of scenarios.
type htmlFile struct {
	name string
	sum  htmlCounts
	// pages are where its scenarios are, with the number of its first one on each.
	pages []htmlPlace
	// bad are its scenarios that did not pass, each with its page.
	bad []htmlBad
}

type htmlPlace struct{ page, first int }

type htmlBad struct {
	htmlRow
	page int
}

// room makes place for one more scenario.
func (h *htmlPage) room() error {
	if len(h.chunks) == 0 {
		h.chunks = append(h.chunks, htmlChunk{})
		return nil
	}
	last := &h.chunks[len(h.chunks)-1]
	if h.pages == nil || len(last.rows) < pageScenarios && last.sections.Len() < pageBytes {
		return nil
	}
	if h.written > 0 || h.n >= onePageScenarios || h.bytes >= onePageBytes {
		if err := h.turn(false); err != nil {
			return err
		}
	}
	h.chunks = append(h.chunks, htmlChunk{})
	return nil
}

// turn puts what was added on pages of its own. The last of them knows that it
// is the last.
func (h *htmlPage) turn(last bool) error {
	for i := range h.chunks {
		h.written++
		if err := h.pages.Write(pageName(h.written), h.page(&h.chunks[i], last && i == len(h.chunks)-1)); err != nil {
			return err
		}
		for _, r := range h.chunks[i].rows {
			h.index.add(&r, h.written)
		}
	}
	h.chunks, h.bytes, h.unfolded = nil, 0, 0
	return nil
}

// page is one page of several.
func (h *htmlPage) page(chunk *htmlChunk, last bool) []byte {
	var sum htmlCounts
	for i := range chunk.rows {
		sum.add(&chunk.rows[i])
	}
	var m markup
	h.begin(&m, sum.Summary)
	m.add("<header><h1><span class=\"v %s\">%[1]s</span> page %[2]d: %s</h1>\n", string(sum.Status()), h.written, plural(len(chunk.rows), h.noun()))
	m.add("<nav class=\"pages\"><a href=\"%s\">all files</a>", h.pages.back())
	if h.written > 1 {
		m.add(" <a rel=prev href=\"%s\">page %d</a>", pageName(h.written-1), h.written-1)
	}
	if !last {
		m.add(" <a rel=next href=\"%s\">page %d</a>", pageName(h.written+1), h.written+1)
	}
	m.add("</nav></header>\n<h2>%s</h2>\n", "Scenarios")
	h.show(&m, []htmlChunk{*chunk}, &sum.Summary)
	m.add("</body></html>\n")
	return m.Bytes()
}

// add takes in one scenario of a page.
func (x *htmlIndex) add(r *htmlRow, page int) {
	if len(x.files) == 0 || x.files[len(x.files)-1].name != r.file {
		x.files = append(x.files, htmlFile{name: r.file})
	}
	f := &x.files[len(x.files)-1]
	f.sum.add(r)
	if len(f.pages) == 0 || f.pages[len(f.pages)-1].page != page {
		f.pages = append(f.pages, htmlPlace{page, r.n})
	}
	if r.verdict != interp.Fail && r.verdict != interp.Error {
		return
	}
	if x.named == indexMax {
		x.unnamed++
		return
	}
	x.named++
	f.bad = append(f.bad, htmlBad{*r, page})
}

// tableFiles is how many files one table of the index has. Browsers lay out only
// those that are seen.
const tableFiles = 250

// indexTable writes what became of each file, and which of its scenarios did not
// pass.
func (h *htmlPage) indexTable(m *markup) {
	m.add("<h2 id=\"files\">Files</h2>\n<p>The timelines of all scenarios are on %s beside this file, in the directory <code>%s</code>: keep both together.</p>\n",
		plural(h.written, "page"), h.pages.Dir)
	h.only(m, &h.total.Summary)
	for files := range slices.Chunk(h.index.files, tableFiles) {
		m.add("<div class=\"part\">")
		h.tableHead(m, "file")
		for i := range files {
			h.indexFile(m, &files[i])
		}
		m.add("</table></div>\n")
	}
	if h.index.unnamed > 0 {
		m.add("<p>%s did not pass and are on their pages only.</p>\n", plural(h.index.unnamed, "more scenario"))
	}
}

func (h *htmlPage) indexFile(m *markup, f *htmlFile) {
	link := fmt.Sprintf("%s#s%d", h.pages.link(f.pages[0].page), f.pages[0].first)
	h.heading(m, f.name, raw(link), &f.sum)
	if len(f.pages) > 1 {
		m.add("<tr class=\"%s\"><td><td colspan=4>pages", string(f.sum.Status()))
		for _, p := range f.pages {
			m.add(" <a href=\"%s#s%d\">%d</a>", h.pages.link(p.page), p.first, p.page)
		}
		m.add("\n")
	}
	for i := range f.bad {
		h.row(m, &f.bad[i].htmlRow, h.pages.link(f.bad[i].page))
	}
}
