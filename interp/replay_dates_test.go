package interp

import (
	"testing"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// A recorded Retry-After that is a date asks for the wait that it asked for when it
// was recorded, and conditions read the date of the run.
func TestRecordedDateIsWaitedFor(t *testing.T) {
	tape := recordingsOf("get /a slow", "get /a done")
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	first := tape.Interactions[0]
	first.RecordedAt = at
	first.Response.Status = 429
	first.Response.Header = append(first.Response.Header, wire.Field{Name: "Retry-After", Value: "Wed, 04 Mar 2026 05:06:37 GMT"})
	r := playCassette(t, `
retry "linear" "soon" {
  delay           = "1s"
  max_retry_after = "1m"
}
provider "http" "web" { base_url = "http://api.test" }
gateway "g" {
  target "api" { provider = provider.web }
}
workflow "w" {
  gateway = gateway.g
  step "http" "get" {
    path  = "/a"
    retry = retry.soon
  }
}
scenario "s" {
  run = workflow.w
  cassette { path = "tape.yaml" }
  assert "it waits as long as the server asked" {
    condition = step.get.delays_ms == [30000] && step.get.body == "done"
  }
  assert "the date is one of the run" {
    condition = step.get.attempts[0].response.headers["retry-after"] == "Sat, 01 Jan 2000 00:00:30 GMT"
  }
}
`, tape)
	if r.Verdict != Pass {
		t.Errorf("%s:\n%s", r.Verdict, told(r))
	}
}
