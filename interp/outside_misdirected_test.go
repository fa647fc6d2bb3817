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

// Shows that a scenario which passes although its step failed as a request to a wrong address does is
// warned of, unless a check reads which failure it was, or the server answered with another one.
func TestFailuresOfAWrongAddress(t *testing.T) {
	const source = `provider "http" "shop" {}
workflow "steal" {
  provider = provider.shop
  step "http" "read" {
    path    = "/order/7"
    timeout = "10s"
  }
}
scenario "s" {
  run = workflow.steal
  sut { serves = provider.shop }
  expect "run" { status = "failed" }
  %s
}
`
	assert := func(condition string) string { return "assert \"x\" { condition = " + condition + " }" }
	const failed = `expect "read" { status = "failed" }`
	for _, c := range []struct {
		status int
		check  string
		warned bool
	}{
		{404, failed, true},
		{405, failed, true},
		{400, failed, true},
		{403, failed, false},
		{502, failed, false},
		{404, "", true},
		{404, assert(`step.read.status == "failed"`), true},
		{404, assert(`step.read.error != null`), true},
		{404, failed + "\n  " + assert(`run.error != null`), true},
		{404, assert(`step.read.status_code == 404`), false},
		{404, "expect \"read\" {\n    status      = \"failed\"\n    status_code = 404\n  }", false},
		{404, failed + "\n  " + `expect "read" { error = { status_code = 404 } }`, false},
		{404, failed + "\n  " + assert(`step.read.error.kind != "timeout"`), false},
		{404, failed + "\n  " + assert(`step.read.attempts[0].status_code != 403`), false},
		{404, failed + "\n  " + assert(`alltrue([for s in steps : s.error.status_code == 404])`), false},
		{404, failed + "\n  " + assert(`events({ type = "attempt_end" })[0].status_code == 404`), false},
	} {
		var r *Result
		said := ""
		synctest.Test(t, func(t *testing.T) {
			p := compileAt(t, "served.scenario.hcl", fmt.Sprintf(source, c.check))[0]
			run := NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec})
			run.Started(1)
			time.Sleep(time.Second) // of fake time
			run.Ready()
			run.Drive(DriveOptions{BaseURL: "http://127.0.0.1:1", Transport: &server{run: run, answer: func(_ *server, w http.ResponseWriter, _ *http.Request) error {
				w.WriteHeader(c.status)
				return nil
			}}})
			time.Sleep(time.Second) // until it has stopped
			r, _ = run.Finish("")
			said = run.Misdirected()
		})
		if warned := strings.Contains(said, fmt.Sprintf(`step "read" failed with %d`, c.status)); warned != c.warned || r.Verdict != Pass {
			t.Errorf("%d, %s: warned %v: %q; %s %s", c.status, c.check, warned, said, r.Verdict, told(r))
		}
	}
}
