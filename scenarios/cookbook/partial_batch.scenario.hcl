# Problem: a batch is answered with a 207: two items are stored, one is not. Taken as a
# success, the third item is lost; sent again as a whole, the other two are stored twice.
# Checked: the item that failed is sent again, and nothing else.
# Without the filter: a and c are stored twice.

provider "http" "store" { base_url = "https://store.example.com" }

workflow "import" {
  provider = provider.store
  inputs   = { items = ["a", "b", "c"] }
  output   = { failed = [for r in step.again.json.results : r.item if r.status >= 400] }

  step "http" "batch" {
    method     = "POST"
    path       = "/batch"
    json       = { items = input.items }
    idempotent = false
  }
  step "http" "again" {
    method     = "POST"
    path       = "/batch"
    json       = { items = [for r in step.batch.json.results : r.item if r.status >= 500] }
    idempotent = false
  }
}

scenario "one of three is sent again" {
  run = workflow.import

  on "batch" {
    reply {
      status_code = 207
      json = { results = [
        { item = "a", status = 201 },
        { item = "b", status = 503 },
        { item = "c", status = 201 },
      ] }
    }
  }
  on "again" {
    reply {
      status_code = 207
      json        = { results = [{ item = "b", status = 201 }] }
    }
  }

  assert "the second request has the one that failed" {
    condition = step.again.attempts[0].request.json.items == ["b"]
  }
  expect "run" { output = { failed = [] } }
}
