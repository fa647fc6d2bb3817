# The tree of timeouts: workflow, step, attempt. The innermost deadline that
# passes first ends its own layer, and the layers outside see a result, never a
# second timeout. A reader learns how each one shows in the results, and that an
# answer which is due exactly at a deadline still counts.

provider "openai" "hasty" {
  model   = "gpt-4o-mini"
  timeout = "3s"
}
provider "openai" "primary" { model = "gpt-4o-mini" }

retry "exponential" "std" { max_retries = 5 }

gateway "llm" {
  target "quick" {
    provider = provider.hasty
    timeout  = "2s"
  }
  target "second" { provider = provider.primary }
}

workflow "attempts" {
  provider   = provider.hasty
  on_failure = "continue"

  step "llm" "by_provider" { prompt = "1" }
  step "llm" "by_step" {
    prompt          = "2"
    attempt_timeout = "1s"
  }
  step "llm" "by_target" {
    prompt          = "3"
    gateway         = gateway.llm
    attempt_timeout = "10s"
  }
}

scenario "an attempt ends at the shortest of the step's, the target's and the provider's limit" {
  run = workflow.attempts

  on "by_provider" {
    fault "timeout" {}
  }
  on "by_step" {
    fault "timeout" {}
  }
  on "by_target" {
    fault "timeout" { target = "quick" }
    reply {
      target  = "second"
      content = "in time"
      latency = "4s"
    }
  }

  expect "run" {
    status = "partial"
  }
  expect "by_provider" {
    status     = "failed"
    elapsed_ms = 3000
    error      = { kind = "timeout" }
  }
  expect "by_step" {
    status     = "failed"
    elapsed_ms = 1000
  }
  expect "by_target" {
    status     = "success"
    content    = "in time"
    elapsed_ms = 6000
  }
  assert "each deadline gives one event, with its layer" {
    condition = [for e in events({ type = "timeout" }) : [e.step, e.layer, e.at_ms]] == [["by_step", "attempt", 1000], ["by_target", "attempt", 2000], ["by_provider", "attempt", 3000]]
  }
}

workflow "step_limit" {
  provider = provider.primary

  step "llm" "ask" {
    prompt  = "hello"
    retry   = retry.std
    timeout = "5s"
  }
}

scenario "a step's timeout ends its retries, and tells the last failure" {
  run = workflow.step_limit

  on "ask" {
    fault "http_error" {
      status_code = 503
      body        = "come back later"
      times       = 3
    }
  }

  expect "run" {
    status     = "failed"
    elapsed_ms = 5000
  }
  expect "ask" {
    status    = "timeout"
    ended_ms  = 5000
    retries   = 2
    delays_ms = [1000, 2000]
    error     = { kind = "timeout", mode = "SYSTEM_TIMEOUT" }
  }
  assert "the wait that the deadline cut is no retry, and the last failure is told" {
    condition = strcontains(step.ask.error.message, "come back later") && [for a in step.ask.attempts : a.at_ms] == [0, 1000, 3000]
  }
}

scenario "an answer that meets the step's deadline is cancelled, not timed out twice" {
  run = workflow.step_limit

  on "ask" {
    reply { latency = "6s" }
  }

  expect "run" {
    status = "failed"
  }
  expect "ask" {
    status = "timeout"
  }
  assert "the attempt was cancelled from outside" {
    condition = [for a in step.ask.attempts : a.outcome] == ["cancelled"]
  }
  assert "one deadline, one event" {
    condition = [for e in events({ type = "timeout" }) : e.layer] == ["step"]
  }
}

scenario "a reply that is due exactly at the deadline still counts" {
  run = workflow.step_limit

  on "ask" {
    reply {
      content = "just in time"
      latency = "5s"
    }
  }

  expect "ask" {
    status     = "success"
    content    = "just in time"
    elapsed_ms = 5000
  }
}

workflow "bounded" {
  provider = provider.primary
  timeout  = "4s"

  step "llm" "quick" { prompt = "1" }
  step "llm" "slow" { prompt = "2" }
  step "llm" "after" { prompt = step.slow.content }
}

scenario "a workflow's timeout cancels what runs and skips what waits" {
  run = workflow.bounded

  on "quick" {
    reply { content = "done" }
  }
  on "slow" {
    reply { latency = "1h" }
  }

  expect "run" {
    status     = "timeout"
    elapsed_ms = 4000
    error      = { kind = "timeout", mode = "PARTIAL_TIMEOUT" }
    partial    = { completed_steps = ["quick"], data = { quick = "done" } }
  }
  expect "slow" {
    status = "cancelled"
  }
  expect "after" {
    status = "skipped"
  }
}

scenario "a workflow's timeout is that of all its steps together" {
  run = workflow.bounded

  on "quick" {
    reply { content = "done" }
  }
  on "slow" {
    reply {
      content = "done"
      latency = "3s"
    }
  }
  on "after" {
    reply { latency = "2s" }
  }

  expect "run" {
    status     = "timeout"
    elapsed_ms = 4000
  }
  expect "slow" { status = "success" }
  expect "after" { status = "cancelled" }
}
