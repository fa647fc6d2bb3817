package interp

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that checks of what a lock, a pool or a breaker keeps show nothing where nobody
// tried it, and something where somebody had to wait, was there at the same time, was
// refused, or failed.
func TestChecksOfWhatNobodyTried(t *testing.T) {
	const source = `
lock "global" { capacity = 2 }
actor "desk" {
  lock "session" {}
  pool "db" { size = 2 }
  handler "ask" {
    takes = "2s"
    lock  = ["session", "global"]
  }
  handler "look" {
    takes = "2s"
    uses  = ["db"]
  }
}
scenario "s" {
  call "c" {
    target = actor.desk.%s
    at     = %s
  }
  assert "x" { condition = %s }
`
	const another = `
  call "m" {
    target = actor.mail.send
    at     = "5s"
  }
  event "mail dies" {
    at   = "4s"
    kill = actor.mail
  }
  expect "m" { status = "failed" }
}
actor "mail" {
  tool "send" { return = "sent" }
}
`
	const apart, together = `["0s", "10s"]`, `["0s", "1s"]`
	for _, c := range []struct {
		handler, at, condition string
		shows                  bool
	}{
		{"ask", apart, `overlaps(actor.desk.sessions) == 0`, false},
		{"ask", apart, `overlaps(actor.desk.sessions) < 1`, false},
		{"ask", apart, `overlaps(actor.desk.sessions) == 0 && length(actor.desk.sessions) == 2`, false},
		{"ask", apart, `length(actor.desk.sessions) == 2 && overlaps(actor.desk.sessions) == 0`, false},
		{"ask", apart, `length(call.c) == 2 && alltrue([for s in actor.desk.sessions : s.waited_ms == 0])`, false},
		{"ask", apart, `overlaps(call.c) == 0`, false},
		{"ask", apart, `overlaps([call.c[0], call.c[1]]) == 0`, false},
		{"ask", apart, `overlaps(call.c) == 0 && call.c[1].status == "success"`, false},
		{"ask", together, `length(actor.desk.sessions) == 2 && overlaps(actor.desk.sessions) == 0`, true},
		{"ask", together, `overlaps(call.c) == 1`, true},
		{"ask", apart, `actor.desk.locks.session.max_queue == 0`, false},
		{"ask", apart, `actor.desk.locks.session.max_queue <= 3`, false},
		{"ask", apart, `actor.desk.locks.session.waits == []`, false},
		{"ask", apart, `lock.global.max_queue == 0`, false},
		{"ask", apart, `alltrue([for s in actor.desk.sessions : s.waited_ms == 0])`, false},
		{"ask", apart, `alltrue([for s in actor.desk.sessions : s.waited_ms <= 5])`, false},
		{"ask", apart, `actor.desk.sessions[1].waited_ms == 0`, false},
		{"ask", apart, `[for s in actor.desk.sessions : s.started_ms] == [0, 10000]`, true},
		{"ask", together, `overlaps(actor.desk.sessions) == 0`, true},
		{"ask", together, `actor.desk.locks.session.max_queue == 1`, true},
		{"ask", together, `actor.desk.locks.session.max_queue <= 3`, true},
		{"ask", together, `lock.global.max_queue == 0`, true},
		{"ask", together, `alltrue([for s in actor.desk.sessions : s.waited_ms <= 1000])`, true},
		{"ask", `["0s", "2s"]`, `overlaps(actor.desk.sessions) == 0`, false}, // nothing would overlap without the lock
		{"ask", `["0s", "2s"]`, `overlaps(call.c) == 0`, false},
		{"ask", `["0s", "1999ms"]`, `overlaps(actor.desk.sessions) == 0`, true},
		{"look", apart, `actor.desk.pools.db.in_use_max <= 2`, false},
		{"look", apart, `actor.desk.pools.db.in_use_max == 1`, false},
		{"look", apart, `actor.desk.pools.db.timeouts == 0`, false},
		{"look", apart, `actor.desk.pools.db.size == 2`, false},          // the file says so
		{"look", together, `actor.desk.pools.db.in_use_max <= 2`, false}, // it has two
		{"look", together, `actor.desk.pools.db.in_use_max >= 2`, true},
		{"look", together, `actor.desk.pools.db.max_queue == 0`, true},
		{"look", together, `overlaps(actor.desk.sessions) == 1`, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source+"}\n", c.handler, c.at, c.condition))[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s at %s: %s: that it shows something is %v; %s: %s %+v", c.handler, c.at, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
		if !strings.Contains(c.condition, "actor.desk.") || strings.Contains(c.condition, "waited_ms") || strings.Contains(c.condition, "call.c") {
			continue
		}
		// That another actor fails says nothing of this one.
		elsewhere := Run(mustCompile(t, fmt.Sprintf(source+another, c.handler, c.at, c.condition))[0], RunOptions{})
		if (countIdle(elsewhere) == 0) != c.shows {
			t.Errorf("%s at %s, beside another actor: %s: that it shows something is %v; %s: %s %+v", c.handler, c.at, c.condition, c.shows, elsewhere.Verdict, told(elsewhere), elsewhere.Relaxed)
		}
	}
	const guarded = `
provider "http" "p" { base_url = "http://x.test" }
breaker "b" { threshold = 2 }
gateway "g" {
  target "one" {
    provider = provider.p
    breaker  = breaker.b
  }
}
workflow "w" {
  step "http" "a" {
    gateway  = gateway.g
    path     = "/"
    required = false
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
	const good, bad, worse = `reply { body = "x" }`, `fault "http_error" {}`, `fault "http_error" { status_code = 503 }`
	const ignored, windowed = `fault "http_error" { status_code = 501 }`, `fault "http_error" { status_code = 502 }`
	const patient = `fault "http_error" { status_code = 504 }`
	breakers := map[string]string{
		patient: "threshold = 5",
		worse:   "threshold = 1", ignored: "threshold = 1\n ignore = [\"http_status\"]", windowed: "window = 8\n min_calls = 4\n failure_rate = 0.5",
	}
	for _, c := range []struct {
		entry, condition string
		shows            bool
	}{
		{good, `breaker.one.rejected == 0`, false},
		{good, `breaker.one.rejected <= 3`, false},
		{good, `target.one.breaker.rejected == 0`, false},
		{good, `breaker.one.transitions == []`, false},
		{good, `breaker.one.failures == 0`, false},
		{good, `breaker.one.state == "closed"`, false},
		{good, `target.one.breaker.state == "closed"`, false},
		{good, `length(target.one.attempts) <= 6`, false},
		{good, `length(target.one.attempts) == 1`, true},
		{good, `gateway.g.fallbacks <= 2`, false},
		{good, `breaker.one.state != "open"`, false},
		{bad, `breaker.one.state == "closed"`, false},
		{bad, `target.one.breaker.state == "closed"`, false},
		{bad, `breaker.one.state != "open"`, false},
		{bad, `!contains(["open", "half_open"], breaker.one.state)`, false},
		{bad, `alltrue([for b in [breaker.one] : b.state == "closed"])`, false},
		{bad, `metric("scenario_breaker_state") == 0`, false},
		{bad, `breaker.one.failures < 2`, false},
		{bad, `breaker.one.failures <= 5 && breaker.one.state == "closed"`, false},
		{bad, `breaker.one.failures == 1 && breaker.one.state == "closed"`, true},
		{bad, `breaker.one.failures <= 1 && breaker.one.transitions == []`, true},
		{bad, `breaker.one.failures > 0`, true},
		{bad, `events({ type = "breaker" }) == []`, true},
		{bad, `metric("scenario_breaker_rejections_total") == 0`, true},
		{ignored, `breaker.one.state == "closed"`, true}, // that such a failure does not count
		{patient, `breaker.one.failures <= 1`, true},
		{patient, `breaker.one.failures <= 4`, false},
		{windowed, `breaker.one.state == "closed"`, false},
		{windowed, `breaker.one.failures == 1`, true},
		{worse, `breaker.one.state == "open"`, true},
		{worse, `breaker.one.state != "closed"`, true},
		{worse, `breaker.one.failures <= 2`, true},
		{worse, `metric("scenario_breaker_state") == 1`, true},
		{bad, `length(target.one.attempts) <= 6`, true},
		{bad, `gateway.g.fallbacks <= 2`, false}, // it has one target
		{bad, `breaker.one.rejected == 0`, true},
		{bad, `breaker.one.transitions == []`, true},
		{bad, `breaker.one.failures == 1`, true},
	} {
		source := fmt.Sprintf(guarded, c.entry, c.condition)
		if of := breakers[c.entry]; of != "" {
			source = strings.Replace(source, "{ threshold = 2 }", "{\n"+of+"\n}", 1)
		}
		r := Run(mustCompile(t, source)[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || c.shows && r.Verdict != Pass {
			t.Errorf("%s: %s: that it shows something is %v; %s: %s %+v", c.entry, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that a limit on how many calls of a target are under way at one time, or connections of a
// pool in use, shows nothing where no more came in the whole run, however they came.
func TestLimitsThatWhatCameKeeps(t *testing.T) {
	const fanout = `
provider "http" "api" { base_url = "https://api.test" }
workflow "one" {
  provider = provider.api
  inputs   = { id = null }
  step "http" "get" { path = "/items/${input.id}" }
}
workflow "all" {
  step "fanout" "all" {
    sub "a" {
      target    = workflow.one
      arguments = { id = "1" }
    }
    sub "b" {
      target    = workflow.one
      arguments = { id = "2" }
    }
    sub "c" {
      target    = workflow.one
      arguments = { id = "3" }
    }
  }
}
scenario "s" {
  run = workflow.all
  on "*" {
    reply {
      json    = { ok = true }
      latency = "1s"
    }
  }
  assert "x" { condition = %s }
}
`
	const pool = `
actor "desk" {
  pool "db" { size = 5 }
  handler "trigger" {
    takes   = "3s"
    uses    = ["db"]
    timeout = "20s"
    return  = "done"
  }
}
scenario "s" {
  call "a" {
    target = actor.desk.trigger
    at     = ["0s", "1s", "2s"]
  }
  assert "x" { condition = %s }
}
`
	for _, c := range []struct {
		source, condition string
		shows             bool
	}{
		{fanout, `target.api.in_flight_max <= 3`, false},
		{fanout, `target.api.in_flight_max <= 4`, false},
		{fanout, `!(target.api.in_flight_max > 4)`, false},
		{fanout, `target.api.in_flight_max == 3`, true},
		{fanout, `target.api.in_flight_max >= 3`, true},
		{fanout, `target.api.in_flight_max <= 3 && length(target.api.attempts) == 3`, true},
		{pool, `actor.desk.pools.db.in_use_max <= 4`, false},
		{pool, `actor.desk.pools.db.in_use_max <= 3`, false},
		{pool, `actor.desk.pools.db.in_use_max < 4`, false},
		{pool, `actor.desk.pools.db.in_use_max == 3`, true},
		{pool, `actor.desk.pools.db.in_use_max >= 2`, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(c.source, c.condition))[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s: that it shows something is %v; %s: %s %+v", c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
	// Four calls could have been four at once.
	r := Run(mustCompile(t, fmt.Sprintf(strings.Replace(pool, `"2s"]`, `"2s", "9s"]`, 1), `actor.desk.pools.db.in_use_max <= 3`))[0], RunOptions{})
	if countIdle(r) != 0 || r.Verdict != Pass {
		t.Errorf("%s: %s %+v", r.Verdict, told(r), r.Relaxed)
	}
}

// Shows that what a scenario does to its calls makes a check that they are kept apart show
// something only where it makes them meet, or where a timeout of the file ends one in time.
func TestWhatAScenarioDoesMakesCallsMeet(t *testing.T) {
	const source = `
registry "all" {}
actor "desk" {
  registry = registry.all
  lock "session" { max_queue = 1 }
  pool "db" { size = 2 }
  handler "ask" {
    takes   = "5s"
    lock    = ["session"]
    uses    = ["db"]
    timeout = "20s"
  }
  handler "free" {
    takes   = "30s"
    timeout = "20s"
  }
}
actor "hall" {
  handler "ask" { forward_to = actor.desk.ask }
}
scenario "s" {
  allow = ["unexpected_failure"]
  %s
  call "c" {
    target = actor.%s
    at     = %s
  }
  assert "x" { condition = %s }
}
`
	const (
		kill    = "event \"kill\" {\n at = \"2s\"\n kill = actor.desk\n}\nevent \"up\" {\n at = \"8s\"\n restart = actor.desk\n}"
		gone    = "event \"gone\" {\n at = \"1s\"\n unreachable = actor.desk\n}\nevent \"back\" {\n at = \"6s\"\n reachable = actor.desk\n}"
		split   = "event \"split\" {\n at = \"1s\"\n partition = [[actor.hall], [actor.desk]]\n}\nevent \"heal\" {\n at = \"6s\"\n heal = true\n}"
		refuse  = "event \"refuse\" {\n at = \"1s\"\n quarantine = actor.desk\n}\nevent \"admit\" {\n at = \"6s\"\n activate = actor.desk\n optional = true\n}"
		cancel  = "event \"stop\" {\n at = \"2s\"\n cancel = call.c\n}\ncall \"d\" {\n target = actor.desk.ask\n at = \"10s\"\n}"
		hang    = "on \"c\" {\n fault \"hang\" { times = 1 }\n reply {}\n}"
		delay   = "on \"c\" {\n fault \"delay\" {\n by = \"%s\"\n times = 1\n }\n reply {}\n}"
		broken  = "on \"c\" {\n fault \"tool_error\" { times = 1 }\n reply {}\n}"
		hold    = "hold \"h\" {\n lock = actor.desk.lock.session\n to = \"%s\"\n}"
		apart   = `["0s", "10s"]`
		never   = `overlaps(actor.desk.sessions) == 0`
		noQueue = `actor.desk.locks.session.max_queue == 0`
		noWaits = `alltrue([for s in actor.desk.sessions : s.waited_ms == 0])`
		calls   = `overlaps(call.c) == 0`
	)
	for _, c := range []struct {
		target, at, does, condition string
		shows                       bool
	}{
		{"desk.ask", apart, kill, never, false},
		{"desk.ask", apart, kill, `length(actor.desk.sessions) == 2 && ` + never, false},
		{"desk.ask", apart, kill, noQueue, false},
		{"desk.ask", apart, kill, `actor.desk.pools.db.max_queue == 0`, false},
		{"desk.ask", apart, kill, noWaits, false},
		{"desk.ask", apart, kill, calls, false},
		{"desk.free", apart, kill, never, false},
		{"hall.ask", apart, kill, never, false},
		{"desk.ask", `["0s", "1s", "10s"]`, kill, never, true}, // the second waits as the first dies
		{"desk.ask", `["0s", "1s", "10s"]`, kill, calls + ` || true == (length(call.c) == 3)`, true},
		{"desk.ask", `["0s", "2s", "10s"]`, gone, never, false}, // refused: it never came to the lock
		{"hall.ask", `["0s", "2s", "10s"]`, split, never, false},
		{"desk.ask", `["0s", "2s", "10s"]`, gone, noQueue, false},
		{"desk.ask", `["0s", "2s", "10s"]`, refuse, never, true}, // so is one that a registry refuses, which the file says
		{"desk.ask", `["0s", "2s", "10s"]`, refuse, noQueue, true},
		{"desk.ask", `["0s", "5s", "10s"]`, refuse, never, false}, // nothing was there then
		{"desk.ask", `"0s"`, cancel, never, false},
		{"desk.ask", `"0s"`, cancel, noQueue, false},
		{"desk.ask", apart, broken, never, false},
		{"desk.ask", apart, broken, noQueue, false},
		{"desk.ask", apart, broken, calls, false},
		{"desk.ask", `["0s", "30s"]`, hang, never, false}, // the timeout is not why they do not meet: the lock is there
		{"desk.ask", `["0s", "30s"]`, hang, noQueue, true},
		{"desk.ask", `["0s", "30s"]`, hang, noWaits, true},
		{"desk.ask", `["0s", "30s"]`, hang, calls, true},
		{"desk.ask", apart, hang, never, true},
		{"desk.free", `["0s", "25s"]`, "", never, true}, // it is, without a lock
		{"desk.free", `["0s", "25s"]`, "", calls, true},
		{"desk.ask", apart, fmt.Sprintf(delay, "3s"), never, false},
		{"desk.ask", apart, fmt.Sprintf(delay, "8s"), never, true},
		{"desk.ask", apart, fmt.Sprintf(hold, "3s"), never, false},
		{"desk.ask", apart, fmt.Sprintf(hold, "3s"), noQueue + ` || actor.desk.locks.session.max_queue == 1`, true},
		{"desk.ask", apart, fmt.Sprintf(hold, "7s"), never, true},
		{"desk.ask", `["0s", "1s", "2s", "20s"]`, "", never, true}, // the queue is full for the third
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.does, c.target, c.at, c.condition))[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s at %s: %s\n%s: that it shows something is %v; %s: %s %+v", c.target, c.at, c.does, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}
