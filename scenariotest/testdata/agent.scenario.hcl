provider "openai" "llm" {}

scenario "waits as long as it was told" {
  on "llm" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "30" }
    }
    fault "connection_reset" {}
    reply {
      content = "Rayleigh scattering."
    }
  }
  assert "honours Retry-After" {
    condition = endpoint.llm.calls[0].gaps_ms[0] == 30000
  }
  assert "asks again at once after a reset" {
    condition = endpoint.llm.delays_ms == [30000, 1000]
  }
  expect "llm" {
    retries = 2
    status  = "success"
    content = "Rayleigh scattering."
  }
  expect "run" { status = "success" }
}
