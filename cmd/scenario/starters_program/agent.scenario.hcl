# What your program does when its language model limits it. Start it with
#
#   scenario exec agent.scenario.hcl -- python3 agent.py
#
# Its clients find the model's address in OPENAI_BASE_URL, and any API key will do. Then
# change the fault: `scenario help fault` lists what can go wrong.

# What no program should do: retry too early, repeat a payment under another key, trust
# half an answer … (docs/programs.md lists it).
import = ["std/resilience"]

provider "openai" "llm" {}

scenario "the program survives a rate limit" {
  on "llm" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "1" }
    }
    reply { content = "Paris." }
  }

  expect "run" { status = "success" }

  # The script answers whatever the program asks, so say what that has to be.
  assert "it asks the same again" {
    condition = endpoint.llm.attempts[1].request.json.messages == endpoint.llm.attempts[0].request.json.messages
  }

  assert "it prints the answer" {
    condition = strcontains(sut.stdout, "Paris")
  }
}
