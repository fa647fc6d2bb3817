package repocheck

import (
	"go/ast"
	"strconv"
	"strings"
	"testing"
)

// evaluates are the files that may call such a Value, each with its reason. All
// others go by dsl.Evaluate, which bounds what an expression builds.
var evaluates = map[string]string{
	"dsl/meter.go":                    "it is what bounds the evaluation",
	"suite/variables.go":              "of an expression of another syntax than HCL's own; the others are bounded",
	"result.go":                       "of what was observed, which goes by dsl.Evaluate",
	"interp/internal/plan/secrets.go": "of a value in which it hides secrets",
}

// checkEvaluated finds evaluations without a bound: a call of a method Value with
// one argument and two results, in a file that knows HCL.
func checkEvaluated(f *file) []string {
	if f.IsTest() || evaluates[f.Path] != "" || !importsHCL(f) {
		return nil
	}
	var found []string
	ast.Inspect(f.AST, func(n ast.Node) bool {
		var left, right []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			left, right = n.Lhs, n.Rhs
		case *ast.ReturnStmt:
			left, right = []ast.Expr{nil, nil}, n.Results
		}
		if len(left) != 2 || len(right) != 1 {
			return true
		}
		call, ok := right[0].(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Value" {
			found = append(found, f.at(call.Pos(), "an expression is evaluated without a bound: use dsl.Evaluate"))
		}
		return true
	})
	return found
}

func importsHCL(f *file) bool {
	for _, spec := range f.AST.Imports {
		if name, _ := strconv.Unquote(spec.Path.Value); strings.HasPrefix(name, "github.com/hashicorp/hcl/v2") {
			return true
		}
	}
	return false
}

// Shows that every expression is evaluated within a budget.
func TestEvaluationsAreBounded(t *testing.T) {
	known := map[string]bool{}
	for _, f := range goFiles(t) {
		known[f.Path] = true
		report(t, checkEvaluated(f))
	}
	for path := range evaluates {
		if !known[path] {
			t.Errorf("%s is not there any more", path)
		}
	}
}

// Shows that the scan finds an evaluation however its results are taken, and leaves
// alone what else is called Value.
func TestEvaluationsFindOffenders(t *testing.T) {
	const hcl = `import "github.com/hashicorp/hcl/v2"; `
	for _, c := range []struct{ name, file, source, want string }{
		{"assigned", "interp/x.go", hcl + `func f(e hcl.Expression) { v, diags := e.Value(nil) }`, "without a bound"},
		{"the value alone", "interp/x.go", hcl + `func f(e hcl.Expression) { _, _ = e.Value(nil) }`, "without a bound"},
		{"in a condition", "interp/x.go", hcl + `func f(e hcl.Expression) { if v, d := e.Value(nil); d == nil { _ = v } }`, "without a bound"},
		{"returned", "interp/x.go", hcl + `func f(e hcl.Expression) (any, any) { return e.Value(nil) }`, "without a bound"},
		{"of a context", "interp/x.go", hcl + `import "context"; func f(c context.Context) any { v := c.Value(1); return v }`, ""},
		{"of a file that knows no HCL", "interp/x.go", `func f(e interface{ Value(int) (int, int) }) { v, d := e.Value(1) }`, ""},
		{"where it is bounded", "dsl/meter.go", hcl + `func f(e hcl.Expression) { v, d := e.Value(nil) }`, ""},
		{"tests", "interp/x_test.go", hcl + `func f(e hcl.Expression) { v, d := e.Value(nil) }`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, checkEvaluated(source(t, c.file, "package x\n"+c.source)), c.want)
		})
	}
}
