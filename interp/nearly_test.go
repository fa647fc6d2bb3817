package interp

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// schemas are decisions by a schema, of which the beginning alone is told.
var schemas = regexp.MustCompile(`schemaerror\(.*, (nearly|where)`)

// Shows which texts are told of as nearly a word that a decision knows: of every kind of decision, wherever the text
// comes from, and in all ways in which one is nearly another. A text that is equal to something, that is a word of
// another decision, or that differs in its number is none of them.
func TestTextsThatAreNearlyAWord(t *testing.T) {
	const source = `provider "openai" "small" { model = "little-haiku-4" }
locals {
  known = ["paid", "cancelled", "lead:approve_budget", "on hold"]
  ranks = { silver = 1, platinum = 3 }
}
actor "desk" {
  handler "act" { return = %[1]s }
  tool "look" { return = contains(local.known, arguments.word) ? "known" : "unknown" }
}
workflow "w" {
  inputs = { word = null, who = "ann" }
  step "llm" "ask" {
    provider = provider.small
    prompt   = "Who is it?"
  }
  step "value" "lists" { value = { ann = ["o-23", "o-40"], ben = ["o-58"] } }
  step "value" "decide" { value = %[2]s }
  step "loop" "turn" {
    while          = loop.index == 0 || step.w.status != "success"
    max_iterations = 2
    step "wait" "w" { for = "1s" }
  }
  step "call" "act" {
    target    = actor.desk.act
    arguments = { word = input.word }
  }
  step "call" "look" {
    target    = actor.desk.look
    arguments = { word = "paid" }
  }
}
scenario %[4]q {
  run    = workflow.w
  inputs = { word = %[3]q }
  on "ask" {
    reply {
      content = "me"
      model   = %[3]q
    }
  }
  expect "run" { status = "success" }
}
`
	for _, c := range []struct {
		decision, word, title string
		told                  string // the text, the place, and what it is nearly
	}{
		{`contains(local.known, input.word)`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in contains(local.known, input.word), nearly equal to "cancelled"`},
		{`contains(local.known, input.word)`, "cancelled", "s", ``},
		{`contains(local.known, input.word)`, "refunded", "s", ``},
		{`contains(local.known, input.word)`, "Paid", "s", `"Paid" (a.scenario.hcl:17): equal to nothing in contains(local.known, input.word), nearly equal to "paid"`},
		{`contains(local.known, "lead:${input.word}")`, "approve-budget", "s", `"approve-budget" (a.scenario.hcl:17): equal to nothing in contains(local.known, "lead:${input.word}"), nearly equal to "approve_budget"`},
		{`contains(local.known, input.word)`, "lead", "s", ``}, // a word of what is known
		{`input.word == "cancelled" ? 1 : 2`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in input.word == "cancelled", nearly equal to "cancelled"`},
		{`"cancelled" != input.word`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in "cancelled" != input.word, nearly equal to "cancelled"`},
		{`input.word == "canceled" ? 1 : input.word == "cancelled" ? 2 : 3`, "canceled", "s", ``},
		{`regexmatch("^cancell?ed$", input.word) && input.word != "cancelled"`, "canceled", "s", ``},
		{`lookup(local.ranks, input.word, 0)`, "platinium", "s", `"platinium" (a.scenario.hcl:17): equal to nothing in lookup(local.ranks, input.word, 0), nearly equal to "platinum"`},
		{`try(local.ranks[input.word], 0)`, "platinium", "s", `"platinium" (a.scenario.hcl:17): equal to nothing in local.ranks[input.word], nearly equal to "platinum"`},
		{`startswith(input.word, "cancelled>")`, "canceled>new", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in startswith(input.word, "cancelled>"), nearly equal to "cancelled"`},
		{`regexmatch("^cancelled$", input.word)`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in regexmatch("^cancelled$", input.word), nearly equal to "cancelled"`},
		{`anytrue([for k in local.known : k == input.word])`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in k == input.word, nearly equal to "cancelled"`},
		{`length([for k in [input.word] : k if contains(local.known, k)])`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in contains(local.known, k), nearly equal to "cancelled"`},
		{`contains(step.lists.output[input.who], input.word)`, "#58", "s", `"#58" (a.scenario.hcl:17): equal to nothing in contains(step.lists.output[input.who], input.word), nearly equal to "o-58"`},
		{`contains(step.lists.output[input.who], input.word)`, "o-58", "s", ``},
		{`contains(step.lists.output[input.who], input.word)`, "o-77", "s", ``},
		{`contains(local.known, step.ask.model)`, "little-haiku-4-20260301", "s", `"little-haiku-4-20260301" (a.scenario.hcl:17): equal to nothing in contains(local.known, step.ask.model), nearly equal to "little-haiku-4"`},
		{`contains(local.known, input.word)`, "deferrd", "what is deferred is left alone", `"deferrd" (a.scenario.hcl:17): equal to nothing in contains(local.known, input.word), nearly equal to "deferred"`},
		{`contains(local.known, input.word)`, "defers", "what is deferred is left alone", ``}, // another form
		{`contains(local.known, input.word)`, "approves", "what is approved is left alone", ``},
		{`contains(local.known, input.word)`, "deferred", "what is deferrable is left alone, and deferred", ``},
		{`contains(local.known, input.word)`, "orders", "an order is left alone", ``}, // as are these
		{`contains(local.known, input.word)`, "addresses", "an address is left alone", ``},
		{`contains(local.known, input.word)`, "bookings", "the booking is left alone", ``},
		{`input.word == null ? "cancelled" : "x"`, "canceled", "s", ``}, // compared with no word
		{`true ? 1 : (contains(local.known, input.word) ? 2 : 3)`, "canceled", "s", ``},
		{`input.word == "${step.ask.content}lancholy"`, "melancholi", "s", ``},                         // no word that the file says
		{`length([for k in range(40) : k if contains(local.known, input.word)])`, "canceled", "s", ``}, // more than is looked at
		// Lists that are compared with each other, and one that says what is in another.
		{`length(setintersection(local.known, [input.word])) > 0`, "Paid", "s", `"Paid" (a.scenario.hcl:17): equal to nothing in setintersection(local.known, [input.word]), nearly equal to "paid"`},
		{`length(setintersection(["paid", "open"], [input.word])) > 0`, "Refund", "s", ``}, // which way it is refused is not known
		{`length(setintersection(["paid"], [input.word])) > 0`, "Sales", "sales may not", `"Sales" (a.scenario.hcl:17): equal to nothing in setintersection(["paid"], [input.word]), nearly equal to "sales"`},
		{`length(setintersection(["paid"], [input.word])) > 0`, "sales", "Sales may not", ``},
		{`length(setintersection(["paid", "open"], [input.word])) > 0`, "refund", "s", ``},
		{`length(setintersection(["paid", "open"], [input.word])) > 0`, "Refund", "in another case", ``}, // as it says
		{`length(setintersection(local.known, [input.word])) > 0`, "Paid", "spelling matters", ``},
		{`length(setintersection(["paid"], [input.word, "paid"])) > 0`, "Paid", "s", ``}, // there is one
		{`length(setunion(local.known, [input.word])) == length(local.known)`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in setunion(local.known, [input.word]), nearly equal to "cancelled"`},
		{`length(distinct(concat(local.known, [input.word]))) == length(local.known)`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in distinct(concat(local.known, [input.word])), nearly equal to "cancelled"`},
		{`length(toset(flatten([local.known, input.word])))`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in toset(flatten([local.known, input.word])), nearly equal to "cancelled"`},
		{`length(distinct([input.word]))`, "canceled", "s", ``},
		// Those that refuse no other word, or that one: its form is none that is refused.
		{`length(setunion(["paid", "open"], [input.word]))`, "Paris", "s", ``},
		{`length(setunion(["paid", "open"], [input.word]))`, "Paris", "paris is left alone", ``},
		{`length(distinct(concat(["paid", "open"], [input.word])))`, "Paris", "s", ``},
		{`length(distinct(concat(["paid", "open"], [input.word])))`, "Paris", "paris is left alone", ``},
		{`length(toset(concat(["paid", "open"], [input.word])))`, "Paris", "s", ``},
		{`length(toset(concat(["paid", "open"], [input.word])))`, "Paris", "paris is left alone", ``},
		{`contains(["admin", "root"], input.word)`, "Ann", "s", ``},
		{`input.word == "admin" || input.word == "root"`, "Ann", "s", ``},
		{`jq({ name = input.word, state = "open" }, "if .state == \"open\" then 1 elif .state == \"paid\" then 2 else 3 end")`, "Ann", "s", ``},
		{`jq({ name = input.word, state = "open" }, "if .state == \"open\" then 1 else 3 end")`, "Ann", "ann is left alone", ``},
		// Phrases, whatever their case.
		{`word(input.word, "cancelled", "paid")`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in word(input.word, "cancelled", "paid"), nearly equal to "cancelled"`},
		{`word(input.word, "cancelled")`, "Cancelled", "s", ``},
		{`word(input.word, local.known...)`, "Paid", "s", ``},
		{`try(tobool(input.word), false)`, "True", "s", `"True" (a.scenario.hcl:17): equal to nothing in tobool(input.word), nearly equal to "true"`},
		{`try(tobool(input.word), false)`, "yes", "s", ``},
		{`jq({ a = input.word }, ".a == \"cancelled\"")`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in jq({ a = input.word }, ".a == \"cancelled\""), nearly equal to "cancelled"`},
		{`jq({ a = input.word }, ".a | ascii_downcase == \"paid\"")`, "Paid", "s", ``},
		{`jq({ a = input.word }, ".a | test(\"paid\"; \"i\")")`, "Paid", "s", ``},
		{`jq({ a = input.word }, ".a == \"cancelled\"")`, "cancelled", "s", ``},
		// Schemas.
		{`schemaerror({ a = input.word }, { properties = { a = { enum = ["paid", "cancelled"] } } }) == null`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in schemaerror(…), nearly equal to "cancelled"`},
		{`schemaerror({ a = input.word }, { properties = { a = { enum = ["paid", "open"] } } }) == null`, "Refund", "s", `"Refund" (a.scenario.hcl:17): equal to nothing in schemaerror(…), where no word has a capital letter`},
		{`schemaerror({ a = input.word }, { properties = { a = { enum = ["paid", "open"] } } }) == null`, "pay out", "s", `"pay out" (a.scenario.hcl:17): equal to nothing in schemaerror(…), where no word has a blank`},
		{`schemaerror({ a = input.word }, { properties = { a = { enum = ["paid", "open"] } } }) == null`, "refund", "s", ``},
		{`schemaerror({ a = input.word }, { properties = { a = { enum = ["paid", "open"] } } }) == null`, "paid", "s", ``},
		{`schemaerror({ a = input.word }, { properties = { a = { type = "string" } } }) == null`, "Refund", "s", ``},
		{`schemaerror([input.word], { items = { const = "cancelled" } }) == null`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in schemaerror(…), nearly equal to "cancelled"`},
		{`schemaerror([input.word], { items = { anyOf = [{ const = "canceled" }, { const = "cancelled" }] } }) == null`, "canceled", "s", ``},
		{`schemaerror([input.word], { items = { "$ref" = "#/definitions/a" }, definitions = { a = { const = "cancelled" } } }) == null`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in schemaerror(…), nearly equal to "cancelled"`},
		{`schemaerror(input.word, { pattern = "^(paid|cancelled)$" }) == null`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in schemaerror(…), nearly equal to "cancelled"`},
		{`schemaerror(input.word, "{\"pattern\": \"^cancell?ed$\"}") == null`, "canceled", "s", ``},
		{`schemaerror({ (input.word) = 1 }, { additionalProperties = false, properties = { amount = { type = "number" } } }) == null`, "Amount", "s", `"Amount" (a.scenario.hcl:17): equal to nothing in schemaerror(…), nearly equal to "amount"`},
		{`schemaerror({ (input.word) = 1 }, { required = ["amount"], properties = { amount = { type = "number" } } }) == null`, "Amount", "s", `"Amount" (a.scenario.hcl:17): equal to nothing in schemaerror(…), nearly equal to "amount"`},
		{`schemaerror({ (input.word) = 1 }, { properties = { amount = { type = "number" } } }) == null`, "Amount", "s", ``}, // any other is as good
		// What they refuse is a word that is there, or it may be any other one.
		{`schemaerror(input.word, { not = { enum = ["admin", "root"] } }) == null`, "Ann", "s", ``},
		{`schemaerror(input.word, { not = { enum = ["admin", "root"] }, maxLength = 2 }) == null`, "Ann", "s", ``},
		{`schemaerror(input.word, { not = { enum = ["admin", "root"] } }) == null`, "Admin", "s", ``},
		{`[schemaerror(input.word, { not = { const = "canceled" } }), input.word == "cancelled"]`, "canceled", "s", ``},
		{`[schemaerror(input.word, { not = { pattern = "^cancell?ed$" } }), input.word == "cancelled"]`, "canceled", "s", ``},
		{`schemaerror(input.word, { if = { enum = ["admin", "root"] }, then = { maxLength = 9 }, else = { maxLength = 2 } }) == null`, "Ann", "s", ``},
		{`schemaerror(input.word, { anyOf = [{ enum = ["admin", "root"] }, { type = "string" }], maxLength = 2 }) == null`, "Ann", "s", ``},
		{`schemaerror([input.word, "root"], { contains = { enum = ["admin", "root"] }, maxItems = 1 }) == null`, "Ann", "s", ``},
		{`schemaerror({ a = input.word }, { allOf = [{ properties = { a = { enum = ["admin", "root"] } } }] }) == null`, "Ann", "s", `"Ann" (a.scenario.hcl:17): equal to nothing in schemaerror(…), where no word has a capital letter`},
		{`[input.word == "OPEN", schemaerror(input.word, { enum = ["admin", "root"] })]`, "Ann", "s", `"Ann" (a.scenario.hcl:17): equal to nothing in schemaerror(…), where no word has a capital letter`},
		// What is too large is passed over alone.
		{`[contains(local.known, input.word), schemaerror(join("", formatlist("%s%090d", input.word, range(1000))), { const = "platinum" })]`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in contains(local.known, input.word), nearly equal to "cancelled"`},
		{`[contains(local.known, input.word), schemaerror(formatlist("%d-%s", range(700), input.word), { items = { enum = ["x1", "y2"] } })]`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in contains(local.known, input.word), nearly equal to "cancelled"`},
		{`[contains(local.known, input.word), schemaerror(formatlist("%d-x%s", range(700), input.word), { items = { pattern = "^[0-9]+-[a-z]+$" } })]`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in contains(local.known, input.word), nearly equal to "cancelled"`},
		{`[contains(local.known, input.word), schemaerror(` + strings.Repeat("[", 26) + `input.word` + strings.Repeat("]", 26) + `, ` + strings.Repeat("{ items = ", 26) + `{ const = "platinum" }` + strings.Repeat(" }", 26) + `)]`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in contains(local.known, input.word), nearly equal to "cancelled"`},
		{`[contains(local.known, input.word), toset(concat(local.known, formatlist("%d-%s", range(600), input.word)))]`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in contains(local.known, input.word), nearly equal to "cancelled"`},
		{`[contains(local.known, input.word), distinct(concat(local.known, formatlist("%d-%s", range(600), input.word)))]`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in contains(local.known, input.word), nearly equal to "cancelled"`},
		{`[contains(local.known, input.word), setunion(local.known, formatlist("%d-%s", range(600), input.word))]`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in contains(local.known, input.word), nearly equal to "cancelled"`},
		{`[contains(local.known, input.word), setintersection(local.known, formatlist("%d-%s", range(600), input.word))]`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in contains(local.known, input.word), nearly equal to "cancelled"`},
		{`[contains(local.known, input.word), jq({ a = formatlist("%d-%s", range(600), input.word) }, ".a[0] == \"platinum\"")]`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in contains(local.known, input.word), nearly equal to "cancelled"`},
		{`[contains(local.known, input.word), setunion([input.word, "w0"], [input.word, "w1"], [input.word, "w2"], [input.word, "w3"], [input.word, "w4"], [input.word, "w5"], [input.word, "w6"], [input.word, "w7"], [input.word, "w8"])]`, "canceled", "s", `"canceled" (a.scenario.hcl:17): equal to nothing in contains(local.known, input.word), nearly equal to "cancelled"`},
	} {
		for _, in := range []struct{ handler, decision, place string }{
			{"0", c.decision, "a.scenario.hcl:17"},
			{c.decision, "0", "a.scenario.hcl:7"},
		} {
			if in.decision == "0" && strings.Contains(c.decision, "step.") {
				continue
			}
			swap := strings.NewReplacer("input.word", "arguments.word", "input.who", `"ann"`)
			told := c.told
			if in.decision == "0" {
				in.handler, told = swap.Replace(in.handler), strings.Replace(swap.Replace(told), "a.scenario.hcl:17", in.place, 1)
			}
			p := compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, in.handler, in.decision, c.word, c.title))[0]
			r := RunTold(p, RunOptions{Unread: true})
			if r.Verdict != Pass {
				t.Errorf("%s: %s\n%s", c.decision, r.Verdict, problems(r))
				continue
			}
			got := slices.DeleteFunc(slices.Clone(r.Unread), func(part string) bool { return !strings.Contains(part, "equal to nothing") })
			if text := schemas.ReplaceAllString(strings.Join(got, "\n"), "schemaerror(…), $1"); text != told {
				t.Errorf("%s of %q in %s: told\n%s\nwant\n%s", c.decision, c.word, in.place, text, told)
			}
		}
	}
}

// Shows that the lines of a run come in one order, whichever patterns a schema has.
func TestTextsThatAreNearlyAWordHaveOneOrder(t *testing.T) {
	const source = `workflow "w" {
  inputs = { a = null }
  step "value" "decide" {
    value = schemaerror(input.a, { patternProperties = { "^a" = { const = "paid" }, "^b" = { const = "open" }, "^c" = { const = "closed" }, "^d" = { const = "refunded" } } })
  }
}
scenario "s" {
  run    = workflow.w
  inputs = { a = { a = "Paid", b = "Open", c = "Closed", d = "Refunded" } }
  expect "run" { status = "success" }
}
`
	p := compileAt(t, "a.scenario.hcl", source)[0]
	first := RunTold(p, RunOptions{Unread: true}).Unread
	if len(first) != 4 || !strings.HasPrefix(first[0], `"Paid"`) {
		t.Fatalf("told %q", first)
	}
	for range 20 {
		if again := RunTold(p, RunOptions{Unread: true}).Unread; !slices.Equal(again, first) {
			t.Fatalf("told %q and %q", first, again)
		}
	}
}

// Shows the same of what a model said: an answer that a contract holds to a schema, and the target of a classifier.
func TestAnswersThatAreNearlyAWord(t *testing.T) {
	const source = `provider "openai" "small" { model = "x" }
classifier "mail" {
  fallback   = "people"
  candidates = ["parcels", "invoices", "people"]
}
workflow "w" {
  step "classify" "where" {
    with     = classifier.mail
    provider = provider.small
    text     = "Who pays?"
  }
  step "llm" "decide" {
    provider = provider.small
    prompt   = "What now?"
    validate "is ours" { condition = schemaerror(jsondecode(self.content), { properties = { action = { enum = ["reply", "close"] } } }) == null }
  }
}
scenario "s" {
  run = workflow.w
  on "where" {
    reply { content = jsonencode([{ target = %q, prompt = "x", segment = {} }]) }
  }
  on "decide" {
    reply { content = jsonencode({ action = %q }) }
  }
  expect "run" { status = %q }
}
`
	for _, c := range []struct{ target, action, status, told string }{
		{"parcels", "reply", "success", ""},
		{"payouts", "reply", "success", ""},
		{"Payouts", "reply", "success", `"Payouts" (a.scenario.hcl:7): equal to nothing in the candidates of classifier mail, where no word has a capital letter`},
		{"payout desk", "reply", "success", `"payout desk" (a.scenario.hcl:7): equal to nothing in the candidates of classifier mail, where no word has a blank`},
		{"invoice's", "reply", "success", `"invoice's" (a.scenario.hcl:7): equal to nothing in the candidates of classifier mail, nearly equal to "invoices"`},
		{"parcels", "refund", "failed", ""},
		{"parcels", "Refund", "failed", `"Refund" (a.scenario.hcl:15): equal to nothing in schemaerror(…), where no word has a capital letter`},
	} {
		r := RunTold(compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.target, c.action, c.status))[0], RunOptions{Unread: true})
		got := slices.DeleteFunc(slices.Clone(r.Unread), func(part string) bool { return !strings.Contains(part, "equal to nothing") })
		if text := schemas.ReplaceAllString(strings.Join(got, "\n"), "schemaerror(…), $1"); r.Verdict != Pass || text != c.told {
			t.Errorf("%s and %s: %s, told\n%s\nwant\n%s\n%s", c.target, c.action, r.Verdict, text, c.told, problems(r))
		}
	}
}

// Shows that no word of a secret is told of, on either side of a decision.
func TestNoSecretIsNearlyAWord(t *testing.T) {
	const source = `variable "password" {
  type      = string
  sensitive = true
  default   = "correct-horse-battery"
}
workflow "w" {
  inputs = { word = null }
  step "value" "decide" { value = %s }
}
scenario "s" {
  run    = workflow.w
  inputs = { word = "corect-horse-x" }
  expect "run" { status = "success" }
}
`
	for _, decision := range []string{`input.word == var.password`, `var.password == input.word`, `contains([var.password], input.word)`, `length(setintersection([var.password], [input.word]))`, `schemaerror(input.word, { enum = [var.password, "x"] })`, `schemaerror(input.word, { pattern = var.password })`, `jq(input.word, ". == \"${var.password}\"")`, `word(input.word, var.password)`} {
		r := RunTold(compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, decision))[0], RunOptions{Unread: true})
		if r.Verdict != Pass {
			t.Fatalf("%s: %s\n%s", decision, r.Verdict, problems(r))
		}
		if text := strings.Join(r.Unread, "\n"); strings.Contains(text, "correct") {
			t.Errorf("%s: told\n%s", decision, text)
		}
	}
}
