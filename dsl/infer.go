package dsl

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

// An Env is what an expression may refer to. It is not changed by its use.
type Env struct {
	// Roots are the shapes of the names that a reference may begin with: step,
	// run, input, var. One whose shape has Within set is a directory: its
	// Attrs are the declared names, and it is no value by itself.
	Roots map[string]*schema.Shape
	// Funcs are the functions that may be called.
	Funcs map[string]stdlib.Sig
	// Where names the place in messages: "a condition", "a policy".
	Where string
	// Replaced are the roots of values that were put in the place of the references to
	// them, such as the iterator of a dynamic block.
	Replaced []string
	// Own is the name of the step whose expression it is, which cannot read that step; "" for
	// none.
	Own string
	// Elsewhere holds roots that are valid in other places, with a sentence
	// that explains where.
	Elsewhere map[string]string
	// Explain, where not nil, says more of a name that a root does not have, a
	// whole sentence that begins with a space, or "".
	Explain func(root *schema.Shape, name string) string
	// Query, where not nil, checks more of a call to a query, such as the name of
	// a metric, and says what it gives, nil for what its signature says.
	Query func(name string, call *hclsyntax.FunctionCallExpr, args []*schema.Shape) (*schema.Shape, hcl.Diagnostics)
	// Members, where not nil, gives what the file adds to the words of a domain,
	// nil where anything may be one of them.
	Members func(domain string) []string
	// Watch, where not nil, is told of every name in the order in which the
	// inference meets them, unknown ones included.
	Watch func(Name)
	// Hints bounds how long names are looked for that may be meant; nil does not.
	Hints *Hints
	// Meter, where not nil, bounds what the inferences of a file look at together: an
	// expression is looked at for every instance of its block.
	Meter *Meter
}

// Hints bounds, for all expressions of a file, how many names are compared with
// those that nobody declared. What is said of the first hundreds of mistakes names
// what was probably meant; a file with thousands, of thousands of names, would
// otherwise take minutes to be told about the last.
type Hints struct{ spent int }

const mostCompared = 4 << 20

// spend reports whether so many names may be looked at.
func (h *Hints) spend(names int) bool {
	if h == nil {
		return true
	}
	h.spent += names
	return h.spent <= mostCompared
}

func (e *Env) place() string {
	if e.Where == "" {
		return "this place"
	}
	return e.Where
}

// Infer finds what is wrong with an expression whatever its values will be:
// references to what does not exist, also in the body of a for expression and
// on branches that would never be evaluated, comparisons that can never hold
// and operators on values they do not work on. It returns what is known of the
// result, never nil. What is wrong in one place is reported once, not again in
// what depends on it.
func Infer(expr hclsyntax.Expression, env *Env) (*schema.Shape, hcl.Diagnostics) {
	shape, _, diags := InferObserved(expr, env)
	return shape, diags
}

// InferObserved is [Infer], and reports whether the expression refers to
// anything that comes from the run, be it a reference or a query such as
// metric(). A condition that does not is true or false before anything ran.
func InferObserved(expr hclsyntax.Expression, env *Env) (*schema.Shape, bool, hcl.Diagnostics) {
	if over := env.Meter.looked(expr, 0); over != nil {
		return nil, true, hcl.Diagnostics{over}
	}
	in := inference{env: env}
	shape := in.value(expr, nil)
	if over := env.Meter.looked(expr, in.looked); over != nil {
		in.diags = append(in.diags, over)
	}
	return shape, in.observed, in.diags
}

// fewParts is how many parts of an expression an inference may look at for nothing.
const fewParts = 256

// looked takes off what the expressions of a file may take together that an inference
// has looked at so many parts of one, and says that it was too much, nil where it was not.
func (m *Meter) looked(e hclsyntax.Expression, parts int) *hcl.Diagnostic {
	if m == nil || m.work == nil {
		return nil
	}
	b := budget{Meter: m}
	b.share(e, int64(max(0, parts-fewParts))*m.value*usesOfValue)
	return b.over
}

// maxExprDepth bounds the recursion over one expression. Brackets are bounded
// when the file is read; a long chain of operators is deep without any.
const maxExprDepth = 1000

type inference struct {
	env *Env
	// ref is the reference that is followed, for messages about what is in it.
	ref      hcl.Traversal
	diags    hcl.Diagnostics
	observed bool
	depth    int
	// looked is how many parts have been looked at.
	looked int
	// items are the elements that the splats around the expression stand for.
	items map[*hclsyntax.AnonSymbolExpr]*schema.Shape
	// unknown are the names that nothing has and that were reported.
	unknown map[string]bool
	// templates is how many templates are around the expression.
	templates int
	// excused is how many calls are around the expression that are about whether it
	// fails.
	excused int
	// negates is the ! in front of the left side of a comparison, which reports it.
	negates *hclsyntax.UnaryOpExpr
	// numeric is the left side of a sum that has no text in it.
	numeric hclsyntax.Expression
}

// A scope holds the variables of the for expressions around an expression;
// inner ones hide outer ones and roots.
type scope struct {
	name  string
	shape *schema.Shape
	outer *scope
}

func (s *scope) find(name string) *schema.Shape {
	for ; s != nil; s = s.outer {
		if s.name == name {
			return s.shape
		}
	}
	return nil
}

func (s *scope) with(name string, shape *schema.Shape) *scope {
	if name == "" {
		return s
	}
	return &scope{name: name, shape: shape, outer: s}
}

func (in *inference) errorf(rng hcl.Range, summary, format string, args ...any) *schema.Shape {
	in.diags = append(in.diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &rng})
	return schema.UnknownShape
}

// value is shape for an expression that is used as a value, which a directory
// of declarations is not.
func (in *inference) value(e hclsyntax.Expression, sc *scope) *schema.Shape {
	s := in.shape(e, sc)
	if s.Within == "" {
		return s
	}
	noun := nounOf(s)
	example := ""
	if names := slices.Sorted(maps.Keys(s.Attrs)); len(names) > 0 {
		example = fmt.Sprintf(", such as %q", names[0])
	}
	return in.errorf(e.Range(), "Name needed", "This is all that is declared as %s %s and no value by itself. Go on with a dot and the name of one%s.", noun, s.Within, example)
}

// shape infers one expression. It never returns nil.
func (in *inference) shape(e hclsyntax.Expression, sc *scope) *schema.Shape {
	in.looked++
	if in.depth++; in.depth > maxExprDepth {
		in.depth--
		if in.depth == maxExprDepth && !in.reportedDepth() {
			in.errorf(e.Range(), tooDeepSummary, "The operators of this expression are nested more than %d levels deep. Give its parts names in locals.", maxExprDepth)
		}
		return schema.UnknownShape
	}
	defer func() { in.depth-- }()
	switch e := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		return LiteralShape(e.Val)
	case *hclsyntax.ParenthesesExpr:
		return in.shape(e.Expression, sc)
	case *hclsyntax.TemplateWrapExpr:
		in.templates++
		defer func() { in.templates-- }()
		return in.shape(e.Wrapped, sc)
	case *hclsyntax.TemplateExpr:
		return in.template(e, sc)
	case *hclsyntax.TemplateJoinExpr:
		in.value(e.Tuple, sc)
		return schema.StringShape
	case *hclsyntax.ScopeTraversalExpr:
		return in.reference(e, sc)
	case *hclsyntax.RelativeTraversalExpr:
		return in.follow(in.shape(e.Source, sc), e.Traversal)
	case *hclsyntax.IndexExpr:
		return in.index(e, sc)
	case *hclsyntax.SplatExpr:
		return in.splat(e, sc)
	case *hclsyntax.AnonSymbolExpr:
		return orUnknown(in.items[e])
	case *hclsyntax.ForExpr:
		return in.forExpr(e, sc)
	case *hclsyntax.ConditionalExpr:
		return in.conditional(e, sc)
	case *hclsyntax.BinaryOpExpr:
		return in.binary(e, sc)
	case *hclsyntax.UnaryOpExpr:
		return in.unary(e, sc)
	case *hclsyntax.TupleConsExpr:
		return in.tuple(e, sc)
	case *hclsyntax.ObjectConsExpr:
		return in.object(e, sc)
	case *hclsyntax.ObjectConsKeyExpr:
		return in.shape(e.Wrapped, sc)
	case *hclsyntax.FunctionCallExpr:
		return in.call(e, sc)
	}
	return schema.UnknownShape
}

const tooDeepSummary = "Expression is too deep"

func (in *inference) reportedDepth() bool {
	return slices.ContainsFunc(in.diags, func(d *hcl.Diagnostic) bool { return d.Summary == tooDeepSummary })
}

func orUnknown(s *schema.Shape) *schema.Shape {
	if s == nil {
		return schema.UnknownShape
	}
	return s
}

// nullShape is shared and must not be changed.
var nullShape = &schema.Shape{Kind: schema.ShapeNull}

// LiteralShape is the shape of a value that is written out.
func LiteralShape(v cty.Value) *schema.Shape {
	switch {
	case !v.IsKnown():
		return schema.UnknownShape
	case v.IsNull():
		return nullShape
	case v.Type() == cty.String:
		return schema.Written(v.AsString())
	case v.Type() == cty.Number:
		if n := v.AsBigFloat(); n.Sign() <= 0 || !n.IsInt() {
			return schema.NoCountShape
		}
		return schema.NumberShape
	case v.Type() == cty.Bool:
		return schema.BoolShape
	case v.Type().IsObjectType():
		s := &schema.Shape{Kind: schema.ShapeObject, Name: "this object", Attrs: make(map[string]*schema.Shape, v.LengthInt())}
		for name := range v.Type().AttributeTypes() {
			s.Attrs[name] = LiteralShape(v.GetAttr(name))
		}
		return s
	case v.Type().IsTupleType():
		elems := make([]*schema.Shape, 0, v.LengthInt())
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			elems = append(elems, LiteralShape(e))
		}
		return &schema.Shape{Kind: schema.ShapeTuple, Elem: schema.Common(elems), Elems: elems}
	}
	return schema.UnknownShape
}

func (in *inference) template(e *hclsyntax.TemplateExpr, sc *scope) *schema.Shape {
	if v, literal := Literal(e); literal {
		return LiteralShape(v)
	}
	in.templates++
	defer func() { in.templates-- }()
	parts := make([]*schema.Shape, len(e.Parts))
	for i, part := range e.Parts {
		if text, ok := part.(*hclsyntax.LiteralValueExpr); ok {
			parts[i] = LiteralShape(text.Val)
			continue
		}
		s := in.value(part, sc)
		parts[i] = s
		if s.Kind == schema.ShapeTuple || s.Kind == schema.ShapeObject {
			in.errorf(part.Range(), "Wrong operand", "This is %s, which cannot be written into a string. Pick a part of it, or write jsonencode(…) around it.", s.KindName())
		}
	}
	return schema.Computed(nil, parts...)
}

// tuple keeps the shape of each element, and the common one.
func (in *inference) tuple(e *hclsyntax.TupleConsExpr, sc *scope) *schema.Shape {
	elems := make([]*schema.Shape, len(e.Exprs))
	for i, x := range e.Exprs {
		elems[i] = in.value(x, sc)
	}
	return &schema.Shape{Kind: schema.ShapeTuple, Elem: schema.Common(elems), Elems: elems}
}

// object knows the attributes whose names are written out.
func (in *inference) object(e *hclsyntax.ObjectConsExpr, sc *scope) *schema.Shape {
	s := &schema.Shape{Kind: schema.ShapeObject, Name: "this object", Attrs: make(map[string]*schema.Shape, len(e.Items))}
	for _, item := range e.Items {
		value := in.value(item.ValueExpr, sc)
		if name, ok := in.keyName(item.KeyExpr, sc); ok {
			s.Attrs[name] = value
		} else {
			s.Open = true
		}
	}
	return s
}

// keyName is the name of an attribute of an object in the file, where it does
// not depend on anything.
func (in *inference) keyName(e hclsyntax.Expression, sc *scope) (string, bool) {
	if key, ok := e.(*hclsyntax.ObjectConsKeyExpr); ok && !key.ForceNonLiteral {
		if name := hcl.ExprAsKeyword(key.Wrapped); name != "" {
			return name, true
		}
	}
	if key, ok := e.(*hclsyntax.ObjectConsKeyExpr); ok {
		e = key.Wrapped
	}
	if dashed, ok := e.(*hclsyntax.BinaryOpExpr); ok && dashed.Op == hclsyntax.OpSubtract {
		if left, right := hcl.ExprAsKeyword(dashed.LHS), hcl.ExprAsKeyword(dashed.RHS); left != "" && right != "" {
			in.errorf(e.Range(), "Wrong operand", "A name with a dash has no spaces around it: %q.", left+"-"+right)
			return "", false
		}
	}
	in.value(e, sc)
	if v, literal := Literal(e); literal && !v.IsNull() && v.Type() == cty.String {
		return v.AsString(), true
	}
	return "", false
}

func (in *inference) conditional(e *hclsyntax.ConditionalExpr, sc *scope) *schema.Shape {
	in.wantBool(e.Condition, in.value(e.Condition, sc))
	yes, no := in.value(e.TrueResult, sc), in.value(e.FalseResult, sc)
	return orUnknown(schema.Common([]*schema.Shape{yes, no}))
}

// forExpr infers the body with the variables standing for any element.
func (in *inference) forExpr(e *hclsyntax.ForExpr, sc *scope) *schema.Shape {
	key, elem := in.iterate(e.CollExpr, in.shape(e.CollExpr, sc))
	sc = sc.with(e.KeyVar, key).with(e.ValVar, elem)
	if e.CondExpr != nil {
		in.wantBool(e.CondExpr, in.value(e.CondExpr, sc))
	}
	if e.KeyExpr != nil {
		return in.forObject(e, sc)
	}
	result := in.value(e.ValExpr, sc)
	if result.Kind == schema.ShapeUnknown {
		result = nil
	}
	return schema.TupleOf(result)
}

// forObject is the object that a for expression makes: it has names of some
// strings, and values of one shape.
func (in *inference) forObject(e *hclsyntax.ForExpr, sc *scope) *schema.Shape {
	s := schema.OpenObject()
	s.Name, s.Keys, s.Elem = "this object", in.value(e.KeyExpr, sc), in.value(e.ValExpr, sc)
	if e.Group {
		s.Elem = schema.TupleOf(s.Elem)
	}
	return s
}

// iterate gives the shapes of the keys and elements of a collection.
func (in *inference) iterate(e hclsyntax.Expression, s *schema.Shape) (key, elem *schema.Shape) {
	switch s.Kind {
	case schema.ShapeTuple:
		return schema.NumberShape, orUnknown(s.Elem)
	case schema.ShapeObject:
		in.seeAny(s)
		return schema.Names(s), schema.AnyAttr(s)
	case schema.ShapeUnknown:
		return schema.UnknownShape, schema.UnknownShape
	}
	in.errorf(e.Range(), "Wrong operand", "This is %s; a for expression goes over the elements of a list or the attributes of an object.", s.KindName())
	return schema.UnknownShape, schema.UnknownShape
}

// splat stands for each element in turn. A value that is no tuple is taken for
// a tuple of one.
func (in *inference) splat(e *hclsyntax.SplatExpr, sc *scope) *schema.Shape {
	source := in.value(e.Source, sc)
	item := source
	if source.Kind == schema.ShapeTuple {
		item = orUnknown(source.Elem)
	}
	if in.items == nil {
		in.items = map[*hclsyntax.AnonSymbolExpr]*schema.Shape{}
	}
	in.items[e.Item] = item
	each := in.shape(e.Each, sc)
	if each.Kind == schema.ShapeUnknown {
		each = nil
	}
	return schema.TupleOf(each)
}
