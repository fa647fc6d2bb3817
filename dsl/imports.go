package dsl

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/dsl/mistakes"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/stdlib"
)

// An Opener finds the file that an import names. from is the path of the file
// that imports it and written the import as it stands there. The path that it
// returns is what diagnostics call the file, and one file has one path whatever
// way leads to it. The error is told to the user as it is.
type Opener func(from, written string) (path string, src []byte, err error)

// MaxImports bounds the files that one file may bring in.
const MaxImports = 1000

// importAttr is the attribute of a file that names others.
const importAttr = "import"

// Link reads the files that a file imports, and those that they import, and
// returns the file with their declarations before its own; scenarios stay where
// they are. A file that imports nothing is returned as it is. The standard
// library is always there; nil opens nothing else. The result is complete only
// without errors.
func Link(file *File, open Opener) (*File, hcl.Diagnostics) {
	if file.Linked() {
		return file, nil
	}
	l := &linker{open: open, known: map[string]bool{file.Path: true}}
	l.visit(file)
	linked := &File{Path: file.Path, Source: file.Source, Imports: l.files, Extensions: file.Extensions, linked: true}
	body := *file.Body
	body.Blocks = nil
	for _, f := range l.files {
		for _, b := range f.Body.Blocks {
			if !b.Declares("scenario") {
				body.Blocks = append(body.Blocks, b)
			}
		}
	}
	body.Blocks = append(body.Blocks, file.Body.Blocks...)
	for _, b := range body.Blocks {
		body.generates = body.generates || b.generates
	}
	linked.Body = &body
	if !l.diags.HasErrors() {
		d := decoder{broken: mistakes.FirstBroken(nil)}
		d.often(&body)
		l.diags = append(l.diags, d.diags...)
	}
	return linked, l.diags
}

// Linked reports whether what a file imports is part of it.
func (f *File) Linked() bool { return f.linked || f.Body.Attr(importAttr) == nil }

type linker struct {
	open  Opener
	files []*File // what is imported by another one before it
	known map[string]bool
	path  []string // from the file to the one that is read
	diags hcl.Diagnostics
}

func (l *linker) errorf(rng hcl.Range, summary, format string, args ...any) {
	l.diags = append(l.diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &rng})
}

func (l *linker) visit(f *File) {
	a := f.Body.Attr(importAttr)
	if a == nil {
		return
	}
	l.path = append(l.path, f.Path)
	defer func() { l.path = l.path[:len(l.path)-1] }()
	tuple, ok := a.Expr.(*hclsyntax.TupleConsExpr)
	if !ok {
		l.errorf(a.Expr.Range(), "Wrong import", `The attribute "import" is a list of strings, such as ["std/cuga", "./common.scenario.hcl"].`)
		return
	}
	for _, e := range tuple.Exprs {
		v, literal := Literal(e)
		if !literal || v.IsNull() || v.Type() != cty.String {
			l.errorf(e.Range(), "Wrong import", "An import is a string literal. It cannot be computed, because the values that it could use may come from the imported file.")
			continue
		}
		l.bring(f, v.AsString(), e.Range())
	}
}

// bring reads one file and what it imports.
func (l *linker) bring(from *File, written string, rng hcl.Range) {
	path, src, err := l.find(from, written)
	if err != nil {
		l.errorf(rng, "Import cannot be read", "%s", wording.Sentence(err.Error()))
		return
	}
	if i := slices.Index(l.path, path); i >= 0 {
		l.errorf(rng, "Cycle among imports", "Files import each other: the cycle is %s -> %s. Move what both need into a file that imports neither.", strings.Join(l.path[i:], " -> "), path)
		return
	}
	if l.known[path] {
		return
	}
	if l.known[path] = true; len(l.known) > MaxImports {
		if len(l.known) == MaxImports+1 {
			l.errorf(rng, "Too many imports", "A file may bring in at most %d others, with those that they import.", MaxImports)
		}
		return
	}
	file, diags := parseImport(from.Extensions, path, src)
	l.diags = append(l.diags, diags...)
	if file == nil {
		return
	}
	l.visit(file)
	l.files = append(l.files, file)
}

// standard keeps the files of the standard library that were read, by their paths:
// their text never changes, and nobody changes what was parsed.
var standard sync.Map // of string to func() *File

// parseImport reads an imported file. One of the standard library, which many files
// of a run import, is read once. It has no diagnostics in the language as it is, unlike
// in one to which a program has added something.
func parseImport(e *language.Extensions, path string, src []byte) (*File, hcl.Diagnostics) {
	if e != nil || !stdlib.IsModule(path) {
		return ParseExtended(e, path, src)
	}
	once, _ := standard.LoadOrStore(path, sync.OnceValue(func() *File {
		file, _ := Parse(path, src)
		return file
	}))
	return once.(func() *File)(), nil
}

func (l *linker) find(from *File, written string) (string, []byte, error) {
	if name, standard := strings.CutPrefix(written, stdlib.ModulePrefix); standard {
		if src, ok := stdlib.Module(name); ok {
			return written, src, nil
		}
		names := stdlib.ModuleNames()
		return "", nil, fmt.Errorf("there is no %q in the standard library.%s It has: %s", written, DidYouMean(written, names), strings.Join(names, ", "))
	}
	if l.open == nil {
		return "", nil, fmt.Errorf("no files can be imported here, only the standard library: %s", strings.Join(stdlib.ModuleNames(), ", "))
	}
	if stdlib.IsModule(from.Path) {
		return "", nil, fmt.Errorf("the standard library imports nothing but itself")
	}
	return l.open(from.Path, written)
}

// Declared says where something was declared, for a message at another place.
func Declared(at, seenFrom hcl.Range) string {
	at, seenFrom = Place(at), Place(seenFrom)
	if at.Filename != seenFrom.Filename {
		return fmt.Sprintf("in %s at line %d", at.Filename, at.Start.Line)
	}
	return fmt.Sprintf("at line %d", at.Start.Line)
}

// often checks how often each block type occurs, and that names are unique.
func (d *decoder) often(b *Block) {
	for _, s := range b.Schema.Blocks {
		var seen []*Block
		for _, n := range b.Blocks {
			if n.Type == s.Type {
				seen = append(seen, n)
			}
		}
		if s.Max > 0 && len(seen) > s.Max {
			extra := seen[s.Max]
			d.errorf(extra.DefRange, "Too many blocks", "There may be at most %s here; the first is %s.", wording.Count(s.Max, s.Type+" block"), Declared(seen[0].DefRange, extra.DefRange))
		}
		if len(seen) > 1 && unique(s) {
			d.distinct(seen)
		}
	}
}

func (d *decoder) distinct(blocks []*Block) {
	first := make(map[string]*Block, len(blocks))
	for _, n := range blocks {
		prev, dup := first[n.Name()]
		if !dup {
			first[n.Name()] = n
			continue
		}
		why := "Names are unique per block type in a file, and steps per workflow."
		if Place(prev.DefRange).Filename != Place(n.DefRange).Filename {
			why = "What a file imports shares its names: rename one of them."
		}
		d.errorf(n.DefRange, "Duplicate name", "The %s %q is a duplicate: it was declared before %s. %s", n.Type, n.Name(), Declared(prev.DefRange, n.DefRange), why)
	}
}
