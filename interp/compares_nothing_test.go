package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/wire"
)

// comparedWorld has a retried request without an Idempotency-Key, two answers that
// are no JSON, steps of which none takes any time, and parts that nobody uses.
const comparedWorld = `
provider "http" "api" { base_url = "https://api.example.com" }
retry "linear" "r" { max_retries = 4 }
breaker "std" {}
gateway "g" {
  target "first" {
    provider = provider.api
    bulkhead { max_concurrent = 2 }
  }
}
gateway "spare" {
  target "second" {
    provider = provider.api
    breaker  = breaker.std
  }
}
lock "unused" {}
actor "shop" {
  lock "till" {}
  pool "db" { size = 2 }
  handler "sell" {
    uses = ["db"]
    lock = ["till", lock.unused]
  }
}
workflow "w" {
  gateway = gateway.g
  step "http" "a" {
    method     = "POST"
    path       = "/a"
    idempotent = true
    retry      = retry.r
  }
  step "http" "b" {
    path  = "/b"
    retry = retry.r
  }
  step "http" "c" {
    path       = "/c"
    depends_on = [step.b]
  }
  step "loop" "none" {
    while          = false
    max_iterations = 2
    step "http" "inner" {
      gateway = gateway.spare
      path    = "/d"
    }
  }
}
scenario "s" {
  run   = workflow.w
  start = [actor.shop]
  on "a" {
    reply {
      status_code = 503
      headers     = { "x-id" = "7" }
      %[1]s
    }
    reply {
      status_code = 200
      headers     = { "x-id" = "7" }
      %[1]s
    }
  }
  on "*" {
    reply {
      body = "no json"
      %[1]s
    }
  }
  assert "x" { condition = %[2]s }
}
`

// comparedConditions are conditions that hold and compare nothing that was there, each with
// a twin of the same form that compares something.
var comparedConditions = []struct{ nothing, something string }{
	// Null on both sides, or empty on both.
	{"step.a.attempts[0].idempotency_key == step.a.attempts[1].idempotency_key", "step.a.attempts[0].request.url == step.a.attempts[1].request.url"},
	{"!(step.a.attempts[0].idempotency_key != step.a.attempts[1].idempotency_key)", "!(step.a.attempts[0].request.url != step.a.attempts[1].request.url)"},
	{"alltrue([for t in step.a.attempts : t.idempotency_key == step.a.attempts[0].idempotency_key])", "alltrue([for t in step.a.attempts : t.request.url == step.a.attempts[0].request.url])"},
	{"length(toset(step.a.attempts[*].idempotency_key)) == 1", "length(toset(step.a.attempts[*].request.url)) == 1"},
	{"contains([step.a.attempts[0].idempotency_key], step.a.attempts[1].idempotency_key)", "contains([step.a.attempts[0].request.url], step.a.attempts[1].request.url)"},
	{`lookup(step.a.headers, "k", "") == lookup(step.b.headers, "k", "")`, `lookup(step.a.headers, "x-id", "") == lookup(step.a.attempts[0].response.headers, "x-id", "")`},
	{`lookup(step.a.headers, "k", "-") == lookup(step.b.headers, "k", "-")`, `lookup(step.a.headers, "x-id", "-") == lookup(step.a.attempts[0].response.headers, "x-id", "-")`},
	{"try(step.b.json.id, null) == try(step.c.json.id, null)", "try(step.b.body, null) == try(step.c.body, null)"},
	{"step.b.json == step.c.json", "step.b.body == step.c.body"},
	{"step.b.attempts[0].request.body == step.c.attempts[0].request.body", "step.b.attempts[0].request.method == step.c.attempts[0].request.method"},
	{"step.b.attempts[0].error == step.c.error", "step.b.attempts[0].outcome == step.c.attempts[0].outcome"},
	// Null where something else is asked for.
	{"step.a.attempts[1].retry_count != 5", "step.a.attempts[1].n != 5"},
	{"!(step.b.json == 5)", "!(step.b.status_code == 500)"},
	{`alltrue([for t in step.a.attempts : t.idempotency_key != "k"])`, `alltrue([for t in step.a.attempts : t.outcome != "cancelled"])`},
	{`!contains(step.a.attempts[*].idempotency_key, "k")`, `!contains(step.a.attempts[*].outcome, "cancelled")`},
	// Lists of which there is nothing.
	{"step.b.delays_ms == sort(step.b.delays_ms)", "[for t in step.a.attempts : t.n] == sort([for t in step.a.attempts : t.n])"},
	{"step.a.delays_ms == sort(step.a.delays_ms)", "step.a.attempts[*].n == distinct(step.a.attempts[*].n)"},
	{"length(distinct(step.b.attempts[*].n)) == length(step.b.attempts)", "length(distinct(step.a.attempts[*].n)) == length(step.a.attempts)"},
	{"sum(step.b.delays_ms) <= 5", "sum(step.a.delays_ms) <= 5000"},
	{`metric("scenario_retries_total", { step_id = "b" }) == metric("scenario_retries_total", { step_id = "c" })`, `metric("scenario_retries_total", { step_id = "a" }) == step.a.retries`},
	{"length(step.b.delays_ms) == length(step.c.delays_ms)", "length(step.b.attempts) == length(step.c.attempts)"},
	{`!contains(step.b.delays_ms, 5)`, `!contains(step.a.delays_ms, 5)`},
	{"length(distinct([for t in step.b.attempts : t.request.url])) == 1", "length(distinct([for t in step.a.attempts : t.request.url])) == 1"},
	{"length(toset(step.b.attempts[*].request.url)) <= 1", "length(toset(step.a.attempts[*].request.url)) <= 1"},
	// Filters over nothing.
	{"[for d in step.b.delays_ms : d if d > 10000] == []", "[for d in step.a.delays_ms : d if d > 10000] == []"},
	{"length([for d in step.b.delays_ms : d if d > 10000]) == 0", "length([for d in step.a.delays_ms : d if d > 10000]) == 0"},
	{"length([for d in step.b.delays_ms : d if d > 10000]) < 1", "length([for d in step.a.delays_ms : d if d > 10000]) < 1"},
	{"{ for i, d in step.b.delays_ms : i => d if d > 10000 } == {}", "{ for i, d in step.a.delays_ms : i => d if d > 10000 } == {}"},
	{"!(length([for d in step.b.delays_ms : d if d > 10000]) > 0)", "!(length([for d in step.a.delays_ms : d if d > 10000]) > 0)"},
	{`[for e in events({ type = "retry_wait", step = "b" }) : e if e.delay_ns > 1] == []`, `[for e in events({ type = "retry_wait", step = "a" }) : e if e.delay_ns < 1] == []`},
	{`[for d in step.b.delays_ms : d if d > 10000] == [] || step.b.status == "failed"`, `[for d in step.b.delays_ms : d if d > 10000] == [] || step.b.status == "success"`},
	{"length(setintersection(step.b.delays_ms, [5])) == 0", "length(setintersection(step.a.delays_ms, [5])) == 0"},
	{`join(",", [for d in step.b.delays_ms : tostring(d)]) != "5"`, `join(",", [for d in step.a.delays_ms : tostring(d)]) != "5"`},
	// Sums and largest elements of nothing, and what the file gives in their place.
	{"sum([for d in step.b.delays_ms : d]) == 0", "sum([for d in step.a.delays_ms : d]) > 0"},
	{"0 == sum(step.b.delays_ms[*])", "sum(step.b.delays_ms) == 0"},
	{"sum([for d in step.b.delays_ms : d if d > 10000]) == 0", "sum([for d in step.a.delays_ms : d if d > 10000]) == 0"},
	{`sum([for e in events({ type = "retry_wait", step = "b" }) : e.delay_ns]) == 0`, `sum([for e in events({ type = "retry_wait", step = "a" }) : e.delay_ns]) > 0`},
	{"max(0, step.b.delays_ms...) <= 5000", "max(0, step.a.delays_ms...) <= 5000"},
	{"max(0, [for d in step.b.delays_ms : d]...) == 0", "max(0, step.b.delays_ms...) == 0"},
	{"max(flatten([0, step.b.delays_ms])...) <= 5000", "max(flatten([0, step.a.delays_ms])...) <= 5000"},
	{"reverse(sort(concat([0], step.b.delays_ms)))[0] <= 5000", "reverse(sort(concat([0], step.a.delays_ms)))[0] <= 5000"},
	{"element(concat(step.b.delays_ms, [0]), 0) <= 5000", "element(concat(step.a.delays_ms, [0]), 0) <= 5000"},
	{"max((length(step.b.delays_ms) > 0 ? step.b.delays_ms : [0])...) <= 5000", "max((length(step.a.delays_ms) > 0 ? step.a.delays_ms : [0])...) <= 5000"},
	{"(length(step.b.delays_ms) == 0 ? 0 : step.b.delays_ms[0]) <= 5000", "(length(step.a.delays_ms) == 0 ? 0 : step.a.delays_ms[0]) <= 5000"},
	{`(step.b.error == null ? "none" : step.b.error.kind) != "timeout"`, `(step.a.attempts[0].error == null ? "none" : step.a.attempts[0].error.kind) != "timeout"`},
	{`(step.b.error == null ? "none" : step.b.error.kind) != "timeout"`, `(step.b.error == null ? "none" : step.b.error.kind) == "none"`},
	{"try([for d in step.b.delays_ms : d if d > 10000][0], null) == null", "try([for d in step.a.delays_ms : d if d > 10000][0], null) == null"},
	{"!can([for d in step.b.delays_ms : d if d > 10000][0])", "!can([for d in step.a.delays_ms : d if d > 10000][0])"},
	// Nulls that nothing tells apart, however many there are.
	{"length(step.a.attempts) == 2 && length(distinct(step.a.attempts[*].idempotency_key)) == 1", "length(step.a.attempts) == 2 && length(distinct(step.a.attempts[*].request.url)) == 1"},
	// A program of jq about nothing.
	{`!jq(step.a.headers, "any(.items[]?; . == 1)")`, `!jq(step.a.attempts, "any(.[]; .n == 7)")`},
	{`jq(step.a.headers, ".missing | length") <= 3`, `jq(step.a.attempts, "length") <= 3`},
	// What is said of something that is not there.
	{`step.b.error == null || step.b.error.kind == "timeout"`, `step.b.error == null || step.c.status == "failed"`},
	{`step.b.error.kind == "timeout" || step.b.error == null`, `step.a.attempts[0].error.kind == "http_status" || step.a.attempts[0].error == null`},
	{`step.b.status == "failed" || step.b.error == null || step.b.error.kind == "timeout"`, `step.b.status == "success" || step.b.error == null || step.b.error.kind == "timeout"`},
	{`!(step.b.error != null && step.b.error.kind != "timeout")`, `!(step.a.attempts[0].error != null && step.a.attempts[0].error.kind == "timeout")`},
	{`step.b.json == null || step.b.json.ok`, `step.b.body == null || step.b.body == "no json"`},
	// Strings in which there is nothing.
	{`!strcontains(lookup(step.a.headers, "k", ""), "secret")`, `!strcontains(lookup(step.a.headers, "x-id", ""), "secret")`},
	{`!startswith(lookup(step.a.headers, "k", ""), "secret")`, `!startswith(lookup(step.a.headers, "x-id", ""), "secret")`},
	{`!endswith(lookup(step.a.headers, "k", ""), "secret")`, `!endswith(lookup(step.a.headers, "x-id", ""), "secret")`},
	{`!word(lookup(step.a.headers, "k", ""), "secret")`, `!word(lookup(step.a.headers, "x-id", ""), "secret")`},
	{`!regexmatch("secret", lookup(step.a.headers, "k", ""))`, `!regexmatch("secret", lookup(step.a.headers, "x-id", ""))`},
	{`!regexmatch("secret", lookup(step.a.headers, "k", ""))`, `regexmatch("^$", lookup(step.a.headers, "k", ""))`},
	{`length(regexall("secret", lookup(step.a.headers, "k", ""))) == 0`, `length(regexall("secret", lookup(step.a.headers, "x-id", ""))) == 0`},
	{`[for l in split(",", lookup(step.a.headers, "k", "")) : l if l == "secret"] == []`, `[for l in split(",", lookup(step.a.headers, "x-id", "")) : l if l == "secret"] == []`},
	{`!anytrue([for t in step.a.attempts : strcontains(lookup(t.response.headers, "k", ""), "secret")])`, `!anytrue([for t in step.a.attempts : strcontains(lookup(t.response.headers, "x-id", ""), "secret")])`},
	// Implications whose premise does not hold.
	{`!strcontains(step.b.body, "yes") || step.b.status_code == 500`, `!strcontains(step.b.body, "json") || step.b.status_code == 200`},
	{`step.b.status != "failed" || step.b.status_code == 500`, `step.b.status != "success" || step.b.status_code == 200`},
	{`step.b.status_code == 500 || step.b.status != "failed"`, `step.b.status_code == 200 || step.b.status != "failed"`},
	{`step.b.status != "failed" || step.c.status != "failed" || step.b.status_code == 500`, `step.b.status != "failed" || step.c.status != "failed"`},
	{`step.b.status == "failed" ? step.b.status_code == 500 : true`, `step.b.status == "success" ? step.b.status_code == 200 : true`},
	{`step.b.status == "success" ? true : step.b.status_code == 500`, `step.b.status == "failed" ? true : step.b.status_code == 200`},
	{`alltrue([for t in step.a.attempts : t.outcome != "cancelled" || t.status_code == 1])`, `alltrue([for t in step.a.attempts : t.outcome != "success" || t.status_code == 200])`},
	{`!(metric("scenario_retries_total", { step_id = "b" }) > 0) || step.b.retries == 7`, `!(metric("scenario_retries_total", { step_id = "a" }) > 0) || step.a.retries == 1`},
	{`!strcontains(step.b.body, "yes") || step.b.status_code == 500`, `step.b.status == "success" || step.b.status == "failed"`},
	// What a list is too short for.
	{"length(step.b.attempts) < 2 || step.b.attempts[1].at_ms >= 500", "length(step.a.attempts) < 2 || step.a.attempts[1].at_ms >= 500"},
	{"length(step.b.attempts) <= 1 || step.b.attempts[1].fault != \"timeout\"", "length(step.a.attempts) <= 1 || step.a.attempts[1].outcome != \"failure\""},
	{"step.b.delays_ms[0] > 5 || length(step.b.delays_ms) == 0", "step.a.delays_ms[0] > 5 || length(step.a.delays_ms) == 0"},
	{"step.b.retries < 2 || step.b.delays_ms[1] >= 500", "step.a.retries < 1 || step.a.delays_ms[0] > 5"},
	{"step.b.retries == 0 || step.b.attempts[1].at_ms >= 500", "step.b.retries == 0 || step.a.attempts[1].at_ms >= 5000"},
	{"step.b.delays_ms == [] || step.b.delays_ms[0] > 5", "step.b.delays_ms == [] || step.b.status == \"failed\""},
	{"2 > length(step.b.attempts) || alltrue([for t in step.b.attempts : t.n > 5])", "2 > length(step.a.attempts) || alltrue([for t in step.a.attempts : t.n < 5])"},
	// Attempts of what succeeded at once.
	{"length(step.b.attempts) <= 3", "length(step.a.attempts) <= 3"},
	{"2 > length(step.b.attempts)", "3 > length(step.a.attempts)"},
	{"length(step.b.attempts) < 5", "length(step.b.attempts) == 1"},
	{"length(step.b.attempts) < 5", "length(step.b.attempts) >= 1"},
	// Fallbacks that decide.
	{`try(jsondecode(step.b.body).state, "done") == "done"`, `try(jsondecode(step.b.body).state, "none") == "none"`},
	{`"yes" == lookup(step.a.headers, "k", "yes")`, `"7" == lookup(step.a.headers, "x-id", "7")`},
	{`coalesce(step.b.json, "yes") == "yes"`, `coalesce(step.b.body, "no json") == "no json"`},
	{`try(step.b.json.ok, true) == true`, `try(step.b.json.ok, false) == false`},
	{"try(step.b.delays_ms[0] >= 500, true)", "try(step.a.delays_ms[0] >= 500, true)"},
	{`try(step.b.error.kind != "timeout", true)`, `try(step.a.attempts[0].error.kind != "timeout", true)`},
	{`try(step.b.attempts[1].error.kind, "none") != "timeout"`, `try(step.b.attempts[1].error.kind, "none") == "none"`},
	{`coalesce(step.b.attempts[0].retry_count, 0) < 100`, `coalesce(step.b.retries, 0) < 4`},
	{`try(step.b.attempts[1].error.kind, "none") != "timeout"`, `try(step.a.attempts[0].error.kind, "none") != "timeout"`},
	// What nothing came to.
	{`target.second.in_flight_max <= 4`, `length(target.first.attempts) <= 5`},
	{`breaker.second.state == "closed"`, `step.a.target == "first"`},
	{`breaker.second.failures <= 3`, `breaker.second.rejected == 0`},
	{`length(target.second.attempts) <= 3`, `length(target.second.attempts) <= 0`},
	{`length(target.second.attempts) < 2`, `target.second.attempts == []`},
	{"actor.shop.pools.db.in_use_max <= 2", `actor.shop.pools.db.in_use_max == 0`},
	{"actor.shop.locks.till.max_queue <= 2", "actor.shop.locks.till.max_queue == 0"},
	{"lock.unused.max_queue <= 2", "lock.unused.holders == []"},
	{`length(actor.shop.sessions) <= 2`, `length(actor.shop.sessions) == 0`},
	{`step.none.status == "success"`, `step.none.iterations == 0`},
	{"step.none.error == null", "step.none.iterations == 0"},
}

// timedConditions hold where nothing takes any time and show nothing then; with a
// latency each that still holds shows something.
var timedConditions = []string{
	"overlaps([step.b, step.c]) == 0",
	"step.c.started_ms >= step.b.ended_ms",
	"step.c.attempts[0].started_at_ms >= step.b.attempts[0].ended_at_ms",
	"step.b.started_ms == step.c.started_ms || step.c.started_ms == step.b.ended_ms",
	"target.first.in_flight_max <= 2",
	"target.first.rejections == []",
	"target.first.in_flight_max == 1 || target.first.in_flight_max == 2",
}

// Shows that a condition which compares nothing that was there says so, in each
// form in which null, the empty and the unused come into one, and that the same
// form with something in it does not.
func TestChecksThatCompareNothing(t *testing.T) {
	for _, c := range comparedConditions {
		if n := marked(t, "latency = \"1s\"", c.nothing); n != 1 {
			t.Errorf("%s shows nothing; %d checks are said to", c.nothing, n)
		}
		if n := marked(t, "latency = \"1s\"", c.something); n != 0 {
			t.Errorf("%s shows something; %d checks are said not to", c.something, n)
		}
	}
	for _, c := range timedConditions {
		if n := marked(t, "", c); n != 1 {
			t.Errorf("%s shows nothing where nothing takes time; %d checks are said to", c, n)
		}
		if n := marked(t, "latency = \"1s\"", c); n != 0 {
			t.Errorf("%s shows something where replies have a latency; %d checks are said not to", c, n)
		}
	}
}

// marked plays a condition in the world above. It holds there; where it shows
// nothing, the scenario breaks no_assertion, and passes with another check.
func marked(t *testing.T, latency, condition string) (n int) {
	t.Helper()
	source := fmt.Sprintf(comparedWorld, latency, condition)
	alone := Run(mustCompile(t, source)[0], RunOptions{})
	for _, p := range alone.Relaxed {
		if p.Kind == KindNothing || p.Kind == KindIdle {
			n++
		}
	}
	for _, p := range alone.Problems {
		if p.Name != plan.GateNoAssertion || n == 0 {
			t.Errorf("%s: %s %s: %s", condition, p.Kind, p.Name, p.Message)
		}
	}
	if broken := alone.Verdict != Pass; broken != (n > 0) {
		t.Errorf("%s: the verdict is %s with %d checks that show nothing", condition, alone.Verdict, n)
	}
	other := strings.Replace(source, `  assert "x"`, "  expect \"b\" { status_code = 200 }\n  assert \"x\"", 1)
	if r := Run(mustCompile(t, other)[0], RunOptions{}); r.Verdict != Pass {
		t.Errorf("%s: beside a check that shows something: %s", condition, told(r))
	}
	return n
}

// Shows that what a scenario says of an endpoint that a program never asked is
// marked, unless it says just that; and that optional faults of which none fired
// break a gate however the calls are made.
func TestProgramThatAsksNothing(t *testing.T) {
	const source = `
provider "openai" "llm" { model = "x" }
scenario "s" {
  sut { command = ["agent"] }
  %s
}
`
	for checks, shows := range map[string]bool{
		`assert "x" { condition = endpoint.llm.content != "secret" }`:   false,
		`assert "x" { condition = endpoint.llm.status != "failed" }`:    false,
		`assert "x" { condition = endpoint.llm.retries <= 3 }`:          false,
		`assert "x" { condition = length(endpoint.llm.attempts) <= 3 }`: false,
		`assert "x" { condition = endpoint.llm.in_flight_max < 3 }`:     false,
		`assert "x" { condition = endpoint.llm.error == null }`:         false,
		`expect "llm" { error = null }`:                                 false,
		`assert "x" { condition = endpoint.llm.status == "unused" }`:    true,
		`assert "x" { condition = endpoint.llm.attempts == [] }`:        true,
		`assert "x" { condition = length(endpoint.llm.attempts) == 0 }`: true,
		`expect "llm" { status = "unused" }`:                            true,
		`expect "llm" { attempts = [] }`:                                true,
		"expect \"llm\" {\n error = null\n status = \"unused\"\n }":     true,
	} {
		r := unasked(t, fmt.Sprintf(source, checks))
		if marked := len(r.Relaxed) > 0; marked == shows || shows != (r.Verdict == Pass) {
			t.Errorf("%s: that it shows something is %v, and it is %s:\n%s", checks, shows, r.Verdict, told(r))
		}
	}
	for script, want := range map[string]string{
		"fault \"http_error\" {\n optional = true\n }":                        "nothing of what the scenario injects had an effect (0 of 1)",
		"fault \"http_error\" {\n optional = true\n }\n fault \"timeout\" {}": "answered 0 of 1 calls",
		"reply {\n content = \"x\"\n optional = true\n }":                     "",
	} {
		r := unasked(t, fmt.Sprintf(source, "expect \"run\" { status = \"success\" }\n on \"llm\" {\n "+script+"\n }"))
		if got := told(r); (want == "") != (r.Verdict == Pass) || !strings.Contains(got, want) {
			t.Errorf("%s: it is %s, not %q:\n%s", script, r.Verdict, want, got)
		}
	}
}

// unasked is the run of a scenario whose program asks for nothing.
func unasked(t *testing.T, source string) *Result {
	t.Helper()
	o := NewOutside(mustCompile(t, source)[0], OutsideOptions{Clock: wire.System(), Way: Exec})
	r, _ := o.Finish("success")
	return r
}

// Shows that an invariant of a scenario's own whose premise never holds checks
// nothing where it is alone, and that one of the file may well be idle; and that the
// rows of a table may leave a premise out.
func TestIdleImplications(t *testing.T) {
	const world = `
provider "http" "api" { base_url = "https://api.test" }
workflow "w" {
  provider = provider.api
  step "http" "a" { path = "/a" }
}
%s
scenario "s" {
  run = workflow.w
  on "a" {
    reply { status_code = 200 }
  }
  %s
}
`
	const never, once = `invariant "x" { condition = step.a.status != "failed" || step.a.retries == 7 }`, `invariant "x" { condition = step.a.status != "success" || length(step.a.attempts) == 1 }`
	for _, c := range []struct {
		top, own string
		want     Verdict
	}{
		{"", never, Fail},
		{"", once, Pass},
		{"", `invariant "x" { condition = step.a.error == null || step.a.error.kind == "timeout" }`, Fail},
		{"", `invariant "x" { condition = step.a.error.kind == null || step.a.error.kind == "timeout" }`, Fail},
		{"", `invariant "x" { condition = step.a.ended_ms == null || step.a.error == null || step.a.error.kind == "timeout" }`, Fail},
		{"", `invariant "x" { condition = length(step.a.attempts) <= 3 }`, Fail},
		{"", `invariant "x" { condition = run.ended_ms == null || run.status == "success" }`, Pass},
		{"", `invariant "x" { condition = run.status == null || run.status != "timeout" }`, Fail}, // nothing has a timeout
		{"", `invariant "x" { condition = run.status == null || run.status != "failed" }`, Pass},
		{"", `invariant "x" { condition = step.a.status == null || step.a.status_code == 200 }`, Pass},
		{never, `expect "a" { status_code = 200 }`, Pass},
		{"", never + "\n  " + `expect "a" { status_code = 200 }`, Pass},
		{"", `assert "x" { condition = step.a.status != "failed" || step.a.retries == 7 }`, Fail},
		{"", "for_each = toset([\"failed\", \"success\"])\n  " + `assert "x" { condition = step.a.status != each.key || step.a.retries == 0 }`, Pass},
	} {
		for _, p := range mustCompile(t, fmt.Sprintf(world, c.top, c.own)) {
			if r := Run(p, RunOptions{}); r.Verdict != c.want {
				t.Errorf("%s\n%s: %s: %s", c.top, c.own, r.Verdict, told(r))
			}
		}
	}
}

// Shows that a limit shows nothing where what it limits is 0 whatever happens, and
// something where an answer has a price or an attempt fails.
func TestLimitsThatNothingMeets(t *testing.T) {
	const source = `
provider "openai" "p" { model = "m" }
retry "linear" "r" {}
workflow "w" {
  provider = provider.p
  step "llm" "a" {
    prompt = "x"
    retry  = retry.r
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    %s
  }
  assert "x" { condition = %s }
}
`
	const free, priced, failing = `reply { content = "x" }`, "reply {\n content = \"x\"\n cost_usd = 0.1\n }", "fault \"http_error\" {}\n reply { content = \"x\" }"
	const late = "reply {\n content = \"x\"\n latency = \"1s\"\n }"
	for _, c := range []struct {
		script, condition string
		shows             bool
	}{
		{free, "run.cost_usd <= 0.5", false},
		{free, "0.5 > step.a.cost_usd", false},
		{free, "run.cost_usd == 0", true},
		{priced, "run.cost_usd <= 0.5", true},
		{priced, "step.a.cost_usd < 1", true},
		{free, "step.a.retries <= 3", false},
		{free, "step.a.retries < 1", true},
		{free, "step.a.retries == 0", true},
		{failing, "step.a.retries <= 2", false}, // it succeeds with the second
		{failing, "step.a.retries <= 3", false}, // its own policy allows no more
		{failing, "step.a.elapsed_ms < 5000", true},
		{free, "step.a.elapsed_ms < 5000", false},
		{free, "step.a.elapsed_ms == 0", true},
		{free, `within(step.a.elapsed_ms, 0, "5s")`, false},
		{failing, `within(step.a.elapsed_ms, 0, "5s")`, true},
		{free, `within(step.a.elapsed_ms, "0s", "5s") && step.a.elapsed_ms < 10`, false},
		{free, `within(step.a.cost_usd, 0, 0.5)`, false},
		{priced, `within(step.a.cost_usd, 0, 0.5)`, true},
		{free, `length(step.a.delays_ms) <= 5`, false},
		{free, `sum(step.a.delays_ms) < 9000`, false},
		{free, `length(step.a.delays_ms) == 0`, true},
		{failing, `length(step.a.delays_ms) <= 2`, false}, // it succeeds with the second
		{free, `metric("scenario_retries_total") <= 3`, false},
		{free, `3 > metric("scenario_retries_total", { step_id = "a" })`, false},
		{free, `metric("scenario_retries_total") == 0`, true},
		{free, `metric("scenario_retries_total") < 1`, true},
		{failing, `metric("scenario_retries_total") <= 2`, true},
		{failing, `metric("scenario_retries_total") <= 3`, false},   // its own policy allows no more
		{failing, `metric("scenario_fallbacks_total") <= 3`, false}, // there is one target,
		{free, `metric("scenario_fallbacks_total") <= 3`, false},
		{free, `metric("scenario_breaker_rejections_total") < 2`, false},
		{failing, `metric("scenario_breaker_rejections_total") < 2`, false},
		{free, `metric("scenario_mock_fault_total") <= 3`, false},
		{failing, `metric("scenario_mock_fault_total") <= 3`, false}, // its own script has no more
		{failing, `metric("scenario_mock_fault_total") < 1 || step.a.status == "success"`, true},
		{free, `metric("scenario_classifier_fallbacks_total") <= 1`, false},
		{free, `metric("scenario_attempts_total") <= 3`, true},
		{failing, `metric("scenario_mock_fault_total", { fault_type = "timeout" }) <= 3`, false},
		// The same limits, spelled in other ways.
		{free, `alltrue([for s in steps : s.elapsed_ms < 5000])`, false},
		{failing, `alltrue([for s in steps : s.elapsed_ms < 5000])`, true},
		{free, `alltrue([for s in steps : s.elapsed_ms < 5000 && s.status == "success"])`, true},
		{free, `alltrue([for s in steps : s.elapsed_ms < 5000 if s.name == "a"])`, false},
		{free, `alltrue([for s in steps : s.elapsed_ms == 0])`, true},
		{free, `!(step.a.elapsed_ms > 5000)`, false},
		{free, `!(step.a.elapsed_ms > 0)`, true},
		{late, `!(step.a.elapsed_ms > 5000)`, false},
		{free, `!anytrue([for s in steps : s.elapsed_ms >= 5000])`, false},
		{free, `[for s in steps : s.name if s.elapsed_ms > 5000] == []`, false},
		{late, `[for s in steps : s.name if s.elapsed_ms > 5000] == []`, false},
		{free, `[for s in steps : s.name if s.elapsed_ms > 0] == []`, true},
		{free, `max(step.a.elapsed_ms, run.elapsed_ms) < 5000`, false},
		{late, `max(step.a.elapsed_ms, run.elapsed_ms) < 5000`, false},
		{free, `max(step.a.elapsed_ms, length(step.a.content)) < 5000`, true},
		{free, `min(5000, step.a.elapsed_ms) < 5000`, false},
		{free, `step.a.ended_ms - step.a.started_ms < 5000`, false},
		{late, `step.a.ended_ms - step.a.started_ms < 5000`, true},
		{free, `step.a.ended_ms - step.a.started_ms == 0`, true},
		{free, `step.a.started_ms - step.a.ended_ms > -5000`, false},
		{free, `abs(step.a.ended_ms) < 5000`, false},
		{free, `approx(step.a.elapsed_ms, 0, 100)`, false},
		{free, `approx(step.a.elapsed_ms, 0, 0.0001)`, true},
		{late, `approx(step.a.elapsed_ms, 1000, 100)`, true},
		{free, `span("step a").end_ms < 5000`, false},
		{late, `span("step a").end_ms < 5000`, true},
		{free, `alltrue([for s in spans() : s.end_ms - s.start_ms < 5000])`, false},
		{free, `sum([for m in metrics("gen_ai.client.operation.duration") : m.sum]) < 5`, false},
		{late, `sum([for m in metrics("gen_ai.client.operation.duration") : m.sum]) < 5`, true},
		{free, `sort([for a in step.a.attempts : a.ended_ms])[0] < 5000`, false},
		{free, `step.a["elapsed_ms"] < 5000`, false},
		{free, `floor(step.a.elapsed_ms / 1000) < 5`, false},
		{free, `step.a.elapsed_ms < 5000 ? true : step.a.status == "failed"`, false},
		{free, `step.a.elapsed_ms < 5000 || step.a.status == "success"`, true},
		{free, `try(step.a.elapsed_ms, 0) < 5000`, false},
		{free, `sum(steps[*].cost_usd) < 1`, false},
		{priced, `sum(steps[*].cost_usd) < 1`, true},
		{free, `alltrue([for s in steps : s.retries <= 3])`, false},
		{failing, `alltrue([for s in steps : s.retries <= 2])`, false}, // it succeeds with the second
		{failing, `alltrue([for s in steps : s.retries <= 3])`, false},
		{free, `alltrue([for s in steps : s.retries == 0])`, true},
		{free, `step.a.retries < length(step.a.attempts)`, false}, // it has one attempt more than retries,
		{free, `max(metric("scenario_retries_total"), metric("scenario_fallbacks_total")) < 4`, false},
		{free, `!(metric("scenario_retries_total") > 3)`, false},
		{free, `alltrue([for n in ["scenario_retries_total"] : metric(n) <= 3])`, false},
		{free, `percentile([for s in steps : s.elapsed_ms], 95) < 5000`, false},
		{late, `target.p.in_flight_max <= 2`, false},
		{late, `1 >= target.p.in_flight_max`, false},
		{late, `target.p.in_flight_max == 1`, false},
		{late, `target.p.in_flight_max >= 1`, true},
		{failing, `target.p.in_flight_max <= 2`, false}, // a step makes one call at a time
		{late, `one([for a in step.a.attempts : a.error if a.n > 1]) == null`, false},
		{late, `one([for a in step.a.attempts : a.error if a.n > 1]) == null && step.a.status == "success"`, true},
		{late, `one([for a in step.a.attempts : a.error]) == null`, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.script, c.condition))[0], RunOptions{})
		if (len(r.Relaxed) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s\n%s: %s: %s: %+v", c.script, c.condition, r.Verdict, told(r), r.Relaxed)
		}
	}
}
