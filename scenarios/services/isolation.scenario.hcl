# A module that fails takes nothing with it but what depends on it. BT24, BT25,
# V79.

actor "health" {
  module "telegram" {
    tool "send" {}
  }
  module "store" {
    startup { takes = "50ms" }
    tool "measurements" { return = [] }
  }
  module "reports" {
    depends_on = ["telegram"]
    tool "report" {}
  }
  module "archive" {
    depends_on = ["reports"]
  }
  tool "status" { return = "running" }
  tool "risky" {}
}

scenario "V79: healthy, failing, depends on failing" {
  call "send" {
    target = actor.health.send
    at     = "1s"
  }
  call "report" {
    target = actor.health.report
    at     = "1s"
  }
  call "measurements" {
    target = actor.health.measurements
    at     = "1s"
  }
  call "status" {
    target = actor.health.status
    at     = "1s"
  }
  on "actor.health.module.telegram" {
    fault "error" {
      type    = "credentials"
      message = "invalid credentials"
    }
  }

  assert "the failing module says where and why" {
    condition = actor.health.modules.telegram == { status = "failed", phase = "credentials", error = "invalid credentials" }
  }
  assert "what depends on it is not tried, at any distance" {
    condition = [actor.health.modules.reports, actor.health.modules.archive] == [
      { status = "cascade_failed", phase = "dependency", error = "dependency \"telegram\" failed" },
      { status = "cascade_failed", phase = "dependency", error = "dependency \"reports\" failed" },
    ]
  }
  assert "the healthy one is active, and the actor runs" {
    condition = actor.health.modules.store.status == "active" && actor.health.status == "running"
  }
  expect "measurements" { status = "success" }
  expect "status" { status = "success" }
  expect "send" {
    status = "failed"
    error  = { kind = "tool_not_found" }
  }
  expect "report" {
    status = "failed"
    error  = { kind = "tool_not_found" }
  }
}

scenario "modules start after what they need, then by name" {
  call "status" {
    target = actor.health.status
    at     = "1s"
  }

  assert "the order" {
    condition = actor.health.order == ["store", "telegram", "reports", "archive"]
  }
  expect "status" { status = "success" }
}

scenario "a tool that raises harms no other" {
  call "risky" {
    target = actor.health.risky
    at     = "1s"
  }
  call "status" {
    target = actor.health.status
    at     = "2s"
  }
  on "actor.health.tool.risky" {
    fault "error" {
      type    = "ValueError"
      message = "not a weight"
    }
  }

  expect "risky" {
    status = "failed"
    error  = { kind = "tool_error", type = "ValueError" }
  }
  assert "the actor runs" {
    condition = actor.health.status == "running"
  }
  expect "status" { status = "success" }
}

scenario "a restart tries every module again" {
  call "send" {
    target = actor.health.send
    at     = ["1s", "11s"]
  }
  event "fixed" {
    at      = "10s"
    restart = actor.health
  }
  on "actor.health.module.telegram" {
    fault "error" { times = 1 }
    reply {}
  }

  assert "there after the restart" {
    condition = [for c in call.send : c.status] == ["failed", "success"]
  }
  assert "nothing is left of the failure" {
    condition = actor.health.modules.reports.status == "active"
  }
}
