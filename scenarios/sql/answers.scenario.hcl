# A workflow that reads and writes a database, without one. A reader learns how
# a reply says what a statement returns, how values and their types arrive, and
# how a later step uses the rows of an earlier one.

provider "sql" "shop" { base_url = "postgres://app@db.example:5432/shop" }

workflow "restock" {
  provider = provider.shop
  inputs   = { threshold = 5 }

  step "sql" "low" {
    query = "select sku, left_over from stock where left_over < $1 order by sku"
    args  = [input.threshold]
  }

  step "sql" "ordered" {
    query = "insert into orders (sku) select unnest($1::text[])"
    args  = ["{${join(",", [for r in step.low.rows : r.sku])}}"]
  }
}

workflow "types" {
  provider = provider.shop

  step "sql" "one" { query = "select * from one_of_each" }
}

scenario "rows of a query are read by the next statement" {
  run = workflow.restock

  on "low" {
    reply { rows = [{ sku = "a-1", left_over = 2 }, { sku = "b-7", left_over = 0 }] }
  }
  on "ordered" {
    reply { affected = 2 }
  }

  expect "low" {
    rows     = [{ sku = "a-1", left_over = 2 }, { sku = "b-7", left_over = 0 }]
    affected = 2
  }
  expect "ordered" {
    rows     = []
    affected = 2
    output   = 2
  }
  assert "the arguments are sent beside the statement" {
    condition = step.ordered.attempts[0].request.json.args == ["{a-1,b-7}"]
  }
  assert "the statement is what was asked" {
    condition = step.low.attempts[0].request.statement == "select sku, left_over from stock where left_over < $1 order by sku"
  }
  assert "its span is named by its verb" {
    condition = length(spans({ name = "INSERT" })) == 1
  }
}

scenario "a query without rows" {
  run = workflow.restock

  on "low" {
    reply { columns = ["sku text", "left_over int4"] }
  }
  on "ordered" {
    reply { affected = 0 }
  }

  assert "nothing came and nothing was written" {
    condition = step.low.rows == [] && step.low.affected == 0 && step.ordered.affected == 0
  }
}

scenario "columns keep their order and have the types that they are given" {
  run = workflow.types

  on "one" {
    reply {
      columns = ["id int8", "price numeric", "part float4", "on_sale bool", "note text", "tags jsonb", "made timestamptz", "seen timestamp", "image bytea", "sizes int4[]", "gone text"]
      rows = [{
        id      = 9007199254740993
        price   = "12.50"
        part    = 0.5
        on_sale = true
        note    = "λ, 🌈 and 'quotes'"
        tags    = { colour = "red", sizes = [1, 2] }
        made    = "2000-01-01T01:00:00+01:00"
        seen    = "2000-01-01T00:00:00"
        image   = base64encode("png")
        sizes   = "{1,2}"
        gone    = null
      }]
    }
  }

  expect "one" {
    rows = [{
      id      = 9007199254740993
      price   = 12.5
      part    = 0.5
      on_sale = true
      note    = "λ, 🌈 and 'quotes'"
      tags    = { colour = "red", sizes = [1, 2] }
      made    = "2000-01-01T00:00:00Z" # in UTC, whatever zone the server has
      seen    = "2000-01-01T00:00:00"
      image   = base64encode("png")
      sizes   = "{1,2}" # arrays arrive as the server writes them
      gone    = null
    }]
  }
}

scenario "an answer takes its time" {
  run = workflow.types

  on "one" {
    reply {
      rows    = []
      latency = "300ms"
    }
  }

  expect "one" { elapsed_ms = 300 }
}

workflow "held" {
  step "sql" "order" {
    provider = provider.shop
    query    = "SELECT id FROM orders WHERE number = 7"
    validate "there is one" { condition = length(self.rows) == 1 && self.rows[0].id == 7 && self.affected == 1 }
  }
}

scenario "a contract reads rows and counts" {
  run = workflow.held
  on "order" {
    reply { rows = [{ id = 7 }] }
  }
  expect "order" { status = "success" }
}

scenario "and is broken by others" {
  run = workflow.held
  on "order" {
    reply { rows = [{ id = 8 }] }
  }
  expect "order" {
    status = "failed"
    error  = { kind = "contract" }
  }
  expect "run" { status = "failed" }
}
