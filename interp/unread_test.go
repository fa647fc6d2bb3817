package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Shows which parts of the requests of a workflow are told of as read by no check: those whose other values,
// or lack, leave every check as it is, whatever else the check reads.
func TestPartsThatNoCheckReads(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
provider "sql" "db" {}
provider "openai" "llm" {}
provider "mcp" "files" { base_url = "https://files.test/mcp" }
retry "linear" "once" {
  max_retries = 1
  delay       = "1s"
}
workflow "w" {
  inputs = { id = "o-1", tenant = "acme" }
  step "http" "pay" {
    provider = provider.shop
    method   = "POST"
    path     = "/orders/${input.id}/pay"
    query    = { dry = "no", lang = "en" }
    headers  = { "X-Tenant" = input.tenant, "Idempotency-Key" = "k-1" }
    json     = { amount = 1250, lines = [{ sku = "a", n = 1 }, { sku = "b", n = 2 }], tags = ["x", "y"], rush = true }
    retry    = retry.once
  }
  step "sql" "list" {
    provider = provider.db
    query    = "SELECT id FROM orders WHERE tenant = $1 AND state = 'open' LIMIT 10"
    args     = [input.tenant, 7]
  }
  step "llm" "ask" {
    provider = provider.llm
    model    = "m-1"
    prompt   = "hello ${input.tenant}"
  }
  step "mcp" "read" {
    provider  = provider.files
    tool      = "read_file"
    arguments = { path = "/x", lines = 3 }
  }
}
scenario "s" {
  run = workflow.w
  on "pay" {
    fault "http_error" { status_code = 503 }
    reply { json = { ok = true } }
  }
  on "list" {
    reply { rows = [{ id = 1 }] }
  }
  on "ask" {
    reply { content = "hi" }
  }
  on "read" {
    reply { content = "text" }
  }
  expect "run" { status = "success" }
  %s
}
`
	all := []string{"ask", "list", "pay", "read"}
	pay, list, ask, read := "pay POST /orders/*/pay: ", "list SELECT: ", "ask: ", "read read_file: "
	first, second := "step.pay.attempts[0].request", "step.pay.attempts[1].request"
	for _, c := range []struct {
		condition string
		not       []string // of what is told of nothing
		told      []string // all that is told of one step
	}{
		{`step.pay.retries == 1 && step.pay.delays_ms == [1000]`, nil, all},
		{`length(step.pay.attempts) == 2 && step.list.rows[0].id == 1`, nil, all},
		{first + `.method == "POST"`, nil, []string{pay + "path", pay + "query", pay + "header idempotency-key, header x-tenant", pay + "body"}},
		{`strcontains(` + second + `.url, "/o-1/")`, nil, []string{pay + "method", pay + `"orders" in the path`, pay + `"pay" in the path`, pay + "query", pay + "header idempotency-key, header x-tenant", pay + "body"}},
		{`startswith(` + first + `.url, "https://shop.test/orders/")`, nil, []string{pay + "method", pay + `"o-1" in the path`, pay + `"pay" in the path`, pay + "query", pay + "header idempotency-key, header x-tenant", pay + "body"}},
		{`strcontains(` + first + `.url, "dry=no")`, nil, []string{pay + "method", pay + "path", pay + "query lang", pay + "header idempotency-key, header x-tenant", pay + "body"}},
		{first + `.headers["x-tenant"] != null`, nil, []string{pay + "method", pay + "path", pay + "query", pay + "header idempotency-key", pay + "header x-tenant (but that there is one)", pay + "body"}},
		// Of a key that has to be there, and to be one in all of them, nothing says which it is.
		{`alltrue([for a in step.pay.attempts : a.idempotency_key != null]) && length(distinct([for a in step.pay.attempts : a.idempotency_key])) == 1`, nil, []string{pay + "method", pay + "path", pay + "query", pay + "header x-tenant", pay + "header idempotency-key (but that there is one)", pay + "body"}},
		{first + `.json.amount > 0`, nil, []string{pay + "amount (but that there is one)", pay + "method", pay + "path", pay + "query", pay + "header idempotency-key, header x-tenant", pay + "lines", pay + "tags", pay + "rush"}},
		{first + `.json.lines[1].sku == "b" && ` + first + `.json.tags[0] == "x" && ` + first + `.json.rush`, nil, []string{pay + "method", pay + "path", pay + "query", pay + "header idempotency-key, header x-tenant", pay + "amount", pay + "lines[].n", pay + "tags[1]"}},
		{`[for s in [step.pay, step.pay] : s.attempts[0].request.json.amount] == [1250, 1250]`, nil, []string{pay + "method", pay + "path", pay + "query", pay + "header idempotency-key, header x-tenant", pay + "lines", pay + "tags", pay + "rush"}},
		// A retry is the same request again, whatever that is.
		{first + `.body == ` + second + `.body`, nil, []string{"pay"}},
		{`length(step.pay.attempts[0].request.json.lines) == 2`, []string{pay + "path, body"}, []string{"pay"}},
		// A part that reads requests is told from one beside it that does not.
		{`step.pay.retries == 1 && strcontains(step.list.attempts[0].request.statement, "FROM orders")`, []string{"list"}, []string{list + `"SELECT id"`, list + `"WHERE tenant = $1"`, list + `"AND state = 'open'"`, list + `"LIMIT 10"`, list + "args"}},
		{`step.list.attempts[0].request.json.args[0] == "acme"`, nil, []string{list + "statement", list + "args[1]"}},
		{`strcontains(step.ask.attempts[0].request.body, "acme")`, nil, []string{ask + "model", ask + "messages[].role"}},
		{`step.ask.attempts[0].request.json.model == "m-1"`, nil, []string{ask + "messages"}},
		{`step.read.attempts[0].request.json.params.arguments.lines == 3`, nil, []string{read + "tool", read + "arguments.path"}},
		{`length(events({ type = "attempt_start", tool = "read_file" })) == 1`, nil, []string{read + "arguments"}},
	} {
		p := compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, `assert "a" { condition = `+c.condition+" }"))[0]
		r := RunTold(p, RunOptions{Unread: true})
		if r.Verdict != Pass {
			t.Errorf("%s: %s\n%s", c.condition, r.Verdict, problems(r))
			continue
		}
		of, _, _ := strings.Cut(c.told[0], ":")
		of, _, _ = strings.Cut(of, " ")
		var got []string
		for _, part := range r.Unread {
			if len(c.told) == len(all) && c.told[0] == "ask" || strings.HasPrefix(part, of+" ") || strings.HasPrefix(part, of+":") || part == of {
				got = append(got, part)
			}
		}
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(c.told))) {
			t.Errorf("%s:\n got %q\nwant %q", c.condition, got, c.told)
		}
		for _, part := range c.not {
			if slices.Contains(r.Unread, part) {
				t.Errorf("%s: %q is told of", c.condition, part)
			}
		}
		if r := RunTold(p, RunOptions{}); len(r.Unread) > 0 {
			t.Errorf("%s: nobody asked, and %q is told of", c.condition, r.Unread)
		}
	}
}

// Shows that what a match asks for, and what a snapshot or an expectation compares, is read.
func TestPartsThatAMatchReads(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    reply {
      %s
      json = {}
    }
  }
  %s
}
`
	const of = "shop POST /items/*: "
	asked := demand{"POST", "https://shop.test/items/7?page=2", `{"name": "tea", "n": 3}`, "X-Tenant", "acme"}
	for _, c := range []struct {
		match, check string
		told         []string
	}{
		{"", "", []string{"shop"}},
		{`match { method = "POST" }`, "", []string{of + "path", of + "query page", of + "header x-tenant", of + "body"}},
		{`match { path = "/items/*" }`, "", []string{of + "method", of + `"7" in the path`, of + "query page", of + "header x-tenant", of + "body"}},
		{`match { path = "/items/7" }`, "", []string{of + "method", of + "query page", of + "header x-tenant", of + "body"}},
		{`match { query = { page = "2" } }`, "", []string{of + "method", of + "path", of + "header x-tenant", of + "body"}},
		{`match { headers = { "X-Tenant" = "acme" } }`, "", []string{of + "method", of + "path", of + "query page", of + "body"}},
		{`match { json = { n = 3 } }`, "", []string{of + "method", of + "path", of + "query page", of + "header x-tenant", of + "name"}},
		{`match { condition = request.json.n == 3 }`, "", []string{of + "method", of + "path", of + "query page", of + "header x-tenant", of + "name"}},
		{`match { condition = strcontains(request.url, "page") }`, "", []string{of + "method", of + "header x-tenant", of + "body"}},
		{"", `invariant "i" { condition = alltrue([for a in endpoint.shop.attempts : a.request.json.n == 3]) }`, []string{of + "method", of + "path", of + "query page", of + "header x-tenant", of + "name"}},
		{"", `expect "shop" { attempts = [{ request = { json = { n = 3 } } }] }`, []string{of + "method", of + "path", of + "query page", of + "header x-tenant", of + "name"}},
	} {
		var got []string
		saidAtEnd(t, fmt.Sprintf(source, c.match, `assert "a" { condition = length(endpoint.shop.attempts) == 1 }`+"\n  "+c.check), func(o *Outside) string {
			got = o.Unread()
			return ""
		}, asked)
		if !slices.Equal(got, c.told) {
			t.Errorf("%s %s:\n got %q\nwant %q", c.match, c.check, got, c.told)
		}
	}
}

// Shows that a value which the program was given and sends on is told of where no check tells it from
// another one, wherever it was given and wherever it is sent; and that no other value is.
func TestValuesThatAreSentOn(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut {
    command = ["agent"]
    %s
  }
  on "shop" {
    reply {
      json    = { job = "j-88", total = 1250, status = "ready", more = [{ id = "x-1" }] }
      headers = { "Location" = "/jobs/j-99" }
    }
    reply { json = {} }
  }
  assert "a" { condition = %s }
}
`
	post := demand{method: "POST", url: "https://shop.test/jobs"}
	to := func(url string) demand { return demand{method: "GET", url: "https://shop.test" + url} }
	const reads = `endpoint.shop.attempts[0].request.method == "POST"`
	for _, c := range []struct {
		name, sut, check string
		then             demand
		want             string
	}{
		{"in a path", "", reads, to("/jobs/j-88"), "the answer of shop gave job"},
		{"in a query", "", reads, to("/jobs?of=j-88"), "gave job"},
		{"a number", "", reads, demand{method: "POST", url: "https://shop.test/pay", body: `{"amount": 1250}`}, "gave total"},
		{"of a list", "", reads, to("/jobs/x-1"), "gave more[].id"},
		{"in a header", "", `endswith(endpoint.shop.attempts[1].request.url, "/x")`, demand{method: "GET", url: "https://shop.test/x", header: "X-Job", value: "j-88"}, "header x-job"},
		{"the input", `stdin = jsonencode({ order = "o-17" })`, reads, to("/orders/o-17"), "its input gave order"},
		{"the environment", `env = { ORDER = "o-17" }`, reads, to("/orders/o-17"), "the environment gave ORDER"},
		{"a prefix is read", "", `startswith(endpoint.shop.attempts[1].request.url, "https://shop.test/jobs/")`, to("/jobs/j-88"), `"j-88" in the path`},
		{"it is read", "", `endswith(endpoint.shop.attempts[1].request.url, "/j-88")`, to("/jobs/j-88"), ""},
		{"another value", "", reads, to("/jobs/latest"), ""},
		{"a word", "", reads, to("/jobs?status=ready"), ""},
		{"of the address", "", reads, to("/jobs"), ""},
	} {
		said := saidAtEnd(t, fmt.Sprintf(source, c.sut, c.check), func(o *Outside) string { return o.Carried([]string{"agent"}) }, post, c.then)
		if c.want == "" && said != "" || !strings.Contains(said, c.want) {
			t.Errorf("%s: said %q, want %q", c.name, said, c.want)
		}
	}
}

// Shows that a cookie which an answer sets is looked for in what is asked of the same service later.
func TestCookiesThatNothingReads(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
provider "http" "mail" { base_url = "https://mail.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "mail" {
    reply {}
  }
  on "shop" {
    reply { headers = { "Set-Cookie" = "sid=s-4711; Path=/" } }
    reply {
      %s
      json = {}
    }
  }
  assert "a" { condition = endpoint.shop.attempts[0].request.method == "POST" }
}
`
	login := demand{method: "POST", url: "https://shop.test/login"}
	for _, c := range []struct {
		name, match string
		then        demand
		want        string
	}{
		{"sent", "", demand{"GET", "https://shop.test/cart", "", "Cookie", "sid=s-4711"}, "gave a cookie, which the program sends on (shop GET /cart"},
		{"not sent", "", demand{method: "GET", url: "https://shop.test/cart"}, "asks it again without one (GET https://shop.test/cart)"},
		{"matched", `match { headers = { cookie = "sid=s-4711" } }`, demand{"GET", "https://shop.test/cart", "", "Cookie", "sid=s-4711"}, ""},
		{"another service", "", demand{method: "GET", url: "https://mail.test/"}, ""},
	} {
		said := saidAtEnd(t, fmt.Sprintf(source, c.match), func(o *Outside) string { return o.Carried(nil) }, login, c.then)
		if c.want == "" && said != "" || !strings.Contains(said, c.want) {
			t.Errorf("%s: said %q, want %q", c.name, said, c.want)
		}
	}
}

// Shows that a credential which becomes known after it was sent is hidden in what no check reads, also where
// that is too long to be told of as it is: nothing is cut off before it is hidden.
func TestLongPartsHideCredentials(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "shop" {
    reply { times = 2 }
  }
  assert "a" { condition = startswith(endpoint.shop.attempts[0].request.url, "https://shop.test/x/") }
}
`
	secret := "Zq7-" + strings.Repeat("kM4w_", 40)
	var said []string
	saidAtEnd(t, source, func(o *Outside) string {
		said = o.Unread()
		return ""
	}, demand{method: "GET", url: "https://shop.test/x/" + secret}, demand{"GET", "https://shop.test/y", "", "Authorization", "Bearer " + secret})
	if text := strings.Join(said, "\n"); !strings.Contains(text, "in the path") || strings.Contains(text, "Zq7-") {
		t.Errorf("it is told of as %s", text)
	}
}

// Shows that what is read of the first of several requests alone, or of the first element of a list, is told of, and not
// where a check reads the others in any way, nor of requests that are the first again.
func TestPartsOfTheFirstAlone(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
workflow "w" {
  step "loop" "all" {
    while          = true
    max_iterations = 3
    step "http" "page" {
      provider = provider.shop
      method   = "POST"
      path     = "/page"
      headers  = { "X-Tenant" = "acme" }
      json     = { n = loop.index, lines = [{ sku = "a", left = 1 }, { sku = "b", left = 2 }] }
    }
  }
}
scenario "s" {
  run = workflow.w
  on "all.page" {
    reply { times = 3 }
  }
  assert "a" { condition = %s }
}
`
	const page, request, element = "all.page POST /page: ", "all but the first request", " of all but the first element"
	first, every := "step.all.runs[0].page.attempts[0].request", "[for r in step.all.runs : r.page.attempts[0].request"
	for _, c := range []struct {
		condition string
		told      []string // of what is read of some
	}{
		{first + `.headers["x-tenant"] == "acme"`, []string{page + request}},
		{`alltrue(` + every + `.headers["x-tenant"] == "acme"])`, nil},
		{first + `.headers["x-tenant"] == "acme" && ` + every + `.json.n] == [0, 1, 2]`, []string{page + "header x-tenant of " + request}},
		{`step.all.runs[2].page.attempts[0].request.headers["x-tenant"] == "acme"`, nil},
		{`alltrue(` + every + `.json.lines[0].sku == "a"])`, []string{page + "lines[].sku" + element}},
		{`alltrue(` + every + `.json.lines == [{ sku = "a", left = 1 }, { sku = "b", left = 2 }]])`, nil},
		{`alltrue(` + every + `.json.lines[1].sku == "b"])`, nil},
		{`strcontains(` + first + `.body, "acme") || ` + first + `.json.lines[0].left == 1`, []string{page + request}},
	} {
		p := compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.condition))[0]
		r := RunTold(p, RunOptions{Unread: true})
		if r.Verdict != Pass {
			t.Errorf("%s: %s\n%s", c.condition, r.Verdict, problems(r))
			continue
		}
		got := slices.DeleteFunc(slices.Clone(r.Unread), func(part string) bool { return !strings.Contains(part, "all but the first") })
		if !slices.Equal(got, c.told) {
			t.Errorf("%s: told of %q, want %q", c.condition, got, c.told)
		}
	}
}

// Shows that the host of requests to several is told of where no check reads it, though one reads the names of targets.
func TestHostsThatNoCheckReads(t *testing.T) {
	const source = `provider "openai" "main" { base_url = "https://one.test/v1" }
provider "openai" "spare" { base_url = "https://%s.test/v1" }
gateway "g" {
  target "main" { provider = provider.main }
  target "spare" {
    provider = provider.spare
    fallback = true
  }
}
workflow "w" {
  step "llm" "ask" {
    gateway = gateway.g
    model   = "m"
    prompt  = "why?"
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    target = "main"
    fault "http_error" { status_code = 503 }
  }
  on "ask" {
    target = "spare"
    reply { content = "hi" }
  }
  assert "a" { condition = %s }
}
`
	const targets, hosts = `[for a in step.ask.attempts : a.target] == ["main", "spare"] && step.ask.attempts[0].request.json.model == "m"`, ` && startswith(step.ask.attempts[1].request.url, "https://two.test/")`
	for _, c := range []struct {
		host, condition string
		told            bool
	}{
		{"two", targets, true},
		{"one", targets, false},
		{"two", targets + hosts, false},
	} {
		p := compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.host, c.condition))[0]
		r := RunTold(p, RunOptions{Unread: true})
		if told := slices.Contains(r.Unread, "ask: host"); r.Verdict != Pass || told != c.told {
			t.Errorf("%s at %s: %s %q, told %t\n%s", c.condition, c.host, r.Verdict, r.Unread, told, problems(r))
		}
	}
}
