package dsl

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// An Absence is an expression prepared for operands that are not there. HCL
// answers a comparison with null: null == "x" is false. But what is missing has
// no value to compare. So every place at which the expression reads an operand is
// a [Slot] of its own, which can be given an unknown value in place of null;
// whatever result is then still known does not depend on what is missing.
type Absence struct {
	// Expr is a copy of the expression that reads each slot by its variable.
	Expr  hclsyntax.Expression
	Slots []*Slot
	// Required are operands without which the result cannot be known, whatever
	// the others are.
	Required []hcl.Traversal
	// Until are the operands X of an expression of the form X == null || rest,
	// which cannot be false before X is there.
	Until []hcl.Traversal
	// Comparisons are what [NewComparisons] found.
	Comparisons []*Comparison
}

// A Slot is one place at which an expression reads an operand.
type Slot struct {
	// Path is what it reads, and Var the variable that stands for it in the
	// copy: for the value at the end of the path or, in a slot that is Caught,
	// for the root at which the path begins.
	Path hcl.Traversal
	Var  string
	// Nullable says that null is an answer here: in a comparison with null, or as
	// an argument of coalesce. NullTest says that it is the former.
	Nullable, NullTest bool
	// Caught says that an error is an answer here: within try or can.
	Caught bool
}

// NewAbsence prepares an expression; observed tells the roots of its operands
// from those of values that are always there. The expression is not changed.
func NewAbsence(e hclsyntax.Expression, observed func(root string) bool) *Absence {
	f := &slotFinder{observed: observed, at: map[*hclsyntax.ScopeTraversalExpr]*Slot{}}
	f.visit(e, false)
	c := copier{mark: e.Range().Filename, slots: f.at}
	return &Absence{Expr: c.expr(e), Slots: f.list, Required: f.required(e, nil), Until: f.until(e, nil)}
}

// NewComparisons is [NewAbsence] with a call in the place of each comparison that
// the result rests on, but of those that choose elements of a list or one side of
// a conditional; && becomes another operation.
func NewComparisons(e hclsyntax.Expression, and *hclsyntax.Operation, observed func(root string) bool) *Absence {
	f := &slotFinder{observed: observed, at: map[*hclsyntax.ScopeTraversalExpr]*Slot{}, compared: map[*hclsyntax.BinaryOpExpr]*Comparison{}}
	f.visit(e, false)
	c := copier{mark: e.Range().Filename, slots: f.at, compared: f.compared, and: and}
	return &Absence{Expr: c.expr(e), Slots: f.list, Comparisons: f.comparisons}
}

// A Comparison is one place at which an expression compares two values.
type Comparison struct {
	*hclsyntax.BinaryOpExpr
	// Func is the function that the copy calls with both of them.
	Func string
	// Left and Right are the two sides.
	Left, Right Side
	// Null says that one of them is a null that is written out.
	Null bool
}

// A Side is one of the two that a comparison compares.
type Side struct {
	hclsyntax.Expression
	Slots []*Slot // the operands that it reads
	Bound bool    // it reads a variable of a for expression
}

// slotFinder walks an expression for the operands in it.
type slotFinder struct {
	observed func(root string) bool
	hidden   hidden
	at       map[*hclsyntax.ScopeTraversalExpr]*Slot
	list     []*Slot
	// compared is nil where nobody asks for comparisons; choosing counts the
	// conditions around that choose elements or sides.
	compared    map[*hclsyntax.BinaryOpExpr]*Comparison
	comparisons []*Comparison
	choosing    int
}

func (f *slotFinder) visit(e hclsyntax.Expression, caught bool) {
	switch x := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		f.add(x, caught)
		return
	case *hclsyntax.FunctionCallExpr:
		caught = caught || x.Name == "try" || x.Name == "can"
		if x.Name == "coalesce" {
			for _, a := range x.Args {
				f.nullable(a, caught, false)
			}
			return
		}
	case *hclsyntax.BinaryOpExpr:
		if f.compare(x, caught) {
			return
		}
		if one := nullCompared(x); one != nil {
			f.nullable(one, caught, true)
			return
		}
	case *hclsyntax.ConditionalExpr:
		f.choosing++
		f.visit(x.Condition, caught)
		f.choosing--
		f.visit(x.TrueResult, caught)
		f.visit(x.FalseResult, caught)
		return
	case *hclsyntax.ForExpr:
		f.visit(x.CollExpr, caught)
		outer := len(f.hidden)
		f.hidden = append(f.hidden, x.KeyVar, x.ValVar)
		if x.KeyExpr != nil {
			f.visit(x.KeyExpr, caught)
		}
		f.visit(x.ValExpr, caught)
		if x.CondExpr != nil {
			f.choosing++
			f.visit(x.CondExpr, caught)
			f.choosing--
		}
		f.hidden = f.hidden[:outer]
		return
	}
	EachPart(e, func(part hclsyntax.Expression) { f.visit(part, caught) })
}

// compare notes a comparison, where those are asked for.
func (f *slotFinder) compare(x *hclsyntax.BinaryOpExpr, caught bool) bool {
	if f.compared == nil || f.choosing > 0 || x.Op.Type != cty.Bool || x.Op == hclsyntax.OpLogicalAnd || x.Op == hclsyntax.OpLogicalOr {
		return false
	}
	one := nullCompared(x)
	side := func(e hclsyntax.Expression) Side {
		from := len(f.list)
		if one == e {
			f.nullable(e, caught, true)
		} else {
			f.visit(e, caught)
		}
		return Side{Expression: e, Slots: f.list[from:len(f.list):len(f.list)], Bound: f.hidden.in(e)}
	}
	n := &Comparison{x, fmt.Sprintf("comparison %d", len(f.comparisons)), side(x.LHS), side(x.RHS), one != nil}
	f.compared[x], f.comparisons = n, append(f.comparisons, n)
	return true
}

// nullable visits an expression for which null is an answer, to a comparison with
// null or otherwise.
func (f *slotFinder) nullable(e hclsyntax.Expression, caught, test bool) {
	t, path := Bare(e).(*hclsyntax.ScopeTraversalExpr)
	if !path {
		f.visit(e, caught)
	} else if s := f.add(t, caught); s != nil {
		s.Nullable, s.NullTest = !caught, test && !caught
	}
}

func (f *slotFinder) add(x *hclsyntax.ScopeTraversalExpr, caught bool) *Slot {
	if !f.operand(x) {
		return nil
	}
	s := &Slot{Path: x.Traversal, Var: fmt.Sprintf("operand %d", len(f.list)), Caught: caught}
	f.list, f.at[x] = append(f.list, s), s
	return s
}

func (f *slotFinder) operand(x *hclsyntax.ScopeTraversalExpr) bool {
	return f.observed(x.Traversal.RootName()) && !f.hidden.has(x.Traversal.RootName())
}

// required adds the operands of an expression that it has no value without: of
// comparisons and arithmetic, but not where null or one side can decide.
func (f *slotFinder) required(e hclsyntax.Expression, list []hcl.Traversal) []hcl.Traversal {
	switch x := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		if f.operand(x) {
			list = append(list, x.Traversal)
		}
	case *hclsyntax.ParenthesesExpr:
		list = f.required(x.Expression, list)
	case *hclsyntax.UnaryOpExpr:
		list = f.required(x.Val, list)
	case *hclsyntax.BinaryOpExpr:
		if x.Op != hclsyntax.OpLogicalAnd && x.Op != hclsyntax.OpLogicalOr && nullCompared(x) == nil {
			list = f.required(x.RHS, f.required(x.LHS, list))
		}
	}
	return list
}

// until adds the operands whose being null alone makes an expression true.
func (f *slotFinder) until(e hclsyntax.Expression, list []hcl.Traversal) []hcl.Traversal {
	x, binary := Bare(e).(*hclsyntax.BinaryOpExpr)
	if !binary {
		return list
	}
	if x.Op == hclsyntax.OpLogicalOr {
		return f.until(x.RHS, f.until(x.LHS, list))
	}
	if t, path := Bare(nullCompared(x)).(*hclsyntax.ScopeTraversalExpr); path && IsEqual(x.Op) && f.operand(t) {
		list = append(list, t.Traversal)
	}
	return list
}

// nullCompared is what a comparison compares with a null that is written out, nil
// for any other operation.
func nullCompared(x *hclsyntax.BinaryOpExpr) hclsyntax.Expression {
	switch {
	case !IsComparison(x.Op):
	case writtenNull(x.RHS):
		return x.LHS
	case writtenNull(x.LHS):
		return x.RHS
	}
	return nil
}

// IsNullTest reports whether an expression compares something with null by ==.
func IsNullTest(e hclsyntax.Expression) bool {
	x, binary := Bare(e).(*hclsyntax.BinaryOpExpr)
	return binary && IsEqual(x.Op) && nullCompared(x) != nil
}

func writtenNull(e hclsyntax.Expression) bool {
	x, literal := Bare(e).(*hclsyntax.LiteralValueExpr)
	return literal && x.Val.RawEquals(cty.NullVal(cty.DynamicPseudoType))
}

// Bare is an expression without the parentheses around it. Inlined, its two hundred calls
// were 10 kB of code in every program that embeds the module.
//
//go:noinline
func Bare(e hclsyntax.Expression) hclsyntax.Expression {
	for {
		p, wrapped := e.(*hclsyntax.ParenthesesExpr)
		if !wrapped {
			return e
		}
		e = p.Expression
	}
}

// read is the slot as the copy reads it.
func (s *Slot) read(rng hcl.Range) hclsyntax.Expression {
	path := hcl.Traversal{hcl.TraverseRoot{Name: s.Var, SrcRange: rng}}
	if s.Caught {
		path = append(path, s.Path[1:]...)
	}
	return &hclsyntax.ScopeTraversalExpr{Traversal: path, SrcRange: rng}
}
