# What a run may spend. Two rules: nothing is dialled once the limit is reached,
# and a run that has spent more than its limit is failed even where every step
# succeeded. A reader learns that retries are paid, too, and that what is in
# flight finishes.

provider "openai" "primary" { model = "gpt-4o-mini" }

retry "exponential" "std" {}

workflow "dollar" {
  provider = provider.primary
  budget { usd = 1.0 }

  step "llm" "first" { prompt = "1" }
  step "llm" "second" {
    prompt     = "2"
    depends_on = [step.first]
    retry      = retry.std
  }
}

scenario "before a dial: a limit that is reached refuses the next one" {
  run = workflow.dollar

  on "first" {
    reply {
      content  = "ok"
      cost_usd = 1.0
    }
  }

  expect "run" {
    status   = "failed"
    cost_usd = 1
  }
  expect "first" {
    status = "success"
  }
  expect "second" {
    status  = "failed"
    retries = 0
    stop    = "terminal"
    error   = { kind = "budget_exceeded", mode = "POLICY_BUDGET", terminal = true }
  }
  assert "nothing was dialled" {
    condition = step.second.attempts == []
  }
}

workflow "parallel" {
  provider = provider.primary
  budget { usd = 1.0 }

  step "llm" "quick" { prompt = "1" }
  step "llm" "slow" { prompt = "2" }
}

scenario "after an answer: more than the limit fails a run in which every step succeeded" {
  run = workflow.parallel

  on "quick" {
    reply {
      cost_usd = 0.75
      latency  = "1s"
    }
  }
  on "slow" {
    reply {
      cost_usd = 0.5
      latency  = "2s"
    }
  }

  expect "run" {
    status     = "failed"
    elapsed_ms = 2000
    cost_usd   = 1.25
    error      = { kind = "budget_exceeded", mode = "POLICY_BUDGET" }
  }
  expect "quick" {
    status = "success"
  }
  expect "slow" {
    status   = "success"
    cost_usd = 0.5
  }
}

scenario "exactly the limit is not more than the limit" {
  run = workflow.parallel

  on "quick" {
    reply {
      cost_usd = 0.25
      latency  = "1s"
    }
  }
  on "slow" {
    reply {
      cost_usd = 0.75
      latency  = "2s"
    }
  }

  expect "run" {
    status   = "success"
    cost_usd = 1
  }
}

workflow "tokens" {
  provider = provider.primary
  budget { tokens = 100 }

  step "llm" "ask" {
    prompt = "hello"
    retry  = retry.std
    validate "is long" {
      condition = length(self.content) > 3
      retry     = true
    }
  }
}

scenario "tokens: a retry is paid, too" {
  run = workflow.tokens

  on "ask" {
    reply {
      content = "no"
      usage   = { prompt_tokens = 30, completion_tokens = 20 }
      times   = 2
    }
  }

  expect "run" {
    status = "failed"
    usage  = { prompt_tokens = 60, completion_tokens = 40, total_tokens = 100 }
  }
  expect "ask" {
    status    = "failed"
    delays_ms = [1000, 2000]
    error     = { kind = "budget_exceeded", mode = "POLICY_BUDGET" }
  }
  assert "the third round is not dialled" {
    condition = length(step.ask.attempts) == 2
  }
}

provider "openai" "other" { model = "gpt-4o-mini" }

gateway "two" {
  target "paid" { provider = provider.primary }
  target "spare" { provider = provider.other }
}

workflow "through_a_gateway" {
  gateway = gateway.two
  budget { usd = 1.0 }

  step "llm" "ask" {
    prompt = "1"
    retry  = retry.std
  }
}

# The answer that nobody could read is paid for, and the failure before it may be
# retried: neither hides that there is no money for the next target.
scenario "the budget that refuses the second target ends the call" {
  run = workflow.through_a_gateway

  on "ask" {
    fault "malformed_response" {
      reply { cost_usd = 1.0 }
    }
  }

  expect "run" { status = "failed" }
  expect "ask" {
    error   = { kind = "budget_exceeded", mode = "POLICY_BUDGET" }
    stop    = "terminal"
    target  = "paid"
    retries = 0
  }
  assert "and no round is waited for" {
    condition = events({ type = "retry_wait" }) == []
  }
}

workflow "cents" {
  provider = provider.primary
  budget { usd = 0.9 }

  step "loop" "ask" {
    max_iterations = 4
    step "llm" "again" { prompt = "1" }
  }
}

scenario "thirty cents three times are ninety cents, and a fourth call is refused" {
  run = workflow.cents

  on "ask.again" {
    reply {
      content  = "ok"
      cost_usd = 0.3
      times    = 3
    }
  }

  expect "run" {
    status   = "failed"
    cost_usd = 0.9
  }
  assert "three calls" {
    condition = length([for e in events({ type = "attempt_start" }) : e]) == 3
  }
  assert "the sum is exact" {
    condition = run.cost_usd == 0.9 && step.ask.cost_usd == 0.9
  }
}

workflow "dimes" {
  provider = provider.primary
  budget { usd = 0.3 }

  step "loop" "ask" {
    max_iterations = 3
    step "llm" "again" { prompt = "1" }
  }
}

scenario "ten cents three times fit a budget of thirty" {
  run = workflow.dimes

  on "ask.again" {
    reply {
      content  = "ok"
      cost_usd = 0.1
      times    = 3
    }
  }

  expect "run" {
    status   = "success"
    cost_usd = 0.3
  }
}
