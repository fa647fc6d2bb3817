# The program is a server. The workflow asks it, as its clients do, and what it asks
# in turn is answered by the script: it has to wait for a model that is overloaded,
# and its clients notice nothing but the time.

provider "http" "answers" {}
provider "openai" "llm" {}

workflow "client" {
  step "http" "question" {
    provider = provider.answers
    method   = "POST"
    path     = "/questions"
    json     = { question = "Why is the sky blue?" }
    timeout  = "10s"
  }
}

scenario "whoever asks does not notice that the model is overloaded" {
  run = workflow.client
  sut {
    command = ["python3", "server.py"]
    serves  = provider.answers
    ready { path = "/health" }
  }

  on "llm" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "3" }
    }
    reply { content = "Rayleigh scattering." }
  }

  expect "question" {
    status = "success"
    json   = { answer = "Rayleigh scattering." }
  }
  expect "llm" { retries = 1 }
  assert "the model is asked what its clients ask" {
    condition = endpoint.llm.attempts[1].request.json.messages[0].content == "Why is the sky blue?"
  }
  assert "it waits as long as it is told" {
    condition = within(endpoint.llm.calls[0].gaps_ms[0], "2900ms", "4500ms")
  }
}

scenario "two who ask at once are served at once" {
  sut {
    command = ["python3", "server.py"]
    serves  = provider.answers
  }

  call "first" {
    target    = provider.answers
    arguments = { method = "POST", path = "/questions", json = { question = "Why is the sky blue?" } }
  }
  call "second" {
    target    = provider.answers
    arguments = { method = "POST", path = "/questions", json = { question = "Why are clouds white?" } }
    at        = "200ms"
  }

  on "llm" {
    reply {
      content = "It is the light."
      latency = "500ms"
      times   = 2
    }
  }

  expect "first" {
    json = { answer = "It is the light." }
  }
  expect "second" {
    json = { answer = "It is the light." }
  }
  assert "the model is asked both questions" {
    condition = sort([for a in endpoint.llm.attempts : a.request.json.messages[0].content]) == ["Why are clouds white?", "Why is the sky blue?"]
  }
  assert "nobody waits for the other" {
    condition = endpoint.llm.in_flight_max == 2
  }
}
