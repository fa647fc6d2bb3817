package interp

import (
	"fmt"
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
		r := Run(mustCompile(t, fmt.Sprintf(source, c.handler, c.at, c.condition))[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s at %s: %s: that it shows something is %v; %s: %s %+v", c.handler, c.at, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
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
	const good, bad = `reply { body = "x" }`, `fault "http_error" {}`
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
		{bad, `breaker.one.state == "closed"`, true},
		{bad, `length(target.one.attempts) <= 6`, true},
		{bad, `gateway.g.fallbacks <= 2`, false}, // it has one target
		{bad, `breaker.one.rejected == 0`, true},
		{bad, `breaker.one.transitions == []`, true},
		{bad, `breaker.one.failures == 1`, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(guarded, c.entry, c.condition))[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows {
			t.Errorf("%s: %s: that it shows something is %v; %s: %s %+v", c.entry, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}
