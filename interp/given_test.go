package interp

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/schema"
)

// givenWorld has one step, which begins with the run and has one target, no policy, no
// tool and no stream; what is put in its places gives a run more to decide.
func givenWorld(c givenCheck, condition string) string {
	gateway := `target "one" { provider = provider.m }`
	if c.gateway != "" {
		gateway = c.gateway
	}
	step := "step \"llm\" \"a\" {\n prompt = \"why?\"\n " + c.step + "\n}"
	address := "a"
	if c.loop {
		step, address = "step \"loop\" \"l\" {\n max_iterations = 1\n"+step+"\n}", "l.a"
		condition = strings.ReplaceAll(condition, "step.a.", "step.l.a.")
	}
	return fmt.Sprintf(`
provider "openai" "m" { model = "x" }
retry "linear" "twice" { max_retries = 2 }
breaker "b" {}
gateway "g" {
  %s
}
workflow "w" {
  gateway = gateway.g
  %s
  %s
  %s
}
scenario "s" {
  run   = workflow.w
  allow = ["unfired_fault"]
  on %q {
    %s
    reply {
      content  = "because"
      cost_usd = 0.5
      latency  = "1s"
      optional = %t
    }
  }
  on "*" {
    reply {
      content  = "x"
      optional = true
    }
  }
  assert "x" { condition = %s }
}
`, gateway, c.workflow, step, c.more, address, c.script, c.optional, condition)
}

// A givenCheck is a condition that the plain world gives, and what makes a run decide it.
type givenCheck struct {
	of, condition                         string
	gateway, workflow, step, more, script string
	loop                                  bool
	// optional says that no gate asks for the step.
	optional bool
}

const (
	secondTarget = "target \"one\" { provider = provider.m }\ntarget \"two\" { provider = provider.m }"
	guarded      = "target \"one\" {\n provider = provider.m\n breaker = breaker.b\n}"
	oneTool      = "tool \"t\" {\n output = \"y\"\n}"
	fallback     = "on_failure { strategy = \"fallback\" }\nfallback = \"spare\""
	spare        = "step \"llm\" \"spare\" { prompt = \"else?\" }"
	otherStep    = "step \"value\" \"v\" { value = 1 }"
)

// givenChecks are, of every attribute that a file may give, a check that shows nothing
// where it does and something where it does not.
var givenChecks = []givenCheck{
	{of: "step.target", condition: `step.a.target == "one"`, gateway: secondTarget},
	{of: "step.target", condition: `step.a.target == "one"`, step: "when = var.on"},
	{of: "step.target", condition: `!(step.a.target != "one")`, workflow: "budget { usd = 1 }"},
	{of: "step.provider", condition: `step.a.provider == "m"`, gateway: guarded},
	{of: "step.turns", condition: `step.a.turns == 1`, step: oneTool},
	{of: "step.chunks", condition: `length(step.a.chunks) == 0`, step: "when = var.on"},
	{of: "step.started_ms", condition: `step.a.started_ms == 0`, step: "depends_on = [step.v]", more: otherStep},
	{of: "step.retries", condition: `step.a.retries == 0`, step: "retry = retry.twice"},
	{of: "step.delays_ms", condition: `step.a.delays_ms == []`, step: "retry = retry.twice"},
	{of: "step.rejections", condition: `step.a.rejections == []`, gateway: guarded},
	{of: "step.skipped_reason", condition: `step.a.skipped_reason == null`, step: "when = var.on"},
	{of: "step.replaced_by", condition: `step.a.replaced_by == null`, step: "fallback = step.spare", more: spare},
	{of: "steps.kind", condition: `steps[0].kind == "llm"`, more: otherStep},
	{of: "steps.kind", condition: `contains(steps[*].kind, "llm")`, more: otherStep},
	{of: "steps.name", condition: `steps[0].name == "a"`, more: "step \"value\" \"v\" { value = step.a.content }"},
	{of: "attempt.n", condition: `step.a.attempts[0].n == 1`, step: "when = var.on", optional: true},
	{of: "attempt.round", condition: `alltrue([for a in step.a.attempts : a.round == 1])`, step: "retry = retry.twice"},
	{of: "attempt.round", condition: `step.a.attempts[0].round == 1`, gateway: guarded, step: "retry = retry.twice"},
	{of: "attempt.turn", condition: `alltrue([for a in step.a.attempts : a.turn == 1])`, step: oneTool},
	{of: "attempt.iteration", condition: `step.a.attempts[0].iteration == null`},
	{of: "attempt.iteration", condition: `step.a.attempts[0].iteration != 2`, loop: true},
	{of: "attempt.target", condition: `alltrue([for a in step.a.attempts : a.target == "one"])`, gateway: secondTarget},
	{of: "attempt.target", condition: `target.one.attempts[0].target == "one"`, step: "when = var.on"},
	{of: "attempt.target", condition: `alltrue([for s in steps : alltrue([for a in s.attempts : a.target == "one"])])`, gateway: secondTarget},
	{of: "attempt.provider", condition: `step.a.attempts[0].provider == "m"`, step: "when = var.on", optional: true},
	{of: "attempt.provider", condition: `alltrue([for a in step.a.attempts : a.provider == "m"])`, gateway: strings.ReplaceAll(secondTarget, "target \"two\" { provider = provider.m }", "target \"two\" { provider = provider.other }")},
	{of: "decision.strategy", condition: `gateway.g.decisions[0].strategy == "priority"`, step: "when = var.on"},
	{of: "attempt.at_ms", condition: `step.a.attempts[0].at_ms == 0`, gateway: guarded},
	{of: "attempt.started_at_ms", condition: `step.a.attempts[0].started_at_ms == 0`, gateway: guarded},
	{of: "attempt.gap_ms", condition: `step.a.attempts[0].gap_ms == null`, gateway: guarded},
	{of: "target.rejections", condition: `target.one.rejections == []`, gateway: guarded},
	{of: "gateway.fallbacks", condition: `gateway.g.fallbacks == 0`, gateway: secondTarget},
	{of: "decision.iteration", condition: `alltrue([for d in gateway.g.decisions : d.iteration == null])`},
	{of: "decision.iteration", condition: `alltrue([for d in gateway.g.decisions : d.iteration != 2])`, loop: true},
	{of: "event.target", condition: `alltrue([for e in events({ type = "attempt_end" }) : e.target == "one"])`, gateway: secondTarget},
	{of: "event.provider", condition: `[for e in events({ type = "attempt_start" }) : e if e.provider != "m"] == []`, gateway: strings.ReplaceAll(secondTarget, "target \"two\" { provider = provider.m }", "target \"two\" { provider = provider.other }")},
	{of: "linked", condition: `length(step.a.attempts) - 1 == step.a.retries`, step: oneTool},
	{of: "linked", condition: `step.a.retries + 1 == length(step.a.attempts)`, gateway: guarded},
	{of: "linked", condition: `length(step.a.delays_ms) == step.a.retries`},
	{of: "linked", condition: `step.a.ended_ms - step.a.started_ms == step.a.elapsed_ms`},
	{of: "linked", condition: `step.a.attempts[0].ended_at_ms - step.a.attempts[0].started_at_ms == step.a.attempts[0].elapsed_ms`},
	{of: "linked", condition: `alltrue([for a in step.a.attempts : a.ended_ms >= a.at_ms])`},
	{of: "linked", condition: `run.elapsed_ms <= run.ended_ms`},
	{of: "linked", condition: `run.cost_usd == step.a.cost_usd`, more: "step \"llm\" \"c\" {\n prompt = \"c\"\n depends_on = [step.a]\n}"},
	{of: "linked", condition: `run.usage.total_tokens == step.a.usage.total_tokens`},
	{of: "linked", condition: `step.a.output == step.a.content`, step: "output = self.content"},
	{of: "linked", condition: `length(events({ type = "attempt_end" })) == length(step.a.attempts)`, gateway: guarded},
	{of: "linked", condition: `length(events({ type = "attempt_start", step = "a" })) == length(events({ type = "attempt_end", step = "a" }))`},
	{of: "linked", condition: `metric("scenario_attempts_total") == length(step.a.attempts)`},
	{of: "linked", condition: `metric("scenario_attempts_total", { step_id = "a" }) - 1 == step.a.retries`},
	{of: "attempt.request", condition: `step.a.attempts[0].request.method == "POST"`},
	{of: "run.partial", condition: `run.partial.skipped_steps == [] && run.partial.remaining_steps == []`, step: "when = var.on"},
	{of: "run.started_ms", condition: `run.started_ms == 0`},
	{of: "run.run_id", condition: `run.run_id != "x"`},
}

// decidedByRuns are the attributes that no file gives, with why.
var decidedByRuns = map[string]string{
	"step.status": "what became of it; a fanout's and impossible ones have tests of their own", "step.error": "as its status", "step.output": "what it made",
	"step.attempts": "how many there are", "step.stop": "why it failed", "step.ended_ms": "when", "step.elapsed_ms": "how long", "step.cost_usd": "what was answered",
	"step.content": "what was answered", "step.finish_reason": "as above", "step.tool_calls": "as above", "step.usage": "as above", "step.model": "as above", "step.calls": "what a program asks", "step.lanes": "as above", "step.in_flight_max": "as above", "step.connections": "as above",
	"attempt.fault": "what strikes; those that cannot have a test of their own", "attempt.ended_ms": "when", "attempt.elapsed_ms": "how long", "attempt.ended_at_ms": "when", "attempt.status_code": "what was answered", "attempt.outcome": "what became of it", "attempt.error": "as above", "attempt.retry_after_ms": "what was answered",
	"attempt.idempotency_key": "what was sent", "attempt.response": "what was answered", "attempt.trace_id": "of programs alone", "attempt.retry_count": "as above", "attempt.lane": "as above", "attempt.call": "as above", "attempt.ended_by": "as above", "attempt.sent_bytes": "as above", "attempt.connection": "as above", "attempt.reused": "as above",
	"target.attempts": "how many there are", "target.in_flight_max": "how many there are", "target.breaker": "its state",
	"gateway.served_by": "how many there are", "gateway.decisions": "as above",
	"decision.at_ms": "when", "decision.step": "who asked", "decision.turn": "as its attempt's", "decision.round": "as above", "decision.candidates": "what policies left", "decision.refused": "as above", "decision.tried": "what became of it", "decision.selected": "as above", "decision.outcome": "as above",
	"run.status": "what became of it", "run.error": "as above", "run.output": "what it made", "run.ended_ms": "when", "run.elapsed_ms": "how long", "run.cost_usd": "what was answered", "run.usage": "as above", "run.lifecycle": "what became of it",
}

// Shows that a check shows nothing where the file gives all that it reads, and something
// where a run decides it; of every attribute of steps, attempts, targets, gateways and the
// run it is said which of the two it is.
func TestWhatIsGiven(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range givenChecks {
		seen[c.of] = true
		if r := runGiven(t, givenCheck{}, c.condition); countIdle(r) != 1 || r.Verdict == Pass {
			t.Errorf("%s: %d marked where the file gives it: %s %s %+v", c.condition, countIdle(r), r.Verdict, told(r), r.Relaxed)
		}
		if c == (givenCheck{of: c.of, condition: c.condition}) {
			continue
		}
		if r := runGiven(t, c, c.condition); countIdle(r) != 0 || r.Verdict != Pass {
			t.Errorf("%s: %+v: %d marked where a run decides it: %s %s %+v", c.condition, c, countIdle(r), r.Verdict, told(r), r.Relaxed)
		}
	}
	step := plan.Inside(mustCompile(t, givenWorld(givenCheck{}, `step.a.content == "because"`))[0]).Workflow.Steps[0].Shape
	for of, shape := range map[string]*schema.Shape{
		"step": step, "attempt": observe.TargetShape.Attrs["attempts"].Elem, "target": observe.TargetShape,
		"gateway": observe.GatewayShape, "decision": observe.GatewayShape.Attrs["decisions"].Elem, "run": observe.RunShape,
	} {
		for name := range maps.Keys(shape.Attrs) {
			if name = of + "." + name; seen[name] == (decidedByRuns[name] != "") {
				t.Errorf("%s: a file may give it: %v, a run decides it: %q; it has to be one of the two", name, seen[name], decidedByRuns[name])
			}
		}
	}
	// What a run decides stays a check in the plainest world.
	for _, condition := range []string{
		`step.a.status == "success"`, `step.a.error == null`, `step.a.content == "because"`, `length(step.a.attempts) == 1`, `step.a.ended_ms == 1000`,
		`step.a.cost_usd == 0.5`, `run.cost_usd == 0.5`, `step.a.attempts[0].outcome == "success"`, `[for a in step.a.attempts : a.target] == ["one"]`,
		`[for s in steps : s.name] == ["a"]`, `gateway.g.served_by == ["one"]`, `length(steps) == 1`, `step.a.target == "one" && step.a.status == "success"`,
		`length(target.one.attempts) == 1`, `contains(gateway.g.served_by, "one")`, `step.a.attempts[0].request.body != ""`, `step.a.stop == null`,
		`length([for a in step.a.attempts : a if a.target == "one"]) == 1`,
		`step.a.usage.total_tokens == step.a.usage.prompt_tokens + step.a.usage.completion_tokens`, `run.cost_usd == step.a.cost_usd && run.cost_usd == 0.5`, `length(events({ type = "attempt_end" })) == length(step.a.attempts) && length(step.a.attempts) == 1`,
		`run.output != step.a.output`, `length(events({ type = "step_end" })) == length(steps)`,
		`step.a.ended_ms == step.a.attempts[0].ended_ms`, `step.a.ended_ms == run.ended_ms`, `length(step.a.attempts) + step.a.retries == 1`, `step.a.elapsed_ms > step.a.started_ms`,
		`step.a.attempts[length(step.a.attempts) - 1].ended_ms == step.a.elapsed_ms`, `length(step.a.attempts) < 3 && step.a.retries < 2 && step.a.elapsed_ms == 1000`, `[for e in events({ type = "attempt_end" }) : e.target] == ["one"]`,
	} {
		if r := runGiven(t, givenCheck{}, condition); countIdle(r) != 0 || r.Verdict != Pass {
			t.Errorf("%s: %d marked: %s %s %+v", condition, countIdle(r), r.Verdict, told(r), r.Relaxed)
		}
	}
	// Expectations and invariants.
	world := givenWorld(givenCheck{}, `step.a.content == "because"`)
	for _, c := range []struct {
		check string
		idle  int
	}{
		{`expect "a" { target = "one" }`, 1},
		{"expect \"a\" {\n target = \"one\"\n content = \"because\"\n}", 0},
		{`expect "a" { attempts = [{ target = "one" }] }`, 0},
		{`expect "run" { started_ms = 0 }`, 1},
		{`invariant "x" { condition = step.a.started_ms == 0 }`, 1},
		{`invariant "x" { condition = alltrue([for a in step.a.attempts : a.provider == "m"]) }`, 1},
		{`invariant "x" { condition = run.status != "cancelled" }`, 1},
		{`invariant "x" { condition = step.a.status == null || length(step.a.attempts) - 1 == step.a.retries }`, 1},
		{`invariant "x" { condition = step.a.content == "because" }`, 0},
		{`invariant "x" { condition = step.a.status == null || length(step.a.attempts) == 1 }`, 0},
	} {
		source := strings.Replace(world, `assert "x" { condition = step.a.content == "because" }`, c.check, 1)
		if r := Run(mustCompile(t, source)[0], RunOptions{}); countIdle(r) != c.idle || (r.Verdict == Pass) != (c.idle == 0) {
			t.Errorf("%s: %d marked: %s %s %+v", c.check, countIdle(r), r.Verdict, told(r), r.Relaxed)
		}
	}
}

// runGiven runs the world of a check with some condition.
func runGiven(t *testing.T, c givenCheck, condition string) *Result {
	t.Helper()
	source := givenWorld(c, condition)
	if strings.Contains(source, "var.on") {
		source = "variable \"on\" { default = true }\n" + source
	}
	if slices.Contains([]string{c.gateway}, "") || !strings.Contains(c.gateway, "provider.other") {
		return Run(mustCompile(t, source)[0], RunOptions{})
	}
	return Run(mustCompile(t, source+"provider \"openai\" \"other\" { model = \"y\" }\n")[0], RunOptions{})
}

// Shows that a check which allows each target that there is, or as many as there are, shows
// nothing, one that leaves some out does, and so does one where a policy may refuse them
// all; and that steps may begin in either order.
func TestChecksThatAllowAllThatMayCome(t *testing.T) {
	const either = `(step.a.target == "one" || step.a.target == "two")`
	two := givenCheck{gateway: secondTarget}
	refused := givenCheck{gateway: guarded + "\ntarget \"two\" { provider = provider.m }"}
	skipped := givenCheck{gateway: secondTarget, step: "when = var.on"}
	// One of b and z begins when a has ended, the other one with it.
	chain := func(name, after string) string {
		return fmt.Sprintf("step \"llm\" %q {\n prompt = \"c\"\n depends_on = [step.%s]\n}\n", name, after)
	}
	late := func(first, second string) givenCheck {
		return givenCheck{more: "step \"llm\" \"q\" { prompt = \"q\" }\n" + chain(second, "a") + chain(first, "q")}
	}
	for _, c := range []struct {
		world     givenCheck
		condition string
		shows     bool
	}{
		{two, either, false},
		{two, `contains(["two", "one"], step.a.target)`, false},
		{two, `contains(["one", "two"], step.a.attempts[0].target)`, false},
		{two, `step.a.target == "one"`, true},
		{two, either + ` && step.a.status == "success"`, true},
		{two, either + ` && step.a.retries == 0 && step.a.content == "because"`, true},
		{refused, either, true},
		{skipped, `contains(["one", "two"], step.a.target)`, true},
		{two, `alltrue([for t in gateway.g.served_by : contains(["one", "two"], t)])`, false},
		{two, `alltrue([for t in gateway.g.served_by : t == "one"])`, true},
		{two, `length(gateway.g.served_by) <= 2`, true},
		{two, `contains(["one", "two"], gateway.g.served_by[0])`, true},
		{two, `length(gateway.g.decisions[0].candidates) <= 2`, false},
		{two, `length(gateway.g.decisions[0].candidates) <= 1 || length(gateway.g.decisions[0].candidates) == 2`, false},
		{two, `length(gateway.g.decisions[0].candidates) == 2`, true},
		{two, `length(gateway.g.decisions[0].candidates) >= 1`, true},
		{two, `gateway.g.decisions[0].candidates[0] == "one"`, true},
		{two, `run.status == "success" || run.status == "failed"`, false},
		{givenCheck{workflow: "timeout = \"1h\""}, `run.status == "success" || run.status == "failed"`, true},
		{givenCheck{workflow: "on_failure = \"continue\""}, `run.status == "success" || run.status == "failed"`, true},
		{late("b", "z"), `step.z.started_ms >= step.b.started_ms`, true},
		{late("z", "b"), `step.b.started_ms >= step.z.started_ms`, true},
	} {
		if r := runGiven(t, c.world, c.condition); (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%+v: %s: that it shows something is %v: %s %s %+v", c.world, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that to read an attempt which a gate asks for anyway, or of which the condition says
// only that it lacks what no attempt has, shows nothing, also of a step that need not begin;
// and that it does where nothing else asks for the step.
func TestAttemptsOfStepsThatNeedNotBegin(t *testing.T) {
	const world = `
provider "openai" "m" { model = "x" }
workflow "w" {
  provider = provider.m
  step "llm" "a" { prompt = "why?" }
  step "llm" "b" {
    prompt = "b: ${step.a.content}"
    when   = step.a.content != "no"
  }
}
scenario "s" {
  run   = workflow.w
  allow = %s
  on "a" {
    reply { content = "because" }
  }
  on %q {
    reply {
      content  = "x"
      optional = %t
    }
  }
  assert "x" { condition = %s }
}
`
	for _, c := range []struct {
		allow, on string
		optional  bool
		condition string
		shows     bool
	}{
		{"[]", "b", false, `step.b.attempts[0].idempotency_key == null`, false},
		{"[]", "b", true, `step.b.attempts[0].idempotency_key == null`, false},
		{"[]", "*", true, `step.b.attempts[0].idempotency_key == null`, false},
		{"[]", "*", true, `step.b.attempts[0].iteration == null`, false},
		{"[]", "b", false, `step.b.attempts[0].target == "m"`, false},
		{"[]", "b", true, `step.b.attempts[0].target == "m"`, true},
		{"[]", "*", true, `step.b.attempts[0].target == "m"`, true},
		{`["unused_reply"]`, "b", false, `step.b.attempts[0].target == "m"`, true},
		{"[]", "b", false, `step.b.attempts[0].request.method == "POST"`, false},
		{"[]", "b", false, `step.b.attempts[0].request.body != ""`, true},
		{"[]", "b", false, `length(step.b.attempts) == 1`, true},
		{"[]", "b", false, `step.b.attempts[0].target == "m" && step.b.content == "x"`, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(world, c.allow, c.on, c.optional, c.condition))[0], RunOptions{})
		if marked := slices.ContainsFunc(r.Relaxed, func(p Problem) bool { return p.Kind == KindIdle }); marked == c.shows {
			t.Errorf("%+v: marked %v: %s %s %+v", c, marked, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that of actors and calls, too, what the file says shows nothing, and what a run
// makes of it does.
func TestWhatIsGivenOfServices(t *testing.T) {
	const world = `
actor "desk" {
  pool "db" {
    size = 2
    %s
  }
  handler "look" {
    takes = "2s"
    uses  = ["db"]
  }
  %s
}
scenario "s" {
  call "c" {
    target = actor.desk.look
    at     = ["0s", "1s"]
  }
  call "d" {
    target = actor.desk.look
    at     = "1s"
  }
  assert "x" { condition = %s }
}
`
	const timed, second = `acquire_timeout = "30s"`, "handler \"other\" { takes = \"1s\" }"
	const forwards = "handler \"other\" { forward_to = actor.desk.look }"
	for _, c := range []struct {
		pool, handler, condition string
		shows                    bool
	}{
		{"", "", `actor.desk.pools.db.size == 2`, false},
		{"", "", `actor.desk.pools.db.timeouts == 0`, false},
		{timed, "", `actor.desk.pools.db.timeouts == 0`, true},
		{"", "", `alltrue([for s in actor.desk.sessions : s.handler == "look"])`, false},
		{"", second, `alltrue([for s in actor.desk.sessions : s.handler == "look"])`, true},
		{"", "", `[for s in actor.desk.sessions : s.handler] == ["look", "look", "look"]`, true},
		{"", "", `call.c[0].started_ms == 0 && call.c[1].started_ms == 1000`, false},
		{"", "", `call.d.started_ms == 1000`, false},
		{"", "", `call.d.retries == 0`, false},
		{"", "", `call.c[0].ended_ms == 2000`, true},
		{"", "", `alltrue([for c in call.c : c.started_ms < 5000])`, false},
		{"", "", `alltrue([for c in call.c : c.status == "success"])`, true},
		{"", "", `actor.desk.pools.db.in_use_max == 2`, true},
		{"", "", `length(actor.desk.sessions) == 3`, true},
		{"", "", `length(actor.desk.sessions) <= 3`, false},
		{"", "", `length(actor.desk.sessions) <= 2 || length(actor.desk.sessions) == 3`, false},
		{"", "", `length(actor.desk.sessions) <= 3 && length(actor.desk.sessions) > 2`, true},
		{"", forwards, `length(actor.desk.sessions) <= 3`, true},
		{"", "", `metric("scenario_routes_total") <= 3`, false},
		{"", "", `metric("scenario_routes_total", { actor = "desk" }) < 4`, false},
		{"", forwards, `metric("scenario_routes_total") <= 3`, true},
		{"", "", `metric("scenario_routes_total") == 3`, true},
		{"", "", `length(events({ type = "route" })) <= 3`, false},
		{"", "", `length(events({ type = "route" })) == 3`, true},
	} {
		source := fmt.Sprintf(world, c.pool, c.handler, c.condition)
		if r := Run(mustCompile(t, source)[0], RunOptions{}); (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s %s: %s: that it shows something is %v: %s %s %+v", c.pool, c.handler, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that what no request of a step ever has, and what all of them have alike, shows
// nothing, also of several targets, of a step that reads another one, and of all attempts of
// a target; and that a request in which the file says it, or a run does, shows something.
func TestWhatIsGivenOfRequests(t *testing.T) {
	const world = `
provider "http" "api" {
  base_url = "https://api.test"
  %[1]s
}
provider "http" "other" { base_url = "https://other.test" }
provider "sql" "shop" { base_url = "postgres://app@db.example:5432/shop" }
retry "linear" "twice" { max_retries = 2 }
gateway "g" {
  target "one" { provider = provider.api }
  target "two" { provider = provider.other }
}
workflow "w" {
  step "http" "a" {
    gateway    = gateway.g
    method     = "POST"
    path       = "/a"
    json       = { x = 1 }
    retry      = retry.twice
    idempotent = true
    %[2]s
  }
  step "http" "b" {
    gateway = gateway.g
    path    = "/b"
    query   = { q = step.a.json.id }
    method  = %[3]s
    headers = { "X-Tenant" = step.a.json.id }
  }
  step "sql" "s" {
    provider = provider.shop
    query    = "select 1 as n"
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    fault "http_error" { times = 3 }
    reply { json = { id = "7" } }
  }
  on "b" {
    reply { json = { ok = true } }
  }
  on "s" {
    reply { rows = [{ n = 1 }] }
  }
  assert "x" { condition = %[4]s }
}
`
	const (
		get, post, read = `"GET"`, `"POST"`, `step.a.json.id == "7" ? "GET" : "PUT"`
		key, ofProvider = `headers = { "Idempotency-Key" = "k" }`, `headers = { "idempotency-key" = "k" }`
		computed        = `headers = { for n in ["x"] : n => "1" }`
	)
	for _, c := range []struct {
		provider, step, method, condition string
		shows                             bool
	}{
		{"", "", get, `step.a.attempts[0].idempotency_key == null`, false},
		{"", "", get, `alltrue([for a in step.b.attempts : a.idempotency_key == null])`, false},
		{"", "", get, `length([for a in step.a.attempts : a if a.idempotency_key != null]) == 0`, false},
		{"", "", get, `alltrue([for a in target.one.attempts : a.idempotency_key == null])`, false},
		{"", "", get, `alltrue([for s in steps : alltrue([for a in s.attempts : a.idempotency_key == null])])`, false},
		{"", key, get, `step.a.attempts[0].idempotency_key != null && length(step.a.attempts) == 4`, true},
		{"", key, get, `alltrue([for a in target.one.attempts : a.idempotency_key != "j"])`, true},
		{"", key, get, `alltrue([for a in step.b.attempts : a.idempotency_key == null])`, false},
		{ofProvider, "", get, `alltrue([for a in step.b.attempts : a.target == "two" || a.idempotency_key == "k"])`, true},
		{"", computed, get, `step.a.attempts[0].idempotency_key == null`, true},
		{"", "", get, `step.a.attempts[0].request.method == "POST"`, false},
		{"", "", get, `alltrue([for a in step.b.attempts : a.request.method == "GET"])`, false},
		{"", "", read, `alltrue([for a in step.b.attempts : a.request.method == "GET"])`, true},
		{"", "", get, `alltrue([for a in target.two.attempts : a.request.method == "POST" || a.request.method == "GET"])`, false},
		{"", "", get, `alltrue([for a in target.two.attempts : a.request.method == "POST"])`, true},
		{"", "", post, `alltrue([for a in target.two.attempts : a.request.method == "POST"])`, false},
		{"", "", read, `alltrue([for a in target.two.attempts : a.request.method != "DELETE"])`, true},
		{"", "", get, `step.a.attempts[0].request.statement == null`, false},
		{"", "", get, `step.a.attempts[0].response.sqlstate == null`, false},
		{"", "", get, `step.s.attempts[0].response.sqlstate == null`, true},
		{"", "", get, `step.s.attempts[0].status_code == null`, false},
		{"", "", get, `step.s.attempts[0].retry_after_ms == null`, false},
		{"", "", get, `alltrue([for a in step.b.attempts : a.request.body == ""])`, false},
		{"", "", get, `alltrue([for a in step.b.attempts : a.request.json == null])`, false},
		{"", "", get, `alltrue([for a in step.a.attempts : a.request.json.x == 1])`, true},
		{"", "", get, `alltrue([for a in step.b.attempts : lookup(a.request.headers, "x-request-id", null) == null])`, false},
		{"", "", get, `alltrue([for a in step.b.attempts : !contains(keys(a.request.headers), "authorization")])`, false},
		{ofProvider, "", get, `alltrue([for a in step.b.attempts : !contains(keys(a.request.headers), "authorization")])`, true},
		{"", "", get, `alltrue([for a in step.b.attempts : lookup(a.request.headers, "x-tenant", "") == "7"])`, true},
		{"", "", get, `lookup(step.b.headers, "x-request-id", null) == null`, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(world, c.provider, c.step, c.method, c.condition))[0], RunOptions{})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s %s %s: %s: that it shows something is %v: %s %s %+v", c.provider, c.step, c.method, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that what the match of an endpoint asks for is no check of the program, where its
// script has to be used or something is said of each request; and that what the match leaves
// open is.
func TestWhatAMatchSays(t *testing.T) {
	const source = `provider "http" "pay" { base_url = "https://pay.test" }
endpoint "charge" {
  provider = provider.pay
  match {
    method = "POST"
    path   = "/charge"
    json   = { kind = "card", id = "o-*", list = [{ a = 1 }] }
  }
}
endpoint "look" {
  provider = provider.pay
  match { method = "G*" }
}
scenario "s" {
  sut { command = ["agent"] }
  on "charge" {
    fault "http_error" { optional = %t }
    reply {
      json     = { ok = true }
      optional = %[1]t
    }
  }
  on "look" {
    reply {}
  }
  assert "x" { condition = %[2]s }
}
`
	for _, c := range []struct {
		condition       string
		optional, shows bool
	}{
		{`endpoint.charge.attempts[0].request.method == "POST"`, false, false},
		{`endpoint.charge.attempts[0].request.method == "POST"`, true, true}, // that it asked
		{`endpoint.charge.attempts[1].request.json.kind == "card"`, false, false},
		{`endpoint.charge.attempts[0].request.json.list[0].a == 1`, false, false},
		{`alltrue([for a in endpoint.charge.attempts : a.request.method == "POST"])`, true, false},
		{`endpoint.charge.attempts[0].request.json.amount == 7`, false, true},
		{`alltrue([for a in endpoint.charge.attempts : a.request.json.id != "o-1"])`, false, true}, // a pattern leaves it open
		{`alltrue([for a in endpoint.look.attempts : a.request.method == "GET"])`, false, true},
		{`endpoint.charge.attempts[0].request.statement == null`, false, false},
		{`endpoint.charge.attempts[0].iteration == null`, false, false},
		{`endpoint.charge.attempts[0].iteration == null`, true, false},
		{`endpoint.charge.attempts[0].target == "pay"`, false, false},
		{`endpoint.charge.attempts[0].target == "pay"`, true, true},
		{`alltrue([for a in endpoint.charge.attempts : a.provider == "pay"])`, true, false},
		{`endpoint.charge.target == "pay"`, false, false},
		{`endpoint.charge.target == "pay"`, true, true},
		{`endpoint.charge.attempts[0].target == "pay" && endpoint.charge.attempts[0].request.json.amount == 7`, false, true},
		{`endpoint.charge.attempts[0].idempotency_key == null`, false, true},
		{`length(endpoint.charge.attempts) >= 2`, false, true},
	} {
		var r *Result
		synctest.Test(t, func(t *testing.T) {
			d := drivenBy(t, fmt.Sprintf(source, c.optional, c.condition))
			for range 2 {
				d.asks("https://pay.test/charge", `{"kind": "card", "id": "o-7", "amount": 7, "list": [{"a": 1}]}`).End(false)
			}
			d.asks("https://pay.test/x", "").End(false)
			r, _ = d.run.Finish("success")
		})
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("optional %v: %s: that it shows something is %v: %s %s %+v", c.optional, c.condition, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}

// Shows that what is said of a step whose when is false by what the file says shows nothing,
// and that it does where an input or another step decides.
func TestStepsThatTheFileSwitchesOff(t *testing.T) {
	const world = `
variable "on" { default = false }
locals {
  names = []
  on    = true
}
provider "openai" "m" { model = "x" }
workflow "w" {
  provider = provider.m
  inputs   = { lang = "de" }
  step "llm" "a" { prompt = "why?" }
  step "llm" "b" {
    prompt     = "b"
    depends_on = [step.a]
    when       = %s
  }
}
scenario "s" {
  run = workflow.w
  on "*" {
    reply { content = "because" }
  }
  %s
}
`
	for _, when := range []string{"var.on", "length(local.names) > 0", "!local.on", "var.on && step.a.content != \"\"", "input.lang == \"en\"", "step.a.content == \"no\""} {
		shows := strings.Contains(when, "input") || strings.Contains(when, "step")
		for _, check := range []string{
			`assert "x" { condition = step.b.status == "skipped" }`, `assert "x" { condition = step.b.skipped_reason != null }`,
			`assert "x" { condition = step.b.attempts == null }`, `expect "b" { status = "skipped" }`,
		} {
			r := Run(mustCompile(t, fmt.Sprintf(world, when, check))[0], RunOptions{})
			if (countIdle(r) == 0) != shows || (r.Verdict == Pass) != shows {
				t.Errorf("when = %s: %s: that it shows something is %v: %s %s %+v", when, check, shows, r.Verdict, told(r), r.Relaxed)
			}
		}
	}
}
