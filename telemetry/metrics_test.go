package telemetry

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/telemetry/internal/fixture"
	"github.com/scenario-lang/scenario/trace"
)

// specMetrics is the list of the specification.
const specMetrics = `scenario_mock_fault_total{workflow, step_id, fault_type}
scenario_mock_replays_total{workflow, step_id, matched_by}
scenario_attempts_total{workflow, step_id, target, outcome}
scenario_retries_total{workflow, step_id}
scenario_fallbacks_total{gateway, target}
scenario_breaker_rejections_total{target}
scenario_classifier_parse_failures_total{classifier, outcome}
scenario_classifier_fallbacks_total{classifier}
scenario_routes_total{actor, outcome}
scenario_breaker_state{target}`

// Names lists the metrics of §13 with their labels, and the two of the GenAI
// conventions, whatever the prefix is.
func TestNames(t *testing.T) {
	want := strings.Split(specMetrics, "\n")
	var got []string
	for _, m := range Names("") {
		if !strings.HasPrefix(m.Name, "gen_ai.") {
			got = append(got, m.Name+"{"+strings.Join(m.Labels, ", ")+"}")
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, prefix := range []string{"agentloom", "agentloom_"} {
		renamed := Names(prefix)
		if renamed[mockFaults].Name != "agentloom_mock_fault_total" || renamed[tokenUsage].Name != "gen_ai.client.token.usage" ||
			renamed[operationDuration].Name != "gen_ai.client.operation.duration" {
			t.Errorf("prefix %q: %v", prefix, renamed)
		}
	}
	if len(Names("")) != 12 {
		t.Errorf("%d metrics", len(Names("")))
	}
}

// Each counter of a run has the value that its events add up to.
func TestMetricsOfARun(t *testing.T) {
	series := Metrics(fixture.FallbackRun(), "")
	for _, tc := range []struct {
		query string
		want  float64
	}{
		{`scenario_mock_fault_total`, 1},
		{`scenario_mock_fault_total{workflow=support,step_id=ask,fault_type=timeout}`, 1},
		{`scenario_mock_fault_total{fault_type=http_error}`, 0},
		{`scenario_mock_replays_total{matched_by=script}`, 1},
		{`scenario_mock_replays_total{workflow=support,step_id=page,matched_by=cassette}`, 1},
		{`scenario_attempts_total`, 3},
		{`scenario_attempts_total{outcome=success}`, 2},
		{`scenario_attempts_total{workflow=support,step_id=ask,target=primary,outcome=failure}`, 1},
		{`scenario_retries_total{step_id=page}`, 1},
		{`scenario_retries_total{step_id=ask}`, 0},
		{`scenario_fallbacks_total{gateway=llm,target=backup}`, 1},
		{`scenario_breaker_rejections_total{target=primary}`, 1},
		{`scenario_breaker_state{target=primary}`, 1},
		{`scenario_breaker_state{target=backup}`, 0},
		{`gen_ai.client.operation.duration`, 2},
		{`gen_ai.client.operation.duration{error.type=timeout,gen_ai.request.model=gpt-4o-mini}`, 1},
		{`gen_ai.client.operation.duration{error.type=}`, 1},
		{`gen_ai.client.token.usage{gen_ai.token.type=input}`, 1},
		{`scenario_nothing_total`, 0},
		{`scenario_attempts_total{colour=red}`, 0},
	} {
		if got := query(series, tc.query); got != tc.want {
			t.Errorf("%s = %v, want %v", tc.query, got, tc.want)
		}
	}
	for _, s := range series {
		switch {
		case s.Name == metricGenAIDuration && s.label(attrErrorType) == "timeout" && s.Sum() != 2:
			t.Errorf("the failed call took %v s, want 2", s.Sum())
		case s.Name == metricGenAITokens && s.label(attrGenAITokenType) == "input" && s.Sum() != 10:
			t.Errorf("%v input tokens, want 10", s.Sum())
		}
	}
}

// query reads name{a=b,c=d}.
func query(series []Series, q string) float64 {
	name, rest, _ := strings.Cut(strings.TrimSuffix(q, "}"), "{")
	labels := map[string]string{}
	for _, m := range regexp.MustCompile(`([^=,]+)=([^,]*)`).FindAllStringSubmatch(rest, -1) {
		labels[m[1]] = m[2]
	}
	return Query(series, name, labels)
}

// The gauge of a breaker is 0 closed, 1 open, 2 half-open, and has its last
// value.
func TestV38(t *testing.T) {
	var events []trace.Event
	for _, step := range []struct {
		to   string
		want float64
	}{{"open", 1}, {"half_open", 2}, {"open", 1}, {"half_open", 2}, {"closed", 0}} {
		events = append(events, trace.Event{Type: trace.Breaker, Target: "p", Payload: fixture.Attrs("to", step.to)})
		if got := Query(Metrics(events, ""), "scenario_breaker_state", map[string]string{"target": "p"}); got != step.want {
			t.Errorf("%s: %v, want %v", step.to, got, step.want)
		}
	}
}

// Every outcome of a classifier but ok is a fallback, and every one but ok and
// failed a parse failure (§10).
func TestClassifierMetrics(t *testing.T) {
	var events []trace.Event
	for _, outcome := range []string{"ok", "invalid_json", "invalid_json", "failed"} {
		events = append(events, trace.Event{Type: trace.StepEnd, Step: "c", Payload: fixture.Attrs("classifier", "router", "outcome", outcome)})
	}
	events = append(events, trace.Event{Type: trace.StepEnd, Step: "x", Payload: fixture.Attrs("status", "failed")})
	series := Metrics(events, "")
	for q, want := range map[string]float64{
		"scenario_classifier_fallbacks_total{classifier=router}":                                 3,
		"scenario_classifier_parse_failures_total":                                               2,
		"scenario_classifier_parse_failures_total{classifier=router,outcome=invalid_json}":       2,
		"scenario_classifier_parse_failures_total{classifier=router,outcome=failed}":             0,
		"scenario_classifier_parse_failures_total{classifier=router,outcome=ok}":                 0,
		"scenario_classifier_parse_failures_total{classifier=another,outcome=invalid_json,x=}":   0,
		"scenario_classifier_parse_failures_total{classifier=router,outcome=invalid_json,more=}": 2,
	} {
		if got := query(series, q); got != want {
			t.Errorf("%s = %v, want %v", q, got, want)
		}
	}
}

// Events of calls and of inner workflows are labelled with their own workflow
// and address, routes with their actor.
func TestLabels(t *testing.T) {
	series := Metrics([]trace.Event{
		{Type: trace.RunStart, Payload: fixture.Attrs("workflow", "main")},
		{Type: trace.RunStart, Call: "c", Payload: fixture.Attrs("workflow", "called")},
		{Type: trace.RunStart, Step: "sub", Payload: fixture.Attrs("workflow", "inner")},
		{Type: trace.StepEnd, Step: "a", Payload: fixture.Attrs("retries", 1)},
		{Type: trace.StepEnd, Step: "sub", Payload: fixture.Attrs("retries", 1)},
		{Type: trace.StepEnd, Step: "sub.a", Payload: fixture.Attrs("retries", 1)},
		{Type: trace.StepEnd, Step: "a", Call: "c", Payload: fixture.Attrs("retries", 1)},
		{Type: trace.StepEnd, Call: "d", Payload: fixture.Attrs("retries", 1)},
		{Type: trace.Fallback, Step: "a", Payload: fixture.Attrs("from", "a", "to", "b")},
		{Type: trace.Rejection, Target: "t", Payload: fixture.Attrs("reason", "rate_limit")},
		{Type: trace.Route, Actor: "health", Payload: fixture.Attrs("outcome", "timeout")},
	}, "")
	var got []string
	for _, s := range series {
		var labels []string
		for _, l := range s.Labels {
			labels = append(labels, l.Key+"="+l.Value)
		}
		got = append(got, s.Name+" "+strings.Join(labels, " "))
	}
	want := []string{
		"scenario_retries_total step_id=a workflow=called",
		"scenario_retries_total step_id=a workflow=main",
		"scenario_retries_total step_id=d workflow=main",
		"scenario_retries_total step_id=sub workflow=main",
		"scenario_retries_total step_id=sub.a workflow=inner",
		"scenario_routes_total actor=health outcome=timeout",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Series are sorted and equal for equal traces, and their objects say what
// they hold.
func TestSeries(t *testing.T) {
	a, b := Metrics(fixture.FallbackRun(), ""), Metrics(fixture.FallbackRun(), "")
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
	if !slices.IsSortedFunc(a, compareSeries) {
		t.Error("not sorted")
	}
	i := slices.IndexFunc(a, func(s Series) bool { return s.Name == metricGenAITokens && s.label(attrGenAITokenType) == "output" })
	want := map[string]any{
		"name": metricGenAITokens, "kind": "histogram", "value": 1.0, "count": int64(1), "sum": 1.0,
		"labels": map[string]any{"gen_ai.operation.name": "chat", "gen_ai.provider.name": "anthropic", "gen_ai.request.model": "claude", "gen_ai.token.type": "output"},
	}
	if diff := cmp.Diff(want, a[i].Object()); diff != "" {
		t.Error(diff)
	}
}

// Tokens are read by the names of either convention, from any encoding.
func TestTokens(t *testing.T) {
	for _, tc := range []struct {
		usage   any
		in, out int64
		ok      bool
	}{
		{map[string]any{"prompt_tokens": 3, "completion_tokens": 0}, 3, 0, true},
		{map[string]int64{"input_tokens": 3, "output_tokens": 4}, 3, 4, true},
		{struct{}{}, 0, 0, false},
		{nil, 0, 0, false},
		{map[string]any{"x": 1}, 0, 0, false},
		{"text", 0, 0, false},
	} {
		if in, out, ok := tokens(tc.usage); in != tc.in || out != tc.out || ok != tc.ok {
			t.Errorf("%v: %d %d %v", tc.usage, in, out, ok)
		}
	}
}

// Series are told apart by their labels, be they few or many.
func TestManySeries(t *testing.T) {
	const steps = 100
	var events []trace.Event
	for n := 1; n <= 3; n++ {
		for i := range steps {
			events = append(events, trace.Event{
				Type: trace.AttemptEnd, Step: fmt.Sprintf("step%03d", i), Attempt: n, Target: "t", Payload: trace.Attrs{{Key: "outcome", Value: "failure"}},
			})
		}
	}
	series := Metrics(events, "")
	if len(series) != steps {
		t.Fatalf("%d series", len(series))
	}
	for i, s := range series {
		if want := fmt.Sprintf("step%03d", i); s.label("step_id") != want || s.Value != 3 {
			t.Errorf("series %d is %v of %s, not 3 of %s", i, s.Value, s.label("step_id"), want)
		}
	}
}
