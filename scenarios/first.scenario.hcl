# The first example of the language: a world of one provider, one gateway with
# a breaker and a workflow of two steps; then what happens to it and what must
# hold. Read it to learn the shape of every other file.

provider "openai" "primary" { model = "gpt-4o-mini" }

retry "exponential" "std" {
  base        = "1s"
  multiplier  = 2
  max_retries = 3
}

breaker "std" {
  threshold = 3
  reset     = "10s"
}

gateway "llm" {
  target "primary" {
    provider = provider.primary
    breaker  = breaker.std
  }
}

workflow "support" {
  gateway = gateway.llm
  inputs  = { question = null } # null: the scenario must give it

  step "llm" "classify" {
    prompt = "Classify: ${input.question}"
  }
  step "llm" "answer" {
    prompt  = "Answer this ${step.classify.content}: ${input.question}"
    retry   = retry.std
    timeout = "20s"
  }
}

scenario "two server errors, then an answer" {
  run    = workflow.support
  inputs = { question = "why is the sky blue?" }

  on "classify" {
    reply { content = "question" }
  }
  on "answer" {
    fault "http_error" {
      status_code = 500
      times       = 2
    }
    reply { content = "Rayleigh scattering." }
  }

  expect "answer" {
    status  = "success"
    content = "Rayleigh scattering."
  }
  assert "the class of the question is in the prompt" {
    condition = strcontains(step.answer.attempts[0].request.body, "Answer this question")
  }
  assert "backs off exponentially" {
    condition = [for a in step.answer.attempts : a.at_ms] == [0, 1000, 3000]
  }
  assert "breaker stays closed" {
    condition = breaker.primary.transitions == []
  }
  assert "faults are counted" {
    condition = metric("scenario_mock_fault_total", { step_id = "answer", fault_type = "http_error" }) == 2
  }
}
