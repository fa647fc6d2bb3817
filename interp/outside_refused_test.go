package interp

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// Shows what is known of the answers of a server: that one is a refusal of which nothing says what it is for,
// unless the server asked an endpoint before it, or a check reads what it said or wrote.
func TestRefusalsOfAServer(t *testing.T) {
	const source = `provider "http" "hooks" {}
provider "http" "crm" { base_url = "https://crm.test" }
workflow "sender" {
  provider = provider.hooks
  step "http" "old" {
    method  = "POST"
    path    = "/hooks?x=1"
    json    = { event = "paid" }
    headers = { "X-Timestamp" = "1" }
  }
}
scenario "s" {
  run = workflow.sender
  sut { serves = provider.hooks }
  on "crm" {
    reply { optional = true }
  }
  expect "run" { status = "failed" }
  %s
}
`
	assert := func(condition string) string { return "assert \"x\" { condition = " + condition + " }" }
	const expected = "expect \"old\" {\n    status      = \"failed\"\n    status_code = 401\n  }"
	for _, c := range []struct {
		status int
		asks   bool
		check  string
		want   bool
	}{
		{401, false, expected, true},
		{403, false, "", true},
		{422, false, assert(`step.old.status_code == 422`), true},
		{401, false, assert(`step.old.error != null`), true},
		{401, false, assert(`step.old.error.status_code == 401`), true},
		{401, false, expected + "\n  " + assert(`endpoint.crm.attempts == []`), true},
		{401, false, assert(`length(step.old.attempts) == 1`), true},
		{401, false, assert(`step.old.attempts[0].status_code == 401`), true},
		{401, false, expected + "\n  " + assert(`endpoint.crm.status == "unused"`), true},

		{401, true, expected, false}, // it may be the endpoint that says so
		{503, false, "", false},
		{401, false, assert(`step.old.json.error == "signature"`), false},
		{401, false, assert(`strcontains(step.old.body, "signature")`), false},
		{401, false, assert(`strcontains(step.old.error.message, "signature")`), false},
		{401, false, assert(`step.old.headers["www-authenticate"] == "Bearer"`), false},
		{401, false, assert(`step.old.attempts[0].response.status_code == 401`), false},
		{401, false, expected + "\n  " + assert(`strcontains(sut.stdout, "expired")`), false},
		{401, false, assert(`alltrue([for s in steps : s.error.status_code == 401])`), false},
		{401, false, assert(`events({ type = "attempt_end" })[0].status_code == 401`), false},
		{401, false, `expect "old" { json = { error = "signature" } }`, false},
		{401, false, `expect "old" { error = { message = "HTTP 401 Unauthorized: signature" } }`, false},
	} {
		var list []ServerAnswer
		synctest.Test(t, func(t *testing.T) {
			p := compileAt(t, "served.scenario.hcl", fmt.Sprintf(source, c.check))[0]
			run := NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec})
			run.Started(1)
			time.Sleep(time.Second) // of fake time
			run.Ready()
			run.Drive(DriveOptions{BaseURL: "http://127.0.0.1:1", Transport: &server{run: run, answer: func(s *server, w http.ResponseWriter, req *http.Request) error {
				if c.asks {
					s.ask(req.Context(), "https://crm.test/events")
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(c.status)
				_, err := w.Write([]byte(`{"error":"signature"}`))
				return err
			}}})
			time.Sleep(time.Second) // until it has stopped
			run.Finish("")
			list = run.ServerAnswers()
		})
		explained, said := !c.want && !c.asks && c.status < 500, ""
		if explained {
			said = `{"error":"signature"}`
		}
		want := []ServerAnswer{{Name: "old", Read: "step.old", Method: "POST", Path: "/hooks", Status: c.status, Refused: c.want, Explained: explained, Said: said, Headers: true, Parts: []RequestPart{
			{Name: "the header field content-type", Value: "application/json", Names: true, Field: true},
			{Name: "the header field x-timestamp", Value: "1", Field: true},
			{Name: "the query parameter x", Value: "1", Names: true},
			{Name: "the member event", Value: "paid", Names: true},
		}}}
		if got := fmt.Sprintf("%+v", list); got != fmt.Sprintf("%+v", want) {
			t.Errorf("%d, %v, %s: %s, want %+v", c.status, c.asks, strings.TrimSpace(c.check), got, want)
		}
	}
}
