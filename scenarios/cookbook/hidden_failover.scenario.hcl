# Problem: the failover works so well that nobody notices that the first provider's key
# expired two weeks ago. The backup costs ten times as much.
# Checked: an answer from the backup says so, and an alert names the reason.
# Without the alert: this run looks like any other success.

provider "openai" "openai" { model = "gpt-4o-mini" }
provider "anthropic" "claude" { model = "claude-opus-4-1" }
provider "http" "pager" { base_url = "https://pager.example.com" }

gateway "llm" {
  target "primary" { provider = provider.openai }
  target "backup" {
    provider = provider.claude
    fallback = true
  }
}

workflow "support" {
  gateway = gateway.llm
  output  = { text = step.answer.content, degraded = step.answer.target != "primary" }

  step "llm" "answer" { prompt = "Why is the sky blue?" }
  step "http" "alarm" {
    when     = step.answer.target != "primary"
    provider = provider.pager
    method   = "POST"
    path     = "/alerts"
    json     = { text = "primary fails with ${step.answer.attempts[0].error.mode}" }
    required = false # an alarm that fails must not cost the answer
  }
}

scenario "an expired key is answered for, and reported" {
  run = workflow.support

  on "answer" {
    target = "primary"
    fault "http_error" { status_code = 401 }
  }
  on "answer" {
    target = "backup"
    reply { content = "Rayleigh scattering." }
  }
  on "alarm" {
    reply { status_code = 202 }
  }

  expect "run" { output = { text = "Rayleigh scattering.", degraded = true } }
  assert "the alarm names the reason" {
    condition = step.alarm.attempts[0].request.json.text == "primary fails with USER_PERMISSION"
  }
}
