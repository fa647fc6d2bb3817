# Problem: a service comes back after an outage, its breaker lets calls through again, and
# all callers who waited call at once. The service falls over again.
# Checked: one probe goes through, and the others are refused until it has succeeded.
# With half_open_max = 3: three calls hit a service that has just started.

provider "http" "stock" { base_url = "https://stock.example.com" }

breaker "std" {
  threshold     = 1
  reset         = "30s"
  half_open_max = 1
}

gateway "stock" {
  target "stock" {
    provider = provider.stock
    breaker  = breaker.std
  }
}

workflow "check" {
  gateway = gateway.stock
  step "http" "get" { path = "/items/7" }
}

scenario "one probe, not three" {
  call "outage" { target = workflow.check }
  call "probe" {
    target = workflow.check
    at     = "30s"
  }
  call "second" {
    target = workflow.check
    at     = "30s"
  }
  call "third" {
    target = workflow.check
    at     = "30s"
  }

  on "outage.get" {
    fault "http_error" { status_code = 500 }
  }
  on "*" {
    reply {
      json    = { left = 3 }
      latency = "1s"
    }
  }

  expect "outage" { status = "failed" }
  expect "probe" { status = "success" }
  expect "second" {
    status = "failed"
    error  = { kind = "circuit_open" }
  }
  expect "third" { status = "failed" }
  assert "two calls reached the service in all" { condition = length(target.stock.attempts) == 2 }
}
