# A program that leaves retries to its client, and the client as it is without a setting.

import = ["std/clients"]

provider "openai" "llm" { model = "gpt-4o-mini" }
provider "http" "shop" { base_url = "https://shop.example" }

workflow "ask" {
  provider = provider.llm

  step "llm" "answer" {
    prompt          = "Why is the sky blue?"
    retry           = retry.openai_node
    attempt_timeout = "600s"
  }
}

workflow "fetch" {
  provider = provider.shop

  step "http" "items" {
    path  = "/items"
    retry = retry.undici_retry_agent
  }
}

scenario "openai-node survives two 503s and gives up at the third" {
  run = workflow.ask

  on "answer" {
    fault "http_error" {
      status_code = 503
      times       = 3
    }
  }

  expect "run" { status = "failed" }
  expect "answer" { retries = 2 }
  assert "in about a second and a half" {
    condition = step.answer.elapsed_ms >= 1125 && step.answer.elapsed_ms <= 1500
  }
}

scenario "undici cuts a Retry-After of two minutes to half a minute" {
  run = workflow.fetch

  on "items" {
    fault "http_error" {
      status_code = 429
      headers     = { Retry-After = "120" }
    }
    reply { json = [] }
  }

  expect "items" {
    retries    = 1
    elapsed_ms = 30000
  }
}
