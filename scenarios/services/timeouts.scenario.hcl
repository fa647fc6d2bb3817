# The deadline of every layer, and how it reaches the layer above. BT26.

provider "anthropic" "claude" { model = "claude-sonnet-4-5" }

classifier "switchboard" {
  fallback   = actor.general
  candidates = [actor.health, actor.general]
}

workflow "agent" {
  provider = provider.claude
  inputs   = { prompt = null }
  output   = step.ask.content

  step "llm" "ask" {
    prompt = input.prompt
    tool "measurement_log" { step = step.log }
  }
  step "call" "log" {
    target    = actor.health.measurement_log
    arguments = arguments
  }
}

workflow "classify" {
  provider = provider.claude
  step "classify" "where" {
    with            = classifier.switchboard
    text            = "I weigh 80 kg."
    attempt_timeout = "120s"
  }
}

workflow "two_subrequests" {
  step "fanout" "all" {
    mode = "ordered"
    sub "health" {
      target  = actor.health.slow
      timeout = "120s"
    }
    sub "general" { target = actor.general.trigger }
  }
}

actor "switchboard" {
  handler "route" {
    takes      = "1s"
    forward_to = actor.health.trigger
  }
}

actor "health" {
  lock "session" {}
  pool "db" {
    size              = 2
    statement_timeout = "30s"
  }
  handler "trigger" {
    lock     = ["session"]
    timeout  = "120s"
    workflow = workflow.agent
  }
  handler "low" {
    lock     = ["session"]
    timeout  = "5s"
    workflow = workflow.agent
  }
  handler "slow" { takes = "400s" }
  tool "measurement_log" {
    takes  = "2s"
    uses   = ["db"]
    return = "logged"
  }
}

actor "general" {
  handler "trigger" {
    takes  = "1s"
    return = "done"
  }
}

actor "late" {
  startup { takes = "301s" }
  tool "status" {}
}

scenario "BT26: a tool call on the client's side ends after 120 seconds, by each route call" {
  matrix { timeout = ["120s", "7s"] }
  call "tool" {
    target  = actor.health.measurement_log
    timeout = matrix.timeout
  }
  on "actor.health.tool.measurement_log" {
    fault "hang" {}
  }

  expect "tool" {
    status   = "timeout"
    ended_ms = ms(matrix.timeout)
  }
}

scenario "BT26: a session ends after 120 seconds" {
  call "session" {
    target    = actor.health.trigger
    arguments = { prompt = "How am I?" }
  }
  on "actor.health.trigger.ask" {
    fault "timeout" {}
  }

  expect "session" {
    status   = "timeout"
    ended_ms = 120000
  }
}

scenario "BT26: a statement ends after 30 seconds" {
  call "tool" { target = actor.health.measurement_log }
  on "actor.health.pool.db" {
    fault "hang" {}
  }

  expect "tool" {
    status   = "failed"
    error    = { kind = "db_timeout" }
    ended_ms = 30000
  }
}

scenario "BT26: a classification ends after 120 seconds, and the text goes to general" {
  run = workflow.classify

  on "where" {
    fault "timeout" {}
  }

  expect "where" {
    status   = "success"
    outcome  = "failed"
    ended_ms = 120000
    entries  = [{ target = "general", prompt = "I weigh 80 kg." }]
  }
}

scenario "BT26: a bring-up ends after 300 seconds where nothing else is set" {
  call "status" {
    target = actor.late.status
    at     = "300001ms"
  }

  expect "status" {
    status = "failed"
    error  = { kind = "target_unavailable" }
  }
  assert "failed at its deadline" {
    condition = [for e in events({ type = "timeout" }) : [e.at_ms, e.actor, e.layer]] == [[300000, "late", "startup"]]
  }
}

scenario "BT26: a session's timeout is logged, releases the lock, and reaches the caller" {
  call "route" {
    target    = actor.switchboard.route
    arguments = { prompt = "How am I?" }
  }
  call "next" {
    target    = actor.health.trigger
    at        = "2s"
    arguments = { prompt = "And now?" }
  }
  on "actor.health.trigger.ask" {
    fault "timeout" {}
    reply {
      content = "Fine."
      latency = "1s"
    }
  }

  expect "route" {
    status   = "timeout"
    ended_ms = 121000
  }
  expect "next" {
    value    = "Fine."
    ended_ms = 122000
  }
  assert "the session log has the timeout" {
    condition = [actor.health.sessions[0].status, actor.health.sessions[0].error.kind, actor.health.sessions[0].ended_ms - actor.health.sessions[0].started_ms] == ["timeout", "timeout", 120000]
  }
  assert "the lock was released at that moment" {
    condition = [for e in events({ type = "unlock" }) : e.at_ms] == [121000, 122000] && actor.health.sessions[1].started_ms == 121000
  }
  assert "the routing log has a class" {
    condition = [for r in events({ type = "route", from = "switchboard" }) : [r.actor, r.outcome]] == [["health", "timeout"]]
  }
  assert "one deadline, one timeout event" {
    condition = [for t in events({ type = "timeout" }) : [t.actor, t.layer]] == [["health", "session"]]
  }
}

scenario "BT26: a route's timeout has its row, and dispatch goes on" {
  run = workflow.two_subrequests

  expect "all.health" {
    status   = "timeout"
    ended_ms = 120000
  }
  expect "all.general" {
    status     = "success"
    started_ms = 120000
  }
  assert "the routing log" {
    condition = [for r in events({ type = "route" }) : [r.actor, r.outcome]] == [["health", "timeout"], ["general", "success"]]
  }
}

scenario "BT26: the database's timeout is the tool's error, and the model tries again" {
  call "trigger" {
    target    = actor.health.trigger
    arguments = { prompt = "I weigh 80 kg." }
  }
  on "actor.health.pool.db" {
    fault "hang" { times = 1 }
    reply {}
  }
  on "actor.health.trigger.ask" {
    reply {
      tool_calls = [{ name = "measurement_log", arguments = {} }]
    }
    reply {
      tool_calls = [{ name = "measurement_log", arguments = {} }]
    }
    reply { content = "Noted." }
  }

  expect "trigger" {
    value    = "Noted."
    ended_ms = 32000
  }
  assert "the tool failed, then worked" {
    condition = [for r in events({ type = "route", handler = "measurement_log" }) : [r.from, r.outcome]] == [["health", "timeout"], ["health", "success"]]
  }
}

scenario "BT26: a low timeout strikes in the middle of several tool calls" {
  call "trigger" {
    target    = actor.health.low
    arguments = { prompt = "I weigh 80 kg, as yesterday, as the day before." }
  }
  call "next" {
    target    = actor.health.low
    at        = "3s"
    arguments = { prompt = "How am I?" }
  }
  on "actor.health.low.ask" {
    reply {
      times      = 3
      tool_calls = [{ name = "measurement_log", arguments = {} }]
    }
    reply { content = "Fine." }
  }

  expect "trigger" {
    status   = "timeout"
    ended_ms = 5000
  }
  assert "two of its tool calls were made, the third was cut short" {
    condition = [for r in events({ type = "route", handler = "measurement_log" }) : r.outcome] == ["success", "success", "timeout"]
  }
  assert "the session is logged with the timeout" {
    condition = [for s in actor.health.sessions : [s.status, s.started_ms, s.ended_ms]] == [["timeout", 0, 5000], ["success", 5000, 5000]]
  }
  expect "next" { value = "Fine." }
}

scenario "BT26: the innermost deadline wins" {
  call "hurried" {
    target    = actor.health.trigger
    arguments = { prompt = "How am I?" }
    timeout   = "5s"
  }
  on "actor.health.trigger.ask" {
    fault "timeout" {}
  }

  expect "hurried" {
    status   = "timeout"
    ended_ms = 5000
  }
  assert "the session was cancelled from outside" {
    condition = actor.health.sessions[0].status == "cancelled"
  }
}
