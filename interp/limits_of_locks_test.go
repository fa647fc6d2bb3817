package interp

import (
	"fmt"
	"testing"
)

// Shows that an upper limit on the waits for a lock or a connection is marked where all of them are held
// for no longer than that in the whole run, and that it is not where a wait may be longer, was given up,
// or is held for as long as a workflow takes.
func TestLimitsOfLocksThatNobodyWaitsFor(t *testing.T) {
	const source = `actor "desk" {
  lock "order" { acquire_timeout = %q }
  pool "db" {
    size            = 1
    acquire_timeout = "5s"
  }
  handler "sell" {
    takes  = %q
    lock   = ["order"]
    return = "sold"
  }
  handler "list" {
    takes  = "2s"
    uses   = ["db"]
    return = "listed"
  }
}
scenario "s" {
  call "one" { target = actor.desk.%[3]s }
  call "two" {
    target = actor.desk.%[3]s
    at     = "1s"
  }
  call "three" {
    target = actor.desk.%[3]s
    at     = "1s"
  }
  %s
  assert "x" { condition = %s }
}
`
	const failed = `expect "three" { status = "failed" }`
	const held = "hold \"desk\" {\n    lock = actor.desk.lock.order\n    from = \"0s\"\n    to   = \"3s\"\n  }"
	limit := func(ms int) string {
		return fmt.Sprintf(`alltrue([for s in actor.desk.sessions : s.waited_ms <= %d])`, ms)
	}
	for _, c := range []struct {
		timeout, takes, handler, more, condition string
		shows                                    bool
	}{
		{"10s", "2s", "sell", "", limit(10000), false},
		{"none", "2s", "sell", "", limit(10000), false},
		{"10s", "2s", "sell", "", limit(6000), false},
		{"10s", "2s", "sell", "", limit(10000) + ` && length(actor.desk.sessions) == 3`, false},
		{"10s", "2s", "sell", "", `max(actor.desk.sessions[*].waited_ms...) < 10000`, false},
		{"10s", "2s", "sell", "", `alltrue([for w in actor.desk.locks.order.waits : w.waited_ms <= 10000])`, false},
		{"10s", "2s", "list", "", `alltrue([for w in actor.desk.pools.db.waits : w.waited_ms <= 10000])`, false},
		{"10s", "2s", "list", "", `alltrue([for w in actor.desk.pools.db.waits : w.waited_ms <= 3000])`, true},
		{"10s", "2s", "sell", "", limit(3000), true}, // another order would break it
		{"10s", "2s", "sell", "", `actor.desk.sessions[*].waited_ms == [0, 1000, 3000]`, true},
		{"10s", "2s", "sell", "", `actor.desk.sessions[2].waited_ms >= 2000`, true},
		{"10s", "2s", "sell", "", `alltrue([for s in actor.desk.sessions : s.waited_ms <= 10000 && s.started_ms <= 4000])`, true},
		{"10s", "8s", "sell", failed, limit(10000), true}, // one gave up
		{"1500ms", "2s", "sell", failed, limit(10000), true},
		{"none", "8s", "sell", "", limit(16000), true},
		{"10s", "2s", "sell", held, limit(10000), true}, // the scenario held it
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.timeout, c.takes, c.handler, c.more, c.condition))[0], RunOptions{})
		if marked := countIdle(r) > 0; marked == c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s (%s, %s, %s): that it shows something is %v; %s: %s %+v", c.condition, c.timeout, c.takes, c.more, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}
