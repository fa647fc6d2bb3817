package interp

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scenario-lang/scenario/wire"
)

// A demand is a request of a program as a test writes it.
type demand struct{ method, url, body, header, value string }

// saidAtEnd is what a run says in the end of a program that asks so.
func saidAtEnd(t *testing.T, source string, say func(*Outside) string, list ...demand) string {
	t.Helper()
	return saidWhere(t, source, say, false, list)
}

// saidWhere is saidAtEnd, where late of a program that has read an answer and asks again before the end of
// that is known.
func saidWhere(t *testing.T, source string, say func(*Outside) string, late bool, list []demand) (said string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := &driver{t, NewOutside(compileAt(t, "a.scenario.hcl", source)[0], OutsideOptions{Clock: wire.System(), Way: Exec})}
		if _, err := d.run.Start(Addresses{}); err != nil {
			t.Fatal(err)
		}
		end := func() {}
		for _, a := range list {
			req := httptest.NewRequestWithContext(context.Background(), a.method, a.url, strings.NewReader(a.body))
			if a.header != "" {
				req.Header.Set(a.header, a.value)
			}
			x, err := d.run.Answer(req.Context(), Asked{Request: req, Body: []byte(a.body)})
			if err != nil {
				t.Fatal(err)
			}
			if !late {
				x.End(false)
				continue
			}
			end()
			end = func() { x.End(false) }
		}
		end()
		d.run.Finish("success")
		said = say(d.run)
	})
	return said
}

// Shows that a run says of a cursor or a token that an answer gave whether no later request carries it, or
// one does that nothing in the scenario reads, whatever faults and other checks it has.
func TestLinksThatNothingReads(t *testing.T) {
	const (
		pages = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    reply { json = { items = [1], next = "c2" } }
    reply { json = { items = [2], next = null } }
  }
  expect "run" { status = "success" }
  assert "x" { condition = length(endpoint.shop.attempts) == 2 }
}
`
		token = `provider "http" "api" { base_url = "https://api.test" }
endpoint "token" {
  provider = provider.api
  match { path = "/token" }
}
endpoint "orders" {
  provider = provider.api
  match { path = "/orders" }
}
scenario "s" {
  sut { command = ["agent"] }
  on "token" {
    reply { json = { access_token = "second" } }
  }
  on "orders" {
    reply { json = {} }
  }
  expect "run" { status = "success" }
}
`
		sends, misses = "which the program sends with a request to shop", "the program asked shop again without it"
	)
	with := func(old, replaced string) string {
		if !strings.Contains(pages, old) {
			t.Fatal(old)
		}
		return strings.Replace(pages, old, replaced, 1)
	}
	get := func(url string) demand { return demand{method: "GET", url: url} }
	first, second, blind := get("https://shop.test/items"), get("https://shop.test/items?cursor=c2"), get("https://shop.test/items?cursor=")
	read := `assert "y" { condition = endswith(endpoint.shop.attempts[1].request.url, "=c2") }`
	for _, c := range []struct {
		name, source string
		list         []demand
		want         string
	}{
		{"sent", pages, []demand{first, second}, sends},
		{"sent in the path", pages, []demand{first, get("https://shop.test/items/c2")}, sends},
		{"sent in a body", pages, []demand{first, {method: "POST", url: "https://shop.test/items", body: `{"after": "c2"}`}}, sends},
		{"sent in a form", pages, []demand{first, {method: "POST", url: "https://shop.test/items", body: "after=c2&n=1"}}, sends},
		{"sent in a header", pages, []demand{first, {method: "GET", url: "https://shop.test/items", header: "X-After", value: "c2"}}, sends},
		{"missed", pages, []demand{first, blind}, misses},
		{"missed, with a fault", with("reply { json = { items = [2]", "fault \"http_error\" { status_code = 503 }\nreply { json = { items = [2]"), []demand{first, blind, blind}, misses},
		{"inner", with(`next = "c2"`, `page = { cursor = "c2" }`), []demand{first, second}, "gave cursor, " + sends},
		{"known before", pages, []demand{second, second}, ""},
		{"another path", pages, []demand{first, get("https://shop.test/other")}, ""},
		{"a piece of another value", pages, []demand{first, get("https://shop.test/other?x=c21")}, ""},
		{"no link", with(`next = "c2"`, `name = "c2"`), []demand{first, second}, ""},
		{"a number", with(`next = "c2"`, `next = 2`), []demand{first, second}, ""},
		{"read", with(`expect "run"`, read+"\nexpect \"run\""), []demand{first, second}, ""},
		{"read, and missed", with(`expect "run"`, `assert "y" { condition = strcontains(jsonencode(endpoint.shop.attempts), "items") }`+"\nexpect \"run\""), []demand{first, blind}, ""},
		{"an invariant", with(`expect "run"`, "invariant \"y\" { condition = alltrue([for a in endpoint.shop.attempts : a.request.method == \"GET\"]) }\nexpect \"run\""), []demand{first, second}, ""},
		{"a match", with("reply { json = { items = [2], next = null } }", "reply {\n match { query = { cursor = \"c2\" } }\n json = { items = [2], next = null }\n}"), []demand{first, second}, ""},
		{"a count", with(`length(endpoint.shop.attempts) == 2`, `length([for a in endpoint.shop.attempts : a if a.outcome == "success"]) == 2`), []demand{first, blind}, misses},
	} {
		for _, late := range []bool{false, true} {
			if said := saidWhere(t, c.source, (*Outside).Linked, late, c.list); c.want == "" && said != "" || !strings.Contains(said, c.want) {
				t.Errorf("%s, late %t: said %q, want %q", c.name, late, said, c.want)
			}
		}
	}
	ask := demand{method: "POST", url: "https://api.test/token", body: "{}"}
	orders := func(token string) demand {
		return demand{method: "GET", url: "https://api.test/orders", header: "Authorization", value: "Bearer " + token}
	}
	for token2, want := range map[string]string{"second": "gave access_token, which the program sends with a request to orders", "first": "the program asked orders again without it"} {
		said := saidAtEnd(t, token, (*Outside).Linked, ask, orders(token2))
		if !strings.Contains(said, want) || strings.Contains(said, "second") {
			t.Errorf("said %q, want %q", said, want)
		}
	}
	tagged := strings.Replace(pages, `reply { json = { items = [1], next = "c2" } }`, "reply {\n headers = { ETag = \"\\\"v1\\\"\" }\n json = {}\n}", 1)
	feed := strings.Replace(pages, `reply { json = { items = [1], next = "c2" } }`, `fault "connection_reset" {
      after_bytes = 30
      reply {
        headers = { Content-Type = "text/event-stream" }
        body    = "id: 1\ndata: one\n\nid: 2\ndata: two\n\n"
      }
    }`, 1)
	for _, c := range []struct{ source, header, value, want string }{
		{tagged, "If-None-Match", `"v1"`, "gave an ETag, which the program sends"},
		{tagged, "If-None-Match", `"v2"`, "asked shop again without it"},
		{feed, "Last-Event-ID", "1", "gave the id of an event, which the program sends"},
		{feed, "X-Other", "1", "asked shop again without it"},
	} {
		again := first
		again.header, again.value = c.header, c.value
		if said := saidAtEnd(t, c.source, (*Outside).Linked, first, again); !strings.Contains(said, c.want) {
			t.Errorf("said %q, want %q", said, c.want)
		}
	}
	read = strings.Replace(token, `match { path = "/orders" }`, "match {\n path = \"/orders\"\n headers = { authorization = \"*\" }\n}", 1)
	if said := saidAtEnd(t, read, (*Outside).Linked, ask, orders("second")); said != "" {
		t.Errorf("said %q of a header that a match reads", said)
	}
}

// Shows that a run says of a request that was sent again as it was after a refusal that is final or a POST
// that succeeded, and of an empty result of a tool, where nothing in the scenario reads requests.
func TestRequestsThatAreSentAgain(t *testing.T) {
	const (
		mail = `provider "http" "mail" { base_url = "https://mail.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "mail" {
    fault "http_error" { status_code = 503 }
    reply {
      json  = {}
      times = 2
    }
  }
  assert "x" { condition = length([for a in endpoint.mail.attempts : a if a.outcome == "success"]) == 2 }
}
`
		model = `provider "openai" "llm" { base_url = "https://llm.test/v1" }
scenario "s" {
  sut { command = ["agent"] }
  on "llm" {
    reply { tool_calls = [{ name = "forecast", arguments = {} }] }
    reply { content = "Rain." }
  }
  expect "run" { status = "success" }
}
`
	)
	send := func(order string) demand { return demand{method: "POST", url: "https://mail.test/send", body: order} }
	turn := func(content string) demand {
		return demand{method: "POST", url: "https://llm.test/v1/chat/completions", body: `{"model":"m","messages":[{"role":"user","content":"?"},{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"forecast","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":` + content + `}]}`}
	}
	refused := strings.Replace(strings.Replace(mail, "503", "400", 1), "== 2", "== 1", 1)
	refused = strings.Replace(refused, "times = 2", "times = 1", 1)
	ask := demand{method: "POST", url: "https://llm.test/v1/chat/completions", body: chatOf("?")}
	claude := strings.NewReplacer(`"openai"`, `"anthropic"`, "https://llm.test/v1", "https://llm.test").Replace(model)
	message := func(content string) demand {
		return demand{"POST", "https://llm.test/v1/messages", `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"?"},{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"forecast","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"1","content":` + content + `}]}]}`, "x-api-key", "k"}
	}
	begin := demand{"POST", "https://llm.test/v1/messages", `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"?"}]}`, "x-api-key", "k"}
	for _, c := range []struct {
		name, source string
		list         []demand
		want         string
	}{
		{"the same twice", mail, []demand{send("1"), send("1"), send("1")}, "sent mail the same request twice, POST https://mail.test/send"},
		{"each", mail, []demand{send("1"), send("1"), send("2")}, ""},
		{"with keys", mail, []demand{send("1"), {"POST", "https://mail.test/send", "1", "Idempotency-Key", "a"}, {"POST", "https://mail.test/send", "1", "Idempotency-Key", "b"}}, ""},
		{"nothing to send", mail, []demand{send(""), send(""), send("")}, ""},
		{"a GET", mail, []demand{{method: "GET", url: "https://mail.test/", body: "1"}, {method: "GET", url: "https://mail.test/", body: "1"}, {method: "GET", url: "https://mail.test/", body: "1"}}, ""},
		{"read", strings.Replace(mail, "assert", "assert \"y\" { condition = endpoint.mail.attempts[2].request.body == \"1\" }\nassert", 1), []demand{send("1"), send("1"), send("1")}, ""},
		{"refused", refused, []demand{send("1"), send("1")}, "mail refused a request with 400, the program sent the same one again"},
		{"refused and changed", refused, []demand{send("1"), send("2")}, ""},
		{"failed", strings.Replace(refused, "400", "503", 1), []demand{send("1"), send("1")}, ""},
		{"an empty result", model, []demand{ask, turn(`""`)}, "a request to llm has the result of a tool that is empty"},
		{"an empty block", claude, []demand{begin, message(`""`)}, "a request to llm has the result of a tool that is empty"},
		{"a block", claude, []demand{begin, message(`"rain"`)}, ""},
		{"a result", model, []demand{ask, turn(`"rain"`)}, ""},
		{"an empty result that is read", strings.Replace(model, "expect", "assert \"y\" { condition = endpoint.llm.attempts[1].request.json.messages[2].content == \"\" }\nexpect", 1), []demand{ask, turn(`""`)}, ""},
	} {
		if said := saidAtEnd(t, c.source, (*Outside).Resent, c.list...); c.want == "" && said != "" || !strings.Contains(said, c.want) {
			t.Errorf("%s: said %q, want %q", c.name, said, c.want)
		}
	}
}

// Shows that links are looked for in so many bytes of requests and no more: large ones, each of which has
// another link behind it, would be gone over for each of them. What is not looked at is not told of.
func TestLinksInManyRequests(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    reply {
      json  = { next = "c2" }
      times = "*"
    }
  }
  expect "run" { status = "success" }
  assert "x" { condition = length(endpoint.shop.attempts) > 1 }
}
`
	for size, told := range map[int]bool{1 << 10: true, 2 << 20: false} {
		list := make([]demand, 12)
		for i := range list {
			list[i] = demand{method: "POST", url: "https://shop.test/items", body: strings.Repeat("x", size)}
		}
		if said := saidAtEnd(t, source, (*Outside).Linked, list...); (said != "") != told {
			t.Errorf("of requests with %d bytes: %q", size, said)
		}
	}
}
