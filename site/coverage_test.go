package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/scenario-lang/scenario/site/internal/chrome"
)

// Shows that the page of `scenario coverage` fits its window at the width of a phone and
// of a desk, in both themes: neither the page nor what policies did has to be scrolled
// sideways or ends beyond the edge, and the columns of all groups are there.
func TestCoveragePageFits(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command and starts a browser: not with -short")
	}
	b := chrome.Start(t)
	page := filepath.Join(t.TempDir(), "coverage.html")
	cmd := exec.Command(command(t), "coverage", "--report", "html="+page, "scenarios/policies")
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b.Open("file://" + filepath.ToSlash(page))
	b.Until(`document.readyState === "complete" && document.querySelector(".policies")`)
	for _, width := range []int{360, 1440} {
		for _, theme := range []string{"light", "dark"} {
			b.Look(width, 800, theme)
			var beyond []string
			b.Eval(`[...document.querySelectorAll("h1, h2, p, table, tr, th.a, td, .policies th, summary, li")]
				.filter(e => e.getBoundingClientRect().right > innerWidth || (e.matches(".policies, .policies *") && e.scrollWidth > e.clientWidth + 1))
				.map(e => e.textContent.trim().slice(0, 60))`, &beyond)
			if len(beyond) > 0 {
				t.Errorf("at %d pixels, %s, %d parts are cut, the first %q", width, theme, len(beyond), beyond[0])
			}
			if pictures := os.Getenv("SCENARIO_PICTURES"); pictures != "" {
				b.Picture(filepath.Join(pictures, "coverage-"+theme+"-"+map[int]string{360: "narrow", 1440: "wide"}[width]+".png"))
			}
		}
	}
	if asked := b.Requests(); len(asked) != 1 {
		t.Errorf("the page asks for %q", asked)
	}
}
