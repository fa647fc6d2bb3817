# Problem: by our clock the session is good for an hour, but the server's clock is ahead:
# a 401, although the session "has not expired". A client that trusts its own clock fails;
# one that logs in again and again locks the account.
# Checked: after a 401 there is one new session and one more request, with that session. A
# second 401 is an error.
# Without that: the first 401 is final.

provider "http" "api" { base_url = "https://api.example.com" }

workflow "orders" {
  provider = provider.api
  output   = step.orders.status_code == 401 ? step.again.json : step.orders.json

  step "http" "orders" {
    path          = "/orders"
    headers       = { X-Session = "first" }
    expect_status = [200, 401]
  }
  step "http" "refresh" {
    when   = step.orders.status_code == 401
    method = "POST"
    path   = "/sessions"
  }
  step "http" "again" {
    path    = "/orders"
    headers = { X-Session = step.refresh.json.session }
  }
}

scenario "a 401 leads to one new session and one more request" {
  for_each = { "it works" = 200, "it was not the session" = 401 }
  run      = workflow.orders

  on "orders" {
    reply { status_code = 401 }
  }
  on "refresh" {
    reply { json = { session = "second" } }
  }
  on "again" {
    reply {
      status_code = each.value
      json        = { orders = 3 }
    }
  }

  expect "run" { status = each.value == 200 ? "success" : "failed" }
  assert "the new session is used, once" {
    condition = [for a in step.again.attempts : a.request.headers["x-session"]] == ["second"]
  }
}
