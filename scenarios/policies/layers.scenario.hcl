# Two layers of retries, as where a program wraps a call of an SDK that retries
# by itself: each round of the outer policy has all the rounds of the inner one.
# A reader learns how many dials that comes to, and that the outer layer repeats
# what the inner one would not.

provider "openai" "llm" { model = "gpt-4o-mini" }
provider "http" "bank" { base_url = "https://bank.example.com" }

retry "linear" "sdk" {
  delay       = "500ms"
  max_retries = 2
}
retry "linear" "around" {
  delay       = "10s"
  max_retries = 2
}

workflow "ask" {
  provider = provider.llm

  step "llm" "answer" {
    prompt = "Why is the sky blue?"
    retry  = retry.sdk
  }
}

workflow "patient" {
  step "workflow" "asked" {
    run   = workflow.ask
    retry = retry.around
  }
}

scenario "two layers that allow two retries each are nine dials" {
  run = workflow.patient

  on "asked.answer" {
    fault "http_error" {
      status_code = 503
      times       = 8
    }
    reply { content = "Rayleigh scattering." }
  }

  expect "asked" {
    retries    = 2
    delays_ms  = [10000, 10000]
    elapsed_ms = 23000
  }
  assert "every round dials three times" {
    condition = [for round in step.asked.runs : length(round.answer.attempts)] == [3, 3, 3]
  }
  assert "the address of the step inside is its last round" {
    condition = step.asked.answer.retries == step.asked.runs[2].answer.retries && step.asked.answer.retries == 2
  }
}

scenario "what the inner layer does not retry, the outer one does not either" {
  run = workflow.patient

  on "asked.answer" {
    fault "http_error" { status_code = 400 }
  }

  expect "run" { status = "failed" }
  expect "asked" {
    retries = 0
    stop    = "not_retryable"
  }
}

scenario "both layers used up" {
  run = workflow.patient

  on "asked.answer" {
    fault "http_error" { status_code = 503 }
  }

  expect "run" { status = "failed" }
  expect "asked" {
    retries    = 2
    stop       = "exhausted"
    elapsed_ms = 23000
  }
  assert "nine dials" {
    condition = length(flatten(step.asked.runs[*].answer.attempts)) == 9
  }
}

workflow "pay" {
  provider = provider.bank

  step "http" "charge" {
    method     = "POST"
    path       = "/charges"
    idempotent = false
    retry      = retry.sdk
  }
}

workflow "careless" {
  step "workflow" "paid" {
    run   = workflow.pay
    retry = retry.around
  }
}

workflow "careful" {
  step "workflow" "paid" {
    run        = workflow.pay
    idempotent = false
    retry      = retry.around
  }
}

scenario "the outer layer charges twice, though the inner one does not repeat a POST" {
  run = workflow.careless

  on "paid.charge" {
    fault "connection_reset" {}
    reply { status_code = 201 }
  }

  assert "two charges" {
    condition = length(flatten(step.paid.runs[*].charge.attempts)) == 2
  }
  expect "paid" { delays_ms = [10000] }
}

scenario "idempotent = false: the outer layer repeats only what had no effect" {
  run = workflow.careful

  on "paid.charge" {
    fault "connection_refused" { times = 3 }
    fault "connection_reset" {}
  }

  expect "run" { status = "failed" }
  expect "paid" {
    retries = 1
    stop    = "not_idempotent"
  }
  assert "refused three times, repeated, lost" {
    condition = [for round in step.paid.runs : length(round.charge.attempts)] == [3, 1]
  }
}
