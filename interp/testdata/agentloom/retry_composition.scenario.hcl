provider "openai" "primary" { model = "gpt-4o-mini" }

workflow "two" {
  provider = provider.primary
  step "llm" "first_attempt" {
    prompt   = "try"
    fallback = step.second_attempt
  }
  step "llm" "second_attempt" { prompt = "try again" }
}

scenario "a fault and a success in one run" {
  run = workflow.two
  cassette { path = "retry_composition.json" }

  expect "run" { status = "success" }
  expect "second_attempt" { content = "success after retry" }
  assert "the first one met a 500" {
    condition = events({ type = "failure" })[0].status_code == 500
  }
}
