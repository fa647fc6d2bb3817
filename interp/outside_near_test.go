package interp

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// nearOf is the message of the gate that a request breaks which fits no endpoint.
func nearOf(t *testing.T, source string, ask func(*driver) *Exchange) string {
	t.Helper()
	d := drivenBy(t, source+"\nscenario \"s\" {\n  on \"*\" {\n    reply { optional = true }\n  }\n  expect \"run\" { status = \"success\" }\n}\n")
	ask(d).End(false)
	r, _ := d.run.Finish("")
	for _, p := range r.Problems {
		if p.Kind == "gate" && p.Name == plan.GateUnmatched {
			return p.Message
		}
	}
	t.Errorf("no gate broke: %v", r.Problems)
	return ""
}

// Shows that a request which fits no endpoint is told of with the nearest, the field in
// which it differs, what that is and what it was to be, for each word that a match has.
func TestTheNearestEndpoint(t *testing.T) {
	const web, llm = `provider "http" "p" { base_url = "https://web.test/api" }`, `provider "openai" "p" {}`
	const mcp, sql = `provider "mcp" "p" { base_url = "https://mcp.test/mcp" }`, `provider "sql" "p" { base_url = "postgres://app@db.test/shop" }`
	get := func(d *driver) *Exchange { return d.asks("https://web.test/api/tea?n=1", "", "X-Tenant", "a") }
	post := func(d *driver) *Exchange {
		return d.asks("https://web.test/api/tea", `{"order": {"items": [{"n": 1}]}}`, "Content-Type", "application/json")
	}
	chat := func(d *driver) *Exchange { return d.asks(chatURL, chatOf("why?")) }
	tool := func(d *driver) *Exchange {
		return d.asks("https://mcp.test/mcp", `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": {}}}`, "Content-Type", "application/json")
	}
	statement := func(d *driver) *Exchange {
		p := d.run.plan.Endpoints[0].Step.Gateway.Targets[0].Provider
		req, err := p.Adapter.Request(context.Background(), providers.Input{BaseURL: p.BaseURL, Statement: "select 1"})
		if err != nil {
			d.t.Fatal(err)
		}
		x, err := d.run.Answer(context.Background(), Asked{Request: req, Body: bodyOf(d.t, req), Listener: "p"})
		if err != nil {
			d.t.Fatal(err)
		}
		return x
	}
	for field, c := range map[string]struct {
		provider, match string
		ask             func(*driver) *Exchange
		says            string
	}{
		"method":        {web, `method = "PUT"`, get, `method is "GET", not "PUT"`},
		"path":          {web, `path = "/coffee*"`, get, `path is "/tea", not "/coffee*"`},
		"query":         {web, `query = { n = "2" }`, get, `query.n is "1", not "2"`},
		"absent query":  {web, `query = { m = "2" }`, get, `query.m is null, not "2"`},
		"headers":       {web, `headers = { X-Tenant = "b" }`, get, `headers.x-tenant is "a", not "b"`},
		"absent header": {web, `headers = { X-Trace = "b" }`, get, `headers.x-trace is null, not "b"`},
		"json":          {web, `json = { order = { items = [{ n = 2 }] } }`, post, `json.order.items.0.n is 1, not 2`},
		"absent member": {web, `json = { order = { of = "x" } }`, post, `json.order.of is null, not "x"`},
		"no json":       {web, `json = { a = 1 }`, get, `json.a is null, not 1`},
		"model":         {llm, `model = "other"`, chat, `model is "m", not "other"`},
		"prompt":        {llm, `prompt = "Translate*"`, chat, `prompt is "why?", not "Translate*"`},
		"stream":        {llm, `stream = true`, chat, `stream is false, not true`},
		"turn":          {llm, `turn = 2`, chat, `turn is 1, not 2`},
		"condition":     {llm, `condition = request.prompt == "what?"`, chat, `condition is false, not true`},
		"tool":          {mcp, `tool = "read"`, tool, `tool is "search", not "read"`},
		"statement":     {sql, `statement = "select 2"`, statement, `statement is "select 1", not "select 2"`},
	} {
		t.Run(field, func(t *testing.T) {
			got := nearOf(t, c.provider+"\nendpoint \"e\" {\n  provider = provider.p\n  match { "+c.match+" }\n}", c.ask)
			if want := fmt.Sprintf(`it fits no endpoint of provider "p". The nearest is "e", and %s.`, c.says); !strings.Contains(got, want) {
				t.Errorf("%q is not in\n%s", want, got)
			}
		})
	}
}

// Shows the same of the host, which is one of several only behind a gateway.
func TestTheNearestEndpointByItsHost(t *testing.T) {
	d := drivenBy(t, `provider "http" "one" { base_url = "https://one.test" }
provider "http" "two" { base_url = "https://two.test" }
gateway "either" {
  target "one" { provider = provider.one }
  target "two" { provider = provider.two }
}
workflow "w" {
  gateway = gateway.either
  step "http" "ask" {
    path = "/tea"
    match { host = "two.test" }
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    reply { optional = true }
  }
  expect "run" { status = "success" }
}
`)
	d.asks("https://one.test/tea", "").End(false)
	r, _ := d.run.Finish("")
	if want := `The nearest is "ask", and host is "one.test", not "two.test".`; len(r.Problems) == 0 || !strings.Contains(r.Problems[0].Message, want) {
		t.Errorf("%q is not in %v", want, r.Problems)
	}
}

// Shows that each attempt of a program says at which target it was, whatever became of it:
// what reads a trace finds the target of an end there.
func TestAttemptsOfProgramsHaveTargets(t *testing.T) {
	d := drivenBy(t, `provider "http" "web" { base_url = "https://web.test" }
scenario "s" {
  on "web" {
    fault "connection_reset" {}
    fault "http_error" {}
    reply { latency = "1m" }
    reply {}
  }
  expect "run" { status = "success" }
}
`)
	for _, left := range []bool{false, false, true, false} {
		d.asks("https://web.test/x", "").End(left)
	}
	r, _ := d.run.Finish("")
	seen := 0
	for _, e := range r.Events {
		if e.Attempt > 0 {
			if seen++; e.Target != "web" {
				t.Errorf("%s of attempt %d is at target %q", e.Type, e.Attempt, e.Target)
			}
		}
	}
	if seen < 8 {
		t.Errorf("%d events of attempts", seen)
	}
}

func bodyOf(t *testing.T, r *http.Request) []byte {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// Shows which of several endpoints is the nearest: the one that fits best, in whatever
// order they are declared and however deep in a body the difference is.
func TestTheNearestOfSeveral(t *testing.T) {
	const far = "endpoint \"far\" {\n  provider = provider.p\n  match {\n    method = \"PUT\"\n    json   = { a = { b = { c = 1 } } }\n  }\n}\n"
	const near = "endpoint \"near\" {\n  provider = provider.p\n  match {\n    method = \"GET\"\n    path   = \"/tee\"\n  }\n}\n"
	for _, declared := range []string{far + near, near + far} {
		got := nearOf(t, "provider \"http\" \"p\" { base_url = \"https://web.test\" }\n"+declared, func(d *driver) *Exchange { return d.asks("https://web.test/tea", "") })
		if want := `The nearest is "near", and path is "/tea", not "/tee".`; !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// Shows that a scenario which checks nothing breaks no_assertion where a program is
// started, and never in a session or a Go test, whose tests assert for themselves.
func TestWhereNothingIsAsserted(t *testing.T) {
	const source = "provider \"http\" \"web\" { base_url = \"https://web.test\" }\nscenario \"s\" {\n  on \"web\" {\n    reply {}\n  }\n}\n"
	for name, c := range map[string]struct {
		way  Way
		want string
	}{"exec": {Exec, "[no_assertion]"}, "serve": {Serve, "[]"}, "embedded": {Embedded, "[]"}} {
		t.Run(name, func(t *testing.T) {
			d := &driver{t, NewOutside(compileAt(t, "a.scenario.hcl", source)[0], OutsideOptions{Clock: wire.System(), Way: c.way})}
			x := d.asks("https://web.test/a", "")
			if x.Script().Status() != http.StatusOK {
				t.Errorf("answered with %d", x.Script().Status())
			}
			x.End(false)
			if r, _ := d.run.Finish(""); fmt.Sprint(gatesOf(r)) != c.want || (r.Verdict == Pass) != (c.want == "[]") {
				t.Errorf("%s %q, want %s", r.Verdict, gatesOf(r), c.want)
			}
		})
	}
}
