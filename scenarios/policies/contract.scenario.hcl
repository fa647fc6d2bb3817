# A contract on the answer: a status of 200 is not enough where the text must be
# JSON with a certain field. A reader learns that a broken contract is a failure
# of its own kind, terminal unless it may be retried.

provider "openai" "primary" { model = "gpt-4o-mini" }
provider "http" "api" { base_url = "https://api.example" }

retry "exponential" "std" {}

workflow "strict" {
  provider = provider.primary

  step "llm" "label" {
    prompt = "Answer with JSON."
    retry  = retry.std
    output = jsondecode(self.content).label
    validate "is a label" {
      condition = contains(["bug", "feature"], jsondecode(self.content).label)
    }
  }
}

workflow "forgiving" {
  provider = provider.primary

  step "llm" "label" {
    prompt = "Answer with JSON."
    retry  = retry.std
    output = jsondecode(self.content).label
    validate "is a label" {
      condition = contains(["bug", "feature"], jsondecode(self.content).label)
      retry     = true
    }
  }
}

scenario "validate: an answer that keeps the contract gives the step its output" {
  run = workflow.strict

  on "label" {
    reply { content = "{\"label\": \"bug\"}" }
  }

  expect "label" {
    status = "success"
    output = "bug"
  }
}

scenario "validate: a broken contract is terminal, whatever the retry policy" {
  run = workflow.strict

  on "label" {
    reply { content = "{\"label\": \"poem\"}" }
  }

  expect "run" {
    status = "failed"
  }
  expect "label" {
    status  = "failed"
    retries = 0
    stop    = "terminal"
    error   = { kind = "contract", mode = "AGENT_CONTRACT", terminal = true, retryable = false }
  }
}

scenario "validate with retry: prose, then another label, then a good one" {
  run = workflow.forgiving

  on "label" {
    reply { content = "Sure! It is a bug." }
    reply { content = "{\"label\": \"poem\"}" }
    reply { content = "{\"label\": \"feature\"}" }
  }

  expect "label" {
    status    = "success"
    output    = "feature"
    retries   = 2
    delays_ms = [1000, 2000]
  }
  assert "every attempt was a success on the wire" {
    condition = [for a in step.label.attempts : a.outcome] == ["success", "success", "success"]
  }
}

workflow "page" {
  provider   = provider.api
  on_failure = "continue"

  step "http" "fetch" { path = "/items" }
  step "http" "missing_is_fine" {
    path          = "/items/9"
    expect_status = [200, 404]
  }
  step "http" "moved" {
    path          = "/old"
    expect_status = "2xx"
  }
}

scenario "http: which statuses are a success is the step's say" {
  run = workflow.page

  on "fetch" {
    reply {
      headers = { "X-Page" = "1" }
      json    = { items = [1, 2] }
    }
  }
  on "missing_is_fine" {
    reply { status_code = 404 }
  }
  on "moved" {
    reply {
      status_code = 301
      headers     = { Location = "https://api.example/new" }
    }
  }

  expect "run" {
    status = "partial"
  }
  expect "fetch" {
    status_code = 200
    json        = { items = [1, 2] }
    headers     = { "x-page" = "1" }
  }
  expect "missing_is_fine" {
    status      = "success"
    status_code = 404
  }
  expect "moved" {
    status = "failed"
    error  = { kind = "http_status", status_code = 301 }
  }
  assert "the path is joined to the provider's address" {
    condition = step.fetch.attempts[0].request.url == "https://api.example/items"
  }
}

# Steps that ask no service have a result, too, and a contract on it.

actor "desk" {
  handler "answer" {
    takes  = "1s"
    return = { note = arguments.note }
  }
}

classifier "route" {
  fallback   = "human"
  candidates = ["human", "robot"]
}

retry "linear" "again" {
  delay       = "1s"
  max_retries = 2
}

workflow "two" {
  inputs = { n = 2 }
  output = input.n
  step "value" "n" { value = input.n }
}

workflow "results" {
  inputs     = { most = 5 }
  on_failure = "continue"

  step "value" "sum" {
    value = 2 + 3
    validate "small" {
      condition = self.output < input.most
    }
  }
  step "wait" "pause" {
    for = "2s"
    validate "short" {
      condition = self.elapsed_ms < 1000 * input.most / 5
    }
  }
  step "loop" "rounds" {
    max_iterations = 3
    step "value" "inside" { value = loop.index }
    validate "few" {
      condition = self.iterations < input.most - 2
    }
  }
  step "workflow" "nested" {
    run    = workflow.two
    inputs = { n = 5 }
    validate "small" {
      condition = self.output < input.most
    }
  }
  step "fanout" "all" {
    sub "one" { target = workflow.two }
    sub "two" { target = workflow.two }
    validate "small" {
      condition = length(self.output) < input.most - 3
    }
  }
  step "classify" "routed" {
    with  = classifier.route
    text  = "open the door"
    reply = "not JSON"
    validate "understood" {
      condition = self.outcome == "ok" || input.most > 5
    }
  }
  step "call" "asked" {
    target    = actor.desk.answer
    arguments = { note = "n" }
    validate "signed" {
      condition = self.output.note == "n" && input.most > 5
    }
  }
}

scenario "validate: the result of every kind of step is held to its contract" {
  run = workflow.results

  assert "each is broken, and its step failed" {
    condition = [for s in steps : s.name if s.error != null] == ["sum", "pause", "rounds", "nested", "all", "routed", "asked"]
  }
  assert "as a contract, terminal like that of a service" {
    condition = alltrue([for s in steps : s.error.kind == "contract" && s.error.mode == "AGENT_CONTRACT" if s.error != null])
  }
  assert "the loop ran as often as it may" {
    condition = step.rounds.iterations == 3
  }
  assert "the pause was as long as it says" {
    condition = step.pause.elapsed_ms == 2000
  }
  expect "run" { status = "failed" }
}

scenario "validate: a result that keeps the contract is the step's" {
  run    = workflow.results
  inputs = { most = 100 }

  expect "run" { status = "success" }
  expect "sum" { output = 5 }
  expect "asked" { output = { note = "n" } }
}

workflow "patient" {
  step "call" "asked" {
    target     = actor.desk.answer
    arguments  = { note = "n" }
    idempotent = true
    retry      = retry.again
    validate "signed" {
      condition = self.output.note == "signed"
      retry     = true
    }
  }
}

scenario "validate with retry: an actor is called again" {
  run = workflow.patient

  expect "asked" {
    status    = "failed"
    retries   = 2
    error     = { kind = "contract", retryable = true }
    stop      = "exhausted"
    ended_ms  = 5000
    delays_ms = [1000, 1000]
  }
  expect "run" { status = "failed" }
}
