# What does not work for a while: every attempt there is struck, whatever a script
# would have answered, and no entry of one is used up by what fails.

provider "openai" "model" { model = "m" }
provider "openai" "spare" { model = "n" }
provider "http" "shop" { base_url = "https://shop.example" }

retry "linear" "patient" {
  delay       = "10s"
  max_retries = 9
}
gateway "models" {
  target "main" { provider = provider.model }
  target "backup" { provider = provider.spare }
}

workflow "order" {
  step "http" "items" {
    provider = provider.shop
    path     = "/items"
    retry    = retry.patient
  }
  step "llm" "answer" {
    gateway    = gateway.models
    prompt     = "Sum up: ${step.items.body}"
    depends_on = [step.items]
  }
  step "http" "send" {
    provider   = provider.shop
    method     = "POST"
    path       = "/mails"
    depends_on = [step.answer]
  }
}

scenario "outage: a provider comes back while it is asked again" {
  run = workflow.order

  outage "the shop is down" {
    provider = provider.shop
    to       = "25s"
    fault "http_error" { status_code = 503 }
  }
  outage "the main model is down" {
    target = "main"
    fault "connection_refused" {}
  }

  on "items" {
    reply { body = "three items" }
    reply {
      body     = "nobody asks again"
      optional = true
    }
  }
  on "answer" {
    reply { content = "Three." }
  }
  on "send" {
    reply {}
  }

  expect "items" {
    body       = "three items" # the first answer is still there
    delays_ms  = [10000, 10000, 10000]
    elapsed_ms = 30000
  }
  assert "the backup stands in" {
    condition = [for a in step.answer.attempts : [a.target, a.outcome]] == [["main", "failure"], ["backup", "success"]]
  }
  assert "no attempt after the end of the outage is struck" {
    condition = [for e in events({ type = "fault", step = "items" }) : e.at_ms] == [0, 10000, 20000]
  }
}

scenario "outage: at an instant between two calls" {
  run = workflow.order

  outage "mail" {
    address = "send"
    from    = "4s"
    fault "timeout" { after = "1s" }
  }

  on "items" {
    reply {
      body    = "none"
      latency = "4s"
    }
  }
  on "answer" {
    reply { content = "None." }
  }

  expect "run" { status = "failed" }
  expect "send" {
    status     = "failed"
    elapsed_ms = 1000
  }
}

scenario "outage: all is slow for a while" {
  run = workflow.order

  outage "slow" {
    provider = provider.shop
    to       = "1s"
    fault "delay" { by = "5s" }
  }

  on "items" {
    reply {
      body    = "none"
      latency = "2s"
    }
  }
  on "answer" {
    reply { content = "None." }
  }
  on "send" {
    reply {}
  }

  expect "items" {
    body       = "none"
    elapsed_ms = 7000 # its own two seconds, too
  }
  expect "send" { elapsed_ms = 0 }
}

actor "desk" {
  pool "db" { size = 1 }
  handler "answer" {
    takes = "1s"
    uses  = ["db"]
  }
}

scenario "outage: an actor's database is down between two calls" {
  outage "database" {
    address = "actor.desk.pool.db"
    from    = "5s"
    to      = "15s"
    fault "db_down" {}
  }
  call "ask" {
    target = actor.desk.answer
    at     = ["1s", "10s", "20s"]
  }
  assert "one call meets it" {
    condition = [for c in call.ask : c.status] == ["success", "failed", "success"]
  }
}
