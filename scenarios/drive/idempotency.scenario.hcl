# A payment that is repeated must not be made twice: the service tells repeats by
# their Idempotency-Key, which stays the same for as long as the payment does.

provider "http" "payments" {
  base_url = "https://payments.example/v1"
}

endpoint "charge" {
  provider = provider.payments
  match {
    method = "POST"
    path   = "/charges"
  }
}

scenario "a charge whose answer is lost is repeated under its key" {
  sut {
    command = ["node", "idempotency.mjs", "book"]
    env     = { PAYMENTS = provider.payments.url }
  }

  on "charge" {
    fault "connection_reset" {}
    fault "http_error" { status_code = 502 }
    reply {
      status_code = 201
      json        = { id = "ch_1" }
    }
  }

  expect "run" { status = "success" }
  assert "each attempt has the same key" {
    condition = (
      endpoint.charge.attempts[0].idempotency_key != null &&
      length(distinct([for a in endpoint.charge.attempts : a.idempotency_key])) == 1
    )
  }
  expect "charge" {
    calls = [{ retries = 2 }]
  }
}

scenario "two charges are two, although they ask the same" {
  sut {
    command = ["node", "idempotency.mjs", "book", "book"]
    env     = { PAYMENTS = provider.payments.url }
  }

  on "charge" {
    reply {
      status_code = 201
      json        = { id = "ch_1" }
      times       = 2
    }
  }

  expect "run" { status = "success" }
  assert "each has a key of its own" {
    condition = length(distinct([for c in endpoint.charge.calls : c.idempotency_key])) == 2
  }
}
