package repocheck

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// partsOf are the subtests of all tests, as TEST/PART: what t.Run is given in the test
// itself, as a string or as the name that each element of a table has.
func partsOf(files []*file) map[string]bool {
	parts := map[string]bool{}
	tables := map[string]map[string]*ast.CompositeLit{} // of each directory
	trees := map[*ast.File]string{}                     // with their directories
	for _, f := range files {
		if !strings.HasSuffix(f.Path, "_test.go") || !strings.Contains(f.Text, ".Run(") {
			continue
		}
		tree := f.AST
		if tree == nil { // of a nested module
			var err error
			if tree, err = parser.ParseFile(token.NewFileSet(), f.Path, f.Text, 0); err != nil {
				continue
			}
		}
		trees[tree] = f.Dir()
		if tables[f.Dir()] == nil {
			tables[f.Dir()] = map[string]*ast.CompositeLit{}
		}
		for _, d := range tree.Decls {
			tablesIn(d, tables[f.Dir()])
		}
	}
	for tree, dir := range trees {
		for _, d := range tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || fn.Body == nil || !strings.HasPrefix(fn.Name.Name, "Test") {
				continue
			}
			for _, part := range subtestsOf(fn, tables[dir]) {
				parts[fn.Name.Name+"/"+part] = true
			}
		}
	}
	return parts
}

// tablesIn adds the variables of a declaration that have a composite literal.
func tablesIn(d ast.Node, to map[string]*ast.CompositeLit) {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return false
		case *ast.ValueSpec:
			for i, v := range n.Values {
				if lit, ok := v.(*ast.CompositeLit); ok {
					to[n.Names[i].Name] = lit
				}
			}
		case *ast.AssignStmt:
			for i, v := range n.Rhs {
				name, ok := n.Lhs[min(i, len(n.Lhs)-1)].(*ast.Ident)
				if lit, is := v.(*ast.CompositeLit); ok && is {
					to[name.Name] = lit
				}
			}
		}
		return true
	})
}

// subtestsOf are the names that a test gives t.Run.
func subtestsOf(fn *ast.FuncDecl, global map[string]*ast.CompositeLit) (names []string) {
	local := map[string]*ast.CompositeLit{}
	tablesIn(fn.Body, local)
	var loops []*ast.RangeStmt // around what is looked at
	ast.PreorderStack(fn.Body, nil, func(n ast.Node, stack []ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		if run, ok := call.Fun.(*ast.SelectorExpr); !ok || run.Sel.Name != "Run" {
			return true
		}
		loops = loops[:0]
		for _, s := range slices.Backward(stack) {
			if loop, ok := s.(*ast.RangeStmt); ok {
				loops = append(loops, loop)
			}
		}
		names = append(names, namesFrom(call.Args[0], loops, local, global)...)
		return true
	})
	return names
}

// namesFrom are the strings that an expression is in loops over tables.
func namesFrom(e ast.Expr, loops []*ast.RangeStmt, tables ...map[string]*ast.CompositeLit) (names []string) {
	if text, ok := literal(e); ok {
		return []string{text}
	}
	field := ""
	if s, ok := e.(*ast.SelectorExpr); ok {
		e, field = s.X, s.Sel.Name
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	for _, loop := range loops {
		table, _ := loop.X.(*ast.CompositeLit)
		if v, ok := loop.X.(*ast.Ident); ok {
			for _, t := range tables {
				if table == nil {
					table = t[v.Name]
				}
			}
		}
		if table == nil {
			continue
		}
		isKey, isValue := isNamed(loop.Key, id.Name), isNamed(loop.Value, id.Name)
		for _, el := range table.Elts {
			pair, _ := el.(*ast.KeyValueExpr)
			switch {
			case isKey && pair != nil:
				el = pair.Key
			case isValue && pair != nil:
				el = pair.Value
			case !isValue:
				continue
			}
			if field != "" {
				el = fieldOf(el, field)
			}
			if text, ok := literal(el); ok {
				names = append(names, text)
			}
		}
	}
	return names
}

func isNamed(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// fieldOf is the field of an element of a table, the first where none is named.
func fieldOf(el ast.Expr, name string) ast.Expr {
	lit, ok := el.(*ast.CompositeLit)
	if !ok {
		return nil
	}
	for i, f := range lit.Elts {
		if pair, ok := f.(*ast.KeyValueExpr); ok {
			if isNamed(pair.Key, name) {
				return pair.Value
			}
		} else if i == 0 {
			return f
		}
	}
	return nil
}

func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// Shows that a subtest is what t.Run is given, in every form that a table has, and
// that no other string of a test is one.
func TestPartsAreSubtests(t *testing.T) {
	const text = `package x

var global = []struct{ name, other string }{{name: "global", other: "no"}, {"first", "no"}}

func TestA(t *testing.T) {
	t.Run("written", func(t *testing.T) { t.Log("a log") })
	for name, c := range map[string]string{"key": "value"} {
		t.Run(name, func(t *testing.T) { t.Log(c) })
	}
	for _, name := range []string{"element"} {
		t.Run(name, nil)
	}
	local := map[string]int{"local": 1}
	for name := range local {
		t.Run(name, nil)
	}
	for _, c := range global {
		t.Run(c.name, nil)
	}
	for name, c := range map[string]string{"no loop": "of subtests"} {
		t.Log(name, c)
	}
}

func helper(t *testing.T) { t.Run("elsewhere", nil) }
`
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "x_test.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for part := range partsOf([]*file{{Path: "x/x_test.go", Text: text, AST: tree, Fset: fset}}) {
		got = append(got, part)
	}
	slices.Sort(got)
	if want := []string{"TestA/element", "TestA/first", "TestA/global", "TestA/key", "TestA/local", "TestA/written"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
