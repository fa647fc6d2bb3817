package server

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp"
)

// Shows what expressions read of a request, whichever listener it came to: url and host
// are those of base_url, names of headers are in lower case, and what is absent is null,
// also below. A lane has its name of it.
func TestWhatRequestsSay(t *testing.T) {
	w := begin(t, `provider "http" "web" { base_url = "https://web.example/v1" }

endpoint "ask" {
  provider = provider.web
  lane     = "${request.method} ${request.url} ${request.host} ${request.path} ${request.headers["x-name"]} ${request.json.a.b == null} ${request.model == null}"
}

scenario "s" {
  on "ask" {
    reply { body = "yes" }
  }
  assert "the request" { condition = [for l in endpoint.ask.lanes : l.name] == ["GET https://web.example/v1/a?x=1 web.example /a Mia true true"] }
}
`, DefaultLimits)
	got := w.talk(t, "GET /v1/a?x=1 HTTP/1.1\r\nHost: "+w.base+"\r\nX-NAME: Mia\r\nConnection: close\r\n\r\n")
	if !strings.HasPrefix(got, "HTTP/1.1 200") {
		t.Errorf("got %q", got)
	}
	if r := w.finish(t); r.Verdict != interp.Pass {
		t.Errorf("%s: %+v", r.Verdict, r.Problems)
	}
}

// Shows that the connection ends with a call that breaks a gate, whose answer says which,
// also in its reason, and asks clients not to try again.
func TestGatesEndTheirConnection(t *testing.T) {
	w := begin(t, scripted(`    reply { body = "one" }`), DefaultLimits)
	got := w.talk(t, strings.Replace(get, "/api/a", "/elsewhere", 1)+get)
	for _, want := range []string{"HTTP/1.1 599 scenario: unmatched_call\r\n", "\r\nX-Should-Retry: false\r\n", "\r\nConnection: close\r\n", `"gate":"unmatched_call"`} {
		if strings.Count(got, want) != 1 {
			t.Errorf("%q is not there once: %q", want, got)
		}
	}
	if strings.Contains(got, "HTTP/1.1 200") {
		t.Errorf("another request was answered: %q", got)
	}
}
