package observe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Said answers what the program under test said of itself: the names are its own,
// and so a question about one that it never used is an error, which people read.
// None of it is in the trace. It is safe for concurrent use.
type Said interface {
	// Metric adds up the series of a metric that have these labels.
	Metric(name string, labels map[string]any) (float64, error)
	// Metrics are the series of a metric, of all where the name is "". What this and
	// the others return is objects of the attributes in [SaidSeriesFields] and the
	// like.
	Metrics(name string) ([]any, error)
	// Spans and Logs are those that have what a filter asks for: of spans name,
	// status, trace_id and attributes, of logs severity, body and attributes.
	Spans(filter map[string]any) ([]any, error)
	Logs(filter map[string]any) ([]any, error)
}

// saidTable holds the queries about what a program said.
var saidTable = map[string]func(s Said, args []cty.Value) (cty.Value, error){
	"sut.metric":  saidMetric,
	"sut.metrics": saidMetrics,
	"sut.spans": func(s Said, args []cty.Value) (cty.Value, error) {
		return saidList("sut.spans", saidSpanFilter, s.Spans, args)
	},
	"sut.logs": func(s Said, args []cty.Value) (cty.Value, error) {
		return saidList("sut.logs", saidLogFilter, s.Logs, args)
	},
}

// saidQuery is a query about what the program said, which has to be there.
//
//go:noinline
func saidQuery(name string) func(q *queries, args []cty.Value) (cty.Value, error) {
	return func(q *queries, args []cty.Value) (cty.Value, error) {
		if q.said == nil {
			return read.Null, fmt.Errorf("what a program said of itself is in no trace: it is known while a run is judged")
		}
		return saidTable[name](q.said, args)
	}
}

func saidMetric(s Said, args []cty.Value) (cty.Value, error) {
	name, ok := stringArg(args)
	if !ok {
		return read.Null, fmt.Errorf("the first argument is the name of a metric")
	}
	labels := map[string]any{}
	if len(args) > 1 && !args[1].IsNull() {
		if !args[1].Type().IsObjectType() && !args[1].Type().IsMapType() {
			return read.Null, fmt.Errorf("the labels are an object { label = \"value\" }")
		}
		labels, _ = dsl.GoValue(args[1]).(map[string]any)
		if err := scalars("the label", labels); err != nil {
			return read.Null, err
		}
	}
	value, err := s.Metric(name, labels)
	if err != nil {
		return read.Null, err
	}
	return cty.NumberFloatVal(value), nil
}

func saidMetrics(s Said, args []cty.Value) (cty.Value, error) {
	name, ok := stringArg(args)
	if !ok || name == "" {
		return read.Null, fmt.Errorf("the argument is the name of a metric; sut.metrics, without parentheses, are the series of all")
	}
	list, err := s.Metrics(name)
	if err != nil {
		return read.Null, err
	}
	return plainTuple(list), nil
}

// What filters ask for.
var (
	saidSpanFilter = []string{"attributes", "name", "status", "trace_id"}
	saidLogFilter  = []string{"attributes", "body", "severity"}
)

// saidList is what a filter finds.
func saidList(query string, known []string, find func(map[string]any) ([]any, error), args []cty.Value) (cty.Value, error) {
	filter, err := filterArg(query, args)
	if err != nil {
		return read.Null, err
	}
	for _, key := range read.SortedNames(filter) {
		v := filter[key]
		attributes, isObject := v.(map[string]any)
		switch {
		case !slices.Contains(known, key):
			return read.Null, fmt.Errorf("a filter of %s has no %q: it has %s", query, key, strings.Join(known, ", "))
		case v == nil:
			return read.Null, fmt.Errorf("%s in the filter of %s is null: leave it out where it does not matter", key, query)
		case key == "attributes" && !isObject:
			return read.Null, fmt.Errorf("the attributes in the filter of %s are an object", query)
		case key == "attributes":
			if err := scalars("the attribute", attributes); err != nil {
				return read.Null, err
			}
		default:
			if _, ok := v.(string); !ok {
				return read.Null, fmt.Errorf("%s in the filter of %s is a string", key, query)
			}
		}
	}
	list, err := find(filter)
	if err != nil {
		return read.Null, err
	}
	return plainTuple(list), nil
}

// scalars refuses values that nothing is compared with.
func scalars(what string, values map[string]any) error {
	for _, key := range read.SortedNames(values) {
		switch values[key].(type) {
		case string, bool, int, int64, float64:
		default:
			return fmt.Errorf("%s %q must be a string, a number or a boolean", what, key)
		}
	}
	return nil
}
