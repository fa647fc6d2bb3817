package judge

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/judge/texts"
	"github.com/scenario-lang/scenario/interp/internal/judge/unknown"
	"github.com/scenario-lang/scenario/interp/internal/lint/constant"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/stdlib"
)

// Why a comparison with something that the value can never be shows nothing.
const (
	ofPartial  = "it holds because the object that it asks for has fewer attributes than what it is compared with: == and contains compare whole objects, so that the two are never equal, and it shows nothing here.\nhint: compare the attributes, such as [for e in events() : e if e.type == \"fault\"] == [], or use expect, which compares objects as far as they are given"
	ofNewline  = "it holds because what the file gives ends with a line break and what it is compared with has none there, so it shows nothing here.\nhint: take it away, such as chomp(file(\"…\")) or chomp(<<-EOT …)"
	ofConstant = "it holds whatever the run does: "
)

// writtenOut is a value as a file would write it: a list with its elements.
func writtenOut(v cty.Value, at hcl.Range) hclsyntax.Expression {
	if v.IsKnown() && !v.IsNull() && (v.Type().IsTupleType() || v.Type().IsListType()) {
		list := &hclsyntax.TupleConsExpr{SrcRange: at, OpenRange: at}
		for _, e := range v.AsValueSlice() {
			list.Exprs = append(list.Exprs, writtenOut(e, at))
		}
		return list
	}
	return &hclsyntax.LiteralValueExpr{Val: v, SrcRange: at}
}

// constant says why a condition holds by its form and by what the file says: a local, a
// variable, a row of a table or a function of them is no other than what they come to,
// written out. "" where it can be false.
func (c *checker) constant(e hclsyntax.Expression) string {
	source := c.source
	put := ofRow(e, source)
	if !put && !saysMore(e) || c.chooses(e) {
		return "" // it was looked at where it stands, or the file chooses what it says
	}
	with := dsl.Replaced(e, func(part hclsyntax.Expression) hclsyntax.Expression {
		if _, list := part.(*hclsyntax.TupleConsExpr); list || !saysMore(part) || !isSaid(part) {
			return nil
		}
		v := c.said(part)
		if v == cty.NilVal || !v.IsWhollyKnown() || v.IsNull() || v.ContainsMarked() {
			return nil
		}
		switch t := v.Type(); {
		case t == cty.String, t == cty.Number && c.run.Plan.Instances <= 1, (t.IsTupleType() || t.IsListType()) && v.LengthInt() > 0:
			put = true
			return writtenOut(v, part.Range())
		}
		return nil
	})
	if !put {
		return ""
	}
	for _, f := range constant.Find(with, source) {
		if f.Whole && f.Value {
			return ofConstant + f.Why + ", so it shows nothing here.\nhint: " + f.Hint
		}
	}
	return ""
}

// chooses reports whether a part of an expression is true or false by what the file says,
// as in each.key == "strict" || …
func (c *checker) chooses(e hclsyntax.Expression) (found bool) {
	c.eachSaid(e, func(e hclsyntax.Expression) {
		if _, written := dsl.Literal(dsl.Bare(e)); !written && !found {
			v := c.said(e)
			found = v != cty.NilVal && v.Type() == cty.Bool
		}
	})
	return found
}

// ofRow reports whether a text in an expression is that of a row, in the place of each or
// matrix.
func ofRow(e hclsyntax.Expression, source []byte) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, literal := e.(*hclsyntax.LiteralValueExpr)
		if literal && !found && x.Val.Type() == cty.String && x.SrcRange.CanSliceBytes(source) {
			from := source[x.SrcRange.Start.Byte:]
			found = bytes.HasPrefix(from, []byte("each.")) || bytes.HasPrefix(from, []byte("matrix."))
		}
	})
	return found
}

// saysMore reports whether an expression says something by a name or a function and not
// only by what is written out.
func saysMore(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			found = found || !read.IsObserved(x.Traversal.RootName())
		case *hclsyntax.FunctionCallExpr:
			found = found || isSaid(x)
		case *hclsyntax.TemplateExpr:
			found = found || len(x.Parts) > 1 && isSaid(x)
		}
	})
	return found
}

// neverEqual says why a condition that holds asks for something that no value is equal
// to, "" where it does not rest on that. What a file writes as the text "…\n" ends so on
// purpose.
func (c *checker) neverEqual(e hclsyntax.Expression) string {
	if !c.givesObjects(e) && !c.givesLines(e) {
		return ""
	}
	l := &look{checker: c, functions: map[string]function.Function{}}
	a := dsl.NewAbsence(e, read.IsObserved)
	dsl.EachExpr(a.Expr, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.BinaryOpExpr:
			if dsl.IsComparison(x.Op) && !premise.IsOrder(x.Op) && isSaid(x.LHS) != isSaid(x.RHS) {
				x.Op = l.comparesWhole(x.Op, isSaid(x.LHS), isLine(x.LHS) || isLine(x.RHS))
			}
		case *hclsyntax.FunctionCallExpr:
			l.looksForWhole(x)
		}
	})
	if len(l.functions) == 0 && !l.whole {
		return ""
	}
	if _, known, _ := c.without(a, func(*dsl.Slot) bool { return false }, l.functions); !known {
		return l.why
	}
	return ""
}

// comparesWhole is a comparison with what the file says, which has no known result where
// the two can never be equal.
func (l *look) comparesWhole(op *hclsyntax.Operation, left, line bool) *hclsyntax.Operation {
	l.whole = true
	of := *op
	of.ShortCircuit = nil
	of.Impl = function.New(&function.Spec{
		Params: op.Impl.Params(),
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			said, other := args[1], args[0]
			if left {
				said, other = other, said
			}
			switch {
			case isPartOf(said, other):
				return l.note(ofPartial, cty.Bool), nil
			case line && lacksNewline(said, other):
				return l.note(ofNewline, cty.Bool), nil
			}
			return op.Impl.Call(args)
		},
	})
	return &of
}

// looksForWhole does so for a call of a copy that looks for what the file says in a list
// or a text.
func (l *look) looksForWhole(x *hclsyntax.FunctionCallExpr) {
	list, sought := 0, 1
	switch x.Name {
	case "contains", "index":
	case "setintersection", "setsubtract":
		if len(x.Args) == 2 && isSaid(x.Args[0]) {
			list, sought = 1, 0
		}
	default:
		at, is := texts.Searches[x.Name]
		if list, sought = at.In, at.Sought; !is || sought == texts.Nowhere {
			return
		}
	}
	if x.Name == "contains" && !x.ExpandFinal && len(x.Args) == 2 && isSaid(x.Args[0]) && !isSaid(x.Args[1]) {
		l.looksAmong(x)
		return
	}
	if x.ExpandFinal || len(x.Args) != 2 || isSaid(x.Args[list]) || !isSaid(x.Args[sought]) {
		return
	}
	f, line, texts := stdlib.Functions()[x.Name], isLine(x.Args[sought]), texts.Searches[x.Name] != (texts.Places{})
	if texts && !line {
		return
	}
	l.rename(x)
	l.functions[x.Name] = function.New(&function.Spec{
		Params: []function.Parameter{unknown.Parameter("first"), unknown.Parameter("second")},
		Type:   function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			in, what := args[list], args[sought]
			if in.IsWhollyKnown() && what.IsWhollyKnown() && !in.ContainsMarked() && !what.ContainsMarked() {
				switch {
				case texts && lacksNewline(what, in), !texts && line && anyOf(in, func(e cty.Value) bool { return lacksNewline(what, e) }) && !anyOf(in, endsLine):
					return l.note(ofNewline, cty.DynamicPseudoType), nil
				case !texts && isPartOfAny(what, in):
					return l.note(ofPartial, cty.DynamicPseudoType), nil
				}
			}
			return f.Call(args)
		},
	})
}

// looksAmong does so for a call of a copy that looks for something that a run observed
// among what the file says.
func (l *look) looksAmong(x *hclsyntax.FunctionCallExpr) {
	f := stdlib.Functions()[x.Name]
	x.Name = among + x.Name
	l.functions[x.Name] = function.New(&function.Spec{
		Params: []function.Parameter{unknown.Parameter("list"), unknown.Parameter("value")},
		Type:   function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			said, of := args[0], args[1]
			if said.IsWhollyKnown() && of.IsWhollyKnown() && !said.ContainsMarked() && !of.ContainsMarked() && isAnyObject(of) &&
				anyOf(said, func(e cty.Value) bool { return isPartOf(e, of) }) &&
				!anyOf(said, func(e cty.Value) bool { return isAnyObject(e) && e.LengthInt() >= of.LengthInt() }) {
				return l.note(ofPartial, cty.DynamicPseudoType), nil
			}
			return f.Call(args)
		},
	})
}

// among begins the names of functions that look for what a run observed among what the
// file says. No file can write such a name.
const among = "among what the file says "

// isPartOf reports whether an object has some of the attributes of another one and no
// others, or a list has such an object in the place of one.
func isPartOf(part, of cty.Value) bool {
	if !part.IsWhollyKnown() || !of.IsWhollyKnown() || part.IsNull() || of.IsNull() {
		return false
	}
	a, b := part.Type(), of.Type()
	switch {
	case isAnyObject(part) && isAnyObject(of):
		all := of.AsValueMap()
		for name := range part.AsValueMap() {
			if _, has := all[name]; !has {
				return false
			}
		}
		return 0 < part.LengthInt() && part.LengthInt() < len(all)
	case a.IsTupleType() && b.IsTupleType() && part.LengthInt() == of.LengthInt():
		parts, all := part.AsValueSlice(), of.AsValueSlice()
		for i := range parts {
			if isPartOf(parts[i], all[i]) {
				return true
			}
		}
	}
	return false
}

// isPartOfAny reports whether some object of a list has more attributes than one that is
// looked for, and none of it has as few.
func isPartOfAny(sought, list cty.Value) bool {
	if !isAnyObject(sought) { // or the elements of a list
		return anyOf(sought, func(e cty.Value) bool { return isAnyObject(e) && isPartOfAny(e, list) })
	}
	return anyOf(list, func(e cty.Value) bool { return isPartOf(sought, e) }) &&
		!anyOf(list, func(e cty.Value) bool {
			return !isAnyObject(e) || isPartOf(e, sought) || e.LengthInt() == sought.LengthInt()
		})
}

func isAnyObject(v cty.Value) bool {
	return !v.IsNull() && v.IsKnown() && (v.Type().IsObjectType() || v.Type().IsMapType())
}

func anyOf(list cty.Value, is func(cty.Value) bool) bool {
	if list.IsNull() || !list.CanIterateElements() || isAnyObject(list) {
		return false
	}
	return slices.ContainsFunc(list.AsValueSlice(), is)
}

// lacksNewline reports whether a text ends with a line break and another one has none at
// its end, nor anywhere.
func lacksNewline(text, in cty.Value) bool {
	return isString(text) && isString(in) && strings.HasSuffix(text.AsString(), "\n") && text.AsString() != "\n" && in.AsString() != "" && !endsLine(in) &&
		(!strings.Contains(in.AsString(), "\n") || strings.Contains(in.AsString(), strings.TrimSuffix(text.AsString(), "\n")) && !strings.Contains(in.AsString(), text.AsString()))
}

func endsLine(v cty.Value) bool { return isString(v) && strings.HasSuffix(v.AsString(), "\n") }

func isString(v cty.Value) bool {
	return v.IsKnown() && !v.IsNull() && !v.IsMarked() && v.Type() == cty.String
}

// isLine reports whether a text may end with a line break that nobody wrote there: that
// of a file, or of a text on lines of its own.
func isLine(e hclsyntax.Expression) bool {
	if !isSaid(e) {
		return false
	}
	on, wrote := false, false
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		v, written := dsl.Literal(e)
		if !written {
			switch e.(type) {
			case *hclsyntax.FunctionCallExpr, *hclsyntax.ScopeTraversalExpr:
				on = true
			}
			return
		}
		lines := e.Range().End.Line > e.Range().Start.Line // <<EOT
		on, wrote = on || lines, wrote || !lines && endsLine(v)
	})
	return on && !wrote
}

// givesObjects reports whether the file gives a condition an object that it may compare.
func (c *checker) givesObjects(e hclsyntax.Expression) (found bool) {
	c.eachSaid(e, func(e hclsyntax.Expression) {
		if _, written := dsl.Literal(dsl.Bare(e)); !written && !found {
			v := c.said(e)
			found = v != cty.NilVal && (isAnyObject(v) || anyOf(v, isAnyObject))
		}
	})
	return found
}

// givesLines reports whether the file gives a condition a text that ends with a line break.
func (c *checker) givesLines(e hclsyntax.Expression) (found bool) {
	c.eachSaid(e, func(e hclsyntax.Expression) {
		if isLine(e) && !found {
			v := c.said(e)
			found = v != cty.NilVal && endsLine(v)
		}
	})
	return found
}

// eachSaid calls f with the outermost parts of a condition that the file says, but for
// what it asks a query for.
func (c *checker) eachSaid(e hclsyntax.Expression, f func(hclsyntax.Expression)) {
	if isSaid(e) {
		f(e)
		return
	}
	if q, call := e.(*hclsyntax.FunctionCallExpr); call && read.IsQuery(q.Name) {
		return
	}
	dsl.EachPart(e, func(part hclsyntax.Expression) { c.eachSaid(part, f) })
}
