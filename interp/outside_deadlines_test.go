package interp

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// takes ends a request after its answer took so long.
func (d *driver) takes(x *Exchange, took time.Duration) {
	time.Sleep(took) // of fake time
	x.End(false)
}

// Shows that a limit on how many requests of a program are under way is marked where the script answers
// each at once, and that it is not where answers take time, or it says that requests met.
func TestLimitsOnRequestsThatTakeNoTime(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
endpoint "item" {
  provider   = provider.shop
  concurrent = "arrival"
}
scenario "s" {
  sut { command = ["agent"] }
  on "item" {
    %s
  }
  assert "x" { condition = %s }
}
`
	const at, late, slow = "reply {}", "reply { latency = \"200ms\" }", "fault \"delay\" {\n by = \"200ms\"\n times = \"*\"\n reply {}\n }"
	for _, c := range []struct {
		script, condition string
		atOnce            int
		shows             bool
	}{
		{at, `endpoint.item.in_flight_max <= 4`, 1, false},
		{at, `!(endpoint.item.in_flight_max > 4)`, 1, false},
		{at, `endpoint.item.in_flight_max == 1`, 1, false},
		{at, `length(endpoint.item.attempts) == 6 && endpoint.item.in_flight_max <= 4`, 1, false},
		{late, `endpoint.item.in_flight_max <= 4`, 1, true},
		{slow, `endpoint.item.in_flight_max <= 4`, 1, true},
		{at, `endpoint.item.in_flight_max >= 1`, 1, true},
		{at, `length(endpoint.item.attempts) <= 6`, 1, true},
		{at, `endpoint.item.in_flight_max <= 4`, 3, false},
		{at, `endpoint.item.in_flight_max == 3`, 3, true}, // so many met
	} {
		r := exec(t, fmt.Sprintf(source, c.script, c.condition), func(d *driver) {
			for range 6 / c.atOnce {
				var all []*Exchange
				for range c.atOnce {
					all = append(all, d.calls("GET", "https://shop.test/item"))
				}
				for _, x := range all {
					d.takes(x, 200*time.Millisecond)
				}
			}
		})
		if marked := countIdle(r) > 0; marked == c.shows {
			t.Errorf("%s (%s): that it shows something is %v; %s: %s", c.condition, c.script, c.shows, r.Verdict, told(r))
		}
	}
}

// Shows that an order of requests to two endpoints is marked where it holds as well if the program does
// not wait for the first answer: the script gives that at once, or the program did not wait; and that it
// is not where the program waited, or a wait or the end of the answer is compared.
func TestOrdersOfRequestsThatTakeNoTime(t *testing.T) {
	const source = `provider "http" "store" { base_url = "https://store.test" }
provider "http" "queue" { base_url = "https://queue.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "store" {
    reply { %s }
  }
  on "queue" {
    reply {}
  }
  assert "x" { condition = %s }
}
`
	const (
		latency = `latency = "300ms"`
		order   = `endpoint.queue.attempts[0].started_at_ms >= endpoint.store.attempts[0].started_at_ms`
		strict  = `endpoint.store.attempts[0].started_at_ms < endpoint.queue.attempts[0].started_at_ms`
		ended   = `endpoint.queue.attempts[0].started_at_ms >= endpoint.store.attempts[0].ended_at_ms`
	)
	for _, c := range []struct {
		words, condition string
		waits            bool
		shows            bool
	}{
		{"", order, true, false},
		{"", order, false, false},
		{"", strict, true, false},
		{"", `length(endpoint.store.attempts) == 1 && ` + order, true, false},
		{"", `alltrue([for a in endpoint.queue.attempts : a.started_at_ms >= endpoint.store.attempts[0].started_at_ms])`, true, false},
		{latency, order, false, false},
		{latency, order, true, true},
		{latency, ended, true, true},
		{"", ended, true, true},
		{latency, `endpoint.queue.attempts[0].started_at_ms - endpoint.store.attempts[0].started_at_ms >= 250`, true, true},
		{"", `endpoint.queue.attempts[0].started_at_ms - endpoint.store.attempts[0].started_at_ms <= 1000`, true, true},
		{"", `length(endpoint.queue.attempts) == 1 && length(endpoint.store.attempts) == 1`, true, true},
	} {
		r := exec(t, fmt.Sprintf(source, c.words, c.condition), func(d *driver) {
			took := time.Millisecond
			if c.words != "" {
				took = 300 * time.Millisecond
			}
			first := d.calls("POST", "https://store.test/people")
			if c.waits {
				d.takes(first, took)
			}
			time.Sleep(time.Millisecond)
			d.calls("POST", "https://queue.test/ack").End(false)
			if !c.waits {
				d.takes(first, took)
			}
		})
		if marked := countIdle(r) > 0; marked == c.shows || r.Verdict != Pass {
			t.Errorf("%s (%s, waits %v): that it shows something is %v; %s: %s", c.condition, c.words, c.waits, c.shows, r.Verdict, told(r))
		}
	}
}

// Shows that a limit on how long attempts of a program take is marked where the script ended each of
// them, and that it is not where the program gave one up.
func TestDeadlinesThatNoAnswerReached(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    fault "delay" {
      by = "1s"
      reply {}
    }
    reply { optional = true }
  }
  allow = ["unexpected_failure"]
  assert "x" { condition = %s }
}
`
	for _, c := range []struct {
		condition string
		leaves    bool
		shows     bool
	}{
		{`endpoint.shop.attempts[0].elapsed_ms <= 5000`, false, false},
		{`alltrue([for a in endpoint.shop.attempts : a.elapsed_ms < 5000])`, false, false},
		{`length(endpoint.shop.attempts) == 1 && endpoint.shop.attempts[0].elapsed_ms <= 5000`, false, false},
		{`run.elapsed_ms <= 5000`, false, false},
		{`run.elapsed_ms <= 1050`, false, false},
		{`endpoint.shop.attempts[0].elapsed_ms <= 5000`, true, true},
		{`run.elapsed_ms <= 5000`, true, true},
		{`endpoint.shop.attempts[0].elapsed_ms >= 900`, false, true},
		{`endpoint.shop.attempts[0].elapsed_ms >= 900 == (endpoint.shop.attempts[0].elapsed_ms <= 5000)`, false, true},
		{`length(endpoint.shop.attempts) <= 1`, false, true},
		{`endpoint.shop.elapsed_ms <= 5000`, false, true}, // what the program waits between attempts
	} {
		r := exec(t, fmt.Sprintf(source, c.condition), func(d *driver) {
			x := d.calls("GET", "https://shop.test/item")
			if c.leaves {
				time.Sleep(500 * time.Millisecond)
				x.End(true)
				return
			}
			d.takes(x, time.Second)
		})
		if marked := countIdle(r) > 0; marked == c.shows {
			t.Errorf("%s (leaves %v): that it shows something is %v; %s: %s", c.condition, c.leaves, c.shows, r.Verdict, told(r))
		}
	}
}

// Shows that a limit on how long a program takes is marked where several answers take a while, and all of
// them one after the other keep it, whether the program asked so or not; and that it is not where they
// would not, one answer alone takes a while, or one failed.
func TestLimitsThatAnswersInTurnKeep(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
endpoint "item" {
  provider   = provider.shop
  concurrent = "arrival"
}
scenario "s" {
  sut { command = ["agent"] }
  on "item" {
    %s
  }
  allow = ["unexpected_failure"]
  assert "x" { condition = %s }
}
`
	const (
		late   = "reply {\n latency = \"600ms\"\n times = 4\n }"
		one    = "reply { latency = \"600ms\" }\n reply { times = 3 }"
		breaks = "reply {\n latency = \"600ms\"\n times = 3\n }\n fault \"http_error\" { status_code = 503 }"
		limit  = `sut.elapsed_ms < 4000`
	)
	for _, c := range []struct {
		script, condition string
		atOnce            bool
		shows             bool
	}{
		{late, limit, true, false},
		{late, limit, false, false},
		{late, `run.elapsed_ms <= 4000`, true, false},
		{late, `sut.exit_code == 0 && sut.elapsed_ms < 4000`, true, false},
		{late, `sut.elapsed_ms < 2000`, true, true}, // 2.4 s one after the other
		{late, `run.elapsed_ms < 2000`, true, true},
		{late, `sut.elapsed_ms >= 500`, true, true},
		{late, `sut.elapsed_ms >= 500 == (sut.elapsed_ms < 4000)`, true, true},
		{one, limit, true, true},
		{breaks, limit, true, true},
	} {
		r := exec(t, fmt.Sprintf(source, c.script, c.condition), func(d *driver) {
			d.run.Started(1)
			began := time.Now()
			var all []*Exchange
			for i := range 4 {
				x := d.calls("GET", fmt.Sprintf("https://shop.test/item?n=%d", i))
				if all = append(all, x); !c.atOnce {
					d.takes(x, 600*time.Millisecond)
				}
			}
			if c.atOnce {
				time.Sleep(600 * time.Millisecond)
				for _, x := range all {
					x.End(false)
				}
			}
			code := 0
			d.run.ProgramEnded(ProgramEnd{Code: &code, Ran: time.Since(began)})
		})
		if marked := countIdle(r) > 0; marked == c.shows || r.Verdict != Pass {
			t.Errorf("%s (%s, at once %v): that it shows something is %v; %s: %s", c.condition, c.script, c.atOnce, c.shows, r.Verdict, told(r))
		}
	}
}

// Shows that a limit on how long a step takes is marked where the delay under its server is shorter, and
// all answers one after the other are, and that it is not where the server cut one off, an answer failed,
// or only requests at one time keep the limit.
func TestDeadlinesOfServersThatNoAnswerReached(t *testing.T) {
	const source = `provider "http" "shop" {}
provider "http" "model" { base_url = "https://model.test" }
workflow "ask" {
  step "http" "q" {
    provider = provider.shop
    path     = "/q"
    timeout  = "20s"
  }
}
endpoint "model" {
  provider   = provider.model
  concurrent = "arrival"
}
scenario "s" {
  run = workflow.ask
  sut { serves = provider.shop }
  on "model" {
    %s
  }
  assert "x" { condition = step.q.status_code == 200 }
  assert "y" { condition = %s }
}
`
	const (
		delay  = "fault \"delay\" {\n by = \"1500ms\"\n times = \"*\"\n reply {}\n }"
		late   = "reply { latency = \"1500ms\" }"
		breaks = "fault \"delay\" {\n by = \"1500ms\"\n reply {}\n }\n fault \"http_error\" { status_code = 503 }"
		limit  = `step.q.elapsed_ms <= 4000`
	)
	for _, c := range []struct {
		script, condition string
		requests          int
		cut               bool
		shows             bool
	}{
		{delay, limit, 1, false, false},
		{delay, limit, 2, false, false},
		{delay, `step.q.attempts[0].elapsed_ms <= 4000`, 1, false, false},
		{delay, `run.elapsed_ms <= 9000`, 1, false, false},
		{delay, limit, 3, false, true}, // 4.5 s one after the other
		{delay, limit, 1, true, true},
		{late, limit, 1, false, true}, // how fast it is
		{breaks, limit, 2, false, true},
		{delay, `step.q.elapsed_ms >= 1400`, 1, false, true},
		{delay, `step.q.elapsed_ms >= 1400 == (step.q.elapsed_ms <= 4000)`, 1, false, true},
	} {
		var r *Result
		synctest.Test(t, func(t *testing.T) {
			run := NewOutside(compileAt(t, "served.scenario.hcl", fmt.Sprintf(source, c.script, c.condition))[0], OutsideOptions{Clock: wire.System(), Way: Exec})
			run.Started(1)
			time.Sleep(time.Second) // of fake time
			run.Ready()
			run.Drive(DriveOptions{BaseURL: "http://127.0.0.1:1", Transport: &server{run: run, answer: func(s *server, w http.ResponseWriter, req *http.Request) error {
				d := &driver{t, run}
				var all []*Exchange
				for range c.requests {
					all = append(all, d.calls("GET", "https://model.test/ask"))
				}
				time.Sleep(1500 * time.Millisecond)
				for _, x := range all {
					x.End(c.cut)
				}
				w.WriteHeader(http.StatusOK)
				return nil
			}}})
			time.Sleep(time.Second) // until it has stopped
			r, _ = run.Finish("")
		})
		if marked := countIdle(r) > 0; marked == c.shows {
			t.Errorf("%s (%s, %d, cut %v): that it shows something is %v; %s: %s", c.condition, c.script, c.requests, c.cut, c.shows, r.Verdict, told(r))
		}
	}
}

// Shows that a least time between the requests of a program is marked where the answers alone take so
// long, and that it is not where the program waited by itself, or asked at one time.
func TestLimitsThatAnswersKeep(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    reply { latency = "300ms" }
  }
  assert "x" { condition = %s }
}
`
	const window = `alltrue([for i, a in endpoint.shop.attempts : i < 4 || a.at_ms - endpoint.shop.attempts[i - 4].at_ms >= 1000])`
	for _, c := range []struct {
		condition string
		wait      time.Duration
		shows     bool
	}{
		{window, time.Millisecond, false},
		{`length(endpoint.shop.attempts) == 8 && ` + window, time.Millisecond, false},
		{window, 100 * time.Millisecond, true},
		{`length(endpoint.shop.attempts) == 8`, time.Millisecond, true},
		{`endpoint.shop.attempts[7].at_ms - endpoint.shop.attempts[0].at_ms <= 5000`, time.Millisecond, true},
		{`endpoint.shop.attempts[0].at_ms >= 0 == (endpoint.shop.attempts[7].at_ms >= 0)`, time.Millisecond, true},
	} {
		r := exec(t, fmt.Sprintf(source, c.condition), func(d *driver) {
			for range 8 {
				d.takes(d.calls("GET", "https://shop.test/item"), 300*time.Millisecond)
				time.Sleep(c.wait)
			}
		})
		if marked := countIdle(r) > 0; marked == c.shows {
			t.Errorf("%s (%s): that it shows something is %v; %s: %s", c.condition, c.wait, c.shows, r.Verdict, told(r))
		}
	}
}
