# How one asserts what became of a failure: the health check, the routing log, the
# session log, the release of the lock. BT28.

provider "anthropic" "claude" { model = "claude-sonnet-4-5" }

workflow "agent" {
  provider = provider.claude
  inputs   = { prompt = null }
  output   = step.ask.content

  step "llm" "ask" { prompt = input.prompt }
}

actor "switchboard" {
  handler "route" { forward_to = actor.health.trigger }
}

actor "health" {
  lock "session" {}
  module "telegram" {
    tool "send" {}
  }
  handler "trigger" {
    lock     = ["session"]
    timeout  = "120s"
    workflow = workflow.agent
  }
  tool "status" { return = { butler = "health" } }
}

scenario "BT28: the health check after a failure was injected" {
  call "status" {
    target = actor.health.status
    at     = "60s"
  }
  on "actor.health.module.telegram" {
    fault "error" {
      type    = "credentials"
      message = "invalid token"
    }
  }

  assert "the butler answers" {
    condition = call.status.value.butler == "health"
  }
  assert "the daemon has been up for a minute" {
    condition = call.status.started_ms - events({ type = "registry", actor = "health", to = "running" })[0].at_ms == 60000
  }
  assert "the module has failed, as expected" {
    condition = actor.health.modules.telegram.status == "failed"
  }
}

scenario "BT28: the routing log after a route to an unavailable butler" {
  for_each = {
    "killed"      = { kill = [1], cut = [], faults = [], outcome = "target_unavailable" }
    "unreachable" = { kill = [], cut = [1], faults = [], outcome = "target_unavailable" }
    "hangs"       = { kill = [], cut = [], faults = ["hang"], outcome = "timeout" }
    "raises"      = { kill = [], cut = [], faults = ["error"], outcome = "internal_error" }
  }
  call "route" {
    target    = actor.switchboard.route
    at        = "1s"
    arguments = { prompt = "test" }
  }
  dynamic "event" {
    for_each = each.value.kill
    labels   = ["killed"]
    content { kill = actor.health }
  }
  dynamic "event" {
    for_each = each.value.cut
    labels   = ["cut off"]
    content { unreachable = actor.health }
  }
  dynamic "on" {
    for_each = each.value.faults
    labels   = ["actor.health.trigger"]
    content {
      dynamic "fault" {
        for_each = [on.value]
        labels   = [fault.value]
        content {}
      }
    }
  }

  assert "a status that says so" {
    condition = [for r in events({ type = "route", actor = "health" }) : r.outcome] == [each.value.outcome]
  }
  assert "and a class of error" {
    condition = events({ type = "route", actor = "health" })[0].kind != null
  }
  assert "the caller is told" {
    condition = call.route.status != "success"
  }
}

scenario "BT28: the session log after a timeout" {
  call "trigger" {
    target    = actor.health.trigger
    arguments = { prompt = "test" }
  }
  on "actor.health.trigger.ask" {
    fault "timeout" {}
  }

  assert "it has an error that says timeout" {
    condition = strcontains(lower(actor.health.sessions[0].error.message), "timeout")
  }
  assert "it ran until then" {
    condition = actor.health.sessions[0].ended_ms - actor.health.sessions[0].started_ms >= 120000
  }
  expect "trigger" { status = "timeout" }
}

scenario "BT28: the lock is free after a failed session" {
  call "failing" {
    target    = actor.health.trigger
    arguments = { prompt = "test" }
  }
  call "simple" {
    target    = actor.health.trigger
    at        = "1s"
    arguments = { prompt = "simple prompt" }
  }
  on "actor.health.trigger.ask" {
    fault "http_error" { status_code = 401 }
    reply { content = "Fine." }
  }

  expect "failing" { status = "failed" }
  expect "simple" {
    status     = "success"
    elapsed_ms = 0
  }
  assert "nobody holds it" {
    condition = actor.health.locks.session.holders == [] && [for e in events({ type = "unlock", lock = "session" }) : [e.at_ms, e.call]] == [[0, "failing"], [1000, "simple"]]
  }
}
