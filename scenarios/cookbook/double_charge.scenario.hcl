# Problem: the connection breaks after the payment was sent. Was the card charged? The
# client cannot know, sends the payment again, and the customer pays twice.
# Checked: both requests have the same Idempotency-Key, so that the bank can tell that
# they are one payment.
# Without the key: the POST must not be sent twice, so the payment fails. A client that
# sends it anyway charges twice.

provider "http" "bank" { base_url = "https://bank.example.com" }

retry "linear" "once" {
  delay       = "1s"
  max_retries = 1
}

workflow "pay" {
  provider = provider.bank
  inputs   = { order = null }

  step "http" "charge" {
    method  = "POST"
    path    = "/charges"
    headers = { "Idempotency-Key" = "order-${input.order}" }
    json    = { order = input.order, cents = 1200 }
    retry   = retry.once
  }
}

scenario "the answer to a payment is lost" {
  run    = workflow.pay
  inputs = { order = "1007" }

  on "charge" {
    fault "connection_reset" {}
    reply {
      status_code = 201
      json        = { id = "ch_1" }
    }
  }

  expect "charge" { json = { id = "ch_1" } }
  assert "both requests name the same payment" {
    condition = [for a in step.charge.attempts : a.idempotency_key] == ["order-1007", "order-1007"]
  }
}
