package interp

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

func saysKept(p Problem) bool {
	return p.Kind == "idle" && p.Partly && strings.Contains(p.Message, "it would hold if nothing waited between an answer and the next attempt")
}

// Shows that a least time between attempts of a workflow is marked that its answers keep alone, whatever
// waits beside them; and that it is not where a wait is needed, or the limit is what answers take, and
// neither is what shows an order, or that a step waits for the answer of another.
func TestLeastTimesThatAnswersKeepInAWorkflow(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
retry "linear" "std" {
  delay       = %q
  max_retries = 2
}
workflow "w" {
  provider = provider.shop
  step "http" "get" {
    path            = "/items"
    attempt_timeout = "5s"
    retry           = retry.std
  }
  step "http" "next" { path = "/${length(step.get.attempts)}" }
  step "wait" "pause" {
    for        = "5ms"
    depends_on = [step.next]
  }
  step "http" "last" {
    path       = "/last"
    depends_on = [step.pause]
  }
  step "loop" "poll" {
    while          = loop.index == 0 || step.ask.json.state != "done"
    max_iterations = 10
    depends_on     = [step.last]
    step "wait" "rest" { for = "1ms" }
    step "http" "ask" {
      depends_on = [step.rest]
      path       = "/exports/7"
    }
    step "http" "tell" { path = "/${step.ask.json.state}" }
  }
}
scenario "s" {
  run = workflow.w
  on "get" {
    fault "timeout" { times = 2 }
    reply { latency = "1500ms" }
  }
  on "next" {
    reply { latency = "1500ms" }
  }
  on "last" {
    reply {}
  }
  on "poll.ask" {
    reply {
      json    = { state = "running" }
      latency = "1500ms"
      times   = 2
    }
    reply { json = { state = "done" } }
  }
  on "poll.tell" {
    reply { times = 3 }
  }
  assert "x" { condition = %s }
}
`
	const gap = `alltrue([for i in range(1, 3) : step.get.attempts[i].at_ms - step.get.attempts[i - 1].at_ms >= %d])`
	const polls = `alltrue([for i in range(1, 3) : step.poll.runs[i].ask.started_ms - step.poll.runs[i - 1].ask.started_ms >= %d])`
	for _, c := range []struct {
		delay, condition string
		told             bool
	}{
		{"0s", fmt.Sprintf(gap, 2000), true},
		{"2s", fmt.Sprintf(gap, 2000), true},
		{"2s", `length(step.get.attempts) == 3 && ` + fmt.Sprintf(gap, 2000), true},
		{"2s", `step.get.attempts[1].at_ms >= 2000`, true},
		{"2s", `step.get.attempts[1].at_ms > step.get.attempts[0].at_ms + 2000`, true},
		{"2s", `step.get.attempts[1].started_at_ms - step.get.attempts[0].started_at_ms >= 2000`, true},
		{"2s", fmt.Sprintf(gap, 7000), false},
		{"0s", fmt.Sprintf(gap, 5000), false}, // that is the timeout
		{"2s", `step.get.attempts[1].at_ms - step.get.attempts[0].ended_ms >= 2000`, false},
		{"2s", `step.get.attempts[1].gap_ms >= 2000`, false},
		{"2s", `step.get.attempts[1].at_ms > step.get.attempts[0].at_ms`, false},
		{"2s", `step.get.attempts[1].at_ms - step.get.attempts[0].at_ms <= 9000`, false},
		{"0s", fmt.Sprintf(polls, 1000), true},
		{"0s", fmt.Sprintf(polls, 1501), false},
		// One waits for the answer of the other.
		{"0s", `step.next.started_ms >= 10000`, false},
		{"0s", `step.next.started_ms - step.get.started_ms >= 10000`, false},
		{"0s", `step.poll.runs[0].tell.started_ms - step.poll.runs[0].ask.started_ms >= 1000`, false},
		// And here for a pause as well.
		{"0s", `step.last.started_ms - step.next.started_ms >= 1000`, true},
		{"0s", `step.last.started_ms - step.next.started_ms >= 1505`, false},
	} {
		p := compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.delay, c.condition))[0]
		r := RunTold(p, RunOptions{})
		if r.Verdict != Pass || slices.ContainsFunc(r.Relaxed, saysKept) != c.told {
			t.Errorf("delay %s, %s: %s, told %v and not %t:\n%s", c.delay, c.condition, r.Verdict, r.Relaxed, c.told, problems(r))
		}
	}
}

// Shows the same of a program: its own waits are taken out, and where its requests overlap nothing is told.
func TestLeastTimesThatAnswersKeepInAProgram(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    fault "delay" {
      by = "1200ms"
      reply { status_code = 503 }
    }
    reply {}
  }
  assert "x" { condition = %s }
}
`
	const gap = `endpoint.shop.attempts[1].at_ms - endpoint.shop.attempts[0].at_ms >= %d`
	for _, c := range []struct {
		condition string
		wait      time.Duration
		told      bool
	}{
		{fmt.Sprintf(gap, 1000), 50 * time.Millisecond, true},
		{fmt.Sprintf(gap, 1000), 0, true},
		{fmt.Sprintf(gap, 1000), time.Second, true},
		{fmt.Sprintf(gap, 2000), time.Second, false},
		{`endpoint.shop.attempts[1].gap_ms >= 1000`, time.Second, false},
	} {
		var r *Result
		var list []Problem
		synctest.Test(t, func(t *testing.T) {
			d := &driver{t, NewOutside(compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.condition))[0], OutsideOptions{Clock: wire.System(), Way: Exec})}
			d.takes(d.calls("GET", "https://shop.test/item"), 1200*time.Millisecond)
			time.Sleep(c.wait)
			d.takes(d.calls("GET", "https://shop.test/item"), 0)
			r, _ = d.run.Finish("success")
			list = d.run.Elsewhere(r)
		})
		if r.Verdict != Pass || slices.ContainsFunc(list, saysKept) != c.told {
			t.Errorf("%s (%s): %s, told %v and not %t:\n%s", c.condition, c.wait, r.Verdict, list, c.told, problems(r))
		}
	}
}

func saysInTurn(p Problem) bool {
	return p.Kind == "idle" && p.Partly && strings.Contains(p.Message, "it holds of any run that asks one after the other")
}

// inTurn are conditions on when attempts begin and end, without what they are of, and whether they hold of any
// run that asks one after the other.
var inTurn = []struct {
	condition string
	told      bool
}{
	{`alltrue([for i, a in %[1]s.attempts : i == 0 || a.at_ms >= %[1]s.attempts[i - 1].ended_ms])`, true},
	{`alltrue([for i, a in %[1]s.attempts : i == 0 || a.started_at_ms >= %[1]s.attempts[i - 1].ended_at_ms])`, true},
	{`length(%[1]s.attempts) == 2 && %[1]s.attempts[0].ended_at_ms <= %[1]s.attempts[1].started_at_ms`, true},
	{`%[1]s.attempts[1].at_ms - %[1]s.attempts[0].ended_ms >= 0`, true},
	{`!(%[1]s.attempts[1].at_ms < %[1]s.attempts[0].ended_ms)`, true},
	{`%[1]s.attempts[1].at_ms - %[1]s.attempts[0].ended_ms >= 1`, false},
	{`%[1]s.attempts[1].at_ms > %[1]s.attempts[0].ended_ms`, false},
	{`%[1]s.attempts[1].at_ms - %[1]s.attempts[0].ended_ms <= 5000`, false},
	{`abs(%[1]s.attempts[1].at_ms - %[1]s.attempts[0].ended_ms) <= 5000`, false},
	{`%[1]s.attempts[1].ended_ms >= %[1]s.attempts[1].at_ms`, false}, // which is told of as what says the same twice
}

// Shows that a check is marked which says no more than that an attempt of a step begins when the one before it
// has ended, and that one is not which needs a wait between them.
func TestNextAttemptsThatBeginAfterTheLastOneInAWorkflow(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
retry "linear" "std" {
  delay       = "2s"
  max_retries = 2
}
workflow "w" {
  provider = provider.shop
  step "http" "get" {
    path  = "/items"
    retry = retry.std
  }
}
scenario "s" {
  run = workflow.w
  on "get" {
    fault "http_error" { status_code = 503 }
    reply { latency = %q }
  }
  assert "x" { condition = %s }
}
`
	for _, latency := range []string{"0s", "1500ms"} {
		for _, c := range inTurn {
			condition := fmt.Sprintf(c.condition, "step.get")
			r := RunTold(compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, latency, condition))[0], RunOptions{})
			if slices.ContainsFunc(r.Relaxed, saysInTurn) != c.told || slices.ContainsFunc(r.Problems, saysInTurn) {
				t.Errorf("%s: %s, told %v and not %t:\n%s", condition, r.Verdict, r.Relaxed, c.told, problems(r))
			}
		}
	}
}

// Shows the same of a program that asks again after a failure, and that nothing is told where it asks again
// after a success: it could have asked both at once.
func TestNextAttemptsThatBeginAfterTheLastOneInAProgram(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    %s
    reply {}
  }
  assert "x" { condition = %s }
}
`
	for _, first := range []string{"fault \"http_error\" { status_code = 503 }", "reply {}"} {
		for _, c := range inTurn {
			condition := fmt.Sprintf(c.condition, "endpoint.shop")
			told := c.told && strings.HasPrefix(first, "fault")
			var r *Result
			var list []Problem
			synctest.Test(t, func(t *testing.T) {
				d := &driver{t, NewOutside(compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, first, condition))[0], OutsideOptions{Clock: wire.System(), Way: Exec})}
				d.takes(d.calls("GET", "https://shop.test/item"), 0)
				time.Sleep(time.Second)
				d.takes(d.calls("GET", "https://shop.test/item"), 0)
				r, _ = d.run.Finish("success")
				list = d.run.Elsewhere(r)
			})
			if r.Verdict != Pass || slices.ContainsFunc(list, saysInTurn) != told {
				t.Errorf("%s, %s: %s, told %v and not %t:\n%s", first, condition, r.Verdict, list, told, problems(r))
			}
		}
	}
}

// Shows the same of a server: that its caller waits meanwhile is no attempt that overlaps.
func TestNextAttemptsOfAServerThatBeginAfterTheLastOne(t *testing.T) {
	const source = `provider "http" "portal" {}
provider "http" "db" { base_url = "https://db.test" }
scenario "s" {
  sut { serves = provider.portal }
  call "label" {
    target    = provider.portal
    arguments = { path = "/labels" }
  }
  on "db" {
    fault "http_error" {
      status_code = 503
      times       = 2
    }
    reply {}
  }
  expect "label" { status = "success" }
  assert "x" { condition = alltrue([for i, a in endpoint.db.attempts : i == 0 || a.started_at_ms %s]) }
}
`
	for condition, told := range map[string]bool{
		">= endpoint.db.attempts[i - 1].ended_at_ms":       true,
		">= endpoint.db.attempts[i - 1].ended_at_ms + 100": false,
	} {
		var r *Result
		var list []Problem
		synctest.Test(t, func(t *testing.T) {
			run := NewOutside(compileAt(t, "served.scenario.hcl", fmt.Sprintf(source, condition))[0], OutsideOptions{Clock: wire.System(), Way: Exec})
			run.Started(1)
			run.Ready()
			run.Drive(DriveOptions{BaseURL: "http://127.0.0.1:1", Transport: &server{run: run, answer: func(s *server, w http.ResponseWriter, req *http.Request) error {
				for range 3 {
					s.ask(req.Context(), "https://db.test/labels")
					time.Sleep(200 * time.Millisecond) // of fake time
				}
				_, err := io.WriteString(w, "{}")
				return err
			}}})
			time.Sleep(time.Second)
			r, _ = run.Finish("")
			list = run.Elsewhere(r)
		})
		if r.Verdict != Pass || slices.ContainsFunc(list, saysInTurn) != told {
			t.Errorf("%s: %s, told %v and not %t:\n%s", condition, r.Verdict, list, told, problems(r))
		}
	}
}
