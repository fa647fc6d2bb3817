package observe

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/trace"
)

// CheckQueries lets the inference of an environment check what queries are given:
// the metric and its labels, what a filter of events or spans asks for. A filter
// that nothing can match finds nothing, and most conditions over nothing hold.
// It knows the shapes of what queries find, too. The nodes are the steps that the scenario
// can run, by their names: what none of them emits is no word.
func CheckQueries(env *dsl.Env, prefix string, nodes func() map[string]*plan.Node) {
	withEmitters(env, nodes)
	env.Query = func(name string, call *hclsyntax.FunctionCallExpr, args []*schema.Shape) (*schema.Shape, hcl.Diagnostics) {
		c := &queryCheck{env: env, call: call, args: args}
		switch name {
		case "events":
			return c.events()
		case "spans":
			return read.TupleOf(spanShape()), c.fits(spanShape())
		case "span":
			return spanShape(), c.named(spanName)
		case "metric", "metrics":
			return c.metric(prefix)
		}
		return nil, nil
	}
}

type queryCheck struct {
	env  *dsl.Env
	call *hclsyntax.FunctionCallExpr
	args []*schema.Shape
}

// fits checks a filter against what it is of.
func (c *queryCheck) fits(known *schema.Shape) hcl.Diagnostics {
	if len(c.args) == 0 || c.args[0].Kind != schema.ShapeObject {
		return nil
	}
	return dsl.Fit{Env: c.env, Expr: c.call.Args[0], Given: c.args[0], Known: known, Filter: true}.Check()
}

// named checks the name that a query is given.
func (c *queryCheck) named(w *schema.Words) hcl.Diagnostics {
	if len(c.args) == 0 {
		return nil
	}
	return c.meets(0, read.OneOf(w))
}

func (c *queryCheck) meets(arg int, known *schema.Shape) hcl.Diagnostics {
	why := c.env.Meet(stdlib.Meeting{A: known, B: c.args[arg]})
	if why == "" {
		return nil
	}
	rng := c.call.Args[arg].Range()
	return hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Unknown name", Detail: why, Subject: &rng}}
}

// events checks a filter of events against the types that it asks for.
func (c *queryCheck) events() (*schema.Shape, hcl.Diagnostics) {
	known := anyEvent()
	if len(c.args) > 0 && c.args[0].Attrs["type"] != nil {
		types := c.args[0].Attrs["type"].Texts
		switch all := eventShapes(); {
		case slices.ContainsFunc(types, func(t string) bool { return all[t] == nil }): // reported by its type
			known = &schema.Shape{Kind: schema.ShapeObject, Name: known.Name, Observed: true, Open: true, Attrs: map[string]*schema.Shape{"type": known.Attrs["type"]}}
		case len(types) == 1:
			known = all[types[0]]
		}
	}
	return read.TupleOf(known), c.fits(known)
}

// metric checks the name of a metric and its labels.
func (c *queryCheck) metric(prefix string) (*schema.Shape, hcl.Diagnostics) {
	if len(c.args) == 0 {
		return nil, nil
	}
	metrics := telemetry.Names(prefix)
	names := make([]string, len(metrics))
	for i := range metrics {
		names[i] = metrics[i].Name
	}
	if diags := c.meets(0, read.OneOf(read.Among("metric", names...))); diags != nil {
		diags[0].Summary = "Unknown metric"
		return nil, diags
	}
	series := seriesShape(nil, prefix)
	if texts := c.args[0].Texts; len(texts) == 1 {
		if i := slices.Index(names, texts[0]); i >= 0 {
			series = seriesShape(&metrics[i], prefix)
		}
	}
	var gives *schema.Shape
	if c.call.Name == "metrics" {
		gives = read.TupleOf(series)
	}
	if len(c.args) < 2 {
		return gives, nil
	}
	return gives, c.labels(series.Attrs["labels"])
}

func (c *queryCheck) labels(known *schema.Shape) hcl.Diagnostics {
	given, expr := c.args[1], c.call.Args[1]
	labels := read.SortedNames(known.Attrs)
	switch given.Kind {
	case schema.ShapeUnknown, schema.ShapeNull:
		return nil
	case schema.ShapeObject:
		diags := dsl.Fit{Env: c.env, Expr: expr, Given: given, Known: known, Filter: true}.Check()
		for _, d := range diags {
			if d.Summary == "Unknown attribute" {
				d.Summary, d.Detail = "Unknown label", strings.Replace(d.Detail, "has no attribute", "has no label", 1)+" Its labels are: "+strings.Join(labels, ", ")+"."
			}
		}
		return diags
	}
	rng, example := expr.Range(), "label"
	if len(labels) > 0 {
		example = labels[len(labels)-1]
	}
	return hcl.Diagnostics{{
		Severity: hcl.DiagError, Summary: "Unknown label", Subject: &rng,
		Detail: fmt.Sprintf("Labels are an object of names and values, such as { %s = %s }.", example, dsl.Excerpt(expr)),
	}}
}

// seriesShape is a series of a metric, nil for any.
func seriesShape(m *telemetry.Metric, prefix string) *schema.Shape {
	labels := schema.OpenObject()
	labels.Name, labels.Observed = "a metric", true
	if m != nil {
		labels.Name, labels.Open, labels.Attrs = fmt.Sprintf("the metric %q", m.Name), false, make(map[string]*schema.Shape, len(m.Labels))
		short := shortName(m.Name, prefix)
		for _, label := range m.Labels {
			labels.Attrs[label] = read.TextShape
			if w := cmpWords(labelWords[short+"."+label], labelWords[label]); w != nil {
				labels.Attrs[label] = read.OneOf(w)
			}
		}
	}
	return &schema.Shape{Kind: schema.ShapeObject, Name: "a series", Observed: true, Attrs: map[string]*schema.Shape{
		"name": read.TextShape, "kind": read.OneOf(metricKind), "labels": labels, "value": read.AnyNumberShape, "count": read.NumberShape, "sum": read.AnyNumberShape,
	}}
}

// shortName is the name of a metric without the prefix.
func shortName(name, prefix string) string {
	return strings.TrimPrefix(name, cmp.Or(strings.TrimSuffix(prefix, "_"), "scenario")+"_")
}

func cmpWords(special, usual *schema.Words) *schema.Words {
	if special != nil {
		return special
	}
	return usual
}

// spanShape is a span as expressions see it.
var spanShape = sync.OnceValue(func() *schema.Shape {
	attributes := &schema.Shape{Kind: schema.ShapeObject, Name: "a span", Observed: true, Attrs: map[string]*schema.Shape{}}
	for _, a := range telemetry.SpanAttributes() {
		attributes.Attrs[a.Name] = attrShape(a, spanWords[a.Name])
	}
	of := &schema.Shape{Kind: schema.ShapeObject, Name: "an event of a span", Observed: true, Attrs: map[string]*schema.Shape{}}
	for _, t := range event.Types() {
		for _, a := range t.Attrs {
			of.Attrs[a.Name] = either(of.Attrs[a.Name], attrShape(a, wordsOfEvent(t.Type, a.Name)))
		}
	}
	of.Attrs["actor"], of.Attrs["target"] = read.OneOf(read.Actor), read.OneOf(read.Callee)
	note := &schema.Shape{Kind: schema.ShapeObject, Name: "an event of a span", Observed: true, Attrs: map[string]*schema.Shape{
		"name": read.OneOf(eventType), "at_ms": read.NumberShape, "attributes": of,
	}}
	return &schema.Shape{Kind: schema.ShapeObject, Name: "a span", Observed: true, Attrs: map[string]*schema.Shape{
		"name": read.OneOf(spanName), "start_ms": read.NumberShape, "end_ms": read.NumberShape, "status": read.OneOf(spanStatus), "attributes": attributes, "events": read.TupleOf(note),
	}}
})

// eventShapes are the types of events as expressions see them.
var eventShapes = sync.OnceValue(func() map[string]*schema.Shape {
	all := map[string]*schema.Shape{}
	for _, t := range event.Types() {
		s := &schema.Shape{Kind: schema.ShapeObject, Name: fmt.Sprintf("an event of type %q", t.Type), Observed: true, Attrs: commonAttrs(t.Type)}
		for _, a := range t.Attrs {
			s.Attrs[a.Name] = attrShape(a, wordsOfEvent(t.Type, a.Name))
			if name, ns := strings.CutSuffix(a.Name, "_ns"); ns {
				s.Attrs[a.Name], s.Attrs[name+"_ms"] = read.NumberShape, read.NumberShape
			}
		}
		all[string(t.Type)] = s
	}
	return all
})

// anyEvent is an event of any type.
var anyEvent = sync.OnceValue(func() *schema.Shape {
	s := &schema.Shape{Kind: schema.ShapeObject, Name: "an event", Observed: true, Attrs: map[string]*schema.Shape{}}
	all := eventShapes()
	for _, t := range slices.Sorted(maps.Keys(all)) {
		for name, a := range all[t].Attrs {
			s.Attrs[name] = either(s.Attrs[name], a)
		}
	}
	// Whatever has a step or a target, of any kind.
	s.Attrs["step"], s.Attrs["target"] = read.OneOf(read.Step), read.OneOf(read.Callee)
	return s
})

// either is an attribute of one of several types of event, nil for none so far.
func either(a, b *schema.Shape) *schema.Shape {
	if a == nil || a == b {
		return b
	}
	if s := schema.Common([]*schema.Shape{a, b}); s != nil {
		return s
	}
	return read.AnyShape
}

// commonAttrs are what every event of a type may have: what it is about, and when
// it was.
func commonAttrs(t trace.Type) map[string]*schema.Shape {
	attrs := map[string]*schema.Shape{}
	full := trace.Event{Type: t, Step: "s", Call: "c", Actor: "a", Target: "t", Attempt: 1, Round: 1, Turn: 1, Iteration: 1}
	for key, v := range full.Object() {
		switch _, text := v.(string); {
		case text:
			attrs[key] = read.OneOf(wordsOfEvent(t, key))
		case key == "attempt", key == "round", key == "turn", key == "iteration", key == "seq":
			attrs[key] = read.CountShape
		default:
			attrs[key] = read.NumberShape
		}
	}
	return attrs
}

// attrShape is what the reference says of an attribute, with the closed set that
// it is of.
func attrShape(a trace.AttrInfo, w *schema.Words) *schema.Shape {
	switch a.Type {
	case "string":
		if w != nil {
			return read.OneOf(w)
		}
		return read.TextShape
	case "list":
		if w != nil {
			return read.ListOf(w)
		}
		return read.TupleOf(nil)
	case "bool":
		return read.BoolShape
	case "int", "number", "duration":
		return read.AnyNumberShape
	case "object":
		return read.OpenShape
	}
	return read.AnyShape
}
