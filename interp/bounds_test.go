package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/schema"
)

// boundWorlds are scenarios with a place for a check, of steps, statements, tools, actors,
// benches, loops and gateways.
var boundWorlds = map[string]string{
	"http": `
provider "http" "api" { base_url = "https://api.test" }
provider "http" "other" { base_url = "https://other.test" }
retry "linear" "twice" {
  delay       = "1s"
  max_retries = 2
}
gateway "g" {
  target "one" { provider = provider.api }
  target "two" { provider = provider.other }
}
workflow "w" {
  gateway = gateway.g
  step "http" "a" {
    method          = "POST"
    path            = "/a"
    json            = { x = 1 }
    retry           = retry.twice
    idempotent      = true
    attempt_timeout = "10s"
  }
  step "http" "b" {
    path    = "/b"
    query   = { q = step.a.json.id }
    timeout = "30s"
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    fault "http_error" {
      status_code = 503
      times       = 4
    }
    reply {
      json    = { id = 7 }
      latency = "1s"
    }
  }
  on "b" {
    reply {
      json    = { ok = true }
      latency = "2s"
    }
  }
  assert "x" { condition = %s }
}
`,
	"sql": `
provider "sql" "shop" { base_url = "postgres://app@db.example:5432/shop" }
workflow "w" {
  provider = provider.shop
  step "sql" "low" { query = "select sku from stock" }
  step "sql" "ordered" {
    query = "insert into orders (sku) values ($1)"
    args  = [step.low.rows[0].sku]
  }
}
scenario "s" {
  run = workflow.w
  on "low" {
    reply { rows = [{ sku = "a" }] }
  }
  on "ordered" {
    reply { affected = 1 }
  }
  assert "x" { condition = %s }
}
`,
	"mcp": `
provider "mcp" "files" { base_url = "https://files.example.com/mcp" }
retry "linear" "patient" {
  delay       = "1s"
  max_retries = 3
}
workflow "w" {
  provider = provider.files
  step "mcp" "search" {
    tool       = "search"
    arguments  = { query = "x" }
    retry      = retry.patient
    idempotent = true
  }
}
scenario "s" {
  run = workflow.w
  on "search" {
    fault "http_error" { status_code = 503 }
    reply { structured = { hits = ["a", "b"] } }
  }
  assert "x" { condition = %s }
}
`,
	"actors": `
registry "services" {}
actor "health" {
  registry = registry.services
  pool "db" { size = 2 }
  module "core" {}
  handler "trigger" {
    takes  = "5s"
    uses   = ["db"]
    return = { ok = true }
  }
}
actor "desk" {
  registry = registry.services
  handler "go" { forward_to = actor.health.trigger }
}
scenario "s" {
  call "c" {
    target = actor.desk.go
    at     = ["1s", "2s"]
  }
  call "d" {
    target = actor.health.trigger
    at     = "1s"
  }
  assert "x" { condition = %s }
}
`,
	"chaos": `
registry "services" {}
actor "health" {
  registry = registry.services
  module "core" {}
  handler "trigger" { takes = "5s" }
}
scenario "s" {
  call "d" {
    target = actor.health.trigger
    at     = "1s"
  }
  event "kill" {
    at   = "2s"
    kill = actor.health
  }
  event "restart" {
    at      = "3s"
    restart = actor.health
  }
  expect "d" {
    status = "failed"
    error  = { kind = "target_unavailable" }
  }
  call "e" {
    target = actor.health.trigger
    at     = "10s"
  }
  assert "x" { condition = %s }
}
`,
	"bench": `
bench "b" {
  breakdown_keys = ["label"]
  trials         = 2
  gate "silver" { lower_bound = 0.1 }
  lower_bound { min_cases = 1 }
}
scenario "s" {
  run = bench.b
  case "a" {
    sut { output = { label = "x" } }
    rubric {
      passed    = true
      score     = 1
      breakdown = { label = 1 }
    }
  }
  case "c" {
    sut { output = { label = "x" } }
    rubric {
      passed    = false
      score     = 0.5
      breakdown = { label = 0.25 }
    }
  }
  assert "x" { condition = %s }
}
`,
	"loop": `
provider "openai" "m" { model = "x" }
workflow "w" {
  provider = provider.m
  step "loop" "l" {
    while          = step.review.content != "good"
    max_iterations = 5
    step "llm" "draft" { prompt = "d ${loop.index}" }
    step "llm" "review" { prompt = "r ${step.draft.content}" }
  }
}
scenario "s" {
  run = workflow.w
  on "l.draft" {
    reply { content = "first" }
    reply { content = "second" }
  }
  on "l.review" {
    reply { content = "bad" }
    reply { content = "good" }
  }
  assert "x" { condition = %s }
}
`,
}

// Shows that a condition which every value meets that the language or the file allows shows
// nothing, however it says so: by what a number is, by a limit of the file such as
// max_retries, by all targets or words that there are, by what every run's log has; and that
// one which leaves some of these out does, or which rests on what nothing bounds.
func TestBoundsByDefinition(t *testing.T) {
	for _, c := range []struct {
		world, condition string
		shows            bool
	}{
		{"http", `step.a.retries <= 2`, false},
		{"http", `step.a.retries < 3`, false},
		{"http", `!(step.a.retries > 2)`, false},
		{"http", `step.a.retries <= 1 || step.a.retries == 2`, false},
		{"http", `step.a.retries != 7`, false},
		{"http", `step.a.retries >= 1`, true},
		{"http", `step.a.retries < 3 && step.a.retries > 1`, true},
		{"http", `step.a.retries != 1`, true},
		{"http", `step.a.retries == 2`, true},
		{"http", `length(step.a.attempts) >= 1`, false},
		{"http", `length(step.b.attempts) >= 1`, true},
		{"http", `step.b.retries == null || length(step.b.attempts) == 1`, true},
		{"http", `length(step.a.attempts) <= 6`, false},
		{"http", `length(step.a.attempts) < 7`, false},
		{"http", `length(step.a.attempts) <= 5`, true},
		{"http", `length(step.a.attempts) != 4`, true},
		{"http", `length(step.a.delays_ms) <= 2`, false},
		{"http", `step.a.delays_ms != [1000, 2000]`, true},
		{"http", `sum(step.a.delays_ms) != 1234`, true},
		{"http", `step.b.ended_ms - step.b.started_ms != 1234`, true},
		{"http", `sum(step.a.delays_ms) <= 100000`, true},
		{"http", `run.partial.completion_ratio <= 1`, false},
		{"http", `run.partial.completion_ratio >= 0`, false},
		{"http", `run.partial.completion_ratio > 0.5`, true},
		{"http", `length(run.partial.completed_steps) <= 2`, false},
		{"http", `length(run.partial.completed_steps) >= 1`, true},
		{"http", `alltrue([for a in step.a.attempts : a.round >= 1])`, false},
		{"http", `alltrue([for a in step.a.attempts : a.round <= 3])`, false},
		{"http", `alltrue([for a in step.a.attempts : a.n <= 5])`, true},
		{"http", `[for a in step.a.attempts : a if a.elapsed_ms > 10000] == []`, false},
		{"http", `[for a in step.a.attempts : a if a.elapsed_ms > 9000] == []`, true},
		{"http", `alltrue([for a in step.a.attempts : a.status_code == null || a.status_code < 600])`, false},
		{"http", `alltrue([for a in step.a.attempts : a.status_code == null || a.status_code < 599])`, true},
		{"http", `alltrue([for a in step.a.attempts : a.error != null || a.n <= 6])`, false},
		{"http", `anytrue([for a in step.a.attempts : a.status_code != null])`, true}, // none may have been answered
		{"http", `length([for a in step.a.attempts : a if a.error != null]) <= 4`, true},
		{"http", `alltrue([for a in step.a.attempts : contains(["one", "two"], a.target)])`, false},
		{"http", `alltrue([for a in step.a.attempts : a.target == "one" || a.target == "two"])`, false},
		{"http", `alltrue([for a in step.a.attempts : a.provider == "api" || a.provider == "other"])`, false},
		{"http", `step.b.elapsed_ms <= 30000`, false},
		{"http", `step.b.elapsed_ms <= 29000`, true},
		{"http", `run.elapsed_ms <= 30000`, true},
		{"http", `run.usage.total_tokens >= 0`, false},
		{"http", `step.a.status != null`, false},
		{"http", `step.a.output != null`, true},
		{"http", `run.elapsed_ms < 100000`, true},
		{"http", `length(run.lifecycle) > 0`, false},
		{"http", `step.b.started_ms >= step.a.ended_ms`, true},
		{"http", `events()[0].type == "run_start"`, false},
		{"http", `events()[0].at_ms == 0`, false},
		{"http", `events()[length(events()) - 1].type == "run_end"`, false},
		{"http", `length(events()) > 0`, false},
		{"http", `length(spans()) > 0`, false},
		{"http", `length(events({ type = "run_start" })) == 1`, false},
		{"http", `contains(events()[*].type, "run_end")`, false},
		{"http", `contains(events()[*].type, "retry_wait")`, true},
		{"http", `length(events({ type = "retry_wait" })) > 0`, true},
		{"http", `length(spans({ name = "step a" })) > 0`, true},
		{"http", `length(events({ type = "step_end" })) == 2`, true},
		{"http", `metric("scenario_retries_total") <= 2`, false},
		{"http", `metric("scenario_retries_total", { step_id = "a" }) < 3`, false},
		{"http", `metric("scenario_retries_total") <= 1 || metric("scenario_retries_total") == 2`, false},
		{"http", `metric("scenario_retries_total") < 3 && metric("scenario_retries_total") > 1`, true},
		{"http", `metric("scenario_retries_total") == 2`, true},
		{"http", `metric("scenario_retries_total") != 1`, true},
		{"http", `metric("scenario_attempts_total") <= 8`, false}, // b may go on to its second target
		{"http", `metric("scenario_attempts_total") <= 7`, true},
		{"http", `metric("scenario_attempts_total", { step_id = "a" }) <= 6`, false},
		{"http", `metric("scenario_attempts_total", { step_id = "a" }) <= 5`, true},
		{"http", `metric("scenario_attempts_total") >= 1`, false},
		{"http", `metric("scenario_attempts_total", { outcome = "success" }) >= 1`, true},
		{"http", `metric("scenario_mock_fault_total") <= 4`, false},
		{"http", `metric("scenario_mock_fault_total") == 4`, true},
		{"http", `length(events({ type = "retry_wait" })) <= 2`, false},
		{"http", `length(events({ type = "retry_wait" })) < 3 && length(events({ type = "retry_wait" })) >= 2`, true},
		{"http", `length(events({ type = "attempt_start", step = "a" })) <= 6`, false},
		{"http", `length(events({ type = "fault" })) <= 4`, false},
		{"http", `length(events({ type = "step_end" })) <= 2`, false},
		{"http", `length(events({ type = "failure" })) <= 20`, true},
		{"http", `length([for e in events() : e if e.type == "retry_wait"]) <= 2`, false},
		{"http", `length([for e in events() : e if e.type == "failure"]) <= 20`, true},
		{"http", `length(steps) <= 2`, false},
		{"http", `length(steps) == 2`, true},
		{"http", `alltrue([for s in steps : s.retries <= 2])`, false},
		{"http", `max(steps[*].retries...) <= 2`, false},
		{"http", `alltrue([for s in steps : length(s.attempts) <= 6])`, false}, // the fifth one succeeds
		{"http", `!contains(keys(step.a.headers), "x-secret")`, true},          // the service says which there are
		{"http", `length(gateway.g.decisions) >= 1`, false},
		{"http", `alltrue([for d in gateway.g.decisions : length(d.candidates) <= 2])`, false},
		{"http", `alltrue([for d in gateway.g.decisions : length(d.tried) >= 1])`, true},
		{"sql", `step.low.affected >= 0`, false},
		{"sql", `step.ordered.affected <= 1`, true},
		{"sql", `step.low.attempts[0].request.statement == "select sku from stock"`, true},
		{"sql", `step.low.attempts[0].idempotency_key == null`, false},
		{"sql", `step.ordered.attempts[0].request.json.args == ["a"]`, true},
		{"sql", `step.low.provider == "shop"`, false},
		{"sql", `length(step.low.rows) >= 1`, true},
		{"mcp", `step.search.retries <= 3`, false},
		{"mcp", `step.search.retries <= 2`, true},
		{"mcp", `length(step.search.attempts) <= 4`, false},
		{"mcp", `step.search.attempts[0].request.method != "GET"`, false},
		{"mcp", `step.search.attempts[0].idempotency_key == null`, false},
		{"mcp", `step.search.is_error == false`, true},
		{"mcp", `length(step.search.structured.hits) >= 1`, true},
		{"actors", `actor.health.status == "running"`, false},
		{"actors", `actor.desk.status != "dead"`, false},
		{"actors", `actor.health.modules.core.status == "active"`, false},
		{"actors", `actor.health.modules.core.error == null`, false},
		{"actors", `actor.health.order == ["core"]`, false},
		{"actors", `registry.services.log == []`, false},
		{"actors", `registry.services.states.health == "active"`, false},
		{"actors", `actor.health.pools.db.in_use_max <= 2`, false},
		{"actors", `actor.health.pools.db.in_use_max >= 2`, true},
		{"actors", `actor.health.pools.db.max_queue >= 0`, false},
		{"actors", `alltrue([for s in actor.health.sessions : s.waited_ms >= 0])`, false},
		{"actors", `length(actor.health.sessions) > 0`, true},
		{"actors", `alltrue([for s in actor.health.sessions : s.status == "success"])`, true},
		{"actors", `call.d.attempts[0].target == "health"`, true}, // that there is one shows something
		{"actors", `alltrue([for a in call.d.attempts : a.target == "health"])`, false},
		{"actors", `call.d.elapsed_ms >= 5000`, true},
		{"chaos", `actor.health.status == "running"`, true},
		{"chaos", `actor.health.modules.core.status == "active"`, true},
		{"chaos", `registry.services.states.health == "active"`, true},
		{"bench", `report.mean_score <= 1`, false},
		{"bench", `report.mean_score >= 0.1`, true},
		{"bench", `report.passed >= 0`, false},
		{"bench", `report.passed <= 2`, false},
		{"bench", `report.passed <= 1`, true},
		{"bench", `alltrue([for c in report.cases : c.score >= 0 && c.score <= 1])`, false},
		{"bench", `alltrue([for c in report.cases : c.score >= 0.5])`, true},
		{"bench", `report.case.a.score <= 1`, false},
		{"bench", `length(report.cases) == 2`, false},
		{"bench", `[for c in report.cases : c.id] == ["a", "c"]`, false},
		{"bench", `report.case.a.id == "a"`, false},
		{"bench", `[for c in report.cases : c.id if c.passed] == ["a"]`, true},
		{"bench", `[for c in report.cases : c.passed] == [true, false]`, true},
		{"bench", `report.pass_rate.value <= 1`, false},
		{"bench", `report.exit_code <= 7`, false},
		{"bench", `report.complete`, true},
		{"bench", `report.lower_bound_95 >= 0`, true},
		{"bench", `alltrue([for p in report.pass_k : p.at <= 1])`, false},
		{"loop", `step.l.iterations <= 5`, false},
		{"loop", `step.l.iterations <= 2`, true},
		{"loop", `length(step.l.runs) <= 5`, false},
		{"loop", `step.l.iterations >= 1`, true},
		{"loop", `step.l.review.usage.total_tokens >= 0`, false},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(boundWorlds[c.world], c.condition))[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s: %s: that it shows something is %v: %s %s %+v", c.world, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that the number of elements of a list is judged up to what the condition names, and
// not up to what is tried: a limit that the file allows to be passed is a check, and one that
// it does not allow is none.
func TestBoundsOfLongLists(t *testing.T) {
	for _, c := range []struct {
		condition string
		shows     bool
	}{
		{`length(step.search.attempts) + step.search.retries <= 150`, true},
		{`length(step.search.attempts) * 2 - step.search.retries <= 90`, true},
		{`length(events({ type = "attempt_start" })) + step.search.retries <= 150`, true},
		{`metric("scenario_attempts_total") + step.search.retries <= 150`, true},
		{`length(step.search.attempts) + step.search.retries <= 5000`, false},
		{`length(step.search.attempts) - step.search.retries <= 1`, false},
		{`metric("scenario_attempts_total") >= length(step.search.attempts)`, false},
		{`step.search.ended_ms - step.search.started_ms - step.search.elapsed_ms <= 5000`, false},
	} {
		source := strings.Replace(boundWorlds["mcp"], "max_retries = 3", "max_retries = 100", 1)
		r := Run(mustCompile(t, fmt.Sprintf(source, c.condition))[0], RunOptions{})
		if r.Verdict == Error || (countIdle(r) == 0) != c.shows {
			t.Errorf("%s: that it shows something is %v: %s %s %+v", c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
	for _, c := range []struct {
		retries   int
		condition string
		shows     bool
	}{
		{2, `length(events({ type = "failure" })) <= 100`, true},
		{2, `length(events({ type = "failure" })) <= 250`, true},
		{2, `length(events({ type = "failure" })) <= 1000000`, true},
		{2, `length(events({ type = "failure" })) <= 10 * 10`, true},
		{2, `length(events({ type = "failure" })) / 2 <= 50`, true},
		{2, `length([for e in events() : e if e.type == "failure"]) <= 100`, true},
		{2, `length(events()) <= 5000`, true},
		{2, `length(events({ type = "retry_wait" })) <= 100`, false},
		{2, `length(events()) <= 100`, true},
		{2, `length(events()) > 0 && length(events()) <= 100`, true},
		{2, `length(spans()) <= 100`, true},
		{100, `length(events({ type = "retry_wait" })) <= 80`, true},
		{100, `length(events({ type = "retry_wait" })) <= 99`, true},
		{100, `length(events({ type = "retry_wait" })) <= 100`, false},
		{100, `length(events({ type = "retry_wait" })) <= 5000`, false},
		{100, `metric("scenario_retries_total") <= 80`, true},
		{100, `length(step.a.attempts) <= 5`, true}, // the fifth one succeeds, and no policy makes more of it
		{100, `length(step.a.attempts) <= 80`, false},
		{100, `length(step.a.attempts) <= 202`, false},
		{100, `length(step.a.attempts) <= 201`, false},
		{100, `length(step.a.delays_ms) <= 80`, false},
		{100, `alltrue([for s in [step.a] : length(s.attempts) <= 80])`, false},
		{100, `length([for a in step.a.attempts : a if a.request.method == "POST"]) <= 80`, true},
		{100, `length([for a in step.a.attempts : a if a.request.method == "POST"]) <= 5000`, false},
		{1000, `length(step.a.attempts) <= 80`, false},
		{1000, `length(step.a.attempts) <= 1000`, false},
		{1000, `length(step.a.attempts) >= 1`, false},
		{1000, `step.a.retries <= 1000`, false},
		{1000, `alltrue([for a in step.a.attempts : a.status_code == null || a.status_code < 600])`, false},
	} {
		source := strings.Replace(boundWorlds["http"], "max_retries = 2", fmt.Sprint("max_retries = ", c.retries), 1)
		r := Run(mustCompile(t, fmt.Sprintf(source, c.condition))[0], RunOptions{})
		if r.Verdict == Error || (countIdle(r) == 0) != c.shows {
			t.Errorf("max_retries = %d: %s: that it shows something is %v: %s %s %+v", c.retries, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that of every number of a run, a step and an attempt that has a least value, to say
// that it is at least that shows nothing, and of those that have a greatest one that it is at
// most that; or it is an error of the file.
func TestEveryBoundShowsNothing(t *testing.T) {
	const world = "http"
	run, n := observe.RunShape, 0
	try := func(path string, s *schema.Shape) {
		if s.Kind != schema.ShapeNumber || s.Range == nil {
			return
		}
		for _, condition := range []string{fmt.Sprintf("%s >= %g", path, s.Range.Least), fmt.Sprintf("%s <= %g", path, s.Range.Most)} {
			if strings.HasSuffix(condition, "Inf") {
				continue
			}
			n++
			suite, diags := compileText(fmt.Sprintf(boundWorlds[world], condition))
			if diags.HasErrors() {
				if diags[0].Summary != "Constant condition" {
					t.Errorf("%s: %v", condition, diags)
				}
				continue
			}
			if r := Run(suite.Plans[0], RunOptions{}); countIdle(r) != 1 {
				t.Errorf("%s: %d marked: %s %+v", condition, countIdle(r), told(r), r.Relaxed)
			}
		}
	}
	for name, s := range run.Attrs {
		try("run."+name, s)
	}
	for name, s := range run.Attrs["partial"].Attrs {
		try("run.partial."+name, s)
	}
	for name, s := range run.Attrs["usage"].Attrs {
		try("run.usage."+name, s)
	}
	for _, f := range observe.StepFields {
		try("step.a."+f.Name, f.Shape)
	}
	for _, f := range observe.TargetFields {
		try("target.one."+f.Name, f.Shape)
	}
	for _, f := range observe.GatewayFields {
		try("gateway.g."+f.Name, f.Shape)
	}
	for _, f := range observe.AttemptFields {
		if !f.Shape.Nullable {
			try("step.a.attempts[0]."+f.Name, f.Shape)
		}
	}
	if n < 20 {
		t.Errorf("%d bounds were tried", n)
	}
}
