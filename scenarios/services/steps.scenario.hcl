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
