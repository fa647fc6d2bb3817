# A snapshot holds a value to a record in the directory snapshots. `scenario test
# --update` writes it; a reader learns to record a part of a result that is worth
# reading in a review, and no more.

provider "openai" "primary" { model = "gpt-4o-mini" }

retry "linear" "std" {}

workflow "ask" {
  provider = provider.primary

  step "llm" "answer" {
    system = "Answer in one sentence."
    prompt = "Why is the sky blue?"
    retry  = retry.std
  }
}

scenario "what is sent, and when" {
  run = workflow.ask

  on "answer" {
    fault "http_error" {
      status_code = 503
      headers     = { retry-after = "7" }
    }
    reply { content = "Rayleigh scattering." }
  }

  snapshot "request" { value = step.answer.attempts[1].request.json }
  snapshot "attempts" {
    value = [for a in step.answer.attempts : { at_ms = a.at_ms, status = a.status_code, error = try(a.error.mode, null) }]
  }
}
