package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// toldOf is what -v tells of a scenario with some words in it.
func toldOf(t *testing.T, source, words string) (string, *Result) {
	t.Helper()
	r := RunTold(compileAt(t, "a.scenario.hcl", source)[0], RunOptions{Unread: true})
	return strings.Join(slices.DeleteFunc(slices.Clone(r.Unread), func(part string) bool { return !strings.Contains(part, words) }), "\n"), r
}

// Shows where a step is told of that is skipped as its service refused a request before, and not by its when; and that
// a scenario about that failure, an outage, and another reason to skip it are not told of.
func TestConditionsThatWereNotAsked(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.example" }
workflow "ship" {
  provider = provider.shop
  inputs   = { go = true }
  step "http" "order" { path = "/orders/7" }
  step "http" "parcel" {
    %s
    path = "/parcels/7?${step.order.status_code}"
  }
}
scenario %q {
  run = workflow.ship
  on "order" {
    %s
  }
  expect "run" { status = %q }
  %s
}
`
	const (
		when    = `when = step.order.json.state == "paid"`
		skipped = `expect "parcel" { status = "skipped" }`
		told    = "step parcel: it is skipped as order failed with %s: its when was not asked in this scenario"
		title   = "what is not paid is not shipped"
	)
	fault := func(code string) string { return `fault "http_error" { status_code = ` + code + ` }` }
	for _, c := range []struct{ when, title, on, status, check, told string }{
		{when, title, fault("402"), "failed", skipped, fmt.Sprintf(told, "402")},
		{when, title, fault("404"), "failed", `assert "no parcel" { condition = step.parcel.status == "skipped" }`, fmt.Sprintf(told, "404")},
		{when, title, "reply {\n      status_code = 409\n    }", "failed", skipped, fmt.Sprintf(told, "409")},
		{when, title, `reply { json = { state = "open" } }`, "success", skipped, ""}, // by its when
		{when, title, fault("503"), "failed", skipped, ""},                           // an outage
		{when, title, fault("429"), "failed", skipped, ""},
		{when, title, fault("408"), "failed", skipped, ""},
		{when, title, `fault "connection_reset" {}`, "failed", skipped, ""},
		{when, "an order that fails is not shipped", fault("402"), "failed", skipped, ""},
		{when, "nothing is shipped for a declined card", fault("402"), "failed", skipped, ""},
		{when, "an expired order is not shipped", fault("410"), "failed", skipped, ""},
		{when, "an invalid order is not shipped", fault("422"), "failed", skipped, ""},
		{when, "nothing is shipped with insufficient funds", fault("402"), "failed", skipped, ""},
		{when, "nothing is shipped to a blocked customer", fault("403"), "failed", skipped, ""},
		{when, "nothing is shipped once the quota is exceeded", fault("403"), "failed", skipped, ""},
		{when, "nothing is shipped that is not allowed", fault("403"), "failed", skipped, ""},
		{when, "an order that is no longer there is not shipped", fault("410"), "failed", skipped, ""},
		{when, "an order that does not exist is not shipped", fault("404"), "failed", skipped, ""},
		{when, "payment required: nothing is shipped", fault("402"), "failed", skipped, ""},
		{when, "payment required: nothing is shipped", fault("404"), "failed", skipped, fmt.Sprintf(told, "404")},
		{when, "nothing goes out after a 402", fault("402"), "failed", skipped, ""},
		{when, title, fault("402"), "failed", skipped + "\n  expect \"order\" { error = { kind = \"http_status\" } }", ""},
		{when, title, fault("402"), "failed", skipped + "\n  assert \"why\" { condition = step.parcel.skipped_reason == \"upstream failure: order\" }", ""},
		{when, title, fault("402"), "failed", `assert "the order is read" { condition = length(step.order.attempts) == 1 }`, ""}, // no check of the parcel
		{"", title, fault("402"), "failed", skipped, ""},                                                                         // no condition
		{"when = input.go", title, fault("402"), "failed", skipped, ""},                                                          // one of another thing
	} {
		got, r := toldOf(t, fmt.Sprintf(source, c.when, c.title, c.on, c.status, c.check), "was not asked")
		if r.Verdict != Pass || got != c.told {
			t.Errorf("%s, %q, %s, %s: %s, told\n%s\nwant\n%s\n%s", c.when, c.title, c.on, c.check, r.Verdict, got, c.told, problems(r))
		}
	}
}

// Shows that a check which goes over step is told of where steps inside others asked, too, and that one which reaches
// these is not.
func TestChecksThatPassOverInnerSteps(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.example" }
workflow "mail" {
  provider = provider.shop
  step "http" "send" { path = "/mail" }
}
workflow "w" {
  provider = provider.shop
  step "http" "order" { path = "/orders/7" }
  step "loop" "hooks" {
    while          = loop.index < %d
    max_iterations = 3
    step "http" "tell" { path = "/hooks/${loop.index}" }
  }
  step "workflow" "inform" {
    run  = workflow.mail
    when = %v
  }
}
scenario "s" {
  run = workflow.w
  on "order" {
    reply { json = { email = "ann@lee.example" } }
  }
  %s
  assert "told to nobody" { condition = %s }
}
`
	const loop, mail = "on \"hooks.tell\" {\n    reply { times = 2 }\n  }", "on \"inform.send\" {\n    reply {}\n  }"
	const told = `assert "told to nobody": it goes over the steps of the run, and not over those in `
	const inLoop, inMail = "the loop hooks (tell)", "the step inform (send)"
	all := `alltrue(flatten([for name, s in step : [for a in coalesce(s.attempts, []) : !strcontains(a.request.url, "ann")]]))`
	for _, c := range []struct {
		turns     int
		mails     bool
		condition string
		told      string
	}{
		{2, false, all, told + inLoop},
		{2, true, all, told + inLoop + ", " + inMail},
		{0, true, all, told + inMail},
		{2, false, `!anytrue([for s in values(step) : strcontains(jsonencode(s.attempts), "bob@") if s.status == "success"])`, told + inLoop},
		{0, false, all, ""}, // nothing ran there
		{2, false, strings.Replace(all, "in step :", "in steps :", 1), ""},
		{2, false, `alltrue([for name, s in step : !strcontains(jsonencode(s), "anna@lee")])`, ""}, // all of each
		{2, false, all + ` && alltrue([for r in step.hooks.runs : !strcontains(r.tell.attempts[0].request.url, "ann")])`, ""},
		{2, false, `alltrue([for a in step.order.attempts : !strcontains(a.request.url, "ann")])`, ""}, // of one step
		{2, false, `length([for name, s in step : name]) == 3 && step.order.status_code == 200`, ""},   // of their names
	} {
		scripts := ""
		if c.turns > 0 {
			scripts += loop + "\n  "
		}
		if c.mails {
			scripts += mail
		}
		got, r := toldOf(t, fmt.Sprintf(source, c.turns, c.mails, scripts, c.condition), "it goes over")
		if r.Verdict != Pass || got != c.told {
			t.Errorf("%d, %v, %s: %s, told\n%s\nwant\n%s\n%s", c.turns, c.mails, c.condition, r.Verdict, got, c.told, problems(r))
		}
	}
}
