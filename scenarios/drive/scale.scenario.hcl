# A service that asks for a minute of patience. With a time scale of 20 three seconds
# are one: what the service says and does is faster, and what is measured reads as if it
# were not.

provider "openai" "llm" {}

scenario "a minute of patience takes three seconds" {
  sut {
    command    = ["python3", "scale.py"]
    time_scale = 20
  }

  on "llm" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "60" }
    }
    reply {
      content = "Rayleigh scattering."
      latency = "12s"
    }
  }

  expect "run" { status = "success" }
  expect "llm" { retries = 1 }
  assert "it is the question" {
    condition = endpoint.llm.attempts[1].request.json.messages[0].content == "Why is the sky blue?"
  }
  assert "it waits as long as it is told" {
    condition = within(endpoint.llm.calls[0].gaps_ms[0], "60s", "2m")
  }
  assert "the answer takes its time" {
    condition = within(endpoint.llm.attempts[1].elapsed_ms, "12s", "2m")
  }
}
