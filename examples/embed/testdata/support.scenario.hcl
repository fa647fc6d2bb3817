# A workflow of two steps that a recording answers: the first call was refused
# with status 429 and "Retry-After: 2", and then answered; the second was
# streamed.
import = ["./world.scenario.hcl"]

variable "question" {}

workflow "support" {
  provider = provider.primary

  step "llm" "classify" {
    prompt = "Classify: ${var.question}"
    retry  = retry.std
  }
  step "llm" "answer" {
    prompt = "Answer this ${step.classify.content}: ${var.question}"
    stream = true
    retry  = retry.std
  }
}

scenario "a refusal, then two answers" {
  run = workflow.support

  cassette { path = "cassettes/support.yaml" }

  expect "classify" { delays_ms = [2000] }
}
