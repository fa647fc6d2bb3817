# A program with a database that is away when it starts, and that takes back a
# transaction in the middle. The listener speaks PostgreSQL: BEGIN, COMMIT and the
# like are answered by themselves, and each statement is an endpoint.

provider "sql" "shop" {
  base_url = "postgres://app@db.example/shop"
}

endpoint "stock" {
  provider = provider.shop
  match { statement = "update stock *" }
}

endpoint "order" {
  provider = provider.shop
  match { statement = "insert into orders *" }
}

scenario "an order is taken once, whatever the database does" {
  sut { command = ["python3", "orders.py", "tea"] }

  on "stock" {
    fault "db_down" {} # of all endpoints at once: nobody gets a connection
    reply {
      rows  = [{ left = 6 }]
      times = 2
    }
  }
  on "order" {
    fault "db_down" {}
    fault "db_error" {
      sqlstate = "40001"
      message  = "could not serialize access"
    }
    reply { rows = [{ id = 7 }] }
  }

  expect "run" { status = "success" }
  expect "stock" { status = "success" }
  assert "the transaction is repeated from its beginning" {
    condition = [
      for e in concat(endpoint.stock.attempts, endpoint.order.attempts) : [e.call, e.fault, e.outcome]
      ] == [
      [1, "db_down", "failure"], [1, null, "success"], [2, null, "success"],
      [1, "db_down", "failure"], [1, "db_error", "failure"], [1, null, "success"],
    ]
  }
  assert "the second time is after the first" {
    condition = endpoint.stock.attempts[2].started_at_ms >= endpoint.order.attempts[1].ended_at_ms
  }
  assert "one connection is enough" {
    condition = endpoint.order.attempts[2].connection == endpoint.order.attempts[1].connection
  }
  assert "the customer hears of one order" {
    condition = sut.stdout == "order 7, 6 left\n"
  }
}

scenario "an order that is there already is none of the database's troubles" {
  sut { command = ["python3", "orders.py", "tea"] }

  on "stock" {
    reply { rows = [{ left = 6 }] }
  }
  on "order" {
    fault "db_error" {
      sqlstate = "23505"
      message  = "duplicate key value"
    }
  }

  assert "it is the end, and the customer hears why" {
    condition = sut.exit_code == 1 && sut.stderr == "23505: duplicate key value\n"
  }
}
