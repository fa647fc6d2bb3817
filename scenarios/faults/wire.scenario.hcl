# Faults of the bytes themselves: answers that arrive and are wrong. A reader
# learns what each looks like to a client, which of them are successes that
# nobody notices, and how to tell on which attempt one struck.

provider "openai" "model" { model = "gpt-4o-mini" }

provider "http" "shop" { base_url = "https://shop.example" }

retry "linear" "once_more" {
  delay       = "1s"
  max_retries = 1
}

workflow "ask" {
  provider = provider.model

  step "llm" "answer" {
    prompt = "Why is the sky blue?"
    retry  = retry.once_more
  }
}

workflow "stream" {
  provider = provider.model

  step "llm" "story" {
    prompt          = "Tell me a story."
    stream          = true
    attempt_timeout = "10s"
  }
}

workflow "items" {
  provider = provider.shop

  step "http" "list" { path = "/items" }
}

scenario "slow_stream: a stream that drips is a success" {
  run = workflow.stream

  on "story" {
    fault "slow_stream" {
      chunk_delay = "2s"
      reply { chunks = ["Once ", "upon ", "a ", "time."] }
    }
  }

  expect "story" {
    status     = "success"
    content    = "Once upon a time."
    elapsed_ms = 6000
  }
}

scenario "slow_stream: too slow for the attempt's deadline" {
  run = workflow.stream

  on "story" {
    fault "slow_stream" { bytes_per_second = 100 }
  }

  expect "run" {
    status = "failed"
  }
  expect "story" {
    elapsed_ms = 10000
    error      = { kind = "timeout" }
  }
  assert "what had come by then is kept" {
    condition = length(step.story.chunks) > 0
  }
}

scenario "wrong_content_type: a page in the place of an answer" {
  run = workflow.ask

  on "answer" {
    fault "wrong_content_type" {}
    reply { content = "Rayleigh scattering." }
  }

  expect "answer" {
    status  = "success"
    content = "Rayleigh scattering."
  }
  assert "the first attempt met the page" {
    condition = step.answer.attempts[0].error.kind == "malformed_response" && startswith(step.answer.attempts[0].response.headers["content-type"], "text/html")
  }
}

scenario "wrong_content_type: good JSON under another name" {
  run = workflow.ask

  on "answer" {
    fault "wrong_content_type" {
      content_type = "text/plain"
      times        = 2
      reply { content = "Rayleigh scattering." }
    }
  }

  expect "run" {
    status = "failed"
  }
  expect "answer" {
    retries = 1
    error   = { kind = "malformed_response" }
  }
}

scenario "error_in_200: a failure that a status does not show" {
  run = workflow.ask

  on "answer" {
    fault "error_in_200" {
      type    = "rate_limit_error"
      message = "You are too fast."
    }
    reply { content = "Rayleigh scattering." }
  }

  expect "answer" {
    status = "success"
  }
  assert "the provider's own word decides what it is" {
    condition = step.answer.attempts[0].error.kind == "rate_limit" && step.answer.attempts[0].response.status_code == 200
  }
}

scenario "bad_gzip: announced as compressed, and plain" {
  run = workflow.items

  on "list" {
    fault "bad_gzip" {
      reply { json = { items = [1, 2, 3] } }
    }
  }

  expect "run" {
    status = "failed"
  }
  expect "list" {
    error = { kind = "malformed_response" }
  }
}

scenario "content_length_mismatch: more announced than there is" {
  run = workflow.items

  on "list" {
    fault "content_length_mismatch" {
      by = 50
      reply { json = { items = [1, 2, 3] } }
    }
  }

  expect "run" {
    status = "failed"
  }
  expect "list" {
    error = { kind = "connection", cause = "eof" }
  }
}

scenario "content_length_mismatch: less announced than there is" {
  run = workflow.items

  on "list" {
    fault "content_length_mismatch" {
      by = -1
      reply { json = { items = [1, 2, 3] } }
    }
  }

  expect "run" {
    status = "failed"
  }
  expect "list" {
    error = { kind = "malformed_response" }
  }
}

scenario "redirect_loop: ten requests, and one attempt" {
  run = workflow.items

  on "list" {
    fault "redirect_loop" {}
  }

  expect "run" {
    status = "failed"
  }
  expect "list" {
    error = { kind = "protocol_error" }
  }
  assert "the client gave up within the attempt" {
    condition = length(step.list.attempts) == 1
  }
}

scenario "garbage: a server that speaks another protocol" {
  run = workflow.items

  on "list" {
    fault "garbage" {}
  }

  expect "run" {
    status = "failed"
  }
  expect "list" {
    status_code = null
    error       = { kind = "malformed_response" }
  }
}

scenario "stream_error_event: the provider says inside the stream that it cannot go on" {
  run = workflow.stream

  on "story" {
    fault "stream_error_event" {
      after_chunks = 2
      type         = "overloaded_error"
      message      = "Try again later."
      reply { chunks = ["Once ", "upon ", "a ", "time."] }
    }
  }

  expect "run" {
    status = "failed"
  }
  expect "story" {
    chunks = ["Once ", "upon "]
    error  = { kind = "overloaded" }
  }
  assert "the provider's words are kept" {
    condition = strcontains(step.story.error.message, "Try again later.")
  }
}

provider "anthropic" "claude" { model = "claude-sonnet-4-5" }
provider "gemini" "gemini" { model = "gemini-2.5-flash" }

workflow "vendors" {
  on_failure = "continue"

  step "llm" "of_openai" {
    provider = provider.model
    prompt   = "1"
    retry    = retry.once_more
  }
  step "llm" "of_anthropic" {
    provider = provider.claude
    prompt   = "2"
    retry    = retry.once_more
  }
  step "llm" "of_gemini" {
    provider = provider.gemini
    prompt   = "3"
    retry    = retry.once_more
  }
}

scenario "error_in_200: what the vendor calls an error of its own is tried again" {
  run = workflow.vendors

  on "of_openai" {
    fault "error_in_200" { type = "server_error" }
    reply { content = "ok" }
  }
  on "of_anthropic" {
    fault "error_in_200" { type = "api_error" }
    reply { content = "ok" }
  }
  on "of_gemini" {
    fault "error_in_200" { type = "INTERNAL" }
    reply { content = "ok" }
  }

  expect "of_openai" { retries = 1 }
  expect "of_anthropic" { retries = 1 }
  expect "of_gemini" { retries = 1 }
  assert "its type decides, under the status that was sent" {
    condition = alltrue([for s in [step.of_openai, step.of_anthropic, step.of_gemini] :
    s.attempts[0].error.mode == "RESOURCE_API_UNAVAILABLE" && s.attempts[0].error.status_code == 200])
  }
}

scenario "error_in_200: what the vendor calls a mistake of the caller is not" {
  run = workflow.vendors

  on "of_openai" {
    fault "error_in_200" { type = "invalid_request_error" }
  }
  on "of_anthropic" {
    fault "error_in_200" { type = "authentication_error" }
  }
  on "of_gemini" {
    fault "error_in_200" { type = "INVALID_ARGUMENT" }
  }

  expect "run" { status = "failed" }
  expect "of_openai" {
    retries = 0
    error   = { mode = "AGENT_VALIDATION" }
  }
  expect "of_anthropic" {
    retries = 0
    error   = { mode = "USER_PERMISSION" }
  }
  expect "of_gemini" {
    retries = 0
    error   = { mode = "AGENT_VALIDATION" }
  }
}

provider "ollama" "local" { model = "llama3.2" }

workflow "local" {
  provider = provider.local

  step "llm" "tell" {
    prompt = "Tell me a story."
    stream = true
    retry  = retry.once_more
  }
}

scenario "a stream without a last line is cut, also where each line is whole" {
  run = workflow.local

  on "tell" {
    fault "stream_truncate" {
      after_chunks = 2
      reply { chunks = ["Once ", "upon ", "a time."] }
    }
    reply { chunks = ["Once ", "upon ", "a time."] }
  }

  expect "tell" {
    content       = "Once upon a time."
    finish_reason = "stop"
    retries       = 1
  }
  assert "the same question twice, of the server on this machine" {
    condition = [for a in step.tell.attempts : [a.request.url, a.request.json]] == [for n in range(2) :
      ["http://127.0.0.1:11434/api/chat", { model = "llama3.2", stream = true, messages = [{ role = "user", content = "Tell me a story." }] }]
    ]
  }
  assert "what had come of the first answer" {
    condition = (step.tell.attempts[0].error.kind == "stream_interrupted" && !step.tell.attempts[0].response.complete
    && step.tell.attempts[0].response.chunks == ["Once ", "upon "])
  }
}

provider "cohere" "cohere" { model = "command-a-03-2025" }

workflow "planned" {
  provider = provider.cohere

  step "llm" "plan" {
    prompt = "How is the weather?"
    stream = true
    retry  = retry.once_more
  }
}

scenario "a plan before calls is text, and a stream of Cohere ends with message-end" {
  run = workflow.planned

  on "plan" {
    fault "stream_truncate" {
      after_chunks = 1
      reply { chunks = ["Rain ", "all day."] }
    }
    reply {
      content    = "I look it up."
      tool_calls = [{ name = "weather", arguments = { city = "Bern" } }]
    }
  }

  expect "plan" {
    content       = "I look it up."
    finish_reason = "TOOL_CALL"
    retries       = 1
  }
  assert "the call is read" {
    condition = step.plan.tool_calls[0].name == "weather" && step.plan.attempts[0].error.kind == "stream_interrupted"
  }
}
