package constant

import (
	"bytes"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// reads reports whether an expression reads anything but what its file says.
func reads(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			found = found || !slices.Contains([]string{"var", "local", "each", "matrix"}, x.Traversal.RootName())
		case *hclsyntax.FunctionCallExpr:
			found = found || read.IsQuery(x.Name)
		}
	})
	return found
}

// same reports whether two expressions are written alike, but for space. All
// functions are pure, so that they have one value.
func (f *finder) same(a, b hclsyntax.Expression) bool {
	a, b = unwrapped(a), unwrapped(b)
	x, y := f.text(a.Range()), f.text(b.Range())
	if x == nil || y == nil {
		return false
	}
	if bytes.Equal(x, y) {
		return true
	}
	return max(len(x), len(y)) <= longestSame && bytes.IndexByte(x, '"') < 0 && alike(x, y)
}

// longestSame bounds the texts that are compared without their spaces.
const longestSame = 1000

// alike reports whether two texts are the same but for space.
func alike(x, y []byte) bool {
	for {
		x, y = unspaced(x), unspaced(y)
		if len(x) == 0 || len(y) == 0 {
			return len(x) == len(y)
		}
		if x[0] != y[0] {
			return false
		}
		x, y = x[1:], y[1:]
	}
}

// unspaced is a text without the space at its beginning.
func unspaced(text []byte) []byte {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\t' || text[0] == '\n' || text[0] == '\r') {
		text = text[1:]
	}
	return text
}

// unwrapped is what "${x}" and (x) are made of: x, where that is a string.
func unwrapped(e hclsyntax.Expression) hclsyntax.Expression {
	e = dsl.Bare(e)
	if w, ok := e.(*hclsyntax.TemplateWrapExpr); ok {
		return unwrapped(w.Wrapped)
	}
	return e
}

func (f *finder) text(r hcl.Range) []byte {
	if !r.CanSliceBytes(f.source) {
		return nil
	}
	return r.SliceBytes(f.source)
}

func isNull(e hclsyntax.Expression) bool {
	v, literal := dsl.Literal(dsl.Bare(e))
	return literal && v.IsNull()
}

// empty reports whether a list that was visited has no element whatever happens.
func (f *finder) empty(e hclsyntax.Expression) bool {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.TupleConsExpr:
		return len(x.Exprs) == 0
	case *hclsyntax.ForExpr:
		return slices.Contains(f.none, x) || f.empty(x.CollExpr)
	}
	return false
}

// present reports whether a value is never null.
func (f *finder) present(e hclsyntax.Expression) bool {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.LiteralValueExpr:
		return x.Val.IsKnown() && !x.Val.IsNull()
	case *hclsyntax.TemplateExpr, *hclsyntax.TupleConsExpr, *hclsyntax.ObjectConsExpr, *hclsyntax.ForExpr, *hclsyntax.BinaryOpExpr, *hclsyntax.UnaryOpExpr:
		return true
	case *hclsyntax.FunctionCallExpr:
		return slices.Contains(neverNull, x.Name)
	case *hclsyntax.ScopeTraversalExpr:
		return f.isResult(x)
	}
	return false
}

// neverNull are functions whose result is there if they have one.
var neverNull = []string{
	"length", "abs", "can", "contains", "strcontains", "startswith", "endswith", "regexmatch", "regexall", "alltrue", "anytrue",
	"keys", "values", "concat", "flatten", "distinct", "reverse", "compact", "join", "split", "upper", "lower", "jsonencode",
	"events", "spans", "metrics", "overlaps",
}

// isResult reports whether an expression is a result as a whole, such as step.a.
func (f *finder) isResult(x *hclsyntax.ScopeTraversalExpr) bool {
	root := x.Traversal.RootName()
	switch n := roots[root]; {
	case n == 0 || f.isBound(root), len(x.Traversal) != n-1:
		return false
	case n == 2:
		return true
	}
	_, named := read.AttrName(x.Traversal, 1)
	return named
}

// sure reports whether an expression can always be evaluated.
func (f *finder) sure(e hclsyntax.Expression) bool {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.LiteralValueExpr:
		return x.Val.Type() != cty.Number || x.Val.IsKnown()
	case *hclsyntax.ScopeTraversalExpr:
		return f.fixed(x) != "" || f.isResult(x)
	case *hclsyntax.BinaryOpExpr:
		return dsl.IsComparison(x.Op) && (isNull(x.LHS) || isNull(x.RHS)) && f.sure(x.LHS) && f.sure(x.RHS)
	case *hclsyntax.TupleConsExpr:
		return !slices.ContainsFunc(x.Exprs, func(e hclsyntax.Expression) bool { return !f.sure(e) })
	}
	return false
}
