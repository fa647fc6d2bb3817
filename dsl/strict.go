package dsl

import (
	"errors"
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/stdlib"
)

// Strict makes every == and != of an expression one that refuses values which
// can never be equal: a number and a string, or a tuple or an object and
// anything else. HCL calls those unequal without a word. A
// division by zero, which is infinite there, is refused as well.
// A text that is written out becomes a literal value in it: as a template it
// would be put together anew at every evaluation.
// The expression is changed in place; do so once, before anything reads it. Those of a
// file are strict when [Parse] returns.
func Strict(e hclsyntax.Expression) {
	EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.FunctionCallExpr:
			writtenTexts(x.Args)
		case *hclsyntax.TupleConsExpr:
			writtenTexts(x.Exprs)
		case *hclsyntax.ObjectConsExpr:
			for i := range x.Items {
				x.Items[i].ValueExpr = writtenText(x.Items[i].ValueExpr)
			}
		case *hclsyntax.BinaryOpExpr:
			x.LHS, x.RHS = writtenText(x.LHS), writtenText(x.RHS)
			switch x.Op {
			case hclsyntax.OpEqual:
				x.Op = strictEqual
			case hclsyntax.OpNotEqual:
				x.Op = strictNotEqual
			case hclsyntax.OpDivide:
				x.Op = strictDivide
			case hclsyntax.OpModulo:
				x.Op = strictModulo
			}
		}
	})
}

// strictly makes all expressions of a file strict, so that nothing changes them later.
func strictly(body *hclsyntax.Body) {
	for _, a := range body.Attributes {
		Strict(a.Expr)
	}
	for _, b := range body.Blocks {
		strictly(b.Body)
	}
}

func writtenTexts(list []hclsyntax.Expression) {
	for i := range list {
		list[i] = writtenText(list[i])
	}
}

// writtenText is the literal value that a text without a template stands for, any
// other expression itself.
func writtenText(e hclsyntax.Expression) hclsyntax.Expression {
	if t, ok := e.(*hclsyntax.TemplateExpr); ok && t.IsStringLiteral() {
		v, _ := Literal(t)
		return &hclsyntax.LiteralValueExpr{Val: v, SrcRange: t.SrcRange}
	}
	return e
}

// IsEqual reports whether an operation is ==, strict or not.
func IsEqual(op *hclsyntax.Operation) bool { return op == hclsyntax.OpEqual || op == strictEqual }

// IsComparison reports whether an operation is == or !=, strict or not.
func IsComparison(op *hclsyntax.Operation) bool {
	return IsEqual(op) || op == hclsyntax.OpNotEqual || op == strictNotEqual
}

// Opposite is != for == and the other way round, as strict as it was, nil for any other
// operation.
func Opposite(op *hclsyntax.Operation) *hclsyntax.Operation {
	switch op {
	case hclsyntax.OpEqual:
		return hclsyntax.OpNotEqual
	case hclsyntax.OpNotEqual:
		return hclsyntax.OpEqual
	case strictEqual:
		return strictNotEqual
	case strictNotEqual:
		return strictEqual
	}
	return nil
}

var (
	strictEqual    = strictOperation(true)
	strictNotEqual = strictOperation(false)
)

var (
	strictDivide = nonZero(hclsyntax.OpDivide)
	strictModulo = nonZero(hclsyntax.OpModulo)
)

// nonZero is an operation that refuses zero on its right side.
func nonZero(op *hclsyntax.Operation) *hclsyntax.Operation {
	params := op.Impl.Params()
	return &hclsyntax.Operation{
		Type: op.Type,
		Impl: function.New(&function.Spec{
			Params: params,
			Type:   function.StaticReturnType(op.Type),
			Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
				if args[1].RawEquals(cty.Zero) {
					return cty.NilVal, errors.New(noDivision)
				}
				return op.Impl.Call(args)
			},
		}),
	}
}

// strictOperation is the one that asks whether two values are equal, as want
// says.
func strictOperation(want bool) *hclsyntax.Operation {
	side := func(name string) function.Parameter {
		return function.Parameter{Name: name, Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true, AllowDynamicType: true}
	}
	return &hclsyntax.Operation{
		Type: cty.Bool,
		Impl: function.New(&function.Spec{
			Params: []function.Parameter{side("a"), side("b")},
			Type:   function.StaticReturnType(cty.Bool),
			Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
				a, b := args[0], args[1]
				if !a.IsNull() && !b.IsNull() && a.IsKnown() && b.IsKnown() {
					if ka, kb := valueKind(a), valueKind(b); ka != kb && ka != "" && kb != "" {
						return cty.NilVal, fmt.Errorf("the two sides can never be equal: %s is %s, and %s is %s", render.Value(a, 60), ka, render.Value(b, 60), kb)
					}
				}
				a, b = alike(a, b)
				equal := a.Equals(b)
				if !equal.IsKnown() && differ(a, b) {
					equal = cty.False
				}
				if !want {
					equal = equal.Not()
				}
				return equal, nil
			},
		}),
		// Most values are texts, numbers and tuples of them. A call would search
		// both sides for marks, as often as they are deep, and then do the same.
		ShortCircuit: func(a, b cty.Value, aDiags, bDiags hcl.Diagnostics) (cty.Value, hcl.Diagnostics) {
			if len(aDiags) > 0 || len(bDiags) > 0 {
				return cty.NilVal, nil
			}
			equal, sure := simplyEqual(a, b)
			if !sure {
				return cty.NilVal, nil
			}
			return cty.BoolVal(equal == want), nil
		},
	}
}

// simplyEqual compares two strings, bools or integers, or two tuples of
// such that are equally long. It is not sure of anything else.
func simplyEqual(a, b cty.Value) (equal, sure bool) {
	if a.IsMarked() || b.IsMarked() || !a.IsKnown() || !b.IsKnown() || a.IsNull() || b.IsNull() {
		return false, false
	}
	switch t, u := a.Type(), b.Type(); {
	case t == cty.String && u == cty.String:
		return a.AsString() == b.AsString(), true
	case t == cty.Bool && u == cty.Bool:
		return a.True() == b.True(), true
	case t == cty.Number && u == cty.Number:
		x, y := a.AsBigFloat(), b.AsBigFloat()
		if x.IsInt() && y.IsInt() {
			return x.Cmp(y) == 0, true
		}
		return false, stdlib.Apart(x, y)
	case t.IsTupleType() && u.IsTupleType() && t.Length() == u.Length():
		equal = true
		for i := range t.Length() {
			same, sure := simplyEqual(stdlib.At(a, i), stdlib.At(b, i))
			if !sure {
				return false, false
			}
			equal = equal && same
		}
		return equal, true
	}
	return false, false
}

// differ reports whether two values are different whatever stands for what is unknown in
// them: one part that is known is enough.
func differ(a, b cty.Value) bool {
	if equal := a.Equals(b); equal.IsKnown() {
		return equal.False()
	}
	if !a.IsKnown() || !b.IsKnown() || !a.Type().IsTupleType() || !b.Type().IsTupleType() {
		return false
	}
	n := a.Type().Length()
	if n != b.Type().Length() {
		return true
	}
	for i := range n {
		if differ(stdlib.At(a, i), stdlib.At(b, i)) {
			return true
		}
	}
	return false
}

// alike gives two values of different types the types that they have in a file.
// A conditional whose branches differ makes lists and typed nulls of tuples,
// which would equal nothing that is written out.
func alike(a, b cty.Value) (cty.Value, cty.Value) {
	if a.Type().Equals(b.Type()) {
		return a, b
	}
	x, err := stdlib.Plain(a)
	if err != nil {
		return a, b
	}
	y, err := stdlib.Plain(b)
	if err != nil {
		return a, b
	}
	return x, y
}

// valueKind names what a value is for a comparison, "" where it is not known.
func valueKind(v cty.Value) string {
	switch t := v.Type(); {
	case t == cty.String:
		return "a string"
	case t == cty.Number:
		return "a number"
	case t == cty.Bool:
		return "a bool"
	case t.IsObjectType(), t.IsMapType():
		return "an object"
	case t.IsTupleType(), t.IsListType(), t.IsSetType():
		return "a list"
	}
	return ""
}
