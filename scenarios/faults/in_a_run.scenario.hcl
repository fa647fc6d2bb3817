# Faults inside a whole run: they pass through the same retry policy, breaker
# and telemetry as a real failure would, because nothing above the wire can tell
# them from one. A reader learns how scripts are keyed, played in order and
# counted, and that there is no default answer.

provider "openai" "primary" { model = "gpt-4o-mini" }

retry "exponential" "std" { max_retries = 3 }

breaker "std" {
  threshold = 2
  reset     = "30s"
}

gateway "llm" {
  target "guarded" {
    provider = provider.primary
    breaker  = breaker.std
  }
}

workflow "ask" {
  provider = provider.primary

  step "llm" "answer" {
    prompt = "Why is the sky blue?"
    retry  = retry.std
  }
}

workflow "three_calls" {
  gateway    = gateway.llm
  on_failure = "continue"

  step "llm" "first" { prompt = "one" }
  step "llm" "second" { prompt = "two" }
  step "llm" "third" { prompt = "three" }
}

workflow "pair" {
  provider = provider.primary

  step "llm" "classify" { prompt = "Classify this." }
  step "llm" "answer" { prompt = "Answer this ${step.classify.content}." }
}

# AL8, AL9: the script belongs to the step, and its entries play in order.
scenario "test_mock_fault_in_workflow_triggers_retry_policy" {
  description = "A fault is retried by the step's policy, and the next entry answers."
  run         = workflow.ask

  on "answer" {
    fault "http_error" { status_code = 500 }
    reply { content = "success after retry" }
  }

  expect "answer" {
    status    = "success"
    content   = "success after retry"
    retries   = 1
    delays_ms = [1000]
  }
  assert "two dials, a second apart" {
    condition = [for a in step.answer.attempts : a.at_ms] == [0, 1000]
  }
}

# AL29: an injected failure counts like a real one.
scenario "test_mock_fault_propagates_to_circuit_breaker" {
  description = "Two faults in a row trip a breaker of threshold two; the third call is not dialled."
  run         = workflow.three_calls

  on "first" {
    fault "http_error" { status_code = 503 }
  }
  on "second" {
    fault "connection_reset" {}
  }

  expect "run" {
    status = "failed"
  }
  expect "third" {
    status = "failed"
    error  = { kind = "circuit_open", mode = "RESOURCE_CIRCUIT_OPEN" }
  }
  assert "the breaker is open" {
    condition = breaker.guarded.state == "open" && breaker.guarded.failures == 2
  }
  assert "the third call was refused without a dial" {
    condition = length(target.guarded.attempts) == 2 && breaker.guarded.rejected == 1
  }
}

# AL13: a counter by workflow, step and kind; an attribute on the span.
scenario "test_mock_fault_metric_recorded" {
  description = "Every strike of a fault is counted and marks the span of its attempt."
  run         = workflow.ask

  on "answer" {
    fault "http_error" {
      status_code = 500
      times       = 2
    }
    fault "timeout" { after = "1s" }
    reply { content = "at last" }
  }

  assert "counted by kind" {
    condition = metric("scenario_mock_fault_total", { workflow = "ask", step_id = "answer", fault_type = "http_error" }) == 2
  }
  assert "counted in all" {
    condition = metric("scenario_mock_fault_total", { step_id = "answer" }) == 3
  }
  assert "the span of the third attempt names its fault" {
    condition = [for s in spans({ attributes = { "mock.fault_type" = "timeout" } }) : s.attributes["scenario.attempt"]] == [3]
  }
  assert "the answer is counted as a replay of the script" {
    condition = metric("scenario_mock_replays_total", { step_id = "answer", matched_by = "script" }) == 1
  }
}

# AL8: a workflow mixes faults and replies, keyed by step.
scenario "a fault of one step leaves the other's script alone" {
  run = workflow.pair

  on "classify" {
    reply { content = "question" }
  }
  on "answer" {
    fault "connection_refused" {}
  }

  expect "run" {
    status = "failed"
  }
  expect "classify" {
    status  = "success"
    content = "question"
  }
  expect "answer" {
    error = { kind = "connection", cause = "refused" }
  }
  assert "the second prompt was made of the first answer" {
    condition = step.answer.attempts[0].request.json.messages[0].content == "Answer this question."
  }
}

# AL10, AL11: step, then cassette, then nothing; there is no default answer.
scenario "a call that nothing answers is no success" {
  run   = workflow.pair
  allow = ["unmatched_call"]

  on "classify" {
    reply { content = "question" }
  }

  expect "run" {
    status = "failed"
  }
  expect "answer" {
    status  = "failed"
    content = null
    error   = { kind = "exception" }
  }
}

# AL12: a latency passes on the virtual clock, and takes no real time.
scenario "an answer takes as long as its latency says" {
  run = workflow.pair

  on "classify" {
    reply {
      content = "question"
      latency = "90m"
    }
  }
  on "answer" {
    reply { content = "blue" }
  }

  expect "run" {
    elapsed_ms = 5400000
  }
  expect "answer" {
    started_ms = 5400000
  }
}
