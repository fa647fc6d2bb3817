package interp

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const firstReport = `provider "openai" "llm" {}
provider "http" "store" { base_url = "https://store.example" }
retry "exponential" "std" {
  base        = "1s"
  max_retries = 1
}
workflow "report" {
  provider = provider.llm
  %s
  output   = step.draft.content
  step "http" "orders" {
    provider = provider.store
    path     = "/orders"
  }
  step "llm" "draft" { prompt = step.orders.body }
}
workflow "outer" {
  step "workflow" "inner" {
    run = workflow.report
    %s
  }
  step "value" "instead" { value = "none" }
}
scenario "s" {
  run = workflow.%s
  %s
}
`

const firstLoop = `provider "http" "stock" { base_url = "https://stock.example" }
workflow "w" {
  step "loop" "check" {
    while = loop.index < 2
    step "http" "reserve" {
      provider = provider.stock
      path     = "/reserve/${loop.index}"
    }
  }
}
scenario "s" {
  run = workflow.w
  on "*" {
    reply { times = %d }
    fault "http_error" { status_code = 409 }
  }
}
`

const firstLock = `actor "desk" {
  lock "line" {}
  handler "sell" {
    takes = "4s"
    lock  = ["line"]
  }
  handler "refund" {
    takes = "2s"
    lock  = ["line"]
  }
}
scenario "s" {
  call "sell" {
    target = actor.desk.sell
    at     = ["0s", "1s"]
  }
  call "refund" {
    target = actor.desk.refund
    at     = ["%s"]
  }
}
`

// Shows what several steps have in common that only the first of them ends, and that it is told of no more where a
// later one does.
func TestFirstOfSeveralSteps(t *testing.T) {
	report := func(with, inner, run, orders, draft string) string {
		orders, draft = cmp.Or(orders, "reply {}"), cmp.Or(draft, `reply {
 optional = true
}`)
		script := fmt.Sprintf("on %q {\n %s\n}\non %q {\n %s\n}\n", run+"orders", orders, run+"draft", draft)
		name := "report"
		if run != "" {
			name = "outer"
		}
		return fmt.Sprintf(firstReport, with, inner, name, script)
	}
	const hang, down, retry, fallback = `fault "hang" {}`, `fault "http_error" { status_code = 503 }`, "retry = retry.std", "fallback = step.instead\nfallback_on = \"any\""
	costs := func(usd float64) string {
		return fmt.Sprintf("reply {\n content = \"ok\"\n cost_usd = %g\n latency = \"1s\"\n}", usd)
	}
	for _, c := range []struct {
		of, source string
		near, part bool
	}{
		{`the time of workflow "report"`, report(`timeout = "5s"`, "", "", hang, ""), true, false},
		{`the time of workflow "report"`, report(`timeout = "5s"`, "", "", "reply { latency = \"1s\" }", hang), true, true},
		{`the time of workflow "report"`, report(`timeout = "5s"`, "", "", "reply {}", hang), true, false},
		{`the time of workflow "report"`, report(`timeout = "5s"`, "", "", "", ""), false, false},
		{"the time of step.inner", report("", `timeout = "5s"`, "inner.", hang, ""), true, false},
		{"the time of step.inner", report("", `timeout = "5s"`, "inner.", "reply { latency = \"1s\" }", hang), true, true},
		{"the retries of step.inner", report("", retry, "inner.", down+"\nreply {}", ""), true, false},
		{"the retries of step.inner", report("", retry, "inner.", "", down+"\nreply { content = \"ok\" }"), true, true},
		{"the fallback of step.inner", report("", fallback, "inner.", down, ""), true, false},
		{"the fallback of step.inner", report("", fallback, "inner.", "", down), true, true},
		{"the fallback of step.inner", report("", fallback, "inner.", "", ""), false, false},
		{`the budget of workflow "report"`, report("budget { usd = 0.1 }", "", "", "", costs(0.2)), false, false}, // nothing is refused
		{"the passes of step.check.reserve", fmt.Sprintf(firstLoop, 1), true, true},
		{"the passes of step.check.reserve", fmt.Sprintf(firstLoop, 2), false, false},
		{"lock line of actor desk", fmt.Sprintf(firstLock, "9s\", \"9500ms"), true, false},
		{"lock line of actor desk", fmt.Sprintf(firstLock, "7s"), true, true},
	} {
		p := mustCompile(t, c.source)[0]
		r := Run(p, RunOptions{})
		var got Setting
		for _, s := range SettingsOf(p, r.Events) {
			if s.Of == c.of && s.Name == "" {
				got = s
			}
		}
		if got.Near != c.near || got.Part != c.part || c.near && !c.part && (got.Why == "" || got.Hint == "" || got.Value == "") {
			t.Errorf("%s: %+v, want near %v and part %v; %s\n%s", c.of, got, c.near, c.part, told(r), c.source)
		}
	}
}

// Shows that only the first pass of a loop fails.
func TestFirstPass(t *testing.T) {
	source := fmt.Sprintf(firstLoop, 1)
	p := mustCompile(t, strings.Replace(source, "reply { times = 1 }", "", 1))[0]
	for _, s := range SettingsOf(p, Run(p, RunOptions{}).Events) {
		if s.Of == "the passes of step.check.reserve" && (!s.Near || s.Part || s.Alike != 1) {
			t.Errorf("%+v", s)
		}
	}
}

// Shows what several requests of a program have in common that only the first of them ends.
func TestFirstOfSeveralRequests(t *testing.T) {
	const source = `provider "http" "bank" { base_url = "https://bank.test" }
provider "http" "stock" { base_url = "https://stock.test" }
provider "http" "ship" { base_url = "https://ship.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "*" {
    exhausted = "repeat_last"
    fault "http_error" {
      match { json = { bad = true } }
      status_code = 409
      times       = 9
    }
    reply {
      match { json = { vote = "no" } }
      times = 9
      json  = { vote = "no" }
    }
    reply { json = { vote = "yes" } }
  }
  assert "x" { condition = sut.exit_code != 9 }
}
`
	ask := func(at, path string, body string) [2]string { return [2]string{"https://" + at + ".test" + path, body} }
	order := func(at string, id int, bad bool) [2]string {
		return ask(at, "/orders", fmt.Sprintf(`{"id": %d, "bad": %t}`, id, bad))
	}
	vote := func(at, says string) [2]string {
		return ask(at, "/votes", fmt.Sprintf(`{"do": "prepare", "vote": %q}`, says))
	}
	const orders = "the requests POST /orders of bank"
	const votes = "the answers to POST /votes "
	for name, c := range map[string]struct {
		of    string
		asks  [][2]string
		near  bool
		part  bool
		alike int
	}{
		"the first":             {orders, [][2]string{order("bank", 1, true)}, true, false, 1},
		"the second":            {orders, [][2]string{order("bank", 1, false), order("bank", 2, true)}, true, true, 2},
		"it goes on":            {orders, [][2]string{order("bank", 1, true), order("bank", 2, false)}, false, false, 2},
		"none":                  {orders, [][2]string{order("bank", 1, false), order("bank", 2, false)}, false, false, 2},
		"tried again":           {"the retries of the requests of bank", [][2]string{order("bank", 1, false), order("bank", 2, true), order("bank", 2, true)}, true, false, 1},
		"two are tried again":   {"the retries of the requests of bank", [][2]string{order("bank", 1, true), order("bank", 1, true), order("bank", 2, true), order("bank", 2, true)}, true, true, 2},
		"the first says no":     {votes, [][2]string{vote("bank", "no"), order("stock", 1, false)}, true, false, 1},
		"all say yes":           {votes, [][2]string{vote("bank", "yes"), vote("stock", "yes"), vote("ship", "yes")}, false, false, 3},
		"one is given back":     {"the requests POST /orders, given back", [][2]string{order("bank", 1, false), order("stock", 1, true), order("bank", 3, false)}, true, false, 1},
		"two are given back":    {"the requests POST /orders, given back", [][2]string{order("bank", 1, false), order("ship", 1, false), order("stock", 1, true), ask("bank", "/orders", "")}, true, true, 2},
		"nothing is given back": {"the requests POST /orders, given back", [][2]string{order("bank", 1, false), order("stock", 1, true)}, false, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := drivenBy(t, source)
				for _, a := range c.asks {
					d.asks(a[0], a[1]).End(false)
				}
				code := 1
				d.run.ProgramEnded(ProgramEnd{Code: &code, Ran: time.Second})
				result, _ := d.run.Finish("")
				var got Setting
				var all []string
				for _, s := range SettingsOf(compileAt(t, "a.scenario.hcl", source)[0], result.Events) {
					if all = append(all, cmp.Or(s.Name, s.Of)); s.Of == c.of || len(s.Of) > len(c.of) && c.of == votes && s.Of[:len(votes)] == votes {
						got = s
					}
				}
				if got.Near != c.near || got.Part != c.part || got.Alike != c.alike || c.near && !c.part && (got.Why == "" || got.Hint == "" || got.Value == "") {
					slices.Sort(all)
					t.Errorf("%+v of %q", got, all)
				}
			})
		})
	}
}
