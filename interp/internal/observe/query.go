package observe

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/trace"
)

// queries answer questions about a finished run from its trace. Metrics and
// spans are computed when the first question is asked.
type queries struct {
	of      *Observed
	plan    *plan.Plan
	events  []trace.Event
	prefix  string
	said    Said // nil where no program says anything
	series  []telemetry.Series
	spans   []telemetry.Span
	counted bool
	spanned bool
}

func (q *queries) allSeries() []telemetry.Series {
	if !q.counted {
		q.series, q.counted = telemetry.Metrics(q.events, q.prefix), true
	}
	return q.series
}

func (q *queries) allSpans() []telemetry.Span {
	if !q.spanned {
		q.spans, q.spanned = telemetry.Spans(q.plan.Header(), q.events), true
	}
	return q.spans
}

// queries are those about what the run has come to so far.
func (o *Observed) queries() *queries {
	return &queries{of: o, plan: o.Plan, events: o.Log.Events(), prefix: strings.TrimSuffix(o.Plan.Prefix, "_"), said: o.Sut.Said}
}

// queryTable holds the queries by the names of their functions.
var queryTable = map[string]func(q *queries, args []cty.Value) (cty.Value, error){
	"overlaps": func(_ *queries, args []cty.Value) (cty.Value, error) { return Overlaps(args) },
	"metric":   (*queries).metric,
	"metrics":  (*queries).metrics,
	"span":     (*queries).span,
	"spans":    (*queries).someSpans,
	"events":   (*queries).someEvents,

	"sut.metric": saidQuery("sut.metric"), "sut.metrics": saidQuery("sut.metrics"), "sut.spans": saidQuery("sut.spans"), "sut.logs": saidQuery("sut.logs"),
}

// Queries are the names of all queries, sorted. Nobody may change them.
var Queries = sync.OnceValue(func() []string { return slices.Sorted(maps.Keys(queryTable)) })

// functions are the queries that are called, as functions of the language, nil
// where none is.
func (q *queries) functions(need *read.Needs) map[string]function.Function {
	if len(need.Calls) == 0 {
		return nil
	}
	called := make(map[string]function.Function, len(need.Calls))
	for _, name := range need.Calls {
		called[name] = Query(func(args []cty.Value) (cty.Value, error) {
			q.of.queried(name)
			return queryTable[name](q, args)
		})
	}
	return called
}

func (q *queries) metric(args []cty.Value) (cty.Value, error) {
	name, labels, err := metricArgs(args)
	if err != nil {
		return read.Null, err
	}
	return cty.NumberFloatVal(telemetry.Query(q.allSeries(), name, labels)), nil
}

func (q *queries) metrics(args []cty.Value) (cty.Value, error) {
	name, _, err := metricArgs(args)
	if err != nil {
		return read.Null, err
	}
	var found []any
	for i := range q.allSeries() {
		if s := &q.series[i]; s.Name == name {
			found = append(found, s.Object())
		}
	}
	return plainTuple(found), nil
}

func (q *queries) someSpans(args []cty.Value) (cty.Value, error) {
	filter, err := filterArg("spans", args)
	if err != nil {
		return read.Null, err
	}
	var found []any
	for i := range q.allSpans() {
		if o := q.spans[i].Object(); trace.MatchValue(filter, o) {
			found = append(found, readableOf(o))
		}
	}
	return plainTuple(found), nil
}

func (q *queries) someEvents(args []cty.Value) (cty.Value, error) {
	filter, err := filterArg("events", args)
	if err != nil {
		return read.Null, err
	}
	var found []any
	for i := range q.events {
		if e := &q.events[i]; trace.Match(filter, e) {
			found = append(found, readableOf(e.Object()))
		}
	}
	return plainTuple(found), nil
}

// span is the only span of a name.
func (q *queries) span(args []cty.Value) (cty.Value, error) {
	name, ok := stringArg(args)
	if !ok {
		return read.Null, fmt.Errorf("span takes the name of a span")
	}
	var found *telemetry.Span
	var names []string
	for i := range q.allSpans() {
		s := &q.spans[i]
		names = append(names, s.Name)
		switch {
		case s.Name != name:
		case found != nil:
			return read.Null, fmt.Errorf("there are several spans named %q: spans({ name = %q }) gives them all", name, name)
		default:
			found = s
		}
	}
	if found == nil {
		return read.Null, fmt.Errorf("there is no span named %q; %s", name, spansNear(name, names))
	}
	return dsl.CtyValue(readableOf(found.Object())), nil
}

// spansNear names the span that was probably meant, or else the first that there
// are. It is the end of a sentence without its stop.
func spansNear(name string, names []string) string {
	if near := dsl.Suggest(name, names); near != "" {
		return fmt.Sprintf("did you mean %q", near)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	const most = 8
	list := fmt.Sprintf("%q", names[:min(len(names), most)])
	if len(names) > most {
		return fmt.Sprintf("the run has %s and %d more", list, len(names)-most)
	}
	return "the run has " + list
}

// Query is a function that answers about a run. Nothing that a condition reads
// is marked, and where that is allowed nobody looks for it.
func Query(f func(args []cty.Value) (cty.Value, error)) function.Function {
	return function.New(&function.Spec{
		VarParam: &function.Parameter{Name: "args", Type: cty.DynamicPseudoType, AllowNull: true, AllowDynamicType: true, AllowMarked: true},
		Type:     function.StaticReturnType(cty.DynamicPseudoType),
		Impl:     func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f(args) },
	})
}

func stringArg(args []cty.Value) (string, bool) {
	if len(args) == 0 || args[0].IsNull() || args[0].Type() != cty.String {
		return "", false
	}
	return args[0].AsString(), true
}

func metricArgs(args []cty.Value) (string, map[string]string, error) {
	name, ok := stringArg(args)
	if !ok {
		return "", nil, fmt.Errorf("the first argument is the name of a metric")
	}
	labels := map[string]string{}
	if len(args) > 1 && !args[1].IsNull() {
		if !args[1].Type().IsObjectType() {
			return "", nil, fmt.Errorf("the labels are an object { label = \"value\" }")
		}
		given := args[1].AsValueMap()
		for _, k := range read.SortedNames(given) {
			if v := given[k]; v.IsNull() || v.Type() != cty.String {
				return "", nil, fmt.Errorf("the label %q must be a string", k)
			}
			labels[k] = given[k].AsString()
		}
	}
	return name, labels, nil
}

func filterArg(name string, args []cty.Value) (map[string]any, error) {
	if len(args) == 0 || args[0].IsNull() {
		return map[string]any{}, nil
	}
	if !args[0].Type().IsObjectType() {
		return nil, fmt.Errorf("%s takes an object whose attributes must match, such as %s({ type = \"…\" })", name, name)
	}
	m, _ := dsl.GoValue(args[0]).(map[string]any)
	return m, nil
}

// readableOf makes a value of a trace readable for an expression.
func readableOf(v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[k] = readableOf(e)
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = readableOf(e)
		}
		return out
	case trace.Value:
		return dsl.GoValue(read.JsonValue(string(x.AppendJSON(nil))))
	case uint64:
		return int64(x)
	}
	return v
}

func plainTuple(list []any) cty.Value {
	if list == nil {
		list = []any{}
	}
	return dsl.CtyValue(list)
}
