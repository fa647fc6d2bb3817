package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Shows that which of two providers of one kind a step asks is told of where no check reads it, and that a key of
// which a check reads only that there is one, or that it is the same again, is.
func TestProvidersAndKeysThatNothingReads(t *testing.T) {
	const source = `provider "http" "crm" { base_url = "https://crm.test" }
provider "%s" "ads" { base_url = "https://ads.test" }
retry "linear" "once" {
  max_retries = 1
  delay       = "0s"
}
workflow "w" {
  inputs = { order = null }
  step "http" "contact" {
    provider = provider.crm
    method   = "POST"
    path     = "/contacts"
    headers  = { "Idempotency-Key" = "k-${input.order}" }
    json     = { mail = "ann@example.com" }
    retry    = retry.once
  }
  step "%[1]s" "lead" {
    provider = provider.ads
    %[2]s
  }
}
scenario "s" {
  run    = workflow.w
  inputs = { order = "1" }
  on "contact" {
    fault "http_error" { status_code = 503 }
    reply {}
  }
  on "lead" {
    reply { %[3]s }
  }
  expect "contact" { retries = 1 }
  assert "a" { condition = %[4]s }
}
`
	const first = "step.contact.attempts[0].request"
	for _, c := range []struct {
		kind, condition string
		provider, key   bool // told of
	}{
		{"http", first + `.json.mail == "ann@example.com"`, true, false},
		{"http", first + `.url == "https://crm.test/contacts"`, false, false},
		{"http", first + `.json.mail == "ann@example.com" && step.contact.target == "crm"`, false, false},
		{"mcp", first + `.json.mail == "ann@example.com"`, false, false},
		{"http", `step.contact.attempts[0].idempotency_key != null`, true, true},
		{"http", `length(distinct([for a in step.contact.attempts : a.idempotency_key])) == 1 && step.contact.attempts[0].idempotency_key != null`, true, true},
		{"http", `step.contact.attempts[0].idempotency_key == "k-1"`, true, false},
	} {
		lead, reply := `path = "/leads"`, ""
		if c.kind == "mcp" {
			lead, reply = `tool = "lead"`, "content = \"ok\""
		}
		r := RunTold(compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.kind, lead, reply, c.condition))[0], RunOptions{Unread: true})
		if r.Verdict != Pass {
			t.Errorf("%s: %s\n%s", c.condition, r.Verdict, problems(r))
		}
		told := func(name string) bool {
			return slices.ContainsFunc(r.Unread, func(part string) bool {
				return strings.HasPrefix(part, "contact POST /contacts: ") && strings.HasSuffix(part, name)
			})
		}
		if told("provider") != c.provider || told("header idempotency-key (but that there is one)") != c.key {
			t.Errorf("%s, %s: %q", c.kind, c.condition, r.Unread)
		}
	}
}
