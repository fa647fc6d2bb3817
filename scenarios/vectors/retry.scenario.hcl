# The public vectors of the retry policy, by number. Rounds and waits are exact
# on the virtual clock: attempts stand at the very millisecond that the formula
# gives. A reader learns how waits grow, what ends a policy early, and what the
# failure of the step is afterwards.

provider "openai" "primary" { model = "gpt-4o-mini" }

retry "exponential" "doubling" {
  base        = "1s"
  multiplier  = 2
  max_delay   = "60s"
  max_retries = 3
}
retry "exponential" "tripling" {
  base        = "1s"
  multiplier  = 3
  max_delay   = "10s"
  max_retries = 4
}
retry "exponential" "constant" {
  base        = "1s"
  multiplier  = 1
  max_retries = 4
}
retry "none" "never" {}
retry "exponential" "jittered" {
  base        = "10s"
  multiplier  = 1
  jitter      = 0.2
  max_retries = 40
}
retry "exponential" "statuses" {
  retry_on = ["429", "5xx"]
}

gateway "llm" {
  target "main" { provider = provider.primary }
}

# Each scenario gives the step its policy.
workflow "ask" {
  provider = provider.primary

  step "llm" "ask" {
    prompt = "hello"
    retry  = retry.doubling
  }
}

scenario "V1 x2 from 1 s, three retries, always 500: attempts at 0, 1, 3, 7" {
  run = workflow.ask

  on "ask" {
    fault "http_error" { status_code = 500 }
  }

  expect "run" {
    status     = "failed"
    elapsed_ms = 7000
  }
  expect "ask" {
    status   = "failed"
    ended_ms = 7000
  }
  assert "the rounds stand where the formula puts them" {
    condition = [for a in step.ask.attempts : a.at_ms] == [0, 1000, 3000, 7000]
  }
}

scenario "V3 x3 from 1 s with a cap of 10" {
  run = workflow.ask
  override {
    step "ask" { retry = retry.tripling }
  }

  on "ask" {
    fault "http_error" { status_code = 500 }
  }

  expect "run" {
    status = "failed"
  }
  expect "ask" {
    delays_ms = [1000, 3000, 9000, 10000]
  }
}

scenario "V3 x1 from 1 s" {
  run = workflow.ask
  override {
    step "ask" { retry = retry.constant }
  }

  on "ask" {
    fault "http_error" { status_code = 500 }
  }

  expect "run" {
    status = "failed"
  }
  expect "ask" {
    delays_ms = [1000, 1000, 1000, 1000]
  }
}

scenario "V5 connection failures are the network's, and retried" {
  run = workflow.ask

  on "ask" {
    fault "connection_reset" {}
  }

  expect "run" {
    status = "failed"
  }
  expect "ask" {
    retries = 3
    error   = { kind = "connection", mode = "SYSTEM_NETWORK", retryable = true }
  }
  assert "four rounds" {
    condition = [for a in step.ask.attempts : a.at_ms] == [0, 1000, 3000, 7000]
  }
}

scenario "V9 retry none is one attempt" {
  run = workflow.ask
  override {
    step "ask" { retry = retry.never }
  }

  on "ask" {
    fault "http_error" { status_code = 500 }
  }

  expect "run" {
    status = "failed"
  }
  expect "ask" {
    retries = 0
  }
  assert "one attempt" {
    condition = length(step.ask.attempts) == 1
  }
}

scenario "V10 F, F, S: attempts at 0, 1, 3, then success" {
  run = workflow.ask

  on "ask" {
    fault "http_error" { times = 2 }
    reply { content = "third time lucky" }
  }

  expect "ask" {
    status  = "success"
    content = "third time lucky"
    error   = null
  }
  assert "three rounds" {
    condition = [for a in step.ask.attempts : a.at_ms] == [0, 1000, 3000]
  }
}

scenario "V11 a terminal mode ends the retries" {
  run = workflow.ask

  on "ask" {
    fault "connection_refused" {}
    fault "error" { message = "out of memory" }
  }

  expect "run" {
    status = "failed"
  }
  expect "ask" {
    retries = 1
    error   = { kind = "exception", mode = "SYSTEM_OOM", terminal = true, retryable = false }
  }
  assert "two rounds" {
    condition = [for a in step.ask.attempts : a.at_ms] == [0, 1000]
  }
}

scenario "V13 jitter of 0.2 on 10 s stays between 8 and 12" {
  run = workflow.ask
  override {
    step "ask" { retry = retry.jittered }
  }

  on "ask" {
    fault "http_error" { times = 40 }
    reply { content = "at last" }
  }

  assert "every wait is within the bounds" {
    condition = length(step.ask.delays_ms) == 40 && alltrue([for d in step.ask.delays_ms : d >= 8000 && d <= 12000])
  }
  assert "the draws differ and use both halves of the range" {
    condition = min(step.ask.delays_ms...) < 9000 && max(step.ask.delays_ms...) > 11000
  }
}

scenario "V16 400 behind a gateway is not retried by a list of 429 and 5xx" {
  run = workflow.ask
  override {
    workflow { gateway = gateway.llm }
    step "ask" { retry = retry.statuses }
  }

  on "ask" {
    fault "http_error" { status_code = 400 }
  }

  expect "run" {
    status = "failed"
  }
  expect "ask" {
    retries = 0
    error   = { kind = "http_status", status_code = 400 }
  }
  assert "one attempt, and it kept its status" {
    condition = [for a in step.ask.attempts : a.status_code] == [400]
  }
}

scenario "V19 429 with Retry-After 30: the second attempt is at 30" {
  run = workflow.ask

  on "ask" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "30" }
    }
    reply { content = "now" }
  }

  expect "ask" {
    status    = "success"
    delays_ms = [30000]
  }
  assert "the server's wait is kept" {
    condition = [for a in step.ask.attempts : a.at_ms] == [0, 30000]
  }
}
