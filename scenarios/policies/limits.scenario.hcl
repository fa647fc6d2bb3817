# Limits of rate and of concurrency in front of a target. Callers wait their
# turn on the virtual clock, first come, first served; what can never fit is
# refused at once. A reader learns what a request costs before and after its
# answer is known, and what a full queue does.

provider "openai" "primary" { model = "gpt-4o-mini" }

rate_limit "tokens" {
  requests_per_minute = 6000
  tokens_per_minute   = 600 # ten a second
}

gateway "metered" {
  target "meter" {
    provider   = provider.primary
    rate_limit = rate_limit.tokens
  }
}
gateway "narrow" {
  target "door" {
    provider = provider.primary
    bulkhead {
      max_concurrent = 1
      max_queue      = 1
    }
  }
}

workflow "metered" {
  gateway    = gateway.metered
  on_failure = "continue"

  # 40 characters are 10 tokens.
  step "llm" "first" {
    prompt     = "Summarise the report in two sentences!!!"
    max_tokens = 100
  }
  step "llm" "second" {
    prompt     = "Summarise the report in two sentences!!!"
    max_tokens = 300
    depends_on = [step.first]
  }
  step "llm" "giant" {
    prompt     = "Summarise the library."
    max_tokens = 601
  }
}

# The bucket holds 600. The first request takes 110 and its answer is charged
# 310 in the end, which leaves 290; the second wants 310 and waits for the 20
# that are missing at ten a second.
scenario "tokens: the estimate before, the difference to the real usage after" {
  run = workflow.metered

  on "first" {
    reply {
      content = "Short."
      usage   = { prompt_tokens = 10, completion_tokens = 300 }
    }
  }
  on "second" {
    reply {
      content = "Longer."
      usage   = { prompt_tokens = 10, completion_tokens = 300 }
    }
  }

  expect "run" {
    status = "partial"
  }
  expect "giant" {
    status     = "failed"
    elapsed_ms = 0
    error      = { kind = "rate_limit" }
  }
  assert "the second waits two seconds, and is then dialled once" {
    condition = [for a in step.second.attempts : a.at_ms] == [2000]
  }
  assert "what never fits is refused without a dial" {
    condition = step.giant.attempts == [] && [for r in step.giant.rejections : r.reason] == ["rate_limit"]
  }
}

workflow "three_at_once" {
  gateway    = gateway.narrow
  on_failure = "continue"

  step "llm" "first" { prompt = "1" }
  step "llm" "second" { prompt = "2" }
  step "llm" "third" { prompt = "3" }
}

scenario "bulkhead: one runs, one queues, the third is refused" {
  run = workflow.three_at_once

  on "*" {
    reply { latency = "2s" }
  }

  expect "run" {
    status     = "partial"
    elapsed_ms = 4000
  }
  expect "third" {
    status   = "failed"
    ended_ms = 0
    error    = { kind = "overloaded" }
  }
  assert "the second is dialled when the first has ended" {
    condition = [for a in step.second.attempts : [a.at_ms, a.ended_ms]] == [[2000, 4000]]
  }
  assert "never two at a time" {
    condition = target.door.in_flight_max == 1
  }
  assert "the refusal says why" {
    condition = [for r in target.door.rejections : r.reason] == ["bulkhead"]
  }
}

workflow "answer" {
  provider = provider.primary
  step "llm" "ask" {
    prompt = "?"
    bulkhead {
      max_concurrent = 1
      max_queue      = 1
    }
  }
}
workflow "three_answers" {
  on_failure = "continue"
  step "workflow" "first" { run = workflow.answer }
  step "workflow" "second" { run = workflow.answer }
  step "workflow" "third" { run = workflow.answer }
}

scenario "bulkhead of a step: all runs of its workflow share it" {
  run = workflow.three_answers
  on "*" {
    reply { latency = "2s" }
  }
  expect "run" { status = "partial" }
  assert "one is answered, one waits, and one is refused" {
    condition = [for s in [step.first, step.second, step.third] : [s.status, s.ended_ms]] == [["success", 2000], ["success", 4000], ["failed", 0]]
  }
}

provider "openai" "spare" { model = "gpt-4o-mini" }

retry "linear" "std" { delay = "1s" }

rate_limit "one" {
  requests_per_minute = 1
  burst               = 1
}

gateway "fall_over" {
  target "failing" { provider = provider.primary }
  target "limited" {
    provider   = provider.spare
    rate_limit = rate_limit.one
  }
}

workflow "fall_over" {
  gateway    = gateway.fall_over
  on_failure = "continue"

  step "llm" "first" { prompt = "1" }
  step "llm" "second" {
    prompt     = "2"
    depends_on = [step.first]
    retry      = retry.std
    timeout    = "5s"
  }
}

# The first target's failure may be retried, but it is the deadline that ends the
# call, while it waits for the limit of the second.
scenario "a deadline that strikes in the queue of the second target begins no further round" {
  run = workflow.fall_over

  on "*" {
    target = "failing"
    fault "http_error" { status_code = 503 }
  }
  on "*" {
    target = "limited"
    reply { content = "ok" }
  }

  expect "run" { status = "partial" }
  expect "second" {
    status    = "timeout"
    ended_ms  = 5000
    retries   = 0
    delays_ms = []
    stop      = "cancelled"
  }
  assert "no wait has begun" {
    condition = events({ type = "retry_wait" }) == [] && metric("scenario_retries_total", { step_id = "second" }) == 0
  }
}
