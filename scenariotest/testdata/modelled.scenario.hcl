# What the programs of modelled_test.go do, written down as a workflow.
provider "openai" "llm" { model = "gpt-4o-mini" }

provider "http" "shop" {
  base_url = "https://shop.example"
}

retry "linear" "ours" {
  max_retries     = 3
  delay           = "1s"
  increment       = "1s"
  max_retry_after = "24h"
}

workflow "ordering" {
  step "llm" "ask" {
    provider        = provider.llm
    prompt          = "why?"
    stream          = true
    attempt_timeout = "10s"
    retry           = retry.ours
  }
  step "http" "order" {
    provider        = provider.shop
    method          = "POST"
    path            = "/orders"
    json            = { text = step.ask.content }
    attempt_timeout = "10s"
    retry           = retry.ours
    fallback        = step.later
    fallback_on     = "any"
  }
  step "http" "later" {
    provider        = provider.shop
    method          = "POST"
    path            = "/later"
    json            = { text = step.ask.content }
    attempt_timeout = "10s"
  }
}

scenario "an answer is ordered, or will be" {
  run = workflow.ordering

  on "ask" {
    reply {
      content = "Blue light is scattered most."
    }
  }
  on "order" {
    reply {
      json = { order = 7 }
    }
  }
  on "later" {
    reply {
      json     = { queued = true }
      optional = true
    }
  }
  assert "there is one order" {
    condition = length(step.order.attempts) == 1
  }
}
