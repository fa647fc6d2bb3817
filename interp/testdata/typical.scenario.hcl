# A typical file: one world, one workflow of five steps, one scenario with
# about nine attempts and six assertions.
variable "region" {
  type    = "string"
  default = "eu"
}

locals {
  greeting = "Hello from ${var.region}"
  limit    = 3
}

provider "openai" "primary" {
  model = "gpt-4o-mini"
}

provider "openai" "backup" {
  model    = "gpt-4o"
  base_url = "https://backup.example.com/v1"
}

provider "http" "tickets" {
  base_url = "https://tickets.example.com"
}

retry "exponential" "std" {
  base        = "1s"
  multiplier  = 2
  max_retries = 3
}

retry "linear" "fixed" {
  delay       = "2s"
  max_retries = 2
}

breaker "std" {
  threshold = 5
  reset     = "10s"
}

gateway "llm" {
  target "primary" {
    provider = provider.primary
    breaker  = breaker.std
  }
  target "backup" {
    provider = provider.backup
    fallback = true
  }
}

workflow "support" {
  gateway = gateway.llm
  timeout = "5m"
  inputs = {
    question = null
    customer = "anonymous"
  }

  step "llm" "classify" {
    prompt = "${local.greeting}. Classify: ${input.question}"
    retry  = retry.std
  }

  step "llm" "draft" {
    prompt  = "Answer this ${step.classify.content} of ${input.customer}: ${input.question}"
    retry   = retry.std
    timeout = "60s"
    stream  = true
  }

  step "http" "ticket" {
    provider = provider.tickets
    method   = "POST"
    path     = "/tickets"
    retry    = retry.fixed
    headers = {
      "Idempotency-Key" = "ticket-${input.customer}"
    }
    json = {
      category = step.classify.content
      question = input.question
    }
  }

  step "value" "summary" {
    value = {
      ticket = step.ticket.json.id
      answer = step.draft.content
      words  = length(split(" ", step.draft.content))
    }
  }

  step "llm" "review" {
    prompt          = "Review: ${step.summary.output.answer}"
    attempt_timeout = "5s"
    retry           = retry.fixed
    when            = step.summary.output.words > local.limit
  }

  output = step.summary.output
}

scenario "an answer in spite of four failures" {
  run         = workflow.support
  description = "Server errors, a rate limit, a reset and a hang on the way to an answer."
  tags        = ["resilience", "typical"]
  inputs = {
    question = "why is the sky blue?"
  }

  on "classify" {
    fault "http_error" {
      status_code = 500
      times       = 2
    }
    reply {
      content = "question"
    }
  }

  on "draft" {
    reply {
      content = "Rayleigh scattering makes the sky look blue."
      latency = "300ms"
    }
  }

  on "ticket" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "5" }
    }
    fault "connection_reset" {}
    reply {
      status_code = 201
      json        = { id = "T-1" }
    }
  }

  on "review" {
    fault "timeout" {}
    reply {
      content = "fine"
    }
  }

  expect "run" {
    status = "success"
  }

  expect "summary" {
    output = { ticket = "T-1", words = 7 }
  }

  assert "one failure is passed on to the backup" {
    condition = [for a in step.classify.attempts : a.target] == ["primary", "backup", "primary"]
  }

  assert "the ticket waits as long as it is told" {
    condition = [for a in step.ticket.attempts : a.at_ms] == [0, 5000, 7000]
  }

  assert "the category reaches the draft and the ticket" {
    condition = strcontains(step.draft.attempts[0].request.body, "Answer this question of") && step.ticket.attempts[0].request.json.category == "question"
  }

  assert "the hang is a timeout" {
    condition = step.review.attempts[0].error.kind == "timeout" && step.review.attempts[0].elapsed_ms == 5000
  }

  assert "faults are counted" {
    condition = metric("scenario_mock_fault_total", { step_id = "ticket" }) == 2
  }

  assert "the breaker stays closed" {
    condition = breaker.primary.state == "closed"
  }

  assert "nothing was skipped" {
    condition = alltrue([for s in steps : s.status == "success"])
  }
}
