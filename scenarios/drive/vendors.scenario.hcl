# A program that asks one vendor, and another one where the first is overloaded.

provider "openai" "first" {}

provider "anthropic" "second" {}

scenario "an overloaded vendor is left for another one" {
  sut { command = ["python3", "vendors.py"] }

  on "first" {
    fault "http_error" { status_code = 503 }
    fault "http_error" { status_code = 503 }
  }
  on "second" {
    reply { content = "Rayleigh scattering." }
  }

  expect "run" { status = "success" }
  expect "first" {
    lanes   = [{ name = "", status = "failed" }]
    retries = 1
  }
  assert "the second vendor is asked once, and only when the first is given up" {
    condition = length(endpoint.second.attempts) == 1 && endpoint.second.started_ms > endpoint.first.ended_ms - 20
  }
  assert "it is asked the same" {
    condition = endpoint.second.attempts[0].request.json.messages == endpoint.first.attempts[0].request.json.messages
  }
  assert "the user gets the answer" {
    condition = sut.stdout == "Rayleigh scattering.\n"
  }
}

scenario "a request that is refused for what it says is not sent to another vendor" {
  sut { command = ["python3", "vendors.py"] }

  on "first" {
    fault "http_error" { status_code = 400 }
  }

  expect "second" { status = "unused" }
  assert "it is the end, and the program says so" {
    condition = sut.exit_code == 1 && sut.stderr == "the request was refused: 400\n"
  }
}
