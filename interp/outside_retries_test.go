package interp

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
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
