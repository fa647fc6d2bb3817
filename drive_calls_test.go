package scenario_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario"
)

// What a program asks another endpoint after a failure is a call of its own, however equal
// the request is: one of the first endpoint that failed, and one of the second.
func TestAFallbackIsAnotherCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := driven(t, `
provider "openai" "first" { base_url = "https://first.test/v1" }
provider "openai" "second" { base_url = "https://second.test/v1" }
scenario "s" {
  on "first" {
    fault "http_error" { status_code = 503 }
  }
  on "second" {
    reply { content = "yes" }
  }
  expect "second" { status = "success" }
}
`, scenario.DriveOptions{})
		for _, host := range []string{"first", "second"} {
			ask(t.Context(), d, message{url: "https://" + host + ".test/v1/chat/completions", prompt: "why?", header: http.Header{"Idempotency-Key": {"k"}}})
			time.Sleep(time.Second)
		}
		r := d.Finish()
		for expr, want := range map[string]string{
			"[for c in endpoint.first.calls : [c.status, length(c.attempts)]]":  `[["failed",1]]`,
			"[for c in endpoint.second.calls : [c.status, length(c.attempts)]]": `[["success",1]]`,
			"[endpoint.first.retries, endpoint.second.retries]":                 `[0,0]`,
			"endpoint.second.attempts[0].gap_ms":                                `null`,
		} {
			if got := value(t, r, expr); got != want {
				t.Errorf("%s is %s, want %s", expr, got, want)
			}
		}
	})
}

// A request that differs from the one before in what differs with every request, such as
// its number, asks the same; one that differs in anything else does not. The order of a
// body's members is no difference.
func TestWhatVariesIsNoOtherCall(t *testing.T) {
	for name, tc := range map[string]struct{ first, second, want string }{
		"a number of the request":      {`{"item":1,"request_id":"a"}`, `{"item":1,"request_id":"b"}`, "[2]"},
		"the order of the members":     {`{"item":1,"of":2}`, `{ "of": 2, "item": 1 }`, "[2]"},
		"what is asked for":            {`{"item":1,"request_id":"a"}`, `{"item":2,"request_id":"a"}`, "[1,1]"},
		"the order of a list's values": {`{"items":[1,2]}`, `{"items":[2,1]}`, "[1,1]"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := driven(t, `
provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  on "shop" {
    fault "http_error" { status_code = 503 }
    reply {}
  }
  expect "shop" { status = "success" }
}
`, scenario.DriveOptions{})
				for _, body := range []string{tc.first, tc.second} {
					req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://shop.test/orders", strings.NewReader(body))
					if err != nil {
						t.Fatal(err)
					}
					req.Header.Set("Content-Type", "application/json")
					resp, err := d.Transport().RoundTrip(req)
					if err != nil {
						t.Fatal(err)
					}
					_, _ = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
					time.Sleep(time.Second)
				}
				if got := value(t, d.Finish(), "[for c in endpoint.shop.calls : length(c.attempts)]"); got != tc.want {
					t.Errorf("attempts of each call: %s, want %s", got, tc.want)
				}
			})
		})
	}
}
