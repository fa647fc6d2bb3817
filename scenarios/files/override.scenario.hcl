# Policies and timeouts of a workflow that a scenario overrides, for itself
# alone. A reader learns that null takes one away, that a gateway takes the
# place of a provider, and what an on_failure of an override switches off.

provider "openai" "primary" { model = "gpt-4o-mini" }
provider "openai" "backup" { model = "gpt-4o" }

retry "exponential" "std" {}
retry "linear" "patient" {
  delay       = "10s"
  max_retries = 1
}

gateway "both" {
  target "a" { provider = provider.primary }
  target "b" { provider = provider.backup }
}

workflow "support" {
  provider = provider.primary

  step "llm" "ask" {
    prompt   = "why?"
    retry    = retry.std
    fallback = step.apology
  }
  step "llm" "apology" { prompt = "say sorry" }
  step "llm" "log" { prompt = "log" }
}

scenario "as it is declared" {
  run = workflow.support
  on "ask" {
    fault "http_error" {}
  }
  on "apology" {
    reply { content = "sorry" }
  }
  on "log" {
    reply { content = "logged" }
  }
  expect "run" { status = "success" }
  expect "ask" {
    delays_ms   = [1000, 2000, 4000]
    replaced_by = "apology"
  }
}

scenario "another policy" {
  run = workflow.support
  override {
    step "ask" { retry = retry.patient }
  }
  on "ask" {
    fault "http_error" { times = 1 }
    reply { content = "late" }
  }
  on "log" {
    reply { content = "logged" }
  }
  expect "ask" {
    content   = "late"
    delays_ms = [10000]
  }
}

scenario "null takes a policy away" {
  run = workflow.support
  override {
    step "ask" { retry = null }
  }
  on "ask" {
    fault "http_error" {}
  }
  on "apology" {
    reply { content = "sorry" }
  }
  on "log" {
    reply { content = "logged" }
  }
  expect "ask" { replaced_by = "apology" }
  assert "one attempt" {
    condition = length(step.ask.attempts) == 1
  }
}

# An on_failure of the override counts as the step's own: it switches the
# fallback off.
scenario "a strategy in place of the fallback" {
  run = workflow.support
  override {
    step "ask" {
      retry      = null
      on_failure = "continue"
    }
  }
  on "ask" {
    fault "http_error" {}
  }
  on "log" {
    reply { content = "logged" }
  }
  expect "run" { status = "partial" }
  expect "ask" { replaced_by = null }
  expect "apology" { status = "skipped" }
  expect "log" { status = "success" }
}

# That of the workflow is no step's own: the fallback stays.
scenario "a strategy of the workflow" {
  run = workflow.support
  override {
    workflow {
      on_failure = "continue"
      timeout    = "1m"
    }
    step "ask" { retry = null }
  }
  on "ask" {
    fault "http_error" {}
  }
  on "apology" {
    reply { content = "sorry" }
  }
  on "log" {
    reply { content = "logged" }
  }
  expect "run" { status = "success" }
  expect "ask" { replaced_by = "apology" }
}

scenario "a gateway in place of the provider" {
  run = workflow.support
  override {
    workflow { gateway = gateway.both }
    step "log" { provider = provider.backup }
  }
  on "ask" {
    fault "http_error" { target = "a" }
    reply { content = "from b" }
  }
  on "log" {
    reply { content = "logged" }
  }
  expect "ask" { content = "from b" }
  assert "the second target answered" {
    condition = gateway.both.served_by == ["b"] && step.log.attempts[0].target == "backup"
  }
}

scenario "limits of the run" {
  run = workflow.support
  override {
    workflow {
      max_concurrent = 1
      timeout        = "3s"
      budget { tokens = 1000 }
    }
    step "ask" { timeout = "1s" }
    step "log" { required = false }
  }
  on "ask" {
    reply {
      content = "too late"
      latency = "2s"
    }
  }
  on "apology" {
    reply { content = "sorry" }
  }
  on "log" {
    reply { content = "logged" }
  }
  expect "run" { status = "success" }
  expect "ask" {
    status      = "timeout"
    elapsed_ms  = 1000
    replaced_by = "apology"
  }
  assert "one at a time" {
    condition = step.log.started_ms >= 1000
  }
}

workflow "outer" {
  provider = provider.primary

  step "workflow" "first" { run = workflow.support }
  step "workflow" "second" {
    run        = workflow.support
    depends_on = [step.first]
  }
  step "loop" "twice" {
    max_iterations = 2
    depends_on     = [step.second]
    step "llm" "again" { prompt = "again" }
  }
}

# An address leads into a loop, and into the workflow that one step runs: the
# other step that runs it has its own.
scenario "steps inside of steps" {
  run = workflow.outer
  override {
    step "first.ask" { retry = retry.patient }
    step "twice.again" { retry = retry.std }
  }
  on "first.ask" {
    fault "http_error" { times = 1 }
    reply { content = "1" }
  }
  on "second.ask" {
    fault "http_error" { times = 1 }
    reply { content = "2" }
  }
  on "twice.again" {
    fault "http_error" { times = 1 }
    reply { content = "3" }
    reply { content = "4" }
  }
  on "first.log" {
    reply { content = "logged" }
  }
  on "second.log" {
    reply { content = "logged" }
  }
  expect "first.ask" { delays_ms = [10000] }
  expect "second.ask" { delays_ms = [1000] }
  assert "the loop waited, too" {
    condition = step.twice.elapsed_ms == 1000
  }
}
