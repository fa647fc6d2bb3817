package interp

import (
	"fmt"
	"testing"
)

// Shows that a default in a for expression shows nothing where every element was given
// it because none has the member, and something where one element has it, where what is
// read is null, and where the condition asks for the default on purpose.
func TestDefaultsOfEveryElement(t *testing.T) {
	const source = `
locals { tea = "tea" }
provider "http" "shop" { base_url = "https://shop.test" }
workflow "w" {
  provider = provider.shop
  step "http" "orders" { path = "/orders" }
}
scenario "s" {
  run = workflow.w
  on "orders" {
    reply { json = { orders = %s } }
  }
  assert "x" { condition = %s }
}
`
	const none = `[{ id = 1, total = 12 }, { id = 2, total = 3 }]`
	const some = `[{ id = 1, total = 12 }, { id = 2, price = 3 }]`
	const empty = `[{ id = 1, price = null }, { id = 2, price = null }]`
	for _, c := range []struct {
		orders, condition string
		shows             bool
	}{
		{none, `alltrue([for o in step.orders.json.orders : lookup(o, "price", 0) >= 0])`, false},
		{none, `alltrue([for o in step.orders.json.orders : try(o.price, 0) >= 0])`, false},
		{none, `alltrue([for o in step.orders.json.orders : try(o.price >= 0, true)])`, false},
		{none, `!anytrue([for o in step.orders.json.orders : try(o.price < 0, false)])`, false},
		{none, `[for o in step.orders.json.orders : o if try(o.price < 0, false)] == []`, false},
		{none, `length([for o in step.orders.json.orders : o if lookup(o, "price", 0) < 0]) == 0`, false},
		{none, `min([for o in step.orders.json.orders : try(o.price, 0)]...) >= 0`, false},
		{none, `sum([for o in step.orders.json.orders : lookup(o, "price", 0)]) <= 100`, false},
		{none, `alltrue([for o in step.orders.json.orders : lookup(o, "price", 1) != 0])`, false},
		{none, `length(step.orders.json.orders) == 2 && alltrue([for o in step.orders.json.orders : lookup(o, "price", 0) >= 0])`, true},
		{none, `alltrue([for o in step.orders.json.orders : try(o.total, 0) >= 0])`, true},
		{none, `alltrue([for o in step.orders.json.orders : lookup(o, "refund", false) == false])`, true},
		{none, `!anytrue([for o in step.orders.json.orders : lookup(o, "refund", false)])`, true},
		{none, `[for o in step.orders.json.orders : o if lookup(o, "error", "") != ""] == []`, true},
		{none, `alltrue([for o in step.orders.json.orders : try(o.state, "none") == "none"])`, true},
		{none, `length(distinct([for o in step.orders.json.orders : try(o.name, "tea")])) == 1`, false},
		{none, `length(distinct([for o in step.orders.json.orders : try(o.name, local.tea)])) == 1`, false},
		{none, `alltrue([for o in step.orders.json.orders : try(o.name, local.tea) == local.tea])`, false},
		{some, `alltrue([for o in step.orders.json.orders : lookup(o, "price", 0) >= 0])`, true},
		{some, `[for o in step.orders.json.orders : o if try(o.price < 0, false)] == []`, true},
		{empty, `[for o in step.orders.json.orders : o if try(o.price.amount > 0, false)] == []`, true},
		{none, `[for a in step.orders.attempts : a if try(a.error.kind == "timeout", false)] == []`, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.orders, c.condition))[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s of %s: that it shows something is %v; %s: %s %+v", c.condition, c.orders, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that a default for lines of JSON shows nothing where no line has the member, whatever
// lines are no JSON; and something where one line has it, or none is JSON.
func TestDefaultsOfEveryLine(t *testing.T) {
	const source = `
provider "http" "logs" { base_url = "https://logs.test" }
workflow "w" {
  provider = provider.logs
  step "http" "all" { path = "/log" }
}
scenario "s" {
  run = workflow.w
  on "all" {
    reply { body = %q }
  }
  assert "x" { condition = %s }
}
`
	const errors = `[for l in split("\n", step.all.body) : l if try(jsondecode(l).level == "ERROR", false)] == []`
	for _, c := range []struct {
		body, condition string
		shows           bool
	}{
		{"{\"severity\": \"ERROR\"}\n{\"severity\": \"INFO\"}\n", errors, false},
		{"{\"severity\": \"ERROR\"}", errors, false},
		{"begins\n{\"severity\": \"ERROR\"}\nends", errors, false},
		{"{\"severity\": \"ERROR\"}\n{\"level\": \"INFO\"}\n", errors, true},
		{"{\"level\": \"INFO\"}\n", errors, true},
		{"begins\nends\n", errors, true}, // no line is JSON
		{"12\n", errors, false},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.body, c.condition))[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s of %q: that it shows something is %v; %s: %s %+v", c.condition, c.body, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}
