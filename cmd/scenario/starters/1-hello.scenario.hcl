# A first scenario. Run it with `scenario test`; nothing touches the network.

provider "openai" "primary" { model = "gpt-4o-mini" }

# The policy under test: how often a call is made again, and after which wait.
retry "exponential" "std" {
  base        = "1s"
  multiplier  = 2
  max_retries = 3
}

# The workflow that is tested: one step, one call.
workflow "support" {
  provider = provider.primary
  inputs   = { question = null } # null: the scenario must give it

  step "llm" "answer" {
    prompt = "Answer briefly: ${input.question}"
    retry  = retry.std
  }
}

scenario "two server errors, then an answer" {
  run    = workflow.support
  inputs = { question = "why is the sky blue?" }

  # What the outside does, in order: twice a status 500, then an answer.
  on "answer" {
    fault "http_error" {
      status_code = 500
      times       = 2
    }
    reply { content = "Rayleigh scattering." }
  }

  # What must hold. Time is virtual: the waits of 1 s and 2 s take none.
  expect "answer" {
    status  = "success"
    content = "Rayleigh scattering."
  }
  assert "the question is asked" { # the script answers any
    condition = strcontains(step.answer.attempts[0].request.body, "why is the sky blue?")
  }
  assert "the waits double" {
    condition = step.answer.delays_ms == [1000, 2000]
  }
}
