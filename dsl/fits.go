package dsl

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

// A Fit is a value that a file gives for what a run comes to: in an expect block,
// or in the filter of a query. Objects are compared partially.
type Fit struct {
	Env *Env
	// Ref is how a condition refers to the value, "" where none can.
	Ref string
	// Path names the value in messages.
	Path  string
	Expr  hclsyntax.Expression
	Given *schema.Shape
	// Known is what is known of the other side.
	Known *schema.Shape
	// Of is what Path is an attribute of, nil where it is none.
	Of *schema.Shape
	// Filter says that what is not there has no attribute, so that null finds
	// nothing.
	Filter bool
}

// Check finds what can never be equal: values of other types, attributes that do
// not exist, words that are none.
func (f Fit) Check() hcl.Diagnostics {
	given, known := f.Given, f.Known
	if given == nil || known == nil {
		return nil
	}
	if given.Kind == schema.ShapeNull && f.Filter {
		return f.wrong("Filter for null", "%q is null, and a filter asks for what there is. To find what has no such attribute, pick it from all: [for x in … : x if !can(x.%s)].", f.Path, f.Path)
	}
	if definite(given) && definite(known) && given.Kind != known.Kind {
		return f.wrong(summaryUnequal, "%q is %s, and %s is %s: they can never be equal.%s", f.Path, known.KindName(), Excerpt(f.Expr), given.KindName(), cmp.Or(f.kindHint(), f.lengthHint(), f.codeHint(), f.numberHint()))
	}
	if why := f.Env.Meet(stdlib.Meeting{A: known, B: given}); why != "" {
		return f.wrong(summaryUnequal, "%q: %s", f.Path, why)
	}
	switch {
	case given.Kind == schema.ShapeTuple && known.Kind == schema.ShapeTuple:
		return f.elements()
	case given.Kind == schema.ShapeObject && known.Kind == schema.ShapeObject:
		return f.attributes()
	}
	return nil
}

const summaryUnequal = "Values that can never be equal"

func (f Fit) wrong(summary, format string, args ...any) hcl.Diagnostics {
	rng := f.Expr.Range()
	return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &rng}}
}

// kindHint writes out a failure that is given as a text: its kind is meant.
func (f Fit) kindHint() string {
	if _, hasKind := f.Known.Attrs["kind"]; f.Path != "error" || !hasKind || f.Given.Kind != schema.ShapeString {
		return ""
	}
	return fmt.Sprintf(" Write error = { kind = %s }.", Excerpt(f.Expr))
}

// lengthHint says how to ask for the length of a list that is given as a number.
func (f Fit) lengthHint() string {
	if f.Known.Kind != schema.ShapeTuple || f.Given.Kind != schema.ShapeNumber {
		return ""
	}
	return fmt.Sprintf(" How long it is, an assert block says: condition = length(%s) == %s.", cmp.Or(f.Ref, f.Path), Excerpt(f.Expr))
}

// codeHint names the attribute that has the status of a response, where status is what
// became of a step.
func (f Fit) codeHint() string {
	const code = "status_code"
	if f.Path != "status" || f.Given.Kind != schema.ShapeNumber || f.Of == nil || f.Of.Attrs[code] == nil {
		return ""
	}
	return fmt.Sprintf(" The status of a response is %s: write %[1]s = %s.", code, Excerpt(f.Expr))
}

// numberHint says how a number is written that is given as a string.
func (f Fit) numberHint() string {
	if v, literal := Literal(f.Expr); literal && f.Known.Kind == schema.ShapeNumber {
		if text := literalText(f.Expr); text != nil && strings.HasSuffix(f.Path, "_ms") {
			if took, err := ParseDuration(*text); err == nil {
				return fmt.Sprintf(" It counts milliseconds: write %d, or ms(%q).", took.Milliseconds(), *text)
			}
		}
		if number := numberIn(v); number != "" {
			return fmt.Sprintf(" Write %s without quotes.", number)
		}
	}
	return ""
}

func (f Fit) elements() (diags hcl.Diagnostics) {
	list, _ := f.Expr.(*hclsyntax.TupleConsExpr)
	for i, elem := range f.Given.Elems {
		part := Fit{Env: f.Env, Path: fmt.Sprintf("%s[%d]", f.Path, i), Expr: f.Expr, Given: elem, Known: f.Known.At(i)}
		if list != nil && i < len(list.Exprs) {
			part.Expr = list.Exprs[i]
		}
		diags = append(diags, part.Check()...)
	}
	return diags
}

func (f Fit) attributes() (diags hcl.Diagnostics) {
	written := map[string]hclsyntax.ObjectConsItem{}
	var order []string
	if obj, ok := f.Expr.(*hclsyntax.ObjectConsExpr); ok {
		for _, item := range obj.Items {
			if name, ok := WrittenKey(item.KeyExpr); ok {
				written[name] = item
				order = append(order, name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Given.Attrs)) {
		if _, ok := written[name]; !ok {
			order = append(order, name)
		}
	}
	for _, name := range order {
		at := f
		item, isWritten := written[name]
		if isWritten {
			at.Expr = item.KeyExpr
		}
		inner, exists := f.Known.Attrs[name]
		if isWritten && f.Env.Watch != nil {
			f.Env.Watch(Name{Text: name, Range: item.KeyExpr.Range(), Of: f.Known, Shape: inner})
		}
		switch {
		case exists:
		case f.Known.Keys != nil:
			at.Given, at.Known = schema.Written(name), f.Known.Keys
			if found := at.Check(); found != nil {
				diags = append(diags, found...)
				continue
			}
			inner = f.Known.Elem
		case f.Known.Open:
		default:
			diags = append(diags, at.unknown(name)...)
			continue
		}
		part := Fit{Env: f.Env, Path: name, Expr: f.Expr, Given: f.Given.Attrs[name], Known: inner, Filter: f.Filter}
		if f.Path != "" {
			part.Path = f.Path + "." + name
		}
		if isWritten {
			part.Expr = item.ValueExpr
		}
		diags = append(diags, part.Check()...)
	}
	return diags
}

func (f Fit) unknown(name string) hcl.Diagnostics {
	names := slices.Sorted(maps.Keys(f.Known.Attrs))
	hint := DidYouMean(name, names)
	if why := f.Known.Never[name]; why != "" {
		hint = " " + why
	}
	if hint == "" {
		hint = wording.Listed(names, " It has no attributes.", " It has: ")
	}
	return f.wrong("Unknown attribute", "%s has no attribute %q.%s", wording.Capital(wording.WithArticle(f.Known.Name)), name, hint)
}

// WrittenKey is the name of an attribute of an object in the file, where it is
// written out.
func WrittenKey(e hclsyntax.Expression) (string, bool) {
	if key, ok := e.(*hclsyntax.ObjectConsKeyExpr); ok {
		if name := hcl.ExprAsKeyword(key.Wrapped); name != "" && !key.ForceNonLiteral {
			return name, true
		}
		e = key.Wrapped
	}
	if s := literalText(e); s != nil {
		return *s, true
	}
	return "", false
}

func literalText(e hclsyntax.Expression) *string {
	v, literal := Literal(e)
	if !literal || v.IsNull() || LiteralShape(v).Kind != schema.ShapeString {
		return nil
	}
	text := v.AsString()
	return &text
}
