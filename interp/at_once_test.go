package interp

import (
	"fmt"
	"testing"
)

// Shows that an upper limit on how long something takes that takes no time, or on the
// attempts of what succeeds with its first, shows nothing however it is written, although
// other things in the run take time or fail; and that a limit shows something that a
// latency, a fault or a refusal could have met.
func TestLimitsOnWhatComesAtOnce(t *testing.T) {
	const source = `
provider "http" "p" { base_url = "http://x.test" }
retry "exponential" "r" { max_retries = 2 }
workflow "w" {
  provider = provider.p
  step "http" "a" {
    path            = "/a"
    retry           = retry.r
    attempt_timeout = "5s"
  }
  step "http" "b" {
    path       = "/b"
    retry      = retry.r
    depends_on = [step.a]
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    %s
    reply { latency = "%s" }
  }
  on "b" {
    reply {}
  }
  assert "x" { condition = %s }
}
`
	const fails, answers = `fault "http_error" {}`, ``
	for _, c := range []struct {
		first, latency, condition string
		shows                     bool
	}{
		{fails, "0s", `alltrue([for x in step.a.attempts : x.elapsed_ms <= 5000])`, false},
		{fails, "0s", `percentile([for x in step.a.attempts : x.elapsed_ms], 95) <= 2000`, false},
		{fails, "0s", `max([for x in step.a.attempts : x.elapsed_ms]...) < 2000`, false},
		{fails, "0s", `within(step.a.attempts[0].elapsed_ms, "0s", "5s")`, false},
		{fails, "0s", `step.a.attempts[1].elapsed_ms / 1000 < 5`, false},
		{fails, "0s", `alltrue([for x in step.a.attempts : x.elapsed_ms == 0])`, true},
		{fails, "0s", `alltrue([for x in step.a.attempts : x.elapsed_ms <= 5000]) && length(step.a.attempts) == 2`, true},
		{fails, "0s", `alltrue([for x in step.a.attempts : x.elapsed_ms <= 4000 && x.outcome != "cancelled"])`, true},
		{fails, "0s", `step.a.elapsed_ms < 1500`, true}, // the wait before the retry
		{fails, "1s", `alltrue([for x in step.a.attempts : x.elapsed_ms <= 4000])`, true},
		{fails, "1s", `alltrue([for x in step.a.attempts : x.elapsed_ms <= 5000])`, false}, // its own timeout
		{fails, "1s", `alltrue([for x in step.a.attempts : x.ended_ms <= 9000])`, true},
		{fails, "0s", `alltrue([for s in steps : length(s.attempts) <= 2])`, true},
		{fails, "0s", `alltrue([for s in steps : length(s.attempts) <= 3])`, false}, // its own policy
		{answers, "1s", `alltrue([for s in steps : length(s.attempts) <= 3])`, false},
		{answers, "1s", `max([for s in steps : length(s.attempts)]...) <= 3`, false},
		{answers, "1s", `length(step.a.attempts) + length(step.b.attempts) <= 6`, false},
		{answers, "1s", `alltrue([for s in steps : length(s.attempts) == 1])`, true},
		{answers, "1s", `alltrue([for s in steps : length(s.attempts) <= 3 && s.status == "success"])`, true},
		{answers, "1s", `alltrue([for s in steps : s.elapsed_ms <= 5000])`, false},
		{answers, "1s", `step.b.elapsed_ms * 2 <= 5000`, false},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.first, c.latency, c.condition))[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%q, latency %s: %s: that it shows something is %v; %s: %s %+v", c.first, c.latency, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that an invariant that is all a scenario checks shows nothing where the premise of
// its implication never held, or where in the end nothing took any time or was tried
// again; and something where an event made it matter.
func TestOwnInvariantsThatShowNothing(t *testing.T) {
	const source = `
provider "http" "p" { base_url = "http://x.test" }
breaker "b" { threshold = 1 }
retry "exponential" "r" { max_retries = 3 }
gateway "g" {
  target "one" {
    provider = provider.p
    breaker  = breaker.b
  }
}
workflow "w" {
  gateway = gateway.g
  step "http" "a" {
    path  = "/a"
    retry = retry.r
  }
  step "http" "b" { path = "/b" }
}
scenario "s" {
  run = workflow.w
  on "a" {
    %s
    reply { latency = "%s" }
  }
  on "b" {
    reply { latency = "%[2]s" }
  }
  allow = ["unused_reply", "unexpected_failure"]
  invariant "x" { condition = %s }
}
`
	const fails = `fault "http_error" {}`
	for _, c := range []struct {
		first, latency, condition string
		shows                     bool
	}{
		{"", "0s", `target.one.in_flight_max <= 2`, false},
		{"", "1s", `target.one.in_flight_max <= 2`, false}, // two steps are at most two calls
		{"", "1s", `breaker.one.state != "open" || length(target.one.attempts) <= 2`, false},
		{fails, "1s", `breaker.one.state != "open" || length(target.one.attempts) <= 3`, true},
		{"", "1s", `length(step.a.attempts) <= 3`, false},
		{fails, "1s", `length(step.a.attempts) <= 3`, true},
		{"", "1s", `step.a.status != "success" || step.a.ended_ms >= 1000`, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.first, c.latency, c.condition))[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%q, latency %s: %s: that it shows something is %v; %s: %s %+v", c.first, c.latency, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}
