package interp

import (
	"fmt"
	"testing"
)

// Shows that a part of a condition which limits the calls in flight to a target is told of where no call
// came to that, although another part shows something, and that it is not where several came or the
// gateway spreads calls that meet.
func TestPartsOnTargetsThatNoCallReached(t *testing.T) {
	const source = `provider "http" "a" { base_url = "https://a.example" }
provider "http" "b" { base_url = "https://b.example" }
gateway "g" {
  strategy = %q
  target "one" { provider = provider.a }
  target "two" { provider = provider.b }
}
workflow "w" {
  gateway = gateway.g
  step "http" "x" { path = "/x" }
  step "http" "y" {
    path       = "/y"
    depends_on = [%s]
  }
}
scenario "s" {
  run = workflow.w
  on "*" {
    reply {
      json    = { ok = true }
      latency = "1s"
    }
  }
  assert "x" { condition = %s }
}
`
	const each = `target.one.in_flight_max <= 1 && target.two.in_flight_max <= 1`
	for _, c := range []struct {
		strategy, after, condition string
		marks                      int
	}{
		{"least_busy", "step.x", each, 1},
		{"priority", "step.x", each, 1},
		{"least_busy", "step.x", `step.x.target == "one" && target.two.in_flight_max <= 1`, 1},
		{"least_busy", "", each, 0}, // two calls at once, which it spreads
		{"round_robin", "", each, 0},
		{"round_robin", "", `target.two.in_flight_max <= 1`, 0},
		{"priority", "step.x", `target.one.in_flight_max <= 1 && step.y.status == "success"`, 0},
		{"priority", "step.x", `target.one.in_flight_max <= 1 && target.two.in_flight_max == 0`, 0},
		{"priority", "", `target.one.in_flight_max == 2 && step.y.status == "success"`, 0},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.strategy, c.after, c.condition))[0], RunOptions{})
		if countIdle(r) != c.marks || r.Verdict != Pass {
			t.Errorf("%s (%s, %s): want %d marks, got %d, %s: %s %+v", c.condition, c.strategy, c.after, c.marks, countIdle(r), r.Verdict, told(r), r.Relaxed)
		}
	}
}
