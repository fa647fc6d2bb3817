# Problem: an agent has moved or died, and the router keeps sending it work. All of that
# work is lost.
# Checked: after two failures the agent is quarantined: calls are refused at once, and the
# model that routes cannot choose it. Only an operator brings it back.
# Without quarantine_on_failures: every message goes to the dead address.

provider "openai" "llm" { model = "gpt-4o-mini" }

registry "agents" {
  quarantine_on_failures = 2
  recover                = [] # an operator has to look at it first
}

actor "billing" {
  registry = registry.agents
  handler "ask" { return = "paid" }
}
actor "general" {
  handler "ask" { return = "noted" }
}

classifier "router" {
  fallback   = actor.general
  candidates = [actor.billing, actor.general]
}

scenario "an agent that nobody reaches is taken out" {
  call "ask" {
    target = actor.billing.ask
    at     = ["1s", "2s", "3s"]
  }
  event "moved" {
    at          = "500ms"
    unreachable = actor.billing
  }
  classify "where" {
    at       = "4s"
    with     = classifier.router
    provider = provider.llm
    text     = "Where is my invoice?"
  }
  on "where" {
    reply { content = jsonencode([{ target = "billing", prompt = "invoice", segment = {} }]) }
  }

  assert "none of them arrives" {
    condition = [for c in call.ask : c.status] == ["failed", "failed", "failed"]
  }
  assert "two calls are lost, the third is refused at once" {
    condition = [for c in call.ask : c.error.kind] == ["target_unavailable", "target_unavailable", "quarantined"]
  }
  assert "the model may not choose it any more" {
    condition = classify.where.outcome == "unknown_target" && classify.where.entries[0].target == "general"
  }
}
