# What the failure of one step means for the others: stop, go on, retry, or let
# another step run in its place. A reader learns the four strategies, what
# dependants read from a substitute, and what a run that stopped half way says
# about going on.

provider "openai" "primary" { model = "gpt-4o-mini" }

workflow "stop" {
  provider = provider.primary

  step "llm" "broken" { prompt = "1" }
  step "llm" "running" { prompt = "2" }
  step "llm" "waiting" { prompt = step.running.content }
}

scenario "fail_fast: running siblings are cancelled, waiting ones skipped" {
  run = workflow.stop

  on "broken" {
    fault "http_error" {
      status_code = 500
      after       = "1s"
    }
  }
  on "running" {
    reply { latency = "10s" }
  }

  expect "run" {
    status     = "failed"
    elapsed_ms = 1000
    error      = { step = "broken", status_code = 500 }
  }
  expect "running" {
    status   = "cancelled"
    ended_ms = 1000
  }
  expect "waiting" {
    status = "skipped"
  }
}

workflow "go_on" {
  provider   = provider.primary
  on_failure = "continue"

  step "llm" "broken" { prompt = "1" }
  step "llm" "dependant" { prompt = step.broken.content }
  step "llm" "independent" { prompt = "2" }
}

scenario "continue: what does not depend on it runs, and the run is partial" {
  run = workflow.go_on

  on "broken" {
    fault "http_error" { status_code = 400 }
  }
  on "independent" {
    reply {
      content = "ok"
      latency = "5s"
    }
  }

  expect "run" {
    status     = "partial"
    elapsed_ms = 5000
    partial    = { completed_steps = ["independent"], failed_steps = ["broken"], skipped_steps = ["dependant"], recoverable = false, hint = "retry_with_backoff" }
  }
  expect "dependant" {
    status         = "skipped"
    skipped_reason = "upstream failure: broken"
  }
}

workflow "retrying" {
  provider   = provider.primary
  on_failure = "retry"

  step "llm" "ask" { prompt = "1" }
}

scenario "retry: a step without a policy of its own gets the default one" {
  run = workflow.retrying

  on "ask" {
    fault "http_error" { times = 4 }
  }

  expect "run" {
    status = "failed"
  }
  expect "ask" {
    retries   = 3
    delays_ms = [1000, 2000, 4000]
  }
}

workflow "with_fallback" {
  provider = provider.primary
  output   = step.use.content

  step "llm" "main" {
    prompt   = "hard question"
    fallback = step.plan_b
  }
  step "llm" "plan_b" { prompt = "easy question, because: ${step.main.error.kind}" }
  step "llm" "use" { prompt = "use ${step.main.content}" }
}

scenario "fallback: another step runs in its place, and dependants read it" {
  run = workflow.with_fallback

  on "main" {
    fault "http_error" { status_code = 503 }
  }
  on "plan_b" {
    reply { content = "plan b" }
  }
  on "use" {
    reply { content = "done" }
  }

  expect "run" {
    status  = "success"
    output  = "done"
    partial = { completed_steps = ["main", "use"], failed_steps = [], completion_ratio = 1 }
  }
  expect "main" {
    status      = "failed"
    replaced_by = "plan_b"
    error       = { status_code = 503 }
  }
  assert "the substitute knows why it runs" {
    condition = step.plan_b.attempts[0].request.json.messages[0].content == "easy question, because: http_status"
  }
  assert "the dependant reads the substitute" {
    condition = step.use.attempts[0].request.json.messages[0].content == "use plan b"
  }
}

scenario "fallback: not needed, the substitute is skipped and not counted" {
  run = workflow.with_fallback

  on "main" {
    reply { content = "plan a" }
  }
  on "use" {
    reply { content = "done" }
  }

  expect "run" {
    partial = { completed_steps = ["main", "use"], skipped_steps = [], completion_ratio = 1 }
  }
  expect "plan_b" {
    status         = "skipped"
    skipped_reason = "fallback not needed"
  }
}

scenario "fallback: a failure that is not retryable gets none" {
  run = workflow.with_fallback

  on "main" {
    fault "http_error" { status_code = 400 }
  }

  expect "run" {
    status = "failed"
  }
  expect "main" {
    status      = "failed"
    replaced_by = null
  }
  expect "plan_b" {
    status = "skipped"
  }
}

workflow "any_failure" {
  provider = provider.primary

  step "llm" "main" {
    prompt      = "hard question"
    fallback    = step.plan_b
    fallback_on = "any"
  }
  step "value" "plan_b" { value = "a fixed answer" }
  step "llm" "use" { prompt = "use ${step.main.output}" }
}

scenario "fallback_on any: also a failure that is not retryable" {
  run = workflow.any_failure

  on "main" {
    fault "http_error" { status_code = 400 }
  }
  on "use" {
    reply { content = "done" }
  }

  expect "main" {
    replaced_by = "plan_b"
  }
  expect "plan_b" {
    status = "success"
    output = "a fixed answer"
  }
  assert "the dependant reads the substitute's output" {
    condition = step.use.attempts[0].request.json.messages[0].content == "use a fixed answer"
  }
}

workflow "optional_and_conditional" {
  provider = provider.primary
  inputs   = { verbose = false }

  step "llm" "extra" {
    prompt     = "1"
    required   = false
    on_failure = "continue"
  }
  step "llm" "main" { prompt = "2" }
  step "llm" "details" {
    prompt = "3"
    when   = input.verbose
  }
  step "llm" "after_details" {
    prompt     = "4"
    depends_on = [step.details]
  }
}

scenario "a step that is not required may fail, and one that is not wanted is skipped" {
  run = workflow.optional_and_conditional

  on "extra" {
    fault "http_error" { status_code = 400 }
  }
  on "main" {
    reply { content = "ok" }
  }
  on "after_details" {
    reply { content = "ok" }
  }

  expect "run" {
    status = "success"
    error  = null
  }
  expect "extra" {
    status = "failed"
  }
  expect "details" {
    status         = "skipped"
    skipped_reason = "when is false"
  }
  expect "after_details" {
    status = "success"
  }
}

workflow "ten" {
  provider   = provider.primary
  on_failure = "continue"

  step "llm" "s1" { prompt = "1" }
  step "llm" "s2" { prompt = "2" }
  step "llm" "s3" { prompt = "3" }
  step "llm" "s4" { prompt = "4" }
  step "llm" "s5" { prompt = "5" }
  step "llm" "s6" { prompt = "6" }
  step "llm" "s7" { prompt = "7" }
  step "llm" "s8" { prompt = "8" }
  step "llm" "s9" { prompt = "9" }
  step "llm" "s10" { prompt = "10" }
}

scenario "hint: nothing done is retry_all" {
  run = workflow.ten

  on "*" {
    fault "http_error" { status_code = 503 }
  }

  expect "run" {
    status  = "failed"
    partial = { completion_ratio = 0, recoverable = false, hint = "retry_all" }
  }
}

scenario "hint: less than half is retry_with_backoff" {
  run = workflow.ten

  on "*" {
    fault "http_error" { status_code = 503 }
  }
  on "s1" {
    reply { content = "ok" }
  }

  expect "run" {
    status  = "partial"
    partial = { completion_ratio = 0.1, recoverable = true, hint = "retry_with_backoff", completed_steps = ["s1"], data = { s1 = "ok" } }
  }
}

scenario "hint: half is resume_from_checkpoint" {
  run = workflow.ten

  on "*" {
    reply { content = "ok" }
  }
  on "s1" {
    fault "http_error" { status_code = 503 }
  }
  on "s2" {
    fault "http_error" { status_code = 503 }
  }
  on "s3" {
    fault "http_error" { status_code = 503 }
  }
  on "s4" {
    fault "http_error" { status_code = 503 }
  }
  on "s5" {
    fault "http_error" { status_code = 503 }
  }

  expect "run" {
    status  = "partial"
    partial = { completion_ratio = 0.5, hint = "resume_from_checkpoint", failed_steps = ["s1", "s2", "s3", "s4", "s5"] }
  }
}

scenario "hint: nine of ten is retry_failed" {
  run = workflow.ten

  on "*" {
    reply { content = "ok" }
  }
  on "s7" {
    fault "http_error" { status_code = 503 }
  }

  expect "run" {
    status  = "partial"
    partial = { completion_ratio = 0.9, hint = "retry_failed", failed_steps = ["s7"], recoverable = true }
  }
}

workflow "switched_off" {
  provider = provider.primary

  step "llm" "fast" {
    prompt     = "1"
    fallback   = step.slow
    on_failure = "continue"
  }
  step "llm" "slow" { prompt = "2" }
}

scenario "a step's own on_failure switches its fallback off, which then never runs" {
  run = workflow.switched_off

  on "fast" {
    fault "http_error" { status_code = 503 }
  }

  expect "run" {
    status   = "failed"
    cost_usd = 0
  }
  expect "fast" {
    status      = "failed"
    replaced_by = null
  }
  expect "slow" {
    status         = "skipped"
    skipped_reason = "fallback not needed"
  }
}
