provider "sql" "shop" {
  base_url = "postgres://app@db.example/shop"
}

endpoint "price" {
  provider = provider.shop
  match { statement = "SELECT  price FROM items *" }
}

endpoint "order" {
  provider = provider.shop
  match { statement = "insert into orders *" }
}

scenario "a database that is slow, away, and slow again" {
  on "price" {
    fault "db_down" { after = "2s" }
    fault "db_slow" { after = "1h" }
    reply {
      rows    = [{ price = "12.50" }]
      columns = ["price numeric"]
      latency = "250ms"
      times   = 2
    }
  }
  on "order" {
    fault "db_down" { after = "2s" }
    reply {
      affected = 1
      match { condition = request.json.args == ["tea", "12.50"] }
    }
  }
  assert "exact" {
    condition = [for a in endpoint.price.attempts : [a.call, a.started_at_ms, a.ended_at_ms, a.ended_by, a.outcome]] == [
      [1, 0, 2000, "server", "failure"],
      [1, 3000, 8000, "client", "failure"],
      [1, 8000, 8250, "server", "success"],
      [2, 8250, 8500, "server", "success"],
    ]
  }
  expect "order" {
    retries = 1
    status  = "success"
  }
}
