package plain

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// Truth is what a condition comes to.
type Truth int

const (
	Unsure Truth = iota // only the whole evaluation tells
	Open                // it waits for something that is not there
	Early               // so does it all, by X == null || …
	No
	Yes
)

// A Condition is an expression of the forms that this package decides. It is
// immutable, and safe for concurrent use.
type Condition struct {
	root  node
	until []*operand
}

// A Run is what conditions read.
type Run interface {
	// Root is what a name stands for with which operands begin.
	Root(name string) Value
	// Settled reports whether an operand that is not there will not be any more.
	Settled(hcl.Traversal) bool
	// Static has the values of locals and variables.
	Static() *hcl.EvalContext
}

// Roots are those that a condition may read of a run.
var Roots = []string{"step", "fanout", "classify", "run", "target", "breaker"}

// New returns the condition of an expression, nil for one of other forms. The
// expression was made strict, and absence was made of it (see [dsl.Strict],
// [dsl.NewAbsence]).
func New(e hclsyntax.Expression, absence *dsl.Absence) *Condition {
	var p parser
	c := &Condition{root: p.expr(e)}
	for _, t := range absence.Until {
		c.until = append(c.until, p.operand(t))
	}
	if p.other || c.root == nil {
		return nil
	}
	return c
}

// Decide evaluates a condition over a run so far, as the whole evaluation does. It
// says also how many elements it went over.
func (c *Condition) Decide(r Run) (t Truth, elements int) {
	for _, o := range c.until {
		switch v := o.read(r); {
		case v.kind == unsure:
			return Unsure, 0
		case v.kind == absent && !r.Settled(o.path):
			return Early, 0
		}
	}
	f := &frame{Run: r}
	return truth(c.root.eval(f)), f.elements
}

// Reads reports whether a text that a condition reads of a run is like something. It is
// not sure where only the whole evaluation knows what it reads.
func (c *Condition) Reads(r Run, like func(text string) bool) (is, sure bool) {
	f := &frame{Run: r, like: like}
	sure = truth(c.root.eval(f)) != Unsure
	return f.found, sure
}

func truth(v Value) Truth {
	switch {
	case v.kind == absent:
		return Open
	case !v.is(cty.Bool):
		return Unsure
	case v.scalar.True():
		return Yes
	}
	return No
}

// parser makes nodes of expressions; other is set where one is of another form.
type parser struct {
	vars  []string // of the for expressions around, innermost last
	other bool
}

// none is the node of an expression of another form.
func (p *parser) none() node {
	p.other = true
	return nil
}

func (p *parser) expr(e hclsyntax.Expression) node {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.LiteralValueExpr:
		if v := Of(x.Val); v.kind != unsure {
			return literal{v}
		}
	case *hclsyntax.TemplateExpr:
		if v, known := dsl.Literal(x); known && x.IsStringLiteral() {
			return literal{Of(v)}
		}
	case *hclsyntax.ScopeTraversalExpr:
		return p.path(x.Traversal)
	case *hclsyntax.UnaryOpExpr:
		return p.unary(x)
	case *hclsyntax.BinaryOpExpr:
		return p.binary(x)
	case *hclsyntax.FunctionCallExpr:
		return p.call(x)
	case *hclsyntax.TupleConsExpr:
		return p.tuple(x)
	}
	return p.none()
}

// tuple is the node of a list that is written out.
func (p *parser) tuple(x *hclsyntax.TupleConsExpr) node {
	t := &tuple{}
	for _, e := range x.Exprs {
		t.parts = append(t.parts, p.expr(e))
	}
	return t
}

// path is the node of a reference.
func (p *parser) path(t hcl.Traversal) node {
	root := t.RootName()
	if i := slices.Index(p.vars, root); i >= 0 {
		if slices.Contains(p.vars[i+1:], root) {
			return p.none() // one hides the other
		}
		return element{i, p.segments(t[1:])}
	}
	if root == "local" || root == "var" {
		return constant{t}
	}
	return p.operand(t)
}

// operand is the node of a reference to the run.
func (p *parser) operand(t hcl.Traversal) *operand {
	if !slices.Contains(Roots, t.RootName()) {
		p.other = true
	}
	return &operand{t, t.RootName(), p.segments(t[1:])}
}

func (p *parser) segments(t hcl.Traversal) []segment {
	list := make([]segment, 0, len(t))
	for _, step := range t {
		switch s := step.(type) {
		case hcl.TraverseAttr:
			list = append(list, segment{name: s.Name})
			continue
		case hcl.TraverseIndex:
			if s.Key.Type() == cty.String && s.Key.AsString() != "" {
				list = append(list, segment{name: s.Key.AsString()})
				continue
			}
			if n, _ := s.Key.AsBigFloat().Int64(); s.Key.Type() == cty.Number && n >= 0 && cty.NumberIntVal(n).RawEquals(s.Key) {
				list = append(list, segment{index: int(n)})
				continue
			}
		}
		p.other = true
	}
	return list
}

func (p *parser) unary(x *hclsyntax.UnaryOpExpr) node {
	switch x.Op {
	case hclsyntax.OpLogicalNot:
		return not{p.expr(x.Val)}
	case hclsyntax.OpNegate:
		if l, ok := p.expr(x.Val).(literal); ok && l.is(cty.Number) {
			return literal{Of(l.scalar.Negate())}
		}
	}
	return p.none()
}

func (p *parser) binary(x *hclsyntax.BinaryOpExpr) node {
	if dsl.IsComparison(x.Op) {
		return p.compared(x)
	}
	left, right := p.expr(x.LHS), p.expr(x.RHS)
	switch x.Op {
	case hclsyntax.OpLogicalAnd:
		return both{left, right}
	case hclsyntax.OpLogicalOr:
		return either{left, right}
	}
	if f := numeric[x.Op]; f != nil {
		return numbers{left, right, f}
	}
	return p.none()
}

// numeric are the operations on two numbers that always have a result.
var numeric = map[*hclsyntax.Operation]func(a, b cty.Value) cty.Value{
	hclsyntax.OpLessThan:           cty.Value.LessThan,
	hclsyntax.OpLessThanOrEqual:    cty.Value.LessThanOrEqualTo,
	hclsyntax.OpGreaterThan:        cty.Value.GreaterThan,
	hclsyntax.OpGreaterThanOrEqual: cty.Value.GreaterThanOrEqualTo,
	hclsyntax.OpAdd:                cty.Value.Add,
	hclsyntax.OpSubtract:           cty.Value.Subtract,
}

// compared is the node of == and !=. An operand that is compared with a null that
// is written out may be missing; anything else that is compared with one is not of
// these forms.
func (p *parser) compared(x *hclsyntax.BinaryOpExpr) node {
	left, right := p.expr(x.LHS), p.expr(x.RHS)
	want := dsl.IsEqual(x.Op)
	if isNull(left) {
		left, right = right, left
	}
	if !isNull(right) {
		return equal{left, right, want}
	}
	switch left.(type) {
	case *operand, element:
		return nullTest{left, want}
	}
	return p.none()
}

func isNull(n node) bool {
	l, ok := n.(literal)
	return ok && l.kind == null
}

// call is the node of a count, of a quantifier over a for expression, of a search among
// texts that are written out, or of a list that may be missing.
func (p *parser) call(x *hclsyntax.FunctionCallExpr) node {
	if len(x.Args) == 2 && !x.ExpandFinal {
		return p.callOfTwo(x)
	}
	if len(x.Args) != 1 || x.ExpandFinal {
		return p.none()
	}
	each, isFor := dsl.Bare(x.Args[0]).(*hclsyntax.ForExpr)
	switch {
	case x.Name == "length" && !isFor:
		if t, ok := dsl.Bare(x.Args[0]).(*hclsyntax.ScopeTraversalExpr); ok {
			return length{p.path(t.Traversal)}
		}
	case x.Name == "length":
		return count{p.turns(each)}
	case x.Name == "alltrue" && isFor:
		return quantifier{p.turns(each), true}
	case x.Name == "anytrue" && isFor:
		return quantifier{p.turns(each), false}
	}
	return p.none()
}

func (p *parser) callOfTwo(x *hclsyntax.FunctionCallExpr) node {
	first, second := p.expr(x.Args[0]), p.expr(x.Args[1])
	switch x.Name {
	case "contains":
		if t, ok := first.(*tuple); ok {
			if texts := t.texts(); texts != nil {
				return among{texts, second}
			}
		}
	case "coalesce":
		list, written := second.(*tuple)
		if of, ok := first.(element); ok && written && len(list.parts) == 0 {
			return orNone{of}
		}
	}
	return p.none()
}

// turns reads a for expression over a list.
func (p *parser) turns(x *hclsyntax.ForExpr) *turns {
	t := &turns{list: p.expr(x.CollExpr), depth: len(p.vars)}
	if x.KeyExpr != nil || x.KeyVar != "" || x.Group {
		p.other = true
	}
	p.vars = append(p.vars, x.ValVar)
	t.value = p.expr(x.ValExpr)
	if x.CondExpr != nil {
		t.only = p.expr(x.CondExpr)
	}
	p.vars = p.vars[:t.depth]
	return t
}
