package main

import (
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/scenario-lang/scenario/site/internal/build"
	"github.com/scenario-lang/scenario/site/internal/chrome"
)

// A page is what the checks know of one.
type page struct {
	ids   map[string]bool
	links []string // where a reader can go
	loads []string // what a browser asks for
}

// readPage takes a page apart.
func readPage(t *testing.T, file string) page {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	root, err := html.Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	p := page{ids: map[string]bool{}}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch {
			case a.Key == "id":
				p.ids[a.Val] = true
			case a.Key == "href" && n.Data == "a":
				p.links = append(p.links, a.Val)
			case a.Key == "href" || a.Key == "src" || a.Key == "srcset" || a.Key == "action" || a.Key == "data":
				p.loads = append(p.loads, a.Val)
			}
		}
	}
	return p
}

// wrong are what does not hold of the pages below a directory: every link leads to a
// page that there is and to a heading in it, and nothing is loaded from elsewhere.
func wrong(t *testing.T, dir string) (found []string, count int) {
	t.Helper()
	pages := map[string]page{}
	err := filepath.WalkDir(dir, func(file string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(file, ".html") {
			name, _ := filepath.Rel(dir, file)
			pages[filepath.ToSlash(name)] = readPage(t, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range pages {
		for i, to := range slices.Concat(p.loads, p.links) {
			u, err := url.Parse(to)
			switch {
			case err != nil:
				found = append(found, name+": "+err.Error())
				continue
			case u.Scheme == "data" && i < len(p.loads):
				continue
			case u.IsAbs() || u.Host != "":
				if i < len(p.loads) || u.Scheme != "https" && u.Scheme != "http" {
					found = append(found, name+": it loads "+to)
				}
				continue
			}
			target := name
			if u.Path != "" {
				target = path.Join(path.Dir(name), u.Path)
			}
			if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(target))); err != nil {
				found = append(found, name+": nothing is at "+to)
			} else if p, ok := pages[target]; ok && u.Fragment != "" && !strings.HasPrefix(target, "playground/") && !p.ids[u.Fragment] {
				found = append(found, name+": there is no heading "+to)
			}
		}
	}
	slices.Sort(found)
	return found, len(pages)
}

// built is the site without the engine of its playground.
func built(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "site")
	if err := (&build.Site{Root: "..", Out: dir, Log: io.Discard}).Write(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Shows that the site has every page of docs, that every link of it leads somewhere,
// that nothing is loaded from another host, and that the examples of the tutorial can
// be tried.
func TestPages(t *testing.T) {
	dir := built(t)
	found, count := wrong(t, dir)
	for _, f := range found {
		t.Error(f)
	}
	docs, _ := filepath.Glob("../docs/*.md")
	if count < len(docs) {
		t.Errorf("%d pages of %d", count, len(docs))
	}
	text, err := os.ReadFile(filepath.Join(dir, "tutorial.html"))
	if err != nil || !strings.Contains(string(text), "playground/index.html#code=") {
		t.Errorf("%v: the tutorial has nothing to try", err)
	}
	if text, err = os.ReadFile(filepath.Join(dir, "search-index.js")); err != nil || len(text) > 3<<20 {
		t.Errorf("%v: the index of the search has %d bytes", err, len(text))
	}
	if err := (&build.Site{Root: "..", Out: t.TempDir(), Log: io.Discard}).Write(); err != nil {
		t.Error(err) // an empty directory is taken
	}
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := (&build.Site{Root: "..", Out: full, Log: io.Discard}).Write(); err == nil {
		t.Error("a directory with other files was replaced")
	}
}

// Shows that each kind of broken link and of foreign request is found.
func TestPagesFindOffenders(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.html": `<h1 id="x">x</h1><a href="b.html#y">b</a><a href="https://example.com/">out</a><img src="data:,">`,
		"b.html": `<h1 id="y">y</h1><a href="a.html#z">no heading</a><a href="c.html">no page</a><img src="https://example.com/x.png"><script src="//example.com/x.js"></script><a href="javascript:x()">x</a>`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	found, _ := wrong(t, dir)
	want := []string{
		"b.html: it loads //example.com/x.js", "b.html: it loads https://example.com/x.png", "b.html: it loads javascript:x()",
		"b.html: nothing is at c.html", "b.html: there is no heading a.html#z",
	}
	if !slices.Equal(found, want) {
		t.Errorf("%q", found)
	}
}

// Shows that the search works from the disk, without a server, by keys alone, and that
// the pages fit a narrow screen.
func TestSearch(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a browser")
	}
	b := chrome.Start(t)
	dir := built(t)
	b.Look(1280, 800, "light")
	b.Open("file://" + filepath.ToSlash(filepath.Join(dir, "conformance", "language.html")))
	b.Until(`document.readyState === "complete" && document.getElementById("search")`)
	b.Eval(`document.getElementById("search").focus()`, nil)
	b.Call("Input.insertText", map[string]any{"text": "retry_after_jitter"}, nil)
	b.Until(`document.querySelector("#found a")`)
	b.Press("ArrowDown", "ArrowDown", 40, 0)
	var first string
	b.Eval(`document.activeElement.href`, &first)
	if !strings.HasPrefix(first, "file://") || !strings.Contains(first, ".html") {
		t.Errorf("the first result leads to %q", first)
	}
	var text string
	b.Eval(`document.getElementById("found").innerText`, &text)
	if !strings.Contains(text, "retry_after_jitter") {
		t.Errorf("found:\n%s", text)
	}
	b.Press("Escape", "Escape", 27, 0)
	b.Eval(`document.getElementById("search").value = ""`, nil)
	b.Call("Input.insertText", map[string]any{"text": "xyzzyplugh"}, nil)
	b.Until(`document.getElementById("found").innerText.includes("Nothing was found")`)
	for _, asked := range b.Requests() {
		if !strings.HasPrefix(asked, "file://") && !strings.HasPrefix(asked, "data:") {
			t.Errorf("the page asks for %s", asked)
		}
	}
	for _, name := range []string{"index", "tutorial", "reference-blocks", "docs"} {
		b.Open("file://" + filepath.ToSlash(filepath.Join(dir, name+".html")))
		b.Until(`document.readyState === "complete" && document.querySelector("main h1, main h2")`)
		for _, width := range []int{360, 1280} {
			for _, theme := range []string{"light", "dark"} {
				b.Look(width, 800, theme)
				var wide bool
				b.Eval(`document.documentElement.scrollWidth > innerWidth`, &wide)
				if wide {
					t.Errorf("%s at %d pixels has to be scrolled sideways", name, width)
				}
				if pictures := os.Getenv("SCENARIO_PICTURES"); pictures != "" {
					b.Picture(filepath.Join(pictures, name+"-"+theme+"-"+[]string{"narrow", "wide"}[width/1280]+".png"))
				}
			}
		}
	}
	if errs := b.Errors(); len(errs) > 0 {
		t.Errorf("the pages have errors: %s", errs)
	}
}
