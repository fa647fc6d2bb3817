package otlp

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
)

const (
	cumulative = metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE
	delta      = metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA
)

// sent wraps metrics as a process with a name sends them.
func sent(service string, list ...*metricspb.Metric) *metricspb.MetricsData {
	return &metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{{
		Resource:     &resourcepb.Resource{Attributes: attrs("service.name", service)},
		ScopeMetrics: []*metricspb.ScopeMetrics{{Metrics: list}},
	}}}
}

func counter(name string, how metricspb.AggregationTemporality, points ...*metricspb.NumberDataPoint) *metricspb.Metric {
	return &metricspb.Metric{Name: name, Data: &metricspb.Metric_Sum{Sum: &metricspb.Sum{AggregationTemporality: how, IsMonotonic: true, DataPoints: points}}}
}

func gauge(name string, points ...*metricspb.NumberDataPoint) *metricspb.Metric {
	return &metricspb.Metric{Name: name, Data: &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: points}}}
}

func integer(start, at uint64, n int64, labels ...string) *metricspb.NumberDataPoint {
	return &metricspb.NumberDataPoint{StartTimeUnixNano: start, TimeUnixNano: at, Attributes: attrs(labels...), Value: &metricspb.NumberDataPoint_AsInt{AsInt: n}}
}

func double(at uint64, v float64) *metricspb.NumberDataPoint {
	return &metricspb.NumberDataPoint{TimeUnixNano: at, Value: &metricspb.NumberDataPoint_AsDouble{AsDouble: v}}
}

// What a series says after points of any temporality, in any order, and since
// the mark.
func TestWhatASeriesSays(t *testing.T) {
	type p = *metricspb.NumberDataPoint
	upDown := func(how metricspb.AggregationTemporality, points ...p) *metricspb.Metric {
		m := counter("m", how, points...)
		m.GetSum().IsMonotonic = false
		return m
	}
	none := integer(1, 9, 0)
	none.Flags = uint32(metricspb.DataPointFlags_DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK)
	observed := func(how metricspb.AggregationTemporality, points ...*metricspb.HistogramDataPoint) *metricspb.Metric {
		return &metricspb.Metric{Name: "m", Data: &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{AggregationTemporality: how, DataPoints: points}}}
	}
	seen := func(start, at, count uint64, sum float64) *metricspb.HistogramDataPoint {
		return &metricspb.HistogramDataPoint{StartTimeUnixNano: start, TimeUnixNano: at, Count: count, Sum: &sum}
	}
	summary := &metricspb.Metric{Name: "m", Data: &metricspb.Metric_Summary{Summary: &metricspb.Summary{DataPoints: []*metricspb.SummaryDataPoint{{Count: 4, Sum: 9}}}}}
	for name, c := range map[string]struct {
		before, after *metricspb.Metric
		value, sum    float64
	}{
		"the last of what adds up":               {nil, counter("m", cumulative, integer(1, 2, 3), integer(1, 3, 5)), 5, 0},
		"the sum of what was added":              {nil, counter("m", delta, integer(1, 2, 3), integer(2, 3, 5)), 8, 0},
		"since the mark, adding up":              {counter("m", cumulative, integer(1, 2, 3)), counter("m", cumulative, integer(1, 3, 5)), 2, 0},
		"since the mark, added":                  {counter("m", delta, integer(1, 2, 3)), counter("m", delta, integer(2, 3, 5)), 5, 0},
		"nothing since the mark":                 {counter("m", cumulative, integer(1, 2, 3)), nil, 0, 0},
		"begun anew, and it says so":             {counter("m", cumulative, integer(1, 2, 3)), counter("m", cumulative, integer(5, 6, 4)), 4, 0},
		"begun anew, and it is less":             {counter("m", cumulative, integer(0, 2, 3)), counter("m", cumulative, integer(0, 6, 1), integer(0, 7, 2)), 2, 0},
		"begun anew twice":                       {counter("m", cumulative, integer(1, 2, 10)), counter("m", cumulative, integer(5, 6, 4), integer(7, 8, 5), integer(7, 9, 6)), 10, 0},
		"late, and older than the last":          {nil, counter("m", cumulative, integer(1, 9, 7), integer(1, 3, 5)), 7, 0},
		"sent twice":                             {nil, counter("m", delta, integer(1, 2, 3), integer(1, 2, 3), integer(2, 3, 1)), 4, 0},
		"without times":                          {nil, counter("m", delta, integer(0, 0, 3), integer(0, 0, 3)), 6, 0},
		"no value":                               {nil, counter("m", cumulative, integer(1, 2, 3), none), 3, 0},
		"a gauge":                                {gauge("m", double(1, 5)), gauge("m", double(2, 0.25)), 0.25, 0},
		"a gauge, late":                          {nil, gauge("m", double(2, 0.25), double(1, 5)), 0.25, 0},
		"a gauge before the mark":                {gauge("m", double(1, 5)), nil, 5, 0},
		"a gauge that is no number":              {nil, gauge("m", double(1, 5), double(2, math.NaN())), 5, 0},
		"up and down, added":                     {upDown(delta, integer(1, 2, 5)), upDown(delta, integer(2, 3, -2)), 3, 0},
		"up and down, adding up":                 {upDown(cumulative, integer(1, 2, 5)), upDown(cumulative, integer(1, 3, -2)), -2, 0},
		"a histogram":                            {observed(cumulative, seen(1, 2, 2, 10)), observed(cumulative, seen(1, 3, 5, 11.5)), 3, 1.5},
		"a histogram of what was added":          {observed(delta, seen(1, 2, 2, 10)), observed(delta, seen(2, 3, 5, 11.5), seen(3, 4, 1, -1)), 6, 10.5},
		"a sum that is no number":                {nil, observed(cumulative, seen(1, 2, 2, 10), seen(1, 3, 5, math.NaN())), 2, 10},
		"a summary":                              {nil, summary, 4, 9},
		"floats are those that were sent, whole": {nil, counter("m", cumulative, double(1, 0.1), double(2, 0.3), double(3, 0.7)), 0.7, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := NewStore(Options{})
			if c.before != nil {
				taken(t, s, "/v1/metrics", sent("a", c.before))
			}
			s.Ready()
			if c.after != nil {
				taken(t, s, "/v1/metrics", sent("a", c.after))
			}
			list, err := s.Metrics("m")
			if err != nil || len(list) != 1 || list[0].Value != c.value || list[0].Sum != c.sum {
				t.Errorf("%+v, %v, want %v and the sum %v", list, err, c.value, c.sum)
			}
			if got, err := s.Metric("m", nil); got != c.value || err != nil {
				t.Errorf("%v, %v, want %v", got, err, c.value)
			}
		})
	}
}

// The series that have the labels are added up, those of several processes too;
// a label may be one of the process, and is compared by what it says.
func TestSeriesAreAddedUp(t *testing.T) {
	s := NewStore(Options{})
	status := integer(1, 2, 100, "target", "b")
	status.Attributes = append(status.Attributes, &commonpb.KeyValue{Key: "status", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: 503}}})
	for _, service := range []string{"one", "two"} {
		taken(t, s, "/v1/metrics", sent(service, counter("calls", cumulative, integer(1, 2, 1, "target", "a"), integer(1, 2, 10, "target", "b"), status)))
	}
	for _, c := range []struct {
		labels map[string]any
		want   float64
	}{
		{nil, 222},
		{map[string]any{"target": "a"}, 2},
		{map[string]any{"target": "b"}, 220},
		{map[string]any{"target": "b", "service.name": "one"}, 110},
		{map[string]any{"status": 503}, 200},
		{map[string]any{"status": 503.0}, 200},
		{map[string]any{"status": "503"}, 200},
		{map[string]any{"status": 500}, 0},
		{map[string]any{"target": "c"}, 0},
	} {
		if got, err := s.Metric("calls", c.labels); got != c.want || err != nil {
			t.Errorf("%v: %v, %v, want %v", c.labels, got, err, c.want)
		}
	}
	list, err := s.Metrics("")
	if err != nil || len(list) != 6 {
		t.Fatal(list, err)
	}
	want := map[string]any{
		"name": "calls", "kind": "counter", "unit": nil, "labels": map[string]any{"target": "a"}, "value": 1.0,
		"resource": map[string]any{"service.name": "one"}, "scope": nil, "count": nil, "sum": nil,
	}
	i := slices.IndexFunc(list, func(m Series) bool { return m.Value == 1 && m.Resource["service.name"] == "one" })
	if diff := cmp.Diff(want, list[i].Object()); diff != "" {
		t.Error(diff)
	}
	histogram := Series{Kind: Histogram, Value: 3, Sum: 1.5}
	if o := histogram.Object(); o["count"] != int64(3) || o["sum"] != 1.5 || o["value"] != 3.0 {
		t.Errorf("%v", o)
	}
}

// A question about a name that never came fails, and lists the nearest that did:
// written in another manner, mistyped, or part of it.
func TestUnknownNames(t *testing.T) {
	s := NewStore(Options{})
	ask := func(name string, labels map[string]any) *UnknownError {
		t.Helper()
		_, err := s.Metric(name, labels)
		var u *UnknownError
		if !errors.As(err, &u) {
			t.Fatalf("%s: %v", name, err)
		}
		return u
	}
	if u := ask("breaker.trips", nil); u.Received != 0 || !strings.Contains(u.Error(), "has sent no metric \"breaker.trips\", and no metric at all") {
		t.Errorf("%v", u)
	}
	var list []*metricspb.Metric
	for _, name := range []string{"http.client.duration", "circuit_breaker_trips_total", "breaker.state", "cache.hits", "cache.misses", "queue.length", "retries"} {
		list = append(list, counter(name, cumulative, integer(1, 2, 1, "target", "a", "state", "x")))
	}
	taken(t, s, "/v1/metrics", sent("a", list...))
	for asked, want := range map[string]string{
		"circuit.breaker.trips": "circuit_breaker_trips_total",
		"breaker.trips":         "circuit_breaker_trips_total",
		"cache.hit":             "cache.hits",
		"cache_misses":          "cache.misses",
		"Retries":               "retries",
	} {
		u := ask(asked, nil)
		if u.Nearest[0] != want || len(u.Nearest) != nearestMost || u.Known != 7 || !strings.Contains(u.Error(), fmt.Sprintf("%q; the nearest of 7 names that it has sent: %q, ", asked, want)) {
			t.Errorf("%s: %v", asked, u)
		}
	}
	u := ask("retries", map[string]any{"target": "a", "sate": "x"})
	if got := u.Error(); got != `no series of the metric "retries" has the label "sate"; they have "state", "target"` {
		t.Error(got)
	}
	if _, err := s.Metrics("retry"); err == nil {
		t.Error("a list of nothing")
	}
	if _, err := s.Spans(SpanQuery{Name: "ask"}); err == nil || !strings.Contains(err.Error(), "no span at all") {
		t.Errorf("%v", err)
	}
	spans, _, _ := everywhere("ask model")
	taken(t, s, "/v1/traces", spans)
	if _, err := s.Spans(SpanQuery{Name: "ask"}); err == nil || err.Error() != `the program has sent no span "ask"; it has sent "ask model"` {
		t.Errorf("%v", err)
	}
}

// The newest are kept, and it is known how many are not.
func TestTheNewestAreKept(t *testing.T) {
	s := NewStore(Options{Most: 3})
	for i := range 20 {
		spans, _, logs := everywhere(fmt.Sprintf("n%d", i))
		taken(t, s, "/v1/traces", spans)
		taken(t, s, "/v1/logs", logs)
		// The first series is heard of all the time.
		taken(t, s, "/v1/metrics", sent("a", gauge(fmt.Sprintf("n%d", i), double(1, 1)), gauge("n0", double(uint64(i), float64(i)))))
	}
	spans, err := s.Spans(SpanQuery{})
	var names []string
	for _, span := range spans {
		names = append(names, span.Name)
	}
	logs, _ := s.Logs(LogQuery{})
	for _, l := range logs {
		names = append(names, l.SeverityText)
	}
	metrics, _ := s.Metrics("")
	for _, m := range metrics {
		names = append(names, m.Name)
	}
	want := []string{"n17", "n18", "n19", "", "n19", "", "n0", "n18", "n19"}
	if !slices.Equal(names, want) || err != nil {
		t.Errorf("%q, %v, want %q", names, err, want)
	}
	if got := s.Dropped(); got != (Dropped{Spans: 17, Logs: 37, Series: 17}) {
		t.Errorf("%+v", got)
	}
	if got := s.Received(); got != (Received{Spans: 20, Logs: 40, Points: 40}) {
		t.Errorf("%+v", got)
	}
}

// What is kept is bounded in bytes, too.
func TestBytesAreBounded(t *testing.T) {
	var n newest[int]
	for i := range 1000 {
		n.add(i, bytesMost/10, Most)
	}
	if all := n.all(); len(all) != 10 || all[0] != 990 || n.dropped != 990 || n.bytes != bytesMost/10*10 || len(n.list) > 100 {
		t.Errorf("%v, %d dropped, %d bytes, room for %d", all, n.dropped, n.bytes, len(n.list))
	}
	n.add(1, bytesMost+1, Most)
	if len(n.all()) != 1 {
		t.Errorf("%v", n.all())
	}
}

// Many may send and ask at once, also from where they are told of changes.
func TestAllAtOnce(t *testing.T) {
	var s *Store
	s = NewStore(Options{Most: 50, Changed: func() {
		if _, err := s.Metric("n", nil); err != nil {
			t.Error(err)
		}
	}})
	taken(t, s, "/v1/metrics", sent("a", counter("n", delta, integer(0, 0, 0))))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for i := range 50 {
				spans, _, logs := everywhere(fmt.Sprint(i))
				taken(t, s, "/v1/traces", spans)
				taken(t, s, "/v1/logs", logs)
				taken(t, s, "/v1/metrics", sent("a", counter("n", delta, integer(0, 0, 1))))
				_, _ = s.Logs(LogQuery{Body: "*"})
			}
		})
	}
	group.Wait()
	if got, err := s.Metric("n", nil); got != 200 || err != nil {
		t.Errorf("%v, %v", got, err)
	}
}
