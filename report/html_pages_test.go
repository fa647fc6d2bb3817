package report

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp"
)

// manyEntries are n scenarios, three to a file, of which those fail that fails says.
func manyEntries(n int, fails func(i int) bool, add func(Entry)) (counted Summary) {
	for i := range n {
		e := story()
		r, plan := *e.Result, *e.Result.Plan
		plan.File = fmt.Sprintf("d/%d & co.scenario.hcl", i/3)
		plan.Name = fmt.Sprintf("scenario %d", i+1)
		r.Plan, r.Verdict, r.Problems, r.Events = &plan, interp.Pass, nil, r.Events[:3:3]
		if fails(i) {
			r.Verdict, r.Problems = interp.Fail, e.Result.Problems
		}
		e.Result = &r
		counted.Add(&r)
		add(e)
	}
	return counted
}

// paged is the report of n scenarios, and its further pages.
func paged(t *testing.T, n int, fails func(i int) bool) (first string, pages map[string]string) {
	t.Helper()
	var b bytes.Buffer
	pages = map[string]string{}
	h := HTML(&b, Options{Pages: &Pages{First: "all of it.html", Dir: "all of it.pages", Write: func(name string, page []byte) error {
		if pages[name] != "" {
			t.Errorf("page %s was written twice", name)
		}
		pages[name] = string(page)
		return nil
	}}})
	sum := manyEntries(n, fails, func(e Entry) {
		if err := h.Add(e); err != nil {
			t.Fatal(err)
		}
	})
	if err := h.Close(sum); err != nil {
		t.Fatal(err)
	}
	return b.String(), pages
}

var (
	hrefs    = regexp.MustCompile(`<a (?:rel=\w+ )?href="([^"]*)"`)
	sections = regexp.MustCompile(`<div id="s(\d+)">`)
)

// A large suite has every scenario on one page, in order, and every link of
// every page leads to where it says.
func TestPagesOfALargeSuite(t *testing.T) {
	const n = onePageScenarios + 2*pageScenarios + 7
	bad := map[int]bool{0: true, 4: true, 4999: true, n - 1: true}
	first, pages := paged(t, n, func(i int) bool { return bad[i] })
	if want := n/pageScenarios + 1; len(pages) != want {
		t.Fatalf("%d pages, want %d", len(pages), want)
	}
	files, next := map[string]string{"all of it.html": first}, 1
	for i := 1; i <= len(pages); i++ {
		page := pages[pageName(i)]
		files["all of it.pages/"+pageName(i)] = page
		shown := sections.FindAllStringSubmatch(page, -1)
		if i < len(pages) && len(shown) != pageScenarios {
			t.Errorf("page %d shows %d scenarios", i, len(shown))
		}
		for _, m := range shown {
			if m[1] != strconv.Itoa(next) || !strings.Contains(page, fmt.Sprintf("scenario %d<", next)) {
				t.Fatalf("page %d shows scenario %s, want %d", i, m[1], next)
			}
			next++
		}
	}
	if next != n+1 {
		t.Errorf("%d scenarios are on pages, want %d", next-1, n)
	}
	for name, page := range files {
		dir := name[:strings.LastIndex(name, "/")+1]
		for _, m := range hrefs.FindAllStringSubmatch(page, -1) {
			to, fragment, _ := strings.Cut(strings.ReplaceAll(m[1], "%20", " "), "#")
			target := strings.TrimPrefix(dir+to, "all of it.pages/../")
			if to == "" {
				target = name
			}
			if files[target] == "" || fragment != "" && !strings.Contains(files[target], `id="`+fragment+`"`) {
				t.Fatalf("%s links to %s, which is nowhere", name, m[1])
			}
		}
	}
	for i := range bad {
		if link := fmt.Sprintf("%d.html#s%d\">scenario %d</a>", i/pageScenarios+1, i+1, i+1); !strings.Contains(first, link) {
			t.Errorf("the index does not name scenario %d, which failed: no %s", i+1, link)
		}
	}
	if strings.Contains(first, ">scenario 2<") {
		t.Error("the index names a scenario that passed")
	}
	if strings.Contains(pages[pageName(len(pages))], "rel=next") || !strings.Contains(pages["1.html"], `rel=next href="2.html"`) {
		t.Error("the last page has a next one, or the first has none")
	}
}

// A suite that is not large is one page, the same with and without a place for
// more; and without one it is always a single page.
func TestSmallSuiteIsOnePage(t *testing.T) {
	never := func(int) bool { return false }
	first, pages := paged(t, 2*pageScenarios+1, never)
	var b bytes.Buffer
	h := HTML(&b, Options{})
	sum := manyEntries(2*pageScenarios+1, never, func(e Entry) { h.Add(e) })
	h.Close(sum)
	if len(pages) > 0 || first != b.String() {
		t.Errorf("%d pages, and the first has %d bytes, want %d", len(pages), len(first), b.Len())
	}
	if found := checkPage(first); len(found) > 0 {
		t.Error(found[0])
	}
}

// The index is bounded where everything fails.
func TestIndexIsBounded(t *testing.T) {
	const n = onePageScenarios + pageScenarios + 1
	first, pages := paged(t, n, func(int) bool { return true })
	if named := strings.Count(first, "\">scenario "); named != indexMax {
		t.Errorf("the index names %d scenarios, want %d", named, indexMax)
	}
	if want := fmt.Sprintf("%d more scenarios did not pass", n-indexMax); !strings.Contains(strings.ReplaceAll(first, ",", ""), want) {
		t.Errorf("the index does not say: %s", want)
	}
	for name, page := range pages {
		if open := strings.Count(page, " open><summary>"); open > openMax {
			t.Errorf("page %s has %d open scenarios", name, open)
		}
	}
}

// What waits for the end goes to the spool that the options give, and every
// format is the same with one.
func TestSpooledReports(t *testing.T) {
	for _, f := range Formats() {
		var spools []*countedSpool
		spool := func() Spool {
			s := &countedSpool{}
			spools = append(spools, s)
			return s
		}
		held := written(t, f.New, entriesOf(hostile), incompleteSuite)
		got := written(t, func(w io.Writer, o Options) Reporter { o.Spool = spool; return f.New(w, o) }, entriesOf(hostile), incompleteSuite)
		if got != held {
			t.Errorf("%s: the report is another with a spool", f.Name)
		}
		if waits := f.Name == "junit" || f.Name == "ctrf"; waits != (len(spools) > 0) {
			t.Errorf("%s: %d spools", f.Name, len(spools))
		}
		for _, s := range spools {
			if s.bytes == 0 || s.Len() > 0 {
				t.Errorf("%s: a spool took %d bytes and has %d left", f.Name, s.bytes, s.Len())
			}
		}
	}
}

type countedSpool struct {
	bytes.Buffer
	bytes int
}

func (s *countedSpool) Write(p []byte) (int, error) {
	s.bytes += len(p)
	return s.Buffer.Write(p)
}
