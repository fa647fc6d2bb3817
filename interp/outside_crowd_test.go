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

// Shows that a check which counts what a server asked, for calls that are to come at one time, is told of
// where none of them came while the first was fetching; that it passes and counts; and that nothing is said
// where two of them met, where they are to come one after the other, or of a check that counts nothing.
func TestCallsThatAreToComeAtOneTime(t *testing.T) {
	const source = `provider "http" "api" {}
provider "http" "origin" { base_url = "https://origin.test" }
scenario "s" {
  sut { serves = provider.api }
  %s
  on "origin" {
    reply { %s }
  }
  assert "x" { condition = %s }
}
`
	calls := func(path string, at ...string) string {
		var b strings.Builder
		for i, at := range at {
			if !strings.Contains(at, "=") {
				at = fmt.Sprintf("at = %q", at)
			}
			fmt.Fprintf(&b, "  call \"c%d\" {\n    target    = provider.api\n    arguments = { path = %q }\n    %s\n  }\n", i, strings.ReplaceAll(path, "N", fmt.Sprint(i)), at)
		}
		return b.String()
	}
	const (
		count = `length(endpoint.origin.attempts) == 1`
		none  = ""
		slow  = `latency = "300ms"`
	)
	for _, c := range []struct {
		calls, reply, check string
		told                bool
	}{
		{calls("/news", "0ms", "50ms", "100ms"), none, count, true},
		{calls("/news", "0ms", "50ms", "100ms"), none, `length(endpoint.origin.attempts) <= 1`, true},
		{calls("/news", "0ms", "50ms", "100ms"), none, count + ` && call.c2.status_code == 200`, true},
		{calls("/news", "0ms", "50ms", "100ms"), none, `length(endpoint.origin.calls) == 1`, true},
		{calls("/news", "0ms", "500ms", "900ms"), none, count, true},
		{calls("/news", "0ms", "0ms"), none, count, true},
		{calls("/news", "0ms", "500ms", "900ms"), slow, count, true},

		{calls("/news", "0ms", "50ms", "100ms"), slow, count, false},
		{calls("/news", "0ms", "0ms"), slow, count, false},
		{calls("/news", "0ms", "500ms"), none, count, false},
		{calls("/news", "0ms", "2s", "4s"), none, count, false},
		{calls("/news", "0ms", "after = call.c0", "after = call.c1"), none, count, false},
		{calls("/news/N", "0ms", "50ms", "100ms"), none, count, false},
		{calls("/news", "0ms", "50ms", "100ms"), none, `endpoint.origin.attempts[0].request.method == "POST"`, false},
		{calls("/news", "0ms", "50ms", "100ms"), none, `length(endpoint.origin.attempts) >= 1`, false},
		{calls("/news", "0ms", "50ms", "100ms"), none, `call.c2.status_code == 200`, false},
	} {
		var list []Problem
		var r *Result
		synctest.Test(t, func(t *testing.T) {
			p := compileAt(t, "served.scenario.hcl", fmt.Sprintf(source, c.calls, c.reply, c.check))[0]
			run := NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec})
			run.Started(1)
			time.Sleep(time.Second) // of fake time
			run.Ready()
			lock, cached := make(chan struct{}, 1), false
			run.Drive(DriveOptions{BaseURL: "http://127.0.0.1:1", Transport: &server{run: run, answer: func(s *server, w http.ResponseWriter, req *http.Request) error {
				lock <- struct{}{}
				defer func() { <-lock }()
				if !cached {
					cached = s.ask(req.Context(), "https://origin.test/news") == 200
				}
				return sold(w)
			}}})
			time.Sleep(time.Second) // until it has stopped
			r, _ = run.Finish("")
			list = run.Elsewhere(r)
		})
		said := false
		for _, p := range list {
			said = said || p.Kind == KindElsewhere && strings.Contains(p.Message, "nothing of calls that come while that is being fetched")
		}
		if said != c.told || r.Verdict != Pass {
			t.Errorf("%s%s, %s: told %v, want %v; %s: %s %+v", c.calls, c.reply, c.check, said, c.told, r.Verdict, told(r), list)
		}
	}
}
