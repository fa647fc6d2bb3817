# What a retry policy retries, and how long it waits for a server that asks for
# patience. A reader learns how a list changes what is retried, which requests
# are never sent twice, and the three forms of Retry-After.

provider "openai" "model" { model = "gpt-4o-mini" }
provider "http" "shop" { base_url = "https://shop.example" }

retry "exponential" "std" {}
retry "exponential" "statuses" { retry_on = [429, "5xx"] }
retry "exponential" "refused_only" { retry_on = ["connection.refused"] }
retry "exponential" "a_mode" { retry_on = ["AGENT_VALIDATION"] }
retry "exponential" "slow_start" { base = "60s" }
retry "exponential" "impolite" { respect_retry_after = false }
retry "linear" "growing" {
  delay       = "2s"
  increment   = "3s"
  max_retries = 3
}
retry "exponential" "full_jitter" {
  base        = "10s"
  multiplier  = 1
  jitter      = "full"
  max_retries = 40
}

workflow "lists" {
  provider   = provider.model
  on_failure = "continue"

  step "llm" "by_status" {
    prompt = "1"
    retry  = retry.statuses
  }
  step "llm" "by_cause" {
    prompt = "2"
    retry  = retry.refused_only
  }
  step "llm" "by_mode" {
    prompt = "3"
    retry  = retry.a_mode
  }
}

scenario "retry_on: what is listed is retried, and what is not listed is not" {
  run = workflow.lists

  on "by_status" {
    fault "http_error" { status_code = 503 }
    fault "http_error" { status_code = 429 }
    fault "http_error" { status_code = 404 }
  }
  on "by_cause" {
    fault "connection_refused" {}
    fault "connection_reset" {}
  }
  on "by_mode" {
    fault "http_error" { status_code = 404 }
    fault "http_error" { status_code = 500 }
  }

  expect "run" {
    status = "failed"
  }
  expect "by_status" {
    retries   = 2
    delays_ms = [1000, 2000]
    error     = { status_code = 404 }
  }
  expect "by_cause" {
    retries = 1
    stop    = "not_retryable"
    error   = { cause = "reset" }
  }
  expect "by_mode" {
    retries = 1
    stop    = "not_retryable"
    error   = { status_code = 500 }
  }
}

scenario "retry_on: a list says all, so that one of statuses retries no reset" {
  run = workflow.lists

  on "by_status" {
    fault "connection_reset" {}
  }
  on "by_cause" {
    reply { content = "ok" }
  }
  on "by_mode" {
    reply { content = "ok" }
  }

  expect "run" { status = "partial" }
  expect "by_status" {
    status  = "failed"
    retries = 0
    stop    = "not_retryable"
    error   = { cause = "reset", retryable = true }
  }
}

workflow "orders" {
  provider   = provider.shop
  on_failure = "continue"

  step "http" "order" {
    method     = "POST"
    path       = "/orders"
    json       = { item = "tea" }
    retry      = retry.std
    idempotent = false
  }
  step "http" "order_with_key" {
    method  = "POST"
    path    = "/orders"
    headers = { "Idempotency-Key" = "order-1" }
    json    = { item = "tea" }
    retry   = retry.std
  }
  step "http" "list" {
    path  = "/orders"
    retry = retry.std
  }
}

scenario "a POST that may have had an effect is not sent again" {
  run = workflow.orders

  on "order" {
    fault "connection_reset" {}
  }
  on "order_with_key" {
    fault "connection_reset" {}
    reply {
      status_code = 201
      json        = { id = 1 }
    }
  }
  on "list" {
    fault "connection_reset" {}
    reply {
      json = []
    }
  }

  expect "run" {
    status = "partial"
  }
  expect "order" {
    status  = "failed"
    retries = 0
    error   = { kind = "connection", retryable = true }
  }
  expect "order_with_key" {
    status      = "success"
    status_code = 201
    retries     = 1
    json        = { id = 1 }
  }
  assert "the same request with the same key" {
    condition = [for a in step.order_with_key.attempts : [a.request.method, a.request.body, a.idempotency_key, a.provider]] == [for n in range(2) : ["POST", "{\"item\":\"tea\"}", "order-1", "shop"]]
  }
  expect "list" {
    status  = "success"
    retries = 1
  }
}

scenario "a POST is sent again when it certainly had no effect" {
  run = workflow.orders

  on "order" {
    fault "connection_refused" {}
    fault "http_error" { status_code = 503 }
    fault "http_error" { status_code = 429 }
    fault "http_error" { status_code = 500 }
  }
  on "order_with_key" {
    reply { status_code = 201 }
  }
  on "list" {
    reply { json = [] }
  }

  expect "run" {
    status = "partial"
  }
  expect "order" {
    retries   = 3
    delays_ms = [1000, 2000, 4000]
    stop      = "exhausted"
    error     = { kind = "http_status", status_code = 500 }
  }
}

workflow "patient" {
  provider   = provider.model
  on_failure = "continue"

  step "llm" "seconds" {
    prompt = "1"
    retry  = retry.std
  }
  step "llm" "date" {
    prompt = "2"
    retry  = retry.std
  }
  step "llm" "milliseconds" {
    prompt = "3"
    retry  = retry.std
  }
  step "llm" "longer_anyway" {
    prompt = "4"
    retry  = retry.slow_start
  }
  step "llm" "too_long" {
    prompt = "5"
    retry  = retry.std
  }
  step "llm" "unreadable" {
    prompt = "6"
    retry  = retry.std
  }
  step "llm" "rude" {
    prompt = "7"
    retry  = retry.impolite
  }
}

# Virtual time begins at 2000-01-01T00:00:00Z, which is what a date counts from.
scenario "Retry-After: seconds, a date, milliseconds; a lower bound; too long; unreadable" {
  run = workflow.patient

  on "seconds" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "30" }
    }
    reply { content = "ok" }
  }
  on "date" {
    fault "http_error" {
      status_code = 503
      headers     = { "Retry-After" = "Sat, 01 Jan 2000 00:00:45 GMT" }
    }
    reply { content = "ok" }
  }
  on "milliseconds" {
    fault "http_error" {
      status_code = 429
      headers     = { "retry-after-ms" = "1500" }
    }
    reply { content = "ok" }
  }
  on "longer_anyway" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "30" }
    }
    reply { content = "ok" }
  }
  on "too_long" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "121" }
    }
  }
  on "unreadable" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "-5" }
    }
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "soon" }
    }
    reply { content = "ok" }
  }
  on "rude" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "30" }
    }
    reply { content = "ok" }
  }

  expect "run" {
    status = "partial"
  }
  expect "seconds" {
    delays_ms = [30000]
    attempts  = [{ retry_after_ms = 30000 }, { retry_after_ms = null }]
  }
  expect "date" {
    delays_ms = [45000]
  }
  expect "milliseconds" {
    delays_ms = [1500]
  }
  expect "longer_anyway" {
    delays_ms = [60000]
  }
  expect "too_long" {
    status     = "failed"
    retries    = 0
    stop       = "wait_too_long"
    elapsed_ms = 0
    error      = { kind = "rate_limit", retry_after_ms = 121000 }
  }
  expect "unreadable" {
    delays_ms = [1000, 2000]
  }
  expect "rude" {
    delays_ms = [1000]
  }
  assert "what cannot be read is absent" {
    condition = [for a in step.unreadable.attempts : a.retry_after_ms] == [null, null, null]
  }
}

workflow "waits" {
  provider   = provider.model
  on_failure = "continue"

  step "llm" "linear" {
    prompt = "1"
    retry  = retry.growing
  }
  step "llm" "jittered" {
    prompt = "2"
    retry  = retry.full_jitter
  }
}

scenario "linear waits grow by an increment; full jitter draws from nothing to all" {
  run = workflow.waits

  on "*" {
    fault "http_error" {}
  }

  expect "run" {
    status = "failed"
  }
  expect "linear" {
    delays_ms = [2000, 5000, 8000]
  }
  assert "every wait is within the bounds" {
    condition = length(step.jittered.delays_ms) == 40 && alltrue([for d in step.jittered.delays_ms : d <= 10000])
  }
  assert "the draws are spread" {
    condition = min(step.jittered.delays_ms...) < 2000 && max(step.jittered.delays_ms...) > 8000
  }
}

workflow "later" {
  provider = provider.model

  step "wait" "before" { for = "5s" }
  step "llm" "ask" {
    prompt     = "1"
    retry      = retry.growing
    depends_on = [step.before]
  }
}

# The step begins at 5 s. Each answer takes a second, and the waits are 2 s and
# 5 s.
scenario "an attempt has the times of its step and those of the run" {
  run = workflow.later

  on "ask" {
    fault "http_error" {
      status_code = 503
      after       = "1s"
      times       = 2
    }
    reply { latency = "1s" }
  }

  assert "counted from the start of the step" {
    condition = [for a in step.ask.attempts : [a.at_ms, a.ended_ms, a.elapsed_ms]] == [[0, 1000, 1000], [3000, 4000, 1000], [9000, 10000, 1000]]
  }
  assert "counted from the start of the run" {
    condition = [for a in step.ask.attempts : [a.started_at_ms, a.ended_at_ms]] == [[5000, 6000], [8000, 9000], [14000, 15000]]
  }
  assert "the gap before each" {
    condition = step.ask.attempts[*].gap_ms == [null, 2000, 5000]
  }
}

retry "linear" "spread" {
  delay              = "1s"
  max_retries        = 1
  retry_after_jitter = 0.2
}

workflow "crowd" {
  provider = provider.model

  step "llm" "one" {
    prompt = "1"
    retry  = retry.spread
  }
  step "llm" "two" {
    prompt = "2"
    retry  = retry.spread
  }
  step "llm" "three" {
    prompt = "3"
    retry  = retry.spread
  }
}

scenario "Retry-After with jitter: three clients told the same wait do not come back together, and none too early" {
  run = workflow.crowd

  on "*" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "30" }
    }
    reply { content = "done" }
  }

  assert "nobody before the instant, nobody long after it" {
    condition = alltrue([for s in [step.one, step.two, step.three] : length(s.delays_ms) == 1 && s.delays_ms[0] >= 30000 && s.delays_ms[0] <= 36000])
  }
  assert "nobody at the same time" {
    condition = length(distinct([for s in [step.one, step.two, step.three] : s.delays_ms[0]])) == 3
  }
}
