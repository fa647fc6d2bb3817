# What shows in no request: the program has a breaker, and a second choice while it is
# open. It says so by itself, in a metric and in spans, which the run receives.

provider "openai" "llm" {}

scenario "three failures open the breaker, and the rest is answered at once" {
  sut { command = ["python3", "telemetry.py"] }

  on "llm" {
    reply { content = "Rayleigh scattering." }
    fault "http_error" {
      status_code = 503
      times       = 3
    }
  }

  expect "run" { status = "success" }
  assert "the breaker is open" {
    condition = sut.metric("breaker.state", { target = "llm" }) == 1
  }
  assert "it asks the model" {
    condition = endpoint.llm.attempts[0].request.json.messages[0].content == "Why is the sky blue?"
  }
  assert "it has opened once" {
    condition = sut.metric("breaker.trips") == 1
  }
  assert "what is not asked is answered in another way, and says why" {
    condition = [for s in sut.spans({ name = "fallback" }) : s.attributes["fallback.reason"]] == ["open", "open"]
  }
  assert "each failure is the error of a span around its request" {
    condition = alltrue([for a in endpoint.llm.attempts : length(sut.spans({ name = "ask", trace_id = a.trace_id, status = a.outcome == "success" ? "ok" : "error" })) == 1])
  }
}

scenario "failures with a success between them open nothing" {
  sut { command = ["python3", "telemetry.py"] }

  on "llm" {
    fault "http_error" {
      status_code = 503
      times       = 2
    }
    reply { content = "Rayleigh scattering." }
    fault "http_error" {
      status_code = 503
      times       = 2
    }
    reply { content = "Rayleigh scattering." }
  }

  assert "the breaker is closed" {
    condition = sut.metric("breaker.state", { target = "llm" }) == 0 && sut.metric("breaker.trips") == 0
  }
  assert "everything was asked" {
    condition = length(endpoint.llm.attempts) == 6 && distinct([for s in sut.spans() : s.name]) == ["ask"]
  }
}
