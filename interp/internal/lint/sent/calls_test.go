package sent_test

import (
	"strings"
	"testing"
)

// Shows that a call of a handler is warned of that gives it what a step was answered, or an input, where a check reads
// what the handler answers and nothing in the handler reads the argument.
func TestArgumentsThatNoHandlerReads(t *testing.T) {
	const order = `actor "stock" {
  lock "item" {}
  handler "reserve" {
    lock   = ["item"]
    return = { id = "r-${arguments.item}" }
  }
}
workflow "w" {
  inputs = { item = null, quantity = null }
  step "call" "reserve" {
    target    = actor.stock.reserve
    arguments = { item = input.item, quantity = input.quantity }
  }
}
scenario "s" {
  run    = workflow.w
  inputs = { item = "kettle", quantity = 3 }
  expect "reserve" { output = { id = "r-kettle" } }
}
`
	const expect = `expect "reserve" { output = { id = "r-kettle" } }`
	const want = `10 The argument "quantity" of step "reserve" carries input.quantity. A check reads what its handler answers, and nothing in the handler reads that argument, so a call without it passes as well. Let the handler return it, such as return = { quantity = arguments.quantity }, and check that.`
	const call, sub = `step "call" "reserve" {`, "step \"fanout\" \"reserve\" {\n  sub \"one\" {"
	fanned := func(s string) string {
		return strings.Replace(strings.Replace(s, call, sub, 1), "input.quantity }\n", "input.quantity }\n }\n", 1)
	}
	for _, c := range []struct {
		name, old, new string
		want           string
	}{
		{"as it is", "", "", want},
		{"its value", "output = { id", "value = { id", want},
		{"in a condition", expect, `assert "x" { condition = step.reserve.output.id == "r-kettle" }`, want},
		{"what a step was answered", "quantity = input.quantity", "quantity = step.before.json.n", "carries step.before.json.n"},
		{"it is read", `{ id = "r-${arguments.item}" }`, `{ id = "r-${arguments.item}", n = arguments.quantity }`, ""},
		{"all are read", `{ id = "r-${arguments.item}" }`, `jsonencode(arguments)`, ""},
		{"a name that is computed", `{ id = "r-${arguments.item}" }`, `[for k in ["item"] : arguments[k]]`, ""},
		{"it is passed on", "lock   = [\"item\"]", "forward_to = actor.other.reserve", ""},
		{"a workflow gets it", "lock   = [\"item\"]", "workflow = workflow.other", ""},
		{"a workflow gets others", "lock   = [\"item\"]", "workflow = workflow.other\n inputs = { item = arguments.item }", want[2:]},
		{"another actor", "actor.stock.reserve", "actor.other.reserve", ""},
		{"its answer is not checked", expect, `expect "run" { status = "success" }`, ""},
		{"a constant", "quantity = input.quantity", "quantity = 1", ""},
		{"no arguments", "    arguments = { item = input.item, quantity = input.quantity }\n", "", ""},
		{"all inputs", "{ item = input.item, quantity = input.quantity }", "input", ""},
	} {
		source := strings.Replace(order, c.old, c.new, 1)
		if strings.HasPrefix(c.want, "carries step.") {
			source = strings.Replace(source, "  step \"call\"", "  step \"http\" \"before\" {}\n  step \"call\"", 1)
		}
		got := said(t, source)
		if !strings.Contains(got, c.want) || (c.want == "") != !strings.Contains(got, "The argument") {
			t.Errorf("%s: said %q, want %q", c.name, got, c.want)
		}
	}
	if got := said(t, fanned(strings.Replace(order, expect, `assert "x" { condition = step.reserve.one.output.id == "r-kettle" }`, 1))); !strings.Contains(got, `11 The argument "quantity" of sub "one" carries input.quantity.`) {
		t.Errorf("of a sub: said %q", got)
	}
}
