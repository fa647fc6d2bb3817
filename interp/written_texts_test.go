package interp

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that a check which does not find what is there, because an address or JSON writes it
// otherwise, fails, and that one which rightly finds nothing, or asks for the signs, holds.
func TestSearchesReadWhatTextsSay(t *testing.T) {
	const source = `provider "http" "crm" { base_url = "https://crm.example" }
provider "openai" "m" { model = "m" }
workflow "w" {
  inputs = { email = "jane@example.com", name = "Jane Roe" }
  step "http" "find" {
    provider = provider.crm
    method   = "POST"
    path     = "/search"
    query    = { q = input.email, n = input.name }
    json     = { said = jsonencode({ card = "4111", tab = "a\tb" }), note = "Grüße" }
  }
  step "llm" "ask" {
    provider = provider.m
    prompt   = "Greet: ${jsonencode({ card = "4111" })} Our margin is 40 %%."
  }
}
scenario "s" {
  run = workflow.w
  on "find" {
    reply { json = { id = 7, text = "<b>x</b>" } }
  }
  on "ask" {
    reply { content = "hi" }
  }
  assert "x" { condition = %s }
  assert "y" { condition = step.ask.attempts[0].request.method == "POST" && step.find.attempts[0].request.json.note == "Grüße" }
}
`
	const url, body, asked = "step.find.attempts[0].request.url", "step.find.attempts[0].request.body", "step.ask.attempts[0].request.body"
	for condition, how := range map[string]string{
		`!strcontains(` + url + `, "jane@example.com")`:                                                                                       "an address",
		`!strcontains(lower(` + url + `), "jane roe")`:                                                                                        "an address",
		`!endswith(` + url + `, "=jane@example.com")`:                                                                                         "an address",
		`!regexmatch("[a-z]+@[a-z]+", ` + url + `)`:                                                                                           "an address",
		`length(regexall("[a-z]+@[a-z]+", ` + url + `)) == 0`:                                                                                 "an address",
		`alltrue([for a in step.find.attempts : !strcontains(a.request.url, "Jane Roe")])`:                                                    "an address",
		`!strcontains(` + url + `, "jane%40example.org")`:                                                                                     "",
		`!strcontains(` + url + `, "john@example.com")`:                                                                                       "",
		`!strcontains(` + url + `, "@") && !strcontains(` + url + `, " ")`:                                                                    "", // signs alone
		`!regexmatch("\\s", ` + url + `)`:                                                                                                     "",
		`strcontains(` + url + `, "jane%40example.com")`:                                                                                      "",
		`!strcontains(` + body + `, "\"card\":")`:                                                                                             "JSON",
		`!strcontains(` + asked + `, "\"card\":")`:                                                                                            "JSON",
		`!strcontains(` + asked + `, "\"cart\":")`:                                                                                            "",
		`!contains(step.ask.attempts[0].request.json.messages[*].content, "Greet")`:                                                           "whole elements",
		`!contains(split(" ", step.ask.attempts[0].request.json.messages[0].content), "card")`:                                                "whole elements",
		`!contains([for a in step.find.attempts : a.request.url], "https://crm.example/search")`:                                              "whole elements",
		`!contains(step.ask.attempts[0].request.json.messages[*].content, "Gree")`:                                                            "",
		`!strcontains(` + body + `, "\"note\": \"Grüße\"")`:                                                                                   "spaces of JSON",
		`!regexmatch("\"note\": \"Gr", ` + body + `)`:                                                                                         "spaces of JSON",
		`!strcontains(` + body + `, "\"note\": \"Gruß\"")`:                                                                                    "",
		`!strcontains(` + body + `, "\": \"")`:                                                                                                "", // signs alone
		`[for m in step.ask.attempts[0].request.json.messages : m if m.content == "Our margin is 40 %."] == []`:                               "whole texts",
		`alltrue([for m in step.ask.attempts[0].request.json.messages : m.content != "Our margin is 40 %."])`:                                 "whole texts",
		`[for t in split("\n", step.ask.attempts[0].request.json.messages[0].content) : t if "Our margin" == t] == []`:                        "whole texts",
		`[for m in step.ask.attempts[0].request.json.messages : m if m.content == "Our margin is 50 %."] == []`:                               "",
		`[for m in step.ask.attempts[0].request.json.messages : m if m.content == "Greet: {\"card\":\"4111\"}"] == []`:                        "", // that it has more
		`[for t in [step.ask.attempts[0].request.json.messages[0].content] : t if t == "Greet: {\"card\":\"4111\"}"] == []`:                   "whole texts",
		`[for m in step.ask.attempts[0].request.json.messages : m if m.content == "margin"] == []`:                                            "", // one word
		`[for m in step.ask.attempts[0].request.json.messages : m if m.role == "Our margin"] == []`:                                           "",
		`step.ask.attempts[0].request.json.messages[0].content != "Our margin"`:                                                               "", // that it is more
		`!anytrue([for m in step.ask.attempts[0].request.json.messages : strcontains(m.content, "Our margin") && m.content == "Our margin"])`: "whole texts",
		`!strcontains(` + body + `, "a\tb")`:                                                                                                  "JSON",
	} {
		r := play(t, fmt.Sprintf(source, condition))
		found := ""
		for _, p := range r.Problems {
			if strings.Contains(p.Message, "holds only because") {
				found += p.Message
			}
		}
		if (found == "") != (how == "") || !strings.Contains(found, how) || (r.Verdict == Pass) != (how == "") {
			t.Errorf("%s: %s, found %q and not %q:\n%s", condition, r.Verdict, found, how, told(r))
		}
	}
}
