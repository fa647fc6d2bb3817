# Steps that run again: in a loop until they succeed, and by a retry of the workflow around
# them.
import = ["std/resilience"]

provider "openai" "model" {
  model   = "m"
  timeout = "10s"
}
retry "linear" "thrice" {
  delay       = "1s"
  max_retries = 2
}
workflow "asking" {
  provider = provider.model
  step "llm" "ask" {
    prompt = "why?"
    retry  = retry.thrice
  }
}
workflow "w" {
  provider = provider.model
  step "workflow" "outer" {
    run        = workflow.asking
    retry      = retry.thrice
    idempotent = true
    required   = false
  }
  step "loop" "again" {
    while          = loop.index == 0 || try(step.try.status != "success", true)
    max_iterations = 3
    step "llm" "try" {
      prompt   = "and?"
      required = false
    }
    step "wait" "pause" { for = "1s" }
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
