package otlp

import (
	"bytes"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	"google.golang.org/protobuf/proto"

	"github.com/scenario-lang/scenario/telemetry"
)

// metricsData translates what the SDK collected for the wire: every instrument
// that telemetry has, with the virtual times of the suite and its points in
// order. On the wire MetricsData is the same as ExportMetricsServiceRequest.
func metricsData(rm *metricdata.ResourceMetrics, end time.Duration) *metricspb.MetricsData {
	t := metricWriter{uint64(telemetry.Epoch.UnixNano()), uint64(telemetry.Epoch.Add(end).UnixNano())}
	out := &metricspb.ResourceMetrics{Resource: &resourcepb.Resource{Attributes: keyValues(*rm.Resource.Set())}}
	for _, sm := range rm.ScopeMetrics {
		scope := &metricspb.ScopeMetrics{Scope: &commonpb.InstrumentationScope{Name: sm.Scope.Name}}
		for _, m := range sm.Metrics {
			scope.Metrics = append(scope.Metrics, t.metric(m))
		}
		slices.SortFunc(scope.Metrics, func(a, b *metricspb.Metric) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
		out.ScopeMetrics = append(out.ScopeMetrics, scope)
	}
	return &metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{out}}
}

// A metricWriter knows the times of all points.
type metricWriter struct{ start, end uint64 }

func (t metricWriter) metric(m metricdata.Metrics) *metricspb.Metric {
	out := &metricspb.Metric{Name: m.Name, Description: m.Description, Unit: m.Unit}
	const cumulative = metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE
	switch d := m.Data.(type) {
	case metricdata.Sum[int64]:
		out.Data = &metricspb.Metric_Sum{Sum: &metricspb.Sum{
			AggregationTemporality: cumulative, IsMonotonic: d.IsMonotonic,
			DataPoints: inOrder(d.DataPoints, t.whole),
		}}
	case metricdata.Gauge[float64]:
		out.Data = &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: inOrder(d.DataPoints, t.number)}}
	case metricdata.Histogram[float64]:
		out.Data = &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{
			AggregationTemporality: cumulative, DataPoints: inOrder(d.DataPoints, t.histogram),
		}}
	}
	return out
}

func (t metricWriter) whole(p metricdata.DataPoint[int64]) *metricspb.NumberDataPoint {
	return &metricspb.NumberDataPoint{
		Attributes: keyValues(p.Attributes), StartTimeUnixNano: t.start, TimeUnixNano: t.end,
		Value: &metricspb.NumberDataPoint_AsInt{AsInt: p.Value},
	}
}

func (t metricWriter) number(p metricdata.DataPoint[float64]) *metricspb.NumberDataPoint {
	return &metricspb.NumberDataPoint{
		Attributes: keyValues(p.Attributes), StartTimeUnixNano: t.start, TimeUnixNano: t.end,
		Value: &metricspb.NumberDataPoint_AsDouble{AsDouble: p.Value},
	}
}

func (t metricWriter) histogram(p metricdata.HistogramDataPoint[float64]) *metricspb.HistogramDataPoint {
	out := &metricspb.HistogramDataPoint{
		Attributes: keyValues(p.Attributes), StartTimeUnixNano: t.start, TimeUnixNano: t.end,
		Count: p.Count, Sum: &p.Sum, BucketCounts: p.BucketCounts, ExplicitBounds: p.Bounds,
	}
	if v, ok := p.Min.Value(); ok {
		out.Min = &v
	}
	if v, ok := p.Max.Value(); ok {
		out.Max = &v
	}
	return out
}

// inOrder translates points and sorts them by their attributes: the SDK gives
// them in the order of a map.
func inOrder[P any, M proto.Message](points []P, translate func(P) M) []M {
	type keyed struct {
		key   []byte
		point M
	}
	all := make([]keyed, len(points))
	for i, p := range points {
		m := translate(p)
		key, _ := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		all[i] = keyed{key, m}
	}
	slices.SortFunc(all, func(a, b keyed) int { return bytes.Compare(a.key, b.key) })
	out := make([]M, len(all))
	for i := range all {
		out[i] = all[i].point
	}
	return out
}

// keyValues are the labels of a point, which are all strings.
func keyValues(set attribute.Set) []*commonpb.KeyValue {
	var out []*commonpb.KeyValue
	for _, kv := range set.ToSlice() {
		value := &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: kv.Value.String()}}
		out = append(out, &commonpb.KeyValue{Key: string(kv.Key), Value: value})
	}
	return out
}
