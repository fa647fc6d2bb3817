# One session at a time: what a butler's serial dispatch lock promises, and what
# becomes of it when a session hangs, times out or dies. BT19, BT20, V81.

lock "global" { capacity = 3 }

actor "health" {
  lock "session" {}
  handler "trigger" {
    takes = "30s"
    lock  = ["session", "global"]
  }
  handler "tick" {
    takes = "5s"
    lock  = ["session", "global"]
  }
  handler "guarded" {
    takes   = "30s"
    lock    = ["session"]
    timeout = "120s"
  }
}

actor "relationship" {
  lock "session" {}
  handler "trigger" {
    takes = "30s"
    lock  = ["session", "global"]
  }
}

actor "careful" {
  lock "session" {}
  pool "db" { size = 1 }
  handler "trigger" {
    takes = "2s"
    lock  = ["session"]
    uses  = ["db"]
  }
}

actor "strict" {
  lock "session" {
    max_queue       = 1
    acquire_timeout = "10s"
  }
  handler "trigger" {
    takes = "30s"
    lock  = ["session"]
  }
}

actor "left" {
  lock "a" {}
  handler "work" {
    takes      = "1s"
    lock       = ["a"]
    forward_to = actor.right.work
  }
  handler "plain" { lock = ["a"] }
}

actor "right" {
  lock "b" {}
  handler "work" {
    takes = "1s"
    lock  = ["b"]
  }
  handler "back" {
    takes      = "1s"
    lock       = ["b"]
    forward_to = actor.left.plain
  }
}

scenario "V81: sessions of one actor are serial, another's is not held up" {
  call "busy" {
    target = actor.health.trigger
    at     = ["0s", "0s", "0s"]
  }
  call "other" {
    target = actor.relationship.trigger
    at     = "1s"
  }

  assert "one after another" {
    condition = [for s in actor.health.sessions : s.started_ms] == [0, 30000, 60000]
  }
  assert "never two at a time" {
    condition = overlaps(actor.health.sessions) == 0
  }
  assert "the other actor starts at once" {
    condition = actor.relationship.sessions[0].started_ms == 1000
  }
  assert "who waited, and for how long" {
    condition = actor.health.locks.session.waits == [{ call = "busy", waited_ms = 30000 }, { call = "busy", waited_ms = 60000 }]
  }
  assert "a busy actor takes no place of the shared lock while it queues" {
    condition = actor.health.locks.session.max_queue == 2 && lock.global.max_queue == 0
  }
  assert "all succeed" {
    condition = alltrue([for c in call.busy : c.status == "success"]) && call.other.status == "success"
  }
}

scenario "two concurrent triggers are serial, and both succeed" {
  call "first" { target = actor.health.trigger }
  call "second" { target = actor.health.trigger }

  expect "first" { status = "success" }
  expect "second" { status = "success" }
  assert "the first has ended when the second begins" {
    condition = actor.health.sessions[0].ended_ms <= actor.health.sessions[1].started_ms
  }
}

scenario "a trigger waits for the tick that is running" {
  call "tick" { target = actor.health.tick }
  call "trigger" {
    target = actor.health.trigger
    at     = "2s"
  }

  assert "it begins when the tick has ended" {
    condition = [for s in actor.health.sessions : [s.handler, s.queued_ms, s.started_ms, s.waited_ms]] == [["tick", 0, 0, 0], ["trigger", 2000, 5000, 3000]]
  }
}

scenario "a tick waits for the trigger that is running" {
  call "trigger" { target = actor.health.trigger }
  call "tick" {
    target = actor.health.tick
    at     = "2s"
  }

  assert "its trigger blocks until the external trigger's session has ended" {
    condition = [for s in actor.health.sessions : [s.handler, s.queued_ms, s.started_ms, s.ended_ms]] == [["trigger", 0, 0, 30000], ["tick", 2000, 30000, 35000]]
  }
  expect "tick" { status = "success" }
}

scenario "what the lock protects: the pool, the tools' state, the order of sessions" {
  call "trigger" {
    target = actor.careful.trigger
    at     = ["0s", "0s", "1s", "1s"]
  }

  assert "a pool for one session is enough" {
    condition = actor.careful.pools.db.in_use_max == 1 && actor.careful.pools.db.waits == []
  }
  assert "tools are never used by two sessions at a time" {
    condition = overlaps(actor.careful.sessions) == 0
  }
  assert "sessions are logged in the order in which they ran" {
    condition = [for s in actor.careful.sessions : [s.started_ms, s.ended_ms]] == [[0, 2000], [2000, 4000], [4000, 6000], [6000, 8000]]
  }
}

scenario "a holder that hangs blocks the next one until its own timeout" {
  call "stuck" { target = actor.health.guarded }
  call "next" {
    target = actor.health.guarded
    at     = "1s"
  }
  on "stuck" {
    fault "hang" {}
  }

  expect "stuck" {
    status   = "timeout"
    error    = { kind = "timeout" }
    ended_ms = 120000
  }
  expect "next" { status = "success" }
  assert "the lock is free at the timeout, and the session is logged" {
    condition = [for s in actor.health.sessions : [s.call, s.status, s.started_ms]] == [["stuck", "timeout", 0], ["next", "success", 120000]]
  }
  assert "the timeout is in the trace" {
    condition = [for t in events({ type = "timeout" }) : [t.at_ms, t.layer]] == [[120000, "session"]]
  }
  assert "nobody holds it in the end" {
    condition = actor.health.locks.session.holders == [] && [for e in events({ type = "unlock", lock = "session" }) : [e.at_ms, e.call]] == [[120000, "stuck"], [150000, "next"]]
  }
}

scenario "a holder that is cancelled releases its locks" {
  call "stuck" { target = actor.health.trigger }
  call "next" {
    target = actor.health.trigger
    at     = "1s"
  }
  event "give up" {
    at     = "10s"
    cancel = call.stuck
  }

  expect "stuck" { status = "cancelled" }
  expect "next" { ended_ms = 40000 }
}

scenario "waiting is bounded, and the queue too" {
  call "holder" { target = actor.strict.trigger }
  call "waits" {
    target = actor.strict.trigger
    at     = "1s"
  }
  call "refused" {
    target = actor.strict.trigger
    at     = "2s"
  }

  expect "holder" { status = "success" }
  expect "waits" {
    status   = "failed"
    error    = { kind = "lock_timeout" }
    ended_ms = 11000
  }
  expect "refused" {
    status   = "failed"
    error    = { kind = "queue_full" }
    ended_ms = 2000
  }
  assert "the message names the bound" {
    condition = strcontains(call.refused.error.message, "queue is full (max_queue=1)")
  }
  assert "the wait is visible" {
    condition = actor.strict.locks.session.waits == [{ call = "waits", waited_ms = 10000 }]
  }
}

scenario "a hold takes the shared lock from outside" {
  call "trigger" { target = actor.health.trigger }
  hold "others" {
    lock = lock.global
    n    = 3
    to   = "7s"
  }
  call "late" {
    target = actor.relationship.trigger
    at     = "1s"
  }

  assert "it was taken first where it is declared first" {
    condition = call.trigger.elapsed_ms == 30000
  }
  expect "late" { ended_ms = 37000 }
}

scenario "a deadlock is named with its locks and holders" {
  allow = ["deadlock"]
  call "there" { target = actor.left.work }
  call "back" { target = actor.right.back }

  expect "there" { status = "cancelled" }
  expect "back" { status = "cancelled" }
  expect "run" { status = "cancelled" }
  assert "both are named" {
    condition = length([for g in events({ type = "gate", gate = "deadlock" }) : g if strcontains(g.message, "actor.right.lock.b") && strcontains(g.message, "actor.left.lock.a") && strcontains(g.message, "held by call \"back\"")]) == 1
  }
}
