package sut_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/scenario-lang/scenario/internal/serve"
	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/scenariotest"
)

// fourServices is a scenario with a step for each kind of service, that a workflow and a
// program can both ask, and with a service that only a program asks.
const fourServices = `
provider "openai" "llm" {}
provider "http" "web" { base_url = "https://web.example/v1" }
provider "mcp" "tools" { base_url = "https://tools.example/mcp" }
provider "sql" "stock" { base_url = "postgres://app@stock.example/stock" }
provider "http" "other" { base_url = "https://other.example" }
endpoint "aside" { provider = provider.other }

registry "names" {}
lock "till" {}
actor "shop" {
  handler "buy" { return = 1 }
}
breaker "patient" { threshold = 3 }
gateway "models" {
  target "main" {
    provider = provider.llm
    breaker  = breaker.patient
  }
}

workflow "w" {
  output = step.sum.output
  step "llm" "ask" {
    gateway = gateway.models
    prompt  = "why?"
  }
  step "http" "look" {
    provider = provider.web
    path     = "/x"
  }
  step "mcp" "find" {
    provider = provider.tools
    tool     = "find"
  }
  step "sql" "count" {
    provider = provider.stock
    query    = "select n from stock"
  }
  step "value" "sum" { value = 1 }
}

scenario "s" {
  run = workflow.w
  sut {
    command = ["program"]
    env     = { LLM = provider.llm.url, WEB = provider.web.url, TOOLS = provider.tools.url, STOCK = provider.stock.dsn, OTHER = provider.other.url }
  }
  on "ask" {
    reply { content = "because" }
  }
  on "look" {
    reply { json = { a = 1 } }
  }
  on "find" {
    reply { content = "tea.md" }
  }
  on "count" {
    reply { rows = [{ n = 7 }] }
  }
  on "aside" {
    reply {}
  }
%s}
`

// Who observes what is read of a run: scenario test, exec, a session of serve, a Go test.
const (
	everywhere = "test exec serve go"
	asProgram  = "exec serve go"
	asWorkflow = "test"
	asStarted  = "exec"
	// overSockets is what a Go test does not have where it asks over a transport.
	overSockets = "exec serve"
)

// observers are conditions that hold in each run, with who observes them. Those of %s are
// asked of each step that dials.
var observers = map[string]string{
	`step.%s.status == "success"`:                           everywhere,
	`step.%s.retries == 0`:                                  everywhere,
	`step.%s.delays_ms == []`:                               everywhere,
	`step.%s.error == null`:                                 everywhere,
	`step.%s.started_ms != null`:                            everywhere,
	`step.%s.ended_ms != null`:                              everywhere,
	`step.%s.elapsed_ms != null`:                            everywhere,
	`step.%s.target != null`:                                everywhere,
	`step.%s.provider != null`:                              everywhere,
	`step.%s.cost_usd == 0`:                                 everywhere,
	`length(step.%s.attempts) == 1`:                         everywhere,
	`step.%s.attempts[0].outcome == "success"`:              everywhere,
	`step.%s.attempts[0].n == 1`:                            everywhere,
	`step.%s.attempts[0].round == 1`:                        everywhere,
	`within(step.%s.attempts[0].at_ms, 0, 60000)`:           everywhere,
	`step.%s.attempts[0].ended_at_ms != null`:               everywhere,
	`step.%s.attempts[0].fault == null`:                     everywhere,
	`step.%s.attempts[0].target != null`:                    everywhere,
	`step.%s.attempts[0].request != null`:                   everywhere,
	`step.%s.attempts[0].response != null`:                  everywhere,
	`length(step.%s.calls) == 1`:                            asProgram,
	`step.%s.calls[0].status == "success"`:                  asProgram,
	`length(step.%s.lanes) == 1`:                            asProgram,
	`step.%s.in_flight_max == 1`:                            asProgram,
	`step.ask.connections == 1`:                             overSockets,
	`step.ask.attempts[0].connection > 0`:                   overSockets,
	`step.look.attempts[0].reused != null`:                  overSockets,
	`step.find.attempts[0].connection > 0`:                  overSockets,
	`step.count.connections == 1`:                           asProgram,
	`endpoint.aside.connections == 1`:                       overSockets,
	`step.%s.attempts[0].lane == ""`:                        asProgram,
	`step.%s.attempts[0].call == 1`:                         asProgram,
	`step.%s.attempts[0].ended_by == "server"`:              asProgram,
	`step.%s.attempts[0].sent_bytes > 0`:                    asProgram,
	`step.count.attempts[0].connection > 0`:                 asProgram,
	`step.count.attempts[0].reused == false`:                asProgram,
	`step.%s.rejections == []`:                              asWorkflow,
	`step.%s.stop == null`:                                  asWorkflow,
	`step.%s.skipped_reason == null`:                        asWorkflow,
	`step.%s.replaced_by == null`:                           asWorkflow,
	`step.%s.output != null`:                                asWorkflow,
	`step.%s.attempts[0].iteration == null`:                 asWorkflow,
	`step.ask.content == "because"`:                         everywhere,
	`step.ask.finish_reason == "stop"`:                      everywhere,
	`step.ask.tool_calls == []`:                             everywhere,
	`step.ask.usage.completion_tokens > 0`:                  everywhere,
	`step.ask.model != null`:                                everywhere,
	`step.ask.attempts[0].turn == 1`:                        everywhere,
	`step.ask.turns == 1`:                                   asWorkflow,
	`step.ask.attempts[0].trace_id == "` + traceOf + `"`:    asProgram,
	`step.look.status_code == 200`:                          everywhere,
	`step.look.json.a == 1`:                                 everywhere,
	`step.look.body != ""`:                                  everywhere,
	`step.look.headers.content-type != ""`:                  everywhere,
	`step.look.attempts[0].status_code == 200`:              everywhere,
	`step.find.content == "tea.md"`:                         everywhere,
	`step.find.is_error == false`:                           everywhere,
	`step.find.result != null`:                              everywhere,
	`step.count.rows[0].n == 7`:                             everywhere,
	`step.count.affected == 1`:                              everywhere,
	`run.status == "success"`:                               everywhere,
	`run.cost_usd == 0`:                                     everywhere,
	`length(events({ type = "fault" })) == 0`:               everywhere,
	`metric("scenario_attempts_total") >= 4`:                everywhere,
	`endpoint.aside.status == "success"`:                    asProgram,
	`endpoint.aside.status_code == 200`:                     asProgram,
	`alltrue([for e in endpoints : e.status == "success"])`: asProgram,
	`run.output != null`:                                    asWorkflow,
	`breaker.main.state == "closed"`:                        asWorkflow,
	`length(target.main.attempts) == 1`:                     asWorkflow,
	`length(gateway.models.decisions) == 1`:                 asWorkflow,
	`actor.shop.status == "running"`:                        asWorkflow,
	`lock.till.waits == []`:                                 asWorkflow,
	`registry.names.log == []`:                              asWorkflow,
	`length(steps) == 5`:                                    asWorkflow,
	`step.sum.output == 1`:                                  asWorkflow,
	`events({ type = "retry_wait" }) == []`:                 asWorkflow,
	`metric("scenario_retries_total") == 0`:                 asWorkflow,
	`sut.exit_code == 0`:                                    asStarted,
	`sut.signal == null`:                                    asStarted,
	`strcontains(sut.stdout, "asked all")`:                  asStarted,
	`sut.refused_hosts == []`:                               asStarted,
	`sut.ready_ms != null`:                                  asStarted,
	`sut.exit_code == 0 && length(steps) == 5`:              "",
}

const traceOf = "0af7651916cd43dd8448eb211c80319c"

// observed are the conditions by themselves.
func observed() map[string]string {
	all := map[string]string{}
	for condition, by := range observers {
		if !strings.Contains(condition, "%s") {
			all[condition] = by
			continue
		}
		for _, step := range []string{"ask", "look", "find", "count"} {
			all[strings.ReplaceAll(condition, "%s", step)] = by
		}
	}
	return all
}

// An asker asks all services once, at these addresses. The database is dialled so.
type asker struct {
	client                        *http.Client
	llm, web, tools, stock, other string
	dial                          pgconn.DialFunc
}

func (a *asker) ask(ctx context.Context) error {
	const call = `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find", "arguments": {}}}`
	for _, r := range []struct{ method, url, body string }{
		{http.MethodPost, a.llm + "/chat/completions", `{"model": "m", "messages": [{"role": "user", "content": "why?"}]}`},
		{http.MethodGet, a.web + "/x", ""},
		{http.MethodPost, a.tools, call},
		{http.MethodGet, a.other + "/y", ""},
	} {
		req, err := http.NewRequestWithContext(ctx, r.method, r.url, strings.NewReader(r.body))
		if err != nil {
			return err
		}
		for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Traceparent": "00-" + traceOf + "-b7ad6b7169203331-01"} {
			req.Header.Set(name, value)
		}
		resp, err := a.client.Do(req)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: %s %s %w", r.url, resp.Status, text, err)
		}
	}
	config, err := pgconn.ParseConfig(a.stock)
	if err != nil {
		return err
	}
	if a.dial != nil {
		config.DialFunc = a.dial
		config.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil }
	}
	c, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer c.Close(ctx)
	return c.ExecParams(ctx, "select n from stock", nil, nil, nil, nil).Read().Err
}

// Shows in each way of running, with steps of all kinds of services, that a condition about
// something is either observed, and holds, or listed as not observed: by scenario test,
// with a program over sockets, in a session of serve, and in a Go test. None is null
// without a word.
func TestEachWayObserves(t *testing.T) {
	if os.Getenv(asksAll) != "" {
		at := asker{&http.Client{}, os.Getenv("LLM"), os.Getenv("WEB"), os.Getenv("TOOLS"), os.Getenv("STOCK"), os.Getenv("OTHER"), nil}
		if err := at.ask(t.Context()); err != nil {
			t.Fatal(err)
		}
		fmt.Println("asked all")
		return
	}
	all := observed()
	var asserts strings.Builder
	for condition := range all {
		fmt.Fprintf(&asserts, "  assert %s { condition = %s }\n", strconv.Quote(strings.ReplaceAll(condition, "${", "$${")), condition)
	}
	path := filepath.Join(t.TempDir(), "a.scenario.hcl")
	if err := os.WriteFile(path, fmt.Appendf(nil, fourServices, asserts.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	plan := planOf(t, path)
	check := func(t *testing.T, way string, notObserved []string) {
		t.Helper()
		not := map[string]string{}
		for _, line := range notObserved {
			quoted, err := strconv.QuotedPrefix(strings.TrimPrefix(line, "assert "))
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			name, err := strconv.Unquote(quoted)
			if err != nil {
				t.Fatal(err)
			}
			not[name] = line
		}
		for condition, by := range all {
			if line, unseen := not[condition]; unseen == slices.Contains(strings.Fields(by), way) {
				t.Errorf("%s is not observed: %t (%s)", condition, unseen, line)
			}
		}
	}
	judged := func(t *testing.T, way string, r *interp.Result) {
		t.Helper()
		for _, p := range r.Problems {
			t.Errorf("%s %s: %s", p.Kind, p.Name, p.Message)
		}
		var list []string
		for _, u := range r.Unseen {
			list = append(list, u.Kind+" "+strconv.Quote(u.Name)+": "+u.What)
		}
		check(t, way, list)
	}
	t.Run("test", func(t *testing.T) { judged(t, "test", interp.Run(plan, interp.RunOptions{})) })
	t.Run("exec", func(t *testing.T) {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		r := sut.Play(plan, sut.Options{
			Command: []string{self, "-test.run=^TestEachWayObserves$"}, WorkingDir: t.TempDir(), Environment: append(os.Environ(), asksAll+"=1"),
		})
		judged(t, "exec", r.Result)
	})
	t.Run("serve", func(t *testing.T) {
		var result *interp.Result
		s, err := serve.Listen(serve.Options{Plans: []*interp.Plan{plan}, Env: os.LookupEnv, OnJudged: func(j serve.Judged) { result = j.Result }})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		p := s.Addresses().Providers
		client := &http.Client{Transport: &http.Transport{}}
		defer client.CloseIdleConnections()
		at := asker{client, p["llm"], p["web"], p["tools"], p["stock"], p["other"], nil}
		if err := at.ask(t.Context()); err != nil {
			t.Error(err)
		}
		s.Finish()
		judged(t, "serve", result)
	})
	t.Run("go", func(t *testing.T) {
		scenariotest.Run(t, path, func(t *testing.T, s *scenariotest.Scenario) {
			at := asker{s.Client(), "https://api.openai.com/v1", "https://web.example/v1", "https://tools.example/mcp", "postgres://app@stock.example/stock?sslmode=disable", "https://other.example", s.DialContext}
			if err := at.ask(t.Context()); err != nil {
				t.Error(err)
			}
			check(t, "go", s.Result().NotObserved())
		})
	})
}

// asksAll makes a test the program.
const asksAll = "SUT_TEST_ASKS_ALL"
