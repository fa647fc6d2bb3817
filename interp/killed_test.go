package interp

import (
	"fmt"
	"testing"
)

// Shows that a limit on how long a call takes shows nothing where the kill of its actor ended the call
// and the limit is no less than that; and that it does where it is less than the kill, where a timeout
// came first, or another event ended it.
func TestLimitsThatAKillKeeps(t *testing.T) {
	const file = `
actor "mail" {
  handler "send" {
    takes   = "%[2]s"
    timeout = "10h"
    return  = "sent"
  }
}
actor "other" {
  handler "send" { return = "sent" }
}
scenario "s" {
  call "send" {
    target = actor.mail.send
    %[3]s
  }
  call "beside" { target = actor.other.send }
  event "dies" {
    at = "1s"
    %[4]s = actor.mail
  }
  call "later" {
    target = actor.mail.send
    at     = "5s"
  }
  expect "send" { status = "%[5]s" }
  expect "later" { status = "%[6]s" }
  assert "it" { condition = %[1]s }
}
`
	for _, c := range []struct {
		condition, takes, call, event, status string
		marked                                bool
	}{
		{condition: "call.send.ended_ms <= 60000", marked: true},
		{condition: "call.send.elapsed_ms < 60000", marked: true},
		{condition: "60000 > call.send.ended_ms", marked: true},
		{condition: "call.send.ended_ms <= 1000", marked: true},
		{condition: "call.send.ended_ms <= 60000", event: "restart", marked: true},
		{condition: "call.send.ended_ms <= 60000", call: `timeout = "2s"`, marked: true}, // the kill came first
		{condition: "call.send.ended_ms <= 60000 && call.later.error.kind == \"target_unavailable\"", marked: true},

		{condition: "call.send.ended_ms <= 60000", call: `timeout = "500ms"`, status: "timeout"},
		{condition: "call.send.ended_ms <= 60000", takes: "500ms", status: "success"},
		{condition: "call.send.ended_ms >= 1000"},
		{condition: "call.send.ended_ms == 1000"},
		{condition: "call.beside.ended_ms <= 60000"},
		{condition: "call.later.ended_ms <= 60000"},
		{condition: "abs(call.send.ended_ms - 1000) < 10"},
		{condition: "call.send.ended_ms != null"},
		{condition: "call.later.ended_ms - call.send.ended_ms <= 60000"},
	} {
		for at, value := range map[*string]string{&c.takes: "2s", &c.event: "kill", &c.status: "failed"} {
			if *at == "" {
				*at = value
			}
		}
		r := Run(compileWith(t, "test.scenario.hcl", fmt.Sprintf(file, c.condition, c.takes, c.call, c.event, c.status, map[bool]string{true: "failed", false: "success"}[c.event == "kill"]), nil)[0], RunOptions{})
		if n := countIdle(r); r.Verdict != Pass || (n > 0) != c.marked {
			t.Errorf("%+v: %s with %d marks: %v %v", c, r.Verdict, n, r.Problems, r.Relaxed)
		}
	}
}
