# The line between two butlers: drops, stale clients, hangs, bad answers, and
# what may be sent twice. BT8, BT9, BT10.

actor "health" {
  handler "trigger" {
    takes   = "30s"
    timeout = "120s"
    return  = { logged = arguments.prompt }
  }
  tool "log" {
    takes  = "1s"
    return = "logged"
  }
}

actor "switchboard" {
  handler "route" { forward_to = actor.health.log }
}

scenario "BT8: a connection that drops is an error for its caller" {
  call "drop" { target = actor.health.log }
  on "drop" {
    fault "connection_reset" {}
  }

  expect "drop" {
    status = "failed"
    error  = { kind = "connection", cause = "reset" }
  }
}

scenario "BT8: a stale client is made anew, and the call succeeds" {
  call "stale" { target = actor.health.log }
  on "stale" {
    fault "stale_client" {}
    reply { content = "second" }
  }

  expect "stale" {
    status = "success"
    value  = "second"
  }
  assert "with one reconnect" {
    condition = events({ type = "route" })[0].reconnected
  }
}

scenario "BT8: only one reconnect" {
  call "stale" { target = actor.health.log }
  on "stale" {
    fault "stale_client" { times = 2 }
  }

  expect "stale" {
    status = "failed"
    error  = { kind = "connection" }
  }
}

scenario "BT8: a tool that hangs meets its caller's timeout" {
  call "hang" {
    target  = actor.health.log
    timeout = "120s"
  }
  on "actor.health.tool.log" {
    fault "hang" {}
  }

  expect "hang" {
    status   = "timeout"
    error    = { kind = "timeout" }
    ended_ms = 120000
  }
}

scenario "BT8: a malformed answer is a routing failure" {
  call "bad" { target = actor.health.log }
  on "bad" {
    fault "malformed_response" {}
  }

  expect "bad" {
    status = "failed"
    error  = { kind = "malformed_response" }
  }
  assert "it is in the routing log" {
    condition = [for r in events({ type = "route" }) : r.outcome] == ["internal_error"]
  }
}

scenario "BT8: the switchboard logs the routing failure of a malformed answer" {
  call "route" { target = actor.switchboard.route }
  on "actor.health.log" {
    fault "malformed_response" {}
  }

  expect "route" {
    status = "failed"
    error  = { kind = "malformed_response" }
  }
  assert "the routing log" {
    condition = [for r in events({ type = "route", from = "switchboard" }) : [r.actor, r.outcome, r.kind]] == [["health", "internal_error", "malformed_response"]]
  }
}

scenario "BT9: what may have reached its target is not sent again" {
  call "once" { target = actor.health.log }
  on "once" {
    fault "connection_reset" {}
    reply { optional = true }
  }

  expect "once" { status = "failed" }
}

scenario "BT9: lost bookkeeping never takes an effect back" {
  call "kept" {
    target    = actor.health.trigger
    arguments = { prompt = "80 kg" }
  }
  on "kept" {
    fault "bookkeeping" {}
  }

  expect "kept" {
    status = "success"
    value  = { logged = "80 kg" }
  }
  assert "it is a warning in the trace" {
    condition = events({ type = "route" })[0].warning == "the record of the call was lost"
  }
}

scenario "a refusal and a broken line keep their kinds" {
  call "refused" { target = actor.health.log }
  call "unreachable" { target = actor.health.log }
  call "unknown" { target = actor.health.log }
  call "limited" { target = actor.health.log }
  on "refused" {
    fault "refuse" {}
  }
  on "unreachable" {
    fault "connection_refused" {}
  }
  on "unknown" {
    fault "dns_error" {}
  }
  on "limited" {
    fault "error" {
      type    = "OverloadError"
      message = "rate limit exceeded"
    }
  }

  expect "refused" {
    status = "failed"
    error  = { kind = "target_unavailable" }
  }
  expect "unreachable" {
    status = "failed"
    error  = { kind = "connection", cause = "refused" }
  }
  expect "unknown" {
    status = "failed"
    error  = { kind = "connection", cause = "dns" }
  }
  expect "limited" {
    status = "failed"
    error  = { kind = "tool_error", type = "OverloadError" }
  }
}
