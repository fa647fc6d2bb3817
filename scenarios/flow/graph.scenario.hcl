# The graph of a workflow, row by row of AgentLoom's list. A reader learns what
# runs at once, which branch is taken, what a failed step means for the others,
# and which requests are sent again.

provider "openai" "primary" { model = "gpt-4o-mini" }
provider "http" "shop" { base_url = "https://shop.example" }

retry "exponential" "defaults" {}

workflow "wide" {
  provider = provider.primary

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
  step "llm" "s11" { prompt = "11" }
  step "value" "all" { value = "${step.s1.content}${step.s11.content}" }
}

scenario "AL20 ten steps run at once, the eleventh when one of them has ended" {
  run = workflow.wide

  on "*" {
    reply {
      content = "x"
      latency = "1s"
    }
  }

  expect "s10" {
    started_ms = 0
  }
  expect "s11" {
    started_ms = 1000
  }
  expect "all" {
    started_ms = 2000
    output     = "xx"
  }
  assert "never more than ten" {
    condition = target.primary.in_flight_max == 10
  }
}

workflow "stubborn" {
  provider = provider.primary

  step "llm" "ask" {
    prompt = "hello"
    retry  = retry.defaults
  }
}

scenario "AL22 the defaults of a retry: three more rounds after 1, 2 and 4 seconds" {
  run = workflow.stubborn

  on "ask" {
    fault "http_error" { status_code = 500 }
  }

  expect "run" {
    status = "failed"
  }
  expect "ask" {
    retries   = 3
    delays_ms = [1000, 2000, 4000]
    stop      = "exhausted"
  }
}

workflow "branches" {
  provider   = provider.primary
  on_failure = "continue"

  step "llm" "detect" {
    prompt  = "Which language?"
    timeout = "5s"
  }
  step "llm" "english" {
    prompt = "Answer"
    when   = step.detect.content == "en"
  }
  step "llm" "german" {
    prompt = "Antworte"
    when   = step.detect.content == "de"
  }
  step "value" "merged" { value = coalesce(step.english.content, step.german.content) }
  step "llm" "unrelated" { prompt = "And the weather?" }
}

scenario "AL25 one branch is taken, the other is skipped and harms nobody" {
  run = workflow.branches

  on "detect" {
    reply { content = "de" }
  }
  on "german" {
    reply { content = "Hallo" }
  }
  on "unrelated" {
    reply {}
  }

  expect "run" {
    status  = "success"
    partial = { completed_steps = ["detect", "german", "merged", "unrelated"], completion_ratio = 1 }
  }
  expect "english" {
    status         = "skipped"
    skipped_reason = "when is false"
    content        = null
  }
  expect "merged" {
    output = "Hallo"
  }
}

scenario "AL23 AL24 a step timeout is a failure: its dependants are skipped, the rest goes on" {
  run = workflow.branches

  on "detect" {
    fault "timeout" {}
  }
  on "unrelated" {
    reply {
      latency = "20s"
    }
  }

  expect "run" {
    status     = "partial"
    elapsed_ms = 20000
    error      = { kind = "timeout", step = "detect" }
    partial    = { failed_steps = ["detect"], skipped_steps = ["english", "german", "merged"], completed_steps = ["unrelated"], completion_ratio = 0.2, hint = "retry_with_backoff" }
  }
  expect "detect" {
    status   = "timeout"
    ended_ms = 5000
  }
  expect "merged" {
    skipped_reason = "upstream failure: detect"
  }
}

workflow "hurried" {
  provider = provider.primary

  step "llm" "slow" { prompt = "1" }
  step "llm" "broken" { prompt = "2" }
  step "llm" "after" { prompt = step.slow.content }
}

scenario "AL24 by default the first failure cancels what runs and skips what waits" {
  run = workflow.hurried

  on "slow" {
    reply { latency = "20s" }
  }
  on "broken" {
    fault "http_error" {
      status_code = 400
      after       = "1s"
    }
  }

  expect "run" {
    status     = "failed"
    elapsed_ms = 1000
    error      = { step = "broken" }
  }
  expect "slow" {
    status = "cancelled"
  }
  expect "after" {
    status = "skipped"
  }
}

workflow "orders" {
  provider = provider.shop

  step "http" "place" {
    method     = "PUT"
    path       = "/orders/1"
    idempotent = false
    retry      = retry.defaults
  }
}

scenario "a step that says it may not be sent twice is retried where it had no effect" {
  run = workflow.orders

  on "place" {
    fault "connection_refused" {}
    fault "dns_error" {}
    fault "http_error" {
      status_code = 503
    }
    reply { json = { ok = true } }
  }

  expect "place" {
    status  = "success"
    retries = 3
  }
}

scenario "a TLS error and a 429 had no effect, either" {
  run = workflow.orders

  on "place" {
    fault "tls_error" {}
    fault "http_error" { status_code = 429 }
    reply { json = { ok = true } }
  }

  expect "place" {
    status  = "success"
    retries = 2
  }
}

scenario "and not after a reset, which may have come too late" {
  run = workflow.orders

  on "place" {
    fault "connection_reset" {}
  }

  expect "run" {
    status = "failed"
  }
  expect "place" {
    retries = 0
    stop    = "not_idempotent"
    error   = { kind = "connection", cause = "reset", retryable = true }
  }
}

scenario "nor after a 500" {
  run = workflow.orders

  on "place" {
    fault "http_error" { status_code = 500 }
  }

  expect "run" {
    status = "failed"
  }
  expect "place" {
    retries = 0
    stop    = "not_idempotent"
  }
}
