package interp

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// A server is the program of a scenario: what it answers, and which status it has of what it asks.
type server struct {
	run    *Outside
	answer func(s *server, w http.ResponseWriter, req *http.Request) error // an error is no answer
}

// RoundTrip implements http.RoundTripper.
func (s *server) RoundTrip(req *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	err := s.answer(s, w, req)
	switch {
	case err != nil && w.Body.Len() == 0:
		return nil, err
	case err != nil: // after the first bytes of the body
		resp := w.Result()
		resp.Body = io.NopCloser(io.MultiReader(resp.Body, iotest.ErrReader(err)))
		return resp, nil
	}
	return w.Result(), nil
}

// ask is what came of a request of the server, 0 for no answer.
func (s *server) ask(ctx context.Context, url string, header ...string) int {
	const body = `{"sku":"tea"}`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		panic(err) // never: the test gives the address
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	x, err := s.run.Answer(ctx, Asked{Request: req, Body: []byte(body), Connection: 1})
	if err != nil {
		return 0
	}
	resp, err := x.Script().RoundTripWatched(wire.System(), req, x)
	if err != nil {
		return 0
	}
	defer resp.Body.Close()
	if _, err = io.Copy(io.Discard, resp.Body); err != nil {
		return 0
	}
	return resp.StatusCode
}

// errDied is what a client has of a server whose handler died.
var errDied = fmt.Errorf("read: %w", io.EOF)

// Ways in which a shop answers an order, for which it asks its stock.
var (
	// hands asks once, and hands a failure on.
	hands = func(s *server, w http.ResponseWriter, req *http.Request) error {
		if s.ask(req.Context(), "https://stock.test/tea") != http.StatusOK {
			w.WriteHeader(http.StatusServiceUnavailable)
			return nil
		}
		return sold(w)
	}
	// dies asks once, and dies of a failure.
	dies = func(s *server, w http.ResponseWriter, req *http.Request) error {
		if s.ask(req.Context(), "https://stock.test/tea") != http.StatusOK {
			return errDied
		}
		return sold(w)
	}
	// copes asks a second time.
	copes = func(s *server, w http.ResponseWriter, req *http.Request) error {
		if s.ask(req.Context(), "https://stock.test/tea") != http.StatusOK {
			return hands(s, w, req)
		}
		return sold(w)
	}
)

func sold(w http.ResponseWriter) error {
	_, err := io.WriteString(w, `{"sold":true}`)
	return err
}

// servedBy is a run of a scenario whose program is a server that answers so, in fake time.
func servedBy(t *testing.T, source string, answer func(s *server, w http.ResponseWriter, req *http.Request) error) (r *Result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := compileAt(t, "served.scenario.hcl", source)[0]
		run := NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec})
		run.Started(1)
		time.Sleep(time.Second) // of fake time
		run.Ready()
		run.Drive(DriveOptions{BaseURL: "http://127.0.0.1:1", Transport: &server{run: run, answer: answer}})
		time.Sleep(time.Second) // until it has stopped
		r, _ = run.Finish("")
	})
	return r
}

// shows reports whether all that a scenario checks shows something, and that its verdict says so,
// as it does by the trace alone.
func shows(t *testing.T, r *Result) bool {
	t.Helper()
	idle := countIdle(r)
	if again, err := Judge(r.Plan, r.Events); err != nil || again.Verdict != r.Verdict || countIdle(again) != idle {
		t.Errorf("by its trace alone it is %+v, and not %s with %d marks; %v", again, r.Verdict, idle, err)
	}
	if (r.Verdict == Pass) != (idle == 0) {
		t.Errorf("%s with %d marks: %s %+v", r.Verdict, idle, told(r), r.Relaxed)
	}
	return idle == 0
}

// Shows that what is said of a step that succeeded because the workflow asked the server again shows
// nothing of how the server copes with a fault, and what is said of the attempt that failed does.
func TestSuccessesThatTheClientCauses(t *testing.T) {
	const source = `provider "http" "shop" {}
provider "http" "stock" { base_url = "https://stock.test" }
retry "linear" "client" {
  delay       = "100ms"
  max_retries = 2
}
workflow "buy" {
  provider = provider.shop
  step "http" "order" {
    path    = "/order"
    timeout = "10s"
    retry   = retry.client
  }
  output = step.order.json
}
scenario "s" {
  run = workflow.buy
  sut { serves = provider.shop }
  on "stock" {
    fault "http_error" { status_code = 503 }
    reply { json = { left = 3 } }
  }
  %s
}
`
	assert := func(condition string) string { return "assert \"x\" { condition = " + condition + " }" }
	for _, c := range []struct {
		check string
		shows bool // of a server that does not cope with the fault
	}{
		{`expect "order" { status = "success" }`, false},
		{`expect "order" { json = { sold = true } }`, false},
		{"expect \"order\" {\n status = \"success\"\n json = { sold = true }\n status_code = 200\n body = \"{\\\"sold\\\":true}\"\n}", false},
		{`expect "order" { error = null }`, false},
		{`expect "run" { status = "success" }`, false},
		{`expect "run" { output = { sold = true } }`, false},
		{assert(`step.order.status == "success"`), false},
		{assert(`step["order"].status == "success"`), false},
		{assert(`step.order.json.sold`), false},
		{assert(`step.order.output.sold == true`), false},
		{assert(`strcontains(step.order.body, "sold")`), false},
		{assert(`step.order.error == null`), false},
		{assert(`step.order.attempts[length(step.order.attempts) - 1].status_code == 200`), false},
		{assert(`anytrue([for a in step.order.attempts : a.status_code == 200])`), false},
		{assert(`alltrue([for s in steps : s.status == "success"])`), false},
		{assert(`run.status == "success" && step.order.json.sold`), false},
		{assert(`run.output.sold`), false},
		{assert(`contains(run.partial.completed_steps, "order")`), false},
		{assert(`events({ type = "step_end", step = "order" })[0].status == "success"`), false},
		{"invariant \"x\" { condition = step.order.status == null || step.order.status == \"success\" }", false},
		{"expect \"order\" {\n status = \"success\"\n retries = 1\n}", true},
		{assert(`step.order.attempts[0].outcome == "failure"`), true},
		{assert(`step.order.attempts[0].error.kind != "timeout"`), true},
		{assert(`step.order.attempts[1].status_code == 200`), true},
		{assert(`length(step.order.attempts) == 2`), true},
		{assert(`step.order.retries == 1`), true},
		{assert(`step.order.status == "success" && step.order.retries == 1`), true},
		{assert(`step.order.delays_ms == [100]`), true},
		{assert(`length(events({ type = "retry_wait" })) == 1`), true},
		{assert(`[for a in step.order.attempts : a.outcome] == ["failure", "success"]`), true},
		{assert(`endpoint.stock.attempts[0].request.json.sku == "tea"`), true},
		{assert(`step.order.json.sold == (endpoint.stock.attempts[0].request.json.sku == "tea")`), true},
	} {
		for name, answer := range map[string]func(*server, http.ResponseWriter, *http.Request) error{"hands it on": hands, "dies": dies} {
			r := servedBy(t, fmt.Sprintf(source, c.check), answer)
			if got := shows(t, r); got != c.shows {
				t.Errorf("%s, of a server that %s: that it shows something is %v, want %v; %s: %s %+v", c.check, name, got, c.shows, r.Verdict, told(r), r.Relaxed)
			}
		}
		if c.shows {
			continue
		}
		if r := servedBy(t, fmt.Sprintf(source, c.check), copes); !shows(t, r) {
			t.Errorf("%s, of a server that copes: %s: %s %+v", c.check, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that the success of a step that asked again shows something where its server met a fault in
// the attempt that succeeded, or none in the one that failed; and that the success of a run does
// where another step met one.
func TestSuccessesThatAreTheServersOwn(t *testing.T) {
	const source = `provider "http" "shop" {}
provider "http" "stock" { base_url = "https://stock.test" }
provider "http" "bank" { base_url = "https://bank.test" }
retry "linear" "client" {
  delay       = "100ms"
  max_retries = 2
}
workflow "buy" {
  provider = provider.shop
  step "http" "order" {
    path    = "/order"
    timeout = "10s"
    retry   = retry.client
  }
  step "http" "pay" {
    depends_on = [step.order]
    path       = "/pay"
    timeout    = "10s"
  }
}
scenario "s" {
  run = workflow.buy
  sut { serves = provider.shop }
  on "stock" {
    %s
    reply { times = "*" }
  }
  on "bank" {
    %s
    reply {
      times    = "*"
      optional = true
    }
  }
  %s
}
`
	assert := func(condition string) string { return "assert \"x\" { condition = " + condition + " }" }
	// The shop needs its bank for both, and goes on without it.
	shop := func(s *server, w http.ResponseWriter, req *http.Request) error {
		s.ask(req.Context(), "https://bank.test/charges")
		if req.URL.Path == "/order" && s.ask(req.Context(), "https://stock.test/tea") != http.StatusOK {
			return errDied
		}
		return sold(w)
	}
	// It dies the first time, whatever it is told.
	first := true
	tired := func(s *server, w http.ResponseWriter, req *http.Request) error {
		err := shop(s, w, req)
		if first {
			err = errDied
		}
		first = false
		return err
	}
	const fault = "fault \"http_error\" { status_code = 503 }"
	for _, c := range []struct {
		stock, bank, check string
		answer             func(*server, http.ResponseWriter, *http.Request) error
		shows              bool
	}{
		{fault, "", assert(`step.order.status == "success"`), shop, false},
		{fault, "", assert(`run.status == "success"`), shop, false},
		{fault, "", assert(`step.pay.status == "success"`), shop, true},
		{fault, "", assert(`step.pay.json.sold == step.order.json.sold`), shop, true},
		{fault, "reply { times = 2 }\n" + fault, `expect "run" { status = "success" }`, shop, true},
		// The fault of the bank comes in the attempt that fails, too.
		{fault, fault, assert(`run.status == "success"`), shop, false},
		// It comes in the one that succeeds.
		{fault, "reply { times = 1 }\n" + fault, assert(`step.order.status == "success"`), shop, true},
		{fault, "reply { times = 1 }\n" + fault, assert(`run.status == "success"`), shop, true},
		// It comes in the step that asked once.
		{fault, "reply { times = 2 }\n" + fault, assert(`step.order.status == "success"`), shop, false},
		{fault, "reply { times = 2 }\n" + fault, assert(`run.status == "success"`), shop, true},
		{fault, "reply { times = 2 }\n" + fault, assert(`alltrue([for s in steps : s.status == "success"])`), shop, true},
		// The server fails by itself.
		{"", "", assert(`step.order.status == "success"`), tired, true},
	} {
		first = true
		r := servedBy(t, fmt.Sprintf(source, c.stock, c.bank, c.check), c.answer)
		if got := shows(t, r); got != c.shows {
			t.Errorf("%s with %q and %q: that it shows something is %v, want %v; %s: %s %+v", c.check, c.stock, c.bank, got, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that a step failed shows nothing where its server sent no answer, as one does whose handler
// dies, and that what names the failure does; and that it shows something where the server says so.
func TestFailuresThatNoServerSays(t *testing.T) {
	const source = `provider "http" "shop" {}
provider "http" "stock" { base_url = "https://stock.test" }
retry "linear" "client" { max_retries = %d }
workflow "buy" {
  provider = provider.shop
  step "http" "order" {
    path    = "/order"
    timeout = "10s"
    retry   = retry.client
  }
}
scenario "s" {
  run = workflow.buy
  sut { serves = provider.shop }
  on "stock" {
    fault "http_error" {
      status_code = 503
      times       = "*"
    }
  }
  allow = ["unexpected_failure"]
  %s
}
`
	assert := func(condition string) string { return "assert \"x\" { condition = " + condition + " }" }
	for _, c := range []struct {
		check string
		shows bool // of a server that dies
		never bool // that it holds of one that hands the failure on
	}{
		{check: `expect "order" { status = "failed" }`},
		{check: `expect "run" { status = "failed" }`},
		{check: "expect \"order\" {\n status = \"failed\"\n output = null\n}"},
		{check: assert(`step.order.status == "failed"`)},
		{check: assert(`step.order.status != "success"`)},
		{check: assert(`step.order.error != null`)},
		{check: assert(`step.order.error.retryable`)},
		{check: assert(`step.order.output == null`)},
		{check: assert(`step.order.json == null`)},
		{check: assert(`run.status == "failed"`)},
		{check: assert(`run.error != null && step.order.status == "failed"`)},
		{check: assert(`run.error.step == "order"`)},
		{check: assert(`contains(run.partial.failed_steps, "order")`)},
		{check: assert(`step.order.attempts[length(step.order.attempts) - 1].outcome == "failure"`)},
		{check: assert(`alltrue([for a in step.order.attempts : a.outcome == "failure"])`)},
		{check: assert(`alltrue([for s in steps : s.status == "failed"])`)},
		{check: assert(`events({ type = "step_end", step = "order" })[0].status == "failed"`)},
		{check: `invariant "x" { condition = step.order.status == null || step.order.status == "failed" }`},
		{check: assert(`step.order.error.kind == "connection"`), shows: true, never: true},
		{check: `expect "order" { error = { kind = "connection" } }`, shows: true, never: true},
		{check: assert(`step.order.status_code == null`), shows: true, never: true},
		{check: assert(`run.error.kind == "connection"`), shows: true, never: true},
		{check: assert(`step.order.status == "failed" && step.order.error.kind == "connection"`), shows: true, never: true},
		{check: assert(`step.order.body == null`), shows: true, never: true},
		{check: assert(`length(endpoint.stock.attempts) <= 2`), shows: true},
		{check: assert(`endpoint.stock.status == "failed"`), shows: true},
	} {
		for retries := range 2 {
			if r := servedBy(t, fmt.Sprintf(source, retries, c.check), dies); shows(t, r) != c.shows {
				t.Errorf("%s, %d retries: that it shows something is %v, want %v; %s: %s %+v", c.check, retries, !c.shows, c.shows, r.Verdict, told(r), r.Relaxed)
			}
			if c.never {
				continue
			}
			if r := servedBy(t, fmt.Sprintf(source, retries, c.check), hands); !shows(t, r) {
				t.Errorf("%s, %d retries, of a server that says so: %s: %s %+v", c.check, retries, r.Verdict, told(r), r.Relaxed)
			}
		}
	}
}

// Shows the same of calls, and that it is not so of an answer that breaks off, of a server that cannot
// be told, and of a run in which another step failed with an answer.
func TestFailuresOfSeveral(t *testing.T) {
	const source = `provider "http" "shop" {}
workflow "buy" {
  provider = provider.shop
  step "http" "order" {
    path       = "/order"
    on_failure = "continue"
  }
  step "http" "pay" { path = "/pay" }
}
scenario "s" {
  %s
  sut { serves = provider.shop }
  allow = ["unexpected_failure"]
  %s
}
`
	shop := func(_ *server, w http.ResponseWriter, req *http.Request) error {
		switch req.URL.Path {
		case "/order":
			return errDied
		case "/slow":
			<-req.Context().Done()
			return req.Context().Err()
		case "/half":
			_, _ = io.WriteString(w, "{")
			return io.ErrUnexpectedEOF
		case "/away":
			w.Header().Set("Location", "http://127.0.0.2:1/")
			w.WriteHeader(http.StatusFound)
			return nil
		}
		time.Sleep(time.Second) // of fake time
		w.WriteHeader(http.StatusInternalServerError)
		return nil
	}
	const (
		flow  = "run = workflow.buy"
		calls = `call "order" {
    target    = provider.shop
    arguments = { path = "/order" }
  }
  call "pay" {
    target    = provider.shop
    arguments = { path = "/pay" }
  }`
		slow = `call "order" {
    target    = provider.shop
    arguments = { path = "/slow" }
    timeout   = "2s"
  }`
		half = `call "order" {
    target    = provider.shop
    arguments = { path = "/half" }
  }`
		away = `call "order" {
    target    = provider.shop
    arguments = { path = "/away" }
  }`
	)
	for _, c := range []struct {
		asks, check string
		shows       bool
	}{
		{flow, `expect "order" { status = "failed" }`, false},
		{flow, `expect "pay" { status = "failed" }`, true},
		{flow, `expect "run" { status = "failed" }`, true},
		{calls, `expect "order" { status = "failed" }`, false},
		{calls, `assert "x" { condition = call.order.status == "failed" }`, false},
		{calls, `assert "x" { condition = call.order.error.kind == "connection" }`, true},
		{calls, `expect "pay" { status = "failed" }`, true},
		{calls, `assert "x" { condition = call.pay.error != null }`, true},
		{slow, `expect "order" { status = "timeout" }`, true},
		{half, `expect "order" { status = "failed" }`, true},
		{away, `expect "order" { status = "failed" }`, true},
	} {
		if r := servedBy(t, fmt.Sprintf(source, c.asks, c.check), shop); shows(t, r) != c.shows {
			t.Errorf("%s: that it shows something is %v, want %v; %s: %s %+v", c.check, !c.shows, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}
