package sut_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

const dated = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut {
    command    = ["true"]
    time_scale = 10
  }
  cassette { path = "shop.yaml" }
  on "shop" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "Sat, 01 Jan 2000 00:01:00 GMT" }
    }
    replay {}
  }
  assert "what was written" { condition = endpoint.shop.attempts[0].error.retry_after_ms == 47000 }
  assert "what was recorded" { condition = endpoint.shop.attempts[1].error.retry_after_ms == 67000 }
}
`

const datedTape = `version: 1
interactions:
- request: {method: GET, url: "https://shop.test/tea", body: ""}
  response:
    status: 429 Too Many Requests
    code: 429
    headers:
      Date: ["Wed, 04 Mar 2026 05:06:07 GMT"]
      Retry-After: ["Wed, 04 Mar 2026 05:07:07 GMT"]
    body: ""
`

// Shows that a date in Retry-After is on the program's clock where that of the run is
// ten times as fast, one of a script and one of a recording; that a part of a second
// is never taken off the wait; and that results count it as the run counts time. The
// run begins at 0.3 s of the fake clock and the requests come at 2.3 s, which is 20 s
// of the run. So the minute of the script ends at 0.3 + 60/10 = 6.3 s, and 7 s are the
// next whole ones, 4.7 s away; that of the recording at 2.3 + 6 = 8.3 s, so 9.
func TestDatesUnderATimeScale(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.scenario.hcl": dated, "shop.yaml": datedTape} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	plan := planOf(t, filepath.Join(dir, "a.scenario.hcl"))
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(300 * time.Millisecond)
		outside := sut.Answer(plan, interp.OutsideOptions{Way: interp.Exec})
		time.Sleep(2 * time.Second)
		for i, want := range []string{"Sat, 01 Jan 2000 00:00:07 GMT", "Sat, 01 Jan 2000 00:00:09 GMT"} {
			req := httptest.NewRequest(http.MethodGet, "https://shop.test/tea", nil)
			x, err := outside.Answer(t.Context(), interp.Asked{Request: req, Listener: "shop"})
			if err != nil {
				t.Fatal(err)
			}
			resp, err := x.Script().RoundTrip(x.Clock(), req)
			if err != nil {
				t.Fatal(err)
			}
			if got := resp.Header.Get("Retry-After"); got != want {
				t.Errorf("answer %d asks to wait until %s, want %s", i+1, got, want)
			}
			resp.Body.Close()
			x.End(false)
		}
		if r, _ := outside.Finish(""); r.Verdict != interp.Pass {
			t.Errorf("%s: %v", r.Verdict, r.Problems)
		}
	})
}

// Shows that no wait which a program is told has a fraction, under a time scale: that of
// the scale is rounded up, to 1 at least, in seconds and in milliseconds; and that without
// a scale it is sent as it was written.
func TestNoFractionsOfWaits(t *testing.T) {
	for _, c := range []struct {
		field, wait string
		scale       float64
		want        string
	}{
		{"Retry-After", "60", 60, "1"},
		{"Retry-After", "10", 60, "1"},
		{"Retry-After", "61", 60, "2"},
		{"Retry-After", "7", 2, "4"},
		{"Retry-After", "1", 3, "1"},
		{"Retry-After", "2.5", 2, "2"},
		{"Retry-After", "0", 10, "0"},
		{"Retry-After", "5", 0.4, "13"},
		{"retry-after-ms", "1001", 10, "101"},
		{"retry-after-ms", "5", 10, "1"},
		{"Retry-After", "2.5", 1, "2.5"},
		{"Retry-After", "soon", 10, "soon"},
	} {
		path := filepath.Join(t.TempDir(), "a.scenario.hcl")
		text := fmt.Sprintf("provider \"http\" \"shop\" { base_url = \"https://shop.test\" }\nscenario \"s\" {\n  sut {\n    command    = [\"true\"]\n    time_scale = %v\n  }\n  on \"shop\" {\n    fault \"http_error\" {\n      status_code = 429\n      headers     = { %s = %q }\n    }\n  }\n  expect \"run\" { status = \"success\" }\n}\n", c.scale, c.field, c.wait)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		plan := planOf(t, path)
		synctest.Test(t, func(t *testing.T) {
			outside := sut.Answer(plan, interp.OutsideOptions{Way: interp.Exec})
			req := httptest.NewRequest(http.MethodGet, "https://shop.test/tea", nil)
			x, err := outside.Answer(t.Context(), interp.Asked{Request: req, Listener: "shop"})
			if err != nil {
				t.Fatal(err)
			}
			resp, err := x.Script().RoundTrip(x.Clock(), req)
			if err != nil {
				t.Fatal(err)
			}
			if got := resp.Header.Get(c.field); got != c.want {
				t.Errorf("%s of %s with time_scale = %v is sent as %q, want %q", c.field, c.wait, c.scale, got, c.want)
			}
			resp.Body.Close()
			x.End(false)
		})
	}
}
