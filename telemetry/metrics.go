package telemetry

import (
	"sort"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// Metrics computes the series of a run in one pass over its events, sorted by
// name and labels. The prefix is that of [Names].
func Metrics(events []trace.Event, prefix string) []Series {
	b := &metricBuilder{names: Names(prefix), workflows: make(map[scope]string), calls: make(map[place]*trace.Event)}
	for i := range events {
		b.take(&events[i])
	}
	return b.series()
}

// series are the observations with the names of their labels, sorted.
func (b *metricBuilder) series() []Series {
	if len(b.found) == 0 {
		return nil
	}
	size := 0
	for i := range b.found {
		size += len(b.names[b.found[i].key.metric].Labels)
	}
	labels := make([]Label, 0, size) // of all of them
	out := make([]Series, len(b.found))
	for i := range b.found {
		o := &b.found[i]
		first, names := len(labels), b.names[o.key.metric].Labels
		for _, place := range labelOrders()[o.key.metric] {
			if v := o.key.values[place]; v != "" {
				labels = append(labels, Label{names[place], v})
			}
		}
		out[i] = Series{Metric: &b.names[o.key.metric], Labels: labels[first:len(labels):len(labels)], Value: o.value, Values: o.values}
	}
	// Few, and sorted by what is linked anyway: a copy of slices.SortFunc for them has 14 kB.
	sort.SliceStable(out, func(i, j int) bool { return compareSeries(out[i], out[j]) < 0 })
	return out
}

// A seriesKey is a metric and the values of its labels, in their order.
type seriesKey struct {
	metric int
	values [4]string
}

// A scope is where a workflow runs: a call of the scenario, a step of another
// workflow.
type scope struct{ call, step string }

// observations are what will be a series.
type observations struct {
	key    seriesKey
	value  float64
	values []float64
}

type metricBuilder struct {
	names     []Metric
	found     []observations
	index     map[seriesKey]int // of found, once they are many
	workflows map[scope]string
	calls     map[place]*trace.Event // of a GenAI provider, that have not ended
	retrying  map[turn]*retrying     // steps that are tried again
}

// A turn is one execution of a step or a call.
type turn struct {
	call, step string
	iteration  int
}

// retrying is what is known of the retries of a step before it has ended.
type retrying struct {
	// begun counts the rounds that began, and until is when the wait for another
	// one is over, negative where there is none.
	begun int64
	until time.Duration
}

// fewSeries are found faster in a list, and most runs have no more.
const fewSeries = 32

func (b *metricBuilder) take(e *trace.Event) {
	b.retried(e)
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
		b.at(breakerState, e.Target).value = stateValue(e.Text("to"))
	case trace.Route:
		outcome := e.Text("outcome")
		b.count(routes, e.Actor, outcome)
		if e.Text("handler") != "" && e.Attr("forwarded") != true {
			b.count(attempts, b.workflow(e), address(e), e.Actor, RouteOutcome(outcome))
		}
	case trace.StepEnd:
		b.classified(e)
	}
}

// RouteOutcome is how a call of an actor ended as an attempt: "success",
// "cancelled" or "failure".
func RouteOutcome(outcome string) string {
	if outcome == "success" || outcome == "cancelled" {
		return outcome
	}
	return "failure"
}

// retried counts the rounds after the first. One has begun with the first event
// of its step after the wait for it; what no event tells of, such as a round
// whose every call was refused, the end of the step does.
func (b *metricBuilder) retried(e *trace.Event) {
	if len(b.retrying) == 0 && e.Type != trace.RetryWait && e.Type != trace.StepEnd || e.Step == "" && e.Call == "" {
		return
	}
	at := turn{e.Call, e.Step, e.Iteration}
	known := b.retrying[at]
	switch {
	case e.Type == trace.RetryWait:
		if known == nil {
			known = &retrying{}
			if b.retrying == nil {
				b.retrying = map[turn]*retrying{}
			}
			b.retrying[at] = known
		}
		known.until = e.At + time.Duration(e.Int("delay_ns"))
	case e.Type == trace.StepEnd:
		begun := int64(0)
		if known != nil {
			begun = known.begun
			delete(b.retrying, at)
		}
		if n := e.Int("retries") - begun; n > 0 {
			b.at(retries, b.workflow(e), address(e)).value += float64(n)
		}
	case known != nil && known.until >= 0 && e.At >= known.until && e.Type != trace.Timeout:
		known.begun++
		known.until = -1
		b.count(retries, b.workflow(e), address(e))
	}
}

// stateValue is how the gauge writes a breaker's state.
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
	if e.Text("operation") != "" {
		b.calls[attemptPlace(e)] = e
	}
}

func (b *metricBuilder) endAttempt(e *trace.Event) {
	workflow, step := b.workflow(e), address(e)
	b.count(attempts, workflow, step, e.Target, e.Text("outcome"))
	if by := e.Text("by"); (by == "script" || by == "cassette") && e.Text("fault_type") == "" {
		b.count(mockReplays, workflow, step, by)
	}
	if len(b.calls) == 0 {
		return
	}
	at := attemptPlace(e)
	if start := b.calls[at]; start != nil {
		delete(b.calls, at)
		b.endCall(start, e)
	}
}

// endCall observes a call of a GenAI provider.
func (b *metricBuilder) endCall(start, end *trace.Event) {
	operation, vendor, model := start.Text("operation"), start.Text("system"), start.Text("model")
	if vendor == "" {
		vendor = start.Text("provider")
	}
	b.observe((end.At - start.At).Seconds(), operationDuration, operation, vendor, model, end.Text("kind"))
	if in, out, ok := tokens(end.Attr("usage")); ok {
		b.observe(float64(in), tokenUsage, operation, vendor, model, "input")
		b.observe(float64(out), tokenUsage, operation, vendor, model, "output")
	}
}

// classified counts the outcome of a classifier: every one but ok is a
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

func (b *metricBuilder) count(metric int, values ...string) { b.at(metric, values...).value++ }

func (b *metricBuilder) observe(v float64, metric int, values ...string) {
	o := b.at(metric, values...)
	o.values = append(o.values, v)
}

// at returns what there is of a metric with these values of its labels. The
// pointer is good until the next call.
func (b *metricBuilder) at(metric int, values ...string) *observations {
	key := seriesKey{metric: metric}
	copy(key.values[:], values)
	i := b.find(&key)
	if i < 0 {
		i = len(b.found)
		b.add(key)
	}
	return &b.found[i]
}

// find returns the place of a series, -1 where there is none yet.
func (b *metricBuilder) find(key *seriesKey) int {
	if b.index != nil {
		if i, ok := b.index[*key]; ok {
			return i
		}
		return -1
	}
	for i := range b.found {
		if b.found[i].key == *key {
			return i
		}
	}
	return -1
}

func (b *metricBuilder) add(key seriesKey) {
	if b.found == nil {
		b.found = make([]observations, 0, fewSeries)
	}
	b.found = append(b.found, observations{key: key})
	switch n := len(b.found); {
	case b.index != nil:
		b.index[key] = n - 1
	case n > fewSeries:
		b.index = make(map[seriesKey]int, 2*n)
		for i := range b.found {
			b.index[b.found[i].key] = i
		}
	}
}
