# Waits of a server, a terminal failure, deadlines, a breaker: what the rules about steps
# have something to say of.
import = ["std/resilience"]

provider "openai" "model" {
  model   = "m"
  timeout = "10s"
}
retry "linear" "thrice" {
  delay       = "1s"
  max_retries = 2
}
breaker "low" {
  threshold = 1
  reset     = "2s"
}
gateway "guarded" {
  target "one" {
    provider = provider.model
    breaker  = breaker.low
  }
}
workflow "w" {
  gateway = gateway.guarded
  timeout = "40s"
  step "llm" "ask" {
    prompt          = "why?"
    retry           = retry.thrice
    attempt_timeout = "3s"
    timeout         = "20s"
    required        = false
  }
  step "llm" "again" {
    prompt = "and?"
    retry  = retry.thrice
  }
}
scenario "s" {
  run = workflow.w
  on "*" {
    reply {
      content = "so"
      times   = "*"
    }
  }
  expect "run" { status = "success" }
}
