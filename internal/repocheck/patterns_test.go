package repocheck

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"testing"
)

// checkPatterns finds regular expressions that are compiled before a program
// begins, which every command of every user would pay for, and those of package
// pattern that are none, which would be found when they are first used.
func checkPatterns(f *file) []string {
	if f.AST == nil || f.IsTest() {
		return nil
	}
	var found []string
	for _, d := range f.AST.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		ast.Inspect(g, func(n ast.Node) bool {
			if _, later := n.(*ast.FuncLit); later {
				return false
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			switch {
			case calls(call, "regexp", "MustCompile"):
				found = append(found, f.at(call.Pos(), "a regular expression is compiled before the program begins: use pattern.New"))
			case calls(call, "pattern", "New"):
				if why := noPattern(call); why != "" {
					found = append(found, f.at(call.Pos(), "%s", why))
				}
			}
			return true
		})
	}
	return found
}

func calls(call *ast.CallExpr, pkg, name string) bool {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	of, ok := sel.X.(*ast.Ident)
	return ok && of.Name == pkg
}

func noPattern(call *ast.CallExpr) string {
	lit, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return "a pattern is written as a literal, so that it can be checked"
	}
	text, err := strconv.Unquote(lit.Value)
	if err == nil {
		_, err = regexp.Compile(text)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// Shows that regular expressions are compiled when they are needed, and that all
// of them can be.
func TestPatterns(t *testing.T) {
	files, err := readTree()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		report(t, checkPatterns(f))
	}
	expect(t, checkPatterns(source(t, "x/x.go", "package x\nvar a = regexp.MustCompile(`a`)\n")), "before the program begins")
	expect(t, checkPatterns(source(t, "x/x.go", "package x\nvar a = pattern.New(`(`)\n")), "missing closing")
	expect(t, checkPatterns(source(t, "x/x.go", "package x\nvar a = pattern.New(b)\n")), "as a literal")
	expect(t, checkPatterns(source(t, "x/x.go", "package x\nvar a = f(func() *regexp.Regexp { return regexp.MustCompile(`a`) })\n")), "")
}
