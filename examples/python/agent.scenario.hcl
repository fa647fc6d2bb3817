# What the tests beside this file play: scenario serve answers them.
provider "openai" "llm" {}

scenario "a rate limit is survived" {
  on "llm" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "3" }
    }
    reply { content = "Rayleigh scattering." }
  }
  assert "waits as long as it is told" {
    condition = within(endpoint.llm.calls[0].gaps_ms[0], "2900ms", "4500ms")
  }
  assert "it asks the question" {
    condition = strcontains(endpoint.llm.attempts[0].request.body, "Why is the sky blue?")
  }
}

scenario "a bad key is not tried again" {
  on "llm" {
    fault "http_error" { status_code = 401 }
  }
  expect "llm" { retries = 0 }
}

scenario "nobody calls" {
  on "llm" {
    reply { content = "Rayleigh scattering." }
  }
}
