# The path to a service: targets tried in order, chosen by model, or in turn. A
# reader learns how the failures of several targets become one without losing
# any, and what round_robin means for the first choice.

provider "openai" "small" { model = "gpt-4o-mini" }
provider "openai" "large" { model = "gpt-4o" }

retry "exponential" "once" { max_retries = 1 }

gateway "by_model" {
  target "minis" {
    provider = provider.small
    models   = ["gpt-4o-mini"]
  }
  target "larges" {
    provider = provider.large
    models   = ["gpt-4o", "gpt-4.1"]
  }
}
gateway "in_turn" {
  strategy = "round_robin"
  target "east" { provider = provider.small }
  target "west" { provider = provider.small }
  target "reserve" {
    provider = provider.large
    fallback = true
  }
}
gateway "ordered" {
  target "last" {
    provider = provider.small
    fallback = true
  }
  target "second" {
    provider = provider.small
    priority = 2
  }
  target "first" {
    provider = provider.large
    priority = 1
  }
}

workflow "models" {
  gateway    = gateway.by_model
  on_failure = "continue"

  step "llm" "mini" {
    prompt = "1"
    model  = "gpt-4o-mini"
  }
  step "llm" "newer" {
    prompt = "2"
    model  = "gpt-4.1"
  }
  step "llm" "unknown" {
    prompt = "3"
    model  = "gpt-2"
  }
}

scenario "models: only a target that serves the model is dialled" {
  run = workflow.models

  on "mini" {
    reply { content = "ok" }
  }
  on "newer" {
    reply { content = "ok" }
  }

  expect "run" {
    status = "partial"
  }
  expect "mini" {
    target   = "minis"
    provider = "small"
  }
  expect "newer" {
    target = "larges"
    model  = "gpt-4.1"
  }
  expect "unknown" {
    status   = "failed"
    attempts = []
    error    = { kind = "target_unavailable", message = "no target of gateway \"by_model\" serves model \"gpt-2\"" }
  }
}

workflow "four" {
  gateway = gateway.in_turn

  step "llm" "one" { prompt = "1" }
  step "llm" "two" { prompt = "2" }
  step "llm" "three" { prompt = "3" }
  step "llm" "four" { prompt = "4" }
}

scenario "round_robin: each call begins with the next target, and the fallback stays last" {
  run = workflow.four

  on "*" {
    reply { content = "ok" }
  }
  on "two" {
    fault "http_error" { target = "west" }
    fault "http_error" { target = "east" }
    reply { content = "from the reserve" }
  }

  assert "east, west, east, west come first" {
    condition = [for s in steps : s.attempts[0].target] == ["east", "west", "east", "west"]
  }
  assert "the second call went through all" {
    condition = [for a in step.two.attempts : a.target] == ["west", "east", "reserve"]
  }
  assert "who answered" {
    condition = gateway.in_turn.served_by == ["east", "reserve", "east", "west"] && gateway.in_turn.fallbacks == 1
  }
}

workflow "one" {
  gateway = gateway.ordered

  step "llm" "ask" {
    prompt = "hello"
    retry  = retry.once
  }
}

scenario "all fail: the failure is that of the last one tried, and every target has its say" {
  run = workflow.one

  on "ask" {
    target = "first"
    fault "http_error" {
      status_code = 503
      times       = 2
    }
  }
  on "ask" {
    target = "second"
    fault "connection_reset" { times = 2 }
  }
  on "ask" {
    target = "last"
    fault "http_error" {
      status_code = 400
      times       = 2
    }
  }

  expect "run" {
    status = "failed"
  }
  expect "ask" {
    retries = 1
    error   = { kind = "http_status", status_code = 400, mode = "AGENT_VALIDATION", retryable = true }
  }
  assert "by priority, the fallback last; a round is retryable when any failure of it is" {
    condition = [for a in step.ask.attempts : [a.round, a.target, a.at_ms]] == [[1, "first", 0], [1, "second", 0], [1, "last", 0], [2, "first", 1000], [2, "second", 1000], [2, "last", 1000]]
  }
  assert "nothing is flattened" {
    condition = [for a in slice(step.ask.attempts, 0, 3) : a.error.kind] == ["http_status", "connection", "http_status"] && startswith(step.ask.error.message, "all targets failed: first: ")
  }
}

scenario "a failure is answered by the next target, and counted as a fallback" {
  run = workflow.one

  on "ask" {
    fault "http_error" { target = "first" }
    reply {
      target  = "second"
      content = "from the second"
    }
  }

  expect "ask" {
    content = "from the second"
    target  = "second"
    retries = 0
  }
  assert "counted" {
    condition = gateway.ordered.fallbacks == 1 && metric("scenario_fallbacks_total", { gateway = "ordered", target = "second" }) == 1
  }
}
