# Problem: the user waits for five seconds at most. The first call takes four of them,
# and the second service is told that it has five: it works for nobody.
# Checked: the second request says how much time is left, and the page fails on time.
# Without the subtraction: it says 5000 where 1000 ms are left.

provider "http" "api" { base_url = "https://api.example.com" }

locals { limit_ms = 5000 }

workflow "page" {
  provider = provider.api
  timeout  = "${local.limit_ms}ms"

  step "http" "profile" {
    path    = "/profile"
    headers = { X-Timeout-Ms = tostring(local.limit_ms) }
  }
  step "http" "offers" {
    path    = "/offers/${step.profile.json.segment}"
    headers = { X-Timeout-Ms = tostring(local.limit_ms - step.profile.ended_ms) }
    timeout = "4500ms"
  }
}

scenario "the second call gets what the first one left" {
  run = workflow.page

  on "profile" {
    reply {
      json    = { segment = "b" }
      latency = "4s"
    }
  }
  on "offers" {
    reply {
      json    = { offers = [] }
      latency = "10s"
    }
  }

  assert "the first is told that there are five" {
    condition = step.profile.attempts[0].request.headers["x-timeout-ms"] == "5000"
  }
  assert "it is told that one second is left" {
    condition = step.offers.attempts[0].request.headers["x-timeout-ms"] == "1000"
  }
  expect "run" {
    status     = "timeout"
    elapsed_ms = 5000
  }
}
