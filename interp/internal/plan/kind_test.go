package plan

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"
)

// Every kind of step that is declared is in StepKinds, but for that of handlers,
// which are never run as steps. The constants are read from the source.
func TestEveryKindIsInStepKinds(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "kind.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if of, ok := spec.Type.(*ast.Ident); !ok || of.Name != "Kind" {
			t.Errorf("%s has no type", spec.Names[0])
			return true
		}
		found++
		name, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		if listed := slices.Contains(StepKinds(), Kind(name)); listed == (Kind(name) == KindHandler) {
			t.Errorf("%s in StepKinds: %v", spec.Names[0], listed)
		}
		return true
	})
	if found != len(StepKinds())+1 {
		t.Errorf("%d constants, and %d kinds of steps", found, len(StepKinds()))
	}
}
