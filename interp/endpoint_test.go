package interp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

const endpointWorld = `
provider "openai" "llm" {}
provider "openai" "other" { model = "m" }
provider "http" "tickets" { base_url = "https://tickets.example" }
endpoint "create" {
  provider = provider.tickets
}
workflow "inside" {
  provider = provider.llm
  step "llm" "deep" { prompt = "b" }
}
workflow "w" {
  step "llm" "ask" {
    provider = provider.llm
    prompt   = "a"
  }
  step "value" "v" { value = 1 }
  step "workflow" "sub" { run = workflow.inside }
}
`

// endpointsOf are the endpoints of a plan, each with its provider; what a file
// declares has no mark.
func endpointsOf(p *Plan) string {
	var list []string
	for _, n := range plan.Inside(p).Endpoints {
		mark := ""
		if !n.Step.Endpoint.Declared {
			mark = " (step)"
		}
		list = append(list, fmt.Sprintf("%s at %s%s", n.Name, n.Step.Gateway.Targets[0].Provider.Name, mark))
	}
	return strings.Join(list, ", ")
}

// Shows which calls a program can make: those of the endpoint blocks, of the
// providers that nothing names, and of the steps that describe it. Where it
// takes no part there are none.
func TestEndpointsOfAScenario(t *testing.T) {
	for _, c := range []struct{ scenario, want string }{
		{"  on \"*\" {\n    fault \"http_error\" {}\n  }", "create at tickets, llm at llm, other at other"},
		{`run = workflow.w`, "create at tickets, other at other, ask at llm (step), sub.deep at llm (step)"},
		{`
  run = workflow.w
  call "c" {
    target = workflow.inside
  }`, ""},
	} {
		p := compileAt(t, "a.scenario.hcl", endpointWorld+"scenario \"s\" {\n"+c.scenario+"\n}\n")[0]
		if got := endpointsOf(p); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.scenario, got, c.want)
		}
	}
}

// Shows what becomes of the name of a provider that nothing names where a step has it:
// the workflow is run as ever, and describes no program.
func TestANameThatIsTaken(t *testing.T) {
	p := compileAt(t, "a.scenario.hcl", `provider "openai" "llm" {}
provider "http" "ask" { base_url = "https://ask.example" }
workflow "w" {
  provider = provider.llm
  step "llm" "ask" { prompt = "a" }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    reply { content = "b" }
  }
  expect "ask" { content = "b" }
}
`)[0]
	for _, w := range []Way{Exec, Serve, Embedded} {
		if got, want := p.Barred(w), `provider.ask, which no step names, would be an endpoint of the name of step "ask": declare `; !strings.HasPrefix(got, want) {
			t.Errorf("%s is barred by %q, want %q", w, got, want)
		}
	}
	if r := Run(p, RunOptions{}); r.Verdict != Pass {
		t.Errorf("%v", r.Problems)
	}
}

// Shows which ways a scenario has, and that running one that it does not have
// skips it.
func TestWaysOfAScenario(t *testing.T) {
	for _, c := range []struct {
		scenario string
		barred   []Way
	}{
		{"  on \"*\" {\n    fault \"http_error\" {}\n  }", []Way{Interpreted}},
		{`run = workflow.w`, nil},
		{`
  call "c" {
    target = workflow.inside
  }`, []Way{Exec, Serve, Embedded}},
	} {
		p := compileAt(t, "a.scenario.hcl", endpointWorld+"scenario \"s\" {\n"+c.scenario+"\n}\n")[0]
		var barred []Way
		for _, w := range plan.Ways() {
			if p.Barred(w) != "" {
				barred = append(barred, w)
			}
			if got := p.Stub(false).Barred(w); got != p.Barred(w) {
				t.Errorf("the stub says %q of %s", got, w)
			}
		}
		if diff := cmp.Diff(c.barred, barred); diff != "" {
			t.Errorf("%s\n%s", c.scenario, diff)
		}
		if r := Run(p, RunOptions{}); (r.Verdict == Skip) != slices.Contains(c.barred, Interpreted) {
			t.Errorf("%s\nended with %s", c.scenario, r.Verdict)
		}
	}
	p := compileAt(t, "a b.scenario.hcl", endpointWorld+"scenario \"s\" {\n  on \"llm\" {\n    fault \"http_error\" {}\n  }\n}\n")[0]
	if want := "the package scenariotest"; !strings.Contains(p.Barred(Interpreted), want) {
		t.Errorf("%q does not say what runs it: it misses %q", p.Barred(Interpreted), want)
	}
}

// Shows that a plan and its hash tell endpoints apart by all that a file says of
// them.
func TestEndpointsOfAPlan(t *testing.T) {
	const scenario = "scenario \"s\" {\n  on \"create\" {\n    fault \"http_error\" {}\n  }\n}\n"
	hashes := map[string]string{}
	for _, attrs := range []string{
		"provider = provider.tickets",
		"provider = provider.other",
		"provider = provider.tickets\n  lane = request.body",
		"provider = provider.tickets\n  concurrent = \"arrival\"",
		"provider = provider.tickets\n  match {\n    path = \"/a\"\n  }",
		"provider = provider.tickets\n  match {\n    path = \"/*\"\n  }",
		"provider = provider.tickets\n  match {\n    host = \"/*\"\n  }",
		"provider = provider.tickets\n  match {\n    condition = request.body == \"/a\"\n  }",
	} {
		p := compileAt(t, "a.scenario.hcl", strings.Replace(endpointWorld, "provider = provider.tickets", attrs, 1)+scenario)[0]
		if other := hashes[p.Hash()]; other != "" {
			t.Errorf("%q and %q have one hash", attrs, other)
		}
		hashes[p.Hash()] = attrs
		var doc struct{ Endpoints []map[string]any }
		if err := json.Unmarshal(p.JSON(), &doc); err != nil {
			t.Fatal(err)
		}
		if len(doc.Endpoints) != 3 || doc.Endpoints[0]["name"] != "create" && doc.Endpoints[0]["name"] != "llm" {
			t.Errorf("%q: %v", attrs, doc.Endpoints)
		}
	}
}

// written writes a match out, leaf by leaf.
func written(m *plan.Match) string {
	var list []string
	for _, l := range m.Leaves {
		op := "="
		if l.Pattern {
			op = "~"
		}
		list = append(list, strings.Join(l.Path, ".")+op+render.Value(l.Want, 100))
	}
	if m.Condition != nil {
		list = append(list, "if "+string(dsl.AppendSource(nil, m.Condition)))
	}
	return strings.Join(list, " ")
}

// Shows what a match block comes to, value by value, sorted by place, and what
// a request must have for a step that says nothing: the attributes that show on
// the wire, as far as they are known.
func TestMatches(t *testing.T) {
	const world = `
variable "tenant" { default = "acme" }
provider "openai" "llm" {}
provider "http" "web" { base_url = "https://web.example/v1" }
provider "mcp" "tools" { base_url = "https://tools.example/mcp" }
provider "sql" "db" { base_url = "postgres://db.example/d" }
endpoint "all" {
  provider = provider.web
  match {
    method    = "post"
    path      = "/${var.tenant}/*"
    query     = { page = 2, old = null }
    headers   = { X-Tenant = var.tenant }
    host      = "web.example"
    json      = { user = { id = 7, tags = ["a*", true, null] } }
    condition = request.json.user.name != null
  }
}
endpoint "model" {
  provider = provider.llm
  match {
    model  = "gpt-*"
    prompt = "why?"
    stream = true
    turn   = 2
  }
}
endpoint "insert" {
  provider = provider.db
  match {
    statement = "INSERT INTO t *"
  }
}
workflow "w" {
  inputs = { id = 1 }
  step "http" "get" {
    provider = provider.web
    path     = "tickets/${input.id}?full=1"
  }
  step "http" "put" {
    provider = provider.web
    method   = "put"
    path     = "/${var.tenant}"
  }
  step "http" "computed" {
    provider = provider.web
    method   = input.id
    path     = input.id
    match {
      path = "/c"
    }
  }
  step "llm" "ask" {
    provider = provider.llm
    model    = "gpt-4o"
    prompt   = "What is ${input.id}?"
  }
  step "llm" "again" {
    provider = provider.llm
    prompt   = "2 * 3"
  }
  step "llm" "third" {
    provider = provider.llm
    messages = [{ role = "user", content = "a" }]
  }
  step "mcp" "read" {
    provider = provider.tools
    resource = "file:///a"
  }
  step "mcp" "list" {
    provider = provider.tools
    list     = "tools"
  }
  step "sql" "select" {
    provider = provider.db
    query    = "SELECT 1"
  }
}
scenario "s" {
  run = workflow.w
}
`
	want := map[string]string{
		"all":      `headers.x-tenant="acme" host="web.example" json.user.id=7 json.user.tags.0~"a*" json.user.tags.1=true json.user.tags.2=null method="POST" path~"/acme/*" query.old=null query.page="2" if request.json.user.name != null`,
		"model":    `model~"gpt-*" prompt="why?" stream=true turn=2`,
		"insert":   `statement~"INSERT INTO t *"`,
		"get":      `method="GET" path~"/tickets/*"`,
		"put":      `method="PUT" path="/acme"`,
		"computed": `path="/c"`,
		"ask":      `model="gpt-4o" prompt~"What is *?"`,
		"again":    `prompt="2 * 3"`,
		"third":    ``,
		"read":     `tool="file:///a"`,
		"list":     `method="tools/list"`,
		"select":   `statement="SELECT 1"`,
	}
	p := compileAt(t, "a.scenario.hcl", world)[0]
	got := map[string]string{}
	for _, n := range plan.Inside(p).Endpoints {
		got[n.Name] = written(&n.Step.Endpoint.Match)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if why := p.Barred(Exec); why != "" {
		t.Errorf("barred: %s", why)
	}
}

// Shows that a workflow describes no program where two of its steps would get
// the same requests, that a match block tells them apart, and that an entry for
// one iteration is nothing for a program.
func TestWhatDescribesNoProgram(t *testing.T) {
	const world = `
provider "openai" "llm" {}
workflow "w" {
  provider = provider.llm
  inputs   = { a = "a" }
  step "llm" "one" { prompt = input.a }
  step "llm" "two" {
    prompt = "${input.a}"
    $MATCH
  }
}
scenario "s" {
  run = workflow.w
  on "one" {
    reply {
      content   = "b"
      $ITERATION
    }
  }
}
`
	for _, c := range []struct{ match, iteration, want string }{
		{"", "", `the steps "one" and "two" would get the same requests of a program`},
		{"match {\n      prompt = \"b\"\n    }", "", ""},
		{"match {\n      prompt = \"b\"\n    }", "iteration = 2", "the entry at line 17 is for one iteration"},
	} {
		src := strings.NewReplacer("$MATCH", c.match, "$ITERATION", c.iteration).Replace(world)
		p := compileAt(t, "a.scenario.hcl", src)[0]
		for _, w := range []Way{Exec, Serve, Embedded} {
			if got := p.Barred(w); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("%q %q: %s is barred by %q, want %q", c.match, c.iteration, w, got, c.want)
			}
		}
		if why := p.Barred(Interpreted); why != "" {
			t.Errorf("barred: %s", why)
		}
	}
}

// Shows which part of a check each way does not observe.
func TestUnseen(t *testing.T) {
	const world = `
provider "openai" "llm" {}
provider "http" "web" { base_url = "https://web.example/v1" }
breaker "b" {}
gateway "g" {
  target "t" {
    provider = provider.llm
    breaker  = breaker.b
  }
}
workflow "inside" {
  gateway = gateway.g
  step "llm" "deep" { prompt = "b" }
}
workflow "w" {
  gateway = gateway.g
  step "llm" "ask" { prompt = "a" }
  step "value" "v" { value = 1 }
  step "workflow" "sub" { run = workflow.inside }
}
scenario "s" {
  run = workflow.w
  assert "a" {
    condition = $CONDITION
  }
}
`
	for condition, want := range map[string]plan.Unseen{
		`step.ask.status == "success"`:                                        {},
		`step.ask.attempts[0].at_ms == 0`:                                     {},
		`step.sub.deep.content == "a"`:                                        {},
		`run.status == "success"`:                                             {},
		`metric("scenario_attempts_total") == 1`:                              {},
		`metric("scenario_retries_total") == 0`:                               {Driven: `metric("scenario_retries_total")`},
		`metrics("scenario_breaker_state") == []`:                             {Driven: `metrics("scenario_breaker_state")`},
		`events({ type = "fault" }) == []`:                                    {},
		`events({ type = "breaker", target = "t" }) == []`:                    {Driven: `events({ type = "breaker" })`},
		`alltrue([for e in events({ "type" = "retry_wait" }) : e.at_ms > 0])`: {Driven: `events({ type = "retry_wait" })`},
		`breaker.t.state == "closed"`:                                         {Driven: "breaker.t"},
		`step.ask.status == "success" && target.t.attempts != []`:             {Driven: "target.t"},
		`alltrue([for s in steps : s.status == "success"])`:                   {Driven: "steps"},
		`step.v.output == 1`:                                                  {Driven: "step.v"},
		`step.sub.status == "success"`:                                        {Driven: "step.sub"},
		`step.sub.deep.stop == null`:                                          {Driven: "step.sub.deep.stop"},
		`length(step.ask.rejections) == 0`:                                    {Driven: "step.ask.rejections"},
		`run.output == 1`:                                                     {Driven: "run.output"},
		`endpoint.web.status == "success"`:                                    {Interpreted: "endpoint.web"},
		`endpoint.web.retries == 1 && gateway.g.decisions == []`:              {Interpreted: "endpoint.web", Driven: "gateway.g"},
	} {
		p := plan.Inside(compileAt(t, "a.scenario.hcl", strings.Replace(world, "$CONDITION", condition, 1))[0])
		if got := p.Asserts[0].Unseen; got != want {
			t.Errorf("%s\n got %+v\nwant %+v", condition, got, want)
		}
	}
	for expect, want := range map[string]plan.Unseen{
		`expect "run" { status = "success" }`: {},
		`expect "ask" { status = "success" }`: {},
		`expect "ask" { stop = null }`:        {Driven: "step.ask.stop"},
		`expect "v" { output = 1 }`:           {Driven: "step.v"},
		`expect "web" { status = "success" }`: {Interpreted: "endpoint.web"},
		`expect "sub" { status = "success" }`: {Driven: "step.sub"},
	} {
		src := strings.Replace(world, "assert \"a\" {\n    condition = $CONDITION\n  }", expect, 1)
		p := plan.Inside(compileAt(t, "a.scenario.hcl", src)[0])
		if got := p.Expects[0].Unseen[p.Expects[0].Attrs[0].Name]; got != want {
			t.Errorf("%s\n got %+v\nwant %+v", expect, got, want)
		}
	}
}

// Shows that expect blocks name connections as conditions do: a Go test has those of a
// database, which is dialled, and none of what it asks over a transport.
func TestConnectionsOfExpectedEndpoints(t *testing.T) {
	const world = `
provider "http" "web" { base_url = "http://web.example" }
provider "sql" "stock" {}
scenario "s" {
  expect "web" {
    connections = 1
    retries     = 0
  }
  expect "stock" { connections = 1 }
}
`
	p := plan.Inside(compileAt(t, "a.scenario.hcl", world)[0])
	for i, want := range []map[string]string{
		{"connections": "endpoint.web.connections", "retries": ""},
		{"connections": ""},
	} {
		for name, part := range want {
			u := p.Expects[i].Unseen[name]
			if got := u.In(Embedded); got != part || u.In(Exec) != "" || u.In(Serve) != "" {
				t.Errorf("%s of %s: a Go test does not observe %q, want %q (%+v)", name, p.Expects[i].Address, got, part, u)
			}
		}
	}
}

// Shows that what the scripts of endpoints say is not asked of a run of the
// workflow, which never reaches them.
func TestScriptsOfEndpointsAreNotJudgedInARun(t *testing.T) {
	const world = `
provider "openai" "llm" {}
provider "http" "web" { base_url = "https://web.example/v1" }
workflow "w" {
  provider = provider.llm
  step "llm" "ask" { prompt = "a" }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    reply { content = "b" }
  }
  on "web" {
    fault "connection_reset" {}
    reply { status_code = 200 }
  }
  expect "run" { status = "success" }
}
`
	r := Run(compileAt(t, "a.scenario.hcl", world)[0], RunOptions{})
	if r.Verdict != Pass {
		t.Errorf("%s: %v", r.Verdict, r.Problems)
	}
}

// Shows that a step says of itself as an endpoint what it says of its requests,
// that the plan's hash knows it, and that a run of the workflow does not change.
func TestEndpointsOfSteps(t *testing.T) {
	const world = `
provider "openai" "llm" {}
workflow "w" {
  provider = provider.llm
  step "llm" "ask" {
    prompt = "a"
    $WORDS
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    reply { content = "b" }
  }
  expect "ask" { content = "b" }
}
`
	hashes := map[string]string{}
	for words, want := range map[string]string{
		"":                            " ",
		"lane = request.body":         " request.body",
		"lane = request.model":        " request.model",
		"match {\n model = \"a\"\n }": `model="a" `,
		"match {\n model = \"b\"\n }": `model="b" `,
	} {
		p := compileAt(t, "a.scenario.hcl", strings.Replace(world, "$WORDS", words, 1))[0]
		e := plan.Inside(p).Endpoints[0].Step.Endpoint
		got := written(&e.Match) + " "
		if e.Lane != nil {
			got += string(dsl.AppendSource(nil, e.Lane))
		}
		if got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
		if other, twice := hashes[p.Hash()]; twice {
			t.Errorf("%q and %q have one hash", words, other)
		}
		hashes[p.Hash()] = words
		if r := Run(p, RunOptions{}); r.Verdict != Pass {
			t.Errorf("%q: %v", words, r.Problems)
		}
	}
}

const sutWorld = `
provider "openai" "llm" { base_url_env = "MY_LLM" }
provider "sql" "db" { base_url = "postgres://db.example/d" }
provider "mcp" "tools" { command = ["tools"] }
provider "http" "app" { base_url = "http://app.example/v1" }
workflow "w" {
  provider = provider.app
  step "http" "ask" { path = "/ask" }
}
`

// Shows what a sut block comes to, that every word of it is in the plan and in
// its hash, and which ways its scenario has.
func TestSut(t *testing.T) {
	full := `
  sut {
    command      = ["python3", "agent.py", provider.llm.url, sut.port]
    dir          = "agent"
    env          = { URL = provider.llm.url, DSN = provider.db.dsn, TOOLS = jsonencode(provider.tools.command) }
    stdin        = "why?"
    timeout      = "30s"
    time_scale   = 2
    until        = endpoint.llm.attempts != []
    settle       = "1s"
    stop_timeout = "2s"
    allow_hosts  = ["metrics.example:443", "*.example:*"]
    telemetry    = false
    ready {
      log     = "^ready$"
      timeout = "3s"
    }
  }
  expect "run" { status = "success" }
`
	compiled := func(body string) *Plan {
		t.Helper()
		return compileAt(t, "a.scenario.hcl", sutWorld+"scenario \"s\" {"+body+"}\n")[0]
	}
	p := compiled(full)
	s := plan.Inside(p).Sut
	got := []any{s.Dir, s.Timeout, s.TimeScale, s.Settle, s.StopTimeout, s.AllowHosts, s.Telemetry, *s.Ready, string(dsl.AppendSource(nil, s.Until.Condition)), s.Serves == nil}
	want := []any{"agent", 30 * time.Second, 2.0, time.Second, 2 * time.Second, []string{"metrics.example:443", "*.example:*"}, false, plan.Ready{Log: "^ready$", Timeout: 3 * time.Second}, "endpoint.llm.attempts != []", true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := p.Barred(Interpreted); got == "" || p.Barred(Exec)+p.Barred(Serve)+p.Barred(Embedded) != "" {
		t.Errorf("interpreted is barred by %q, exec by %q", got, p.Barred(Exec))
	}
	hashes := map[string]string{p.Hash(): "all of it"}
	for _, line := range strings.Split(full, "\n") {
		name, _, isAttr := strings.Cut(strings.TrimSpace(line), " ")
		if !isAttr || name == "ready" || name == "sut" || name == "expect" || name == "log" {
			continue
		}
		p := compiled(strings.Replace(full, line+"\n", "", 1))
		if other, twice := hashes[p.Hash()]; twice {
			t.Errorf("without %s the hash is that of %s", name, other)
		}
		hashes[p.Hash()] = "no " + name
	}
	defaults := plan.Inside(compiled("\n  sut {}\n  expect \"run\" { status = \"success\" }\n")).Sut
	if got := []any{defaults.Timeout, defaults.TimeScale, defaults.Settle, defaults.StopTimeout, defaults.Ready == nil, defaults.Telemetry, defaults.Metrics}; !cmp.Equal(got, []any{time.Minute, 1.0, time.Duration(0), 5 * time.Second, true, true, ""}) {
		t.Errorf("the defaults are %v", got)
	}

	served := compiled(`
  run = workflow.w
  sut {
    serves  = provider.app
    metrics = "/metrics"
    ready {
      path   = "/health"
      status = 204
    }
  }
  on "llm" {
    reply { content = "a" }
  }
  assert "orders" { condition = sut.metric("orders_total") == 1 }
  expect "ask" { status = "success" }
`)
	in := plan.Inside(served)
	if in.Sut.Serves.Name != "app" || in.Sut.Ready.Path != "/health" || in.Sut.Ready.Status != 204 || in.Sut.Metrics != "/metrics" || !served.AsksProgram() || p.AsksProgram() {
		t.Errorf("%+v", in.Sut)
	}
	if got := endpointsOf(served); got != "llm at llm, db at db, tools at tools" {
		t.Errorf("the endpoints of a server's scenario are %s", got)
	}
	if served.Barred(Exec) != "" || served.Barred(Interpreted) == "" || served.Barred(Serve) == "" || served.Barred(Embedded) == "" {
		t.Error("a server is driven by exec alone")
	}
	if in.Expects[0].Unseen != nil {
		t.Errorf("what drives a server is observed: %v", in.Expects[0].Unseen)
	}
}

// Shows that a plan has the variable that tells a program where a provider is.
func TestProviderVariables(t *testing.T) {
	with := compileAt(t, "a.scenario.hcl", sutWorld+"scenario \"s\" {\n  expect \"llm\" { status = \"success\" }\n}\n")[0]
	without := compileAt(t, "a.scenario.hcl", strings.Replace(sutWorld, "base_url_env = \"MY_LLM\"", "", 1)+"scenario \"s\" {\n  expect \"llm\" { status = \"success\" }\n}\n")[0]
	if got := plan.Inside(with).Endpoints[0].Step.Gateway.Targets[0].Provider.AddressEnv; got != "MY_LLM" {
		t.Errorf("the variable is %q", got)
	}
	if with.Hash() == without.Hash() {
		t.Error("the hash does not know it")
	}
}
