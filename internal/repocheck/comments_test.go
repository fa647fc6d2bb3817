package repocheck

import (
	"go/ast"
	"go/token"
	"testing"
)

// plain are the methods of standard interfaces whose meaning the interface
// gives already.
var plain = map[string]bool{
	"Error": true, "String": true, "Unwrap": true, "Is": true, "As": true,
	"Len": true, "Less": true, "Swap": true, "Push": true, "Pop": true,
	"MarshalJSON": true, "UnmarshalJSON": true, "MarshalText": true, "UnmarshalText": true,
}

// checkComments finds exported declarations without a comment. In a group of
// constants or variables one comment speaks for all: the group's, or that of
// the first, where the others only go on counting.
func checkComments(f *file) []string {
	if f.IsTest() {
		return nil
	}
	var found []string
	missing := func(id *ast.Ident, what string) {
		found = append(found, f.at(id.Pos(), "%s %s has no comment: say what a caller may rely on", what, id.Name))
	}
	for _, d := range f.AST.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Doc == nil && d.Name.IsExported() && !plainMethod(d) {
				missing(d.Name, "function")
			}
		case *ast.GenDecl:
			for _, id := range undocumented(d) {
				missing(id, d.Tok.String())
			}
		}
	}
	return found
}

// plainMethod reports whether a method needs no comment: it belongs to an
// unexported type, or a standard interface explains it.
func plainMethod(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return false
	}
	return plain[d.Name.Name] || !ast.IsExported(receiver(d.Recv.List[0].Type))
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func undocumented(d *ast.GenDecl) []*ast.Ident {
	if d.Tok == token.IMPORT || d.Doc != nil {
		return nil
	}
	var out []*ast.Ident
	counting := false // a documented first constant, and the ones that go on from it
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Doc == nil && s.Comment == nil && s.Name.IsExported() {
				out = append(out, s.Name)
			}
		case *ast.ValueSpec:
			documented := s.Doc != nil || s.Comment != nil
			counting = documented || counting && s.Values == nil
			if !counting {
				out = append(out, exported(s.Names)...)
			}
		}
	}
	return out
}

func exported(names []*ast.Ident) []*ast.Ident {
	var out []*ast.Ident
	for _, n := range names {
		if n.IsExported() {
			out = append(out, n)
		}
	}
	return out
}

// checkPackageComments finds packages none of whose files says what they are
// for. Packages of tests alone need not.
func checkPackageComments(files []*file) []string {
	first, documented := map[string]*file{}, map[string]bool{}
	var dirs []string
	for _, f := range files {
		if f.IsTest() {
			continue
		}
		if first[f.Dir()] == nil {
			first[f.Dir()] = f
			dirs = append(dirs, f.Dir())
		}
		documented[f.Dir()] = documented[f.Dir()] || f.AST.Doc != nil
	}
	var found []string
	for _, d := range dirs {
		if f := first[d]; !documented[d] {
			found = append(found, f.at(f.AST.Package, "package %s has no comment: say its one job in a doc.go", f.AST.Name.Name))
		}
	}
	return found
}

// Shows that every package says its job and every exported name what a caller
// may rely on.
func TestComments(t *testing.T) {
	files := goFiles(t)
	report(t, checkPackageComments(files))
	for _, f := range files {
		report(t, checkComments(f))
	}
}

// Shows that a missing comment is found on each kind of declaration, and that
// nothing else is asked for.
func TestCommentsFindOffenders(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"function", "func F() {}", "function F has no comment"},
		{"method", "// T is.\ntype T int\nfunc (*T) M() {}", "function M has no comment"},
		{"method of a generic type", "// T is.\ntype T[A any] int\nfunc (T[A]) M() {}", "function M has no comment"},
		{"method of an unexported type", "type t int\nfunc (t) M() {}", ""},
		{"standard method", "// T is.\ntype T int\nfunc (T) Error() string { return \"\" }", ""},
		{"type", "type T int", "type T has no comment"},
		{"variable", "var A, b = 1, 2", "var A has no comment"},
		{"group with a comment", "// Kinds.\nconst (\n\tA = 1\n\tB = 2\n)", ""},
		{"group that counts", "const (\n\t// A is first.\n\tA = iota\n\tB\n)", ""},
		{"group with one comment of two", "const (\n\t// A is first.\n\tA = 1\n\tB = 2\n)", "const B has no comment"},
		{"unexported", "func f() {}\ntype t int\nvar v = 1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, checkComments(source(t, "x/x.go", "package x\n"+c.source)), c.want)
		})
	}
	silent := []*file{source(t, "x/a.go", "package x"), source(t, "x/b.go", "package x"), source(t, "x/c_test.go", "// Package x tests.\npackage x")}
	expect(t, checkPackageComments(silent), "package x has no comment")
	expect(t, checkPackageComments(append(silent, source(t, "x/doc.go", "// Package x is.\npackage x"))), "")
}
