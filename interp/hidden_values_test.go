package interp

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that a check which compares what is hidden fails and says so, wherever it reads
// the request, and that one which the hidden value does not decide stands. The secrets
// were sent: each refused condition would have to be false.
func TestComparisonsWithHiddenValues(t *testing.T) {
	const source = `
variable "password" { default = "correct horse" }
provider "http" "shop" { base_url = "https://shop.example" }
retry "linear" "r" {}
%s
workflow "w" {
  provider = provider.shop
  step "http" "login" {
    method     = "POST"
    path       = "/login?user=ann&api_key=k-9876543210"
    headers    = { X-Api-Key = "key-of-the-shop", Authorization = "Bearer ${lower("ABCDEFGHIJKL")}", X-Trace = "t-1" }
    json       = { user = "ann", password = var.password, api_key = upper("abcdefgh") }
    retry      = retry.r
    idempotent = true
  }
}
scenario "s" {
  run = workflow.w
  on "login" {
    fault "http_error" {}
    reply { status_code = 200 }
  }
  expect "login" { retries = 1 }
  %s
}
`
	const request = "step.login.attempts[0].request"
	for _, c := range []struct {
		condition string
		stands    bool
	}{
		{`jsondecode(` + request + `.body).password != "correct horse"`, false},
		{`jsondecode(` + request + `.body).password != var.password`, false},
		{`jsondecode(` + request + `.body).password != "another"`, true},
		{`jsondecode(` + request + `.body).user != "bob"`, true},
		{request + `.json.password != var.password`, false},
		{`!strcontains(` + request + `.body, var.password)`, false},
		{`!strcontains(` + request + `.body, "\"password\":\"${var.password}\"")`, false},
		{`!strcontains(` + request + `.body, "correct")`, false},
		{`!strcontains(` + request + `.body, "iban")`, true}, // is noted: the body was searched in part
		{`strcontains(` + request + `.body, "ann")`, true},
		{request + `.headers["x-api-key"] != "key-of-the-shop"`, false},
		{request + `.headers["x-trace"] != "t-2"`, true},
		{request + `.headers["x-api-key"] != ""`, true},
		{request + `.headers["x-api-key"] == step.login.attempts[1].request.headers["x-api-key"]`, true},
		{request + `.headers["authorization"] != step.login.attempts[0].request.headers["x-api-key"]`, true},
		{`contains(keys(` + request + `.headers), "authorization")`, true},
		{`!startswith(` + request + `.headers["authorization"], "Basic ")`, false},
		{`!regexmatch("^Basic .+$", ` + request + `.headers["authorization"])`, false},
		{`trimprefix(` + request + `.headers["authorization"], "Bearer ") != "abcdefghijkl"`, false},
		{`trimprefix(` + request + `.headers["authorization"], "Bearer ") != "another"`, true},
		{`length(` + request + `.headers["authorization"]) > 20`, false},
		{`!contains(values(` + request + `.headers), "key-of-the-shop")`, false},
		{`!contains(["key-of-the-shop", "x"], lookup(` + request + `.headers, "x-api-key", "none"))`, false},
		{`!strcontains(` + request + `.url, "k-9876543210")`, false},
		{`!strcontains(` + request + `.url, "api_key=k-98765")`, false},
		{`strcontains(` + request + `.url, "user=ann")`, true},
		{`alltrue([for a in step.login.attempts : a.request.headers["x-api-key"] != "key-of-the-shop"])`, false},
		{`[for e in events({ type = "attempt_start" }) : e if strcontains(jsonencode(e), "key-of-the-shop")] == []`, false},
		{`events({ type = "attempt_start" })[0].headers.x-api-key != "key-of-the-shop"`, false},
	} {
		for _, check := range []string{"assert", "invariant"} {
			own := fmt.Sprintf("%s \"x\" { condition = %s }", check, c.condition)
			for place, text := range map[string]string{"own": fmt.Sprintf(source, "", own), "of the file": fmt.Sprintf(source, own, "")} {
				if check == "assert" && place != "own" {
					continue
				}
				r := Run(mustCompile(t, text)[0], RunOptions{})
				found := strings.Contains(told(r), "it compares a hidden value")
				if found == c.stands || c.stands != (r.Verdict == Pass) {
					t.Errorf("%s %s: that it stands is %v: %s: %s", check, c.condition, c.stands, r.Verdict, told(r))
				}
				if strings.Contains(told(r), "correct horse") {
					t.Errorf("%s: the secret is told: %s", c.condition, told(r))
				}
			}
		}
	}
	r := Run(mustCompile(t, fmt.Sprintf(source, "", `assert "x" { condition = step.login.attempts[0].request.headers["x-api-key"] == "key-of-the-shop" }`))[0], RunOptions{})
	if r.Verdict != Fail || !strings.Contains(told(r), "it compares a hidden value") {
		t.Errorf("an equality that fails because of the placeholder: %s", told(r))
	}
	r = Run(mustCompile(t, fmt.Sprintf(source, "", `assert "x" { condition = !strcontains(`+request+`.body, "iban") }`))[0], RunOptions{})
	if len(r.Relaxed) != 1 || r.Relaxed[0].Kind != KindIgnored || r.Verdict != Pass {
		t.Errorf("a text that is searched in part: %s: %+v", r.Verdict, r.Relaxed)
	}
}
