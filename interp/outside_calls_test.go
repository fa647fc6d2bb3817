package interp

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// payURL is where the programs of these tests pay.
const payURL = "https://bank.test/payments"

// paid runs a program that pays in turn, a second apart: a body, and the Idempotency-Key of each
// where it is not empty.
func paid(t *testing.T, way Way, source string, payments ...[2]string) (r *Result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := compileAt(t, "a.scenario.hcl", source)[0]
		d := &driver{t, NewOutside(p, OutsideOptions{Clock: wire.System(), Way: way})}
		for i, pay := range payments {
			if i > 0 {
				time.Sleep(time.Second)
			}
			url, body := payURL, pay[0]
			if query, rest, has := strings.Cut(body, " "); has && strings.HasPrefix(query, "?") {
				url, body = payURL+query, rest
			}
			var header []string
			if pay[1] != "" {
				header = strings.SplitN(pay[1], ": ", 2)
			}
			d.asks(url, body, header...).End(false)
		}
		r, _ = d.run.Finish("success")
	})
	return r
}

const bank = `provider "http" "bank" { base_url = "https://bank.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "bank" {
    %s
    reply {
      json  = { id = "p-1" }
      times = "*"
    }
  }
  %s
}
`

// Shows that what is said of each call of a program is marked where the program makes something
// anew for each try, so that none of its tries counts as a second attempt of a call, and that the
// mark names what that is. What is said of all attempts is not, and neither is anything where no
// request repeats one that failed, or where a call has a second attempt.
func TestCallsThatAreTriesOfOne(t *testing.T) {
	key := func(s string) string { return "Idempotency-Key: " + s }
	tries := func(form string, n int) (list [][2]string) {
		for i := range n {
			body, k, _ := strings.Cut(fmt.Sprintf(form, i), "|")
			list = append(list, [2]string{body, k})
		}
		return list
	}
	keys := tries(`{"amount": 5}|Idempotency-Key: k%d`, 3)
	stamps := [][2]string{{`{"amount": 5, "sent_at": 1764312345.25}`}, {`{"amount": 5, "sent_at": 1764312345.75}`}, {`{"amount": 5, "sent_at": 1764312346.5}`}}
	same := [][2]string{{`{"amount": 5}`}, {`{"amount": 5}`}, {`{"amount": 5}`}}
	const fresh = "X-Stainless-Retry-Count: 0"
	const fault, slow = `fault "http_error" { times = 2 }`, "reply {\n json = { id = \"p-0\" }\n times = 2\n}"
	const perKey = `alltrue([for c in endpoint.bank.calls : length(distinct([for a in c.attempts : a.idempotency_key])) == 1])`
	for _, c := range []struct {
		script, condition string
		payments          [][2]string
		names             string // "" where it shows something
	}{
		{fault, perKey, keys, "the header Idempotency-Key"},
		{fault, `alltrue([for c in endpoint.bank.calls : c.retries <= 2])`, keys, "the header Idempotency-Key"},
		{fault, `alltrue([for c in endpoint.bank.calls : c.retries <= 2])`, stamps, "the member sent_at of the body"},
		{fault, `alltrue([for c in endpoint.bank.calls : length(c.attempts) <= 3])`, stamps, "the member sent_at of the body"},
		{fault, `alltrue([for e in endpoints : alltrue([for c in e.calls : length(c.attempts) == 1])])`, stamps, "the member sent_at of the body"},
		{fault, `endpoint.bank.retries <= 2`, stamps, "the member sent_at of the body"},
		{fault, `endpoint.bank.retries == 0`, stamps, "the member sent_at of the body"},
		{fault, `endpoint.bank.calls[0].retries <= 2`, stamps, "the member sent_at of the body"},
		{fault, `endpoint.bank.calls[2].retries <= 2`, stamps, "the member sent_at of the body"},
		{fault, `endpoint.bank.calls[0].elapsed_ms <= 500`, stamps, "the member sent_at of the body"},
		{fault, `alltrue([for c in endpoint.bank.calls : c.elapsed_ms <= 10000])`, stamps, "the member sent_at of the body"},
		{fault, `endpoint.bank.elapsed_ms <= 10000`, stamps, ""},
		{fault, `run.elapsed_ms <= 10000`, stamps, ""},
		{fault, `endpoint.bank.retries == 0`, tries(`{"amount": 5, "request": {"id": "4f1c9e207a%d"}}`, 3), "the member request.id of the body"},
		{fault, `endpoint.bank.retries == 0`, tries(`{"amount": 5, "at": "2026-01-02T03:04:0%dZ"}`, 3), "the member at of the body"},
		{fault, `endpoint.bank.retries == 0`, tries(`?nonce=77%d {"amount": 5}`, 3), "the query field nonce"},
		{"fault \"http_error\" {}", `endpoint.bank.retries == 0`, [][2]string{{`{"amount": 5}`}, {`{"amount": 5, "again": true}`}}, "the member again of the body"},
		{fault, `endpoint.bank.retries == 0`, [][2]string{{same[0][0], fresh}, {same[0][0], fresh}, {same[0][0], fresh}}, "X-Stainless-Retry-Count"},
		// All that the program asks.
		{fault, `length(endpoint.bank.attempts) <= 3`, stamps, ""},
		{fault, `length(endpoint.bank.calls) == 3`, stamps, ""},
		{fault, `length(distinct([for a in endpoint.bank.attempts : a.idempotency_key])) == 3`, keys, ""},
		{fault, `alltrue([for c in endpoint.bank.calls : c.attempts[0].idempotency_key != null])`, keys, ""},
		{fault, `endpoint.bank.calls[1].attempts[0].request.json.amount == 5`, stamps, ""},
		// A call has a second attempt, or nothing failed before.
		{fault, `alltrue([for c in endpoint.bank.calls : c.retries <= 2])`, same, ""},
		{fault, perKey, [][2]string{{`{"amount": 5}`, key("a")}, {`{"amount": 5}`, key("a")}, {`{"amount": 5}`, key("b")}}, ""},
		{"fault \"http_error\" {}", `alltrue([for c in endpoint.bank.calls : c.status == "failed" || c.retries == 0])`, [][2]string{{`{"payee": "ann", "amount": 5}`}, {`{"payee": "bob", "amount": 5}`}}, ""},
		{"fault \"http_error\" {}", `endpoint.bank.retries == 0`, [][2]string{{`{"payee": "ann", "amount": 5}`}, {`{"payee": "bob", "amount": 5}`}}, ""},
		{"fault \"http_error\" {}", `endpoint.bank.retries == 0`, [][2]string{{`{"day": "2026-01-02"}`, key("a")}, {`{"day": "2027-05-06"}`, key("b")}}, ""},
	} {
		for _, way := range []Way{Exec, Serve, Embedded} {
			r := paid(t, way, fmt.Sprintf(bank, c.script, "assert \"x\" { condition = "+c.condition+" }"), c.payments...)
			marked := ""
			for _, p := range r.Relaxed {
				if p.Kind == KindIdle || p.Kind == KindNothing {
					marked += p.Message
				}
			}
			if (marked == "") != (c.names == "") || !strings.Contains(marked, c.names) || c.names != "" && !strings.Contains(marked, "length(endpoint.bank.attempts) <= 3") {
				t.Errorf("%v %s of %v: marked %q, want %q; %s: %s", way, c.condition, c.payments, marked, c.names, r.Verdict, told(r))
			}
			if want := c.names == "" || way != Exec; (r.Verdict == Pass) != want {
				t.Errorf("%v %s of %v: %s, passes %v: %s", way, c.condition, c.payments, r.Verdict, want, told(r))
			}
		}
	}
	// What nobody tries again after a failure is another call, and that is why there is no retry.
	r := paid(t, Exec, fmt.Sprintf(bank, slow, `assert "x" { condition = endpoint.bank.retries == 0 }`), stamps...)
	if countIdle(r) != 1 || strings.Contains(r.Relaxed[0].Message, "sent_at") {
		t.Errorf("%s: %s %+v", r.Verdict, told(r), r.Relaxed)
	}
	r = paid(t, Exec, fmt.Sprintf(bank, fault, "expect \"bank\" { retries = 0 }\n invariant \"few\" { condition = alltrue([for c in endpoint.bank.calls : c.retries <= 2]) }"), stamps...)
	if countIdle(r) != 1 || r.Relaxed[0].Name != `expect "bank"` {
		t.Errorf("%s: %s %+v", r.Verdict, told(r), r.Relaxed)
	}
	r = paid(t, Exec, fmt.Sprintf(bank, fault, "invariant \"few\" { condition = alltrue([for c in endpoint.bank.calls : c.retries <= 2]) }"), stamps...)
	if countIdle(r) != 1 || r.Verdict != Fail {
		t.Errorf("%s: %s %+v", r.Verdict, told(r), r.Relaxed)
	}
}

// shop answers what the scenario asks. It asks a stock, which is out of order the first time, and
// tries as often as the test says.
type shop struct {
	d            *driver
	tries, asked int
}

// RoundTrip implements http.RoundTripper.
func (s *shop) RoundTrip(*http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	w.Code = http.StatusServiceUnavailable
	for range s.tries {
		s.d.asks("https://stock.test/tea", "").End(false)
		if s.asked++; s.asked > 1 {
			w.Code = http.StatusOK
			break
		}
	}
	return w.Result(), nil
}

// Shows that a retry which the scenario's own client caused is not taken for one of the program
// that it asks, and one of the program's own is.
func TestRetriesThatTheClientCauses(t *testing.T) {
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
}
scenario "s" {
  run = workflow.buy
  sut { serves = provider.shop }
  on "stock" {
    fault "http_error" {}
    reply { json = { left = 3 } }
  }
  %s
}
`
	assert := func(condition string) string { return "assert \"x\" { condition = " + condition + " }" }
	for _, c := range []struct {
		check string
		shows bool // of a program that does not ask again by itself
	}{
		{`expect "stock" { retries = 1 }`, false},
		{assert("endpoint.stock.retries >= 1"), false},
		{assert("length(endpoint.stock.attempts) == 2"), false},
		{assert("length(endpoint.stock.calls[0].attempts) == 2"), false},
		{assert("length(endpoint.stock.calls) == 1"), false},
		{assert("length(endpoint.stock.attempts) <= 2"), true},
		{`expect "stock" { status = "success" }`, true},
		{assert("endpoint.stock.status == \"success\""), true},
		{assert("alltrue([for a in endpoint.stock.attempts : a.request.method == \"GET\"])"), true},
		{assert("step.order.retries <= 1"), true},
		{assert("alltrue([for s in steps : s.retries <= 1])"), true},
	} {
		for tries, shows := range map[int]bool{1: c.shows, 2: true} {
			var r *Result
			synctest.Test(t, func(t *testing.T) {
				p := compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.check))[0]
				d := &driver{t, NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec})}
				d.run.Started(1)
				d.run.Ready()
				d.run.Drive(DriveOptions{BaseURL: "http://127.0.0.1:1", Transport: &shop{d: d, tries: tries}})
				r, _ = d.run.Finish("")
			})
			if (countIdle(r) == 0) != shows || (r.Verdict == Pass) != shows {
				t.Errorf("%s, tries %d: that it shows something is %v; %s: %s %+v", c.check, tries, shows, r.Verdict, told(r), r.Relaxed)
			}
		}
	}
}
