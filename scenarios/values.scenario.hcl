# What a workflow computes between its calls: inputs, variables, locals, outputs
# and conditions. A reader learns that a step depends on what its expressions
# refer to, what a step that was skipped reads as, and how a condition asks
# about order.

provider "openai" "primary" { model = "gpt-4o-mini" }
provider "http" "search" { base_url = "https://search.example/v1" }

variable "language" {
  type    = "string"
  default = "en"
}

locals {
  greeting = { en = "Hello", pt = "Olá" }[var.language]
}

workflow "research" {
  inputs = {
    topic   = null # the scenario must give it
    details = false
  }
  output = {
    text    = step.write.content
    sources = step.find.output
  }

  step "http" "find" {
    provider = provider.search
    path     = "/find"
    query    = { q = input.topic, lang = var.language }
    output   = [for hit in self.json.hits : hit.url if hit.score >= 0.5]
  }
  step "llm" "details" {
    provider = provider.primary
    prompt   = "More about ${input.topic}."
    when     = input.details
  }
  step "value" "facts" {
    value = { count = length(step.find.output), detailed = step.details.content != null }
  }
  step "llm" "write" {
    provider    = provider.primary
    system      = local.greeting
    prompt      = "Write about ${input.topic} from ${step.facts.output.count} sources."
    temperature = 0
    max_tokens  = 50
  }
}

scenario "values flow from step to step, and into the run's output" {
  run    = workflow.research
  inputs = { topic = "rain" }

  on "find" {
    reply {
      json    = { hits = [{ url = "https://a.example", score = 0.9 }, { url = "https://b.example", score = 0.1 }] }
      latency = "200ms"
    }
  }
  on "write" {
    reply { content = "It rains." }
  }

  expect "run" {
    output = { text = "It rains.", sources = ["https://a.example"] }
  }
  expect "facts" {
    output = { count = 1, detailed = false }
  }
  expect "details" {
    status         = "skipped"
    skipped_reason = "when is false"
    content        = null
  }
  assert "the body of the answer is there as it came, and as a value" {
    condition = jsondecode(step.find.body) == step.find.json && step.find.json.hits[1].score == 0.1
  }
  assert "the prompt has what was asked for, and what was counted" {
    condition = strcontains(step.write.attempts[0].request.body, "Write about rain from 1 sources.")
  }
  assert "the query is what the inputs and variables say" {
    condition = step.find.attempts[0].request.url == "https://search.example/v1/find?lang=en&q=rain"
  }
  assert "the model is asked with what the steps found" {
    condition = [for m in step.write.attempts[0].request.json.messages : [m.role, m.content]] == [["system", "Hello"], ["user", "Write about rain from 1 sources."]]
  }
  assert "sampling parameters are sent, zero included" {
    condition = [step.write.attempts[0].request.json.temperature, step.write.attempts[0].request.json.max_tokens] == [0, 50]
  }
  assert "write waits for facts, which waits for find" {
    condition = [for s in steps : s.name] == ["find", "details", "facts", "write"] && step.write.started_ms == 200
  }
}

scenario "a step that is wanted runs beside the others" {
  run    = workflow.research
  inputs = { topic = "rain", details = true }

  on "find" {
    reply {
      json    = { hits = [] }
      latency = "2s"
    }
  }
  on "details" {
    reply {
      content = "Drops."
      latency = "3s"
    }
  }
  on "write" {
    reply { content = "It rains." }
  }

  expect "run" {
    elapsed_ms = 3000
    output     = { sources = [] }
  }
  assert "details are asked for of the topic" {
    condition = strcontains(step.details.attempts[0].request.body, "More about rain.")
  }
  expect "facts" {
    output     = { count = 0, detailed = true }
    started_ms = 3000
  }
}
