# Problem: many workers hit a rate limit together, are all told to come back in 30
# seconds, all come back in the same instant, and hit the limit again.
# Checked: nobody comes back early, everybody comes back soon, and no two at once.
# Without the jitter: all of them come back after 30 seconds sharp.

provider "openai" "llm" { model = "gpt-4o-mini" }

retry "exponential" "polite" {
  retry_after_jitter = 0.5
}

workflow "batch" {
  provider = provider.llm

  step "llm" "a" {
    prompt = "Sum up page 1."
    retry  = retry.polite
  }
  step "llm" "b" {
    prompt = "Sum up page 2."
    retry  = retry.polite
  }
  step "llm" "c" {
    prompt = "Sum up page 3."
    retry  = retry.polite
  }
}

scenario "told to wait, the workers come back one by one" {
  run = workflow.batch

  on "*" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "30" }
    }
    reply { content = "A summary." }
  }

  assert "nobody before the 30 seconds, everybody within 45" {
    condition = alltrue([for s in steps : within(s.attempts[1].at_ms, "30s", "45s")])
  }
  assert "no two at the same instant" {
    condition = length(distinct([for s in steps : s.attempts[1].at_ms])) == 3
  }
}
