# The lifecycle of a run (CU10): INITIALIZE, PLAN, then ROUTE and EXECUTE for all
# work, AGGREGATE, and COMPLETE or FAILED. The end comes whatever happens: after
# a failure under fail_fast, a deadline, a cancellation, and once only.

provider "openai" "agent" { model = "gpt-4o-mini" }

retry "linear" "once" {
  delay       = "1s"
  max_retries = 1
}

breaker "one" { threshold = 1 }

gateway "guarded" {
  target "main" {
    provider = provider.agent
    breaker  = breaker.one
  }
}

workflow "request" {
  gateway = gateway.guarded
  timeout = "10s"

  step "llm" "agent" {
    prompt = "Do it."
    retry  = retry.once
  }
  step "value" "sum" { value = "sum of ${step.agent.content}" }
}

workflow "outer" {
  step "loop" "twice" {
    max_iterations = 2
    step "workflow" "inner" { run = workflow.request }
  }
}

# After every event: no stage comes back, and the end is the last.
invariant "the stages are in order" {
  condition = alltrue([for i, s in run.lifecycle : i == 0 ? s.stage == "initialize" : i == 1 ? s.stage == "plan" : s.stage != "initialize" && s.stage != "plan"])
}

locals {
  # What the agent meets, how the run ends, and its last stage.
  ends = {
    success   = { kind = "", latency = "1s", status = "success", last = "complete" }
    failure   = { kind = "http_error", latency = "0s", status = "failed", last = "failed" }
    deadline  = { kind = "", latency = "11s", status = "timeout", last = "failed" }
    cancelled = { kind = "", latency = "6s", status = "cancelled", last = "failed" }
  }
}

scenario "CU10 teardown comes always, and once" {
  for_each = local.ends
  run      = workflow.request

  on "agent" {
    dynamic "reply" {
      for_each = each.value.kind == "" ? [1] : []
      content { latency = each.value.latency }
    }
    dynamic "fault" {
      for_each = each.value.kind == "" ? [] : [1]
      labels   = [each.value.kind]
      content { status_code = 400 }
    }
  }
  dynamic "event" {
    for_each = each.key == "cancelled" ? [1] : []
    labels   = ["stop"]
    content {
      at     = "5s"
      cancel = "run"
    }
  }

  expect "run" { status = each.value.status }
  assert "it begins with initialize and plan" {
    condition = [for s in slice(run.lifecycle, 0, 2) : s.stage] == ["initialize", "plan"]
  }
  assert "it ends with aggregate and the last stage" {
    condition = [for s in slice(run.lifecycle, length(run.lifecycle) - 2, length(run.lifecycle)) : s.stage] == ["aggregate", each.value.last]
  }
  assert "each of these once" {
    condition = length([for s in run.lifecycle : s if contains(["initialize", "plan", "aggregate", "complete", "failed"], s.stage)]) == 4
  }
  assert "CU10 every start has its end, with one run_id" {
    condition = [for type in ["run", "step", "attempt"] : length(events({ type = "${type}_start" }))] == [1, length([for e in events({ type = "step_end" }) : e if e.status != "skipped"]), length(events({ type = "attempt_end" }))] && length(distinct([for e in concat(events({ type = "run_start" }), events({ type = "run_end" })) : e.run_id])) == 1
  }
}

scenario "CU10 a round is routed, a dial executed, and so is a step that dials nothing" {
  run = workflow.request

  on "agent" {
    fault "http_error" { status_code = 429 }
    reply { latency = "2s" }
  }

  assert "all stages with their times" {
    condition = [for s in run.lifecycle : [s.stage, s.at_ms, s.step]] == [
      ["initialize", 0, null], ["plan", 0, null],
      ["route", 0, "agent"], ["execute", 0, "agent"],
      ["route", 1000, "agent"], ["execute", 1000, "agent"],
      ["route", 3000, "sum"], ["execute", 3000, "sum"],
      ["aggregate", 3000, null], ["complete", 3000, null],
    ]
  }
}

scenario "CU10 a refusal is routed and not executed" {
  run = workflow.request

  on "agent" {
    fault "http_error" { status_code = 503 }
  }

  expect "run" { status = "failed" }
  assert "the second round ends at the open breaker" {
    condition = [for s in run.lifecycle : s.stage if s.step == "agent"] == ["route", "execute", "route"]
  }
}

scenario "CU10 an inner run has stages of its own" {
  run = workflow.outer

  on "twice.inner.agent" {
    reply { latency = "1s" }
  }

  assert "those of the last iteration, with the times of the scenario" {
    condition = [for s in step.twice.inner.run.lifecycle : [s.stage, s.at_ms]] == [["initialize", 1000], ["plan", 1000], ["route", 1000], ["execute", 1000], ["route", 2000], ["execute", 2000], ["aggregate", 2000], ["complete", 2000]]
  }
  assert "the outer run has one beginning and one end" {
    condition = [for s in run.lifecycle : s.stage if s.step == null] == ["initialize", "plan", "aggregate", "complete"]
  }
}

workflow "two" {
  provider   = provider.agent
  on_failure = "continue"

  step "llm" "a" { prompt = "1" }
  step "llm" "b" { prompt = "2" }
}

scenario "CU10 a run that is partial is complete" {
  run = workflow.two

  on "a" {
    reply { content = "ok" }
  }
  on "b" {
    fault "http_error" {}
  }

  expect "run" { status = "partial" }
  assert "its last stage" {
    condition = run.lifecycle[length(run.lifecycle) - 1].stage == "complete"
  }
}
