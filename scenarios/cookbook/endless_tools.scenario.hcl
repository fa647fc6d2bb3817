# Problem: the model searches, does not like what it finds, searches again for the same
# words, and never answers.
# Checked: it ends after four turns, and the user gets an answer anyway.
# Without max_tool_iterations: as many turns as your framework allows. Without the
# fallback: an error.

provider "openai" "model" { model = "gpt-4o-mini" }

workflow "agent" {
  provider = provider.model
  output   = step.agent.output

  step "llm" "agent" {
    prompt              = "Is it raining in Bern?"
    max_tool_iterations = 4
    fallback            = step.sorry
    fallback_on         = "any"

    tool "search" { output = "nothing found" }
  }
  step "value" "sorry" { value = "I could not find out." }
}

scenario "a model that never stops searching" {
  run = workflow.agent

  on "agent" {
    reply { tool_calls = [{ name = "search", arguments = { query = "Bern rain" } }] }
  }

  expect "agent" {
    turns = 4
    error = { kind = "max_tool_iterations" }
  }
  expect "run" {
    status = "success"
    output = "I could not find out."
  }
}
