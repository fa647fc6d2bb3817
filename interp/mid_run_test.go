package interp

import "testing"

// Shows that the metric of retries grows with each retry and not with the end of
// its step: an event that waits for the first one comes with it.
func TestRetriesAreCountedAsTheyBegin(t *testing.T) {
	mustPass(t, testWorld+askOnce+`
scenario "at the first retry" {
  run = workflow.w
  on "ask" {
    fault "http_error" { times = 2 }
  }
  event "enough" {
    when   = metric("scenario_retries_total", { step_id = "ask" }) >= 1
    cancel = "run"
  }
  expect "run" {
    status   = "cancelled"
    ended_ms = 1000
  }
  assert "two attempts" { condition = length(step.ask.attempts) == 2 && metric("scenario_retries_total") == 1 }
}
scenario "during the wait there is none yet" {
  run = workflow.w
  on "ask" {
    fault "http_error" {}
  }
  event "enough" {
    at     = "500ms"
    cancel = "run"
  }
  expect "run" { status = "cancelled" }
  assert "none" { condition = step.ask.retries == 0 && metric("scenario_retries_total") == 0 }
}
`)
}

// Shows that replaced_by names a step that ran, and none that was to run when the
// run stopped, or that had its own condition not to.
func TestReplacedByNamesWhatRan(t *testing.T) {
	mustPass(t, testWorld+`
workflow "stops" {
  provider       = provider.primary
  max_concurrent = 1
  step "llm" "a" {
    prompt   = "x"
    fallback = step.b
  }
  step "llm" "c" { prompt = "x" }
  step "llm" "b" { prompt = "x" }
  step "llm" "d" {
    prompt     = "x"
    depends_on = [step.c]
  }
}
workflow "declines" {
  provider = provider.primary
  step "llm" "a" {
    prompt   = "x"
    fallback = step.b
  }
  step "llm" "b" {
    prompt = "x"
    when   = 1 == 2
  }
}
scenario "the run stops in between" {
  run = workflow.stops
  on "a" {
    fault "http_error" { after = "1s" }
  }
  on "c" {
    fault "http_error" {
      status_code = 400
      after       = "3s"
    }
  }
  expect "run" { status = "failed" }
  expect "b" { status = "skipped" }
  assert "nobody ran in its place" { condition = step.a.replaced_by == null && events({ type = "fallback" }) == [] }
}
scenario "the substitute will not run" {
  run = workflow.declines
  on "a" {
    fault "http_error" {}
  }
  expect "run" { status = "failed" }
  expect "b" { status = "skipped" }
  assert "nobody ran in its place" { condition = step.a.replaced_by == null && events({ type = "fallback" }) == [] }
}
`)
}
