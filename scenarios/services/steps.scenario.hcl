# A workflow may call actors too, and events may happen to it.

actor "health" {
  lock "session" {}
  handler "trigger" {
    takes  = "30s"
    lock   = ["session"]
    return = { logged = arguments.prompt }
  }
}

workflow "log" {
  inputs = { prompt = "80 kg" }
  step "call" "health" {
    target    = actor.health.trigger
    arguments = { prompt = upper(input.prompt) }
    timeout   = "100s"
  }
  step "value" "text" { value = "logged ${step.health.value.logged}" }
}

scenario "a step calls an actor" {
  run = workflow.log

  expect "health" {
    status = "success"
    value  = { logged = "80 KG" }
  }
  assert "dependants read it" {
    condition = step.text.output == "logged 80 KG"
  }
  assert "its session is named after the step" {
    condition = actor.health.sessions[0].call == "health"
  }
}

scenario "an actor that dies fails the step" {
  run = workflow.log
  event "kill" {
    at   = "10s"
    kill = actor.health
  }

  expect "run" { status = "failed" }
  expect "health" {
    error    = { kind = "target_unavailable" }
    ended_ms = 10000
  }
}

scenario "a step is cancelled by an event" {
  run = workflow.log
  event "give up" {
    at     = "10s"
    cancel = step.health
  }

  expect "health" { status = "cancelled" }
  expect "run" { status = "failed" }
}

scenario "the run is cancelled by an event" {
  run = workflow.log
  event "give up" {
    at     = "10s"
    cancel = "run"
  }

  expect "run" {
    status   = "cancelled"
    ended_ms = 10000
  }
}

scenario "a call may follow a step" {
  run = workflow.log
  call "again" {
    target    = actor.health.trigger
    arguments = { prompt = "75 kg" }
    after     = step.text
  }

  expect "again" {
    started_ms = 30000
    ended_ms   = 60000
  }
  expect "run" { ended_ms = 30000 }
}

scenario "faults strike a call step by its name" {
  run = workflow.log
  on "health" {
    fault "hang" {}
  }

  expect "run" { status = "failed" }
  expect "health" {
    status   = "timeout"
    ended_ms = 100000
  }
}

# What is certain not to have reached its target is called again; the rest only
# where it may be done twice.
retry "linear" "patient" {
  delay       = "5s"
  max_retries = 3
}

workflow "persistent" {
  step "call" "health" {
    target    = actor.health.trigger
    arguments = { prompt = "80 kg" }
    retry     = retry.patient
  }
}

workflow "twice" {
  step "call" "health" {
    target     = actor.health.trigger
    arguments  = { prompt = "80 kg" }
    retry      = retry.patient
    idempotent = true
  }
}

scenario "a call step is tried again while its actor is down" {
  run = workflow.persistent
  event "down" { unreachable = actor.health }
  event "up" {
    at        = "8s"
    reachable = actor.health
  }

  expect "health" {
    status    = "success"
    retries   = 2
    delays_ms = [5000, 5000]
    ended_ms  = 40000
  }
  assert "each call of the actor is an attempt" {
    condition = [for a in step.health.attempts : [a.at_ms, a.ended_ms, a.outcome, a.target]] == [
      [0, 0, "failure", "health"], [5000, 5000, "failure", "health"], [10000, 40000, "success", "health"],
    ]
  }
  assert "each belongs to a round, and its times are those of the run, too" {
    condition = [for a in step.health.attempts : [a.n, a.round, a.elapsed_ms, a.gap_ms, a.started_at_ms, a.ended_at_ms]] == [
      [1, 1, 0, null, 0, 0], [2, 2, 0, 5000, 5000, 5000], [3, 3, 30000, 5000, 10000, 40000],
    ]
  }
  assert "the first says why" {
    condition = step.health.attempts[0].error.kind == "target_unavailable"
  }
  assert "and is counted" {
    condition = (metric("scenario_attempts_total", { step_id = "health", target = "health", outcome = "failure" }) == 2
    && metric("scenario_attempts_total", { step_id = "health" }) == 3)
  }
  assert "every call has its row" {
    condition = [for r in events({ type = "route" }) : r.outcome] == ["target_unavailable", "target_unavailable", "success"]
  }
}

scenario "BT9: a call that may have had an effect is not made twice" {
  run = workflow.persistent
  on "health" {
    fault "crash" { after = "1s" }
  }

  expect "health" {
    status  = "failed"
    retries = 0
    stop    = "not_idempotent"
  }
  expect "run" { status = "failed" }
}

scenario "BT9: unless it says that it may" {
  run = workflow.twice
  on "health" {
    fault "connection_reset" {}
    reply { content = "logged" }
  }

  expect "health" {
    value   = "logged"
    retries = 1
  }
}
