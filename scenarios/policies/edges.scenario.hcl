# Where two rules meet. A reader learns which of them decides: in a round of which
# one target was refused, at two deadlines of one instant, for one free place, about
# whose turn it is, and after a breaker has changed its state.

provider "openai" "first" { model = "gpt-4o-mini" }
provider "openai" "second" { model = "gpt-4o-mini" }
provider "openai" "plain" { model = "gpt-4o-mini" }

retry "linear" "patient" {
  delay       = "1s"
  max_retries = 2
}

breaker "sensitive" {
  threshold = 1
  reset     = "60s"
}

gateway "guarded" {
  target "main" {
    provider = provider.first
    breaker  = breaker.sensitive
  }
  target "spare" {
    provider = provider.second
    fallback = true
  }
}

workflow "round" {
  gateway    = gateway.guarded
  on_failure = "continue"

  step "llm" "trips" { prompt = "1" }
  step "llm" "asks" {
    prompt     = "2"
    retry      = retry.patient
    depends_on = [step.trips]
  }
}

scenario "a refused target asks for no further round where another failed for good" {
  run = workflow.round

  on "trips" {
    target = "main"
    fault "http_error" { status_code = 500 }
  }
  on "trips" {
    target = "spare"
    reply { content = "ok" }
  }
  on "asks" {
    target = "spare"
    fault "http_error" { status_code = 400 }
  }

  expect "run" { status = "partial" }
  expect "asks" {
    status  = "failed"
    retries = 0
    stop    = "not_retryable"
    error   = { status_code = 400 }
  }
}

workflow "deadline" {
  provider = provider.plain

  step "llm" "answer" {
    prompt          = "1"
    timeout         = "5s"
    attempt_timeout = "5s"
    retry           = retry.patient
  }
}

scenario "of two deadlines of one instant that of the step decides" {
  run = workflow.deadline

  on "answer" {
    fault "hang" {}
  }

  expect "run" { status = "failed" }
  expect "answer" {
    status   = "timeout"
    stop     = "cancelled"
    attempts = [{ outcome = "cancelled", ended_ms = 5000 }]
  }
}

workflow "one_place" {
  provider       = provider.plain
  max_concurrent = 1

  step "llm" "a" { prompt = "1" }
  step "llm" "b" { prompt = "2" }
  step "llm" "of_a" {
    prompt     = "3"
    depends_on = [step.a]
  }
  step "llm" "d" { prompt = "4" }
}

scenario "a free place goes to the step that was ready first, then to the one declared first" {
  run = workflow.one_place

  on "*" {
    reply {
      content = "ok"
      latency = "1s"
    }
  }

  assert "of_a was ready at 1s, d from the beginning" {
    condition = [for s in steps : s.name] == ["a", "b", "d", "of_a"]
  }
  assert "one at a time" {
    condition = [for s in steps : s.started_ms] == [0, 1000, 2000, 3000]
  }
}

gateway "in_turn" {
  strategy = "round_robin"
  target "left" { provider = provider.first }
  target "right" { provider = provider.second }
}

workflow "turns" {
  gateway = gateway.in_turn

  step "llm" "a" {
    prompt = "1"
    retry  = retry.patient
  }
  step "llm" "b" {
    prompt     = "2"
    depends_on = [step.a]
  }
}

scenario "round_robin goes on with every round, not with every call or attempt" {
  run = workflow.turns

  on "a" {
    fault "http_error" {
      status_code = 500
      times       = 2
    }
    reply { content = "ok" }
  }
  on "b" {
    reply { content = "ok" }
  }

  assert "the first round begins left and falls over, the second begins right, the third left" {
    condition = [for x in step.a.attempts : x.target] == ["left", "right", "right"] && step.b.attempts[0].target == "left"
  }
  expect "a" { delays_ms = [1000] }
}

breaker "quick" {
  threshold = 1
  reset     = "3s"
}

gateway "alone" {
  target "only" {
    provider = provider.plain
    breaker  = breaker.quick
  }
}

workflow "late" {
  gateway    = gateway.alone
  on_failure = "continue"

  step "llm" "slow" { prompt = "1" }
  step "llm" "fails" { prompt = "2" }
  step "wait" "pause" { for = "11s" }
  step "llm" "probe" {
    prompt     = "3"
    depends_on = [step.pause]
  }
}

scenario "a dial that was admitted before a breaker changed its state says nothing any more" {
  run = workflow.late

  on "slow" {
    fault "http_error" {
      status_code = 500
      after       = "10s"
    }
  }
  on "fails" {
    fault "http_error" { status_code = 500 }
  }
  on "probe" {
    reply { content = "ok" }
  }

  expect "run" { status = "partial" }
  assert "its failure at 10s does not begin the 3s of the breaker anew" {
    condition = breaker.only.transitions == [
      { at_ms = 0, from = "closed", to = "open" },
      { at_ms = 11000, from = "open", to = "half_open" },
      { at_ms = 11000, from = "half_open", to = "closed" },
    ]
  }
}

workflow "optional_first" {
  provider   = provider.plain
  on_failure = "continue"

  step "llm" "nice" {
    prompt   = "1"
    required = false
  }
  step "llm" "needed" {
    prompt     = "2"
    depends_on = [step.nice]
  }
}

scenario "a required step that never ran because an optional one failed fails the run" {
  run = workflow.optional_first

  on "nice" {
    fault "http_error" { status_code = 400 }
  }

  expect "run" { status = "failed" }
  expect "needed" { status = "skipped" }
}
