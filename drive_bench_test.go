package scenario_test

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scenario-lang/scenario"
)

const benchBody = `{"id":"chatcmpl-1","choices":[{"index":0,"message":{"role":"assistant","content":"hello"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9,"completion_tokens":1,"total_tokens":10}}`

const benchAsked = `{"model":"gpt-4o-mini","messages":[{"role":"user","content":"why?"}]}`

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// canned is a transport that has one answer.
type canned struct{}

func (canned) RoundTrip(r *http.Request) (*http.Response, error) {
	_, _ = io.Copy(io.Discard, r.Body)
	r.Body.Close()
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader([]byte(benchBody))), ContentLength: int64(len(benchBody)), Request: r,
	}, nil
}

// answering is a suite whose one scenario answers a program's every request to a model.
func answering(tb testing.TB) *scenario.Suite {
	tb.Helper()
	suite, err := scenario.Load(fstest.MapFS{"a.scenario.hcl": {Data: []byte(`
provider "openai" "llm" {}
scenario "s" {
  on "llm" {
    reply {
      content = "hello"
      times   = "*"
    }
  }
  expect "run" { status = "success" }
}
`)}}, ".")
	if err != nil {
		tb.Fatal(err)
	}
	return suite
}

// askWhy is a program's request to a model.
func askWhy(tb testing.TB) *http.Request {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), http.MethodPost, "https://api.openai.com/v1/chat/completions", strings.NewReader(benchAsked))
	if err != nil {
		tb.Fatal(err)
	}
	return req
}

// Measures what the embedded transport adds to a canned answer: a request is read,
// finds its endpoint, is answered byte by byte, and is in the trace.
func BenchmarkTransport(b *testing.B) {
	suite := answering(b)
	ask := func(b *testing.B, over http.RoundTripper, each func(took time.Duration)) {
		buf := make([]byte, 4096)
		b.ReportAllocs()
		for b.Loop() {
			var began time.Time
			if each != nil {
				began = time.Now()
			}
			req := askWhy(b)
			req.Header.Set("Content-Type", "application/json")
			resp, err := over.RoundTrip(req)
			if err != nil || resp.StatusCode != http.StatusOK {
				b.Fatal(resp, err)
			}
			for err == nil {
				_, err = resp.Body.Read(buf)
			}
			resp.Body.Close()
			if each != nil {
				each(time.Since(began))
			}
		}
	}
	b.Run("canned", func(b *testing.B) { ask(b, canned{}, nil) })
	b.Run("scenario", func(b *testing.B) {
		run := suite.Scenarios()[0].Drive(scenario.DriveOptions{})
		defer run.Finish()
		ask(b, run.Transport(), nil)
	})
	b.Run("another", func(b *testing.B) { // question each time, so that nothing is remembered
		run := suite.Scenarios()[0].Drive(scenario.DriveOptions{})
		defer run.Finish()
		n := 0
		over := run.Transport()
		ask(b, roundTripper(func(r *http.Request) (*http.Response, error) {
			n++
			body := strings.Replace(benchAsked, "why?", "why "+strconv.Itoa(n), 1)
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
			return over.RoundTrip(r)
		}), nil)
	})
	b.Run("each", func(b *testing.B) { // what looking at the clock costs is in no mean
		run := suite.Scenarios()[0].Drive(scenario.DriveOptions{})
		defer run.Finish()
		var took []float64
		ask(b, run.Transport(), func(d time.Duration) { took = append(took, float64(d)/float64(time.Microsecond)) })
		slices.Sort(took)
		b.ReportMetric(took[len(took)*99/100], "us-p99")
	})
}
