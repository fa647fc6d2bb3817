package telemetry

import (
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// Metrics computes the series of a run in one pass over its events, sorted by
// name and labels. The prefix is that of [Names].
func Metrics(events []trace.Event, prefix string) []Series {
	b := &metricBuilder{
		names:     Names(prefix),
		series:    make(map[seriesKey]int),
		workflows: make(map[scope]string),
		calls:     make(map[place]genAICall),
	}
	for i := range events {
		b.take(&events[i])
	}
	slices.SortFunc(b.out, compareSeries)
	return b.out
}

// A seriesKey is a metric and the values of its labels, in their order.
type seriesKey struct {
	metric int
	values [4]string
}

// A scope is where a workflow runs: a call of the scenario, a step of another
// workflow.
type scope struct{ call, step string }

// A genAICall is what the start of an attempt says for the GenAI metrics.
type genAICall struct {
	at                        time.Duration
	operation, vendor, wanted string
}

type metricBuilder struct {
	names     []Metric
	series    map[seriesKey]int
	out       []Series
	workflows map[scope]string
	calls     map[place]genAICall
}

func (b *metricBuilder) take(e *trace.Event) {
	switch e.Type {
	case trace.RunStart:
		b.workflows[scope{e.Call, e.Step}] = e.Text("workflow")
	case trace.AttemptStart:
		b.startAttempt(e)
	case trace.AttemptEnd:
		b.endAttempt(e)
	case trace.Fault:
		b.count(mockFaults, b.workflow(e), address(e), e.Text("fault_type"))
	case trace.Fallback:
		if gateway := e.Text("gateway"); gateway != "" {
			b.count(fallbacks, gateway, e.Text("to"))
		}
	case trace.Rejection:
		if e.Text("reason") == "circuit_open" {
			b.count(breakerRejections, e.Target)
		}
	case trace.Breaker:
		b.at(breakerState, e.Target).Value = stateValue(e.Text("to"))
	case trace.Route:
		b.count(routes, e.Actor, e.Text("outcome"))
	case trace.StepEnd:
		if n := e.Int("retries"); n > 0 {
			b.at(retries, b.workflow(e), address(e)).Value += float64(n)
		}
		b.classified(e)
	}
}

// stateValue is how the gauge writes a breaker's state (V38).
func stateValue(state string) float64 {
	switch state {
	case "open":
		return 1
	case "half_open":
		return 2
	}
	return 0
}

func (b *metricBuilder) startAttempt(e *trace.Event) {
	operation := e.Text("operation")
	if operation == "" {
		return
	}
	vendor := e.Text("system")
	if vendor == "" {
		vendor = e.Text("provider")
	}
	b.calls[attemptPlace(e)] = genAICall{e.At, operation, vendor, e.Text("model")}
}

func (b *metricBuilder) endAttempt(e *trace.Event) {
	workflow, step := b.workflow(e), address(e)
	b.count(attempts, workflow, step, e.Target, e.Text("outcome"))
	if by := e.Text("by"); (by == "script" || by == "cassette") && e.Text("fault_type") == "" {
		b.count(mockReplays, workflow, step, by)
	}
	at := attemptPlace(e)
	call, ok := b.calls[at]
	if !ok {
		return
	}
	delete(b.calls, at)
	b.observe((e.At - call.at).Seconds(), operationDuration, call.operation, call.vendor, call.wanted, e.Text("kind"))
	if in, out, ok := tokens(e.Attr("usage")); ok {
		b.observe(float64(in), tokenUsage, call.operation, call.vendor, call.wanted, "input")
		b.observe(float64(out), tokenUsage, call.operation, call.vendor, call.wanted, "output")
	}
}

// classified counts the outcome of a classifier (§10): every one but ok is a
// fallback, every one but ok and failed a parse failure.
func (b *metricBuilder) classified(e *trace.Event) {
	classifier, outcome := e.Text("classifier"), e.Text("outcome")
	if classifier == "" || outcome == "" || outcome == "ok" {
		return
	}
	b.count(classifierFallbacks, classifier)
	if outcome != "failed" {
		b.count(parseFailures, classifier, outcome)
	}
}

// workflow names the workflow an event belongs to: that of the step whose name
// begins its own, of its call, or of the scenario.
func (b *metricBuilder) workflow(e *trace.Event) string {
	for step := e.Step; ; {
		if name, ok := b.workflows[scope{e.Call, step}]; ok && step != e.Step {
			return name
		}
		dot := strings.LastIndexByte(step, '.')
		if dot < 0 {
			break
		}
		step = step[:dot]
	}
	if name, ok := b.workflows[scope{call: e.Call}]; ok {
		return name
	}
	return b.workflows[scope{}]
}

func (b *metricBuilder) count(metric int, values ...string) { b.at(metric, values...).Value++ }

func (b *metricBuilder) observe(v float64, metric int, values ...string) {
	s := b.at(metric, values...)
	s.Values = append(s.Values, v)
}

// at returns the series of a metric with these values of its labels. The
// pointer is good until the next call.
func (b *metricBuilder) at(metric int, values ...string) *Series {
	key := seriesKey{metric: metric}
	copy(key.values[:], values)
	i, ok := b.series[key]
	if !ok {
		i = len(b.out)
		b.series[key] = i
		b.out = append(b.out, Series{Metric: &b.names[metric], Labels: labels(b.names[metric].Labels, values)})
	}
	return &b.out[i]
}

func labels(keys, values []string) []Label {
	out := make([]Label, 0, len(values))
	for i, v := range values {
		if v != "" {
			out = append(out, Label{keys[i], v})
		}
	}
	slices.SortFunc(out, func(a, b Label) int { return strings.Compare(a.Key, b.Key) })
	return out
}
