# Problem: slow queries hold all connections of a pool. Every request behind them waits,
# holding a socket and memory of its own, until the whole service stands still.
# Checked: a request that gets no connection within two seconds fails, and later ones work.
# Without acquire_timeout: it waits for 29 seconds.

actor "shop" {
  pool "db" {
    size            = 2
    acquire_timeout = "2s"
  }
  tool "report" {
    takes = "30s"
    uses  = ["db"]
  }
  tool "stock" {
    takes  = "50ms"
    uses   = ["db"]
    return = 3
  }
}

scenario "two slow reports take every connection" {
  call "report" {
    target = actor.shop.report
    at     = ["0s", "0s"]
  }
  call "stuck" {
    target = actor.shop.stock
    at     = "1s"
  }
  call "later" {
    target = actor.shop.stock
    at     = "31s"
  }

  expect "stuck" {
    status     = "failed"
    error      = { kind = "pool_timeout" }
    elapsed_ms = 2000
  }
  expect "later" { value = 3 }
}
