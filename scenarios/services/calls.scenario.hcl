# What a scenario can do by itself beside events: run a workflow, a fanout or a
# classification at an instant, and ask a service.

provider "openai" "any" { model = "gpt-4o-mini" }
provider "http" "api" { base_url = "http://api" }

gateway "llm" {
  target "p" { provider = provider.any }
}

classifier "k" {
  fallback   = actor.general
  candidates = [actor.health, actor.general]
}

fanout "both" {
  sub "a" {
    target    = actor.health.trigger
    arguments = { prompt = arguments.text }
  }
  sub "b" { target = actor.general.trigger }
}

workflow "w" {
  provider = provider.any
  inputs   = { prompt = null }
  output   = step.ask.content
  step "llm" "ask" { prompt = input.prompt }
}

actor "health" {
  handler "trigger" {
    takes  = "2s"
    return = arguments.prompt
  }
}

actor "general" {
  handler "trigger" { return = "done" }
}

actor "late" {
  tool "status" { return = "up" }
}

scenario "a call of a workflow is a run of it" {
  call "say" {
    target    = workflow.w
    arguments = { prompt = "hello" }
    at        = "5s"
  }
  on "say.ask" {
    reply {
      content = "hi"
      latency = "1s"
    }
  }

  expect "say" {
    status     = "success"
    value      = "hi"
    started_ms = 5000
    ended_ms   = 6000
  }
  assert "the steps inside are read by name" {
    condition = call.say.ask.attempts[0].request.json.messages[0].content == "hello"
  }
}

scenario "calls follow each other" {
  call "both" {
    target    = fanout.both
    arguments = { text = "80 kg" }
  }
  call "where" {
    target   = classifier.k
    text     = "I weigh 80 kg."
    provider = provider.any
    after    = call.both
  }
  on "where" {
    reply { content = "none" }
  }

  expect "both" {
    aggregate = "[health] 80 kg\n\n[general] done"
    ended_ms  = 2000
  }
  expect "both.a" { output = "80 kg" }
  expect "where" {
    outcome    = "invalid_json"
    started_ms = 2000
    value      = [{ target = "general", prompt = "I weigh 80 kg.", segment = { rationale = "fallback" } }]
  }
}

scenario "a service is asked by its gateway, or directly" {
  call "llm" {
    target    = gateway.llm
    arguments = { prompt = "hi", stream = true }
  }
  call "get" {
    target    = provider.api
    arguments = { path = "/weights" }
    timeout   = "3s"
  }
  on "llm" {
    reply { content = "one two" }
  }
  on "get" {
    fault "timeout" {}
  }

  assert "as a step would" {
    condition = call.llm.chunks == ["one ", "two"] && gateway.llm.served_by == ["p"] && call.llm.value == "one two"
  }
  expect "get" {
    status   = "timeout"
    ended_ms = 3000
  }
}

scenario "a fanout and a classification of the scenario's own" {
  fanout "own" {
    at   = "10s"
    mode = "ordered"
    sub "x" {
      target    = actor.health.trigger
      arguments = { prompt = "x" }
    }
    sub "y" {
      target    = workflow.w
      arguments = { prompt = "y" }
    }
  }
  classify "sorted" {
    with  = classifier.k
    text  = "I weigh 80 kg."
    reply = "[]"
    after = fanout.own
  }
  event "crash" {
    at   = "11s"
    kill = actor.health
  }
  on "own.y.ask" {
    reply { content = "done" }
  }

  assert "what became of the subs" {
    condition = [for s in fanout.own.subs : [s.id, s.status, s.ended_ms]] == [["x", "failed", 11000], ["y", "success", 11000]]
  }
  expect "own.y" { output = "done" }
  assert "then it is classified" {
    condition = classify.sorted.outcome == "invalid_payload" && classify.sorted.started_ms == 11000
  }
}

scenario "an actor that starts later, by an event" {
  call "status" {
    target = actor.late.status
    at     = ["1s", "7s"]
  }
  event "up" {
    at    = "6s"
    start = actor.late
  }

  assert "nobody is there before" {
    condition = [for c in call.status : c.status] == ["failed", "success"]
  }
}

scenario "what is under way can be cancelled" {
  fanout "own" {
    sub "x" {
      target    = actor.health.trigger
      arguments = { prompt = "x" }
    }
  }
  event "enough" {
    at     = "1s"
    cancel = fanout.own
  }

  expect "own" {
    status   = "cancelled"
    ended_ms = 1000
  }
  expect "own.x" { status = "cancelled" }
}
