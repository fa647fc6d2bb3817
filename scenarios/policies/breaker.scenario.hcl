# A breaker that counts a share of failures in a window, of calls or of time,
# in place of failures in a row. A reader learns when such a breaker opens, and
# why a single success does not save it.

provider "openai" "primary" { model = "gpt-4o-mini" }

breaker "of_four_calls" {
  window       = 4
  failure_rate = 0.5
  min_calls    = 3
}
breaker "of_ten_seconds" {
  window       = "10s"
  failure_rate = 0.6
  min_calls    = 2
}
breaker "two_probes" {
  threshold         = 1
  reset             = "5s"
  half_open_max     = 2
  success_threshold = 2
}

gateway "calls" {
  target "by_calls" {
    provider = provider.primary
    breaker  = breaker.of_four_calls
  }
}
gateway "time" {
  target "by_time" {
    provider = provider.primary
    breaker  = breaker.of_ten_seconds
  }
}
gateway "probes" {
  target "probed" {
    provider = provider.primary
    breaker  = breaker.two_probes
  }
}

workflow "five_calls" {
  gateway    = gateway.calls
  on_failure = "continue"

  step "llm" "c1" { prompt = "1" }
  step "llm" "c2" { prompt = "2" }
  step "llm" "c3" { prompt = "3" }
  step "llm" "c4" { prompt = "4" }
  step "llm" "c5" { prompt = "5" }
}

scenario "a window of calls: S, S, F is a third; S, S, F, F is half, and opens" {
  run = workflow.five_calls

  on "c1" {
    reply { content = "ok" }
  }
  on "c2" {
    reply { content = "ok" }
  }
  on "c3" {
    fault "http_error" {}
  }
  on "c4" {
    fault "http_error" {}
  }

  expect "run" {
    status = "partial"
  }
  expect "c4" {
    error = { kind = "http_status" }
  }
  expect "c5" {
    error = { kind = "circuit_open" }
  }
  assert "open after the fourth call" {
    condition = breaker.by_calls.state == "open" && breaker.by_calls.failures == 2 && length(target.by_calls.attempts) == 4
  }
}

scenario "a window of calls: F, S, F is two thirds of three calls, and opens" {
  run = workflow.five_calls

  on "c1" {
    fault "http_error" {}
  }
  on "c2" {
    reply { content = "ok" }
  }
  on "c3" {
    fault "http_error" {}
  }

  expect "run" {
    status = "partial"
  }
  assert "two failures that are not in a row, and min_calls is reached" {
    condition = target.by_calls.breaker.state == "open" && length(target.by_calls.attempts) == 3 && breaker.by_calls.rejected == 2
  }
}

workflow "spread" {
  gateway    = gateway.time
  on_failure = "continue"

  step "wait" "at_4" { for = "4s" }
  step "wait" "at_12" { for = "12s" }
  step "wait" "at_13" { for = "13s" }
  step "llm" "c0" { prompt = "0" }
  step "llm" "c4" {
    prompt     = "4"
    depends_on = [step.at_4]
  }
  step "llm" "c12" {
    prompt     = "12"
    depends_on = [step.at_12]
  }
  step "llm" "c13" {
    prompt     = "13"
    depends_on = [step.at_13]
  }
}

# At 4 one of two calls has failed, which is less than 0.6. At 12 the failure of
# 0 is too old to count, and again one of two has failed. At 13 it is two of
# three.
scenario "a window of time forgets what is older" {
  run = workflow.spread

  on "c0" {
    fault "http_error" {}
  }
  on "c4" {
    reply { content = "ok" }
  }
  on "c12" {
    fault "http_error" {}
  }
  on "c13" {
    fault "http_error" {}
  }

  expect "run" {
    status = "partial"
  }
  expect "c4" { started_ms = 4000 }
  assert "it opens at 13 and not before" {
    condition = [for t in breaker.by_time.transitions : [t.at_ms, t.to]] == [[13000, "open"]]
  }
}

workflow "two_at_a_time" {
  gateway    = gateway.probes
  on_failure = "continue"

  step "llm" "trip" { prompt = "0" }
  step "wait" "later" { for = "5s" }
  step "llm" "probe_1" {
    prompt     = "1"
    depends_on = [step.later]
  }
  step "llm" "probe_2" {
    prompt     = "2"
    depends_on = [step.later]
  }
  step "llm" "probe_3" {
    prompt     = "3"
    depends_on = [step.later]
  }
}

scenario "half open: two probes at a time, the third is refused, two successes close it" {
  run = workflow.two_at_a_time

  on "trip" {
    fault "http_error" {}
  }
  on "probe_1" {
    reply { latency = "1s" }
  }
  on "probe_2" {
    reply { latency = "2s" }
  }

  expect "run" {
    status = "partial"
  }
  expect "probe_3" {
    ended_ms = 5000
    error    = { kind = "circuit_open" }
  }
  assert "half open at exactly reset, closed with the second success" {
    condition = [for t in breaker.probed.transitions : [t.at_ms, t.to]] == [[0, "open"], [5000, "half_open"], [7000, "closed"]]
  }
  assert "two in flight" {
    condition = target.probed.in_flight_max == 2
  }
}

provider "http" "shop" { base_url = "https://shop.example.com" }

breaker "short" {
  threshold = 1
  reset     = "3s"
}

retry "linear" "every_two" { delay = "2s" }

gateway "orders" {
  target "shop" {
    provider = provider.shop
    breaker  = breaker.short
  }
}

workflow "order" {
  gateway = gateway.orders

  step "http" "place" {
    method     = "POST"
    path       = "/orders"
    idempotent = false
    retry      = retry.every_two
  }
}

# What the breaker refuses was never sent, so that even a request that may not be
# sent twice is tried again after it.
scenario "an open breaker does not end the retries of a POST" {
  run = workflow.order

  on "place" {
    fault "connection_refused" {}
    reply { status_code = 201 }
  }

  expect "place" {
    status    = "success"
    delays_ms = [2000, 2000]
  }
  assert "refused at 2 s, dialled at 0 and as the probe at 4 s" {
    condition = [for r in step.place.rejections : r.at_ms] == [2000] && [for a in step.place.attempts : a.at_ms] == [0, 4000]
  }
}

# A breaker that ignores rate limits alone: calls that a deadline of the step
# ends count as failures, while with the default list a breaker never sees the
# hangs that its callers give up on.

breaker "sees_hangs" {
  threshold = 2
  ignore    = ["rate_limit"]
}
breaker "sees_none" { threshold = 2 }

gateway "given_up" {
  target "watched" {
    provider = provider.primary
    breaker  = breaker.sees_hangs
  }
}
gateway "unwatched" {
  target "blind" {
    provider = provider.primary
    breaker  = breaker.sees_none
  }
}

workflow "impatient" {
  max_concurrent = 1
  on_failure     = "continue"

  step "llm" "w1" {
    gateway = gateway.given_up
    prompt  = "1"
    timeout = "1s"
  }
  step "llm" "w2" {
    gateway = gateway.given_up
    prompt  = "2"
    timeout = "1s"
  }
  step "llm" "w3" {
    gateway = gateway.given_up
    prompt  = "3"
    timeout = "1s"
  }
  step "llm" "b1" {
    gateway = gateway.unwatched
    prompt  = "1"
    timeout = "1s"
  }
  step "llm" "b2" {
    gateway = gateway.unwatched
    prompt  = "2"
    timeout = "1s"
  }
  step "llm" "b3" {
    gateway = gateway.unwatched
    prompt  = "3"
    timeout = "1s"
  }
}

scenario "calls that an outer deadline ends count where cancelled is not ignored" {
  run = workflow.impatient

  on "*" {
    fault "timeout" { times = "*" }
  }

  expect "run" { status = "failed" }
  assert "two hangs open the one, and the third call is refused" {
    condition = breaker.watched.state == "open" && breaker.watched.rejected == 1 && length(target.watched.attempts) == 2
  }
  assert "the other never opens" {
    condition = breaker.blind.state == "closed" && length(target.blind.attempts) == 3
  }
  assert "the attempts are cancelled all the same" {
    condition = alltrue([for a in target.watched.attempts : a.outcome == "cancelled"])
  }
  assert "each when its step has had a second" {
    condition = [for a in concat(target.watched.attempts, target.blind.attempts) : a.elapsed_ms] == [1000, 1000, 1000, 1000, 1000]
  }
}
