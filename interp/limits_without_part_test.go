package interp

import (
	"fmt"
	"testing"
)

// Shows that an upper limit on the calls in flight is marked where max_concurrent or a bulkhead made
// none wait and the limit allows more than came at one time, and that it is not where one waited or
// nothing limits them.
func TestLimitsOfPlacesThatNobodyWaitedFor(t *testing.T) {
	const source = `provider "http" "api" { base_url = "https://api.example.com" }
gateway "g" {
  target "api" {
    provider = provider.api
    %s
  }
}
workflow "w" {
  gateway = gateway.g
  %s
  step "http" "a" { path = "/a" }
  step "http" "b" { path = "/b/${step.a.json.id}" }
  step "http" "c" { path = "/c/${step.a.json.id}" }
  step "http" "d" { path = "/d/${step.b.json.id}" }
  step "http" "e" { path = "/e/${step.c.json.id}" }
}
scenario "s" {
  run = workflow.w
  on "*" {
    reply {
      json    = { id = 7 }
      latency = "1s"
    }
  }
  assert "x" { condition = %s }
}
`
	const bulkhead = "bulkhead {\n      max_concurrent = %d\n      max_queue      = 9\n    }"
	places := func(n int) string { return fmt.Sprintf(bulkhead, n) }
	for _, c := range []struct {
		target, workflow string
		condition        string
		shows            bool
	}{
		{"", "max_concurrent = 3", `target.api.in_flight_max <= 3`, false},
		{"", "max_concurrent = 100", `target.api.in_flight_max <= 3`, false},
		{"", "max_concurrent = 100", `!(target.api.in_flight_max > 3)`, false},
		{"", "max_concurrent = 2", `target.api.in_flight_max <= 3`, true}, // a step may have waited
		{"", "max_concurrent = 1", `target.api.in_flight_max <= 1`, true},
		{"", "max_concurrent = 3", `target.api.in_flight_max <= 2`, true}, // it allows what came alone
		{"", "max_concurrent = 3", `target.api.in_flight_max == 2`, true},
		{"", "max_concurrent = 3", `target.api.in_flight_max >= 2`, true},
		{"", "", `target.api.in_flight_max <= 3`, true}, // so the workflow is made
		{places(9), "", `target.api.in_flight_max <= 3`, false},
		{places(2), "", `target.api.in_flight_max <= 3`, true},
		{places(1), "", `target.api.in_flight_max <= 1`, true},
		{places(2), "max_concurrent = 3", `target.api.in_flight_max <= 3`, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.target, c.workflow, c.condition))[0], RunOptions{})
		if marked := countIdle(r) > 0; marked == c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s (%s, %s): that it shows something is %v; %s: %s %+v", c.condition, c.target, c.workflow, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that an upper limit on how many attempts come within a time is marked where the rate limit of
// their target made none wait, and that it is not where one waited or there is no rate limit.
func TestLimitsOfARateThatNothingReached(t *testing.T) {
	const source = `provider "http" "api" { base_url = "https://api.example.com" }
rate_limit "r" {
  requests_per_minute = %d
  burst               = %d
}
gateway "g" {
  target "main" {
    provider = provider.api
    %s
  }
}
workflow "w" {
  gateway = gateway.g
  step "loop" "pages" {
    max_iterations = 30
    while          = true
    step "http" "page" { path = "/items" }
  }
}
scenario "s" {
  run = workflow.w
  on "pages.page" {
    reply {
      json    = { items = [1] }
      latency = "1500ms"
    }
  }
  assert "x" { condition = %s }
}
`
	const limited, window = "rate_limit = rate_limit.r", `length([for a in target.main.attempts : a if a.at_ms < 60000]) <= 60`
	for _, c := range []struct {
		rate, burst       int
		target, condition string
		shows             bool
	}{
		{60, 10, limited, window, false},
		{6000, 10, limited, window, false},
		{60, 1, limited, window, false},
		{40, 1, limited, window, true}, // each may have come the moment that it could
		{20, 1, limited, window, true},
		{30, 5, limited, window, true}, // the last ones waited
		{60, 10, "", window, true},     // so the loop is made
		{60, 10, limited, `length([for a in target.main.attempts : a if a.at_ms < 60000]) <= 30`, true},
		{60, 10, limited, `length([for a in target.main.attempts : a if a.at_ms < 60000]) >= 20`, true},
		{60, 10, limited, `length([for a in target.main.attempts : a if a.at_ms < 60000]) == 30`, true},
		{60, 10, limited, `alltrue([for a in target.main.attempts : length([for b in target.main.attempts : b if b.at_ms >= a.at_ms && b.at_ms < a.at_ms + 60000]) <= 60])`, false},
		{60, 10, limited, `alltrue([for a in target.main.attempts : length([for b in target.main.attempts : b if b.started_at_ms >= a.started_at_ms && b.started_at_ms < a.started_at_ms + 15000]) <= 10])`, true},
		{60, 10, limited, `length(target.main.attempts) <= 60`, true}, // how often the loop goes on
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.rate, c.burst, c.target, c.condition))[0], RunOptions{})
		if marked := countIdle(r) > 0; marked == c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s (%d, %d, %s): that it shows something is %v; %s: %s %+v", c.condition, c.rate, c.burst, c.target, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}
