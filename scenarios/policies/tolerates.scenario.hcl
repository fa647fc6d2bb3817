# What a run survives. `scenario explore` looks for a fault that breaks it, and finds
# none: a call that fails is made again, and an outage of the first model is the second's
# to answer.

provider "openai" "main" {
  model   = "m"
  timeout = "20s"
}
provider "openai" "spare" {
  model   = "n"
  timeout = "20s"
}
retry "linear" "again" {
  delay       = "1s"
  max_retries = 2
}
gateway "models" {
  target "first" { provider = provider.main }
  target "second" { provider = provider.spare }
}

workflow "answer" {
  gateway = gateway.models

  tolerates {
    kinds = ["connection", "timeout", "503"]
  }

  step "llm" "answer" {
    prompt = "Why?"
    retry  = retry.again
  }
}

scenario "a run that survives any one fault of those kinds" {
  run = workflow.answer

  on "answer" {
    reply { content = "So." }
  }

  expect "answer" { content = "So." }
}

scenario "of another scenario, two at a time" {
  run = workflow.answer

  tolerates {
    faults = 2
    kinds  = ["connection", "503"]
  }

  on "answer" {
    reply { content = "So." }
  }

  expect "answer" { content = "So." }
}
