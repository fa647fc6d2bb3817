# A program that promises, and delivers in the background. It never ends by itself,
# so the run goes on until what it promised is there, and then stops it.

provider "http" "orders" {
  base_url = "https://orders.example/v1"
}

scenario "an order that was promised is delivered, although the first attempts are lost" {
  sut {
    command      = ["sh", "background.sh"]
    env          = { ORDERS = provider.orders.url }
    until        = endpoint.orders.status == "success"
    timeout      = "5s"
    stop_timeout = "1s"
  }

  on "orders" {
    fault "http_error" { status_code = 503 }
    fault "connection_reset" {}
    reply { status_code = 201 }
  }

  expect "run" { status = "success" }
  expect "orders" { retries = 2 }
  assert "the promise came first" {
    condition = sut.stdout == "your order is on its way\n"
  }
  assert "what was ordered is delivered" {
    condition = endpoint.orders.attempts[2].request.json == { item = "book" }
  }
  assert "it waits between its attempts" {
    condition = alltrue([for gap in endpoint.orders.calls[0].gaps_ms : within(gap, 80, "2s")])
  }
}
