package build

import (
	"bytes"
	"html/template"
	"os"
	"path/filepath"
	"strings"
)

var frame = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'">
<title>{{.Title}}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{{.Up}}page.css">
</head>
<body data-up="{{.Up}}">
<a class="skip" href="#content">Skip to the text</a>
<header>
  <a class="home" href="{{.Up}}index.html">scenario</a>
  <nav aria-label="Site"><a href="{{.Up}}docs.html">Documentation</a> <a href="{{.Up}}playground/index.html">Playground</a></nav>
  <div class="search" role="search">
    <label for="search">Search</label>
    <input id="search" type="search" autocomplete="off" aria-controls="found" aria-expanded="false">
    <ul id="found" aria-label="Results of the search" hidden></ul>
  </div>
</header>
<div class="columns">
<details class="menu"><summary>All pages</summary><nav aria-label="Pages">{{.Menu}}</nav></details>
<main id="content">
{{.Body}}
</main>
</div>
<script src="{{.Up}}search.js"></script>
</body>
</html>
`))

// frame writes a page with what is around every page.
func (w *writer) frame(address, title string, body template.HTML) error {
	up := strings.Repeat("../", strings.Count(address, "/"))
	if title == "" || title == "scenario" {
		title = "scenario: what does your program do when the services it calls fail?"
	} else {
		title += " · scenario"
	}
	menu := template.HTML(strings.ReplaceAll(string(w.menu), `href="`, `href="`+up))
	var page bytes.Buffer
	err := frame.Execute(&page, struct {
		Title, Up  string
		Menu, Body template.HTML
	}{title, up, menu, body})
	if err != nil {
		return err
	}
	return w.file(address, page.Bytes())
}

// menuOf is the list of all pages, with addresses from the top: the pages of docs by
// their titles.
func (w *writer) menuOf() template.HTML {
	names, _ := filepath.Glob(filepath.Join(w.Root, "docs", "*.md")) // the pattern is well-formed
	var b strings.Builder
	b.WriteString("<ul>\n")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // writing the page says so
		}
		title := filepath.Base(name)
		for line := range strings.Lines(string(text)) {
			if head, ok := strings.CutPrefix(line, "# "); ok {
				title = strings.ReplaceAll(strings.TrimSpace(head), "`", "")
				break
			}
		}
		from := "docs/" + filepath.Base(name)
		w.want(from)
		b.WriteString(`<li><a href="` + addressOf(from) + `">` + template.HTMLEscapeString(title) + "</a></li>\n")
	}
	b.WriteString("</ul>\n")
	return template.HTML(b.String())
}
