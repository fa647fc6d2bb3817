package sent_test

import (
	"strings"
	"testing"
)

// Shows that an endpoint of a program is warned of where its script answers any request and nothing in the
// file reads one, and that it is not where a check or a match tells requests from each other.
func TestEndpointsWhoseRequestsNothingReads(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
provider "sql" "db" { base_url = "postgres://app@db.test/shop" }
provider "openai" "llm" {}
provider "mcp" "tools" { command = ["tools"] }
endpoint "orders" {
  provider = provider.shop
  # MATCH
}
endpoint "rows" {
  provider = provider.db
  # STATEMENT
}
scenario "s" {
  sut { command = ["agent"] }
  on "NAME" {
    fault "http_error" { status_code = 503 }
    # REPLY
  }
  assert "answer" { condition = sut.stdout == "cancelled" && length(endpoint.NAME.attempts) == 2 }
  # CHECK
}
scenario "t" {
  sut { command = ["agent"] }
  on "NAME" {
    reply { json = {} }
  }
  assert "again" { condition = sut.exit_code == 0 }
}
# MORE
`
	reply := "reply { json = {} }"
	for _, c := range []struct {
		name, endpoint string
		with           map[string]string
		want           string // of what is said of another request, "" for no warning
	}{
		{"a shop", "shop", nil, "another method, path or body"},
		{"an endpoint", "orders", nil, "another method, path or body"},
		{"a database", "rows", nil, "another statement"},
		{"a model", "llm", nil, "another request"},
		{"tools", "tools", nil, "another tool"},
		{"the method", "shop", map[string]string{"CHECK": `assert "m" { condition = endpoint.shop.attempts[0].request.method == "DELETE" }`}, "another"},
		{"the methods", "shop", map[string]string{"CHECK": `assert "m" { condition = [for a in endpoint.shop.attempts : a.request.method] == ["GET"] }`}, "another"},
		{"the address", "shop", map[string]string{"CHECK": `assert "m" { condition = endpoint.shop.attempts[0].request.url != "" }`}, ""},
		{"the body of each", "shop", map[string]string{"CHECK": `assert "m" { condition = alltrue([for a in endpoint.shop.attempts : a.request.body != ""]) }`}, ""},
		{"all bodies", "shop", map[string]string{"CHECK": `assert "m" { condition = endpoint.shop.attempts[*].request.body == [] }`}, ""},
		{"another endpoint", "shop", map[string]string{"CHECK": `assert "m" { condition = endpoint.orders.attempts[0].request.url != "" }`}, "another"},
		{"attempts as they are", "shop", map[string]string{"CHECK": `snapshot "all" { value = endpoint.shop.attempts }`}, ""},
		{"an expectation of attempts", "shop", map[string]string{"CHECK": `expect "shop" { attempts = [{ request = { url = "x" } }] }`}, ""},
		{"an expectation", "shop", map[string]string{"CHECK": `expect "shop" { status = "success" }`}, "another"},
		{"requests among events", "shop", map[string]string{"CHECK": `assert "m" { condition = length([for e in events() : e if e.url == "x"]) == 1 }`}, ""},
		{"messages", "shop", map[string]string{"CHECK": `assert "m" { condition = length(events({ type = "message" })) == 1 }`}, "another"},
		{"an invariant of the file", "shop", map[string]string{"MORE": "invariant \"i\" {\n  condition = alltrue([for a in endpoint.shop.attempts : a.request.body != \"\"])\n}"}, ""},
		{"the library", "shop", map[string]string{"MORE": `import = ["std/resilience"]`}, "another"},
		{"a path", "orders", map[string]string{"MATCH": `match { path = "/orders/7" }`}, "another"},
		{"method and path", "orders", map[string]string{"MATCH": "match {\n method = \"DELETE\"\n path = \"/orders/7\"\n }"}, ""},
		{"method and any path", "orders", map[string]string{"MATCH": "match {\n method = \"DELETE\"\n path = \"/orders/*\"\n }"}, "another"},
		{"a body", "orders", map[string]string{"MATCH": `match { json = { id = 7 } }`}, ""},
		{"a condition", "orders", map[string]string{"MATCH": `match { condition = request.headers["x"] != null }`}, ""},
		{"a lane", "orders", map[string]string{"MATCH": `lane = request.headers["x"]`}, ""},
		{"a statement", "rows", map[string]string{"STATEMENT": `match { statement = "select 1" }`}, ""},
		{"any statement of a kind", "rows", map[string]string{"STATEMENT": `match { statement = "select * from orders *" }`}, "another"},
		{"a tool", "tools", map[string]string{"REPLY": "reply {\n match { tool = \"search\" }\n content = \"x\"\n }"}, "another"},
		{"a prompt of a reply", "llm", map[string]string{"REPLY": "reply {\n match { prompt = \"*sky*\" }\n content = \"x\"\n }"}, ""},
		{"a recording, and a script", "shop", map[string]string{"CHECK": `cassette { path = "x.yaml" }`}, "another method, path or body"},
		{"a recording that its script takes", "shop", map[string]string{"CHECK": `cassette { path = "x.yaml" }`, "REPLY": "replay {}\n reply { json = {} }"}, ""},
		{"a recording in another scenario", "shop", map[string]string{"MORE": "scenario \"u\" {\n sut { command = [\"agent\"] }\n cassette { path = \"x.yaml\" }\n}"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := source
			for _, place := range []string{"MATCH", "STATEMENT", "REPLY", "CHECK", "MORE"} {
				with := c.with[place]
				if place == "REPLY" && with == "" {
					with = reply
				}
				text = strings.Replace(text, "# "+place, with, 1)
			}
			got := said(t, strings.ReplaceAll(text, "NAME", c.endpoint))
			if c.want == "" && got != "" || strings.Count(got, "answers any request") > 1 || !strings.Contains(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
