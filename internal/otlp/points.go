package otlp

import (
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
)

// addMetrics keeps the points of a request.
func (s *Store) addMetrics(m *metricspb.MetricsData) {
	for _, rm := range m.GetResourceMetrics() {
		resource, origin := s.hide.attributes(object(rm.GetResource().GetAttributes()))
		for _, sm := range rm.GetScopeMetrics() {
			scope := s.hide.text(sm.GetScope().GetName())
			for _, metric := range sm.GetMetrics() {
				s.addPoints(metric, told{origin: origin, Series: Series{
					Name: s.hide.text(metric.GetName()), Unit: s.hide.text(metric.GetUnit()), Resource: resource, Scope: scope,
				}})
			}
		}
	}
}

// addPoints keeps the points of one metric.
func (s *Store) addPoints(m *metricspb.Metric, of told) {
	switch data := m.GetData().(type) {
	case *metricspb.Metric_Gauge:
		for _, p := range data.Gauge.GetDataPoints() {
			s.addNumber(of, Gauge, p, false)
		}
	case *metricspb.Metric_Sum:
		kind := Gauge
		if data.Sum.GetIsMonotonic() {
			kind = Counter
		}
		for _, p := range data.Sum.GetDataPoints() {
			s.addNumber(of, kind, p, isDelta(data.Sum.GetAggregationTemporality()))
		}
	case *metricspb.Metric_Histogram:
		for _, p := range data.Histogram.GetDataPoints() {
			s.addObserved(of, p, isDelta(data.Histogram.GetAggregationTemporality()))
		}
	case *metricspb.Metric_ExponentialHistogram:
		for _, p := range data.ExponentialHistogram.GetDataPoints() {
			s.addObserved(of, p, isDelta(data.ExponentialHistogram.GetAggregationTemporality()))
		}
	case *metricspb.Metric_Summary:
		for _, p := range data.Summary.GetDataPoints() {
			s.addObserved(of, p, false)
		}
	}
}

func isDelta(t metricspb.AggregationTemporality) bool {
	return t == metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA
}

// absent reports whether a point only says that there is none.
func absent(flags uint32) bool {
	return flags&uint32(metricspb.DataPointFlags_DATA_POINT_FLAGS_NO_RECORDED_VALUE_MASK) != 0
}

func (s *Store) addNumber(of told, kind Kind, p *metricspb.NumberDataPoint, delta bool) {
	if absent(p.GetFlags()) {
		return
	}
	value := p.GetAsDouble()
	if n, ok := p.GetValue().(*metricspb.NumberDataPoint_AsInt); ok {
		value = float64(n.AsInt)
	}
	of.Kind = kind
	of.Labels, of.sent = s.hide.attributes(object(p.GetAttributes()))
	s.metrics.add(of, false, point{sample: sample{value: value}, start: p.GetStartTimeUnixNano(), at: p.GetTimeUnixNano(), delta: delta}, s.most)
}

// An observed is a point of a histogram or a summary.
type observed interface {
	GetAttributes() []*commonpb.KeyValue
	GetCount() uint64
	GetSum() float64
	GetFlags() uint32
	GetStartTimeUnixNano() uint64
	GetTimeUnixNano() uint64
}

func (s *Store) addObserved(of told, p observed, delta bool) {
	if absent(p.GetFlags()) {
		return
	}
	of.Kind = Histogram
	of.Labels, of.sent = s.hide.attributes(object(p.GetAttributes()))
	s.metrics.add(of, false, point{
		sample: sample{value: float64(p.GetCount()), sum: p.GetSum()}, start: p.GetStartTimeUnixNano(), at: p.GetTimeUnixNano(), delta: delta,
	}, s.most)
}
