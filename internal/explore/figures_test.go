package explore

import (
	"slices"
	"testing"
	"time"
)

const rated = `
breaker "half" {
  window       = "10s"
  failure_rate = 0.5
  min_calls    = 5
}
rate_limit "few" {
  requests_per_minute = 12
  burst               = 2
}
provider "http" "shop" { base_url = "https://shop.test" }
gateway "shop" {
  target "shop" {
    provider   = provider.shop
    breaker    = breaker.half
    rate_limit = rate_limit.few
  }
}
retry "linear" "ours" {
  max_retries = 6
  delay       = "10s"
}
workflow "w" {
  gateway    = gateway.shop
  on_failure = "continue"
  step "http" "look" {
    path     = "/look"
    timeout  = "90s"
    retry    = retry.ours
    required = false
  }
}
scenario "s" {
  run = workflow.w
  on "look" {
    reply { json = {} }
  }
  expect "run" { status = "success" }
}
`

// The numbers of a breaker that counts shares, and of a limit of rates, are tried like any
// other: three failures of five calls, the fifth call, the burst of two, and a server that
// asks for a wait on both sides of the five seconds after which a request passes again.
func TestNumbersOfRates(t *testing.T) {
	w := Interpreted(planOf(t, rated), nil)
	f := figuresOf(w.Plan)
	if want := []int{2, 3, 5}; !slices.Equal(f.thresholds, want) {
		t.Errorf("thresholds %v, want %v", f.thresholds, want)
	}
	if after := f.retryAfters(); !slices.Contains(after, 2) || !slices.Contains(after, 7) {
		t.Errorf("a Retry-After of %v seconds is tried", after)
	}
	s := newSearch(w, &Options{MaxK: 1, Runs: 1000, Kinds: []string{KindOutage}})
	if !s.begin() {
		t.Fatalf("%+v", s.report.Base.Problems)
	}
	for set := range s.eachSingle() {
		s.play(set)
		o := s.play(set)
		if o.unfit != "" || len(o.points) < 4 || o.points[0].At == o.points[1].At {
			continue
		}
		var struck []int
		for _, shorter := range s.untilCount(o) {
			struck = append(struck, len(s.play(shorter).struck))
		}
		for _, n := range []int{1, 2, 3} {
			if !slices.Contains(struck, n) {
				t.Errorf("%s: outages strike %v attempts, not %d", set, struck, n)
			}
		}
		if last := o.points[len(o.points)-1].At; last > 90*time.Second {
			t.Errorf("it goes on until %s", last)
		}
		return
	}
	t.Error("no outage leads to four attempts")
}
