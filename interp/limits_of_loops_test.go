package interp

import (
	"fmt"
	"testing"
)

// Shows that an upper limit on the iterations of a loop is marked where the script ends with the last
// one and the limit would allow one more, and that it is not where max_iterations ended the loop, the
// script goes on, or the limit allows what came alone.
func TestLimitsOfLoopsThatNothingReached(t *testing.T) {
	const source = `provider "http" "jobs" { base_url = "https://jobs.example" }
workflow "watch" {
  provider = provider.jobs
  step "loop" "poll" {
    %s
    while = try(step.ask.json.state, "") != "done"
    step "http" "ask" { path = "/jobs/7" }
    step "wait" "pause" {
      for        = "5s"
      depends_on = [step.ask]
    }
  }
}
scenario "s" {
  run = workflow.watch
  on "poll.ask" {
    reply {
      json  = { state = "running" }
      times = %s
    }
    %s
  }
  assert "x" { condition = %s }
}
`
	const last, always, never = `reply { json = { state = "done" } }`, "reply {\n      json  = { state = \"done\" }\n      times = \"*\"\n    }", ""
	for _, c := range []struct {
		most, times, last, condition string
		shows                        bool
	}{
		{"max_iterations = 12", "4", last, `step.poll.iterations <= 12`, false},
		{"max_iterations = 900", "4", last, `step.poll.iterations <= 12`, false},
		{"", "4", last, `step.poll.iterations <= 12`, false},
		{"max_iterations = 900", "4", last, `!(step.poll.iterations > 12)`, false},
		{"max_iterations = 900", "4", last, `length(step.poll.runs) < 12`, false},
		{"max_iterations = 900", "4", last, `step.poll.iterations <= 5`, true}, // it allows what came alone
		{"max_iterations = 900", "4", last, `step.poll.iterations == 5`, true},
		{"max_iterations = 900", "4", last, `step.poll.iterations >= 5`, true},
		{"max_iterations = 900", "4", last, `run.elapsed_ms <= 60000`, true}, // how long each pause is
		{"max_iterations = 900", "4", always, `step.poll.iterations <= 12`, true},
		{"max_iterations = 5", "\"*\"", never, `step.poll.iterations <= 8 && step.poll.iterations > 4`, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.most, c.times, c.last, c.condition))[0], RunOptions{})
		if marked := countIdle(r) > 0; marked == c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s (%s, %s): that it shows something is %v; %s: %s %+v", c.condition, c.most, c.last, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
	const both = `run.elapsed_ms <= 60000 && step.poll.iterations <= 12`
	r := Run(mustCompile(t, fmt.Sprintf(source, "max_iterations = 900", "4", last, both))[0], RunOptions{})
	if r.Verdict != Pass || countIdle(r) != 1 {
		t.Errorf("%s: a part of it shows nothing; %s: %s %+v", both, r.Verdict, told(r), r.Relaxed)
	}
}
