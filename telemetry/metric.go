package telemetry

import (
	"slices"
	"strings"
	"sync"
)

// MetricKind says how a metric adds up.
type MetricKind string

// The kinds of metric: a counter adds up, a gauge keeps the last value, a
// histogram keeps every observation.
const (
	Counter   MetricKind = "counter"
	Gauge     MetricKind = "gauge"
	Histogram MetricKind = "histogram"
)

// A Metric describes one metric: for documentation, and for checking names and
// labels before anything runs.
type Metric struct {
	Name string
	Kind MetricKind
	Unit string
	Doc  string
	// Labels are the names of its labels, in the order of the documentation.
	// A label with an empty value is left out of a series.
	Labels []string
	// Buckets are the upper bounds of a histogram, as exported.
	Buckets []float64
}

// The places of the metrics in their table.
const (
	mockFaults = iota
	mockReplays
	attempts
	retries
	fallbacks
	breakerRejections
	parseFailures
	classifierFallbacks
	routes
	breakerState
	operationDuration
	tokenUsage
)

const defaultPrefix = "scenario"

// Names returns the metrics under a prefix, "scenario"
// where it is empty. The two of the GenAI conventions have none. The slice and
// what it holds are the caller's to read only.
func Names(prefix string) []Metric {
	prefix = strings.TrimSuffix(prefix, "_")
	if prefix == "" || prefix == defaultPrefix {
		return defaultNames()
	}
	return names(prefix)
}

var defaultNames = sync.OnceValue(func() []Metric { return names(defaultPrefix) })

// labelOrders says of every metric where its labels stand in the order of their
// names.
var labelOrders = sync.OnceValue(func() [][]int {
	orders := make([][]int, len(defaultNames()))
	for i, m := range defaultNames() {
		for place := range m.Labels {
			orders[i] = append(orders[i], place)
		}
		slices.SortStableFunc(orders[i], func(a, b int) int { return strings.Compare(m.Labels[a], m.Labels[b]) })
	}
	return orders
})

func names(prefix string) []Metric {
	p := prefix + "_"
	return []Metric{
		mockFaults:          {p + "mock_fault_total", Counter, "{fault}", "faults injected", []string{"workflow", "step_id", "fault_type"}, nil},
		mockReplays:         {p + "mock_replays_total", Counter, "{reply}", "attempts answered by the script or a cassette without a fault", []string{"workflow", "step_id", "matched_by"}, nil},
		attempts:            {p + "attempts_total", Counter, "{attempt}", "dials and calls of actors, by how they ended", []string{"workflow", "step_id", "target", "outcome"}, nil},
		retries:             {p + "retries_total", Counter, "{retry}", "rounds after the first", []string{"workflow", "step_id"}, nil},
		fallbacks:           {p + "fallbacks_total", Counter, "{answer}", "answers that did not come from a gateway's first target", []string{"gateway", "target"}, nil},
		breakerRejections:   {p + "breaker_rejections_total", Counter, "{call}", "calls refused by an open breaker", []string{"target"}, nil},
		parseFailures:       {p + "classifier_parse_failures_total", Counter, "{answer}", "classifier answers that could not be used", []string{"classifier", "outcome"}, nil},
		classifierFallbacks: {p + "classifier_fallbacks_total", Counter, "{text}", "texts that went to a classifier's fallback", []string{"classifier"}, nil},
		routes:              {p + "routes_total", Counter, "{call}", "calls routed to an actor", []string{"actor", "outcome"}, nil},
		breakerState:        {p + "breaker_state", Gauge, "", "state of a breaker: 0 closed, 1 open, 2 half-open", []string{"target"}, nil},
		operationDuration:   {metricGenAIDuration, Histogram, "s", "time of a GenAI call", []string{attrGenAIOperation, attrGenAIProvider, attrGenAIRequestModel, attrErrorType}, durationBuckets},
		tokenUsage:          {metricGenAITokens, Histogram, "{token}", "tokens of a GenAI call", []string{attrGenAIOperation, attrGenAIProvider, attrGenAIRequestModel, attrGenAITokenType}, tokenBuckets},
	}
}

// A Series is what one metric says under one set of labels.
type Series struct {
	*Metric
	// Labels are sorted by key; empty ones are left out.
	Labels []Label
	// Value is the sum of a counter, the last value of a gauge.
	Value float64
	// Values are the observations of a histogram, in order.
	Values []float64
}

// A Label is one dimension of a series.
type Label struct{ Key, Value string }

// Sum adds the observations of a histogram.
func (s *Series) Sum() (sum float64) {
	for _, v := range s.Values {
		sum += v
	}
	return sum
}

// Object returns the series as expressions see it.
func (s *Series) Object() map[string]any {
	labels := make(map[string]any, len(s.Labels))
	for _, l := range s.Labels {
		labels[l.Key] = l.Value
	}
	o := map[string]any{"name": s.Name, "kind": string(s.Kind), "labels": labels, "value": s.number()}
	if s.Kind == Histogram {
		o["count"], o["sum"] = int64(len(s.Values)), s.Sum()
	}
	return o
}

// number is what the series adds to a query.
func (s *Series) number() float64 {
	if s.Kind == Histogram {
		return float64(len(s.Values))
	}
	return s.Value
}

// label returns the value of a label, "" where the series does not have it.
func (s *Series) label(key string) string {
	for _, l := range s.Labels {
		if l.Key == key {
			return l.Value
		}
	}
	return ""
}

// Query adds all series of that name which have these labels: the values of
// counters and gauges, the observations of histograms counted. It is 0 where
// there is no such series.
func Query(series []Series, name string, labels map[string]string) float64 {
	sum := 0.0
	for i := range series {
		if s := &series[i]; s.Name == name && s.has(labels) {
			sum += s.number()
		}
	}
	return sum
}

func (s *Series) has(labels map[string]string) bool {
	for key, value := range labels {
		if s.label(key) != value {
			return false
		}
	}
	return true
}

// compareSeries orders by name, then by labels.
func compareSeries(a, b Series) int {
	if c := strings.Compare(a.Name, b.Name); c != 0 {
		return c
	}
	return slices.CompareFunc(a.Labels, b.Labels, func(x, y Label) int {
		if c := strings.Compare(x.Key, y.Key); c != 0 {
			return c
		}
		return strings.Compare(x.Value, y.Value)
	})
}
