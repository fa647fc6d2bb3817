# Problem: a service says when to come back, and the client comes back earlier. Every
# early request fails, and many services count it against you.
# Checked: the wait is the one that the server asked for, after a 503 as well as a 429,
# and the client gives up at once if that is longer than a minute.
# Without respect_retry_after: it comes back after one second.

provider "http" "api" { base_url = "https://api.example.com" }

retry "exponential" "std" {
  respect_retry_after = true
  max_retry_after     = "1m"
}

workflow "fetch" {
  provider = provider.api

  step "http" "orders" {
    path  = "/orders"
    retry = retry.std
  }
}

scenario "the wait is the server's" {
  for_each = { "rate limit" = 429, "maintenance" = 503 }
  run      = workflow.fetch

  on "orders" {
    fault "http_error" {
      status_code = each.value
      headers     = { "Retry-After" = "30" }
    }
    reply { json = { orders = 3 } }
  }

  expect "orders" {
    json      = { orders = 3 }
    delays_ms = [30000]
  }
}

scenario "an hour is too long to wait for" {
  run = workflow.fetch

  on "orders" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "3600" }
    }
  }

  expect "run" { status = "failed" }
  expect "orders" {
    stop       = "wait_too_long"
    elapsed_ms = 0
  }
}
