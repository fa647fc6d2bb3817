# What each kind of fault looks like to the program that meets it: the bytes
# and the silence are on the wire, and the failure is what the client made of
# them. A reader learns which failure kind to expect from which fault, and that
# a fault strikes the same way in every run (AL7).

provider "openai" "primary" { model = "gpt-4o-mini" }

workflow "ask" {
  provider = provider.primary

  step "llm" "answer" {
    prompt = "Why is the sky blue?"
  }
}

workflow "impatient" {
  provider = provider.primary

  step "llm" "answer" {
    prompt          = "Why is the sky blue?"
    attempt_timeout = "2s"
  }
}

workflow "stream" {
  provider = provider.primary

  step "llm" "story" {
    prompt = "Tell me a story."
    stream = true
  }
}

# AL1: the silence lasts five virtual seconds, then the transport gives up.
scenario "test_mock_fault_timeout_raises_timeout_error" {
  description = "A fault timeout with after = 5s is a failure timeout at five seconds."
  run         = workflow.ask

  on "answer" {
    fault "timeout" { after = "5s" }
  }

  expect "run" {
    status = "failed"
  }
  expect "answer" {
    status     = "failed"
    elapsed_ms = 5000
    error      = { kind = "timeout", mode = "SYSTEM_TIMEOUT", retryable = true }
  }
}

# AL1: a deadline of the step's own that is shorter wins.
scenario "timeout: the attempt's own deadline of 2 s wins over a fault of 5 s" {
  run = workflow.impatient

  on "answer" {
    fault "timeout" { after = "5s" }
  }

  expect "run" {
    status = "failed"
  }
  expect "answer" {
    elapsed_ms = 2000
    error      = { kind = "timeout" }
  }
}

# AL2: 429 is a rate limit with the wait that the server asks for.
scenario "test_mock_fault_http_error_429_raises_rate_limit_error" {
  description = "Status 429 is a rate limit, and its Retry-After is read."
  run         = workflow.ask

  on "answer" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "30" }
      body        = "Rate limit exceeded"
    }
  }

  expect "run" {
    status = "failed"
  }
  expect "answer" {
    error = { kind = "rate_limit", status_code = 429, retry_after_ms = 30000, mode = "POLICY_RATE_LIMIT" }
  }
  assert "the client met the header as it was written" {
    condition = step.answer.attempts[0].response.headers["retry-after"] == "30"
  }
  assert "the message says what the body says" {
    condition = strcontains(step.answer.error.message, "Rate limit exceeded")
  }
}

# AL2: every other status stays what it is.
scenario "test_mock_fault_http_error_500_raises_provider_error" {
  description = "Status 500 is the provider's error, with its status and body."
  run         = workflow.ask

  on "answer" {
    fault "http_error" {
      status_code = 500
      body        = "Internal server error"
    }
  }

  expect "run" {
    status = "failed"
  }
  expect "answer" {
    error = { kind = "http_status", status_code = 500, mode = "RESOURCE_API_UNAVAILABLE", retryable = true }
  }
  assert "the message says what the body says" {
    condition = strcontains(step.answer.error.message, "Internal server error")
  }
}

# AL3: the bytes arrive; it is the adapter that cannot parse them.
scenario "test_mock_fault_malformed_response_fails_adapter_parsing" {
  description = "A body that is no JSON fails in the adapter, with status 200 on the wire."
  run         = workflow.ask

  on "answer" {
    fault "malformed_response" { raw = "not valid json" }
  }

  expect "run" {
    status = "failed"
  }
  expect "answer" {
    error = { kind = "malformed_response", mode = "RESOURCE_API_UNAVAILABLE" }
  }
  assert "the wire itself was fine" {
    condition = step.answer.attempts[0].response.status_code == 200
  }
}

# AL4: exactly three chunks reach the consumer, then the connection breaks.
scenario "test_mock_fault_stream_truncate_raises_mid_stream" {
  description = "A stream that breaks after three chunks delivers these three and fails."
  run         = workflow.stream

  on "story" {
    fault "stream_truncate" {
      after_chunks = 3
      reply { chunks = ["Once ", "upon ", "a ", "time ", "there was light."] }
    }
  }

  expect "run" {
    status = "failed"
  }
  expect "story" {
    status = "failed"
    chunks = ["Once ", "upon ", "a "]
    error  = { kind = "stream_interrupted", mode = "SYSTEM_NETWORK" }
  }
  assert "what came is no whole answer" {
    condition = !step.story.attempts[0].response.complete
  }
}

# AL5: no answer at all, and no time passes.
scenario "test_mock_fault_connection_reset_immediate" {
  description = "A reset connection fails at once, before any byte of an answer."
  run         = workflow.ask

  on "answer" {
    fault "connection_reset" {}
  }

  expect "run" {
    status = "failed"
  }
  expect "answer" {
    elapsed_ms = 0
    error      = { kind = "connection", cause = "reset", status_code = null }
  }
}

# AL6: a success by every check but its finish reason and its tokens.
scenario "test_mock_fault_partial_response_finish_reason_length" {
  description = "A cut answer is a success with finish_reason length and no completion tokens."
  run         = workflow.ask

  on "answer" {
    fault "partial_response" {
      reply { content = "Because of Rayleigh" }
    }
  }

  expect "answer" {
    status        = "success"
    content       = "Because of Rayleigh"
    finish_reason = "length"
    usage         = { completion_tokens = 0 }
    error         = null
  }
}

scenario "connection_refused, dns_error, tls_error: three ways to have no connection" {
  run = workflow.three

  on "refused" {
    fault "connection_refused" {}
  }
  on "unknown" {
    fault "dns_error" {}
  }
  on "untrusted" {
    fault "tls_error" {}
  }

  expect "run" {
    status = "failed"
  }
  assert "each keeps its cause" {
    condition = [step.refused.error.cause, step.unknown.error.cause, step.untrusted.error.cause] == ["refused", "dns", "tls"]
  }
  assert "all are of one kind" {
    condition = distinct([for s in steps : s.error.kind]) == ["connection"]
  }
}

workflow "three" {
  provider   = provider.primary
  on_failure = "continue"

  step "llm" "refused" { prompt = "a" }
  step "llm" "unknown" { prompt = "b" }
  step "llm" "untrusted" { prompt = "c" }
}

scenario "empty_response: status 200 and no byte of an answer" {
  run = workflow.ask

  on "answer" {
    fault "empty_response" {}
  }

  expect "run" {
    status = "failed"
  }
  expect "answer" {
    error = { kind = "malformed_response" }
  }
}

scenario "malformed_response: one unreadable event fails the stream and is not skipped" {
  run = workflow.stream

  on "story" {
    fault "malformed_response" {
      where = "frame"
      frame = 3
      raw   = "{\"choices\":"
      reply { chunks = ["Once ", "upon ", "a ", "time."] }
    }
  }

  expect "run" {
    status = "failed"
  }
  expect "story" {
    status = "failed"
    error  = { kind = "malformed_response" }
  }
}

scenario "error: the one fault without a form on the wire" {
  run = workflow.ask

  on "answer" {
    fault "error" {
      type    = "KeyError"
      message = "no such key"
    }
  }

  expect "run" {
    status = "failed"
  }
  expect "answer" {
    error = { kind = "exception", type = "KeyError", message = "no such key", mode = "AGENT_LOGIC" }
  }
}
