package lint_test

import (
	"strings"
	"testing"
)

// Shows that times of attempts of two endpoints, or of an element of their attempts, are warned of where
// they count from the start of each, and that those are not which count from the start of the run, or
// from one start.
func TestTimesOfTwoEndpoints(t *testing.T) {
	const source = `provider "http" "queue" { base_url = "https://queue.test" }
provider "http" "crm" { base_url = "https://crm.test" }
scenario "s" {
  sut { command = ["agent"] }
  assert "x" { condition = `
	for condition, between := range map[string]string{
		`endpoint.queue.attempts[0].at_ms >= endpoint.crm.attempts[0].at_ms`:                                                              "endpoint.queue, and the right side from the start of endpoint.crm",
		`endpoint.queue.attempts[0].at_ms - endpoint.crm.attempts[0].ended_ms >= 0`:                                                       "endpoint.queue, and the right side from the start of endpoint.crm",
		`alltrue([for a in endpoint.queue.attempts : a.at_ms >= endpoint.crm.attempts[0].at_ms])`:                                         "endpoint.queue, and the right side from the start of endpoint.crm",
		`alltrue([for a in endpoint.queue.attempts : alltrue([for b in endpoint.crm.attempts : a.at_ms >= b.ended_ms])])`:                 "endpoint.queue, and the right side from the start of endpoint.crm",
		`endpoint.crm.attempts[0].at_ms >= endpoint.crm.started_ms`:                                                                       "endpoint.crm, and the right side from the start of the run",
		`endpoint.queue.attempts[0].started_at_ms >= endpoint.crm.attempts[0].ended_at_ms`:                                                "",
		`alltrue([for a in endpoint.queue.attempts : a.started_at_ms >= endpoint.crm.attempts[0].started_at_ms])`:                         "",
		`alltrue([for i, a in endpoint.crm.attempts : i == 0 || a.at_ms - endpoint.crm.attempts[0].at_ms >= 500])`:                        "",
		`alltrue([for a in endpoint.queue.attempts : a.at_ms >= 0]) && alltrue([for a in endpoint.crm.attempts : a.at_ms <= a.ended_ms])`: "",
	} {
		got := strings.Join(said(t, source+condition+" }\n}\n", nil), "\n")
		if between == "" && strings.Contains(got, "counts from") || !strings.Contains(got, between) {
			t.Errorf("%s: %s", condition, got)
		}
	}
}
