package interp

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that a run says of a request that has None, undefined or the like in the place of a value where that
// is, and says nothing where the scenario has it by itself.
func TestTextsOfMissingValues(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent", "ARG"] }
  on "shop" {
    reply {
      json  = { note = "NOTE" }
      times = "*"
    }
  }
  expect "run" { status = "success" }
  assert "x" { condition = CHECK }
}
`
	get := func(url string) demand { return demand{method: "GET", url: "https://shop.test" + url} }
	post := func(body string) demand { return demand{method: "POST", url: "https://shop.test/a", body: body} }
	head := func(name, value string) demand {
		return demand{method: "GET", url: "https://shop.test/a", header: name, value: value}
	}
	for _, c := range []struct {
		name, note, arg, check string
		ask                    demand
		want                   string
	}{
		{"a path", "", "", "", get("/users/undefined"), `request 1 to shop has "undefined" in its path, /users/undefined,`},
		{"an encoded path", "", "", "", get("/users/%5Bobject%20Object%5D/x"), `has "[object Object]" in its path`},
		{"a query", "", "", "", get("/users?a=1&id=None"), `has "None" as the parameter id`},
		{"a name", "", "", "", get("/none?x=Nonetheless&y=nullable&z=None+of+these"), ""},
		{"a name that begins so", "", "", "", get("/null-island"), ""},
		{"a token", "", "", "", head("Authorization", "Bearer None"), `has "None" in the header authorization`},
		{"another token", "", "", "", head("Authorization", "Bearer Nonesuch0815"), ""},
		{"a key", "", "", "", head("Idempotency-Key", "order-undefined-1"), `has "undefined" in the header idempotency-key`},
		{"a key that ends so", "", "", "", head("Idempotency-Key", "order-null"), `has "null" in the header idempotency-key`},
		{"a page without origin", "", "", "", head("Origin", "null"), ""},
		{"a member", "", "", "", post(`{"a":[{"id":"order:<nil>"}]}`), `has "<nil>" as a[0].id`},
		{"what is null", "", "", "", post(`{"a":null,"b":"no null"}`), ""},
		{"a text that has it", "", "", "", post(`{"a":"None of these is NaN"}`), ""},
		{"no JSON", "", "", "", post(`id=None`), ""},
		{"a check that says it", "", "", `endpoint.shop.attempts[0].request.url != "https://shop.test/users/undefined-2"`, get("/users/undefined"), ""},
		{"an answer that says it", "None", "", "", get("/users?id=None"), ""},
		{"an argument that says it", "", "None", "", get("/users?id=None"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			check := c.check
			if check == "" {
				check = "length(endpoint.shop.attempts) > 0"
			}
			text := strings.NewReplacer("NOTE", c.note, "ARG", c.arg, "CHECK", check).Replace(source)
			said := saidAtEnd(t, text, func(o *Outside) string { return o.Absent([]string{"agent", c.arg}) }, get("/fine"), c.ask)
			want := strings.Replace(c.want, "request 1", "request 2", 1)
			if !strings.Contains(said, want) || want == "" && said != "" {
				t.Errorf("it says %q, want %q", said, want)
			}
		})
	}
}

// Shows that JSON which a program sends under another Content-Type is told of where a check reads it, and is not
// where a check reads the field, too.
func TestBodiesUnderAnotherContentType(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    reply {}
  }
  assert "a" { condition = %s }
}
`
	const reads, form = `endpoint.shop.attempts[0].request.json.id == "o-7"`, "application/x-www-form-urlencoded"
	for _, c := range []struct{ condition, body, label, want string }{
		{reads, `{"id": "o-7"}`, form, "the Content-Type application/x-www-form-urlencoded"},
		{reads, `{"id": "o-7"}`, "text/plain;charset=UTF-8", "the Content-Type text/plain"},
		{reads, `{"id": "o-7"}`, "", "no Content-Type"},
		{`[for a in endpoint.shop.attempts : a.request.json.id] == ["o-7"]`, `{"id": "o-7"}`, form, "request 1 to shop has a body of JSON"},
		{reads, `{"id": "o-7"}`, "application/json", ""},
		{reads, `{"id": "o-7"}`, "application/vnd.api+JSON; charset=utf-8", ""},
		{reads + ` && endpoint.shop.attempts[0].request.headers["content-type"] != null`, `{"id": "o-7"}`, form, ""},
		{`endpoint.shop.attempts[0].request.method == "POST"`, `{"id": "o-7"}`, form, ""},
		{`endpoint.shop.attempts[0].request.body == "id=o-7" || endpoint.shop.attempts[0].request.json != null`, "id=o-7", form, ""},
	} {
		said := saidAtEnd(t, fmt.Sprintf(source, c.condition), (*Outside).Mislabelled, demand{"POST", "https://shop.test/orders", c.body, "Content-Type", c.label})
		if c.want == "" && said != "" || !strings.Contains(said, c.want) {
			t.Errorf("%s of %s as %q: said %q, want %q", c.condition, c.body, c.label, said, c.want)
		}
	}
}
