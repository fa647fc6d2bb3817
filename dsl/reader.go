package dsl

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/dsl/render"
	words "github.com/scenario-lang/scenario/dsl/spelling"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

// A Reader evaluates the attributes of one block by their schema and collects
// what is wrong. Every accessor returns the schema's default where the
// attribute is not given, and the zero value where there is none or the value
// is wrong; Diags tells which.
type Reader struct {
	Block *Block
	Ctx   *hcl.EvalContext
	Diags *hcl.Diagnostics
}

// Has reports whether the attribute is written in the block, with a value
// that is not null.
func (r Reader) Has(name string) bool {
	a := r.Block.Attr(name)
	if a == nil || isNullLiteral(a.Expr) {
		return false
	}
	if a.Schema != nil && len(a.Schema.Refs) > 0 {
		if chosen, _, open := r.chosen(a.Expr); open == nil {
			return !isNullLiteral(chosen)
		}
	}
	return true
}

// isNullLiteral reports whether an expression is the literal null, which means
// absent, as in the content of a generated block.
func isNullLiteral(e hclsyntax.Expression) bool {
	l, ok := e.(*hclsyntax.LiteralValueExpr)
	return ok && l.Val.IsNull()
}

// Range is where the attribute is written, or the block's header.
func (r Reader) Range(name string) hcl.Range {
	if a := r.Block.Attr(name); a != nil {
		return a.Expr.Range()
	}
	return r.Block.DefRange
}

// Errorf adds an error about the attribute.
func (r Reader) Errorf(name, summary, format string, args ...any) {
	rng := r.Range(name)
	*r.Diags = append(*r.Diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &rng})
}

// EntryErrorf adds an error about an entry of the list that the attribute is: where that is
// written out, and else where the list is.
func (r Reader) EntryErrorf(name, entry, summary, format string, args ...any) {
	at := r.Range(name)
	if list, ok := r.Block.Expr(name).(*hclsyntax.TupleConsExpr); ok {
		for _, e := range list.Exprs {
			if v, literal := Literal(e); literal && v.Type() == cty.String && !v.IsNull() && v.AsString() == entry {
				at = e.Range()
				break
			}
		}
	}
	*r.Diags = append(*r.Diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &at})
}

// Value evaluates the attribute and checks it against its schema. The result
// is in Go's own types, as schema.Values describes them, nil when absent.
func (r Reader) Value(name string) any {
	s := r.Block.Schema.Attr(name)
	if s == nil {
		return nil
	}
	return r.value(s)
}

func (r Reader) value(s *schema.Attr) any {
	name := s.Name
	a := r.Block.Attr(name)
	if a == nil {
		return s.DefaultValue()
	}
	v, literal := Literal(a.Expr)
	if !literal {
		var diags hcl.Diagnostics
		if v, diags = Evaluate(a.Expr, r.Ctx); diags.HasErrors() && diags[0].Summary == "Variables not allowed" {
			r.Errorf(name, "Wrong value", "The attribute %q takes no reference. A string is written in quotes.", name)
			return nil
		} else if diags.HasErrors() {
			*r.Diags = append(*r.Diags, diags...)
			return nil
		}
	}
	if v.IsNull() {
		return s.DefaultValue()
	}
	out, err := Convert(v, s)
	if err != nil {
		said := err.Error()
		if literal && s.Type == schema.Strings {
			said += inList(v, name)
		}
		r.Errorf(name, "Wrong value", "The attribute %q %s%s", name, wording.FullStop(said), r.instead(a, v))
		return nil
	}
	return out
}

// inList proposes the list for a text that is written out, "" for one that is long. What a
// variable or a file holds is proposed nowhere.
func inList(v cty.Value, name string) (proposal string) {
	if v.Type() == cty.String && name == "command" {
		proposal = wording.Command(v.AsString())
	} else if v.Type() == cty.String {
		proposal = wording.List(v.AsString())
	}
	if proposal != "" {
		return ": write " + proposal
	}
	return ""
}

// instead says which attribute takes a value that is no string, or how the text alone is
// written, "" where neither is known.
func (r Reader) instead(a *Attr, v cty.Value) string {
	switch {
	case a.Name == "content" && onlyPart(a.Expr) == "" && v.IsWhollyKnown() && v.Type().IsTupleType() && r.Block.Schema.Attr("chunks") != nil:
		return " The pieces of a stream are the attribute chunks: rename it."
	case v.Type() == cty.Number && r.Block.Schema.Attr(a.Name+"_chunks") != nil:
		return fmt.Sprintf(" For a number of chunks write `%s_chunks = %s`.", a.Name, render.Value(v, 20))
	case a.Name == "content":
		text := onlyPart(a.Expr)
		if text == "" {
			return ""
		}
		said := fmt.Sprintf(" The text alone is content = %s.", wording.Quote(text))
		if r.Block.Schema.Attr("result") != nil {
			said += " Parts as MCP has them are those of a whole result: result = { content = […] }."
		}
		return said
	case a.Name == "body" && !v.Type().IsPrimitiveType() && r.Block.Schema.Attr("json") != nil:
		return " What is sent as JSON is the attribute json: rename it."
	}
	return ""
}

// onlyPart is the text of a list with one part in the form of a protocol, "" where it is
// not written out or is long.
func onlyPart(e hclsyntax.Expression) string {
	list, ok := e.(*hclsyntax.TupleConsExpr)
	if !ok || len(list.Exprs) != 1 {
		return ""
	}
	part, ok := list.Exprs[0].(*hclsyntax.ObjectConsExpr)
	if !ok {
		return ""
	}
	for _, item := range part.Items {
		v, literal := Literal(item.ValueExpr)
		if hcl.ExprAsKeyword(item.KeyExpr) == "text" && literal && v.Type() == cty.String && len(v.AsString()) <= wording.Longest {
			return v.AsString()
		}
	}
	return ""
}

// Values evaluates every attribute of the block but the named ones.
func (r Reader) Values(except ...string) schema.Values {
	values := schema.Values{}
next:
	for i := range r.Block.Schema.Attrs {
		name := r.Block.Schema.Attrs[i].Name
		for _, e := range except {
			if e == name {
				continue next
			}
		}
		if v := r.value(&r.Block.Schema.Attrs[i]); v != nil {
			values[name] = v
		}
	}
	return values
}

// String returns a string attribute.
func (r Reader) String(name string) string { s, _ := r.Value(name).(string); return s }

// Bool returns a bool attribute.
func (r Reader) Bool(name string) bool { b, _ := r.Value(name).(bool); return b }

// Int returns an integer.
func (r Reader) Int(name string) int { n, _ := r.Value(name).(int); return n }

// Float returns a number.
func (r Reader) Float(name string) float64 {
	switch n := r.Value(name).(type) {
	case float64:
		return n
	case int:
		return float64(n)
	}
	return 0
}

// Duration returns a duration.
func (r Reader) Duration(name string) time.Duration {
	d, _ := r.Value(name).(time.Duration)
	return d
}

// Strings returns a tuple of strings.
func (r Reader) Strings(name string) []string { s, _ := r.Value(name).([]string); return s }

// StringMap returns an object of strings.
func (r Reader) StringMap(name string) map[string]string {
	m, _ := r.Value(name).(map[string]string)
	return m
}

// A Reference is a reference to a declaration, as it was written.
type Reference struct {
	Type, Name string
	Range      hcl.Range
}

// Ref reads a reference such as provider.primary. A zero Reference means that
// there is none, or that it was wrong and reported.
func (r Reader) Ref(name string) Reference {
	a := r.Block.Attr(name)
	if a == nil {
		return Reference{}
	}
	e := r.choice(a, a.Expr)
	if e == nil || isNullLiteral(e) {
		return Reference{}
	}
	return r.reference(a, e)
}

// Refs reads a tuple of references.
func (r Reader) Refs(name string) []Reference {
	a := r.Block.Attr(name)
	if a == nil {
		return nil
	}
	chosen := r.choice(a, a.Expr)
	if chosen == nil || isNullLiteral(chosen) {
		return nil
	}
	tuple, ok := chosen.(*hclsyntax.TupleConsExpr)
	if !ok {
		r.Errorf(name, "Wrong value", "The attribute %q is a list of references, such as [%s.name].", name, a.Schema.Refs[0])
		return nil
	}
	var refs []Reference
	for _, e := range tuple.Exprs {
		if e = r.choice(a, e); e == nil || isNullLiteral(e) {
			continue
		}
		if ref := r.reference(a, e); ref.Name != "" {
			refs = append(refs, ref)
		}
	}
	return refs
}

func (r Reader) reference(a *Attr, e hclsyntax.Expression) Reference {
	rng := e.Range()
	fail := func(format string, args ...any) Reference {
		*r.Diags = append(*r.Diags, &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Wrong reference", Detail: fmt.Sprintf(format, args...), Subject: &rng})
		return Reference{}
	}
	form := a.Schema.Refs[0] + ".name"
	st, ok := e.(*hclsyntax.ScopeTraversalExpr)
	if !ok {
		if v, isLiteral := Literal(e); isLiteral && v.Type() == cty.String && !v.IsNull() {
			if name := strings.TrimPrefix(v.AsString(), a.Schema.Refs[0]+"."); hclsyntax.ValidIdentifier(name) {
				form = a.Schema.Refs[0] + "." + name
			}
			if a.Name == "run" && strings.ContainsAny(v.AsString(), "./ ") && !strings.HasPrefix(v.AsString(), a.Schema.Refs[0]+".") {
				return fail("The attribute %q is a reference to a %s, not a string. A program is named by command of sut, or follows -- of scenario exec.", a.Name, strings.Join(a.Schema.Refs, " or "))
			}
			if _, err := ParseDuration(v.AsString()); err == nil && r.Block.Schema.Attr("at") != nil {
				return fail("The attribute %q is a reference to what has to end first. An instant is at = %q.", a.Name, v.AsString())
			}
			return fail("The attribute %q is a reference, not a string: write %s without quotes.", a.Name, form)
		}
		if wrapped, isWrap := e.(*hclsyntax.TemplateWrapExpr); isWrap {
			if inner, isRef := wrapped.Wrapped.(*hclsyntax.ScopeTraversalExpr); isRef && len(inner.Traversal) == 2 {
				if attr, named := inner.Traversal[1].(hcl.TraverseAttr); named {
					return fail("The attribute %q is a reference, not a string: write %s.%s without quotes and ${ }.", a.Name, inner.Traversal.RootName(), attr.Name)
				}
			}
		}
		return fail("The attribute %q must be a reference such as %s to a declaration in the file; nothing can be computed here. Write a %s block at the top level and name it here.", a.Name, form, a.Schema.Refs[0])
	}
	root := st.Traversal.RootName()
	allowed := false
	for _, t := range a.Schema.Refs {
		allowed = allowed || t == root
	}
	if !allowed {
		if len(st.Traversal) == 1 {
			form = a.Schema.Refs[0] + "." + root
		} else if name := nameAt(st.Traversal, len(st.Traversal)-1); r.Block.root().Named(a.Schema.Refs[0], name) != nil {
			form = a.Schema.Refs[0] + "." + name
		}
		if to := a.Schema.Refs[0]; len(a.Schema.Refs) == 1 && r.Block.Schema.Attr(root) != nil && len(st.Traversal) == 2 {
			return fail("The attribute %q refers to %s: write %s. What refers to %s is the attribute %s.", a.Name, wording.WithArticle(to), form, wording.WithArticle(root), root)
		}
		if a.Name == "run" && root == "sut" {
			return fail("The attribute \"run\" refers to %s. A program under test is run by its sut block: leave run out.", wording.WithArticle(strings.Join(a.Schema.Refs, " or ")))
		}
		return fail("The attribute %q refers to %s: write %s.%s", a.Name, wording.WithArticle(strings.Join(a.Schema.Refs, " or ")), form, strings.TrimSuffix(DidYouMean(root, a.Schema.Refs), "\n"))
	}
	if len(st.Traversal) == 3 {
		first, _ := st.Traversal[1].(hcl.TraverseAttr)
		if block := language.File().Block(root); block != nil && len(block.Labels) == 1 {
			return fail("The attribute %q must be a reference of the form %s, and of nothing in it. Write %s.%s.", a.Name, form, root, first.Name)
		}
		if last, named := st.Traversal[2].(hcl.TraverseAttr); named {
			return fail("The attribute %q must be a reference of the form %s: a kind is no part of it. Write %s.%s.", a.Name, form, root, last.Name)
		}
	}
	if len(st.Traversal) != 2 {
		return fail("The attribute %q must be a reference of the form %s.", a.Name, form)
	}
	switch step := st.Traversal[1].(type) {
	case hcl.TraverseAttr:
		return Reference{Type: root, Name: step.Name, Range: rng}
	case hcl.TraverseIndex: // retry["std"], and retry[each.key] in an instance
		if step.Key.Type() == cty.String {
			return Reference{Type: root, Name: step.Key.AsString(), Range: rng}
		}
	}
	return fail("The attribute %q must be a reference of the form %s.", a.Name, form)
}

// NotKnown is what [Convert] says of a value that rests on one that nobody gave.
const NotKnown = "is not known here"

// Convert turns a value into Go's own types by its schema. The error reads as
// the end of a sentence that begins with the attribute's name.
func Convert(v cty.Value, s *schema.Attr) (any, error) {
	if !stdlib.IsPlain(v) {
		if !v.IsWhollyKnown() {
			return nil, errors.New(NotKnown)
		}
		v, _ = v.UnmarkDeep()
	}
	out, err := convertTo(v, s)
	if err != nil {
		return nil, err
	}
	return out, bounds(out, s)
}

func convertTo(v cty.Value, s *schema.Attr) (any, error) {
	switch s.Type {
	case schema.String:
		text := v
		if v.Type() != cty.String {
			var err error
			if text, err = convert.Convert(v, cty.String); err != nil {
				return nil, fmt.Errorf("must be a string, not %s", describeValue(v))
			}
		}
		if len(s.OneOf) > 0 && !slices.Contains(s.OneOf, text.AsString()) {
			return nil, fmt.Errorf("must be one of %s, not %q.%s", wording.Quoted(s.OneOf), text.AsString(), DidYouMean(text.AsString(), s.OneOf))
		}
		return text.AsString(), nil
	case schema.Number, schema.Int:
		if v.Type() != cty.Number {
			if number := numberIn(v); number != "" {
				return nil, fmt.Errorf("must be a number, not %s: write %s without quotes", describeValue(v), number)
			}
			if share := percentIn(v); share != "" {
				if s.Name == "threshold" {
					return nil, fmt.Errorf("must be a number of failures, not %s: a share of the calls is failure_rate = %s, together with window", describeValue(v), share)
				}
				return nil, fmt.Errorf("must be a number, not %s: write %s", describeValue(v), share)
			}
			return nil, fmt.Errorf("must be a number, not %s", describeValue(v))
		}
		if s.Type == schema.Int {
			if f, _ := v.AsBigFloat().Float64(); s.Name == "threshold" && f > 0 && f < 1 {
				return nil, fmt.Errorf("must be a number of failures, not %v: a share of the calls is failure_rate = %[1]v, together with window", f)
			}
			return wholeNumber(v)
		}
		f, _ := v.AsBigFloat().Float64()
		if math.IsInf(f, 0) {
			return nil, fmt.Errorf("is too large a number")
		}
		return f, nil
	case schema.Bool:
		if v.Type() != cty.Bool {
			return nil, fmt.Errorf("must be true or false, not %s", describeValue(v))
		}
		return v.True(), nil
	case schema.Duration:
		if v.Type() != cty.String {
			return nil, fmt.Errorf(`must be a duration in quotes with its unit, such as "5s", "250ms" or "1h30m", not %s`, describeValue(v))
		}
		return ParseDuration(v.AsString())
	case schema.Strings:
		return stringsOf(v)
	case schema.StringMap:
		return stringMapOf(v)
	case schema.Map:
		if !v.Type().IsObjectType() && !v.Type().IsMapType() {
			return nil, fmt.Errorf("must be an object { name = value, … }, not %s", describeValue(v))
		}
	}
	return GoValue(v), nil
}

// numberIn is the number that a text holds, "" for none.
func numberIn(v cty.Value) string {
	if v.Type() != cty.String || v.IsNull() || !v.IsKnown() {
		return ""
	}
	text := strings.TrimSpace(v.AsString())
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		return ""
	}
	return text
}

// percentIn is the share of 1 that a text says in percent, "" for none.
func percentIn(v cty.Value) string {
	if v.Type() != cty.String || v.IsNull() || !v.IsKnown() {
		return ""
	}
	number, ok := strings.CutSuffix(strings.TrimSpace(v.AsString()), "%")
	percent, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !ok || err != nil {
		return ""
	}
	return strconv.FormatFloat(percent/100, 'g', -1, 64)
}

func wholeNumber(v cty.Value) (any, error) {
	n, acc := v.AsBigFloat().Int64()
	if acc != big.Exact {
		return nil, fmt.Errorf("must be an integer, not %s", v.AsBigFloat().Text('g', 12))
	}
	if n > math.MaxInt32*1024 || n < -math.MaxInt32*1024 {
		return nil, fmt.Errorf("is too large a number: %d", n)
	}
	return int(n), nil
}

func stringsOf(v cty.Value) (any, error) {
	if v.Type() == cty.String {
		return nil, fmt.Errorf("must be a list of strings, not %s", describeValue(v))
	}
	if !v.CanIterateElements() || v.Type().IsObjectType() || v.Type().IsMapType() {
		return nil, fmt.Errorf("must be a list of strings [\"…\"], not %s", describeValue(v))
	}
	out := []string{}
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		text, err := convert.Convert(e, cty.String)
		if err != nil || text.IsNull() {
			return nil, fmt.Errorf("must be a list of strings; it holds %s", describeValue(e))
		}
		out = append(out, text.AsString())
	}
	return out, nil
}

func stringMapOf(v cty.Value) (any, error) {
	if !v.Type().IsObjectType() && !v.Type().IsMapType() {
		return nil, fmt.Errorf("must be an object of strings { name = \"…\" }, not %s", describeValue(v))
	}
	out := map[string]string{}
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		text, err := convert.Convert(e, cty.String)
		if err != nil || text.IsNull() {
			return nil, fmt.Errorf("must be an object of strings; %s is %s", k.AsString(), describeValue(e))
		}
		out[k.AsString()] = text.AsString()
	}
	return out, nil
}

func bounds(v any, s *schema.Attr) error {
	var n float64
	unit := ""
	switch x := v.(type) {
	case int:
		n = float64(x)
	case float64:
		n = x
	case time.Duration:
		n, unit = x.Seconds(), "s"
	default:
		return nil
	}
	if s.HasMin && n < s.Min && n == -1 && s.HasMax {
		return fmt.Errorf("must be at least %v and at most %v: -1 does not stand for no limit", s.Min, s.Max)
	}
	if s.HasMin && n < s.Min {
		return fmt.Errorf("must be at least %v%s, not %v%s", s.Min, unit, n, unit)
	}
	if s.AboveMin && n == s.Min {
		hint := ""
		if s.Default == "" {
			hint = ". Leave it out, or set null, where there is no limit"
		}
		return fmt.Errorf("must be longer than %v%s%s", s.Min, unit, hint)
	}
	if s.HasMax && s.Max == 1 && n > 1 && n <= 100 {
		return fmt.Errorf("must be at most 1, not %v: %v percent are written %v", n, n, n/100)
	}
	if s.HasMax && n > s.Max {
		return fmt.Errorf("must be at most %v%s, not %v%s", s.Max, unit, n, unit)
	}
	return nil
}

// ParseDuration reads "5s", "250ms", "1h30m" or "2d". The error reads as the
// end of a sentence that begins with the attribute's name.
func ParseDuration(text string) (time.Duration, error) {
	d, ok := schema.ParseDuration(text)
	if !ok {
		if meant := words.Duration(text); meant != "" {
			return 0, fmt.Errorf(`must be a duration such as "5s", "250ms", "1h30m" or "2d", not %q. Did you mean %q?`, text, meant)
		}
		return 0, fmt.Errorf(`must be a duration such as "5s", "250ms", "1h30m" or "2d", of at most 100 years, not %q`, text)
	}
	return d, nil
}

// GoValue turns a known value into string, float64, bool, []any, map[string]any
// or nil; an integer that a float64 cannot hold into int64.
func GoValue(v cty.Value) any {
	if v.IsMarked() {
		v, _ = v.Unmark()
	}
	if !v.IsKnown() || v.IsNull() {
		return nil
	}
	switch t := v.Type(); {
	case t == cty.String:
		return v.AsString()
	case t == cty.Number:
		return goNumber(v.AsBigFloat())
	case t == cty.Bool:
		return v.True()
	case t.IsObjectType():
		types := t.AttributeTypes()
		out := make(map[string]any, len(types))
		for name := range types {
			out[name] = GoValue(v.GetAttr(name))
		}
		return out
	case t.IsMapType():
		out := make(map[string]any, v.LengthInt())
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			k, _ = k.Unmark()
			out[k.AsString()] = GoValue(e)
		}
		return out
	case t.IsTupleType():
		out := make([]any, t.Length())
		for i := range out {
			out[i] = GoValue(stdlib.At(v, i))
		}
		return out
	case v.CanIterateElements():
		out := make([]any, 0, v.LengthInt())
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			out = append(out, GoValue(e))
		}
		return out
	}
	return nil
}

// goNumber is a float64, but for an integer that a float64 cannot hold,
// such as the ids of some services: that is an int64 where it fits.
func goNumber(n *big.Float) any {
	f, accuracy := n.Float64()
	if accuracy != big.Exact {
		if i, whole := n.Int64(); whole == big.Exact {
			return i
		}
	}
	return f
}

// CtyValue is the reverse of GoValue; tuples and objects, never lists or maps.
func CtyValue(v any) cty.Value {
	switch x := v.(type) {
	case nil:
		return cty.NullVal(cty.DynamicPseudoType)
	case string:
		return cty.StringVal(x)
	case bool:
		return cty.BoolVal(x)
	case int:
		return cty.NumberIntVal(int64(x))
	case int64:
		return cty.NumberIntVal(x)
	case json.Number:
		if i, err := x.Int64(); err == nil {
			return cty.NumberIntVal(i)
		}
		f, _ := x.Float64()
		return CtyValue(f)
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return cty.NullVal(cty.DynamicPseudoType)
		}
		return cty.NumberFloatVal(x)
	case []string:
		vals := make([]cty.Value, len(x))
		for i, e := range x {
			vals[i] = cty.StringVal(e)
		}
		return cty.TupleVal(vals)
	case []any:
		vals := make([]cty.Value, len(x))
		for i, e := range x {
			vals[i] = CtyValue(e)
		}
		return cty.TupleVal(vals)
	case map[string]any:
		vals := make(map[string]cty.Value, len(x))
		for k, e := range x {
			vals[k] = CtyValue(e)
		}
		return cty.ObjectVal(vals)
	case map[string]string:
		vals := make(map[string]cty.Value, len(x))
		for k, e := range x {
			vals[k] = cty.StringVal(e)
		}
		return cty.ObjectVal(vals)
	}
	return cty.NullVal(cty.DynamicPseudoType)
}

func describeValue(v cty.Value) string {
	if v.IsNull() {
		return "null"
	}
	if v.IsKnown() && v.Type() == cty.String && len(v.AsString()) < 40 {
		return fmt.Sprintf("the string %q", v.AsString())
	}
	if kind := valueKind(v); kind != "" {
		return kind
	}
	return wording.WithArticle(v.Type().FriendlyName())
}
