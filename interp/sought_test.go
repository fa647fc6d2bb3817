package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Shows that a check which rules out a text is told of where the run was given it in another writing alone, and not
// where it was given as it is written, too, where a check rules out the other writing as well, where the text is a
// word, or where the run has it in no writing.
func TestTextsThatAreGivenOtherwise(t *testing.T) {
	const source = `provider "http" "crm" { base_url = "https://crm.test" }
provider "openai" "llm" { model = "m-1" }
workflow "w" {
  inputs = { mail = null, sum = null }
  step "http" "customer" {
    provider = provider.crm
    path     = "/customers/7"
  }
  step "llm" "draft" {
    provider = provider.llm
    prompt   = "A customer since ${step.customer.json.since} asks."
  }
}
scenario "s" {
  run    = workflow.w
  inputs = { mail = "Ann.Lee@example.com", sum = 4500 }
  on "customer" {
    reply { json = { since = 2019, iban = "DE02120300000000202051", born = "1990-05-17", plate = "M-AL 1990", name = "Zimmermann", note = "cards: 4111 1111 1111 1111", rate = 12345.50 } }
  }
  on "draft" {
    reply { content = "Thank you." }
  }
  assert "x" {
    condition = %s
  }
}
`
	const body = "step.draft.attempts[0].request.body"
	without := func(text string) string { return fmt.Sprintf("!strcontains(%s, %q)", body, text) }
	for _, c := range []struct{ condition, told string }{
		{without("DE02 1203 0000 0000 2020 51"), "DE02120300000000202051"},
		{without("17.05.1990"), "1990-05-17"},
		{without("17/5/1990"), "1990-05-17"},
		{without("ann.lee@example.com"), "Ann.Lee@example.com"},
		{without("4500.00"), "4500"},
		{without("12345.5"), ""}, // as it begins
		{without("m al 1990"), "M-AL 1990"},
		{without("4111111111111111"), "4111 1111 1111 1111"},
		{"!word(" + body + `, "17.05.1990")`, "1990-05-17"},
		{"!contains([for m in step.draft.attempts[0].request.json.messages : m.content], \"17.05.1990\")", "1990-05-17"},
		{without("17.05.1990") + " && " + body + ` != ""`, "1990-05-17"},

		{without("1990-05-17"), ""},
		{without("17.05.1990") + " && " + without("1990-05-17"), ""},
		{without("18.05.1990"), ""},
		{without("zimmermann"), ""}, // a word
		{without("FR76 3000 6000 0112 3456 7890 189"), ""},
		{fmt.Sprintf("strcontains(%s, %q) == false", body, "17.05.1990"), ""},
	} {
		r := RunTold(compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.condition))[0], RunOptions{})
		if r.Verdict != Pass {
			t.Errorf("%s: %s\n%s", c.condition, r.Verdict, problems(r))
			continue
		}
		told := slices.ContainsFunc(r.Relaxed, func(p Problem) bool {
			return p.Kind == KindElsewhere && strings.Contains(p.Message, fmt.Sprintf("the run was given that as %q alone", c.told))
		})
		if is := slices.ContainsFunc(r.Relaxed, func(p Problem) bool { return strings.Contains(p.Message, "it rules out") }); told != (c.told != "") || is != told {
			t.Errorf("%s: told %v, want %q: %+v", c.condition, told, c.told, r.Relaxed)
		}
	}
}
