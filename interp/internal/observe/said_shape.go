package observe

import (
	"fmt"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// The words of what programs say. Which names and labels they have is theirs.
var (
	saidMetricKind = read.Among("kind of metric", "counter", "gauge", "histogram")
	saidSpanStatus = read.Among("span status", "unset", "ok", "error")
	saidSpanKind   = read.Among("kind of span", "internal", "server", "client", "producer", "consumer")
	saidSeverity   = read.Among("severity", "trace", "debug", "info", "warn", "error", "fatal")
)

// own is an object whose names are the program's.
func own(of string) *schema.Shape {
	s := schema.OpenObject()
	s.Name, s.Observed = of, true
	return s
}

// word is an attribute of what a program exported, which is an object already.
func word(name string, shape *schema.Shape, doc string) read.Field[map[string]any] {
	return read.Field[map[string]any]{Name: name, Shape: shape, Doc: doc, Value: func(o *map[string]any) cty.Value { return dsl.CtyValue(readableOf((*o)[name])) }}
}

// wordOrNull is a text of what a program exported that is null where it has none. The
// protocols have "" there, which would differ from null in every check.
func wordOrNull(name string, shape *schema.Shape, doc string) read.Field[map[string]any] {
	filled := *read.Nullable(shape)
	filled.Filled = true
	return word(name, &filled, doc)
}

var instant = read.Nullable(read.AnyNumberShape)

// What of the program's words expressions can read. The instants are by its clock,
// from the start of the run.
var (
	SaidSeriesFields = []read.Field[map[string]any]{
		word("name", read.TextShape, "The name of its metric."),
		word("kind", read.OneOf(saidMetricKind), "What the metric is: a counter only grows, a gauge has a last value, a histogram counts values and adds them up."),
		wordOrNull("unit", read.TextShape, "Its unit; null for none."),
		word("labels", own("a series"), "Its labels, which OpenTelemetry calls attributes."),
		word("value", read.AnyNumberShape, "What a counter counted since the program was ready, the last value of a gauge, how many values a histogram has since then."),
		word("count", read.Nullable(read.NumberShape), "How many values a histogram has; null for others."),
		word("sum", read.Nullable(read.AnyNumberShape), "The sum of these values."),
		word("resource", own("a resource"), "Who exported it, such as service.name; {} on a page of metrics."),
		wordOrNull("scope", read.TextShape, "The library that measured it; null where the program does not say."),
	}
	SaidSpanFields = []read.Field[map[string]any]{
		word("name", read.TextShape, "Its name."),
		wordOrNull("trace_id", read.TextShape, "Its trace: that of an attempt which was asked for during it."),
		wordOrNull("span_id", read.TextShape, "Its id."),
		wordOrNull("parent_id", read.TextShape, "The id of the span around it; null for none."),
		wordOrNull("kind", read.OneOf(saidSpanKind), "What it is about; null where the program does not say."),
		word("start_ms", instant, "When it began."),
		word("end_ms", instant, "When it ended."),
		word("status", read.OneOf(saidSpanStatus), "How it ended."),
		wordOrNull("message", read.TextShape, "What there is to say of an error; null for nothing."),
		word("attributes", own("a span"), "Its attributes."),
		word("resource", own("a resource"), "Who exported it, such as service.name."),
		wordOrNull("scope", read.TextShape, "The library that made it; null where the program does not say."),
		word("events", read.TupleOf(read.ShapeOf("an event of a span", saidEventFields)), "What happened during it."),
	}
	saidEventFields = []read.Field[map[string]any]{
		word("name", read.TextShape, "Its name."),
		word("at_ms", instant, "When it happened."),
		word("attributes", own("an event"), "Its attributes."),
	}
	SaidLogFields = []read.Field[map[string]any]{
		wordOrNull("severity", read.OneOf(saidSeverity), "Its level; null where the program does not say."),
		wordOrNull("severity_text", read.TextShape, "The program's own word for that; null for none."),
		word("body", read.AnyShape, "What was said."),
		word("at_ms", instant, "When it was said."),
		word("attributes", own("a log record"), "Its attributes."),
		word("resource", own("a resource"), "Who exported it, such as service.name."),
		wordOrNull("scope", read.TextShape, "The library that logged it; null where the program does not say."),
		wordOrNull("trace_id", read.TextShape, "The trace during which it was said; null for none."),
		wordOrNull("span_id", read.TextShape, "The span during which it was said; null for none."),
	}
)

// The shapes of what a program exported.
var (
	saidSeries = sync.OnceValue(func() *schema.Shape { return read.ShapeOf("a series", SaidSeriesFields) })
	saidSpan   = sync.OnceValue(func() *schema.Shape { return read.ShapeOf("a span", SaidSpanFields) })
	saidLog    = sync.OnceValue(func() *schema.Shape { return read.ShapeOf("a log record", SaidLogFields) })
)

// filterOf has of a shape what filters ask for; a pattern is any text.
func filterOf(s *schema.Shape, names []string) *schema.Shape {
	f := &schema.Shape{Kind: schema.ShapeObject, Name: "a filter", Observed: true, Attrs: map[string]*schema.Shape{}}
	for _, name := range names {
		f.Attrs[name] = s.Attrs[name]
	}
	for _, free := range []string{"body", "severity"} {
		if f.Attrs[free] != nil {
			f.Attrs[free] = read.TextShape
		}
	}
	return f
}

// CheckSaid lets the inference of an environment check what queries about the
// program's own words are given, and tells allowed of each; that returns what is
// wrong with asking it at all, nil for nothing.
func CheckSaid(env *dsl.Env, allowed func(name string, call *hclsyntax.FunctionCallExpr) hcl.Diagnostics) {
	others := env.Query
	env.Query = func(name string, call *hclsyntax.FunctionCallExpr, args []*schema.Shape) (*schema.Shape, hcl.Diagnostics) {
		if saidTable[name] == nil {
			shape, diags := others(name, call, args)
			for _, d := range diags {
				if d.Summary == "Unknown metric" {
					d.Detail += fmt.Sprintf(" What the program exports is asked for with sut.%s(…).", name)
				}
			}
			return shape, diags
		}
		if diags := allowed(name, call); diags != nil {
			return nil, diags
		}
		c := &queryCheck{env: env, call: call, args: args}
		switch name {
		case "sut.metric":
			return nil, append(c.text("the name of a metric"), c.given()...)
		case "sut.metrics":
			return read.TupleOf(saidSeries()), c.text("the name of a metric")
		case "sut.spans":
			return read.TupleOf(saidSpan()), c.filter(filterOf(saidSpan(), saidSpanFilter))
		}
		return read.TupleOf(saidLog()), c.filter(filterOf(saidLog(), saidLogFilter))
	}
}

// text checks that the first argument is one.
func (c *queryCheck) text(what string) hcl.Diagnostics {
	if s := c.args[0]; s != nil && s.Kind != schema.ShapeUnknown && s.Kind != schema.ShapeString {
		return c.wrong(0, "The first argument is "+what+", a string.")
	}
	return nil
}

// given checks that labels are an object.
func (c *queryCheck) given() hcl.Diagnostics {
	if len(c.args) < 2 || c.args[1] == nil {
		return nil
	}
	switch c.args[1].Kind {
	case schema.ShapeUnknown, schema.ShapeNull, schema.ShapeObject:
		return nil
	}
	return c.wrong(1, "Labels are an object of names and values, such as { state = "+dsl.Excerpt(c.call.Args[1])+" }.")
}

// filter checks a filter against what can be asked for.
func (c *queryCheck) filter(known *schema.Shape) hcl.Diagnostics {
	if len(c.args) == 0 || c.args[0] == nil || c.args[0].Kind == schema.ShapeUnknown || c.args[0].Kind == schema.ShapeNull {
		return nil
	}
	if c.args[0].Kind != schema.ShapeObject {
		return c.wrong(0, "A filter is an object, such as { "+example(known)+" = "+dsl.Excerpt(c.call.Args[0])+" }.")
	}
	return c.fits(known)
}

// example is the attribute of a filter that people ask for most.
func example(known *schema.Shape) string {
	if known.Attrs["name"] != nil {
		return "name"
	}
	return "body"
}

func (c *queryCheck) wrong(arg int, detail string) hcl.Diagnostics {
	rng := c.call.Args[arg].Range()
	return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Wrong value", Detail: detail, Subject: &rng}}
}
