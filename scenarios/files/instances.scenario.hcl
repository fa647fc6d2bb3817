# One scenario that stands for several: for_each over an object or a list of
# strings, a matrix over every combination, and dynamic blocks. A reader learns
# what each, matrix and an iterator are, and where null means absent.

provider "openai" "primary" { model = "gpt-4o-mini" }
retry "exponential" "std" {}

locals {
  # Which alphabet a matrix goes over, "letters" or "none".
  alphabet = "none"

  # What each status is for the retry policy (semantics: 429 and 5xx are tried
  # again, 4xx are not).
  statuses = {
    busy     = { code = 429, rounds = 2, ends = "success" }
    down     = { code = 503, rounds = 2, ends = "success" }
    teapot   = { code = 418, rounds = 1, ends = "failed" }
    unproven = { code = null, rounds = 2, ends = "success" } # the default of the fault: 500
  }
}

gateway "llm" {
  dynamic "target" {
    for_each = ["first", "second"]
    labels   = [target.value]
    content {
      provider = provider.primary
      fallback = target.key == 1 ? true : null
      timeout  = null
    }
  }
}

workflow "ask" {
  provider = provider.primary
  inputs   = { question = "why?" }

  step "llm" "ask" {
    prompt = input.question
    retry  = retry.std
  }
}

workflow "chain" {
  gateway = gateway.llm

  step "llm" "step_0" { prompt = "begin" }
  dynamic "step" {
    for_each = { step_1 = "on", step_2 = "and on" }
    labels   = ["llm", step.key]
    content {
      prompt     = "${step.value} ${step.step_0.content}"
      depends_on = [step.step_0]
    }
  }
}

scenario "a status is tried again or not" {
  for_each = local.statuses
  run      = workflow.ask
  inputs   = { question = "status ${each.key}" }
  tags     = [each.key]

  on "ask" {
    fault "http_error" {
      status_code = each.value.code
      times       = each.value.rounds == 1 ? 1 : null
    }
    dynamic "reply" {
      for_each = each.value.rounds == 2 ? ["answer"] : []
      content { content = "${reply.value} to ${each.key}" }
    }
  }

  expect "run" { status = each.value.ends }
  assert "one round more where it may be" {
    condition = length(step.ask.attempts) == each.value.rounds
  }
  assert "the request is that of the instance" {
    condition = alltrue([for a in step.ask.attempts : strcontains(a.request.body, "status ${each.key}")])
  }
}

retry "linear" "patient" {
  delay = "10s"
}

scenario "a policy by its name" {
  for_each = { std = 1000, patient = 10000 }
  run      = workflow.ask
  override {
    step "ask" { retry = retry[each.key] }
  }

  on "ask" {
    fault "http_error" { times = 1 }
    reply { content = "late" }
  }
  expect "ask" { delays_ms = [each.value] }
}

scenario "strings are their own keys" {
  for_each = toset(["b", "a", "b"])
  run      = workflow.ask
  inputs   = { question = each.key }

  on "ask" {
    reply { content = "so" }
  }
  assert "the value is asked" {
    condition = step.ask.attempts[0].request.json.messages[0].content == each.value
  }
}

# The wait before retry n is base * multiplier^(n-1): 1, 2, 4 seconds.
scenario "every failure and every number of them" {
  for_each = { once = [1000], twice = [1000, 2000], "three times" = [1000, 2000, 4000] }
  run      = workflow.ask
  matrix {
    fault = ["timeout", "connection_reset"]
  }
  override {
    step "ask" { attempt_timeout = "1s" }
  }

  on "ask" {
    dynamic "fault" {
      for_each = each.value
      labels   = [matrix.fault]
      content {}
    }
    reply { content = "at last" }
  }

  expect "ask" {
    content   = "at last"
    delays_ms = each.value
  }
}

scenario "both" {
  for_each = { one = ["x"], two = ["x", "y"] }
  run      = workflow.ask
  matrix {
    letter = each.value
  }
  on "ask" {
    reply { content = "${each.key} ${matrix.letter}" }
  }
  expect "ask" { content = "${each.key} ${matrix.letter}" }
}

scenario "steps and targets that are generated" {
  run = workflow.chain

  on "step_0" {
    fault "http_error" { target = "first" }
    reply { content = "0" }
  }
  dynamic "on" {
    for_each = ["step_1", "step_2"]
    iterator = s
    labels   = [s.value]
    content {
      reply { content = s.value }
    }
  }

  expect "step_0" { content = "0" }
  dynamic "expect" {
    for_each = { step_1 = null, step_2 = 0 }
    labels   = [expect.key]
    content {
      content = expect.key
      retries = expect.value # null: not expected
    }
  }
  dynamic "assert" {
    for_each = { step_1 = "on 0", step_2 = "and on 0" }
    labels   = ["${assert.key} reads what step_0 said"]
    content {
      condition = alltrue([for a in step[assert.key].attempts : strcontains(a.request.body, assert.value)])
    }
  }
  assert "the second target stands in for the first" {
    condition = gateway.llm.served_by == ["second", "first", "first"]
  }
}

# A matrix that is generated counts like one that is written out.
scenario "a matrix for each" {
  for_each = { one = ["x"], two = ["x", "y"] }
  run      = workflow.ask
  dynamic "matrix" {
    for_each = [each.value]
    content { letter = matrix.value }
  }

  on "ask" {
    dynamic "reply" {
      for_each = [matrix.letter]
      content { content = "${each.key} ${reply.value}" }
    }
  }
  expect "ask" { content = "${each.key} ${matrix.letter}" }
}

scenario "a matrix from nothing" {
  run = workflow.ask
  dynamic "matrix" {
    for_each = local.alphabet == "letters" ? ["letters"] : []
    content { letter = ["x"] }
  }

  on "ask" {
    reply { content = "because" }
  }
  expect "ask" { content = "because" }
}
