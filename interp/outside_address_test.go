package interp

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/wire"
)

// Shows that an http provider without a base_url is valid in every way: a program asks it at
// its listener, whatever its own scripts say of requests, and where the workflow makes the
// requests, the step that has nowhere to send them says what to write.
func TestProvidersWithoutAnAddress(t *testing.T) {
	const source = `provider "http" "app" {}
workflow "w" {
  step "http" "get" {
    provider = provider.app
    path     = "/x"
  }
}
scenario "s" {
  run = workflow.w
  on "get" {
    fault "http_error" { status_code = 503 }
    reply { json = { a = 1 } }
  }
  expect "get" {
    retries = 1
    json    = { a = 1 }
  }
}
`
	for _, way := range []Way{Exec, Serve, Embedded} {
		run := NewOutside(compileAt(t, "a.scenario.hcl", source)[0], OutsideOptions{Clock: wire.System(), Way: way})
		for _, want := range []int{http.StatusServiceUnavailable, http.StatusOK} {
			req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:7/x", nil)
			req.URL.Scheme, req.URL.Host = "", "" // as a listener hands it on that stands for no address
			x, err := run.Answer(req.Context(), Asked{Request: req, Listener: "app"})
			if err != nil {
				t.Fatal(err)
			}
			if got := x.Script().Status(); got != want {
				t.Errorf("%s: %d, want %d", way, got, want)
			}
			x.End(false)
		}
		if r, _ := run.Finish(""); r.Verdict != Pass {
			t.Errorf("%s: %v", way, r.Problems)
		}
	}
	r := Run(compileAt(t, "a.scenario.hcl", source)[0], RunOptions{})
	if len(r.Problems) == 0 || !strings.Contains(problems(r), "give the provider a base_url, or the step a url") {
		t.Errorf("interpreted: %s", problems(r))
	}
}
