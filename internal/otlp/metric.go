package otlp

import (
	"container/list"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// A Kind says how a metric adds up.
type Kind string

// The kinds of metric. A counter only grows, a gauge has a last value, of a
// histogram the observations are counted and added up. What goes up and down is
// a gauge, a summary is a histogram.
const (
	Counter   Kind = "counter"
	Gauge     Kind = "gauge"
	Histogram Kind = "histogram"
)

// A Series is a metric with one set of labels. Its maps are shared: they are to
// be read only.
type Series struct {
	Name, Unit string
	Kind       Kind
	Labels     map[string]any
	// Resource says who sent it, such as service.name, and Scope which library.
	// Series of two processes are two, whatever their labels.
	Resource map[string]any
	Scope    string
	// Value is how much a counter counted since [Store.Ready], the last value of
	// a gauge, and how many values a histogram observed since then.
	Value float64
	// Sum is that of a histogram's observed values since then.
	Sum float64
}

// Object is the series as expressions see it, in the form of the metrics of a
// trace.
func (s *Series) Object() map[string]any {
	o := map[string]any{
		"name": s.Name, "kind": string(s.Kind), "unit": orNil(s.Unit), "labels": s.Labels, "value": s.Value,
		"resource": s.Resource, "scope": orNil(s.Scope), "count": nil, "sum": nil,
	}
	if s.Kind == Histogram {
		o["count"], o["sum"] = int64(s.Value), s.Sum
	}
	return o
}

// Metric adds up the series of a metric that have these labels: what counters
// counted since [Store.Ready], the last values of gauges, how many values
// histograms observed since then. A label may also be an attribute of the
// resource, and compares by what it says: 200 is "200". Where no series has these
// values it is 0; a name that was never received, or a label that no series has,
// is an *[UnknownError].
func (s *Store) Metric(name string, labels map[string]any) (float64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.metrics.named(name)
	if len(all) == 0 {
		return 0, unknown("metric", name, s.metrics.names(), s.metrics.received)
	}
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if !slices.ContainsFunc(all, func(m *series) bool { _, has := m.label(key); return has }) {
			known := map[string]bool{}
			for _, m := range all {
				for key := range m.Labels {
					known[key] = true
				}
			}
			err := unknown("label", key, known, s.metrics.received)
			err.Of = name
			return 0, err
		}
	}
	sum := 0.0
	for _, m := range all {
		if m.has(labels) {
			sum += m.now().value
		}
	}
	if math.IsNaN(sum) {
		return 0, fmt.Errorf("the series of the metric %q add up to no number: they are infinite in both directions", name)
	}
	return sum, nil
}

// Exported reports whether series of a metric were sent, and do not only stand on
// a page.
func (s *Store) Exported(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.metrics.byName[name], func(m *series) bool { return !m.paged })
}

// Metrics are the series of a metric, of all where the name is "", by name and
// labels. A name that was never received is an *[UnknownError].
func (s *Store) Metrics(name string) ([]Series, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := []string{name}
	if name == "" {
		names = slices.Sorted(maps.Keys(s.metrics.names()))
	} else if len(s.metrics.named(name)) == 0 {
		return nil, unknown("metric", name, s.metrics.names(), s.metrics.received)
	}
	var list []Series
	for _, name := range names {
		of := slices.Clone(s.metrics.named(name))
		slices.SortFunc(of, func(a, b *series) int { return strings.Compare(a.key, b.key) })
		for _, m := range of {
			shown, now := m.Series, m.now()
			shown.Value, shown.Sum = now.value, now.sum
			list = append(list, shown)
		}
	}
	return list, nil
}

// A sample is what a point says: the value of a counter or a gauge; of a
// histogram how many were observed, and their sum.
type sample struct{ value, sum float64 }

func (a sample) plus(b sample) sample  { return sample{a.value + b.value, a.sum + b.sum} }
func (a sample) minus(b sample) sample { return sample{less(a.value, b.value), less(a.sum, b.sum)} }

// less is a without b; of two that grew beyond all numbers it is nothing.
func less(a, b float64) float64 {
	if math.IsInf(b, 0) {
		return 0
	}
	return a - b
}

// A told is a Series with what was sent of it where something is hidden: its labels, and the
// attributes of its resource.
type told struct {
	Series
	sent, origin asSent
}

// A series is a Series with how it came about.
type series struct {
	told
	key string
	// paged says that it stands on a page, and was not sent.
	paged bool
	// place is where it stands among all, the least recent first.
	place *list.Element

	// last is what was said last, of deltas their sum; carried is what was counted
	// before the program began anew, and ready what was by the mark.
	last, carried, ready sample
	// seen says that there is a last; start and at are those of its point, in
	// nanoseconds of Unix.
	seen      bool
	start, at uint64
}

// now is what the series says.
func (m *series) now() sample {
	if m.Kind == Gauge {
		return m.last
	}
	return m.carried.plus(m.last).minus(m.ready)
}

func (m *series) has(labels map[string]any) bool {
	for key, want := range labels {
		got, ok := m.label(key)
		if !ok || !says(got, want) && !says(m.plain(key), want) {
			return false
		}
	}
	return true
}

// says reports whether a label says what is asked for.
func says(got, want any) bool { return same(got, want) || fmt.Sprint(got) == fmt.Sprint(want) }

// plain is a label as it was sent, or as it is shown.
func (m *series) plain(key string) any {
	if v, ok := m.sent[key]; ok {
		return v
	}
	got, _ := m.label(key)
	if v, ok := m.origin[key]; ok && m.Labels[key] == nil {
		return v
	}
	return got
}

func (m *series) label(key string) (any, bool) {
	if v, ok := m.Labels[key]; ok {
		return v, true
	}
	v, ok := m.Resource[key]
	return v, ok
}

// A point is one measurement of a series.
type point struct {
	sample
	start, at uint64
	// delta says that it counts from the point before, and not from start.
	delta bool
}

// take adds a point. One that is older than the last, or sent twice, changes
// nothing.
func (m *series) take(p point) {
	if m.seen && p.at != 0 && (p.at < m.at || p.delta && p.at == m.at) {
		return
	}
	switch {
	case p.delta:
		m.last = m.last.plus(p.sample)
	case m.Kind != Gauge && m.seen && m.restarted(p):
		m.carried, m.last = m.carried.plus(m.last), p.sample
	default:
		m.last = p.sample
	}
	m.seen, m.start, m.at = true, p.start, p.at
}

// restarted reports whether a count has begun anew: it says so, or is less.
func (m *series) restarted(p point) bool {
	return p.value < m.last.value || p.start != 0 && m.start != 0 && p.start != m.start
}

// metrics are all series.
type metrics struct {
	byKey  map[string]*series
	byName map[string][]*series
	// order has the series by when they were heard of last.
	order             list.List
	received, dropped int
}

// add takes a point of a series, which is made where it is the first. A value
// that is no number says nothing, and neither does a count without end.
func (m *metrics) add(s told, paged bool, p point, most int) {
	if math.IsNaN(p.value) || math.IsNaN(p.sum) || s.Kind != Gauge && (math.IsInf(p.value, 0) || math.IsInf(p.sum, 0)) {
		return
	}
	m.received++
	key := fmt.Sprintf("%q %t %s %#v %q %#v", s.Name, paged, s.Kind, s.Labels, s.Scope, s.Resource)
	known := m.byKey[key]
	if known == nil {
		known = &series{told: s, key: key, paged: paged}
		m.insert(known, most)
	}
	m.order.MoveToBack(known.place)
	known.take(p)
}

func (m *metrics) insert(s *series, most int) {
	if m.byKey == nil {
		m.byKey, m.byName = map[string]*series{}, map[string][]*series{}
	}
	for len(m.byKey) >= most {
		oldest := m.order.Remove(m.order.Front()).(*series)
		delete(m.byKey, oldest.key)
		rest := slices.DeleteFunc(m.byName[oldest.Name], func(o *series) bool { return o == oldest })
		if m.byName[oldest.Name] = rest; len(rest) == 0 {
			delete(m.byName, oldest.Name)
		}
		m.dropped++
	}
	s.place = m.order.PushBack(s)
	m.byKey[s.key] = s
	m.byName[s.Name] = append(m.byName[s.Name], s)
}

// named are the series of a name: those that were sent, or else those that stand
// on a page, so that what a program says twice counts once.
func (m *metrics) named(name string) []*series {
	all := m.byName[name]
	if slices.ContainsFunc(all, func(s *series) bool { return !s.paged }) && slices.ContainsFunc(all, func(s *series) bool { return s.paged }) {
		return slices.DeleteFunc(slices.Clone(all), func(s *series) bool { return s.paged })
	}
	return all
}

func (m *metrics) names() map[string]bool {
	names := make(map[string]bool, len(m.byName))
	for name := range m.byName {
		names[name] = true
	}
	return names
}

func (m *metrics) mark() {
	for _, s := range m.byKey {
		s.ready = s.carried.plus(s.last)
	}
}
