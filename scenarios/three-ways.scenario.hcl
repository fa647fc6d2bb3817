# One file, three ways: the workflow is what is planned, and `scenario test` runs it;
# `scenario exec` starts the program that was made of the plan; and a Go test runs
# code in its place. Each meets the same service, and the same is expected of it.

provider "openai" "llm" { model = "gpt-4o" }

breaker "patient" {
  threshold = 3
  reset     = "30s"
}

gateway "llm" {
  target "main" {
    provider = provider.llm
    breaker  = breaker.patient
  }
}

retry "linear" "twice" {
  delay       = "500ms"
  max_retries = 2
}

workflow "question" {
  gateway = gateway.llm

  step "llm" "ask" {
    prompt = "Why is the sky blue?"
    retry  = retry.twice
  }
}

scenario "waits as long as it was told" {
  run = workflow.question
  sut { command = ["python3", "three-ways.py"] }

  on "ask" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "3" }
    }
    fault "connection_reset" {}
    reply { content = "Rayleigh scattering." }
  }

  # A program may begin to wait when it has the head of the answer, before all of it is written.
  assert "honours Retry-After" {
    condition = within(step.ask.delays_ms[0], "2950ms", "4500ms")
  }
  assert "does not ask again at once after a reset" {
    condition = within(step.ask.delays_ms[1], "500ms", "3s")
  }
  assert "it asks the same again" {
    condition = strcontains(step.ask.attempts[2].request.body, "Why is the sky blue?")
  }
  assert "the breaker stays closed" {
    condition = breaker.main.transitions == []
  }
  expect "ask" {
    status  = "success"
    content = "Rayleigh scattering."
  }
  expect "run" { status = "success" }
}
