# Problem: the SDK tries three times, your wrapper tries three times around it, and the
# job runner three times around that. A service in trouble gets 27 requests for one.
# Checked: only one layer retries, so an outage gets three requests, and a short one is
# survived all the same.
# With retries in the inner layer as well: nine requests.

provider "http" "stock" { base_url = "https://stock.example.com" }

retry "exponential" "outer" { max_retries = 2 }
retry "none" "never" {}

workflow "check" {
  provider = provider.stock

  step "http" "get" {
    path  = "/items/7"
    retry = retry.never # the SDK's own retries are switched off
  }
}

workflow "job" {
  step "workflow" "check" {
    run   = workflow.check
    retry = retry.outer
  }
}

scenario "an outage is not made worse" {
  run = workflow.job

  on "check.get" {
    fault "http_error" { status_code = 503 }
  }

  expect "run" { status = "failed" }
  assert "three requests in all" {
    condition = length(flatten(step.check.runs[*].get.attempts)) == 3
  }
}

scenario "and a short one is survived" {
  run = workflow.job

  on "check.get" {
    fault "http_error" {
      status_code = 503
      times       = 2
    }
    reply { json = { left = 3 } }
  }

  expect "check" { delays_ms = [1000, 2000] }
}
