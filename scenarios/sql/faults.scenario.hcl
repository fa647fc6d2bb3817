# What a database does wrong, met on the wire: no database, no connection free,
# errors by their SQLSTATE, statements that take too long, sessions that end in
# the middle. A reader learns what each is observed as, what is tried again,
# and why a statement is sent twice only where that is said to be harmless.

provider "sql" "shop" { base_url = "postgres://app@db.example:5432/shop" }

provider "sql" "replica" { base_url = "postgres://app@replica.example:5432/shop" }

retry "linear" "patient" {
  delay       = "1s"
  max_retries = 2
}

gateway "either" {
  target "first" { provider = provider.shop }
  target "second" { provider = provider.replica }
}

workflow "read" {
  provider = provider.shop

  step "sql" "orders" {
    query           = "select id from orders"
    retry           = retry.patient
    idempotent      = true
    attempt_timeout = "5s"
  }
}

workflow "write" {
  provider = provider.shop

  step "sql" "order" {
    query           = "insert into orders (sku) values ($1)"
    args            = ["a-1"]
    retry           = retry.patient
    idempotent      = false
    attempt_timeout = "5s"
  }
}

workflow "either" {
  gateway = gateway.either

  step "sql" "orders" { query = "select id from orders" }
}

scenario "BT1: db_down refuses the session, and a write may be tried again" {
  run = workflow.write

  on "order" {
    fault "db_down" {}
    reply { affected = 1 }
  }

  assert "it was never sent" {
    condition = step.order.attempts[0].error.kind == "db_error" && step.order.attempts[0].error.sqlstate == "08001"
  }
  expect "order" {
    status  = "success"
    retries = 1
  }
}

scenario "BT2: pool_exhausted is a wait for a connection that never comes" {
  run = workflow.write

  on "order" {
    fault "pool_exhausted" { after = "3s" }
    reply { affected = 1 }
  }

  assert "it waited, and failed as a pool does" {
    condition = step.order.attempts[0].error.kind == "pool_timeout" && step.order.attempts[0].elapsed_ms == 3000 && step.order.attempts[0].response.sqlstate == "53300"
  }
  expect "order" { status = "success" }
}

scenario "BT3: db_slow passes where there is time" {
  run = workflow.read

  on "orders" {
    fault "db_slow" {
      after = "4s"
      reply { rows = [{ id = 1 }] }
    }
  }

  expect "orders" {
    rows       = [{ id = 1 }]
    elapsed_ms = 4000
  }
}

scenario "BT3: db_slow is db_timeout where there is none, and a query is asked again" {
  run = workflow.read

  on "orders" {
    fault "db_slow" {}
    reply { rows = [] }
  }

  assert "the statement took too long" {
    condition = step.orders.attempts[0].error.kind == "db_timeout" && step.orders.attempts[0].elapsed_ms == 5000
  }
  expect "orders" {
    status     = "success"
    elapsed_ms = 6000
  }
}

scenario "BT3: a write that timed out is not sent twice" {
  run = workflow.write

  on "order" {
    fault "hang" {}
  }

  expect "run" { status = "failed" }
  expect "order" {
    error   = { kind = "db_timeout" }
    stop    = "not_idempotent"
    retries = 0
  }
}

scenario "timeout: a server that never opens the session is no slow statement" {
  run = workflow.read

  on "orders" {
    fault "timeout" {}
  }

  expect "run" { status = "failed" }
  expect "orders" { error = { kind = "timeout", sqlstate = null } }
}

scenario "db_error: a unique constraint is not tried again" {
  run = workflow.read

  on "orders" {
    fault "db_error" {
      sqlstate = "23505"
      message  = "duplicate key value violates unique constraint"
    }
  }

  expect "run" { status = "failed" }
  expect "orders" {
    retries = 0
    stop    = "not_retryable"
    error   = { kind = "db_error", sqlstate = "23505", retryable = false }
  }
}

scenario "db_error: a deadlock is" {
  run = workflow.read

  on "orders" {
    fault "db_error" { sqlstate = "40P01" }
    reply { rows = [] }
  }

  assert "it says what it was" {
    condition = step.orders.attempts[0].response.sqlstate == "40P01"
  }
  expect "orders" {
    status  = "success"
    retries = 1
  }
}

scenario "db_error: 57014 is the server's own limit for a statement" {
  run = workflow.read

  on "orders" {
    fault "db_error" {
      sqlstate = "57014"
      message  = "canceling statement due to statement timeout"
      after    = "2s"
    }
    reply { rows = [] }
  }

  assert "it is a timeout" {
    condition = step.orders.attempts[0].error.kind == "db_timeout" && step.orders.attempts[0].elapsed_ms == 2000
  }
}

scenario "db_error: an administrator ends the session in the middle" {
  run = workflow.read

  on "orders" {
    fault "db_error" {
      sqlstate = "57P01"
      message  = "terminating connection due to administrator command"
    }
    reply { rows = [] }
  }

  expect "orders" {
    status  = "success"
    retries = 1
  }
}

scenario "BT8: rows that broke off are no answer" {
  run = workflow.read

  on "orders" {
    fault "connection_reset" {
      after_bytes = 60
      reply { rows = [{ id = 1 }, { id = 2 }, { id = 3 }] }
    }
    fault "malformed_response" {}
    reply { rows = [] }
  }

  assert "the reset" {
    condition = step.orders.attempts[0].error.kind == "connection" && step.orders.attempts[0].error.cause == "reset"
  }
  assert "bytes that are no messages" {
    condition = step.orders.attempts[1].error.kind == "malformed_response"
  }
  expect "orders" {
    rows    = []
    retries = 2
  }
}

scenario "connection_refused, dns_error: the next target is asked" {
  run = workflow.either

  on "orders" {
    fault "connection_refused" { target = "first" }
    reply {
      rows   = [{ id = 7 }]
      target = "second"
    }
  }

  expect "orders" {
    target = "second"
    rows   = [{ id = 7 }]
  }
}
