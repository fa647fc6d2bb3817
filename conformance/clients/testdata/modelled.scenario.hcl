# What the programs of explore_test.go do, written down as a workflow.
provider "openai" "llm" { model = "m" }

provider "openai" "spare" {
  model    = "m"
  base_url = "https://spare.example/v1"
}

# As openai_go in std/clients, with four attempts, and answers that cannot be read are
# asked for again.
retry "exponential" "ours" {
  max_retries     = 3
  base            = "437.5ms"
  max_delay       = "105s"
  jitter          = 0.142857
  max_retry_after = "30s"
  retry_on        = ["408", "409", "429", "5xx", "connection", "malformed_response", "exception"]
}

workflow "answering" {
  step "llm" "answer" {
    provider        = provider.llm
    prompt          = "why?"
    attempt_timeout = "1m"
    retry           = retry.ours
    fallback        = step.spare
    fallback_on     = "any"
    validate "the answer is whole" { condition = self.finish_reason == "stop" }
  }
  step "llm" "spare" {
    provider        = provider.spare
    prompt          = "why?"
    attempt_timeout = "1m"
  }
}

scenario "an answer, or one that stands in for it" {
  run = workflow.answering

  on "answer" {
    reply { content = "Blue light is scattered most." }
  }
  on "spare" {
    reply {
      content  = "Because."
      optional = true
    }
  }
  assert "there is an answer" {
    condition = step.answer.content != ""
  }
}
