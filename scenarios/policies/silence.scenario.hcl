# Limits on silence: first_byte_timeout for an answer that does not begin,
# idle_timeout for one that does not go on. They count while a client waits for
# bytes, and an answer that keeps coming may take as long as it likes: it is how
# `requests`, `httpx` and undici count. A reader learns which of them ends what.

provider "openai" "llm" { model = "gpt-4o-mini" }

provider "http" "files" {
  base_url           = "https://files.example.com"
  first_byte_timeout = "4s"
  idle_timeout       = "2s"
}

workflow "story" {
  provider = provider.llm

  step "llm" "tell" {
    prompt             = "Tell me a story."
    stream             = true
    first_byte_timeout = "5s"
    idle_timeout       = "2s"
  }
}

scenario "a first token that comes too late is a timeout" {
  run = workflow.story

  on "tell" {
    reply {
      content = "Once upon a time"
      latency = "5001ms"
    }
  }

  expect "run" { status = "failed" }
  expect "tell" {
    error      = { kind = "timeout" }
    chunks     = []
    elapsed_ms = 5000
  }
}

scenario "one that is due exactly at the limit still counts" {
  run = workflow.story

  on "tell" {
    reply {
      content = "Once upon a time"
      latency = "5s"
    }
  }

  expect "tell" {
    chunks     = ["Once ", "upon ", "a ", "time"]
    elapsed_ms = 5000
  }
}

scenario "a slow stream may take longer than both limits, as long as something comes" {
  run = workflow.story

  on "tell" {
    fault "slow_stream" {
      chunk_delay = "1900ms"
      reply { content = "one two three four" }
    }
  }

  expect "tell" { chunks = ["one ", "two ", "three ", "four"] }
  assert "it took longer than the limit for the first byte" {
    condition = step.tell.elapsed_ms > 5000
  }
}

scenario "a stream that stops is given up after the idle limit" {
  run = workflow.story

  on "tell" {
    fault "stream_truncate" {
      after_chunks = 2
      end          = "stall"
      content      = "one two three four"
    }
  }

  expect "run" { status = "failed" }
  expect "tell" {
    error      = { kind = "timeout" }
    chunks     = ["one ", "two "]
    elapsed_ms = 2000
  }
}

retry "linear" "once" {
  max_retries = 1
  delay       = "1s"
}

workflow "download" {
  provider = provider.files

  step "http" "get" {
    path  = "/report"
    retry = retry.once
  }
  step "http" "other" {
    path               = "/other"
    depends_on         = [step.get]
    first_byte_timeout = "1s"
    required           = false
  }
}

scenario "the provider's limits are those of its attempts, and a step's own is the shorter one" {
  run = workflow.download

  on "get" {
    fault "hang" {}
    reply {
      body    = "report"
      latency = "3s"
    }
  }
  on "other" {
    fault "hang" {}
  }

  expect "get" {
    retries    = 1
    elapsed_ms = 8000
  }
  expect "other" {
    status     = "failed"
    elapsed_ms = 1000
    error      = { kind = "timeout" }
  }
  assert "the trace says which limit it was" {
    condition = [for e in events({ type = "timeout" }) : [e.layer, e.after_ms]] == [["first_byte", 4000], ["first_byte", 1000]]
  }
}
