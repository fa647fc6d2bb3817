package diagnostics

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// producers are the packages that make diagnostics.
var producers = []string{"dsl", "interp/internal/compile", "interp/internal/compile/match", "interp/internal/compile/said", "interp/internal/compile/strike", "interp/internal/compile/vacuous", "interp/internal/lint", "interp/internal/plan", "interp/internal/observe", "interp/internal/read", "interp/policy", "suite"}

// defect is what an editor is told where the compiler broke down: it is about
// the program and not about a file.
const defect = "Internal error"

// interrupted is what is said of a check that was ended from outside, which no
// file can bring about.
const interrupted = "Interrupted"

// A site is one place in the code that makes a diagnostic.
type site struct {
	place   string // file:line
	summary string // "" where it is no constant
}

// Every summary that the code can make has an entry of the catalogue, and an
// entry has a summary that something makes.
func TestEverySummaryHasAnEntry(t *testing.T) {
	known := map[string]bool{}
	for _, e := range Entries() {
		known[e.Summary] = true
	}
	made := map[string]bool{}
	for _, dir := range producers {
		for _, s := range sitesOf(t, dir) {
			switch {
			case s.summary == "":
				t.Errorf("%s: the summary of a diagnostic is a constant, so that it can be looked up", s.place)
			case s.summary == defect, s.summary == interrupted:
			case !known[s.summary] && !made[s.summary]:
				t.Errorf("%s: %q has no entry. Add one with a file that produces it to internal/diagnostics/catalogue, then go generate ./...", s.place, s.summary)
			}
			made[s.summary] = true
		}
	}
	for _, e := range Entries() {
		if e.Shown != "" && !made[e.Summary] {
			t.Errorf("%s: nothing makes %q", e.Slug, e.Summary)
		}
	}
	if len(made) < 90 {
		t.Errorf("only %d summaries were found: the walk is broken", len(made))
	}
}

// The walk finds every way in which a diagnostic is made, and no test can pass
// because it finds none.
func TestSitesFindOffenders(t *testing.T) {
	const src = `package p
const named = "By a constant"
func a() { c.errorf(rng, "By errorf", "%d", 1); r.Errorf(name, "By Errorf", "x"); w.warnf(rng, named, "x") }
func b() { wrong("By wrong", "x %d", 1); t.Errorf("no diagnostic") ; fmt.Errorf("none %d", 1) }
func c() any { return &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "By literal"} }
func d() any { return hcl.Diagnostics{{Summary: "In a list"}} }
func e(e syntaxError) (string, string) { if x { return "", "" }; return "By rewriting", "x" }
func f(summary string) any { return &hcl.Diagnostic{Summary: summary} }
func g() any { d := &hcl.Diagnostic{Summary: compute()}; return d }
`
	var got []string
	for _, s := range sitesIn(map[string]string{"p.go": src}) {
		got = append(got, s.summary)
	}
	slices.Sort(got)
	want := []string{"", "By Errorf", "By a constant", "By errorf", "By literal", "By rewriting", "By wrong", "In a list"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func sitesOf(t *testing.T, dir string) []site {
	names, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(dir), "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatal(dir, err)
	}
	sources := map[string]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sources[dir+"/"+filepath.Base(name)] = string(src)
	}
	return sitesIn(sources)
}

// sitesIn walks the files of one package.
func sitesIn(sources map[string]string) []site {
	w := walker{set: token.NewFileSet(), constants: map[string]string{}}
	var files []*ast.File
	for name, src := range sources {
		f, err := parser.ParseFile(w.set, name, src, parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		files = append(files, f)
	}
	for _, f := range files {
		ast.Inspect(f, w.constant)
	}
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				w.params, w.rewrites = paramsOf(fn), rewrites(fn)
			}
			ast.Inspect(d, w.node)
		}
	}
	return w.sites
}

type walker struct {
	set       *token.FileSet
	constants map[string]string
	params    []string // of the function around
	rewrites  bool     // the function returns a summary and a detail
	sites     []site
}

func (w *walker) constant(n ast.Node) bool {
	if v, ok := n.(*ast.ValueSpec); ok {
		for i, name := range v.Names {
			if i < len(v.Values) {
				if text, ok := w.text(v.Values[i]); ok {
					w.constants[name.Name] = text
				}
			}
		}
	}
	return true
}

func (w *walker) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		name := callee(n)
		switch {
		case (name == "errorf" || name == "warnf" || name == "Errorf" || name == "Warnf") && len(n.Args) >= 3:
			if text, ok := w.text(n.Args[1]); ok || name != "Errorf" {
				w.add(n, n.Args[1], text)
			}
		case name == "wrong" && len(n.Args) >= 2:
			if text, ok := w.text(n.Args[0]); ok && !strings.HasSuffix(text, ".") {
				if _, format := w.text(n.Args[1]); format {
					w.add(n, n.Args[0], text)
				}
			}
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Summary" {
			if _, copied := n.Value.(*ast.SelectorExpr); copied {
				break
			}
			text, _ := w.text(n.Value)
			w.add(n, n.Value, text)
		}
	case *ast.FuncLit:
		w.params = append(w.params, names(n.Type.Params)...)
	case *ast.ReturnStmt:
		if w.rewrites && len(n.Results) == 2 {
			if text, ok := w.text(n.Results[0]); ok && text != "" {
				w.add(n, n.Results[0], text)
			}
		}
	}
	return true
}

// add notes a site. A summary that is a parameter of the function around comes
// from its callers, which are sites of their own.
func (w *walker) add(n ast.Node, summary ast.Expr, text string) {
	if id, ok := summary.(*ast.Ident); ok && text == "" && slices.Contains(w.params, id.Name) {
		return
	}
	p := w.set.Position(n.Pos())
	w.sites = append(w.sites, site{fmt.Sprintf("%s:%d", p.Filename, p.Line), text})
}

func (w *walker) text(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.Ident:
		text, ok := w.constants[e.Name]
		return text, ok
	}
	return "", false
}

func callee(n *ast.CallExpr) string {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func paramsOf(fn *ast.FuncDecl) []string { return names(fn.Type.Params) }

func names(list *ast.FieldList) (all []string) {
	for _, f := range list.List {
		for _, n := range f.Names {
			all = append(all, n.Name)
		}
	}
	return all
}

// rewrites reports whether a function returns a summary and a detail.
func rewrites(fn *ast.FuncDecl) bool {
	if fn.Type.Results == nil || len(fn.Type.Results.List) == 0 || len(fn.Type.Params.List) != 1 {
		return false
	}
	n := 0
	for _, r := range fn.Type.Results.List {
		if id, ok := r.Type.(*ast.Ident); !ok || id.Name != "string" {
			return false
		}
		n += max(1, len(r.Names))
	}
	return n == 2
}
