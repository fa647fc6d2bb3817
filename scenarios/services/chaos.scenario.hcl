# Cycles, partitions, timeouts that cascade, and what the logs say afterwards.
# BT18, BT26, BT28, BT30.

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

actor "switchboard" {
  handler "route" {
    takes      = "1s"
    forward_to = actor.health.trigger
    return     = { routed = result }
  }
}

actor "health" {
  lock "session" {}
  handler "trigger" {
    takes   = "90s"
    lock    = ["session"]
    timeout = "60s"
  }
  handler "quick" {
    takes  = "1s"
    lock   = ["session"]
    return = "done"
  }
}

scenario "BT18: a call that comes back is refused with its path" {
  call "round" { target = actor.a.h }

  expect "round" {
    error = { kind = "routing_cycle", message = "the call goes in a cycle: a -> b -> a" }
  }
  assert "every hop has its row" {
    condition = [for r in events({ type = "route" }) : [r.actor, r.hops]] == [["a", 3], ["b", 2], ["a", 1]]
  }
}

scenario "BT18: with depth it goes as far as max_hops" {
  call "deep" { target = actor.deep.h }

  expect "deep" { error = { kind = "routing_cycle" } }
  assert "four sessions" {
    condition = length(actor.deep.sessions) == 4
  }
}

scenario "BT26: a session's timeout is logged, releases the lock, and reaches the caller" {
  call "route" { target = actor.switchboard.route }
  call "next" {
    target = actor.health.quick
    at     = "2s"
  }

  expect "route" {
    status   = "timeout"
    ended_ms = 61000
  }
  expect "next" {
    status   = "success"
    ended_ms = 62000
  }
  assert "the session log has the timeout" {
    condition = [actor.health.sessions[0].status, actor.health.sessions[0].error.kind, actor.health.sessions[0].ended_ms - actor.health.sessions[0].started_ms] == ["timeout", "timeout", 60000]
  }
  assert "the routing log has a class" {
    condition = [for r in events({ type = "route", from = "switchboard" }) : [r.actor, r.outcome]] == [["health", "timeout"]]
  }
  assert "one deadline, one timeout event" {
    condition = [for t in events({ type = "timeout" }) : [t.actor, t.layer]] == [["health", "session"]]
  }
}

scenario "BT26: the innermost deadline wins" {
  call "hurried" {
    target  = actor.health.trigger
    timeout = "5s"
  }

  expect "hurried" {
    status   = "timeout"
    ended_ms = 5000
  }
  assert "the session was cancelled from outside" {
    condition = actor.health.sessions[0].status == "cancelled"
  }
}

scenario "a partition keeps two actors apart until it heals" {
  call "route" {
    target = actor.switchboard.route
    at     = ["0s", "100s"]
  }
  event "split" {
    partition = [[actor.switchboard], [actor.health]]
  }
  event "heal" {
    at   = "50s"
    heal = true
  }

  assert "unavailable, then only slow" {
    condition = [for c in call.route : c.error.kind] == ["target_unavailable", "timeout"]
  }
}
