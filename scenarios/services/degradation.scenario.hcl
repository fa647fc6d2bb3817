# The switchboard, the one door for messages: what it does when its model fails,
# when a part of a message cannot be delivered, and whom it no longer asks.
# BT11 to BT14, BT22.

provider "anthropic" "claude" { model = "claude-sonnet-4-5" }

registry "services" {
  quarantine_on_failures = 2
  heartbeat_every        = "120s"
  recover                = ["heartbeat"]
}

classifier "switchboard" {
  fallback   = actor.general
  candidates = [actor.health, actor.relationship, actor.general]
  rationale  = "Fallback"
}

actor "switchboard" {
  handler "receive" { workflow = workflow.receive }
}

actor "health" {
  registry = registry.services
  handler "trigger" {
    takes  = "2s"
    return = "noted: ${arguments.prompt}"
  }
}

actor "relationship" {
  registry = registry.services
  handler "trigger" {
    takes  = "3s"
    return = "reminded: ${arguments.prompt}"
  }
}

actor "general" {
  handler "trigger" { return = "done: ${arguments.prompt}" }
}

# What the switchboard does with a message: each butler gets its part.
workflow "receive" {
  provider = provider.claude
  inputs   = { message = null }
  output   = { health = step.health.output, general = step.general.output }

  step "classify" "where" {
    with            = classifier.switchboard
    text            = input.message
    attempt_timeout = "120s"
  }
  step "call" "health" {
    when      = anytrue([for e in step.where.entries : e.target == "health"])
    target    = actor.health.trigger
    arguments = { prompt = join(" ", [for e in step.where.entries : e.prompt if e.target == "health"]) }
  }
  step "call" "general" {
    when      = anytrue([for e in step.where.entries : e.target == "general"])
    target    = actor.general.trigger
    arguments = { prompt = join(" ", [for e in step.where.entries : e.prompt if e.target == "general"]) }
  }
}

scenario "BT11: a classification that fails sends the whole message to general, with its text" {
  for_each = {
    "a parse error"   = { answer = "Certainly! This goes to health.", fails = [], outcome = "invalid_json", ms = 0 }
    "an empty answer" = { answer = "[]", fails = [], outcome = "invalid_payload", ms = 0 }
    "a missing key"   = { answer = jsonencode([{ target = "health" }]), fails = [], outcome = "invalid_keys", ms = 0 }
    "a timeout"       = { answer = null, fails = [1], outcome = "failed", ms = 120000 }
  }
  call "message" {
    target    = actor.switchboard.receive
    arguments = { message = "I weigh 80 kg. Call Ann." }
  }
  on "actor.switchboard.receive.where" {
    dynamic "fault" {
      for_each = each.value.fails
      labels   = ["timeout"]
      content {}
    }
    dynamic "reply" {
      for_each = each.value.answer == null ? [] : [each.value.answer]
      content { content = reply.value }
    }
  }

  expect "message" {
    value    = { health = null, general = "done: I weigh 80 kg. Call Ann." }
    ended_ms = each.value.ms
  }
  expect "actor.switchboard.receive.where" {
    outcome = each.value.outcome
    entries = [{ target = "general", prompt = "I weigh 80 kg. Call Ann.", segment = { rationale = "Fallback" } }]
  }
  assert "nobody else got a part of it" {
    condition = [for r in events({ type = "route", from = "switchboard" }) : r.actor] == ["general"]
  }
}

scenario "BT13: a part of a message cannot be delivered, and the abort policy decides about the rest" {
  for_each = {
    "continue"                            = { abort = "continue", required = true, rest = "success" }
    "on_any_failure"                      = { abort = "on_any_failure", required = false, rest = "aborted" }
    "on_required_failure, and it was"     = { abort = "on_required_failure", required = true, rest = "aborted" }
    "on_required_failure, and it was not" = { abort = "on_required_failure", required = false, rest = "success" }
  }
  event "kill" { kill = actor.health }
  fanout "all" {
    mode  = "ordered"
    abort = each.value.abort
    sub "general" {
      target    = actor.general.trigger
      arguments = { prompt = "hello" }
    }
    sub "health" {
      target    = actor.health.trigger
      arguments = { prompt = "80 kg" }
      required  = each.value.required
    }
    sub "relationship" {
      target    = actor.relationship.trigger
      arguments = { prompt = "call Ann" }
    }
  }

  assert "the rest executes, or is cancelled before it begins" {
    condition = [for s in fanout.all.subs : s.status] == ["success", "failed", each.value.rest]
  }
  assert "the failed one is in the routing log" {
    condition = [for r in events({ type = "route", actor = "health" }) : r.outcome] == ["target_unavailable"]
  }
  assert "the other butler processes its part, or never hears of it" {
    condition = [for s in actor.relationship.sessions : s.status] == (each.value.rest == "success" ? ["success"] : []) && fanout.all.relationship.output == (each.value.rest == "success" ? "reminded: call Ann" : null)
  }
}

# What a message meets while health is quarantined: the classifier leaves it out.
workflow "later" {
  provider = provider.claude

  step "wait" "until" { for = "30s" }
  step "classify" "quarantined" {
    depends_on = [step.until]
    with       = classifier.switchboard
    text       = "I weigh 80 kg."
  }
  step "wait" "again" {
    depends_on = [step.quarantined]
    for        = "200s"
  }
  step "classify" "recovered" {
    depends_on = [step.again]
    with       = classifier.switchboard
    text       = "I weigh 80 kg."
  }
}

scenario "BT22: route, kill, route again, quarantine, restart, and the heartbeat re-activates" {
  run = workflow.later

  call "route" {
    target    = actor.health.trigger
    at        = ["1s", "11s", "12s", "13s", "41s", "166s"]
    arguments = { prompt = "80 kg" }
  }
  event "kill" {
    at   = "10s"
    kill = actor.health
  }
  event "restart" {
    at      = "40s"
    restart = actor.health
  }
  on "quarantined" {
    reply { content = jsonencode([{ target = "health", prompt = "I weigh 80 kg.", segment = {} }]) }
  }
  on "recovered" {
    reply { content = jsonencode([{ target = "health", prompt = "I weigh 80 kg.", segment = {} }]) }
  }

  assert "active, then quarantined, then active by a heartbeat" {
    condition = [for c in registry.services.log : [c.at_ms, c.from, c.to, c.reason]] == [
      [12000, "active", "quarantined", "routing_failures"],
      [45000, "quarantined", "active", "heartbeat_recovery"],
    ]
  }
  assert "what each call met" {
    condition = [for c in call.route : c.status == "success" ? "success" : c.error.kind] == ["success", "target_unavailable", "target_unavailable", "quarantined", "quarantined", "success"]
  }
  assert "a quarantined butler is no candidate, so the model is not told of it" {
    condition = strcontains(step.quarantined.attempts[0].request.json.system, "The targets are: relationship, general.")
  }
  expect "quarantined" { outcome = "unknown_target" }
  assert "and is one again" {
    condition = strcontains(step.recovered.attempts[0].request.json.system, "The targets are: health, relationship, general.")
  }
  expect "recovered" { outcome = "ok" }
}
