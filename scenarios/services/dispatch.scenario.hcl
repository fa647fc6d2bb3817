# A message is classified, its parts are dispatched to actors, and one text comes
# back, whoever of them is down; a call that goes in a circle ends, and a target
# that moved away is quarantined. BT11 to BT18, BT22.

provider "openai" "any" { model = "gpt-4o-mini" }

registry "services" {
  ttl             = "60s"
  sweep_every     = "60s"
  heartbeat_every = "30s"
}

actor "health" {
  registry = registry.services
  lock "session" {}
  handler "trigger" {
    takes  = "2s"
    lock   = ["session"]
    return = "noted: ${arguments.prompt}"
  }
}

actor "relationship" {
  registry = registry.services
  handler "trigger" {
    takes  = "3s"
    return = "reminded: ${arguments.prompt}"
  }
  tool "ping" { return = "pong" }
}

actor "general" {
  handler "trigger" {
    takes  = "1s"
    return = "done: ${arguments.prompt}"
  }
}

classifier "switchboard" {
  fallback   = actor.general
  candidates = [actor.health, actor.relationship, actor.general]
}

retry "linear" "again" { delay = "10s" }

workflow "dispatch" {
  step "fanout" "all" {
    sub "weight" {
      target    = actor.health.trigger
      arguments = { prompt = "80 kg" }
    }
    sub "call" {
      target    = actor.relationship.trigger
      arguments = { prompt = "call Ann" }
      timeout   = "10s"
    }
  }
}

workflow "careful" {
  step "fanout" "all" {
    abort = "on_any_failure"

    sub "ping" { target = actor.relationship.ping }
    sub "weight" {
      target    = actor.health.trigger
      arguments = { prompt = "80 kg" }
      retry     = retry.again
    }
    sub "call" {
      target    = actor.relationship.trigger
      arguments = { prompt = "call Ann" }
    }
  }
}

scenario "both answer" {
  run = workflow.dispatch

  expect "all" {
    aggregate  = "[health] noted: 80 kg\n\n[relationship] reminded: call Ann"
    elapsed_ms = 3000
  }
  assert "each has its row" {
    condition = [for e in events({ type = "route", fanout = "all" }) : "${e.sub} ${e.actor} ${e.handler} ${e.outcome}"] == ["weight health trigger success", "call relationship trigger success"]
  }
}

scenario "a target that is down during dispatch: the other one works" {
  run = workflow.dispatch

  event "crash" {
    at   = "1s"
    kill = actor.health
  }

  assert "one text" {
    condition = regexmatch("^\\[health\\] \\(unavailable: target_unavailable: .*\\)\n\n\\[relationship\\] reminded: call Ann$", fanout.all.aggregate)
  }
  assert "the routing log" {
    condition = [for e in events({ type = "route" }) : "${e.actor} ${e.outcome}"] == ["health target_unavailable", "relationship success"]
  }
  assert "and its metric" {
    condition = metric("scenario_routes_total", { actor = "health", outcome = "target_unavailable" }) == 1
  }
}

scenario "all actors down: the fanout ends with a summary" {
  run = workflow.dispatch

  event "one" { kill = actor.health }
  event "two" { kill = actor.relationship }

  expect "all" {
    status     = "success"
    elapsed_ms = 0
  }
  assert "it says so of each" {
    condition = regexall("\\[[a-z]+\\] \\(unavailable: [a-z_]+", fanout.all.aggregate) == ["[health] (unavailable: target_unavailable", "[relationship] (unavailable: target_unavailable"]
  }
  assert "each has its row and its class" {
    condition = [for e in events({ type = "route" }) : e.outcome] == ["target_unavailable", "target_unavailable"]
  }
  assert "statuses" {
    condition = [for s in fanout.all.subs : s.status] == ["failed", "failed"]
  }
}

scenario "a route that times out: the row says so, and dispatch goes on" {
  run = workflow.dispatch

  on "all.call" {
    fault "hang" {}
  }

  expect "all.call" {
    status   = "timeout"
    ended_ms = 10000
    error    = { mode = "timeout" }
  }
  expect "all.weight" { status = "success" }
  assert "the row" {
    condition = [for e in events({ type = "route", sub = "call" }) : e.outcome] == ["timeout"]
  }
}

scenario "a failure cancels what is under way, and its lock is free" {
  run = workflow.careful

  on "all.weight" {
    fault "error" { message = "broken" }
  }
  call "after" {
    target    = actor.health.trigger
    at        = "1s"
    arguments = { prompt = "later" }
  }

  assert "statuses" {
    condition = [for s in fanout.all.subs : s.status] == ["success", "failed", "aborted"]
  }
  expect "after" {
    status     = "success"
    elapsed_ms = 2000
  }
}

scenario "a sub is called again until its actor is back" {
  run = workflow.careful

  event "down" { unreachable = actor.health }
  event "up" {
    at        = "5s"
    reachable = actor.health
  }

  expect "all.weight" {
    status  = "success"
    retries = 1
    output  = "noted: 80 kg"
    target  = "health"
  }
  assert "every call has a row" {
    condition = [for e in events({ type = "route", sub = "weight" }) : e.outcome] == ["target_unavailable", "success"]
  }
  assert "and is an attempt of the sub" {
    condition = [for a in step.all.subs[1].attempts : a.outcome] == ["failure", "success"]
  }
}

workflow "route" {
  provider = provider.any

  step "wait" "until" { for = "200s" }
  step "classify" "where" {
    depends_on = [step.until]
    with       = classifier.switchboard
    text       = "I weigh 80 kg."
  }
}

scenario "a stale target is no candidate, and the text reaches general" {
  run = workflow.route

  event "crash" {
    at   = "10s"
    kill = actor.health
  }
  on "where" {
    reply {
      content = jsonencode([{ target = "health", prompt = "80 kg", segment = {} }])
    }
  }

  expect "where" {
    outcome = "unknown_target"
    entries = [{ target = "general", prompt = "I weigh 80 kg.", segment = { rationale = "fallback" } }]
  }
  assert "the model is not told of it" {
    condition = strcontains(step.where.attempts[0].request.json.messages[0].content, "The targets are: relationship, general.")
  }
}

scenario "a live target is a candidate" {
  run = workflow.route

  on "where" {
    reply {
      content = jsonencode([{ target = "health", prompt = "80 kg", segment = {} }])
    }
  }

  expect "where" { outcome = "ok" }
}

# Calls in a circle.
actor "a" {
  handler "h" { forward_to = actor.b.h }
}

actor "b" {
  handler "h" { forward_to = actor.a.h }
}

actor "deep" {
  cycles   = "depth"
  max_hops = 4
  handler "h" { forward_to = actor.deep.h }
}

scenario "BT18: a call that comes back is refused with its path" {
  call "round" { target = actor.a.h }

  expect "round" {
    status = "failed"
    error  = { kind = "routing_cycle", message = "the call goes in a cycle: a -> b -> a" }
  }
  assert "every hop has its row" {
    condition = [for r in events({ type = "route" }) : [r.actor, r.hops]] == [["a", 3], ["b", 2], ["a", 1]]
  }
}

scenario "BT18: with depth it goes as far as max_hops" {
  call "deep" { target = actor.deep.h }

  expect "deep" {
    status = "failed"
    error  = { kind = "routing_cycle" }
  }
  assert "four sessions" {
    condition = length(actor.deep.sessions) == 4
  }
}

actor "relay" {
  handler "h" { forward_to = actor.last.h }
}

actor "last" {
  max_hops = 1
  handler "h" {}
}

scenario "BT18: a chain that is too long is refused, and not called a cycle" {
  call "chain" { target = actor.relay.h }

  expect "chain" {
    status = "failed"
    error  = { kind = "routing_cycle", message = "the call passes more actors than max_hops = 1 of \"last\" allows: relay -> last" }
  }
}

# A registry that still knows an address at which nobody answers any more.
registry "addresses" {
  quarantine_on_failures = 2
  recover                = []
}

actor "moved" {
  registry = registry.addresses
  handler "trigger" { takes = "1s" }
}

scenario "BT22: the endpoint has changed: the route fails, and the registry quarantines the butler" {
  call "route" {
    target = actor.moved.trigger
    at     = ["1s", "11s", "21s", "31s"]
  }
  event "the port has changed" {
    at          = "10s"
    unreachable = actor.moved
  }

  assert "it fails, and is refused without a dial then" {
    condition = [for c in call.route : c.status == "success" ? "success" : c.error.kind] == ["success", "target_unavailable", "target_unavailable", "quarantined"]
  }
  assert "quarantined by its failures" {
    condition = registry.addresses.log == [{ at_ms = 21000, actor = "moved", from = "active", to = "quarantined", reason = "routing_failures" }]
  }
}
