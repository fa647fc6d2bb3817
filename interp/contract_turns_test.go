package interp

import "testing"

// Shows that a contract sees the tools that the answer asks for, along with those of the
// turns before, and that an answer which breaks it and is asked for again counts once.
func TestContractsSeeTheCallsOfTheirAnswer(t *testing.T) {
	const source = `
provider "openai" "primary" { model = "gpt-4o-mini" }
provider "http" "weather" { base_url = "https://weather.example" }
retry "linear" "again" {
  max_retries = 1
  delay       = "1s"
}
workflow "agent" {
  provider = provider.primary
  step "http" "forecast" {
    provider = provider.weather
    path     = "/forecast/${arguments.city}"
  }
  step "llm" "agent" {
    prompt = "What is the weather in Berlin and in Bonn?"
    retry  = retry.again
    tool "forecast" { step = step.forecast }
    validate "asks or answers" {
      condition = length(self.tool_calls) == self.turns || self.content != "" && length(self.tool_calls) == 2
      retry     = true
    }
  }
}
scenario "s" {
  run = workflow.agent
  on "agent" {
    reply { tool_calls = [{ name = "forecast", arguments = { city = "Berlin" } }] }
    reply { content = "" }
    reply { tool_calls = [{ name = "forecast", arguments = { city = "Bonn" } }] }
    reply { content = "Rain." }
  }
  on "forecast" {
    reply { json = { sky = "rain" } }
  }
  expect "agent" {
    content = "Rain."
    turns   = 3
    retries = 1
  }
  assert "of both cities" {
    condition = [for c in step.agent.tool_calls : c.arguments.city] == ["Berlin", "Bonn"]
  }
}
`
	if r := Run(compileAt(t, "a.scenario.hcl", source)[0], RunOptions{}); r.Verdict != Pass {
		t.Error(problems(r))
	}
}
