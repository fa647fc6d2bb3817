package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl"
)

// What calls an actor has its calls as attempts, one for each that it made itself:
// what the actor passed on, or its tools did, is none of the caller's.
func TestAttemptsOfCalls(t *testing.T) {
	const world = `
retry "linear" "r" {
  delay       = "1s"
  max_retries = 2
}
actor "back" {
  handler "do" { takes = "2s" }
}
actor "front" {
  handler "pass" { forward_to = actor.back.do }
  handler "work" {
    workflow  = workflow.inner
  }
}
workflow "inner" {
  step "call" "deep" { target = actor.back.do }
}
workflow "w" {
  step "call" "op" {
    target     = actor.front.pass
    retry      = retry.r
    idempotent = true
  }
  step "fanout" "all" {
    depends_on = [step.op]
    sub "x" {
      target = actor.front.work
      retry  = retry.r
    }
  }
}
scenario "s" {
  run = workflow.w
  on "op" {
    fault "refuse" {}
    reply {}
  }
  call "c" {
    target = actor.front.pass
    at     = ["1m", "2m"]
  }
  assert "x" { condition = %s }
}
`
	for _, c := range []struct {
		condition string
		want      bool
	}{
		{`[for a in step.op.attempts : a.outcome] == ["failure", "success"]`, true},
		{`[for a in step.op.attempts : a.n] == [1, 2]`, true},
		{`[for a in step.op.attempts : a.round] == [1, 2]`, true},
		{`[for a in step.op.attempts : a.target] == ["front", "front"]`, true},
		{`step.op.attempts[0].error.kind == "target_unavailable"`, true},
		{`length(step.op.attempts) == 1`, false},
		{`[for a in step.all.x.attempts : a.target] == ["front"]`, true},
		{`[for s in step.all.subs : length(s.attempts)] == [1]`, true},
		{`[for c in call.c : [for a in c.attempts : [a.at_ms, a.ended_ms, a.started_at_ms]]] == [[[0, 2000, 60000]], [[0, 2000, 120000]]]`, true},
		{`[for a in actor.front.handlers.work.deep.attempts : a.target] == ["back"]`, true},
		{`metric("scenario_attempts_total", { step_id = "op" }) == 2`, true},
		{`metric("scenario_attempts_total", { step_id = "c", target = "front", outcome = "success" }) == 2`, true},
		{`[for s in steps : length(s.attempts) if s.name == "op"] == [2]`, true},
		{`step.op.attempts[0].gap_ms == null`, true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(world, c.condition))[0], RunOptions{})
		held := true
		for _, p := range r.Problems {
			if p.Kind != "assert" {
				t.Fatalf("%s: %s: %s", c.condition, p.Name, p.Message)
			}
			held = false
		}
		if held != c.want {
			t.Errorf("%s holds: %v, want %v: %+v", c.condition, held, c.want, r.Problems)
		}
	}
}

// A condition on what a kind of step can never have is refused, with where it is
// instead, in a reference, in an expect block and through a choice of steps alike;
// what asks all steps is not.
func TestAttributesThatAStepNeverHas(t *testing.T) {
	const world = `
provider "openai" "m" { model = "x" }
workflow "inner" {
  provider = provider.m
  step "llm" "ask" { prompt = "?" }
}
fanout "f" {
  sub "x" { target = workflow.inner }
}
workflow "w" {
  provider = provider.m
  step "llm" "plain" { prompt = "?" }
  step "value" "v" { value = 1 }
  step "wait" "pause" { for = "1s" }
  step "workflow" "nested" { run = workflow.inner }
  step "loop" "rounds" {
    max_iterations = 2
    while          = loop.index < 1
    step "llm" "again" { prompt = "?" }
  }
  step "fanout" "all" { run = fanout.f }
}
scenario "s" {
  run = workflow.w
  on "*" {
    reply { content = "x" }
  }
  %s
}
`
	instead := map[string]string{"v": "calls nothing", "pause": "calls nothing", "nested": "step.OUTER.NAME", "rounds": "step.LOOP.runs[*].NAME", "all": "step.NAME.ID"}
	for _, attr := range []string{"attempts", "rejections", "retries", "stop", "delays_ms", "provider"} {
		for step, hint := range instead {
			if step == "nested" && slices.Contains([]string{"retries", "stop", "delays_ms"}, attr) {
				continue // a workflow may be run again
			}
			for _, check := range []string{
				fmt.Sprintf(`assert "x" { condition = step.%s.%s == null }`, step, attr),
				fmt.Sprintf(`assert "x" { condition = [step.%s][0]["%s"] == null }`, step, attr),
				fmt.Sprintf(`invariant "x" { condition = step.%s.%s == null }`, step, attr),
				fmt.Sprintf(`expect "%s" { %s = null }`, step, attr),
			} {
				_, diags := compileText(fmt.Sprintf(world, check))
				if !diags.HasErrors() || !strings.Contains(diags.Error(), fmt.Sprintf("no attribute %q", attr)) || !strings.Contains(diags.Error(), hint) {
					t.Errorf("%s\nis not refused with %q: %v", check, hint, diags)
				}
			}
		}
	}
	for _, check := range []string{
		`assert "x" { condition = [for s in steps : length(s.attempts) if s.kind == "llm"] == [1] }`,
		`assert "x" { condition = sum([for name, s in step : length(s.attempts)]) == 0 }`,
		`assert "x" { condition = length(step.nested.ask.attempts) == 1 && length(step.all.x.ask.attempts) == 1 }`,
		`snapshot "x" { value = step.v }`,
	} {
		if _, diags := compileText(fmt.Sprintf(world, check)); diags.HasErrors() {
			t.Errorf("%s\nis refused: %v", check, diags)
		}
	}
	// The words are checked in what reads all steps, also where some have none.
	check := `assert "x" { condition = alltrue([for name, s in step : alltrue([for a in s.attempts : a.fault != "http_eror"])]) }`
	if _, diags := compileText(fmt.Sprintf(world, check)); !diags.HasErrors() {
		t.Errorf("%s\nis not refused", check)
	}
}

// compileText is what a file comes to, with what is wrong with it.
func compileText(src string) (*Suite, hcl.Diagnostics) {
	file, diags := dsl.Parse("test.scenario.hcl", []byte(src))
	if diags.HasErrors() {
		return nil, diags
	}
	return Compile(file, Options{})
}
