package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Shows which values are told of that a scenario is named after not to be told, where no check would see them: for each
// place and each way to stand in it, and in a loop. What the title does not name, what is sent on purpose, what a check
// would see in every way, and what is said of another part of the title are none of them.
func TestValuesThatNoCheckWouldSee(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
provider "http" "partners" { base_url = "https://partners.test" }
provider "openai" "llm" { model = "gpt-4o-mini" }
variable "pin" {
  type      = string
  sensitive = true
  default   = "correct-horse-battery"
}
workflow "pick" {
  inputs = { order = 17, coupon = "spring-fair" }
  output = %[1]s
  step "http" "order" {
    provider = provider.shop
    path     = "/orders/${input.order}"
  }
  step "loop" "hooks" {
    while = loop.index < 2
    step "http" "tell" {
      provider = provider.partners
      method   = "PUT"
      path     = "/orders/${input.order}"
      json     = %[2]s
    }
  }
  step "llm" "answer" {
    depends_on = [step.hooks]
    provider = provider.llm
    prompt   = "It is ${step.order.json.state}."
  }
}
scenario %[3]q {
  run = workflow.pick
  on "order" {
    reply { json = { state = "shipped", email = "ann@lee.test", "payment" = { card = "4929 1284", holder = "Ann Lee" }, notes = ["owes us 400"], token = var.pin, remark = "Internally: no margin left" } }
  }
  on "hooks.tell" {
    reply { times = 2 }
  }
  on "answer" {
    reply { content = "Good." }
  }
  assert "what is asked" {
    condition = %[4]s
  }
}
`
	const (
		output = `step.answer.content`
		state  = `{ state = step.order.json.state }`
		body   = `alltrue([for r in step.hooks.runs : r.tell.attempts[0].request.json == { state = "shipped" }])`
		part   = `alltrue([for r in step.hooks.runs : r.tell.attempts[0].request.json.state == "shipped"])`
		prompt = `step.answer.attempts[0].request.json.messages[0].content == "It is shipped."`
		has    = `strcontains(step.answer.attempts[0].request.body, "It is shipped.")`
	)
	for _, c := range []struct{ output, json, title, check, told string }{
		{output, state, "the email is told to no partner", part, `what hooks.tell asks: no check would see email ("ann@lee.test") as a member, in an object or in the query`},
		{output, state, "partners are not told emails", part, `what hooks.tell asks: no check would see email ("ann@lee.test") as a member, in an object or in the query`},
		{output, state, "no partner is told the card", part, `what hooks.tell asks: no check would see card ("4929 1284") as a member, in an object or in the query`},
		{
			output, state, "partners get the state, and no payment", part + ` && !contains(keys(step.hooks.runs[0].tell.attempts[0].request.json), "card")`,
			`what hooks.tell asks: no check would see card ("4929 1284") in an object or in the query
what hooks.tell asks: no check would see holder ("Ann Lee") as a member, in an object or in the query`,
		},
		{output, state, "the model does not hear what was noted", has, `what answer asks: no check would see notes ("owes us 400") behind messages[0].content`},
		{output, state, "what is internally said is not told to the model", has, `what answer asks: no check would see remark ("Internally: no margin left") behind messages[0].content`},
		{output, state, "the coupon is in no answer", prompt, `the output: no check would see coupon ("spring-fair") behind it`},
		{`{ state = step.order.json.state }`, state, "a pick has no email", prompt, `the output: no check would see email ("ann@lee.test") as a member, in an object or behind state`},
		{`{ state = step.order.json.state }`, state, "a pick has no email", `run.output.state == "shipped"`, `the output: no check would see email ("ann@lee.test") as a member or in an object`},
		{output, state, "no partner is told the token", part, `what hooks.tell asks: no check would see token as a member, in an object or in the query`},

		{output, state, "the email is told to no partner", body, ``}, // which compares all
		{output, state, "the email is told to no partner", part + ` && !strcontains(jsonencode(step.hooks.runs), "ann@lee.test")`, ``},
		{output, state, "the model does not hear what was noted", prompt, ``},
		{output, `{ email = step.order.json.email }`, "the email is told to no model", has, ``}, // it is sent on purpose
		{output, state, "the email is told to each partner", part, ``},
		{output, state, "the email of the partner is not changed", part, ``},
		{output, state, "partners hear of it", part, ``},
		{output, state, "no partner is told the phone number", part, ``}, // which is not given
		{output, state, "each partner has the email, and none is asked twice", part, ``},
		{`run.status`, state, "a pick has no email", `run.output == "success"`, ``},
		{`{ state = step.order.json.state }`, state, "a pick has no email", `run.output == { state = "shipped" }`, ``},
	} {
		if c.output == `run.status` {
			c.output, c.check = `"success"`, `run.output == "success"`
		}
		p := compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.output, c.json, c.title, c.check))[0]
		r := RunTold(p, RunOptions{Unread: true})
		if r.Verdict != Pass {
			t.Errorf("%s: %s\n%s", c.title, r.Verdict, problems(r))
			continue
		}
		got := slices.DeleteFunc(slices.Clone(r.Unread), func(part string) bool { return !strings.Contains(part, "no check would see") })
		if text := strings.Join(got, "\n"); text != c.told {
			t.Errorf("%s, %s: told\n%s\nwant\n%s", c.title, c.check, text, c.told)
		}
	}
}

// Shows that a value is not shown which is hidden by its name, or by that of the object around it, where it was given by
// an answer or an input; and that a title whose subject is the object around a value does not name it.
func TestValuesThatAreHiddenByName(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
provider "http" "partners" { base_url = "https://partners.test" }
workflow "ship" {
  inputs = { id = 17, password = null, order = null }
  step "http" "look" {
    provider = provider.shop
    path     = "/customers/${input.id}"
  }
  step "http" "tell" {
    provider = provider.partners
    path     = "/hooks?state=${step.look.json.state}"
  }
}
scenario %q {
  run    = workflow.ship
  inputs = { password = "hunter22xyz", order = { id = 17, note = "leave it at the door" } }
  on "look" {
    reply { json = { state = "open", mail = "ann@lee.test", customer = { api_token = "Xk39fjs83kd", client_secret = "hunter2 2" }, secrets = { token = { value = "abcd1234" } } } }
  }
  on "tell" {
    reply {}
  }
  assert "the state is told" {
    condition = strcontains(step.tell.attempts[0].request.url, "state=open")
  }
}
`
	for title, want := range map[string]string{
		"no partner is told the api token":                   "what tell asks: no check would see api_token in the query\nwhat tell asks: no check would see value in the query",
		"no partner is told the client secret":               "what tell asks: no check would see client_secret in the query",
		"no partner is told the password":                    "what tell asks: no check would see password in the query",
		"no partner is told the note":                        `what tell asks: no check would see note ("leave it at the door") in the query`,
		"an order without a coupon is shipped":               "",
		"the order is only sent once":                        "",
		"an order that has no coupon is shipped":             "",
		"no mail is sent to users who opted out":             "",
		"the mail of the customer is told to no partner":     `what tell asks: no check would see mail ("ann@lee.test") in the query`,
		"an order is shipped, and no partner hears its note": `what tell asks: no check would see note ("leave it at the door") in the query`,
	} {
		r := RunTold(compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, title))[0], RunOptions{Unread: true})
		got := slices.DeleteFunc(slices.Clone(r.Unread), func(part string) bool { return !strings.Contains(part, "no check would see") })
		if text := strings.Join(got, "\n"); r.Verdict != Pass || text != want {
			t.Errorf("%s: %s, told\n%s\nwant\n%s\n%s", title, r.Verdict, text, want, problems(r))
		}
	}
}

// Shows which words are told of that a check rules out in capitals, where all that it looks at is in small letters: not
// where that has a capital, where something that is given or sent has them so, nor where the case is what is asked.
func TestWordsRuledOutInOneCase(t *testing.T) {
	const source = `provider "sql" "jobs" { dsn_env = "JOBS_DSN" }
workflow "look" {
  step "sql" "next" {
    provider = provider.jobs
    query    = %[1]q
  }
}
scenario "looking takes nothing out" {
  run = workflow.look
  on "next" {
    reply { rows = [{ id = 44, payload = %[2]q }] }
  }
  assert "nothing is changed" {
    condition = %[3]s
  }
}
`
	const small, statement = "select id, payload from jobs", "step.next.attempts[0].request.statement"
	for _, c := range []struct{ query, payload, check, told string }{
		{small, "a", `!regexmatch("INSERT|UPDATE", ` + statement + `)`, `"INSERT|UPDATE" in small letters, as all is that it looks at: write (?i) before the pattern`},
		{small, "a", `!regexmatch("\\bDELETE\\b", ` + statement + `)`, `"\\bDELETE\\b" in small letters, as all is that it looks at: write (?i) before the pattern`},
		{small, "a", `alltrue([for a in step.next.attempts : !strcontains(a.request.statement, "DELETE")])`, `"DELETE" in small letters, as all is that it looks at: write lower(…) of the text, and the word in small letters`},
		{small, "a", `!(strcontains(` + statement + `, "DELETE"))`, `"DELETE" in small letters, as all is that it looks at: write lower(…) of the text, and the word in small letters`},

		{"SELECT id FROM jobs", "a", `!regexmatch("INSERT|UPDATE", ` + statement + `)`, ``},
		{small, "DELETE", `!strcontains(` + statement + `, "DELETE")`, ``}, // it was given
		{small, "a", `!regexmatch("(?i)INSERT|UPDATE", ` + statement + `)`, ``},
		{small, "a", `!regexmatch("[A-Z]+", ` + statement + `)`, ``}, // it asks for the case
		{small, "a", `!strcontains(` + statement + `, "delete")`, ``},
		{small, "a", `!strcontains(upper(` + statement + `), "DELETE")`, ``},
		{small, "a", `strcontains(` + statement + `, "select") || strcontains(` + statement + `, "SELECT")`, ``},
		{small, "a", `!strcontains(` + statement + `, "ID")`, ``},
	} {
		p := compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.query, c.payload, c.check))[0]
		r := RunTold(p, RunOptions{Unread: true})
		if r.Verdict != Pass {
			t.Errorf("%s: %s\n%s", c.check, r.Verdict, problems(r))
			continue
		}
		want := ""
		if c.told != "" {
			want = `assert "nothing is changed": ` + c.told
		}
		got := slices.DeleteFunc(slices.Clone(r.Unread), func(part string) bool { return !strings.Contains(part, "as all is that it looks at") })
		if text := strings.Join(got, "\n"); text != want {
			t.Errorf("%s of %q: told\n%s\nwant\n%s", c.check, c.query, text, want)
		}
	}
}
