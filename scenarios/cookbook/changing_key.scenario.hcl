# Problem: there is an idempotency key, but each try gets a new one (a random one, or one
# made from the time), so the shop sees three orders. Derive the key from the order.
# Checked: three tries, with growing waits, have one key.
# Without that: three keys, three orders.

provider "http" "shop" { base_url = "https://shop.example.com" }

workflow "order" {
  provider = provider.shop
  inputs   = { order = null }

  # A loop that tries again by itself, as programs do around an SDK.
  step "loop" "tries" {
    while          = loop.index == 0 || step.send.status != "success"
    max_iterations = 3

    step "wait" "backoff" { for = "${loop.index * 2}s" }
    step "http" "send" {
      method     = "POST"
      path       = "/orders"
      headers    = { "Idempotency-Key" = sha256("order ${input.order}") }
      json       = { order = input.order }
      required   = false
      depends_on = [step.backoff]
    }
  }
}

scenario "three tries are one order" {
  run    = workflow.order
  inputs = { order = "1007" }

  on "tries.send" {
    fault "connection_reset" {}
    fault "timeout" { after = "5s" }
    reply { status_code = 201 }
  }

  assert "after waits of 2 and 4 seconds" {
    condition = [for r in step.tries.runs : r.send.started_ms] == [0, 2000, 11000]
  }
  assert "all three carry the key of the order" {
    condition = [for r in step.tries.runs : r.send.attempts[0].idempotency_key] == [for i in range(3) : sha256("order 1007")]
  }
}
