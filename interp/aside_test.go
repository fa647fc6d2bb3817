package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
)

// Shows that a check which looks among the attempts of a program's database for a statement
// about the session warns, as none is there, whatever it is written with; and that one for
// any other statement, or of an endpoint whose match names it, does not.
func TestStatementsThatAreNoAttempts(t *testing.T) {
	const plain = `
provider "sql" "shop" {}
provider "http" "bank" { base_url = "https://bank.test" }
locals { done = "commit" }
scenario "s" {
  sut {
    command = ["true"]
    %s
  }
  on "shop" {
    reply { affected = 1 }
    reply {%s}
  }
  %s
}
`
	const declared = `
provider "sql" "shop" {}
endpoint "orders" {
  provider = provider.shop
  match { statement = "INSERT*" }
}
endpoint "ends" {
  provider = provider.shop
  match { statement = "%s" }
}
scenario "s" {
  sut { command = ["true"] }
  on "orders" {
    reply { affected = 1 }
  }
  %s
}
`
	const steps = `
provider "sql" "shop" {}
workflow "w" {
  provider = provider.shop
  inputs   = { what = "x" }
  step "sql" "pay" { query = %s }
}
scenario "s" {
  run = workflow.w
  %s
}
`
	assert := func(condition string) string { return "assert \"x\" { condition = " + condition + " }" }
	of := func(search string) string {
		return assert("[for a in endpoint.shop.attempts : a if " + search + "] == []")
	}
	const first = `endpoint.shop.attempts[0].request.statement`
	for _, c := range []struct{ source, verb string }{
		{fmt.Sprintf(plain, "", "", of(`strcontains(lower(a.request.statement), "commit")`)), "COMMIT"},
		{fmt.Sprintf(plain, "", "", of(`strcontains(lower(a.request.statement), local.done)`)), "COMMIT"},
		{fmt.Sprintf(plain, "", "", of(`upper(a.request.statement) == "ROLLBACK"`)), "ROLLBACK"},
		{fmt.Sprintf(plain, "", "", of(`"SET search_path TO x" == a.request.statement`)), "SET"},
		{fmt.Sprintf(plain, "", "", of(`regexmatch("(?i)^(commit|end)\\b", a.request.statement)`)), "COMMIT"},
		{fmt.Sprintf(plain, "", "", assert(`alltrue([for a in endpoint.shop.attempts : a.request.statement != "BEGIN"])`)), "BEGIN"},
		{fmt.Sprintf(plain, "", "", assert(`!contains(endpoint.shop.attempts[*].request.statement, "COMMIT")`)), "COMMIT"},
		{fmt.Sprintf(plain, "", "", assert(`!contains([for a in endpoint.shop.calls[0].attempts : lower(a.request.statement)], "commit")`)), "COMMIT"},
		{fmt.Sprintf(plain, "", "", assert(`!strcontains(join(" ", [for a in endpoint.shop.attempts : a.request.statement]), "ROLLBACK")`)), "ROLLBACK"},
		{fmt.Sprintf(plain, "", "", assert(`alltrue([for e in endpoints : alltrue([for a in e.attempts : !word(a.request.statement, "commit")])])`)), "COMMIT"},
		{fmt.Sprintf(plain, "", "", assert(`!startswith(`+first+`, "START TRANSACTION")`)), "START"},
		{fmt.Sprintf(plain, "", "", assert(`events({ type = "attempt_start", statement = "COMMIT" }) == []`)), "COMMIT"},
		{fmt.Sprintf(plain, "", "", assert(`spans({ attributes = { "db.query.text" = "COMMIT" } }) == []`)), "COMMIT"},
		{fmt.Sprintf(plain, "", "", strings.Replace(of(`a.request.statement == "COMMIT"`), "assert", "invariant", 1)), "COMMIT"},
		{fmt.Sprintf(plain, `until = anytrue([for a in endpoint.shop.attempts : a.request.statement == "COMMIT"])`, "", assert(first+` != ""`)), "COMMIT"},

		{fmt.Sprintf(plain, "", "", of(`strcontains(lower(a.request.statement), "insert into orders")`)), ""},
		{fmt.Sprintf(plain, "", "", of(`strcontains(lower(a.request.statement), "set")`)), ""},
		{fmt.Sprintf(plain, "", "", of(`strcontains(lower(a.request.statement), "commits")`)), ""},
		{fmt.Sprintf(plain, "", "", of(`strcontains(lower(a.request.body), "commit")`)), ""},
		{fmt.Sprintf(plain, "", "", of(`regexmatch("(?i)commit|delete", a.request.statement)`)), ""},
		{fmt.Sprintf(plain, "", "", assert(`events({ type = "message", method = "COMMIT" }) == []`)), ""},
		{fmt.Sprintf(plain, "", "", assert(`[for e in events({ type = "message" }) : e if e.params.statement == "COMMIT"] == []`)), ""},
		{fmt.Sprintf(plain, "", "\nmatch { statement = \"*commit*\" }\n", of(`strcontains(lower(a.request.statement), "commit")`)), ""},
		{fmt.Sprintf(declared, "COMMIT", assert(`[for a in endpoint.ends.attempts : a if a.request.statement == "COMMIT"] == []`)), ""},
		{fmt.Sprintf(declared, "COMMIT", assert(`[for a in endpoint.orders.attempts : a if a.request.statement == "ROLLBACK"] == []`)), "ROLLBACK"},
		{fmt.Sprintf(declared, "DELETE*", assert(`[for a in endpoint.orders.attempts : a if a.request.statement == "COMMIT"] == []`)), "COMMIT"},

		{fmt.Sprintf(steps, `"INSERT INTO orders VALUES (1)"`, assert(`step.pay.attempts[0].request.statement != "COMMIT"`)), "COMMIT"},
		{fmt.Sprintf(steps, `"COMMIT"`, assert(`step.pay.attempts[0].request.statement == "COMMIT"`)), ""},
		{fmt.Sprintf(steps, `input.what`, assert(`step.pay.attempts[0].request.statement != "COMMIT"`)), ""},
		{fmt.Sprintf(steps, `"COMMIT"`, assert(`events({ type = "attempt_start", statement = "COMMIT" }) != []`)), ""},
	} {
		file, diags := dsl.Parse("test.scenario.hcl", []byte(c.source))
		if !diags.HasErrors() {
			_, diags = Compile(file, Options{})
		}
		told := ""
		for _, d := range diags {
			told += d.Summary + ": " + d.Detail + "\n"
		}
		want := "Statement that is no attempt: " + c.verb + " is about"
		if c.verb == "" {
			want = "Statement that is no attempt"
		}
		if strings.Contains(told, want) != (c.verb != "") || diags.HasErrors() {
			t.Errorf("%s%q, want %q", c.source, told, c.verb)
		}
	}
}

// Shows that a check which looks among the attempts of a program for the handshake of MCP, a list or
// OPTIONS warns, whatever it is written with; and that one which asks for the messages, for calls,
// or of an endpoint whose match names it, does not.
func TestMessagesThatAreNoAttempts(t *testing.T) {
	const plain = `
provider "mcp" "files" { base_url = "https://files.example/mcp" }
provider "http" "bank" { base_url = "https://bank.test" }
scenario "s" {
  sut { command = ["true"] }
  on "files" {
    reply { content = "x" }
    reply {%s}
  }
  on "bank" {
    reply {}
  }
  assert "x" { condition = %s }
}
`
	const steps = `
provider "mcp" "files" { base_url = "https://files.example/mcp" }
provider "http" "bank" { base_url = "https://bank.test" }
workflow "w" {
  step "mcp" "tools" {
    provider = provider.files
    list     = "tools"
  }
  step "http" "may" {
    provider = provider.bank
    method   = "OPTIONS"
    path     = "/x"
  }
}
scenario "s" {
  run = workflow.w
  %s
  assert "x" { condition = %s }
}
`
	of := func(endpoint, search string) string {
		return "length(endpoint." + endpoint + ".attempts) == 2 && [for a in endpoint." + endpoint + ".attempts : a if " + search + "] == []"
	}
	for _, c := range []struct{ source, more, condition, word string }{
		{plain, "", of("files", `a.request.json.method == "initialize"`), "initialize"},
		{plain, "", of("files", `a.request.method == "initialize"`), "initialize"},
		{plain, "", of("files", `"tools/list" == a.request.json.method`), "tools/list"},
		{plain, "", of("files", `startswith(a.request.json.method, "notifications/")`), "notifications/initialized"},
		{plain, "", of("files", `regexmatch("^(ping|initialize)$", a.request.json.method)`), "initialize"},
		{plain, "", `length([for r in endpoint.files.attempts[*].request.json : r if r.method == "initialize"]) <= 1`, "initialize"},
		{plain, "", `alltrue([for e in endpoints : alltrue([for a in e.attempts : a.request.json.method != "ping"])])`, "ping"},
		{plain, "", `!contains(endpoint.files.attempts[*].request.json.method, "resources/list")`, "resources/list"},
		{plain, "", `events({ type = "attempt_start", method = "initialize" }) == []`, "initialize"},
		{plain, "", of("bank", `a.request.method == "OPTIONS"`), "OPTIONS"},

		{plain, "", of("files", `a.request.json.method == "tools/call"`), ""},
		{plain, "", of("files", `startswith(a.request.json.method, "tools/")`), ""},
		{plain, "", of("files", `regexmatch("^(tools|resources)/", a.request.json.method)`), ""},
		{plain, "", of("files", `strcontains(a.request.body, "initialize")`), ""}, // an argument of a tool
		{plain, "", of("files", `a.request.json.params.method == "initialized"`), ""},
		{plain, "", of("bank", `a.request.method == "GET"`), ""},
		{plain, "", of("bank", `a.request.json.method == "initialize"`), ""}, // no server of MCP
		{plain, "", of("bank", `a.request.json.method == "OPTIONS"`), ""},
		{plain, "", `length(endpoint.files.attempts) == 2 && length([for e in events({ type = "message" }) : e if e.method == "initialize"]) == 1`, ""},
		{plain, "", `length(events({ type = "message", method = "initialize" })) == 1`, ""},
		{plain, "\nmatch { method = \"tools/list\" }\n", of("files", `a.request.json.method == "tools/list"`), ""},
		{plain, "\nmatch { method = \"tools/list\" }\n", of("files", `endswith(a.request.json.method, "/list")`), ""},
		{plain, "\nmatch { method = \"tools/list\" }\n", of("files", `a.request.json.method == "initialize"`), "initialize"},

		{steps, "", `step.tools.attempts[0].request.json.method == "tools/list"`, ""},
		{steps, "", `step.tools.attempts[0].request.json.method != "initialize"`, "initialize"},
		{steps, "", `step.may.attempts[0].request.method == "OPTIONS"`, ""},
	} {
		source := fmt.Sprintf(c.source, c.more, c.condition)
		file, diags := dsl.Parse("test.scenario.hcl", []byte(source))
		if !diags.HasErrors() {
			_, diags = Compile(file, Options{})
		}
		told := ""
		for _, d := range diags {
			told += d.Summary + ": " + d.Detail + "\n"
		}
		want := "Message that is no attempt: " + c.word
		if c.word == "" {
			want = "that is no attempt"
		}
		if strings.Contains(told, want) != (c.word != "") || diags.HasErrors() {
			t.Errorf("%s: %q, want %q", c.condition, told, c.word)
		}
	}
}
