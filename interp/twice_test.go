package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Shows which values are told of as given by two under one name: by the inputs and by an answer that does not repeat
// its request, or by two answers whose values a check compares; and that words, and what no check is about, are not.
func TestValuesThatTwoHaveGiven(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
workflow "w" {
  inputs = { item = null, cents = null, state = null }
  step "http" "price" {
    provider = provider.shop
    path     = "/items/${input.item}"
  }
  step "http" "charge" {
    provider   = provider.shop
    method     = "POST"
    path       = "/charges"
    json       = { cents = step.price.json.cents, state = input.state }
  }
  step "http" "again" {
    provider   = provider.shop
    method     = "POST"
    path       = "/charges/again"
    json       = { state = step.charge.status }
  }
}
scenario "s" {
  run    = workflow.w
  inputs = { item = "Kettle 2", cents = %d, state = "open" }
  on "price" {
    reply { json = { item = "Kettle 2", cents = 1299, state = "open" } }
  }
  on "charge" {
    reply { json = { id = "ch_1" } }
  }
  on "again" {
    reply { json = { id = %q } }
  }
  assert "a" { condition = %s }
}
`
	const price, again = "the answer of price: cents, which is 1299 in the inputs, too", "the answer of again: id, which is ch_1 in the answer of charge, too"
	for _, c := range []struct {
		cents     int
		id        string
		condition string
		told      []string
	}{
		{1299, "ch_1", `step.charge.attempts[0].request.json.cents == 1299`, []string{price}},
		{1300, "ch_1", `step.charge.attempts[0].request.json.cents == 1299`, nil},
		{1299, "ch_1", `step.charge.attempts[0].request.json.cents == step.price.json.cents`, []string{price}},
		{1299, "ch_1", `step.charge.attempts[0].request.json.state == "open" && endswith(step.price.attempts[0].request.url, "/items/Kettle%%202")`, nil},
		{1299, "ch_1", `step.price.json.item == "Kettle 2"`, nil}, // as it was asked for
		{1299, "ch_1", `step.charge.json.id == step.again.json.id`, []string{again}},
		{1299, "ch_1", `length(distinct([for s in [step.charge, step.again] : s.json.id])) == 1`, []string{again}},
		{1299, "ch_1", `step.charge.json.id == "ch_1" && step.again.json.id == "ch_1"`, nil},
		{1299, "ch_2", `step.charge.json.id != step.again.json.id`, nil},
	} {
		p := compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.cents, c.id, strings.ReplaceAll(c.condition, "%%", "%")))[0]
		r := RunTold(p, RunOptions{Unread: true})
		if r.Verdict != Pass {
			t.Errorf("%s: %s\n%s", c.condition, r.Verdict, problems(r))
			continue
		}
		got := slices.DeleteFunc(slices.Clone(r.Unread), func(part string) bool { return !strings.HasSuffix(part, ", too") })
		if !slices.Equal(got, c.told) {
			t.Errorf("%s: told of %q, want %q", c.condition, got, c.told)
		}
	}
}
