# Problem: a service without idempotency keys takes an order, and its answer is lost.
# Sending the order again may order twice; giving up may lose it.
# Checked: the program looks whether the order is there, and believes what it finds.
# Without the lookup: the run fails although the order was placed.

provider "http" "shop" { base_url = "https://shop.example.com" }

workflow "order" {
  provider   = provider.shop
  on_failure = "continue"
  output     = try(step.send.json.orders[0].id, step.send.json.id) # of the look-up, where that replaced it

  step "http" "send" {
    method      = "POST"
    path        = "/orders"
    json        = { reference = "cart-7" }
    fallback    = step.look
    fallback_on = "any"
  }
  step "http" "look" {
    path  = "/orders"
    query = { reference = "cart-7" }

    validate "it is there" { condition = length(self.json.orders) == 1 }
  }
}

scenario "the order was placed, the answer was lost" {
  run = workflow.order

  on "send" {
    fault "connection_reset" {}
  }
  on "look" {
    reply { json = { orders = [{ id = "o-1" }] } }
  }

  expect "run" { output = "o-1" }
  assert "it was sent once" { condition = length(step.send.attempts) == 1 }
}

scenario "the order never arrived" {
  run = workflow.order

  on "send" {
    fault "connection_reset" {}
  }
  on "look" {
    reply { json = { orders = [] } }
  }

  expect "look" { error = { kind = "contract" } }
  expect "run" { status = "failed" }
}
