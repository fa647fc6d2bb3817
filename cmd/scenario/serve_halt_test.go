//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp"
)

// A served command answers in its sessions until a signal comes: then it judges
// what is open, reports it, and ends with what that came to, within a second; one of five
// tries is enough, for a machine that is busy.
func TestServeEndsWithASignal(t *testing.T) {
	const text = `provider "http" "data" { base_url = "https://data.test/v1" }
provider "openai" "model" {}

scenario "again" {
  on "data" {
    fault "http_error" { status_code = 503 }
    reply { body = "x" }
  }
  expect "data" { retries = 1 }
}
`
	for _, c := range []struct {
		name string
		asks int // in the session that is open at the end
		code int
		says []string
		// hangs is what clients have sent, to the service and to what controls it, that
		// send nothing more.
		hangs []string
	}{
		{"passes", 2, 0, []string{`"status":"pass"`, `"session":"default"`, `"way":"serve"`}, nil},
		{"fails", 1, 1, []string{`"status":"fail"`, `"unused_reply"`}, nil},
		{"asked nothing", 0, 0, []string{`"type":"summary","status":"skip"`}, nil},
		{"while clients hang", 2, 0, []string{`"status":"pass"`}, []string{"", "GET /x HT", "GET /x HTTP/1.1\r\nHost: x\r\nA: ", "POST /sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nabc"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("a.scenario.hcl", []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			withinASecond(t, func() time.Duration {
				from, to := io.Pipe()
				var errs bytes.Buffer
				ended := make(chan int, 1)
				go func() {
					ended <- run([]string{"serve", "--json", "-v", "--report", "junit=r.xml", "--trace-out", "t.jsonl", "--trace-out", "chrome=t.json"}, strings.NewReader(""), to, &errs, noEnv)
					to.Close()
				}()
				out := bufio.NewReader(from)
				line, err := out.ReadString('\n')
				if err != nil {
					t.Fatal(err, &errs)
				}
				var at struct {
					Providers map[string]string
					Control   string
					Env       map[string]string
				}
				if err := json.Unmarshal([]byte(line), &at); err != nil {
					t.Fatal(err)
				}
				if key := at.Env["OPENAI_API_KEY"]; key != interp.PlaceholderKey {
					t.Errorf("programs are to have the key %q", key)
				}
				for range c.asks {
					resp, err := http.Get(at.Providers["data"] + "/x")
					if err != nil {
						t.Fatal(err)
					}
					resp.Body.Close()
				}
				http.DefaultClient.CloseIdleConnections()
				for _, address := range []string{at.Providers["data"], at.Control} {
					for _, sent := range c.hangs {
						hangs(t, address, sent)
					}
				}
				began := time.Now()
				if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
					t.Fatal(err)
				}
				rest, _ := io.ReadAll(out)
				code := <-ended
				took := time.Since(began)
				if code != c.code {
					t.Errorf("exit %d, want %d: %s", code, c.code, &errs)
				}
				for _, want := range c.says {
					if !strings.Contains(string(rest), want) {
						t.Errorf("%q is not in\n%s", want, rest)
					}
				}
				if found := "provider by listener, endpoint by provider, call by a new request, entry by order\n"; c.asks > 0 && !strings.Contains(errs.String(), found) {
					t.Errorf("-v does not say by which rules a request was found: %s", &errs)
				}
				report, _ := os.ReadFile("r.xml")
				if c.asks > 0 && !strings.Contains(string(report), `name="again (session default)"`) {
					t.Errorf("the report does not name the session: %s", report)
				}
				if written, err := os.ReadFile("t.jsonl"); err != nil || strings.Count(string(written), `"type":"attempt_start"`) != c.asks {
					t.Errorf("%v: the trace has not %d requests:\n%s", err, c.asks, written)
				}
				if written, err := os.ReadFile("t.json"); err != nil || !json.Valid(written) {
					t.Errorf("%v: the spans are %s", err, written)
				}
				if resp, err := http.Get(at.Control + "/healthz"); err == nil {
					resp.Body.Close()
					t.Error("the control listener still answers")
				}
				return took
			})
		})
	}
}

// hangs connects to an address, says something and then nothing more until the test is
// over.
func hangs(t *testing.T, address, says string) {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", at.Host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, says); err != nil {
		t.Fatal(err)
	}
}
