package interp

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

const askedTwice = `
provider "http" "shop" { base_url = "http://shop.example:80" }
retry "linear" "twice" {
  delay       = "0s"
  max_retries = 2
}
workflow "order" {
  provider = provider.shop
  step "http" "buy" {
    method     = "POST"
    path       = "/orders"
    idempotent = true
    json       = { item = "tea" }
    retry      = retry.twice
  }
  step "http" "look" {
    path  = "/orders"
    retry = retry.twice
    when  = step.buy.status_code == 200
  }
}
scenario "at last" {
  run = workflow.order
  expect "run" { status = "success" }
}
`

// Shows that a service is asked the same in every round, though the question is
// written down once: all of the body, and none where there is none.
func TestEveryRoundAsksTheSame(t *testing.T) {
	var asked []string
	answer := transportFunc(func(req *http.Request) (*http.Response, error) {
		body := "no body"
		if req.Body != nil {
			data, err := io.ReadAll(req.Body)
			if err != nil {
				return nil, err
			}
			body = string(data)
		}
		asked = append(asked, req.Method+" "+req.URL.String()+" "+body)
		status := http.StatusServiceUnavailable
		if len(asked)%3 == 0 {
			status = http.StatusOK
		}
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader("")), Request: req}, nil
	})
	r := RunLive(compiled(t, parsed(t, []byte(askedTwice))), RunOptions{}, Live{Transport: answer, Env: func(string) (string, bool) { return "", false }})
	if r.Verdict != Pass {
		t.Fatal(r.Verdict, r.Problems)
	}
	buy, look := `POST http://shop.example:80/orders {"item":"tea"}`, "GET http://shop.example:80/orders no body"
	if want := []string{buy, buy, buy, look, look, look}; !slices.Equal(asked, want) {
		t.Errorf("got  %q\nwant %q", asked, want)
	}
}

type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }
