# A server with a page of metrics, as Prometheus reads it: what it answers from its
# cache shows in the metrics alone, since no request is made for that.

provider "http" "weather" {}
provider "http" "forecast" { base_url = "https://forecast.example/v1" }

workflow "visitors" {
  step "http" "first" {
    provider = provider.weather
    path     = "/weather/oslo"
    timeout  = "10s"
  }
  step "http" "second" {
    depends_on = [step.first]
    provider   = provider.weather
    path       = "/weather/oslo"
    timeout    = "10s"
  }
}

scenario "the second visitor is answered from the cache" {
  run = workflow.visitors
  sut {
    command = ["python3", "page.py"]
    env     = { FORECAST = provider.forecast.url }
    serves  = provider.weather
    metrics = "/metrics"
  }

  on "forecast" {
    reply { json = { temperature = 7 } }
  }

  expect "second" {
    status = "success"
    json   = { temperature = 7 }
  }
  assert "it asks for that city" {
    condition = endswith(endpoint.forecast.attempts[0].request.url, "/oslo")
  }
  assert "a miss, and a hit" {
    condition = sut.metric("cache_requests_total", { outcome = "miss" }) == 1 && sut.metric("cache_requests_total", { outcome = "hit" }) == 1
  }
  assert "what warmed it up does not count" {
    condition = sut.metric("cache_requests_total") == 2
  }
}

scenario "a failure is not kept" {
  run = workflow.visitors
  sut {
    command = ["python3", "page.py"]
    env     = { FORECAST = provider.forecast.url }
    serves  = provider.weather
    metrics = "/metrics"
  }

  on "forecast" {
    fault "http_error" { status_code = 503 }
  }

  expect "first" { status = "failed" }
  expect "run" { status = "failed" }
  assert "the failure was a miss, and nothing was kept of it" {
    condition = sut.metric("cache_requests_total", { outcome = "miss" }) == 1 && sut.metric("cache_entries", { kind = "forecast" }) == 0
  }
}
