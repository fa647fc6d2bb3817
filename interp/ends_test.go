package interp

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/trace"
)

// A tool that is cut short with its step ends before the step does, and the
// step before the run.
func TestToolsEndBeforeTheirStep(t *testing.T) {
	r := play(t, `
workflow "w" {
  provider = provider.primary
  step "llm" "a" {
    prompt  = "x"
    timeout = "1s"
    tool "look" { step = step.t }
  }
  step "llm" "t" { prompt = "y" }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply { tool_calls = [{ id = "1", name = "look", arguments = {} }] }
  }
  on "t" {
    reply {
      content = "late"
      latency = "5s"
    }
  }
  expect "a" { status = "timeout" }
  expect "run" {
    status  = "failed"
    partial = { completion_ratio = 0, failed_steps = ["a"] }
  }
}`)
	if r.Verdict != Pass {
		t.Fatalf("verdict %s:\n%s", r.Verdict, told(r))
	}
	var ends []string
	for _, e := range r.Events {
		if e.Type == trace.StepEnd || e.Type == trace.RunEnd {
			ends = append(ends, string(e.Type)+" "+e.Step)
		}
	}
	if got := strings.Join(ends, ", "); got != "step_end t, step_end a, run_end " {
		t.Errorf("the ends are %s", got)
	}
}

// What a tool answers is its caller's work, an error too: a run in which only a
// tool failed is whole.
func TestFailedToolIsNoFailedStep(t *testing.T) {
	mustPass(t, testWorld+`
workflow "w" {
  provider = provider.primary
  step "llm" "a" {
    prompt = "x"
    tool "look" { step = step.t }
  }
  step "http" "t" {
    provider = provider.api
    path     = "/"
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply { tool_calls = [{ id = "1", name = "look", arguments = {} }] }
    reply { content = "without it, then" }
  }
  on "t" {
    fault "connection_refused" {}
  }
  expect "t" { status = "failed" }
  expect "run" {
    status  = "success"
    partial = { completion_ratio = 1, completed_steps = ["a"], failed_steps = [] }
  }
}`)
}

// A contract of an http step reads the answer as its dependants will.
func TestContractOfHTTPReadsTheAnswer(t *testing.T) {
	mustPass(t, testWorld+`
workflow "w" {
  provider = provider.api
  step "http" "a" {
    path = "/"
    validate "it is fine" { condition = self.output.ok && self.status_code == 200 }
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply { json = { ok = true } }
  }
  expect "a" { status = "success" }
}`)
}

// Every answer that came is paid for, also one whose reader stopped early; one
// that never came is not.
func TestOnlyAnswersThatCameCost(t *testing.T) {
	mustPass(t, testWorld+`
workflow "w" {
  provider = provider.primary
  budget { usd = 1 }
  step "llm" "a" {
    prompt = "x"
    stream = true
    consumer { abort_after_chunks = 1 }
  }
}
workflow "r" {
  provider = provider.primary
  step "llm" "a" { prompt = "x" }
}
scenario "stopped" {
  run = workflow.w
  on "a" {
    reply {
      chunks   = ["a ", "b"]
      cost_usd = 5
    }
  }
  expect "run" {
    status   = "failed"
    cost_usd = 5
    error    = { kind = "budget_exceeded" }
  }
}
scenario "refused" {
  run = workflow.r
  on "a" {
    fault "connection_refused" {
      reply { cost_usd = 5 }
    }
  }
  expect "run" {
    status   = "failed"
    cost_usd = 0
  }
}`)
}

// A fault that cannot strike as it is written is an error of the scenario,
// whatever gates it relaxes.
func TestFaultThatCannotStrike(t *testing.T) {
	r := play(t, `
workflow "w" {
  provider = provider.primary
  step "llm" "a" {
    prompt = "x"
    stream = true
  }
}
scenario "s" {
  run   = workflow.w
  allow = ["unmatched_call", "unexpected_failure"]
  on "a" {
    fault "stream_truncate" {
      after_chunks = 99
      reply { chunks = ["a", "b"] }
    }
  }
  expect "a" { status = "failed" }
}`)
	if r.Verdict != Error || len(r.Problems) == 0 || r.Problems[0].Kind != "error" || !strings.Contains(r.Problems[0].Message, "entry 1 (fault stream_truncate)") {
		t.Errorf("verdict %s:\n%s", r.Verdict, told(r))
	}
}

// A wait that the step's deadline cuts short is no retry, in the result and in
// the metric alike.
func TestCutWaitIsNoRetry(t *testing.T) {
	mustPass(t, testWorld+`
retry "linear" "slow" { delay = "10s" }
workflow "w" {
  provider = provider.primary
  step "llm" "a" {
    prompt  = "x"
    retry   = retry.slow
    timeout = "15s"
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    fault "connection_refused" {}
  }
  expect "run" { status = "failed" }
  expect "a" {
    status    = "timeout"
    retries   = 1
    delays_ms = [10000]
  }
  assert "the metric says the same" { condition = metric("scenario_retries_total", { step_id = "a" }) == 1 }
}`)
}

// Values that can never be equal are refused wherever they are compared, not
// only at the top of a condition.
func TestMismatchAnywhere(t *testing.T) {
	for _, condition := range []string{
		`alltrue([for x in step.v.output.l : x != "zz"])`,
		`alltrue([step.v.output.x != "1"])`,
		`(step.v.output.x != "1") == true`,
		`[false, true][step.v.output.x != "1" ? 1 : 0]`,
	} {
		r := play(t, `
workflow "w" {
  step "value" "v" { value = { x = 1, l = [1, 2] } }
}
scenario "s" {
  run = workflow.w
  assert "a" { condition = `+condition+` }
}`)
		if r.Verdict != Fail || !strings.Contains(told(r), "can never be equal") {
			t.Errorf("%s: verdict %s:\n%s", condition, r.Verdict, told(r))
		}
	}
}

// The trace ends with the end of the run: what the gates found stands before.
func TestRunEndIsLast(t *testing.T) {
	r := play(t, `
workflow "w" {
  provider = provider.primary
  step "llm" "a" { prompt = "x" }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply { content = "a" }
    reply { content = "b" }
  }
}`)
	if last := r.Events[len(r.Events)-1]; last.Type != trace.RunEnd {
		t.Errorf("the last event is %s", last.Type)
	}
	if r.Verdict != Fail || !strings.Contains(told(r), "unused_reply") || !strings.Contains(told(r), "no_assertion") {
		t.Errorf("verdict %s:\n%s", r.Verdict, told(r))
	}
}

// What is no text is no prompt: the step fails before anything is sent.
func TestPromptIsAText(t *testing.T) {
	for _, prompt := range []string{`jsondecode("[1]")`, `1 / length([])`, `jsondecode("null")`} {
		r := play(t, `
workflow "w" {
  provider = provider.primary
  step "llm" "a" { prompt = `+prompt+` }
}
scenario "s" {
  run   = workflow.w
  allow = ["broken_expression"]
  expect "run" { status = "failed" }
  expect "a" {
    status   = "failed"
    attempts = []
    error    = { kind = "validation" }
  }
}`)
		if r.Verdict != Pass {
			t.Errorf("%s: verdict %s:\n%s", prompt, r.Verdict, told(r))
		}
	}
}

// A step says why no further round followed, and what cut it short.
func TestWhyThereWasNoFurtherRound(t *testing.T) {
	mustPass(t, testWorld+`
workflow "w" {
  provider = provider.api
  step "http" "a" {
    method = "POST"
    path   = "/"
    retry  = retry.std
  }
}
workflow "late" {
  provider = provider.primary
  step "llm" "a" {
    prompt  = "x"
    timeout = "1s"
  }
}
scenario "a POST" {
  run = workflow.w
  on "a" {
    fault "connection_reset" {}
  }
  expect "run" { status = "failed" }
  expect "a" {
    stop    = "not_idempotent"
    retries = 0
  }
}
scenario "a step's own timeout" {
  run = workflow.late
  on "a" {
    reply {
      content = "late"
      latency = "2s"
    }
  }
  expect "run" { status = "failed" }
  expect "a" { stop = null }
  assert "it is named" { condition = step.a.attempts[0].error.message == "cancelled: the step's timeout of 1s passed" }
}`)
}
