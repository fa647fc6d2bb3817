# Who can be called: staleness, quarantine and the ways back. BT22, BT23, V74,
# V76.

registry "services" {
  ttl             = "300s"
  sweep_every     = "300s"
  heartbeat_every = "120s"
}

registry "eager" {
  quarantine_on_failures = 2
}

registry "strict" {
  recover = []
}

# It looks too seldom to see anything that is only stale.
registry "seldom" {
  heartbeat_every = "120s"
  ttl             = "300s"
  sweep_every     = "700s"
}

actor "overlooked" {
  registry = registry.seldom
  tool "status" {}
}

actor "health" {
  registry = registry.services
  tool "status" {}
  handler "long" { takes = "350s" }
}

actor "alert" {
  registry = registry.eager
  tool "status" {}
}

actor "operated" {
  registry = registry.strict
  tool "status" {}
}

actor "ahead" {
  registry   = registry.services
  clock_skew = "60s"
  tool "status" {}
}

actor "far_ahead" {
  registry   = registry.services
  clock_skew = "600s"
  tool "status" {}
}

scenario "V74: silence makes stale, then quarantined" {
  call "status" {
    target = actor.health.status
    at     = ["100s", "650s", "1250s"]
  }
  event "dies" {
    at   = "130s"
    kill = actor.health
  }

  assert "the sweeps at 600 and 900" {
    condition = registry.services.log == [
      { at_ms = 600000, actor = "health", from = "active", to = "stale", reason = "liveness_ttl_expired" },
      { at_ms = 900000, actor = "health", from = "stale", to = "quarantined", reason = "liveness_ttl_2x_expired" },
    ]
  }
  assert "refused without a dial" {
    condition = [for c in call.status : c.status == "success" ? "" : c.error.message] == ["", "\"health\" is stale and cannot be routed", "\"health\" is quarantined and cannot be routed"]
  }
  assert "with their own kind" {
    condition = call.status[2].error.kind == "quarantined"
  }
}

scenario "V74: a sweep that comes late quarantines straight from active" {
  call "status" {
    target = actor.overlooked.status
    at     = ["1s", "1000s"]
  }
  event "dies" {
    at   = "2s"
    kill = actor.overlooked
  }

  assert "quarantined at the first sweep, and never stale" {
    condition = registry.seldom.log == [{ at_ms = 700000, actor = "overlooked", from = "active", to = "quarantined", reason = "liveness_ttl_2x_expired" }]
  }
  assert "refused then" {
    condition = [for c in call.status : c.status == "success" ? "success" : c.error.kind] == ["success", "quarantined"]
  }
}

scenario "V74: a sweep that sees silence in between makes stale first" {
  call "status" {
    target = actor.operated.status
    at     = "1s"
  }
  call "last" {
    target = actor.operated.status
    at     = "1000s"
  }
  event "dies" {
    at   = "2s"
    kill = actor.operated
  }

  expect "last" {
    status = "failed"
    error  = { kind = "quarantined" }
  }
  assert "stale at 600, quarantined at 900: 599 and 899 seconds of silence" {
    condition = [for c in registry.strict.log : [c.at_ms, c.to]] == [[600000, "stale"], [900000, "quarantined"]]
  }
  expect "status" { status = "success" }
}

scenario "V76: a clock that is a little ahead is fine, far ahead is stale" {
  call "near" {
    target = actor.ahead.status
    at     = "10s"
  }
  call "far" {
    target = actor.far_ahead.status
    at     = "10s"
  }

  expect "near" { status = "success" }
  expect "far" {
    status = "failed"
    error  = { kind = "quarantined" }
  }
  assert "by their states" {
    condition = registry.services.states.ahead == "active" && registry.services.states.far_ahead == "stale"
  }
}

scenario "a restart registers anew, and heartbeats bring back" {
  call "status" {
    target = actor.health.status
    at     = ["950s", "1001s"]
  }
  event "dies" {
    at   = "100s"
    kill = actor.health
  }
  event "comes back" {
    at      = "1000s"
    restart = actor.health
  }

  assert "re_registered" {
    condition = [for c in registry.services.log : [c.to, c.reason]] == [["stale", "liveness_ttl_expired"], ["quarantined", "liveness_ttl_2x_expired"], ["active", "re_registered"]]
  }
  assert "it can be called again" {
    condition = [for c in call.status : c.status] == ["failed", "success"]
  }
}

scenario "an operator quarantines, and a heartbeat brings back" {
  call "status" {
    target = actor.health.status
    at     = ["12s", "126s"]
  }
  event "operator" {
    at         = "10s"
    quarantine = actor.health
  }

  assert "refused, then there again" {
    condition = [for c in call.status : c.status] == ["failed", "success"]
  }
  assert "by the heartbeat 120 seconds after the first one" {
    condition = [for c in registry.services.log : [c.at_ms, c.reason]] == [[10000, "operator"], [125000, "heartbeat_recovery"]]
  }
}

scenario "only what recover lists brings an entry back; an operator always does" {
  call "status" {
    target = actor.operated.status
    at     = ["200s", "301s"]
  }
  event "quarantine" {
    at         = "10s"
    quarantine = actor.operated
  }
  event "activate" {
    at       = "300s"
    activate = actor.operated
  }

  assert "no heartbeat helps" {
    condition = [for c in call.status : c.status] == ["failed", "success"]
  }
  assert "the operator did it" {
    condition = [for c in registry.strict.log : c.reason] == ["operator", "operator"]
  }
}

scenario "route, kill, route again: quarantined; restart: a heartbeat re-activates" {
  call "status" {
    target = actor.alert.status
    at     = ["1s", "11s", "12s", "13s", "31s"]
  }
  event "kill" {
    at   = "10s"
    kill = actor.alert
  }
  event "restart" {
    at      = "30s"
    restart = actor.alert
  }

  assert "two failures in a row quarantine at once" {
    condition = registry.eager.log[0] == { at_ms = 12000, actor = "alert", from = "active", to = "quarantined", reason = "routing_failures" }
  }
  assert "the third is refused, the last succeeds" {
    condition = [for c in call.status : c.status == "success" ? "success" : c.error.kind] == ["success", "target_unavailable", "target_unavailable", "quarantined", "success"]
  }
}

scenario "an unreachable port keeps its heartbeats" {
  call "status" {
    target = actor.health.status
    at     = ["10s", "1000s"]
  }
  event "port gone" {
    at          = "5s"
    unreachable = actor.health
  }

  assert "the calls fail, the entry stays active" {
    condition = [for c in call.status : c.error.kind] == ["target_unavailable", "target_unavailable"] && registry.services.states.health == "active"
  }
  expect "status" {
    status = "failed"
  }
}

registry "exact" { ttl = "295s" }

actor "silent" {
  registry = registry.exact
  tool "status" {}
}

scenario "silent for exactly the ttl is not stale, for more is" {
  call "status" {
    target = actor.silent.status
    at     = ["300s", "300001ms"]
  }
  event "dies" {
    at   = "6s"
    kill = actor.silent
  }

  assert "dialled at 295 s of silence, refused at a millisecond more" {
    condition = [for c in call.status : c.error.kind] == ["target_unavailable", "quarantined"]
  }
  expect "status" {
    status = "failed"
  }
}
