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

// Shows which values of requests are told of as ones that the program can have in two ways: under two names, as a
// model's argument and an input, computed of others, or as the default of what is passed on.
func TestValuesInTwoWays(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
provider "openai" "llm" { model = "m-1" }
workflow "pay" {
  inputs = { cents = null, currency = "EUR" }
  step "http" "send" {
    provider = provider.shop
    method   = "POST"
    path     = "/payments"
    json     = { cents = input.cents, currency = input.currency }
  }
}
workflow "w" {
  provider = provider.llm
  inputs   = { account = null, total = null, currency = null }
  step "http" "cart" {
    provider = provider.shop
    path     = "/carts/${input.account}"
  }
  step "workflow" "pay" {
    run    = workflow.pay
    inputs = { cents = step.cart.json.price_cents * step.cart.json.quantity, currency = input.currency }
  }
  step "http" "balance" {
    provider = provider.shop
    path     = "/accounts/${input.account}"
  }
  step "llm" "ask" {
    system = "You serve ${input.account}."
    prompt = "How much is left?"
    tool "balance" {
      description = "the balance of an account"
      step        = step.balance
    }
  }
}
scenario "s" {
  run    = workflow.w
  inputs = { account = "c-17", total = %s, currency = "%s" }
  on "cart" {
    reply { json = %s }
  }
  on "pay.send" {
    reply { json = {} }
  }
  on "ask" {
    reply { tool_calls = [{ name = "balance", arguments = { of = "%s" } }] }
    reply { content = "20" }
  }
  on "balance" {
    reply { json = { left = 20 } }
  }
  assert "a" { condition = %s }
}
`
	const (
		cart     = `{ price_cents = 1499, quantity = 3 }`
		sum      = `step.pay.send.attempts[0].request.json.cents == 1499 * 3`
		currency = `step.pay.send.attempts[0].request.json.currency == "EUR"`
		own      = `endswith(step.balance.attempts[0].request.url, "/accounts/c-17")`
		product  = "the product of price_cents of the answer of cart and quantity of the answer of cart"
		told     = "the request of pay.send: cents, which is 4497: total of the inputs, and "
		items    = `{ price_cents = 1499, quantity = 3, items = [{ cents = %d, n = %d }, { cents = %d, n = 1 }] }`
		by       = "workflow pay: currency, which is EUR as its default, too"
		argument = "the request of balance: the path, which is c-17: account of the inputs, and of of the arguments of balance, too"
	)
	for _, c := range []struct {
		total, currency, cart, of, condition string
		want                                 []string
	}{
		{"4497", "USD", cart, "c-18", sum, []string{told + product + ", too"}},
		{"4498", "USD", cart, "c-18", sum, nil},
		{"4497", "USD", cart, "c-18", "step.pay.send.attempts[0].request.json.cents > 0", nil},
		{
			"4497", "USD", `{ price_cents = 4497, quantity = 1 }`, "c-18", "step.pay.send.attempts[0].request.json.cents == 4497",
			[]string{told + "price_cents of the answer of cart, too"},
		},
		{"4497", "USD", `{ price_cents = 1499, quantity = 3, rest = 3000, first = 1497 }`, "c-18", sum, []string{told + "the sum of first of the answer of cart and rest of the answer of cart, too"}},
		{"4497", "USD", fmt.Sprintf(items, 4000, 7, 497), "c-18", strings.Replace(sum, "1499 * 3", "4497", 1), []string{told + product + ", too"}},
		{"7777", "USD", fmt.Sprintf(items, 7000, 9, 777), "c-18", sum, nil},
		{"0", "EUR", cart, "c-18", currency, []string{by}},
		{"0", "EUR", cart, "c-18", "length(step.pay.send.attempts) == 1", nil},
		{"0", "USD", cart, "c-18", strings.Replace(currency, "EUR", "USD", 1), nil},
		{"0", "USD", cart, "c-17", own, []string{argument}},
		{"0", "USD", cart, "c-18", own, nil},
		{"0", "USD", `{ price_cents = 1499, quantity = 3, owner = "c-17" }`, "c-18", own, nil}, // as it was asked for
		{"0", "USD", cart, "c-18", strings.Replace(currency, "==", "!=", 1), nil},
	} {
		p := compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.total, c.currency, c.cart, c.of, c.condition))[0]
		r := RunTold(p, RunOptions{Unread: true})
		if r.Verdict != Pass {
			t.Errorf("%s: %s\n%s", c.condition, r.Verdict, problems(r))
			continue
		}
		got := slices.DeleteFunc(slices.Clone(r.Unread), func(part string) bool { return !strings.HasSuffix(part, ", too") })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %s %s %s %s: told of %q, want %q", c.total, c.currency, c.cart, c.of, c.condition, got, c.want)
		}
	}
}

// Shows that two numbers of one thing that are alike are told of where one is sent on, and not those of two things,
// or where nothing is sent on.
func TestNumbersThatAreAlike(t *testing.T) {
	const source = `provider "sql" "db" {}
workflow "w" {
  inputs = { n = null }
  step "sql" "order" {
    provider = provider.db
    query    = "SELECT id, customer_id, total FROM orders WHERE id = $1"
    args     = [1]
  }
  step "sql" "customer" {
    provider = provider.db
    query    = "SELECT email FROM customers WHERE id = $1"
    args     = [%s]
  }
}
scenario "s" {
  run    = workflow.w
  inputs = { n = 9 }
  on "order" {
    reply { rows = %s }
  }
  on "customer" {
    reply { rows = [] }
  }
  assert "a" { condition = length(step.customer.attempts) == 1 }
}
`
	const first = "step.order.rows[0].customer_id"
	for _, c := range []struct {
		arg, rows string
		told      bool
	}{
		{first, "[{ id = 1, customer_id = 1, total = 7 }]", true},
		{"step.order.rows[0].id", "[{ id = 1, customer_id = 1, total = 7 }]", true},
		{first, `[{ id = "o-1", customer_id = "o-1", total = 7 }]`, true},
		{first, "[{ id = 1, customer_id = 2, total = 2 }]", false},
		{first, "[{ id = 1, customer_id = 2, total = 7 }, { id = 2, customer_id = 1, total = 7 }]", false},
		{"input.n", "[{ id = 1, customer_id = 1, total = 7 }]", false},
	} {
		p := compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.arg, c.rows))[0]
		r := RunTold(p, RunOptions{Unread: true})
		if r.Verdict != Pass {
			t.Errorf("%s: %s\n%s", c.rows, r.Verdict, problems(r))
		}
		told := slices.ContainsFunc(r.Unread, func(part string) bool {
			return strings.HasPrefix(part, "the answer of order: ") && strings.HasSuffix(part, " in id, too")
		})
		if told != c.told {
			t.Errorf("%s of %s: told %v: %q", c.arg, c.rows, told, r.Unread)
		}
	}
}

// Shows that a list is told of whose first element is what the scenario is named after, and none whose first is not.
func TestOrderThatSaysIt(t *testing.T) {
	const source = `provider "http" "rates" { base_url = "https://rates.test" }
workflow "w" {
  step "http" "history" {
    provider = provider.rates
    path     = "/history"
  }
  step "value" "rate" { value = step.history.json.rates[0].rate }
}
scenario "the newest rate counts" {
  run = workflow.w
  on "history" {
    reply { json = { rates = [%s] } }
  }
  assert "it is taken" { condition = step.rate.output == 12 }
}
`
	for rates, told := range map[string]bool{
		`{ at = "2025-03-02", rate = 12 }, { at = "2025-02-28", rate = 7 }, { at = "2025-03-01", rate = 9 }`: true,
		`{ at = "2025-03-01", rate = 12 }, { at = "2025-03-02", rate = 7 }, { at = "2025-02-28", rate = 9 }`: false,
	} {
		p := compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, rates))[0]
		r := RunTold(p, RunOptions{Unread: true})
		if r.Verdict != Pass {
			t.Errorf("%s: %s\n%s", rates, r.Verdict, problems(r))
			continue
		}
		const says = "the answer of history: rates[].at, of which the greatest comes first: what takes the first one passes as well"
		if is := slices.Contains(r.Unread, says); is != told {
			t.Errorf("%s: told of: %v\n%s", rates, is, strings.Join(r.Unread, "\n"))
		}
	}
}
