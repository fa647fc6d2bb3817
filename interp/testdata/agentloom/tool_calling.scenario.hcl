provider "openai" "primary" { model = "gpt-4o-mini" }

workflow "loop" {
  provider = provider.primary
  step "llm" "ask" {
    prompt = "Which method does /get of httpbin accept?"
    tool "http_request" {
      description = "Sends a request."
      parameters = {
        type       = "object"
        properties = { url = { type = "string" }, method = { type = "string" } }
      }
      output = "200 OK from ${arguments.url}"
    }
  }
}

scenario "one step takes the turns of its list" {
  run = workflow.loop
  cassette { path = "tool_calling.json" }

  expect "ask" {
    turns         = 2
    finish_reason = "stop"
  }
  assert "the model asked for the tool with its arguments" {
    condition = step.ask.tool_calls[0].name == "http_request" && step.ask.tool_calls[0].arguments.url == "https://httpbin.org/get"
  }
  assert "the last turn is the answer" {
    condition = contains(step.ask.content, "accepts the GET HTTP method")
  }
  assert "both turns are paid for" {
    condition = approx(run.cost_usd, 0.000079, 0.0000001)
  }
}
