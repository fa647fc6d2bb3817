package interp

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

const shopURL = "https://shop.test/orders"

// ordersBy is a run of a program that posts orders, each with the header fields given, one after
// the other.
func ordersBy(t *testing.T, source string, header []string, bodies ...string) (r *Result) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := drivenBy(t, source)
		for _, body := range bodies {
			d.asks(shopURL, body, header...).End(false)
			time.Sleep(time.Second) // of fake time
		}
		r, _ = d.run.Finish("success")
	})
	return r
}

// Shows that what counts retries of a program shows nothing where no attempt can fail, as what is
// asked after a success is a new call; and does where one failed or may.
func TestRetriesWhereNoAttemptFails(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    %s
  }
  %s
}
`
	assert := func(condition string) string { return fmt.Sprintf("assert \"x\" { condition = %s }", condition) }
	const created, often = "reply {\n status_code = 201\n json = { id = 7 }\n}", "reply {\n status_code = 201\n times = \"*\"\n}"
	const failing = "fault \"http_error\" { status_code = 503 }\n" + often
	five, two := []string{`{"a":1}`, `{"a":1}`, `{"a":1}`, `{"a":1}`, `{"a":1}`}, []string{`{"sku":"tea"}`, `{"sku":"jam"}`}
	key := []string{"Idempotency-Key", "k"}
	for _, c := range []struct {
		script, check string
		header        []string
		orders        []string
		shows         bool
	}{
		{often, `expect "shop" { retries = 0 }`, nil, five, false},
		{often, `expect "shop" { retries = 0 }`, nil, five[:1], false},
		{created, `expect "shop" { retries = 0 }`, nil, five[:1], false},
		{often, `expect "shop" { retries = 0 }`, key, five, false},
		{often, assert(`endpoint.shop.retries == 0`), nil, five, false},
		{often, assert(`endpoint.shop.retries <= 1`), nil, five, false},
		{often, assert(`endpoint["shop"].retries < 1`), nil, five, false},
		{often, assert(`alltrue([for c in endpoint.shop.calls : c.retries == 0])`), nil, five, false},
		{often, assert(`alltrue([for c in endpoint.shop.calls : length(c.attempts) == 1])`), nil, five, false},
		{often, assert(`length(endpoint.shop.calls[0].attempts) == 1`), nil, five, false},
		{often, assert(`endpoint.shop.calls[0].gaps_ms == []`), nil, five, false},
		{often, assert(`endpoint.shop.delays_ms == []`), nil, five, false},
		{often, assert(`[for c in endpoint.shop.calls : c if c.retries > 0] == []`), nil, five, false},
		{often, assert(`length([for a in endpoint.shop.attempts : a if a.outcome == "failure"]) == 0`), nil, five, false},
		{often, assert(`alltrue([for a in endpoint.shop.attempts : a.error == null])`), nil, five, false},
		{often, assert(`alltrue([for l in endpoint.shop.lanes : alltrue([for c in l.calls : c.retries == 0])])`), nil, five, false},
		{often, assert(`sum([for c in endpoint.shop.calls : c.retries]) == 0`), nil, five, false},
		{often, assert(`alltrue([for e in endpoints : e.retries == 0])`), nil, five, false},
		// How often it asks is what the program does.
		{often, assert(`length(endpoint.shop.attempts) == 5`), nil, five, true},
		{often, assert(`length(endpoint.shop.calls) == 5`), nil, five, true},
		{often, assert(`length(endpoint.shop.attempts) == 5 && endpoint.shop.retries == 0`), nil, five, true},
		{often, "expect \"shop\" {\n status = \"success\"\n retries = 0\n}", nil, five, true},
		{often, assert(`alltrue([for c in endpoint.shop.calls : c.retries == 0 && c.attempts[0].request.json.a == 1])`), nil, five, true},
		{often, assert(`length([for a in endpoint.shop.attempts : a if a.outcome == "success"]) == 5`), nil, five, true},
		// So is what it asks again after a failure, or may.
		{failing, `expect "shop" { retries = 1 }`, nil, five, true},
		{failing, `expect "shop" { retries = 0 }`, nil, two, true},
		{failing, assert(`length(endpoint.shop.calls[0].attempts) == 2`), nil, five, true},
		{created + "\nreply {\n status_code = 503\n optional = true\n}", `expect "shop" { retries = 0 }`, nil, five[:1], true},
		// A client may give up on what takes a while.
		{strings.Replace(often, "status_code", "latency = \"2s\"\nstatus_code", 1), `expect "shop" { retries = 0 }`, nil, five, true},
	} {
		r := ordersBy(t, fmt.Sprintf(source, c.script, c.check), c.header, c.orders...)
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s after %d orders at\n%s\n: that it shows something is %v; %s: %s %+v", c.check, len(c.orders), c.script, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that how many calls a program makes shows nothing where none succeeds, as all that it
// asks again is one call; and does where something else could have told them apart.
func TestCallsWhereNoAttemptSucceeds(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    %s
  }
  assert "x" { condition = %s }
  allow = ["unexpected_failure"]
}
`
	const failing = "fault \"http_error\" {\n status_code = 503\n times = \"*\"\n}"
	nine := strings.Split(strings.Repeat(`{"a":1} `, 9), " ")[:9]
	for _, c := range []struct {
		script, condition string
		header            []string
		orders            []string
		shows             bool
	}{
		{failing, `length(endpoint.shop.calls) == 1`, nil, nine, false},
		{failing, `length(endpoint.shop.calls) <= 1`, nil, nine, false},
		{failing, `length(endpoint.shop.calls) == 1 && endpoint.shop.retries == 8`, nil, nine, true},
		{failing, `length(endpoint.shop.calls) == 1`, nil, nine[:1], true},
		{failing, `length(endpoint.shop.calls) == 2`, nil, []string{`{"a":1}`, `{"a":2}`}, true},
		{failing, `length(endpoint.shop.calls) == 1`, []string{"Idempotency-Key", "k"}, nine, true},
		{failing, `length(endpoint.shop.calls[0].attempts) == 9`, nil, nine, true},
		{failing + "\nreply { optional = true }", `length(endpoint.shop.calls) == 1`, nil, nine, true},
	} {
		r := ordersBy(t, fmt.Sprintf(source, c.script, c.condition), c.header, c.orders...)
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s after %d orders at\n%s\n: that it shows something is %v; %s: %s %+v", c.condition, len(c.orders), c.script, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that a condition on the gaps between attempts that a program without any wait keeps shows
// no wait, and that one which asks for some does.
func TestGapsThatShowNoWait(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut {
    command = ["agent"]
    %s
  }
  on "shop" {
    fault "http_error" { times = 2 }
    reply { status_code = 201 }
  }
  assert "x" { condition = %s }
}
`
	const gaps = "endpoint.shop.calls[0].gaps_ms"
	three := []string{`{"a":1}`, `{"a":1}`, `{"a":1}`}
	for _, c := range []struct {
		sut, condition string
		shows          bool
	}{
		{"", "alltrue([for g in " + gaps + " : g > 0])", false},
		{"", "alltrue([for g in " + gaps + " : g >= 1])", false},
		{"", gaps + "[0] >= 20", false},
		{"", "min(" + gaps + "...) > 0", false},
		{"", "!(" + gaps + "[1] < 5)", false},
		{"", "[for g in " + gaps + " : g if g <= 0] == []", false},
		{"", "alltrue([for c in endpoint.shop.calls : alltrue([for g in c.gaps_ms : g > 0])])", false},
		{"", "alltrue([for a in endpoint.shop.attempts : a.gap_ms == null || a.gap_ms > 0])", false},
		{"", "within(" + gaps + "[0], \"0s\", \"1500ms\")", false},
		{"", "alltrue([for g in " + gaps + " : within(g, \"0s\", \"1500ms\")])", false},
		{"", "alltrue([for g in " + gaps + " : abs(g - 1000) <= 1000])", false},
		{"time_scale = 10", gaps + "[0] >= 150", false},
		{"", gaps + "[0] >= 150", true},
		{"", "alltrue([for g in " + gaps + " : g > 200])", true},
		{"", "within(" + gaps + "[0], \"900ms\", \"1500ms\")", true},
		{"", "alltrue([for g in " + gaps + " : abs(g - 1000) <= 300])", true},
		{"", gaps + "[0] <= 1500", true},
		{"", "alltrue([for g in " + gaps + " : g < 1500])", true},
		{"", gaps + "[0] >= 0 && " + gaps + "[0] <= 1500", true},
		{"", gaps + "[1] >= " + gaps + "[0]", false},
		{"", gaps + "[1] + 50 >= " + gaps + "[0]", true},
		{"", "length(" + gaps + ") == 2 && alltrue([for g in " + gaps + " : g > 0])", true},
		{"", "length(" + gaps + ") == 2", true},
	} {
		r := ordersBy(t, fmt.Sprintf(source, c.sut, c.condition), nil, three...)
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s %s: that it shows something is %v; %s: %s %+v", c.sut, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that an upper limit on what a program asks shows nothing where the run is ended at the
// first success that its script gives; and does where the program had time to ask for more.
func TestLimitsThatTheEndOfTheRunKeeps(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut {
    command = ["agent"]
    until   = %s
    %s
  }
  on "shop" {
    %s
    reply {
      status_code = 201
      %s
    }
  }
  assert "x" { condition = %s }
}
`
	const success, failing = `endpoint.shop.status == "success"`, "fault \"http_error\" {}"
	one, two := []string{`{"a":1}`}, []string{`{"a":1}`, `{"a":1}`}
	for _, c := range []struct {
		until, sut, fault, reply, condition string
		orders                              []string
		shows                               bool
	}{
		{success, "", "", "", "length(endpoint.shop.attempts) == 1", one, false},
		{success, "", "", "", "length(endpoint.shop.attempts) < 2", one, false},
		{success, "", "", "", "!(length(endpoint.shop.attempts) > 1)", one, false},
		{success, "", "", "", "length(endpoint.shop.calls) < 2", one, false},
		{success, "", "", "", "endpoint.shop.retries == 0", one, false},
		{success, "", failing, "", "length(endpoint.shop.attempts) == 2", two, false},
		{success, `settle = "1s"`, "", "", "length(endpoint.shop.attempts) == 1", one, true},
		// That it asked again in the same words is its own doing.
		{success, "", failing, "", "length(endpoint.shop.calls) == 1", two, true},
		{success, "", failing, "", "endpoint.shop.retries == 1", two, true},
		// So is what it had asked by the time at which something else came.
		{`length(endpoint.shop.calls) >= 1`, "", failing, "", "length(endpoint.shop.attempts) == 2", two, true},
		// A client may give up on what takes a while.
		{success, "", "", `latency = "2s"`, "length(endpoint.shop.attempts) == 1", one, true},
		{success, "", "", "", "alltrue([for a in endpoint.shop.attempts : a.request.json.a == 1])", one, true},
	} {
		r := ordersBy(t, fmt.Sprintf(source, c.until, c.sut, c.fault, c.reply, c.condition), nil, c.orders...)
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("until %s %s, %s: %s: that it shows something is %v; %s: %s %+v", c.until, c.sut, c.fault, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that what the file alone decides of a step shows nothing where the program is the server
// that the step calls, as in a run of the workflow, and that other checks of the step do.
func TestWhatTheFileDecidesOfStepsThatAProgramServes(t *testing.T) {
	const source = `provider "http" "app" {}
retry "linear" "again" { max_retries = 2 }
workflow "w" {
  step "http" "question" {
    provider = provider.app
    path     = "/q"
    timeout  = "5s"
    %s
  }
}
scenario "s" {
  run = workflow.w
  sut { serves = provider.app }
  assert "x" { condition = %s }
}
`
	for _, c := range []struct {
		policy, condition string
		shows             bool
	}{
		{"", "step.question.retries == 0", false},
		{"", "step.question.delays_ms == []", false},
		{"", "step.question.elapsed_ms <= 5000", false},
		{"", "step.question.replaced_by == null", false},
		{"", "step.question.rejections == []", false},
		{"retry = retry.again", "step.question.retries <= 2", false},
		{"retry = retry.again", "step.question.retries == 0", true},
		{"", "step.question.elapsed_ms <= 2000", true},
		{"", "step.question.status == \"success\"", true},
		{"", "step.question.started_ms >= 3000", true},
	} {
		p := compileAt(t, "served.scenario.hcl", fmt.Sprintf(source, c.policy, c.condition))[0]
		var r *Result
		synctest.Test(t, func(*testing.T) {
			run := NewOutside(p, OutsideOptions{Clock: wire.System(), Way: Exec})
			run.Started(1)
			time.Sleep(3 * time.Second)
			run.Ready()
			run.Drive(DriveOptions{BaseURL: "http://127.0.0.1:1", Transport: &served{run: run}})
			r, _ = run.Finish("")
		})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s %s: that it shows something is %v; %s: %s %+v", c.policy, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}
