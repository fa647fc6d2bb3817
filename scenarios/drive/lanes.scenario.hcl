# Eight workers of one program ask at the same time. Each is a lane of its own, told
# by what it asks for, and meets the whole script: whatever the order in which their
# requests arrive, each gets the same answers.

provider "http" "images" {
  base_url = "https://images.example/v1"
}

endpoint "render" {
  provider = provider.images
  lane     = request.headers["x-worker"]
  match {
    method = "POST"
    path   = "/render"
  }
}

endpoint "publish" {
  provider = provider.images
  lane     = request.json.worker
  match {
    method = "POST"
    path   = "/publish"
  }
}

scenario "eight workers at once, each with the same trouble" {
  sut {
    command = ["go", "run", "."]
    dir     = "lanes"
    env     = { IMAGES = provider.images.url }
  }

  on "render" {
    fault "http_error" {
      status_code = 429
      after       = "100ms"
      headers     = { "Retry-After-Ms" = "100" }
    }
    reply {
      latency = "50ms"
      json    = { image = "cat.png" }
    }
  }
  on "publish" {
    fault "connection_reset" {}
    reply { status_code = 201 }
  }

  expect "run" { status = "success" }
  assert "every worker repeats once what failed, and nothing else" {
    condition = alltrue([
      for e in [endpoint.render, endpoint.publish] :
      length(e.lanes) == 8 && alltrue([for l in e.lanes : length(l.calls) == 1 && l.calls[0].retries == 1])
    ])
  }
  assert "every worker waits as long as it was told" {
    condition = alltrue([for c in endpoint.render.calls : within(c.gaps_ms[0], 100, "2s")])
  }
  assert "they work at the same time" {
    condition = endpoint.render.in_flight_max > 1
  }
}
