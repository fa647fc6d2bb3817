package build

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/scenario-lang/scenario/site/internal/play"
)

// starts are the pages that the others are found from, by the links in them.
var starts = []string{"README.md", "docs/README.md"}

// A writer turns files of the repository into pages, as far as they are linked.
type writer struct {
	*Site
	queue, known []string
	sections     []section
	menu         template.HTML
}

// A section is what the search finds: a heading with what stands below it.
type section struct {
	Page    string `json:"p"`
	Heading string `json:"h"`
	Address string `json:"u"`
	Text    string `json:"x"`
}

// pages writes every page that a reader can come to from the first ones.
func (s *Site) pages([]Example) error {
	w := &writer{Site: s}
	for _, name := range []string{"page.css", "search.js"} {
		content, err := os.ReadFile(filepath.Join(s.Root, "site", "pages", name))
		if err != nil {
			return err
		}
		if err := s.file(name, content); err != nil {
			return err
		}
	}
	w.menu = w.menuOf()
	for _, name := range starts {
		w.want(name)
	}
	for len(w.queue) > 0 {
		name := w.queue[0]
		w.queue = w.queue[1:]
		if err := w.page(name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	index, err := json.Marshal(w.sections)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Log, "pages: %d, with %d sections\n", len(w.known), len(w.sections))
	return s.file("search-index.js", fmt.Appendf(nil, "window.SCENARIO_SECTIONS = %s;\n", index))
}

// want has a file of the repository written.
func (w *writer) want(name string) {
	if !slices.Contains(w.known, name) {
		w.known = append(w.known, name)
		w.queue = append(w.queue, name)
	}
}

// addressOf is where a file of the repository stands on the site.
func addressOf(name string) string {
	switch {
	case name == "README.md":
		return "index.html"
	case name == "docs/README.md":
		return "docs.html"
	case strings.HasPrefix(name, "docs/images/"):
		return "images/" + path.Base(name)
	case strings.HasSuffix(name, ".md"):
		return strings.TrimSuffix(strings.TrimPrefix(name, "docs/"), ".md") + ".html"
	}
	return "files/" + name + ".html"
}

// relative is an address as a page at another one writes it.
func relative(from, to string) string {
	return strings.Repeat("../", strings.Count(from, "/")) + to
}

// page writes one file of the repository: a page, a picture, a source, a directory.
func (w *writer) page(name string) error {
	file := filepath.Join(w.Root, filepath.FromSlash(name))
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return w.directory(name, file)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	switch path.Ext(name) {
	case ".md":
		return w.markdown(name, content)
	case ".svg", ".png":
		return w.file(addressOf(name), content)
	}
	return w.source(name, content)
}

// directory lists what is in one.
func (w *writer) directory(name, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var list strings.Builder
	list.WriteString("<ul>\n")
	for _, e := range entries {
		below := path.Join(name, e.Name())
		if strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules" || e.Name() == "__pycache__" {
			continue
		}
		w.want(below)
		fmt.Fprintf(&list, "<li><a href=\"%s\">%s</a></li>\n", relative(addressOf(name), addressOf(below)), template.HTMLEscapeString(e.Name()))
	}
	list.WriteString("</ul>\n")
	return w.frame(addressOf(name), name, template.HTML("<h1>"+template.HTMLEscapeString(name)+"</h1>\n"+list.String()))
}

// source shows a file as it is.
func (w *writer) source(name string, content []byte) error {
	body := "<h1>" + template.HTMLEscapeString(path.Base(name)) + "</h1>\n"
	if strings.HasSuffix(name, ".scenario.hcl") {
		body += w.tryIt(addressOf(name), string(content))
	}
	body += "<pre tabindex=\"0\"><code>" + template.HTMLEscapeString(strings.ToValidUTF8(string(content), "\uFFFD")) + "</code></pre>\n"
	return w.frame(addressOf(name), name, template.HTML(body))
}

// markdown writes a page of text.
func (w *writer) markdown(name string, content []byte) error {
	here := addressOf(name)
	md := goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(&blocks{w, here}, 100))))
	tree := md.Parser().Parse(text.NewReader(content), parser.WithContext(parser.NewContext(parser.WithIDs(&slugs{seen: map[string]int{}}))))
	if err := w.links(name, tree); err != nil {
		return err
	}
	var body bytes.Buffer
	if err := md.Renderer().Render(&body, content, tree); err != nil {
		return err
	}
	title := w.index(here, tree, content)
	return w.frame(here, title, template.HTML(body.String()))
}

// links has every link of a page lead to a page of the site.
func (w *writer) links(name string, tree ast.Node) error {
	return ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			to, err := w.link(name, string(n.Destination))
			if err != nil {
				return ast.WalkStop, err
			}
			n.Destination = []byte(to)
		case *ast.Image:
			to, err := w.link(name, string(n.Destination))
			if err != nil {
				return ast.WalkStop, err
			}
			n.Destination = []byte(to)
		}
		return ast.WalkContinue, nil
	})
}

// link is where a link of a file of the repository leads on the site.
func (w *writer) link(name, to string) (string, error) {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Path == "" {
		return to, err
	}
	target := path.Clean(path.Join(path.Dir(name), u.Path))
	if strings.HasPrefix(target, "..") {
		return "", fmt.Errorf("the link %s leaves the repository", to)
	}
	w.want(target)
	address := relative(addressOf(name), addressOf(target))
	if u.Fragment != "" {
		address += "#" + u.Fragment
	}
	return address, nil
}

// index adds the sections of a page to the search, and returns its title.
func (w *writer) index(here string, tree ast.Node, content []byte) string {
	title, at := "", -1
	for n := tree.FirstChild(); n != nil; n = n.NextSibling() {
		words := strings.Join(strings.Fields(plain(n, content)), " ")
		h, ok := n.(*ast.Heading)
		switch {
		case ok:
			if title == "" {
				title = words
			}
			address := here
			if id, _ := h.AttributeString("id"); id != nil && h.Level > 1 {
				address += "#" + string(id.([]byte))
			}
			at = len(w.sections)
			w.sections = append(w.sections, section{Page: title, Heading: words, Address: address})
		case at >= 0 && words != "":
			w.sections[at].Text = strings.TrimSpace(w.sections[at].Text + " " + words)
		}
	}
	return title
}

// plain is the text of a node.
func plain(n ast.Node, content []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // it cannot fail
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.HTMLBlock, *ast.RawHTML:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			b.Write(n.Segment.Value(content))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.FencedCodeBlock:
			b.Write(n.Lines().Value(content))
		case *ast.CodeBlock:
			b.Write(n.Lines().Value(content))
		default:
			if n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// slugs gives headings the ids that GitHub gives them, which links count on.
type slugs struct{ seen map[string]int }

var notInSlug = regexp.MustCompile(`[^\p{L}\p{M}\p{N}\p{Pc} -]`)

// Generate implements parser.IDs.
func (s *slugs) Generate(value []byte, _ ast.NodeKind) []byte {
	id := strings.ReplaceAll(notInSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(string(value))), ""), " ", "-")
	n := s.seen[id]
	s.seen[id]++
	if n > 0 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return []byte(id)
}

// Put implements parser.IDs.
func (s *slugs) Put(value []byte) { s.seen[string(value)]++ }

// blocks writes blocks of code, with a way to try those that run.
type blocks struct {
	w    *writer
	here string
}

// RegisterFuncs implements renderer.NodeRenderer.
func (b *blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, b.code)
	// Comments of pages say how their blocks are run, and are for nobody else.
	nothing := func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkSkipChildren, nil
	}
	r.Register(ast.KindHTMLBlock, nothing)
	r.Register(ast.KindRawHTML, nothing)
}

func (b *blocks) code(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := n.(*ast.FencedCodeBlock)
	code := string(block.Lines().Value(source))
	language := string(block.Language(source))
	if language == "hcl" {
		_, _ = out.WriteString(b.w.tryIt(b.here, code))
	}
	_, err := fmt.Fprintf(out, "<pre tabindex=\"0\"><code class=\"language-%s\">%s</code></pre>\n", template.HTMLEscapeString(language), template.HTMLEscapeString(code))
	return ast.WalkSkipChildren, err
}

// tryIt is a link to the playground with a text that runs there, "" for another one.
func (w *writer) tryIt(here, code string) string {
	if !strings.Contains(code, "scenario \"") {
		return ""
	}
	if a := play.Run(map[string]string{"shared.scenario.hcl": code}, "shared.scenario.hcl"); a.Text == "" {
		return ""
	}
	return fmt.Sprintf("<p class=\"try\"><a href=\"%s\">Try it</a></p>\n", relative(here, "playground/index.html#code="+Packed(code)))
}

// Packed is a text as links of the playground have it.
func Packed(code string) string {
	var b bytes.Buffer
	z, _ := flate.NewWriter(&b, flate.BestCompression) // the level exists
	_, _ = z.Write([]byte(code))                       // a buffer takes everything
	_ = z.Close()
	return base64.RawURLEncoding.EncodeToString(b.Bytes())
}
