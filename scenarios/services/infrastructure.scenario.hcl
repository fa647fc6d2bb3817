# The database behind a butler: exhausted pools, slow queries, errors. BT2, BT3.

actor "health" {
  pool "db" {
    size              = 2
    acquire_timeout   = "10s"
    statement_timeout = "30s"
  }
  tool "measurement_log" {
    takes = "100ms"
    uses  = ["db"]
  }
  handler "trigger" {
    takes = "100ms"
    uses  = ["db"]
  }
  tool "status" { return = "fine" }
}

registry "services" {}

actor "starting" {
  registry = registry.services
  pool "db" { size = 2 }
  tool "status" { return = "fine" }
}

actor "ledger" {
  pool "read" { size = 1 }
  pool "write" {
    size            = 1
    acquire_timeout = "10s"
  }
  handler "reads" {
    uses  = ["read"]
    takes = "5s"
  }
  handler "writes" {
    uses  = ["write"]
    takes = "5s"
  }
  handler "copy" {
    uses  = ["read", "write"]
    takes = "1s"
  }
  handler "audit" {
    uses  = ["write", "read"]
    takes = "1s"
  }
}

scenario "BT1: the database is down, connecting to it raises, and the butler fails to start" {
  call "status" {
    target = actor.starting.status
    at     = "60s"
  }
  on "actor.starting.pool.db" {
    fault "db_down" {}
  }

  assert "connecting raises" {
    condition = [for e in events({ type = "failure", actor = "starting" }) : [e.at_ms, e.kind]] == [[0, "db_error"]]
  }
  assert "the butler has failed, and is not registered" {
    condition = actor.starting.status == "failed" && registry.services.states == {}
  }
  expect "status" {
    status = "failed"
    error  = { kind = "target_unavailable" }
  }
}

scenario "BT2: an exhausted pool queues, and the call succeeds when a connection is free" {
  hold "everything" {
    pool = actor.health.pool.db
    n    = 2
    to   = "4s"
  }
  call "log" {
    target = actor.health.measurement_log
    at     = "1s"
  }

  expect "log" {
    status   = "success"
    ended_ms = 4100
  }
  assert "the wait is visible" {
    condition = actor.health.pools.db.waits == [{ call = "log", waited_ms = 3000 }]
  }
  assert "never more than there are" {
    condition = actor.health.pools.db.size == 2 && actor.health.pools.db.in_use_max == 2 && actor.health.pools.db.in_use == 0
  }
}

scenario "BT2: a wait that is too long is pool_timeout, and never a crash" {
  hold "everything" {
    pool = actor.health.pool.db
    n    = 2
    to   = "60s"
  }
  call "log" {
    target = actor.health.measurement_log
    at     = "1s"
  }
  call "status" {
    target = actor.health.status
    at     = "20s"
  }

  expect "log" {
    status   = "failed"
    error    = { kind = "pool_timeout" }
    ended_ms = 11000
  }
  expect "status" { status = "success" }
  assert "it is counted" {
    condition = actor.health.pools.db.timeouts == 1 && actor.health.status == "running"
  }
}

scenario "BT2: three at once on two connections" {
  call "log" {
    target = actor.health.measurement_log
    at     = ["0s", "0s", "0s"]
  }

  assert "the third waits for the first" {
    condition = [for c in call.log : c.ended_ms] == [100, 100, 200]
  }
  assert "one waiter" {
    condition = actor.health.pools.db.max_queue == 1
  }
}

scenario "BT3: a query that is too slow fails its call" {
  call "log" {
    target = actor.health.measurement_log
    at     = ["0s", "60s"]
  }
  on "actor.health.pool.db" {
    fault "db_slow" {
      after = "45s"
      times = 1
    }
    reply {}
  }

  assert "the first only" {
    condition = [for c in call.log : c.status] == ["failed", "success"] && call.log[0].error.kind == "db_timeout"
  }
  assert "at the statement's deadline" {
    condition = call.log[0].ended_ms == 30000
  }
}

scenario "BT3: a session whose query is too slow is logged with the error" {
  call "trigger" { target = actor.health.trigger }
  on "actor.health.pool.db" {
    fault "db_slow" { after = "45s" }
  }

  expect "trigger" {
    status   = "failed"
    error    = { kind = "db_timeout" }
    ended_ms = 30000
  }
  assert "the session log has it" {
    condition = [for s in actor.health.sessions : [s.status, s.error.kind, s.ended_ms]] == [["failed", "db_timeout", 30000]]
  }
}

scenario "BT3: a slow query within its deadline is only slow" {
  call "log" { target = actor.health.measurement_log }
  on "actor.health.pool.db" {
    fault "db_slow" { after = "5s" }
  }

  expect "log" {
    status   = "success"
    ended_ms = 5100
  }
}

scenario "BT3: a query that hangs ends at its deadline too" {
  call "log" { target = actor.health.measurement_log }
  on "actor.health.pool.db" {
    fault "hang" {}
  }

  expect "log" {
    status = "failed"
    error  = { kind = "db_timeout" }
  }
}

scenario "errors of the database keep their kind" {
  call "log" {
    target = actor.health.measurement_log
    at     = ["0s", "1s", "2s"]
  }
  on "actor.health.pool.db" {
    fault "db_error" { sqlstate = "40001" }
    fault "pool_exhausted" {}
    reply {}
  }

  assert "typed" {
    condition = [for c in call.log : [c.status, try(c.error.kind, null)]] == [["failed", "db_error"], ["failed", "pool_timeout"], ["success", null]]
  }
  assert "a serialization failure may be tried again" {
    condition = call.log[0].error.retryable
  }
}

scenario "connections of two pools in two orders: a circle of waits that a deadline ends" {
  call "reading" { target = actor.ledger.reads }
  call "writing" { target = actor.ledger.writes }
  call "copy" {
    target = actor.ledger.copy
    at     = "1s"
  }
  call "audit" {
    target = actor.ledger.audit
    at     = "1s"
  }

  assert "the wait that closes it says who waits for what" {
    condition = [for e in events({ type = "pool", action = "wait" }) : e.circle if can(e.circle)] == [
      ["audit waits for actor.ledger.pool.read", "copy waits for actor.ledger.pool.write"],
    ]
  }
  expect "copy" {
    status   = "failed"
    error    = { kind = "pool_timeout" }
    ended_ms = 15000
  }
  expect "audit" {
    status   = "success"
    ended_ms = 16000
  }
}
