package dsl

import (
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/stdlib"
)

// A growth is what an evaluation may come to, as far as the expression tells.
type growth struct {
	kind growthKind
	// readers are the calls and loops that go over what they are given.
	readers int
	// queries says that there is a call of jq, and loops that there is a for expression or a splat.
	queries, loops bool
	// writes says that the digits of a number may be written.
	writes bool
	// free says that there is nothing but a literal, and compares that what it makes
	// of two values depends on all that is in them.
	free, compares bool
}

type growthKind int

const (
	// flat is one that makes nothing which is larger than what it reads or what is
	// written.
	flat growthKind = iota
	// bounded is one that takes each thing that it reads a few times: time and
	// memory are in proportion to that, and only what it makes has to be weighed.
	bounded
	// unbounded is any other.
	unbounded
)

// Up to so many calls, and references to what they read, one evaluation goes over
// what is there few times enough.
const (
	fewCalls      = 8
	fewReferences = 16
)

// growthOf looks at everything in an expression once.
func growthOf(e hclsyntax.Expression) growth {
	w := growing{}
	w.visit(e)
	switch {
	case w.wild || w.calls > fewCalls || w.calls+w.loops > 0 && w.references > fewReferences:
		return growth{kind: unbounded, readers: w.readers, queries: w.queries}
	case w.calls+w.loops == 0 && (!w.makes || w.references < 2):
		return growth{kind: flat, free: w.references == 0, compares: w.compares}
	}
	return growth{kind: bounded, readers: w.readers, loops: w.loops > 0, writes: w.writes}
}

// growing is what growthOf has seen.
type growing struct {
	calls, readers, loops, references int
	// makes says that there is a tuple or an object, and wild that there is
	// something without a bound.
	makes, wild bool
	queries     bool // whether there is a call of jq
	writes      bool // whether the digits of a number may be written
	compares    bool // whether there is a choice, or a comparison with more than a literal
}

func (w *growing) visit(e hclsyntax.Expression) {
	switch x := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		return
	case *hclsyntax.ScopeTraversalExpr:
		w.references++
		return
	case *hclsyntax.TemplateExpr:
		if x.IsStringLiteral() {
			return
		}
		w.calls++
		w.writes = true
	case *hclsyntax.FunctionCallExpr:
		w.writes = w.writes || digitsOf(x.Name) != reads
		w.calls++
		w.readers++
		w.queries = w.queries || x.Name == "jq"
		w.wild = w.wild || !stdlib.InProportion(x.Name) || makesMuch(x)
	case *hclsyntax.TupleConsExpr, *hclsyntax.ObjectConsExpr:
		w.makes = true
	case *hclsyntax.ConditionalExpr:
		w.compares = true
	case *hclsyntax.BinaryOpExpr:
		w.compares = w.compares || IsComparison(x.Op) && !scalarLiteral(x.LHS) && !scalarLiteral(x.RHS)
	case *hclsyntax.ForExpr:
		w.loops++
		w.wild = w.wild || !eachOnce(x, x.KeyExpr) || !eachOnce(x, x.ValExpr) || !eachOnce(x, x.CondExpr)
	case *hclsyntax.SplatExpr:
		w.loops++
		w.wild = w.wild || !eachOnce(nil, x.Each)
	}
	if !w.wild || !w.queries {
		EachPart(e, w.visit)
	}
}

// little is how many elements, or characters, a call may make of next to nothing without
// being counted.
const little = 64

// makesMuch reports whether a call may make far more than it is given: range and padding are
// told how much, and join and indent write a text again for each part of another.
func makesMuch(x *hclsyntax.FunctionCallExpr) bool {
	switch x.Name {
	case "range":
		return len(x.Args) > 2 || x.ExpandFinal || slices.ContainsFunc(x.Args, func(a hclsyntax.Expression) bool { return !isLittle(a) })
	case "indent", "join":
		return len(x.Args) == 0 || !isLittle(x.Args[0])
	case "format", "formatlist":
		v, literal := cty.NilVal, false
		if len(x.Args) > 0 {
			v, literal = Literal(x.Args[0])
		}
		return !literal || v.Type() != cty.String || v.IsNull() || pads(v.AsString())
	}
	return false
}

// isLittle reports whether an expression is a short text or a small number as it is written.
func isLittle(e hclsyntax.Expression) bool {
	v, literal := Literal(e)
	switch {
	case !literal || !v.IsKnown() || v.IsNull():
		return false
	case v.Type() == cty.String:
		return len(v.AsString()) <= little
	case v.Type() != cty.Number:
		return false
	}
	i, accuracy := v.AsBigFloat().Int64()
	return accuracy == big.Exact && -little <= i && i <= little
}

// pads reports whether a pattern of format may ask for a width of three digits.
func pads(pattern string) bool {
	digits := 0
	for i := range len(pattern) {
		if c := pattern[i]; c < '0' || c > '9' {
			digits = 0
		} else if digits++; digits > 2 {
			return strings.Contains(pattern, "%")
		}
	}
	return false
}

// eachOnce reports whether what a for expression does in a turn takes time in
// proportion to the element of that turn: whatever goes over a value goes over the
// variables of the loop alone. Loop is nil for a splat.
func eachOnce(loop *hclsyntax.ForExpr, e hclsyntax.Expression) bool {
	switch x := e.(type) {
	case nil, *hclsyntax.LiteralValueExpr, *hclsyntax.ScopeTraversalExpr:
		return true
	case *hclsyntax.ForExpr, *hclsyntax.SplatExpr:
		return false
	case *hclsyntax.FunctionCallExpr:
		if !stdlib.InProportion(x.Name) || makesMuch(x) || !readsOnly(loop, e) {
			return false
		}
	case *hclsyntax.TemplateExpr, *hclsyntax.ConditionalExpr:
		if !readsOnly(loop, e) {
			return false
		}
	case *hclsyntax.BinaryOpExpr:
		if IsComparison(x.Op) && !scalarLiteral(x.LHS) && !scalarLiteral(x.RHS) && !readsOnly(loop, e) {
			return false
		}
	}
	fine := true
	EachPart(e, func(p hclsyntax.Expression) { fine = fine && eachOnce(loop, p) })
	return fine
}

// readsOnly reports whether an expression reads nothing but the variables of a
// for expression.
func readsOnly(loop *hclsyntax.ForExpr, e hclsyntax.Expression) bool {
	for t := range Variables(e) {
		if root := t.RootName(); loop == nil || root != loop.ValVar && root != loop.KeyVar {
			return false
		}
	}
	return true
}

// scalarLiteral reports whether an expression is a string, a number, a bool or
// null as it is written: comparing with it takes no time.
func scalarLiteral(e hclsyntax.Expression) bool {
	_, literal := Literal(e)
	return literal
}
