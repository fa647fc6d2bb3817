# The tool loop: the model asks for tools, gets their answers and is asked
# again, turn by turn. A reader learns how a script answers each turn, that a
# retry repeats one turn and no tool, and what becomes of a tool that does not
# exist, that fails, or that never ends.

provider "openai" "primary" { model = "gpt-4o-mini" }
provider "http" "weather" { base_url = "https://weather.example" }

retry "exponential" "std" {}

workflow "assistant" {
  provider = provider.primary

  step "llm" "ask" {
    prompt              = "What is 6 times 7, and how is the weather in Zürich?"
    retry               = retry.std
    max_tool_iterations = 3

    tool "multiply" {
      description = "Multiplies two numbers."
      parameters = {
        type       = "object"
        properties = { a = { type = "number" }, b = { type = "number" } }
      }
      output = arguments.a * arguments.b
    }
    tool "weather" {
      description = "The weather now."
      step        = step.forecast
    }
  }

  step "http" "forecast" {
    provider = provider.weather
    path     = "/now"
    output   = "${self.json.sky}, ${self.json.celsius} degrees"
  }
}

scenario "tools of one turn answer in the order asked; a step can be a tool" {
  run = workflow.assistant

  on "ask" {
    reply {
      tool_calls = [
        { id = "call_w", name = "weather", arguments = { city = "Zürich" } },
        { id = "call_m", name = "multiply", arguments = { a = 6, b = 7 } },
      ]
      usage    = { prompt_tokens = 50, completion_tokens = 20, cached_tokens = 30, reasoning_tokens = 5 }
      cost_usd = 0.25
      turn     = 1
    }
    reply {
      content  = "42, and it is sunny."
      usage    = { prompt_tokens = 90, completion_tokens = 10, cached_tokens = 50 }
      cost_usd = 0.5
      turn     = 2
    }
  }
  on "forecast" {
    reply {
      json    = { sky = "sunny", celsius = 21 }
      latency = "3s"
    }
  }

  expect "ask" {
    content       = "42, and it is sunny."
    turns         = 2
    finish_reason = "stop"
    usage         = { prompt_tokens = 140, completion_tokens = 30, total_tokens = 170, cached_tokens = 80, reasoning_tokens = 5 }
    cost_usd      = 0.75
    elapsed_ms    = 3000
    tool_calls    = [{ id = "call_w", name = "weather", arguments = { city = "Zürich" } }, { name = "multiply" }]
  }
  assert "the second turn carries both answers, in the order asked" {
    condition = [for m in step.ask.attempts[1].request.json.messages : [m.role, try(m.tool_call_id, null), m.content] if m.role == "tool"] == [["tool", "call_w", "sunny, 21 degrees"], ["tool", "call_m", "42"]]
  }
  assert "the model was told of its tools" {
    condition = [for t in step.ask.attempts[0].request.json.tools : t.function.name] == ["multiply", "weather"]
  }
}

scenario "an unknown tool is an error for the model, and the loop goes on" {
  run = workflow.assistant

  on "ask" {
    reply {
      tool_calls = [{ id = "call_x", name = "teleport", arguments = {} }]
    }
    reply { content = "I cannot do that." }
  }

  expect "ask" {
    status  = "success"
    content = "I cannot do that."
    turns   = 2
  }
  expect "forecast" {
    status = "skipped"
  }
  assert "the model reads which tool is unknown" {
    condition = strcontains(step.ask.attempts[1].request.json.messages[2].content, "teleport")
  }
}

scenario "a retry repeats one turn, and no tool runs again" {
  run = workflow.assistant

  on "ask" {
    reply {
      tool_calls = [{ name = "weather" }]
    }
    fault "http_error" { status_code = 503 }
    reply { content = "Sunny." }
  }
  on "forecast" {
    reply { json = { sky = "sunny", celsius = 21 } }
  }

  expect "ask" {
    content = "Sunny."
    turns   = 2
    retries = 1
  }
  assert "the turn is dialled twice" {
    condition = [for a in step.ask.attempts : [a.turn, a.round]] == [[1, 1], [2, 1], [2, 2]]
  }
  assert "the tool once" {
    condition = length(step.forecast.attempts) == 1
  }
}

scenario "a tool that fails tells the model, and the step goes on" {
  run = workflow.assistant

  on "ask" {
    reply {
      tool_calls = [{ name = "weather" }]
    }
    reply { content = "No idea." }
  }
  on "forecast" {
    fault "http_error" { status_code = 500 }
  }

  expect "run" {
    status = "success"
  }
  expect "ask" {
    content = "No idea."
  }
  expect "forecast" {
    status = "failed"
  }
  assert "the model reads an error" {
    condition = startswith(step.ask.attempts[1].request.json.messages[2].content, "error")
  }
}

scenario "a model that never stops asking is stopped after max_tool_iterations, which is a failure" {
  run = workflow.assistant

  on "ask" {
    reply {
      tool_calls = [{ name = "multiply", arguments = { a = 1, b = 1 } }]
      times      = 3
    }
  }

  expect "run" { status = "failed" }
  expect "ask" {
    status        = "failed"
    turns         = 3
    finish_reason = "max_tool_iterations"
    error         = { kind = "max_tool_iterations", mode = "AGENT_LOGIC", retryable = false }
  }
  assert "three calls" {
    condition = length(step.ask.attempts) == 3 && length(step.ask.tool_calls) == 3
  }
}

# Steps as tools: they read what the model passes as `arguments`.

workflow "research" {
  provider = provider.primary

  step "llm" "ask" {
    prompt = "Compare the rivers."

    tool "length" { step = step.lookup }
    tool "summary" { step = step.delegate }
  }
  step "http" "lookup" {
    provider    = provider.weather
    path        = "/rivers/${arguments.name}"
    query       = { unit = try(arguments.unit, "km") }
    output      = "${arguments.name}: ${self.json.length}"
    fallback    = step.from_memory
    fallback_on = "any"
  }
  step "value" "from_memory" { value = "${arguments.name}: about 500 km" }
  step "workflow" "delegate" {
    run    = workflow.writer
    inputs = { topic = arguments.topic }
  }
}

workflow "writer" {
  provider = provider.primary
  inputs   = { topic = null }

  step "llm" "write" { prompt = "Write about ${input.topic}" }

  output = step.write.content
}

scenario "AL28 a step that is a tool reads the arguments of each call, one call at a time" {
  run = workflow.research

  on "ask" {
    reply {
      tool_calls = [
        { id = "1", name = "length", arguments = { name = "Aare" } },
        { id = "2", name = "length", arguments = { name = "Rhine", unit = "mi" } },
        { id = "3", name = "summary", arguments = { topic = "rivers" } },
      ]
    }
    reply { content = "The Rhine is longer." }
  }
  on "lookup" {
    reply {
      json    = { length = 288 }
      latency = "1s"
    }
    reply {
      json    = { length = 764 }
      latency = "1s"
    }
  }
  on "delegate.write" {
    reply {
      content = "Rivers flow."
      latency = "5s"
    }
  }

  expect "ask" {
    content    = "The Rhine is longer."
    elapsed_ms = 5000
  }
  assert "what was asked for" {
    condition = [for a in step.lookup.attempts : a.request.url] == ["https://weather.example/rivers/Aare?unit=km", "https://weather.example/rivers/Rhine?unit=mi"]
  }
  assert "what the model reads, in the order asked" {
    condition = [for m in step.ask.attempts[1].request.json.messages : m.content if m.role == "tool"] == ["Aare: 288", "Rhine: 764", "Rivers flow."]
  }
  assert "a workflow can be a tool, with inputs from the call" {
    condition = step.delegate.write.attempts[0].request.json.messages[0].content == "Write about rivers"
  }
  assert "tools are no steps of their own in what is left of a run" {
    condition = run.partial.completed_steps == ["ask"]
  }
}

scenario "AL28 a tool that fails has its own fallback, for each call again" {
  run = workflow.research

  on "ask" {
    reply {
      tool_calls = [
        { name = "length", arguments = { name = "Aare" } },
        { name = "length", arguments = { name = "Rhine" } },
        { name = "length", arguments = { name = "Reuss" } },
      ]
    }
    reply { content = "ok" }
  }
  on "lookup" {
    fault "http_error" { status_code = 404 }
    reply { json = { length = 764 } }
    fault "connection_refused" {}
  }
  on "delegate.write" {
    reply { optional = true }
  }

  expect "run" {
    status = "success"
  }
  expect "from_memory" {
    status = "success"
  }
  expect "lookup" {
    status      = "failed"
    replaced_by = "from_memory"
  }
  assert "the model reads the answer of the fallback" {
    condition = [for m in step.ask.attempts[1].request.json.messages : m.content if m.role == "tool"] == ["Aare: about 500 km", "Rhine: 764", "Reuss: about 500 km"]
  }
}

workflow "agent" {
  provider       = provider.primary
  max_concurrent = 1

  step "llm" "ask" {
    prompt = "Go."
    tool "poll" { step = step.polling }
    tool "write" { step = step.delegate }
  }
  step "loop" "polling" {
    max_iterations = 2
    step "llm" "check" { prompt = "${arguments.what} ${loop.index}" }
  }
  step "workflow" "delegate" {
    run    = workflow.choosy
    inputs = { topic = arguments.what }
  }
}

workflow "choosy" {
  provider = provider.primary
  inputs   = { topic = null }

  step "llm" "write" { prompt = "Write about ${input.topic}" }
  step "llm" "more" {
    prompt = "More of ${step.write.content}"
    when   = input.topic == "a"
  }
}

scenario "AL28 loops and workflows are tools, too, and begin anew with each call" {
  run = workflow.agent

  on "ask" {
    reply {
      tool_calls = [{ name = "poll", arguments = { what = "x" } }, { name = "write", arguments = { what = "a" } }]
    }
    reply {
      tool_calls = [{ name = "poll", arguments = { what = "y" } }, { name = "write", arguments = { what = "b" } }]
    }
    reply { content = "done" }
  }
  on "*" {
    reply { latency = "1s" }
  }

  expect "ask" {
    content = "done"
  }
  expect "delegate" {
    more = { status = "skipped", attempts = null }
    run  = { started_ms = 2000 }
  }
  assert "the steps of the loop read the arguments of the call" {
    condition = [for a in target.primary.attempts : a.request.json.messages[0].content if a.iteration != null] == ["x 0", "x 1", "y 0", "y 1"]
  }
  assert "the results are those of the last call" {
    condition = step.polling.iterations == 2 && step.polling.check.attempts[0].request.json.messages[0].content == "y 1"
  }
}

workflow "lenient" {
  provider = provider.primary
  output   = step.plain.content

  step "llm" "ask" {
    prompt              = "How long is the Rhine?"
    max_tool_iterations = 1
    fallback            = step.plain
    fallback_on         = "any"
    tool "length" { output = "1230 km" }
  }
  step "llm" "plain" { prompt = "How long is the Rhine? Answer from memory." }
}

scenario "a program that goes on without the answer of a loop that met its limit says so" {
  run = workflow.lenient

  on "ask" {
    reply {
      content    = "Let me look."
      tool_calls = [{ name = "length", arguments = {} }]
    }
  }
  on "plain" {
    reply { content = "1230 km." }
  }

  expect "run" { output = "1230 km." }
  expect "ask" {
    status      = "failed"
    content     = "Let me look."
    replaced_by = "plain"
    turns       = 1
    error       = { kind = "max_tool_iterations" }
  }
}
