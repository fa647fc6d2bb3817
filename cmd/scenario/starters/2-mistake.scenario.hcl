# A scenario that finds a mistake. The server says when it can be asked again,
# and the policy below does not listen.

provider "openai" "primary" { model = "gpt-4o-mini" }

retry "exponential" "hasty" {
  base                = "1s"
  max_retries         = 3
  respect_retry_after = false # the mistake: with true, all of this holds
}

workflow "support" {
  provider = provider.primary

  step "llm" "answer" {
    prompt = "Why is the sky blue?"
    retry  = retry.hasty
  }
}

scenario "waits as long as the server asks" {
  run = workflow.support

  on "answer" {
    fault "http_error" {
      status_code = 429
      headers     = { retry-after = "20" }
    }
    reply { content = "Rayleigh scattering." }
  }

  expect "run" { status = "success" }
  assert "asks again after the 20 s that the server named" {
    condition     = step.answer.delays_ms[0] >= 20000
    error_message = "a client that comes back early is limited again"
  }
}
