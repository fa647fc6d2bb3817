# Streams that end badly, in four ways that a program must tell apart, and
# readers that stop early. A reader learns that chunks which came stay readable,
# that a stream without its vendor's end marker is never a success, and that
# after the first chunk there is no other target.

provider "openai" "primary" { model = "gpt-4o-mini" }
provider "openai" "spare" { model = "gpt-4o" }

retry "exponential" "std" {}

breaker "one" { threshold = 1 }

gateway "llm" {
  target "main" {
    provider = provider.primary
    breaker  = breaker.one
  }
  target "backup" { provider = provider.spare }
}

workflow "four_ways" {
  provider   = provider.primary
  on_failure = "continue"

  step "llm" "reset" {
    prompt = "1"
    stream = true
  }
  step "llm" "eof" {
    prompt = "2"
    stream = true
  }
  step "llm" "clean" {
    prompt = "3"
    stream = true
  }
  step "llm" "stall" {
    prompt          = "4"
    stream          = true
    attempt_timeout = "5s"
  }
}

scenario "AL4 a stream that is cut after two chunks, four ways" {
  run = workflow.four_ways

  on "reset" {
    fault "stream_truncate" {
      after_chunks = 2
      content      = "one two three four"
    }
  }
  on "eof" {
    fault "stream_truncate" {
      after_chunks = 2
      end          = "eof"
      content      = "one two three four"
    }
  }
  on "clean" {
    fault "stream_truncate" {
      after_chunks = 2
      end          = "clean"
      content      = "one two three four"
    }
  }
  on "stall" {
    fault "stream_truncate" {
      after_chunks = 2
      end          = "stall"
      content      = "one two three four"
    }
  }

  expect "run" {
    status = "failed"
  }
  assert "each has its kind" {
    condition = [step.reset.error.kind, step.eof.error.kind, step.clean.error.kind, step.stall.error.kind] == ["stream_interrupted", "stream_interrupted", "stream_incomplete", "timeout"]
  }
  assert "the two chunks came in each" {
    condition = [for s in [step.reset, step.eof, step.clean, step.stall] : s.chunks] == [["one ", "two "], ["one ", "two "], ["one ", "two "], ["one ", "two "]]
  }
  assert "silence ends with the attempt's own deadline, the others at once" {
    condition = [step.reset.elapsed_ms, step.eof.elapsed_ms, step.clean.elapsed_ms, step.stall.elapsed_ms] == [0, 0, 0, 5000]
  }
}

workflow "story" {
  gateway = gateway.llm

  step "llm" "tell" {
    prompt = "Tell me a story."
    stream = true
  }
}

scenario "after the first chunk there is no other target, and the breaker counts one failure" {
  run = workflow.story

  on "tell" {
    fault "stream_truncate" {
      after_chunks = 1
      reply { content = "Once upon a time" }
    }
  }

  expect "run" {
    status = "failed"
  }
  expect "tell" {
    status = "failed"
    chunks = ["Once "]
    error  = { kind = "stream_interrupted" }
  }
  assert "the backup was not dialled" {
    condition = [for a in step.tell.attempts : a.target] == ["main"]
  }
  assert "one failure trips a breaker of threshold one" {
    condition = breaker.main.state == "open"
  }
}

scenario "before the first chunk it is an ordinary failure, and the next target answers" {
  run = workflow.story

  on "tell" {
    fault "stream_truncate" {
      target       = "main"
      after_chunks = 0
      reply { content = "Once upon a time" }
    }
    reply {
      target  = "backup"
      content = "Long ago"
    }
  }

  expect "tell" {
    status = "success"
    chunks = ["Long ", "ago"]
    target = "backup"
  }
}

workflow "again" {
  provider = provider.primary

  step "llm" "tell" {
    prompt = "Tell me a story."
    stream = true
    retry  = retry.std
  }
}

scenario "the retry policy decides about a cut stream; the answer is the last attempt's alone" {
  run = workflow.again

  on "tell" {
    fault "stream_truncate" {
      after_chunks = 2
      reply {
        content     = "Once upon a time"
        latency     = "1s"
        chunk_delay = "500ms"
      }
    }
    reply {
      content     = "Once upon a time"
      chunk_delay = "250ms"
    }
  }

  expect "tell" {
    status  = "success"
    content = "Once upon a time"
    chunks  = ["Once ", "upon ", "a ", "time"]
    retries = 1
  }
  assert "two chunks of the first attempt came, half a second apart" {
    condition = step.tell.attempts[0].response.chunks == ["Once ", "upon "] && step.tell.attempts[0].ended_ms == 1500
  }
  assert "the second began a second later and took three delays" {
    condition = [step.tell.attempts[1].at_ms, step.tell.attempts[1].elapsed_ms] == [2500, 750]
  }
}

workflow "impatient" {
  gateway = gateway.llm

  step "llm" "tell" {
    prompt = "Tell me a story."
    stream = true
    consumer { abort_after = "2s" }
  }
}

scenario "AL31 a consumer that leaves after two seconds is neither a failure nor a success" {
  run = workflow.impatient

  on "tell" {
    reply {
      chunks      = ["Once ", "upon ", "a ", "time"]
      chunk_delay = "900ms"
    }
  }

  expect "tell" {
    elapsed_ms = 2000
    chunks     = ["Once ", "upon ", "a "]
  }
  assert "the breaker, which one failure would trip, saw none" {
    condition = breaker.main.state == "closed" && breaker.main.failures == 0
  }
  assert "the attempt was ended by its reader" {
    condition = [for a in step.tell.attempts : a.outcome] == ["cancelled"]
  }
}
