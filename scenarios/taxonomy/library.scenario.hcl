# The standard library's files: std/cuga declares the default taxonomy and the
# retry policy that goes with it, std/routing the five classes of routing, and
# std/resilience holds every scenario to what no program may do. A reader learns
# that an import changes nothing of what the engine knows.

import = ["std/cuga", "std/routing", "std/resilience"]

provider "openai" "any" { model = "gpt-4o-mini" }

taxonomy "strict" {
  extends = taxonomy.cuga

  mode "SYSTEM_NETWORK" { retryable = false }
}

workflow "cuga" {
  provider = provider.any
  taxonomy = taxonomy.cuga

  step "llm" "it" {
    prompt = "hi"
    retry  = retry.cuga
  }
}

workflow "strict" {
  provider = provider.any
  taxonomy = taxonomy.strict

  step "llm" "it" {
    prompt = "hi"
    retry  = retry.cuga
  }
}

workflow "routing" {
  provider = provider.any
  taxonomy = taxonomy.routing

  step "llm" "it" { prompt = "hi" }
}

scenario "the default taxonomy by its name" {
  run = workflow.cuga

  on "it" {
    fault "connection_reset" {}
    fault "error" { message = "quota exceeded" }
  }

  expect "run" { status = "failed" }
  expect "it" {
    error   = { mode = "RESOURCE_QUOTA", partial = true }
    retries = 1
  }
  assert "it waits a second, a tenth longer or shorter" {
    condition = step.it.delays_ms[0] >= 900 && step.it.delays_ms[0] <= 1100
  }
}

scenario "a taxonomy that extends the imported one" {
  run = workflow.strict

  on "it" {
    fault "connection_reset" {}
  }

  expect "run" { status = "failed" }
  expect "it" {
    retries = 0
    error   = { mode = "SYSTEM_NETWORK", retryable = false, severity = "high" }
  }
}

scenario "the classes of routing by their name" {
  run = workflow.routing

  on "it" {
    fault "error" { message = "queue is full" }
  }

  expect "run" { status = "failed" }
  expect "it" { error = { mode = "overload_rejected", retryable = true } }
}
