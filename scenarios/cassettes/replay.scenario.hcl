# Workflows that are answered by recordings beside this file instead of scripts:
# real bytes with the time each piece took. A reader learns that a replay keeps
# refusals and broken streams, that it compares what is sent with what was
# recorded, and how a script disturbs a recorded answer.

provider "openai" "primary" { model = "gpt-4o-mini" }

retry "exponential" "std" {}

workflow "support" {
  provider = provider.primary
  inputs   = { question = null }

  step "llm" "classify" {
    prompt = "Classify: ${input.question}"
    retry  = retry.std
  }
  step "llm" "answer" {
    prompt = "Answer this ${step.classify.content}: ${input.question}"
    stream = true
    retry  = retry.std
  }
}

# The same with the model that came after.
workflow "upgraded" {
  provider = provider.primary
  inputs   = { question = null }

  step "llm" "classify" {
    model  = "gpt-4.1-mini"
    prompt = "Classify: ${input.question}"
    retry  = retry.std
  }
  step "llm" "answer" {
    model  = "gpt-4.1-mini"
    prompt = "Answer this ${step.classify.content}: ${input.question}"
    stream = true
  }
}

workflow "story" {
  provider = provider.primary

  step "llm" "tell" {
    prompt = "Tell me a story."
    stream = true
    retry  = retry.std
  }
}

workflow "weather" {
  provider = provider.primary
  inputs   = { sky = "sunny" }

  step "llm" "ask" {
    prompt = "How is the weather in Zürich?"

    tool "weather" {
      description = "The weather now."
      parameters  = { type = "object", properties = { city = { type = "string" } } }
      output      = "${input.sky}, 21 degrees"
    }
  }
}

# The recording: 429 after 120 ms with Retry-After 2, then 200 after 480 ms; a
# stream whose deltas arrived at 400, 650, 900 and 1150 ms.
scenario "a conversation as it was recorded, its refusal and its pace included" {
  run    = workflow.support
  inputs = { question = "why is the sky blue?" }

  cassette { path = "support.yaml" }

  expect "classify" {
    content    = "question"
    retries    = 1
    delays_ms  = [2000]
    elapsed_ms = 2600
    usage      = { prompt_tokens = 15, completion_tokens = 1, total_tokens = 16 }
  }
  expect "answer" {
    content       = "Rayleigh scattering of sunlight."
    chunks        = ["Rayleigh", " scattering", " of", " sunlight."]
    finish_reason = "stop"
    elapsed_ms    = 1150
    model         = "gpt-4o-mini-2024-07-18"
  }
  assert "the refusal was replayed, too" {
    condition = [for a in step.classify.attempts : [a.at_ms, a.ended_ms, a.status_code]] == [[0, 120, 429], [2120, 2600, 200]]
  }
  assert "all of it came from the cassette" {
    condition = metric("scenario_mock_replays_total", { matched_by = "cassette" }) == 3 && metric("scenario_mock_fault_total", {}) == 0
  }
}

scenario "the same without its latency" {
  run    = workflow.support
  inputs = { question = "why is the sky blue?" }

  cassette {
    path    = "support.yaml"
    latency = "none"
  }

  expect "run" {
    elapsed_ms = 2000 # only the wait that the server asked for
  }
}

# The model was another when it was recorded. What does not count is named as the
# message about the difference names it; the prompts still have to be equal.
scenario "a place in the requests that need not be equal" {
  run    = workflow.upgraded
  inputs = { question = "why is the sky blue?" }

  cassette {
    path   = "support.yaml"
    ignore = ["body.model"]
  }

  expect "classify" { content = "question" }
  expect "answer" { content = "Rayleigh scattering of sunlight." }
}

scenario "a script disturbs a recorded answer, then leaves the rest to the cassette" {
  run    = workflow.support
  inputs = { question = "why is the sky blue?" }

  cassette { path = "support.yaml" }

  on "answer" {
    fault "stream_truncate" {
      after_chunks = 2
      replay { interaction = 1 }
    }
    replay {
      interaction = 1
      latency     = "5s"
    }
  }

  expect "answer" {
    content = "Rayleigh scattering of sunlight."
    retries = 1
  }
  assert "the first attempt kept two of the recorded chunks" {
    condition = step.answer.attempts[0].response.chunks == ["Rayleigh", " scattering"] && step.answer.attempts[0].error.kind == "stream_interrupted"
  }
  assert "the second takes five seconds in place of the recorded time" {
    condition = step.answer.attempts[1].elapsed_ms == 5000
  }
}

scenario "V55 V56 a break after three chunks is kept, and so is the success after it" {
  run = workflow.story

  cassette { path = "broken_stream.yaml" }

  expect "tell" {
    content = "Once upon a time."
    retries = 1
  }
  assert "three chunks, then the break, at its recorded instant" {
    condition = step.tell.attempts[0].response.chunks == ["Once", " upon", " a"] && step.tell.attempts[0].ended_ms == 500
  }
  assert "it is the failure that it was" {
    condition = step.tell.attempts[0].error.kind == "stream_interrupted"
  }
}

scenario "V57 tool calls are equal on replay" {
  run = workflow.weather

  cassette { path = "weather.yaml" }

  expect "ask" {
    content    = "Sunny, at 21 degrees."
    turns      = 2
    tool_calls = [{ id = "call_9vK", name = "weather", arguments = { city = "Zürich" } }]
    usage      = { total_tokens = 145 }
    elapsed_ms = 1300
  }
}

# The tool answers something else than when the conversation was recorded, so
# the second request is not the recorded one.
scenario "a request that differs from the recorded one has no answer" {
  run    = workflow.weather
  inputs = { sky = "cloudy" }
  allow  = ["drifted"]

  cassette { path = "weather.yaml" }

  expect "run" {
    status = "failed"
  }
  expect "ask" {
    status = "failed"
    error  = { kind = "exception" }
  }
  assert "the gate says which message differs" {
    condition = strcontains(events({ type = "gate", gate = "drifted" })[0].message, "messages[2].content")
  }
}
