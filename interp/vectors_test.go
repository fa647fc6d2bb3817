package interp

import (
	"slices"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/trace/tracetest"
)

// Every scenario that teaches the language passes, and there are enough of
// them to teach it.
func TestSuite(t *testing.T) {
	scenarios := 0
	for _, path := range suiteFiles(t) {
		for _, p := range compileFile(t, path) {
			scenarios++
			r := Run(p, RunOptions{})
			if r.Verdict != Pass || r.Checks == 0 {
				complain(t, r)
			}
		}
	}
	if scenarios < 30 {
		t.Errorf("found %d scenarios, at least 30 are expected", scenarios)
	}
}

// V104: in every run of the suite each start has its end, also where steps
// failed, timed out or were cancelled, and all is one run. Every event carries
// only attributes that the documentation lists for it.
func TestV104(t *testing.T) {
	for _, path := range suiteFiles(t) {
		for _, p := range compileFile(t, path) {
			r := Run(p, RunOptions{})
			for _, e := range tracetest.Unended(r.Events) {
				t.Errorf("%s: %q: event %d (%s) has no counterpart", path, p.Name, e.Seq, e.AppendJSON(nil))
			}
			ids := map[string]bool{}
			for _, e := range r.Events {
				if id := e.Text("run_id"); id != "" {
					ids[id] = true
				}
				if err := event.Check(e); err != nil {
					t.Errorf("%s: %q: %v", path, p.Name, err)
				}
			}
			if len(ids) != 1 || !ids[r.Header().RunID] {
				t.Errorf("%s: %q: the run has the ids %v, its header says %s", path, p.Name, ids, r.Header().RunID)
			}
		}
	}
}

// V45: a failed attempt, a wait and a good one are told event by event, in
// this order and no other.
func TestV45(t *testing.T) {
	plans := mustCompile(t, `
provider "openai" "primary" { model = "gpt-4o-mini" }
retry "exponential" "std" {}
workflow "w" {
  provider = provider.primary
  step "llm" "ask" {
    prompt = "hello"
    retry  = retry.std
  }
}
scenario "V45" {
  run = workflow.w
  on "ask" {
    fault "http_error" {}
    reply { content = "hi" }
  }
  expect "ask" { retries = 1 }
}`)
	r := Run(plans[0], RunOptions{})
	if r.Verdict != Pass {
		complain(t, r)
	}
	var got []trace.Type
	for _, e := range r.Events {
		got = append(got, e.Type)
		if e.Type == trace.RetryWait && e.Int("delay_ns") != 1_000_000_000 {
			t.Errorf("the wait is %d ns, 1 s is expected", e.Int("delay_ns"))
		}
	}
	want := []trace.Type{
		trace.RunStart, trace.StepStart,
		trace.AttemptStart, trace.Fault, trace.Failure, trace.AttemptEnd,
		trace.RetryWait,
		trace.AttemptStart, trace.AttemptEnd,
		trace.StepEnd, trace.RunEnd,
	}
	if !slices.Equal(got, want) {
		t.Errorf("the events are\n%v, expected\n%v", got, want)
	}
}
