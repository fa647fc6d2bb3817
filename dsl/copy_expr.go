package dsl

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/stdlib"
)

// A copier copies expressions for one instance of a block that stands in the
// file once: what they refer to of the instance is put in its place, and every
// range gets the instance's mark. The source is left as it is.
type copier struct {
	// mark is the file's name with the instance; see [marked].
	mark string
	// values are what each, matrix or an iterator stand for, by root and name.
	values map[string]map[string]cty.Value
	// implied are the iterators without a name of their own. Theirs is a block
	// type's, such as step, which may be a root as well.
	implied map[string]bool
	diags   *hcl.Diagnostics

	hidden []string // variables of the for expressions around
	// slots are operands that are read by a variable of their own.
	slots map[*hclsyntax.ScopeTraversalExpr]*Slot
	// compared are comparisons that become calls, and then and is &&.
	and      *hclsyntax.Operation
	compared map[*hclsyntax.BinaryOpExpr]*Comparison
	// counts puts a counter at everything that can grow, and turnsOnly at what loops go over alone.
	counts, turnsOnly bool
	// instead gives what is put in the place of a part, nil for the part itself.
	instead func(hclsyntax.Expression) hclsyntax.Expression
	items   map[*hclsyntax.AnonSymbolExpr]*hclsyntax.AnonSymbolExpr
}

// with is a copier that knows one root more.
func (c *copier) with(root string, implied bool, values map[string]cty.Value) *copier {
	inner := &copier{mark: c.mark, diags: c.diags, values: map[string]map[string]cty.Value{}, implied: map[string]bool{}}
	maps.Copy(inner.values, c.values)
	maps.Copy(inner.implied, c.implied)
	inner.values[root] = values
	inner.implied[root] = implied
	return inner
}

func (c *copier) at(r hcl.Range) hcl.Range {
	r.Filename = c.mark
	return r
}

func (c *copier) all(list []hclsyntax.Expression) []hclsyntax.Expression {
	out := make([]hclsyntax.Expression, len(list))
	for i, e := range list {
		out[i] = c.expr(e)
	}
	return out
}

// Replaced is a copy of an expression in which others stand in the place of the outermost
// parts of which of gives one, nil for none. The expression is not changed.
func Replaced(e hclsyntax.Expression, of func(hclsyntax.Expression) hclsyntax.Expression) hclsyntax.Expression {
	c := copier{mark: e.Range().Filename, instead: of}
	return c.expr(e)
}

// expr copies one expression; nil stays nil.
func (c *copier) expr(e hclsyntax.Expression) hclsyntax.Expression {
	if c.instead != nil && e != nil {
		if other := c.instead(e); other != nil {
			return other
		}
	}
	switch x := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		return &hclsyntax.LiteralValueExpr{Val: x.Val, SrcRange: c.at(x.SrcRange)}
	case *hclsyntax.TemplateExpr:
		return c.template(x)
	case *hclsyntax.TemplateWrapExpr:
		return &hclsyntax.TemplateWrapExpr{Wrapped: c.expr(x.Wrapped), SrcRange: c.at(x.SrcRange)}
	case *hclsyntax.TemplateJoinExpr:
		return &hclsyntax.TemplateJoinExpr{Tuple: c.expr(x.Tuple)}
	case *hclsyntax.ScopeTraversalExpr:
		return c.reference(x)
	case *hclsyntax.RelativeTraversalExpr:
		return onward(c.expr(x.Source), c.traversal(x.Traversal), c.at(x.SrcRange))
	case *hclsyntax.FunctionCallExpr:
		return c.call(x)
	case *hclsyntax.ConditionalExpr:
		out := &hclsyntax.ConditionalExpr{Condition: c.expr(x.Condition), TrueResult: c.counter(c.expr(x.TrueResult), reads, x), FalseResult: c.counter(c.expr(x.FalseResult), reads, x), SrcRange: c.at(x.SrcRange)}
		return c.counter(out, choices, x)
	case *hclsyntax.IndexExpr:
		return c.index(x)
	case *hclsyntax.TupleConsExpr:
		return &hclsyntax.TupleConsExpr{Exprs: c.all(x.Exprs), SrcRange: c.at(x.SrcRange), OpenRange: c.at(x.OpenRange)}
	case *hclsyntax.ObjectConsExpr:
		items := make([]hclsyntax.ObjectConsItem, len(x.Items))
		for i, item := range x.Items {
			items[i] = hclsyntax.ObjectConsItem{KeyExpr: c.expr(item.KeyExpr), ValueExpr: c.expr(item.ValueExpr)}
		}
		return &hclsyntax.ObjectConsExpr{Items: items, SrcRange: c.at(x.SrcRange), OpenRange: c.at(x.OpenRange)}
	case *hclsyntax.ObjectConsKeyExpr:
		return c.key(x)
	case *hclsyntax.ForExpr:
		return c.forExpr(x)
	case *hclsyntax.SplatExpr:
		return c.splat(x)
	case *hclsyntax.AnonSymbolExpr:
		if item := c.items[x]; item != nil {
			return item
		}
	case *hclsyntax.BinaryOpExpr:
		if n := c.compared[x]; n != nil {
			at := c.at(x.SrcRange)
			return &hclsyntax.FunctionCallExpr{Name: n.Func, Args: c.all([]hclsyntax.Expression{x.LHS, x.RHS}), NameRange: at, OpenParenRange: at, CloseParenRange: at}
		}
		out := &hclsyntax.BinaryOpExpr{LHS: c.expr(x.LHS), Op: x.Op, RHS: c.expr(x.RHS), SrcRange: c.at(x.SrcRange)}
		if c.compared != nil && x.Op == hclsyntax.OpLogicalAnd {
			out.Op = c.and
		}
		switch {
		case IsComparison(x.Op):
			out.LHS, out.RHS = c.counter(out.LHS, equals, x), c.counter(out.RHS, equals, x)
			return out
		case (x.Op == hclsyntax.OpGreaterThanOrEqual || x.Op == hclsyntax.OpLessThanOrEqual) && comparesDigits(x):
			out.LHS, out.RHS = c.counter(out.LHS, digits, x), c.counter(out.RHS, digits, x)
		}
		return c.counter(out, sums, x)
	case *hclsyntax.UnaryOpExpr:
		return &hclsyntax.UnaryOpExpr{Op: x.Op, Val: c.expr(x.Val), SrcRange: c.at(x.SrcRange), SymbolRange: c.at(x.SymbolRange)}
	case *hclsyntax.ParenthesesExpr:
		return &hclsyntax.ParenthesesExpr{Expression: c.expr(x.Expression), SrcRange: c.at(x.SrcRange)}
	}
	return e
}

// call copies a call. What try and can are given is evaluated by them.
func (c *copier) call(x *hclsyntax.FunctionCallExpr) hclsyntax.Expression {
	out := &hclsyntax.FunctionCallExpr{
		Name: x.Name, Args: c.all(x.Args), ExpandFinal: x.ExpandFinal,
		NameRange: c.at(x.NameRange), OpenParenRange: c.at(x.OpenParenRange), CloseParenRange: c.at(x.CloseParenRange),
	}
	if x.Name == "try" || x.Name == "can" {
		return out
	}
	for i := range out.Args {
		out.Args[i] = c.counter(out.Args[i], reads, x)
	}
	return c.counter(out, results, x)
}

// counter puts one around an expression that can come to anything, where the
// copy is one that counts.
func (c *copier) counter(e hclsyntax.Expression, of counted, whole hclsyntax.Expression) hclsyntax.Expression {
	if _, literal := e.(*hclsyntax.LiteralValueExpr); literal || !c.counts {
		return e
	}
	if c.turnsOnly && of != turns {
		if of = inDigits(of, whole); of != digits && of != allDigits {
			return e
		}
	}
	out := &counter{Expression: e, of: of, whole: whole}
	if of == reads || of == equals {
		out.parts = walksToRead
	}
	return out
}

// inDigits is what counts in a copy in which turns do: the digits of a number, wherever they
// are written.
func inDigits(of counted, whole hclsyntax.Expression) counted {
	switch x := whole.(type) {
	case *hclsyntax.BinaryOpExpr:
		if of == digits || of == equals && comparesDigits(x) {
			return digits
		}
	case *hclsyntax.FunctionCallExpr:
		if of == reads {
			return digitsOf(x.Name)
		}
	default:
		if of == templateParts || of == names {
			return digits
		}
	}
	return reads
}

// comparesDigits reports whether a comparison may write the digits of both sides.
func comparesDigits(x *hclsyntax.BinaryOpExpr) bool {
	return !comparesAtOnce(x.LHS) && !comparesAtOnce(x.RHS)
}

// digitsOf is what counts of what a function is given: its digits where it is a number, of all
// that is in it where the function writes or compares that, or nothing that counts there.
func digitsOf(function string) counted {
	switch stdlib.WritesDigits(function) {
	case stdlib.WritesOne:
		return digits
	case stdlib.WritesAll:
		return allDigits
	}
	return reads
}

// comparesAtOnce reports whether an expression is written so that no digits have to be found
// to compare it with anything.
func comparesAtOnce(e hclsyntax.Expression) bool {
	v, literal := Literal(e)
	return literal && (v.IsNull() || v.Type() != cty.Number || v.AsBigFloat().IsInt())
}

// turns puts one around what a loop goes over, which evaluates some expressions at
// every turn.
func (c *copier) turns(over, loop hclsyntax.Expression, each ...hclsyntax.Expression) hclsyntax.Expression {
	out := c.counter(c.expr(over), turns, loop)
	if n, counts := out.(*counter); counts {
		for _, e := range each {
			n.parts += partsOf(e)
		}
	}
	return out
}

// partsOf is how many expressions there are in one, itself included.
func partsOf(e hclsyntax.Expression) int64 {
	if e == nil {
		return 0
	}
	n := int64(1)
	EachPart(e, func(p hclsyntax.Expression) { n += partsOf(p) })
	return n
}

// template keeps a text of one value apart from a text that is written out.
func (c *copier) template(x *hclsyntax.TemplateExpr) hclsyntax.Expression {
	parts := c.all(x.Parts)
	for i := range parts {
		parts[i] = c.counter(parts[i], templateParts, x)
	}
	if len(parts) == 1 && !x.IsStringLiteral() {
		parts[0] = &hclsyntax.ParenthesesExpr{Expression: parts[0], SrcRange: parts[0].Range()}
	}
	return &hclsyntax.TemplateExpr{Parts: parts, SrcRange: c.at(x.SrcRange)}
}

// key leaves a name alone: it is no reference, even where a root is called so.
func (c *copier) key(x *hclsyntax.ObjectConsKeyExpr) hclsyntax.Expression {
	out := &hclsyntax.ObjectConsKeyExpr{Wrapped: x.Wrapped, ForceNonLiteral: x.ForceNonLiteral}
	if t, reference := x.Wrapped.(*hclsyntax.ScopeTraversalExpr); reference && !x.ForceNonLiteral {
		out.Wrapped = &hclsyntax.ScopeTraversalExpr{Traversal: c.traversal(t.Traversal), SrcRange: c.at(t.SrcRange)}
		return out
	}
	out.Wrapped = c.name(x.Wrapped)
	return out
}

// name is what an attribute is called, which is written as a text.
func (c *copier) name(x hclsyntax.Expression) hclsyntax.Expression {
	if x == nil {
		return nil
	}
	return c.counter(c.expr(x), names, x)
}

// index makes a reference of step[each.key], as the parser does of step["a"]:
// what is checked and what a run keeps is known by name.
func (c *copier) index(x *hclsyntax.IndexExpr) hclsyntax.Expression {
	collection, key := c.expr(x.Collection), c.expr(x.Key)
	if name, known := plainText(key); known {
		if _, reference := collection.(*hclsyntax.ScopeTraversalExpr); reference {
			return onward(collection, hcl.Traversal{hcl.TraverseIndex{Key: name, SrcRange: c.at(x.BracketRange)}}, c.at(x.SrcRange))
		}
	}
	return &hclsyntax.IndexExpr{Collection: collection, Key: key, SrcRange: c.at(x.SrcRange), OpenRange: c.at(x.OpenRange), BracketRange: c.at(x.BracketRange)}
}

// plainText is the value of an index that is a text, a number, or a template of
// nothing else.
func plainText(e hclsyntax.Expression) (cty.Value, bool) {
	switch x := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		return x.Val, x.Val.IsKnown() && !x.Val.IsNull() && (x.Val.Type() == cty.String || x.Val.Type() == cty.Number)
	case *hclsyntax.TemplateWrapExpr:
		return plainText(x.Wrapped)
	case *hclsyntax.TemplateExpr:
		for _, part := range x.Parts {
			if _, known := plainText(part); !known {
				return cty.DynamicVal, false
			}
		}
		v, diags := Evaluate(x, nil)
		return v, !diags.HasErrors()
	}
	return cty.DynamicVal, false
}

// onward follows a path from an expression; from a reference it is one longer
// reference.
func onward(from hclsyntax.Expression, path hcl.Traversal, rng hcl.Range) hclsyntax.Expression {
	if t, reference := from.(*hclsyntax.ScopeTraversalExpr); reference {
		return &hclsyntax.ScopeTraversalExpr{Traversal: append(slices.Clip(t.Traversal), path...), SrcRange: rng}
	}
	return &hclsyntax.RelativeTraversalExpr{Source: from, Traversal: path, SrcRange: rng}
}

func (c *copier) forExpr(x *hclsyntax.ForExpr) hclsyntax.Expression {
	out := &hclsyntax.ForExpr{
		KeyVar: x.KeyVar, ValVar: x.ValVar, CollExpr: c.turns(x.CollExpr, x, x.KeyExpr, x.ValExpr, x.CondExpr), Group: x.Group,
		SrcRange: c.at(x.SrcRange), OpenRange: c.at(x.OpenRange), CloseRange: c.at(x.CloseRange),
	}
	outer := len(c.hidden)
	c.hidden = append(c.hidden, x.KeyVar, x.ValVar)
	out.KeyExpr, out.ValExpr, out.CondExpr = c.name(x.KeyExpr), c.expr(x.ValExpr), c.expr(x.CondExpr)
	c.hidden = c.hidden[:outer]
	return out
}

func (c *copier) splat(x *hclsyntax.SplatExpr) hclsyntax.Expression {
	out := &hclsyntax.SplatExpr{Source: c.turns(x.Source, x, x.Each), Item: &hclsyntax.AnonSymbolExpr{SrcRange: c.at(x.Item.SrcRange)}, SrcRange: c.at(x.SrcRange), MarkerRange: c.at(x.MarkerRange)}
	if c.items == nil {
		c.items = map[*hclsyntax.AnonSymbolExpr]*hclsyntax.AnonSymbolExpr{}
	}
	c.items[x.Item] = out.Item
	out.Each = c.expr(x.Each)
	return out
}

func (c *copier) traversal(t hcl.Traversal) hcl.Traversal {
	out := make(hcl.Traversal, len(t))
	for i, step := range t {
		switch s := step.(type) {
		case hcl.TraverseRoot:
			s.SrcRange = c.at(s.SrcRange)
			step = s
		case hcl.TraverseAttr:
			s.SrcRange = c.at(s.SrcRange)
			step = s
		case hcl.TraverseIndex:
			s.SrcRange = c.at(s.SrcRange)
			step = s
		}
		out[i] = step
	}
	return out
}

// reference puts a value of the instance in the place of what refers to it.
func (c *copier) reference(x *hclsyntax.ScopeTraversalExpr) hclsyntax.Expression {
	if s := c.slots[x]; s != nil {
		return s.read(x.SrcRange)
	}
	same := &hclsyntax.ScopeTraversalExpr{Traversal: c.traversal(x.Traversal), SrcRange: c.at(x.SrcRange)}
	root := x.Traversal.RootName()
	names, known := c.values[root]
	if !known || slices.Contains(c.hidden, root) {
		return same
	}
	null := &hclsyntax.LiteralValueExpr{Val: cty.NullVal(cty.DynamicPseudoType), SrcRange: same.SrcRange}
	declared := slices.Sorted(maps.Keys(names))
	if len(x.Traversal) < 2 {
		c.errorf(same.SrcRange, "Name needed", "%q is no value by itself. Go on with a dot: %s.%s.", root, root, declared[0])
		return null
	}
	name, attribute := x.Traversal[1].(hcl.TraverseAttr)
	value, found := names[name.Name]
	if !attribute || !found {
		if c.implied[root] {
			return same
		}
		c.errorf(c.at(x.Traversal[1].SourceRange()), "Unknown name", "There is no %s.%s here.%s%s", root, name.Name, cmp.Or(inValue(root, name.Name, names), DidYouMean(name.Name, declared)), wording.Listed(declared, "", " There is: "))
		return null
	}
	if value, found = c.follow(value, same.Traversal[2:], root+"."+name.Name); !found {
		return null
	}
	return &hclsyntax.LiteralValueExpr{Val: value, SrcRange: same.SrcRange}
}

// inValue is the reference that was meant by a name that the value of an element has, "" for
// any other.
func inValue(root, name string, names map[string]cty.Value) string {
	v, found := names["value"]
	if !found || v.IsNull() || !v.Type().IsObjectType() || !v.Type().HasAttribute(name) {
		return ""
	}
	return fmt.Sprintf(" Did you mean %s.value.%s?", root, name)
}

// follow goes from a value along attributes and indexes.
func (c *copier) follow(v cty.Value, path hcl.Traversal, said string) (cty.Value, bool) {
	for _, step := range path {
		if s, attribute := step.(hcl.TraverseAttr); attribute && !v.IsNull() && v.Type().IsObjectType() && !v.Type().HasAttribute(s.Name) {
			names := slices.Sorted(maps.Keys(v.Type().AttributeTypes()))
			c.errorf(s.SrcRange, "Unknown attribute", "%s has no attribute %q.%s%s", said, s.Name, DidYouMean(s.Name, names), wording.Listed(names, " It has no attributes.", " It has: "))
			return v, false
		}
		next, diags := hcl.Traversal{step}.TraverseRel(v)
		if diags.HasErrors() {
			rng := step.SourceRange()
			c.errorf(rng, "Wrong operand", "%s is %s, and this cannot be taken of it.", said, render.Value(v, 60))
			return v, false
		}
		v = next
		said = string(appendTraversal([]byte(said), hcl.Traversal{step}))
	}
	return v, true
}

func (c *copier) errorf(rng hcl.Range, summary, format string, args ...any) {
	*c.diags = append(*c.diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &rng})
}
