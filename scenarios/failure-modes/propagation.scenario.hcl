# What a failure means for the rest (CU7): four strategies, of a workflow and of
# a step, and a policy for each agent. A mode says what failed; the strategy says
# what follows.

provider "openai" "agent" { model = "gpt-4o-mini" }

retry "none" "critical" {}
retry "exponential" "flaky" { max_retries = 5 }

workflow "agents" {
  provider = provider.agent

  step "llm" "a" { prompt = "a" }
  step "llm" "b" {
    prompt     = "b"
    depends_on = [step.a]
  }
  step "llm" "c" { prompt = "c" }
  step "llm" "d" {
    prompt     = "d"
    depends_on = [step.c]
  }
}

workflow "with_fallback" {
  provider   = provider.agent
  on_failure = "fallback"

  step "llm" "a" {
    prompt   = "a"
    fallback = step.simple
  }
  step "llm" "b" { prompt = "after ${step.a.content}" }
  step "value" "simple" { value = "a simple answer to ${step.a.error.mode}" }
}

# The strategy of a step overrides that of its workflow.
workflow "mixed" {
  provider   = provider.agent
  on_failure = "continue"

  step "llm" "vital" {
    prompt     = "a"
    on_failure = "fail_fast"
  }
  step "llm" "useful" { prompt = "b" }
  step "llm" "later" {
    prompt     = "c"
    depends_on = [step.useful]
  }
  step "wait" "slow" { for = "10s" }
}

workflow "policies" {
  provider   = provider.agent
  on_failure = "continue"

  step "llm" "critical_agent" {
    prompt = "1"
    retry  = retry.critical
  }
  step "llm" "flaky_agent" {
    prompt = "2"
    retry  = retry.flaky
  }
  step "llm" "default_agent" {
    prompt     = "3"
    on_failure = "retry"
    required   = false
  }
  step "llm" "bare_agent" { prompt = "4" }
}

locals {
  # a fails after 1 s and c takes 5 s: what becomes of the run and of a, b, c, d.
  strategies = {
    fail_fast = { run = "failed", steps = ["failed", "skipped", "cancelled", "skipped"], ended_ms = 1000, retries = 0 }
    continue  = { run = "partial", steps = ["failed", "skipped", "success", "success"], ended_ms = 5000, retries = 0 }
    retry     = { run = "failed", steps = ["failed", "skipped", "success", "cancelled"], ended_ms = 11000, retries = 3 }
    fallback  = { run = "failed", steps = ["failed", "skipped", "cancelled", "skipped"], ended_ms = 1000, retries = 0 }
  }
}

scenario "CU7 the strategy of a workflow" {
  for_each = local.strategies
  run      = workflow.agents
  override {
    workflow { on_failure = each.key }
  }

  on "a" {
    fault "http_error" {
      status_code = 503
      after       = "1s"
    }
  }
  on "c" {
    reply { latency = "5s" }
  }
  # Under "retry" d is still under way when a has no retries left.
  dynamic "on" {
    for_each = each.key == "continue" ? ["0s"] : each.key == "retry" ? ["10s"] : []
    labels   = ["d"]
    content {
      reply { latency = on.value }
    }
  }

  expect "run" {
    status     = each.value.run
    elapsed_ms = each.value.ended_ms
    error      = { step = "a", retries = each.value.retries, mode = "RESOURCE_API_UNAVAILABLE" }
  }
  assert "what became of the steps" {
    condition = [step.a.status, step.b.status, step.c.status, step.d.status] == each.value.steps
  }
  assert "what waited for the failed step says so, if nothing stopped it before" {
    condition = each.key != "continue" || step.b.skipped_reason == "upstream failure: a"
  }
}

scenario "CU7 retry: what mends within the retries is no failure" {
  run = workflow.agents
  override {
    workflow { on_failure = "retry" }
  }

  on "*" {
    reply { content = "ok" }
  }
  on "a" {
    fault "http_error" {
      status_code = 503
      times       = 3
    }
    reply { content = "ok" }
  }

  expect "run" {
    status     = "success"
    elapsed_ms = 7000
  }
}

scenario "CU7 fallback: after a retryable failure another step runs in its place" {
  run = workflow.with_fallback

  on "a" {
    fault "http_error" { status_code = 503 }
  }
  on "b" {
    reply { content = "ok" }
  }

  expect "run" {
    status  = "success"
    partial = { completed_steps = ["a", "b"], completion_ratio = 1 }
  }
  expect "a" {
    status      = "failed"
    replaced_by = "simple"
  }
  assert "dependants read what ran" {
    condition = step.b.attempts[0].request.json.messages[0].content == "after a simple answer to RESOURCE_API_UNAVAILABLE"
  }
}

scenario "CU7 fail_fast: a terminal failure gets no fallback" {
  run = workflow.with_fallback

  on "a" {
    fault "error" { mode = "POLICY_SECURITY" }
  }

  expect "run" {
    status = "failed"
    error  = { mode = "POLICY_SECURITY", terminal = true }
  }
  expect "simple" { status = "skipped" }
}

scenario "CU7 continue of the workflow: the step goes, what waits for it is skipped" {
  run = workflow.mixed

  on "vital" {
    reply { content = "ok" }
  }
  on "useful" {
    fault "http_error" { status_code = 503 }
  }

  expect "run" {
    status     = "partial"
    elapsed_ms = 10000
    partial    = { completed_steps = ["vital", "slow"], failed_steps = ["useful"], skipped_steps = ["later"], completion_ratio = 0.5 }
  }
}

scenario "CU7 fail_fast of a step: it stops a workflow that would go on" {
  run = workflow.mixed

  on "vital" {
    fault "http_error" {
      status_code = 503
      after       = "1s"
    }
  }
  on "useful" {
    reply { content = "ok" }
  }
  on "later" {
    reply { content = "ok" }
  }

  expect "run" {
    status     = "failed"
    elapsed_ms = 1000
  }
  expect "slow" { status = "cancelled" }
}

scenario "CU7 a policy for each agent" {
  run = workflow.policies

  on "*" {
    fault "http_error" { status_code = 503 }
  }

  expect "run" { status = "failed" }
  assert "never, five times, three times, never" {
    condition = [step.critical_agent.retries, step.flaky_agent.retries, step.default_agent.retries, step.bare_agent.retries] == [0, 5, 3, 0]
  }
}
