# Declarations of other files. A reader learns that an import brings what the
# imported file itself imports, that both may name the same file, and that an
# imported file reads files beside itself.

import = ["std/cuga", "./_world.scenario.hcl"]

scenario "CU5 three retries by retry.cuga" {
  run    = workflow.support
  inputs = { question = "why?" }

  on "answer" {
    fault "http_error" { times = 3 }
    reply { content = "because" }
  }

  expect "answer" {
    content = "because"
    model   = var.model
    retries = 3
  }
  assert "the instruction stands beside the file that reads it" {
    condition = strcontains(step.answer.attempts[0].request.body, "Answer in one sentence: why?")
  }
}

scenario "CU5 a fourth failure is the last" {
  run    = workflow.support
  inputs = { question = "why?" }

  on "answer" {
    fault "http_error" {}
  }

  expect "run" { status = "failed" }
  expect "answer" { retries = 3 }
}
