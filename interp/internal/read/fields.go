package read

import (
	"encoding/json"
	"io"
	"math"
	"strings"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/plain"
	"github.com/scenario-lang/scenario/money"
	"github.com/scenario-lang/scenario/schema"
)

// A Field is one attribute that an expression can read: its shape for the
// static check and the way to its value come from one table, so neither can
// miss the other.
type Field[T any] struct {
	Name  string
	Shape *schema.Shape
	Doc   string
	Value func(*T) cty.Value
	// Nested, in place of Value, builds an attribute that has parts of its own
	// as far as they are read.
	Nested func(t *T, read *Needs) cty.Value
	// Direct is the same for a plain condition; nil where that cannot read it.
	Direct func(*T) plain.Value
}

// Direct is an attribute of t for a plain condition.
func Direct[T any](fields []Field[T], t *T, name string) plain.Value {
	for i := range fields {
		switch f := &fields[i]; {
		case f.Name != name:
		case f.Direct != nil:
			return f.Direct(t)
		case f.Value != nil:
			return plain.Of(f.Value(t))
		default:
			return plain.Unknown
		}
	}
	return plain.Null
}

// Object builds the value of t, as far as it is read. One of which nothing is
// read but that it is there has the attributes that tell it from others, for
// the reader of a failing condition.
func Object[T any](fields []Field[T], t *T, read *Needs) cty.Value {
	attrs := map[string]cty.Value{}
	if n := read.Size(len(fields)); n > SmallMap {
		attrs = make(map[string]cty.Value, n)
	}
	AddAttributes(attrs, fields, t, read)
	return cty.ObjectVal(attrs)
}

// SmallMap is how many entries a map has that is on the stack where nobody keeps
// it. go-cty copies the attributes of an object.
const SmallMap = 8

// AddAttributes adds the parts of that object by name.
func AddAttributes[T any](attrs map[string]cty.Value, fields []Field[T], t *T, read *Needs) {
	brief := read != nil && !read.Whole() && len(read.Kids) == 0
	for i := range fields {
		f := &fields[i]
		part := read.Of(f.Name)
		if brief && telling[f.Name] {
			part = Everything
		}
		switch {
		case part == nil:
		case f.Nested != nil:
			attrs[f.Name] = f.Nested(t, part)
		default:
			attrs[f.Name] = f.Value(t)
		}
	}
}

// telling are attributes that tell one element of a tuple from the next.
var telling = map[string]bool{"n": true, "at_ms": true, "target": true, "outcome": true, "reason": true, "from": true, "to": true}

// AddNulls adds the attributes that are read, all null.
func AddNulls[T any](attrs map[string]cty.Value, fields []Field[T], read *Needs) {
	for i := range fields {
		if f := &fields[i]; read.Of(f.Name) != nil {
			attrs[f.Name] = Null
		}
	}
}

// ShapeOf is the shape of an object with these attributes.
func ShapeOf[T any](name string, fields []Field[T]) *schema.Shape {
	s := &schema.Shape{Kind: schema.ShapeObject, Name: name, Observed: true, Attrs: make(map[string]*schema.Shape, len(fields))}
	for _, f := range fields {
		shape := *f.Shape
		shape.Doc = f.Doc
		s.Attrs[f.Name] = &shape
	}
	return s
}

// Null is what everything reads as that is not there.
var Null = cty.NullVal(cty.DynamicPseudoType)

// Shapes of readable values.
var (
	AnyShape  = &schema.Shape{Observed: true, Nullable: true}
	TextShape = &schema.Shape{Kind: schema.ShapeString, Observed: true}
	// NumberShape is a number that is never negative, as all is that is counted, timed or
	// paid, and AnyNumberShape one that may be.
	NumberShape    = Between(0, math.Inf(1))
	AnyNumberShape = &schema.Shape{Kind: schema.ShapeNumber, Observed: true}
	// ShareShape is a share of something, and StatusShape the status of an answer.
	ShareShape  = Between(0, 1)
	StatusShape = Between(100, 599)
	// CountShape is a number that counts from 1.
	CountShape = &schema.Shape{Kind: schema.ShapeNumber, Observed: true, Counts: true, Range: &schema.Range{Least: 1, Most: math.Inf(1)}}
	BoolShape  = &schema.Shape{Kind: schema.ShapeBool, Observed: true}
	OpenShape  = &schema.Shape{Kind: schema.ShapeObject, Observed: true, Open: true, Nullable: true}
)

// Between is a number that is never less than one number and never more than another.
func Between(least, most float64) *schema.Shape {
	return &schema.Shape{Kind: schema.ShapeNumber, Observed: true, Range: &schema.Range{Least: least, Most: most}}
}

// Nullable is the shape of a value that may be missing.
//
//go:noinline
func Nullable(s *schema.Shape) *schema.Shape {
	n := *s
	n.Nullable = true
	return &n
}

// TupleOf is the shape of a list of elements of one shape.
//
//go:noinline
func TupleOf(elem *schema.Shape) *schema.Shape {
	return &schema.Shape{Kind: schema.ShapeTuple, Elem: elem, Observed: true}
}

// Text is a string as a value.
func Text(s string) cty.Value { return cty.StringVal(s) }

// TextOrNull is null for the empty string.
func TextOrNull(s string) cty.Value {
	if s == "" {
		return Null
	}
	return cty.StringVal(s)
}

// Number is an integer as a value.
func Number(n int) cty.Value { return cty.NumberIntVal(int64(n)) }

// NumberOrNull is null for zero.
func NumberOrNull(n int) cty.Value {
	if n == 0 {
		return Null
	}
	return Number(n)
}

// Dollars is an amount as a number, exactly what a file writes for it: 0.3 and
// not the nearest binary fraction.
func Dollars(a money.USD) cty.Value {
	if a.IsZero() {
		return cty.Zero
	}
	return cty.MustParseNumberVal(a.String())
}

// Millis is how every duration is read: truncated to whole milliseconds.
func Millis(d time.Duration) cty.Value { return cty.NumberIntVal(d.Milliseconds()) }

// Ended is a time that is known at the end of what it is of, null before.
func Ended(over bool, d time.Duration) cty.Value {
	if !over {
		return Null
	}
	return Millis(d)
}

// Texts is a list of strings; nil is the empty list.
func Texts(list []string) cty.Value { return dsl.CtyValue(list) }

// TextMap is null for a nil map.
func TextMap(m map[string]string) cty.Value {
	if m == nil {
		return Null
	}
	return dsl.CtyValue(m)
}

// TupleVal builds a list, each element by value.
func TupleVal[T any](list []T, value func(T) cty.Value) cty.Value {
	vals := make([]cty.Value, len(list))
	for i, e := range list {
		vals[i] = value(e)
	}
	return cty.TupleVal(vals)
}

// Elements builds a list, each element as far as it is read.
func Elements[T any](list []T, need *Needs, value func(T, *Needs) cty.Value) cty.Value {
	part := need.Element()
	return TupleVal(list, func(e T) cty.Value { return value(e, part) })
}

// JsonValue decodes a body, null when it is no JSON.
func JsonValue(body string) cty.Value {
	if body == "" {
		return Null
	}
	// Numbers stay as they are written: an id may be too long for a float.
	d := json.NewDecoder(strings.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return Null
	}
	if _, err := d.Token(); err != io.EOF {
		return Null // more than one value
	}
	return dsl.CtyValue(v)
}

// FailureFields are the attributes of an error.
var FailureFields = []Field[failure.Failure]{
	{Name: "kind", Shape: OneOf(FailureKind), Doc: "The typed kind.", Value: func(f *failure.Failure) cty.Value { return Text(string(f.Kind)) }},
	{Name: "cause", Shape: Nullable(OneOf(Cause)), Doc: "What broke a connection.", Value: func(f *failure.Failure) cty.Value { return TextOrNull(string(f.Cause)) }},
	{Name: "type", Shape: Nullable(TextShape), Doc: "The name of an exception.", Value: func(f *failure.Failure) cty.Value { return TextOrNull(f.Type) }},
	{Name: "mode", Shape: Nullable(OneOf(Mode)), Doc: "The code that the taxonomy gave.", Value: func(f *failure.Failure) cty.Value { return modeText(f, func(m *failure.Mode) string { return m.Code }) }},
	{Name: "category", Shape: Nullable(OneOf(Category)), Doc: "The mode's category.", Value: func(f *failure.Failure) cty.Value {
		return modeText(f, func(m *failure.Mode) string { return m.Category })
	}},
	{Name: "retryable", Shape: BoolShape, Doc: "Whether it may be tried again.", Value: func(f *failure.Failure) cty.Value { return cty.BoolVal(f.Retryable) }},
	{Name: "terminal", Shape: BoolShape, Doc: "Whether it ends the call whatever the policy says.", Value: func(f *failure.Failure) cty.Value { return cty.BoolVal(f.Mode != nil && f.Mode.Terminal) }},
	{Name: "partial", Shape: BoolShape, Doc: "Whether there may be partial results.", Value: func(f *failure.Failure) cty.Value { return cty.BoolVal(f.Mode != nil && f.Mode.Partial) }},
	{Name: "severity", Shape: Nullable(OneOf(Severity)), Doc: "The mode's severity.", Value: func(f *failure.Failure) cty.Value {
		return modeText(f, func(m *failure.Mode) string { return m.Severity })
	}},
	{Name: "message", Shape: TextShape, Doc: "For people.", Value: func(f *failure.Failure) cty.Value { return Text(f.Message) }},
	{Name: "status_code", Shape: Nullable(StatusShape), Doc: "The HTTP status.", Value: func(f *failure.Failure) cty.Value { return NumberOrNull(f.StatusCode) }},
	{Name: "sqlstate", Shape: Nullable(TextShape), Doc: "The state of a database's error.", Value: func(f *failure.Failure) cty.Value { return TextOrNull(f.SQLState) }},
	{Name: "retry_after_ms", Shape: Nullable(NumberShape), Doc: "The wait that the server asked for.", Value: func(f *failure.Failure) cty.Value {
		if !f.HasRetryAfter {
			return Null
		}
		return Millis(f.RetryAfter)
	}},
	{Name: "step", Shape: Nullable(OneOf(Step)), Doc: "The step that observed it.", Value: func(f *failure.Failure) cty.Value { return TextOrNull(f.Step) }},
	{Name: "attempt", Shape: Nullable(CountShape), Doc: "The attempt that observed it.", Value: func(f *failure.Failure) cty.Value { return NumberOrNull(f.Attempt) }},
	{Name: "target", Shape: Nullable(OneOf(Callee)), Doc: "The target that was called.", Value: func(f *failure.Failure) cty.Value { return TextOrNull(f.Target) }},
	{Name: "rule", Shape: Nullable(TextShape), Doc: "The rule that gave the mode, as `scenario explain` names it.", Value: func(f *failure.Failure) cty.Value { return TextOrNull(f.Rule) }},
	{Name: "stage", Shape: OneOf(FailureStage), Doc: `The stage of the run in which it was observed: "plan", "route", "execute" or "aggregate".`, Value: func(f *failure.Failure) cty.Value { return Text(string(failure.StageOf(f))) }},
	{Name: "operation", Shape: Nullable(TextShape), Doc: "What was being done, such as \"chat gpt-4o-mini\" or \"GET /path\".", Value: func(f *failure.Failure) cty.Value { return TextOrNull(f.Operation) }},
	{Name: "retries", Shape: NumberShape, Doc: "Rounds of the step that had followed its first.", Value: func(f *failure.Failure) cty.Value { return Number(f.Retries) }},
	{Name: "chain", Shape: TupleOf(ShapeOf("failure beneath", ChainFields)), Doc: "What lies beneath it, the nearest first: the failures of a gateway's targets, what a deadline cut short, the causes of an exception.", Nested: func(f *failure.Failure, read *Needs) cty.Value {
		return Elements(f.Chain, read, func(c failure.Failure, part *Needs) cty.Value { return Object(ChainFields, &c, part) })
	}},
	{Name: "stack", Shape: Nullable(TextShape), Doc: "The stack trace that came with an exception.", Value: func(f *failure.Failure) cty.Value { return TextOrNull(f.Stack) }},
}

// ChainFields are what a failure beneath another says of itself.
var ChainFields = []Field[failure.Failure]{
	{Name: "kind", Shape: Nullable(OneOf(FailureKind)), Doc: "The typed kind; null for an error that was never observed by itself.", Value: func(f *failure.Failure) cty.Value { return TextOrNull(string(f.Kind)) }},
	{Name: "cause", Shape: Nullable(OneOf(Cause)), Doc: "What broke a connection.", Value: func(f *failure.Failure) cty.Value { return TextOrNull(string(f.Cause)) }},
	{Name: "type", Shape: Nullable(TextShape), Doc: "The name of its type.", Value: func(f *failure.Failure) cty.Value { return TextOrNull(f.Type) }},
	{Name: "mode", Shape: Nullable(OneOf(Mode)), Doc: "The code that the taxonomy gave.", Value: func(f *failure.Failure) cty.Value { return modeText(f, func(m *failure.Mode) string { return m.Code }) }},
	{Name: "message", Shape: TextShape, Doc: "For people.", Value: func(f *failure.Failure) cty.Value { return Text(f.Message) }},
	{Name: "status_code", Shape: Nullable(StatusShape), Doc: "The HTTP status.", Value: func(f *failure.Failure) cty.Value { return NumberOrNull(f.StatusCode) }},
	{Name: "step", Shape: Nullable(OneOf(Step)), Doc: "The step that observed it.", Value: func(f *failure.Failure) cty.Value { return TextOrNull(f.Step) }},
	{Name: "attempt", Shape: Nullable(CountShape), Doc: "The attempt that observed it.", Value: func(f *failure.Failure) cty.Value { return NumberOrNull(f.Attempt) }},
	{Name: "target", Shape: Nullable(OneOf(Callee)), Doc: "The target that was called.", Value: func(f *failure.Failure) cty.Value { return TextOrNull(f.Target) }},
}

func modeText(f *failure.Failure, get func(*failure.Mode) string) cty.Value {
	if f.Mode == nil {
		return Null
	}
	return TextOrNull(get(f.Mode))
}

// FailureVal is null for nil.
func FailureVal(f *failure.Failure, read *Needs) cty.Value {
	if f == nil {
		return Null
	}
	return Object(FailureFields, f, read)
}

// DirectFailure is the same for a plain condition.
func DirectFailure(f *failure.Failure) plain.Value {
	if f == nil {
		return plain.Null
	}
	return plain.ObjectOf((*directFailure)(f))
}

type directFailure failure.Failure

func (f *directFailure) Get(name string) plain.Value {
	return Direct(FailureFields, (*failure.Failure)(f), name)
}

// FailureShape is the shape of error.
var FailureShape = Nullable(ShapeOf("failure", FailureFields))
