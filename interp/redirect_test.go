package interp

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/trace"
)

// A site answers every URL with a status and a place to go to.
type site map[string]struct {
	status   int
	location string
}

func (s site) RoundTrip(r *http.Request) (*http.Response, error) {
	resp := &http.Response{StatusCode: 200, Header: http.Header{}, Body: http.NoBody, Request: r}
	if to, ok := s[r.URL.String()]; ok {
		resp.StatusCode = to.status
		resp.Header.Set("Location", to.location)
	}
	return resp, nil
}

// A visitor notes what is asked of a site.
type visitor struct {
	site  site
	asked []string
}

func (v *visitor) RoundTrip(r *http.Request) (*http.Response, error) {
	header := r.Header.Clone()
	header.Del("Referer")
	body := ""
	if r.Body != nil {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		body = string(data)
	}
	host := r.Host
	if host == "" {
		host = r.URL.Host
	}
	v.asked = append(v.asked, fmt.Sprintf("%s %s host %q %v %q", r.Method, r.URL, host, header, body))
	return v.site.RoundTrip(r)
}

// Shows that redirects are followed as the standard library's own client
// follows them: methods, bodies, relative addresses, a Host of the caller's
// own, credentials across hosts, and where it stops.
func TestRedirectsAsHTTPClient(t *testing.T) {
	type to = struct {
		status   int
		location string
	}
	const start = "https://a.example/start"
	loop := func(status int) site { return site{start: to{status, start}} }
	for _, c := range []struct {
		name string
		site site
		kind failure.Kind
	}{
		{"no redirect", nil, ""},
		{"no location", site{start: to{302, ""}}, ""},
		{"not modified", site{start: to{304, "/b"}}, ""},
		{"moved", site{start: to{301, "/b"}}, ""},
		{"found", site{start: to{302, "b?x=1#y"}}, ""},
		{"see other", site{start: to{303, "https://a.example/b"}}, ""},
		{"temporary", site{start: to{307, "//a.example/b"}}, ""},
		{"permanent", site{start: to{308, "?page=2"}}, ""},
		{"another host", site{start: to{307, "https://b.example/"}}, ""},
		{"another port", site{start: to{307, "https://a.example:8443/"}}, ""},
		{"a host below", site{start: to{307, "https://x.a.example/"}}, ""},
		{"a host that ends alike", site{start: to{307, "https://xa.example/"}}, ""},
		{"an address", site{start: to{307, "http://[::1%25.a.example]/"}}, ""},
		{"away and back", site{start: to{307, "https://b.example/"}, "https://b.example/": to{307, "https://a.example/end"}}, ""},
		{"the body stays lost", site{start: to{303, "/b"}, "https://a.example/b": to{307, "/c"}}, ""},
		{"loop 307", loop(307), failure.ProtocolError},
		{"loop 301", loop(301), failure.ProtocolError},
	} {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE"} {
			for _, host := range []string{"", "virtual.example"} {
				t.Run(fmt.Sprint(c.name, " ", method, " ", host), func(t *testing.T) {
					theirs, ours := &visitor{site: c.site}, &visitor{site: c.site}
					resp, err := (&http.Client{Transport: theirs}).Do(visit(t, method, start, host))
					status := 0
					if err == nil {
						status = resp.StatusCode
					}
					got, gotErr := walk(ours, visit(t, method, start, host))
					if diff := cmp.Diff(theirs.asked, ours.asked); diff != "" || got != status || (err == nil) != (gotErr == nil) {
						t.Errorf("theirs ended with %d, %v, ours with %d, %v\n%s", status, err, got, gotErr, diff)
					}
					if gotErr != nil && failure.FromTransport(gotErr).Kind != c.kind {
						t.Errorf("observed as %q: %v", failure.FromTransport(gotErr).Kind, gotErr)
					}
				})
			}
		}
	}
}

const visited = "the body"

func visit(t *testing.T, method, url, host string) *http.Request {
	t.Helper()
	var body io.Reader
	if method == "POST" || method == "PUT" {
		body = strings.NewReader(visited)
	}
	req, err := http.NewRequestWithContext(context.Background(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Authorization", "Cookie", "X-Api-Key", "Content-Type", "Content-Language"} {
		req.Header.Set(name, "v")
	}
	if host != "" {
		req.Host = host
	}
	return req
}

// walk follows redirects by our rules and reports the last status.
func walk(v *visitor, req *http.Request) (int, error) {
	chain := exchange.Redirects{First: req, Body: []byte(visited)}
	if req.Body == nil {
		chain.Body = nil
	}
	for {
		resp, err := v.RoundTrip(req)
		if err != nil {
			return 0, err
		}
		next, err := chain.Next(req, resp)
		switch {
		case err != nil:
			return 0, err
		case next == nil:
			return resp.StatusCode, nil
		}
		req = next
	}
}

// Shows that an address which cannot be followed is an answer that cannot be
// understood.
func TestRedirectsNowhere(t *testing.T) {
	for _, location := range []string{"http://[", "mailto:nobody", "ftp://a.example/", "https:///b"} {
		v := &visitor{site: site{"https://a.example/": {302, location}}}
		_, err := walk(v, visit(t, "GET", "https://a.example/", ""))
		if err == nil || failure.FromTransport(err).Kind != failure.MalformedResponse {
			t.Errorf("%s: %v", location, err)
		}
	}
}

const fetch = `
provider "http" "site" { base_url = "https://a.example" }
retry "linear" "once_more" {
  max_retries = 1
  retry_on    = ["protocol_error"]
}
workflow "w" {
  provider = provider.site
  step "http" "get" {
    path  = "/old"
    retry = retry.once_more
  }
}
`

// Shows that a loop of redirects is one attempt and one fault, that its wait
// passes once, and that the next attempt takes the next entry.
func TestRedirectLoopIsOneAttempt(t *testing.T) {
	r := Run(mustCompile(t, fetch+`
scenario "loop" {
  run = workflow.w
  on "get" {
    fault "redirect_loop" { after = "3s" }
    reply { body = "there" }
  }
  expect "get" { body = "there" }
  assert "one attempt each" {
    condition = [for a in step.get.attempts : a.elapsed_ms] == [3000, 0]
  }
  assert "it gave up" {
    condition = step.get.attempts[0].error.kind == "protocol_error" && step.get.attempts[0].fault == "redirect_loop"
  }
}`)[0], RunOptions{})
	if r.Verdict != Pass {
		complain(t, r)
	}
	struck := 0
	for _, e := range r.Events {
		if e.Type == trace.Fault {
			struck++
		}
	}
	if struck != 1 {
		t.Errorf("%d faults are told of, 1 was injected", struck)
	}
}

// Shows that a redirect which a script writes as an answer is the answer.
func TestWrittenRedirectIsTheAnswer(t *testing.T) {
	mustPass(t, fetch+`
scenario "reply" {
  run = workflow.w
  on "get" {
    reply {
      status_code = 302
      headers     = { Location = "/new" }
    }
  }
  expect "get" { status_code = 302 }
}
scenario "fault" {
  run   = workflow.w
  allow = ["unfired_fault"] # the step takes it for a success
  on "get" {
    fault "http_error" {
      status_code = 307
      headers     = { Location = "/old" }
    }
  }
  expect "get" { status_code = 307 }
}`)
}

// Shows that a recorded chain is followed interaction by interaction within
// one attempt, and that a redirect recorded alone is the answer.
func TestRecordedRedirects(t *testing.T) {
	const head = "version: 1\ninteractions:\n"
	interaction := func(url, location, body string, code int) string {
		return fmt.Sprintf("- request: {body: '', form: {}, headers: {}, url: %q, method: GET}\n  response: {body: %q, headers: {Location: [%q]}, status: '', code: %d, duration: ''}\n", url, body, location, code)
	}
	moved := interaction("https://a.example/old", "/new", "", 302)
	dir := t.TempDir()
	for name, tape := range map[string]string{
		"chain.yaml": head + moved + interaction("https://a.example/new", "", "there", 200),
		"alone.yaml": head + moved,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(tape), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range compileAt(t, filepath.Join(dir, "x.scenario.hcl"), fetch+`
scenario "chain" {
  run = workflow.w
  cassette { path = "chain.yaml" }
  expect "get" {
    status_code = 200
    body        = "there"
  }
  assert "one attempt" {
    condition = length(step.get.attempts) == 1
  }
}
scenario "chain that a script asks for" {
  run = workflow.w
  cassette { path = "chain.yaml" }
  on "get" {
    replay {}
  }
  expect "get" { body = "there" }
}
scenario "alone" {
  run = workflow.w
  cassette { path = "alone.yaml" }
  expect "get" { status_code = 302 }
}`) {
		if r := Run(p, RunOptions{}); r.Verdict != Pass {
			complain(t, r)
		}
	}
}
