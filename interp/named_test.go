package interp

import "testing"

// Shows that a search which finds the name of an attribute is marked, and one which finds
// what the run came to is not.
func TestSearchesThatFindNames(t *testing.T) {
	for condition, shows := range map[string]bool{
		`strcontains(jsonencode(run), "error")`:                                           false,
		`strcontains(jsonencode(step.a), "fault")`:                                        false,
		`strcontains(jsonencode(step.a.attempts), "fault")`:                               false,
		`strcontains(jsonencode(steps), "attempts")`:                                      false,
		`regexmatch("cost_usd", jsonencode(run))`:                                         false,
		`length(split("attempts", jsonencode(step.a))) > 1`:                               false,
		`strcontains(lower("got ${jsonencode(run)}"), "usage")`:                           false,
		`strcontains(jsonencode(events()), "type")`:                                       false,
		`strcontains(jsonencode(spans()), "attributes")`:                                  false,
		`strcontains(jsonencode(run), "usage") && strcontains(jsonencode(run), "status")`: false,

		`strcontains(jsonencode(run), "success")`:                           true,
		`strcontains(jsonencode(run), "\"status\":\"success\"")`:            true,
		`!strcontains(jsonencode(run), "secret")`:                           true,
		`strcontains(jsonencode(step.a), "because")`:                        true,
		`strcontains(jsonencode(step.h.json), "id")`:                        true,
		`strcontains(jsonencode(step.h), "ident")`:                          true,
		`strcontains(jsonencode(events()), "because")`:                      true,
		`strcontains(jsonencode(run), "usage") && step.h.json.ident == 7`:   true,
		`strcontains(jsonencode(run), "usage") || step.h.json.ident == 7`:   true,
		`strcontains(jsonencode(run), "banana") || step.h.json.ident == 7`:  true,
		`strcontains(jsonencode([for e in events() : e.type]), "step_end")`: true,
	} {
		r := Run(mustCompile(t, `
provider "openai" "m" { model = "x" }
provider "http" "api" { base_url = "https://api.test" }
workflow "w" {
  provider = provider.m
  step "llm" "a" { prompt = "why?" }
  step "http" "h" {
    provider = provider.api
    path     = "/x/${step.a.content}"
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply { content = "because" }
  }
  on "h" {
    reply { json = { ident = 7 } }
  }
  assert "other" { condition = step.a.content == "because" }
  assert "x" { condition = `+condition+` }
}
`)[0], RunOptions{})
		if marked := countIdle(r) == 1; marked == shows || r.Verdict != Pass {
			t.Errorf("%s: that it shows something is %v: %s %s %+v", condition, shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}
