# Kill and recover, exhaust a pool, crash one of several, cut the network: what
# the others see of it. BT27.

registry "services" {}

actor "switchboard" {
  handler "route" { forward_to = actor.health.trigger }
  handler "route_to_relationship" { forward_to = actor.relationship.trigger }
  handler "status_of_health" { forward_to = actor.health.status }
}

actor "health" {
  registry = registry.services
  pool "db" { size = 2 }
  handler "trigger" { takes = "30s" }
  tool "status" { return = { butler = "health" } }
  tool "measurement_log" {
    takes = "100ms"
    uses  = ["db"]
  }
}

actor "relationship" {
  registry = registry.services
  handler "trigger" {
    takes  = "5s"
    return = "reminded"
  }
}

scenario "BT27: killed, handled, restarted, recovered" {
  call "status" {
    target = actor.switchboard.status_of_health
    at     = ["2s", "20s"]
  }
  call "trigger" {
    target    = actor.switchboard.route
    at        = "10s"
    arguments = { prompt = "test" }
  }
  event "kill" {
    at   = "5s"
    kill = actor.health
  }
  event "restart" {
    at      = "15s"
    restart = actor.health
  }

  assert "healthy before, and again after" {
    condition = [for c in call.status : c.value] == [{ butler = "health" }, { butler = "health" }]
  }
  expect "trigger" {
    status     = "failed"
    elapsed_ms = 0
    error      = { kind = "target_unavailable" }
  }
  assert "the kill is in the trace, and the restart" {
    condition = [for e in events({ type = "registry", actor = "health" }) : [e.at_ms, e.to] if e.to == "dead" || e.to == "running"] == [[0, "running"], [5000, "dead"], [15000, "running"]]
  }
}

scenario "BT5: what is under way ends with the process" {
  call "trigger" {
    target = actor.health.trigger
    at     = "3s"
  }
  event "kill" {
    at   = "5s"
    kill = actor.health
  }

  expect "trigger" {
    status   = "failed"
    error    = { kind = "target_unavailable" }
    ended_ms = 5000
  }
  assert "the session is logged as failed" {
    condition = actor.health.sessions[0].status == "failed"
  }
}

scenario "BT2: with every connection held, the next tool call waits and does not crash" {
  hold "conn1 and conn2" {
    pool = actor.health.pool.db
    n    = 2
    to   = "60s"
  }
  call "log" {
    target  = actor.health.measurement_log
    at      = "1s"
    timeout = "10s"
  }
  call "later" {
    target = actor.health.measurement_log
    at     = "55s"
  }

  expect "log" {
    status   = "timeout"
    ended_ms = 11000
  }
  expect "later" {
    status   = "success"
    ended_ms = 60100
  }
  assert "both waited in the queue" {
    condition = actor.health.pools.db.waits == [{ call = "log", waited_ms = 10000 }, { call = "later", waited_ms = 5000 }]
  }
  assert "and nothing was raised but that" {
    condition = actor.health.status == "running" && [for r in events({ type = "route" }) : r.outcome] == ["timeout", "success"]
  }
}

scenario "cascading failures are prevented: the others never notice" {
  event "crash" {
    at   = "9s"
    kill = actor.health
  }
  call "health" {
    target = actor.switchboard.route
    at     = "9s"
  }
  call "relationship" {
    target = actor.switchboard.route_to_relationship
    at     = "9s"
  }

  expect "health" { status = "failed" }
  expect "relationship" {
    value      = "reminded"
    elapsed_ms = 5000
  }
  assert "the switchboard's routing log has both" {
    condition = [for r in events({ type = "route", from = "switchboard" }) : [r.actor, r.outcome]] == [["health", "target_unavailable"], ["relationship", "success"]]
  }
  assert "the switchboard itself goes on" {
    condition = actor.switchboard.status == "running" && registry.services.states.relationship == "active"
  }
  assert "and the metric" {
    condition = metric("scenario_routes_total", { actor = "health", outcome = "target_unavailable" }) == 1
  }
}

scenario "a partition keeps two actors apart until it heals" {
  event "split" {
    partition = [[actor.switchboard], [actor.health]]
  }
  call "route" {
    target  = actor.switchboard.route
    at      = ["0s", "100s"]
    timeout = "10s"
  }
  event "heal" {
    at   = "50s"
    heal = true
  }

  assert "unavailable, then only slow" {
    condition = [for c in call.route : [c.status, c.error.kind]] == [["failed", "target_unavailable"], ["timeout", "timeout"]]
  }
}

scenario "who forwards is killed: what it asked for ends with it, and nobody else was killed" {
  call "route" {
    target = actor.switchboard.route
    at     = "10s"
  }
  event "kill" {
    at   = "15s"
    kill = actor.switchboard
  }

  expect "route" {
    status     = "failed"
    elapsed_ms = 5000
    error      = { kind = "target_unavailable", target = "switchboard" }
  }
  assert "it says who died" {
    condition = call.route.error.message == "\"switchboard\" was killed"
  }
  assert "the session of the other one is cancelled, because of its caller" {
    condition = [for s in actor.health.sessions : [s.status, s.ended_ms, s.error.message]] == [["cancelled", 15000, "cancelled: actor \"switchboard\" was killed"]]
  }
  assert "which is no failure of that one" {
    condition = actor.health.status == "running" && [for r in events({ type = "route", actor = "health" }) : r.outcome] == ["cancelled"]
  }
}

scenario "a cut network and a port that is gone keep new calls away, and let those under way end" {
  call "route" {
    target = actor.switchboard.route_to_relationship
    at     = ["10s", "13s", "16s"]
  }
  call "trigger" {
    target = actor.health.trigger
    at     = ["10s", "13s"]
  }
  event "split" {
    at        = "12s"
    partition = [[actor.switchboard], [actor.relationship]]
  }
  event "heal" {
    at   = "14s"
    heal = true
  }
  event "port gone" {
    at          = "12s"
    unreachable = actor.health
  }

  assert "across the partition" {
    condition = [for c in call.route : [c.status, c.ended_ms]] == [["success", 15000], ["failed", 13000], ["success", 21000]]
  }
  assert "at the port" {
    condition = [for c in call.trigger : [c.status, c.ended_ms]] == [["success", 40000], ["failed", 13000]]
  }
  assert "the trace names what each of them met" {
    condition = [for r in events({ type = "route", from = "switchboard" }) : try(r.met, [])] == [["event.split"], [], ["event.heal"]]
  }
}
