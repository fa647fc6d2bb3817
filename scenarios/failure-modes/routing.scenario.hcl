# Who serves a call (CU11): the strategies of a gateway, and the record of every
# decision: who could serve it, who refused and why, who was dialled, who
# answered.

provider "openai" "small" { model = "gpt-4o-mini" }
provider "openai" "large" { model = "gpt-4o" }

retry "linear" "once" {
  delay       = "1s"
  max_retries = 1
}

breaker "one" {
  threshold = 1
  ignore    = []
}

gateway "ranked" {
  target "reserve" {
    provider = provider.large
    fallback = true
  }
  target "second" {
    provider = provider.small
    priority = 2
  }
  target "best" {
    provider = provider.large
    priority = 1
    breaker  = breaker.one
  }
}
gateway "turns" {
  strategy = "round_robin"
  target "east" { provider = provider.small }
  target "west" { provider = provider.small }
}
gateway "balanced" {
  strategy = "least_busy"
  target "left" { provider = provider.small }
  target "right" { provider = provider.small }
  target "spare" {
    provider = provider.large
    fallback = true
  }
}
gateway "by_model" {
  target "minis" {
    provider = provider.small
    models   = ["gpt-4o-mini"]
  }
  target "larges" {
    provider = provider.large
    models   = ["gpt-4o"]
  }
}

workflow "ranked" {
  gateway = gateway.ranked

  step "llm" "ask" {
    prompt = "1"
    retry  = retry.once
  }
}

workflow "turns" {
  gateway = gateway.turns

  dynamic "step" {
    for_each = range(5)
    labels   = ["llm", "ask${step.value}"]
    content { prompt = "${step.value}" }
  }
}

workflow "balanced" {
  gateway = gateway.balanced

  dynamic "step" {
    for_each = range(3)
    labels   = ["llm", "ask${step.value}"]
    content { prompt = "${step.value}" }
  }
  step "wait" "later" { for = "3s" }
  step "llm" "last" {
    prompt     = "3"
    depends_on = [step.later]
  }
}

workflow "models" {
  gateway    = gateway.by_model
  on_failure = "continue"

  step "llm" "mini" {
    prompt = "1"
    model  = "gpt-4o-mini"
  }
  step "llm" "nobody" {
    prompt = "2"
    model  = "gpt-2"
  }
}

workflow "counted" {
  gateway = gateway.by_model

  step "loop" "each" {
    max_iterations = 2
    step "llm" "ask" {
      prompt = "1"
      model  = "gpt-4o-mini"
      tool "clock" { output = "noon" }
    }
  }
}

scenario "CU11 a decision says whose call it was: of which iteration, and of which turn" {
  run = workflow.counted

  on "each.ask" {
    reply {
      turn       = 1
      times      = 2
      tool_calls = [{ name = "clock" }]
    }
    reply {
      turn    = 2
      times   = 2
      content = "It is noon."
    }
  }

  assert "two turns in each of two iterations" {
    condition = [for d in gateway.by_model.decisions : [d.step, d.iteration, d.turn, d.round]] == [["each.ask", 1, 1, 1], ["each.ask", 1, 2, 1], ["each.ask", 2, 1, 1], ["each.ask", 2, 2, 1]]
  }
}

scenario "CU11 the record of a decision" {
  run = workflow.ranked

  on "ask" {
    target = "best"
    fault "http_error" { status_code = 503 }
  }
  on "ask" {
    target = "second"
    fault "connection_reset" {}
    reply { content = "from the second" }
  }
  on "ask" {
    target = "reserve"
    fault "http_error" { status_code = 500 }
  }

  invariant "a round that will be answered is never called refused or failed" {
    condition = alltrue([for d in gateway.ranked.decisions : d.round == 1 || d.outcome == null || d.outcome == "fallback"])
  }
  assert "all fail, then the best is refused and the second answers" {
    condition = [for d in gateway.ranked.decisions : [d.step, d.at_ms, d.round, d.strategy, d.candidates, d.refused, d.tried, d.selected, d.outcome]] == [
      ["ask", 0, 1, "priority", ["best", "second", "reserve"], [], ["best", "second", "reserve"], null, "failed"],
      ["ask", 1000, 2, "priority", ["best", "second", "reserve"], [{ target = "best", reason = "circuit_open" }], ["second"], "second", "fallback"],
    ]
  }
}

scenario "CU11 the first candidate answers" {
  run = workflow.ranked

  on "ask" {
    reply { content = "from the best" }
  }

  assert "first" {
    condition = [for d in gateway.ranked.decisions : [d.selected, d.outcome, d.tried]] == [["best", "first", ["best"]]]
  }
}

scenario "CU11 round_robin: each call begins with the next" {
  run = workflow.turns

  on "*" {
    reply { content = "ok" }
  }

  assert "in turn" {
    condition = [for d in gateway.turns.decisions : d.selected] == ["east", "west", "east", "west", "east"] && alltrue([for d in gateway.turns.decisions : d.outcome == "first" && d.strategy == "round_robin"])
  }
  assert "each with all candidates" {
    condition = gateway.turns.decisions[1].candidates == ["west", "east"]
  }
}

# Three calls at 0: left is free, then right, then both have one, and left was
# declared first. At 3 left has one and right none.
scenario "CU11 least_busy: the target with the fewest attempts under way" {
  run = workflow.balanced

  on "*" {
    reply { latency = "2s" }
  }
  on "ask2" {
    reply { latency = "10s" }
  }

  assert "left, right, left, and at 3 right" {
    condition = [for d in gateway.balanced.decisions : [d.step, d.selected, d.candidates]] == [
      ["ask0", "left", ["left", "right", "spare"]],
      ["ask1", "right", ["right", "left", "spare"]],
      ["ask2", "left", ["left", "right", "spare"]],
      ["last", "right", ["right", "left", "spare"]],
    ]
  }
}

scenario "CU11 a model decides who is a candidate, and one that nobody serves fails where it is routed" {
  run = workflow.models

  on "mini" {
    reply { content = "ok" }
  }

  expect "run" { status = "partial" }
  expect "nobody" { error = { kind = "target_unavailable", mode = "RESOURCE_API_UNAVAILABLE", stage = "route" } }
  assert "one candidate, and none" {
    condition = [for d in gateway.by_model.decisions : [d.step, d.candidates, d.outcome]] == [["mini", ["minis"], "first"], ["nobody", [], "no_target"]]
  }
}
