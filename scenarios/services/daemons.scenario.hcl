# What becomes of a daemon that crashes, loses its port, fails to start or is
# slow to, and how it drains. BT1, BT4 to BT7, BT21.

retry "linear" "patient" {
  delay       = "5s"
  max_retries = 3
}

actor "health" {
  pool "db" { size = 2 }
  startup {
    takes = "1s"
    retry = retry.patient
  }
  handler "trigger" { takes = "30s" }
  tool "status" { return = { butler = "health" } }
}

actor "switchboard" {
  handler "route" { forward_to = actor.health.trigger }
}

registry "services" {}

actor "configured" {
  registry = registry.services
  tool "status" {}
}

actor "relationship" {
  handler "trigger" { takes = "5s" }
}

actor "slow" {
  startup {
    takes   = "400s"
    timeout = "300s"
  }
  tool "status" {}
}

scenario "BT1: without its database a butler does not start" {
  call "status" {
    target = actor.health.status
    at     = "60s"
  }
  on "actor.health.pool.db" {
    fault "db_down" {}
  }

  expect "status" {
    status = "failed"
    error  = { kind = "target_unavailable" }
  }
  assert "it failed after its last try" {
    condition = actor.health.status == "failed"
  }
  assert "four tries, five seconds apart" {
    condition = [for e in events({ type = "failure", actor = "health" }) : e.at_ms] == [0, 5000, 10000, 15000]
  }
}

scenario "BT4: a startup that is tried again comes up" {
  call "status" {
    target = actor.health.status
    at     = "60s"
  }
  on "actor.health.pool.db" {
    fault "db_down" { times = 2 }
  }

  expect "status" {
    status = "success"
    value  = { butler = "health" }
  }
  assert "it is up at the third try" {
    condition = [for e in events({ type = "registry", actor = "health", to = "running" }) : e.at_ms] == [11000]
  }
}

scenario "BT4: a broken configuration is logged, and the butler is not registered" {
  for_each = ["config", "migration"]
  call "status" {
    target = actor.configured.status
    at     = "1s"
  }
  on "actor.configured" {
    fault "error" {
      type    = each.value
      message = "butler.toml: no such table"
    }
  }

  assert "the daemon logs the error" {
    condition = [for e in events({ type = "failure", actor = "configured" }) : [e.error_type, e.message]] == [[each.value, "butler.toml: no such table"]]
  }
  assert "it is not in the registry" {
    condition = registry.services.states == {}
  }
  expect "status" {
    status = "failed"
    error  = { kind = "target_unavailable", message = "\"configured\" is not registered" }
  }
}

scenario "BT5: the switchboard meets a crash, and logs target_unavailable" {
  call "route" {
    target = actor.switchboard.route
    at     = "2s"
  }
  on "actor.health.trigger" {
    fault "crash" { after = "10s" }
  }

  expect "route" {
    status   = "failed"
    error    = { kind = "target_unavailable", message = "\"health\" crashed" }
    ended_ms = 12000
  }
  assert "the routing log" {
    condition = [for r in events({ type = "route", from = "switchboard" }) : [r.actor, r.outcome]] == [["health", "target_unavailable"]]
  }
}

scenario "BT5: a crash in the middle of a request is target_unavailable" {
  call "first" {
    target = actor.health.trigger
    at     = "2s"
  }
  call "later" {
    target = actor.health.status
    at     = "20s"
  }
  on "first" {
    fault "crash" { after = "10s" }
  }

  expect "first" {
    status   = "failed"
    error    = { kind = "target_unavailable" }
    ended_ms = 12000
  }
  expect "later" {
    status = "failed"
    error  = { kind = "target_unavailable" }
  }
  assert "its session is logged as failed" {
    condition = [for s in actor.health.sessions : [s.status, s.error.kind, s.ended_ms]] == [["failed", "target_unavailable", 12000]]
  }
  assert "and it is dead" {
    condition = actor.health.status == "dead"
  }
}

scenario "BT6: a port that is gone is dialled once more, then given up" {
  event "port gone" {
    at          = "5s"
    unreachable = actor.health
  }
  event "port back" {
    at        = "15s"
    reachable = actor.health
  }
  call "status" {
    target = actor.health.status
    at     = ["2s", "10s", "20s"]
  }

  assert "only while the port is gone" {
    condition = [for c in call.status : c.status] == ["success", "failed", "success"]
  }
  assert "one reconnect was tried" {
    condition = length(events({ type = "route", actor = "health", reconnected = true })) == 1
  }
}

scenario "BT7: a slow startup fails alone" {
  start = [actor.slow]
  call "status" {
    target = actor.slow.status
    at     = "350s"
  }
  call "other" {
    target = actor.relationship.trigger
    at     = "350s"
  }

  expect "status" {
    status = "failed"
    error  = { kind = "target_unavailable" }
  }
  expect "other" { status = "success" }
  assert "it failed at its startup's timeout" {
    condition = [for e in events({ type = "registry", actor = "slow" }) : [e.at_ms, e.to]] == [[0, "starting"], [300000, "failed"]]
  }
}

scenario "BT21: a drain lets sessions end and takes nothing new" {
  call "under way" {
    target = actor.health.trigger
    at     = "2s"
  }
  call "too late" {
    target = actor.health.trigger
    at     = "11s"
  }
  event "drain" {
    at    = "10s"
    drain = actor.health
  }

  expect "under way" {
    status   = "success"
    ended_ms = 32000
  }
  expect "too late" {
    status = "failed"
    error  = { kind = "target_unavailable" }
  }
  assert "it takes nothing any more" {
    condition = actor.health.status == "draining"
  }
}

scenario "BT21: what is left at the end of a drain is cancelled" {
  call "under way" {
    target = actor.health.trigger
    at     = "2s"
  }
  event "drain" {
    at      = "10s"
    drain   = actor.health
    timeout = "5s"
  }

  expect "under way" {
    status   = "cancelled"
    ended_ms = 15000
  }
  assert "the session too" {
    condition = actor.health.sessions[0].status == "cancelled"
  }
}

scenario "an event may wait for a condition" {
  call "trigger" {
    target = actor.relationship.trigger
    at     = "1s"
  }
  call "again" {
    target = actor.relationship.trigger
    after  = call.trigger
  }
  event "kill" {
    when = length(actor.relationship.sessions) == 1
    kill = actor.relationship
  }

  expect "trigger" {
    status   = "failed"
    error    = { kind = "target_unavailable" }
    ended_ms = 1000
  }
  expect "again" {
    status     = "failed"
    started_ms = 1000
  }
}
