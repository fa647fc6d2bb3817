# What a program asks. No workflow describes it, so `scenario test` skips these
# scenarios and says what runs them.

provider "openai" "llm" {}

provider "http" "tickets" {
  base_url = "https://tickets.example/v1"
}

endpoint "create" {
  provider = provider.tickets
  lane     = request.headers["x-tenant"]
  match {
    method = "POST"
    path   = "/tickets"
  }
}

endpoint "close" {
  provider   = provider.tickets
  concurrent = "arrival"
  match {
    method    = "PATCH"
    path      = "/tickets/*"
    json      = { state = "closed" }
    condition = request.headers["if-match"] != null
  }
}

scenario "a ticket is created once, although the first answer is lost" {
  on "llm" {
    reply { content = "The disk is full." }
  }
  on "create" {
    fault "connection_reset" {}
    reply { status_code = 201 }
  }
  expect "run" { status = "success" }
  expect "create" { retries = 1 }
  assert "the model reads what the customer wrote" {
    condition = strcontains(endpoint.llm.attempts[0].request.body, "The disk says that it is full.")
  }
  assert "the same ticket is asked for twice" {
    condition = endpoint.create.attempts[0].request.body == endpoint.create.attempts[1].request.body
  }
}

scenario "a ticket that somebody else has changed is closed all the same" {
  on "llm" {
    reply { content = "It is done." }
  }
  on "close" {
    fault "http_error" {
      status_code = 412
      match {
        headers = { If-Match = "\"1\"" }
      }
    }
    reply { status_code = 200 }
  }
  on "create" {
    reply {
      status_code = 201
      optional    = true
    }
  }
  expect "run" { status = "success" }
}
