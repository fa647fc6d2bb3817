package interp

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// Shows that a condition which compares a time exactly is told how to compare in a
// band, where the clock is real and only there (drive.md §5, first mistakes).
func TestExactTimesOnARealClock(t *testing.T) {
	for _, c := range []struct{ check, band string }{
		{`assert "a" { condition = endpoint.data.calls[0].elapsed_ms == 100 }`, "within(endpoint.data.calls[0].elapsed_ms, 100, 650)"},
		{`assert "a" { condition = (100 == endpoint.data.attempts[0].elapsed_ms) && run.status == "success" }`, "within(endpoint.data.attempts[0].elapsed_ms, 100, 650)"},
		{`assert "a" { condition = endpoint.data.calls[0].gaps_ms[0] == 2000 }`, "within(endpoint.data.calls[0].gaps_ms[0], 2000, 3500)"},
		{`expect "data" { elapsed_ms = 100 }`, "within(endpoint.data.elapsed_ms, 100, 650)"},
		{`assert "a" { condition = endpoint.data.calls[0].elapsed_ms < 1 }`, ""},
		{`assert "a" { condition = length(endpoint.data.attempts) == 7 }`, ""},
		{`expect "data" { retries = 7 }`, ""},
	} {
		for _, way := range []Way{Exec, Serve, Embedded} {
			plan := compileAt(t, "a.scenario.hcl", `
provider "http" "data" { base_url = "https://data.test" }
scenario "s" {
  on "data" {
    fault "http_error" { status_code = 503 }
    reply {
      body    = "x"
      latency = "107ms"
    }
  }
  `+c.check+`
}`)[0]
			synctest.Test(t, func(t *testing.T) {
				run := NewOutside(plan, OutsideOptions{Clock: wire.System(), Way: way})
				askNumbered(t, run, 1)
				time.Sleep(2013 * time.Millisecond)
				askNumbered(t, run, 1)
				result, _ := run.Finish("")
				got := problems(result)
				want := c.band
				if way == Embedded {
					want = ""
				}
				if result.Verdict != Fail || strings.Contains(got, "time is real") != (want != "") || !strings.Contains(got, want) {
					t.Errorf("%s, %s: %s: %s\nwant %q", way, c.check, result.Verdict, got, want)
				}
			})
		}
	}
}
