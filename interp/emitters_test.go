package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/trace"
)

// What a step of a kind emits is what a filter of events may ask of it, and nothing is
// allowed that no run of any scenario has shown.
func TestEmitters(t *testing.T) {
	type pair struct {
		of   trace.Type
		kind plan.Kind
	}
	seen := map[pair]bool{}
	for _, p := range deterministic(t) {
		if p.Skip != "" || p.NotRun(Interpreted) != "" {
			continue
		}
		kinds := map[string]plan.Kind{}
		r := Run(p, RunOptions{})
		neverWithout(t, p, r)
		for _, e := range r.Events {
			if e.Type == trace.StepStart {
				kinds[e.Step] = plan.Kind(e.Text("kind"))
			}
			k := kinds[e.Step]
			if e.Step == "" || k == "" {
				continue
			}
			seen[pair{e.Type, k}] = true
			if !observe.Emits(e.Type, k) {
				t.Errorf("%s: %q: the step %q of kind %s has an event of type %s, for which a filter is refused", p.File, p.Name, e.Step, k, e.Type)
			}
		}
	}
	unseen := map[pair]string{
		{trace.Rejection, plan.KindMCP}: "breakers refuse calls of any service", {trace.Rejection, plan.KindSQL}: "as above", {trace.Rejection, plan.KindClassify}: "as above",
	}
	for _, typ := range event.Types() {
		limited := false
		for _, k := range plan.StepKinds() {
			limited = limited || !observe.Emits(typ.Type, k)
		}
		for _, k := range plan.StepKinds() {
			if at := (pair{typ.Type, k}); limited && observe.Emits(typ.Type, k) && !seen[at] && unseen[at] == "" {
				t.Errorf("no scenario has an event of type %s of a step of kind %s, for which a filter is allowed", typ.Type, k)
			}
		}
	}
	if len(seen) < 50 {
		t.Errorf("only %d types and kinds were seen", len(seen))
	}
}

// neverWithout shows that a run has no event, and counts nothing, of which it is said that
// no run of its scenario can.
func neverWithout(t *testing.T, p *Plan, r *Result) {
	t.Helper()
	o := observe.NewObserved(plan.Inside(p))
	for _, e := range r.Events {
		if what := o.Without("events", []cty.Value{cty.ObjectVal(map[string]cty.Value{"type": cty.StringVal(string(e.Type))})}); what != "" {
			t.Errorf("%s: %q has an event of type %s without %s", p.File, p.Name, e.Type, what)
		}
	}
	for _, s := range telemetry.Metrics(r.Events, strings.TrimSuffix(plan.Inside(p).Prefix, "_")) {
		if what := o.Without("metric", []cty.Value{cty.StringVal(s.Name)}); what != "" && s.Value != 0 {
			t.Errorf("%s: %q counts %s without %s", p.File, p.Name, s.Name, what)
		}
	}
}

// Shows that a check of a scenario's own that asks for what no run of it can have shows
// nothing, and that one for what merely did not happen does.
func TestQueriesForWhatCannotBe(t *testing.T) {
	const world = `
provider "openai" "m" { model = "x" }
breaker "b" {}
gateway "plain" {
  target "one" { provider = provider.m }
}
gateway "guarded" {
  target "first" {
    provider = provider.m
    breaker  = breaker.b
  }
  target "second" { provider = provider.m }
}
workflow "w" {
  gateway = gateway.%s
  step "llm" "a" { prompt = "why?" }
}
%s
scenario "s" {
  run = workflow.w
  on "a" {
    %s
    reply {
      content  = "x"
      optional = true
    }
  }
  %s
}
`
	const fault = `fault "delay" { by = "1s" }`
	for _, c := range []struct {
		gateway, fault, condition string
		shows                     bool
	}{
		{"plain", "", `events({ type = "breaker" }) == []`, false},
		{"plain", "", `length(events({ type = "breaker" })) == 0`, false},
		{"plain", "", `[for e in events({ type = "breaker" }) : e if e.to == "open"] == []`, false},
		{"guarded", "", `events({ type = "breaker" }) == []`, true},
		{"plain", "", `metric("scenario_breaker_rejections_total") == 0`, false},
		{"guarded", "", `metric("scenario_breaker_rejections_total") == 0`, true},
		{"plain", "", `metric("scenario_breaker_rejections_total") == 0 && step.a.content == "x"`, true},
		{"plain", "", `metric("scenario_fallbacks_total") == 0`, false},
		{"guarded", "", `metric("scenario_fallbacks_total") == 0`, true},
		{"plain", "", `metrics("scenario_fallbacks_total") == []`, false},
		{"plain", "", `events({ type = "fallback" }) == []`, false},
		{"plain", "", `events({ type = "session_end" }) == []`, false},
		{"plain", "", `events({ type = "lock_wait" }) == []`, false},
		{"plain", "", `metric("scenario_classifier_fallbacks_total") == 0`, false},
		{"plain", "", `events({ type = "message" }) == []`, false},
		{"plain", "", `events({ type = "rejection" }) == []`, false},
		{"plain", "", `length(events({ type = "rejection", step = "a" })) == 0`, false},
		{"guarded", "", `events({ type = "rejection" }) == []`, true},
		{"plain", "", `events({ type = "sut_end" }) == []`, false},
		{"plain", "", `events({ type = "case_end" }) == []`, false},
		{"plain", "", `events({ type = "fault" }) == []`, false},
		{"guarded", fault, `length(events({ type = "fault" })) == 1`, true},
		{"guarded", fault, `metric("scenario_mock_fault_total") == 1`, true},
		{"plain", "", `events({ type = "failure" }) == []`, true},
		{"plain", "", `metric("scenario_retries_total") == 0`, false},
		{"plain", "", `events({ type = "retry_wait" }) == []`, false},

		// The same, asked of all events.
		{"plain", "", `[for e in events() : e if e.type == "breaker"] == []`, false},
		{"guarded", "", `[for e in events() : e if e.type == "breaker"] == []`, true},
		{"plain", "", `length([for e in events({ step = "a" }) : e if e.type == "retry_wait"]) == 0`, false},
		{"plain", "", `!contains(events()[*].type, "fallback")`, false},
		{"guarded", "", `!contains(events()[*].type, "fallback")`, true},
		{"plain", "", `!anytrue([for e in events() : e.type == "fault"])`, false},
		{"guarded", fault, `length([for e in events() : e if e.type == "fault"]) == 1`, true},
		{"plain", "", `alltrue([for e in events() : !contains(["breaker", "retry_wait"], e.type)])`, false},
		{"plain", "", `alltrue([for e in events() : !contains(["breaker", "failure"], e.type)])`, true},
		{"plain", "", `alltrue([for e in events() : contains(["breaker", "failure"], e.type) == false])`, true},
		{"plain", "", `length(events()) == 6`, true},
		{"plain", "", `length(distinct(events()[*].type)) == 6`, true},
		{"plain", "", `!contains(events()[*].type, "breaker") && step.a.content == "x"`, true},
		{"plain", "", `[for e in events() : e.type] == ["run_start", "step_start", "attempt_start", "attempt_end", "step_end", "run_end"]`, true},
		{"plain", "", `events()[length(events()) - 1].type == "run_end"`, false},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(world, c.gateway, "", c.fault, "assert \"x\" { condition = "+c.condition+" }"))[0], RunOptions{})
		if (len(r.Relaxed) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s %s: %s: that it shows something is %v; %s: %s %+v", c.gateway, c.fault, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
	// Of every type it is said what it would need, or the plainest run has it, or may.
	plain := mustCompile(t, fmt.Sprintf(world, "plain", "", "", ""))[0]
	seen := map[trace.Type]bool{
		trace.Failure: true, // any call may fail
		trace.Gate:    true, // a gate that is broken
		trace.Defect:  true, // a condition of the file that cannot be evaluated
	}
	for _, e := range Run(plain, RunOptions{}).Events {
		seen[e.Type] = true
	}
	for _, typ := range event.Types() {
		condition := fmt.Sprintf("assert \"x\" { condition = events({ type = %q }) == [] }", typ.Type)
		if idle := countIdle(Run(mustCompile(t, fmt.Sprintf(world, "plain", "", "", condition))[0], RunOptions{})); (idle == 0) != seen[typ.Type] {
			t.Errorf("%s: %d checks are marked in a scenario that has nothing it could come from; it may come there: %v", typ.Type, idle, seen[typ.Type])
		}
	}
	// What holds for all files is read where there is none, too.
	r := Run(mustCompile(t, fmt.Sprintf(world, "plain", `invariant "i" { condition = events({ type = "breaker" }) == [] }`, "", `expect "a" { content = "x" }`))[0], RunOptions{})
	if len(r.Relaxed) != 0 || r.Verdict != Pass {
		t.Errorf("an invariant: %s %s %+v", r.Verdict, told(r), r.Relaxed)
	}
}
