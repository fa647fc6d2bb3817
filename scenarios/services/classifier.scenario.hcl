# Classifiers: a model says where the parts of a text go, and whatever is wrong
# with its answer, the whole text arrives at the fallback (rows BT11 and BT12).

provider "openai" "any" { model = "gpt-4o-mini" }

retry "linear" "again" { delay = "1s" }

classifier "switchboard" {
  fallback   = "general"
  candidates = ["health", "mail", "general"]
}

workflow "route" {
  provider = provider.any
  inputs   = { message = "I weigh 80 kg. Write to Ann." }
  output   = step.where.entries

  step "classify" "where" {
    with            = classifier.switchboard
    text            = input.message
    attempt_timeout = "120s"
  }
}

scenario "an answer that is what the schema says" {
  run = workflow.route

  on "where" {
    reply {
      content = jsonencode([
        { target = "health", prompt = "I weigh 80 kg.", segment = { rationale = "a weight" } },
        { target = "mail", prompt = "Write to Ann.", segment = {} },
      ])
      usage = { prompt_tokens = 90, completion_tokens = 40 }
    }
  }

  expect "where" {
    status  = "success"
    outcome = "ok"
    usage   = { prompt_tokens = 90, completion_tokens = 40, total_tokens = 130 }
    entries = [
      { target = "health", prompt = "I weigh 80 kg.", segment = { rationale = "a weight" } },
      { target = "mail", prompt = "Write to Ann." },
    ]
  }
  assert "the answer is there as it came" {
    condition = jsondecode(step.where.content) == step.where.entries
  }
  assert "the model is told the candidates, and asked with the text alone" {
    condition = (strcontains(step.where.attempts[0].request.json.messages[0].content, "The targets are: health, mail, general.")
    && step.where.attempts[0].request.json.messages[1] == { role = "user", content = "I weigh 80 kg. Write to Ann." })
  }
  assert "nothing is counted" {
    condition = (metric("scenario_classifier_fallbacks_total", { classifier = "switchboard" }) == 0
    && metric("scenario_classifier_parse_failures_total", { classifier = "switchboard" }) == 0)
  }
}

# One answer for each outcome, in the order in which the defects are looked for.
locals {
  good = { target = "health", prompt = "I weigh 80 kg.", segment = {} }
  defects = {
    "no JSON"               = { outcome = "invalid_json", answer = "health" }
    "nothing"               = { outcome = "invalid_json", answer = " " }
    "JSON with more"        = { outcome = "invalid_json", answer = "[] Here you are!" }
    "an object"             = { outcome = "invalid_payload", answer = jsonencode(local.good) }
    "an empty list"         = { outcome = "invalid_payload", answer = "[]" }
    "null"                  = { outcome = "invalid_payload", answer = "null" }
    "a list of names"       = { outcome = "invalid_item", answer = jsonencode(["health"]) }
    "a key too few"         = { outcome = "invalid_keys", answer = jsonencode([{ target = "health", prompt = "x" }]) }
    "a key too many"        = { outcome = "invalid_keys", answer = jsonencode([{ target = "health", prompt = "x", segment = {}, note = "" }]) }
    "a number for a text"   = { outcome = "invalid_types", answer = jsonencode([{ target = "health", prompt = 80, segment = {} }]) }
    "null for a text"       = { outcome = "invalid_types", answer = jsonencode([{ target = null, prompt = "x", segment = {} }]) }
    "a blank text"          = { outcome = "blank", answer = jsonencode([{ target = "health", prompt = " ", segment = {} }]) }
    "a text for a segment"  = { outcome = "invalid_segment", answer = jsonencode([{ target = "health", prompt = "x", segment = "all" }]) }
    "a target of its own"   = { outcome = "unknown_target", answer = jsonencode([{ target = "garden", prompt = "x", segment = {} }]) }
    "another case"          = { outcome = "unknown_target", answer = jsonencode([{ target = "Health", prompt = "x", segment = {} }]) }
    "the second is wrong"   = { outcome = "invalid_item", answer = jsonencode([local.good, "mail"]) }
    "the first decides"     = { outcome = "unknown_target", answer = jsonencode([{ target = "garden", prompt = "x", segment = {} }, "mail"]) }
    "types before blanks"   = { outcome = "invalid_types", answer = jsonencode([{ target = " ", prompt = 80, segment = "x" }]) }
    "blank before segments" = { outcome = "blank", answer = jsonencode([{ target = "garden", prompt = "", segment = "x" }]) }
    "segment before target" = { outcome = "invalid_segment", answer = jsonencode([{ target = "garden", prompt = "x", segment = "x" }]) }
  }
}

scenario "the whole text goes to the fallback" {
  for_each = local.defects
  run      = workflow.route

  on "where" {
    reply { content = each.value.answer }
  }

  expect "where" {
    status  = "success"
    outcome = each.value.outcome
    entries = [{ target = "general", prompt = "I weigh 80 kg. Write to Ann.", segment = { rationale = "fallback" } }]
  }
  expect "run" { status = "success" }
  assert "it is counted as both" {
    condition = (metric("scenario_classifier_fallbacks_total", { classifier = "switchboard" }) == 1
    && metric("scenario_classifier_parse_failures_total", { classifier = "switchboard", outcome = each.value.outcome }) == 1)
  }
}

scenario "a call that fails is a fallback and no parse failure" {
  run = workflow.route

  on "where" {
    fault "timeout" {}
  }

  expect "where" {
    status     = "success"
    outcome    = "failed"
    elapsed_ms = 120000
    content    = null
    entries    = [{ target = "general", prompt = "I weigh 80 kg. Write to Ann.", segment = { rationale = "fallback" } }]
  }
  assert "what failed is told" {
    condition = step.where.attempts[0].error.kind == "timeout"
  }
  assert "counters" {
    condition = (metric("scenario_classifier_fallbacks_total", { classifier = "switchboard" }) == 1
    && metric("scenario_classifier_parse_failures_total", { classifier = "switchboard" }) == 0)
  }
}

scenario "a rate limit, an error and a bad key are fallbacks, too" {
  matrix { status = [401, 429, 500] }
  run = workflow.route

  on "where" {
    fault "http_error" { status_code = matrix.status }
  }

  expect "where" { outcome = "failed" }
  expect "run" { status = "success" }
}

workflow "patient" {
  provider = provider.any

  step "classify" "where" {
    with    = classifier.switchboard
    text    = "Log 80 kg."
    retry   = retry.again
    timeout = "30s"
  }
  step "value" "first" { value = step.where.entries[0].target }
}

scenario "a retry comes before the fallback" {
  run = workflow.patient

  on "where" {
    fault "http_error" { status_code = 503 }
    reply {
      content = jsonencode([{ target = "health", prompt = "Log 80 kg.", segment = {} }])
    }
  }

  expect "where" {
    outcome = "ok"
    retries = 1
  }
  expect "first" { output = "health" }
}

scenario "the step's own timeout is a failure, and the entries are there" {
  run = workflow.patient

  on "where" {
    fault "timeout" {}
  }

  expect "where" {
    status  = "timeout"
    outcome = "failed"
    entries = [{ target = "general", prompt = "Log 80 kg.", segment = { rationale = "fallback" } }]
  }
  expect "run" { status = "failed" }
}

# A schema and words of its own, and an answer that another step brought.
classifier "tickets" {
  fallback   = "desk"
  candidates = ["desk", "field"]
  rationale  = "unreadable"
  schema     = { target = "string", urgent = "bool", minutes = "number", tags = "tuple", note = "any" }
}

workflow "ticket" {
  inputs = { answer = null }

  step "classify" "where" {
    with  = classifier.tickets
    text  = "It is broken."
    reply = input.answer == "none" ? null : input.answer
  }
}

scenario "a schema of its own" {
  run    = workflow.ticket
  inputs = { answer = jsonencode([{ target = "field", urgent = true, minutes = 5, tags = ["pump"], note = null }]) }

  expect "where" {
    outcome = "ok"
    entries = [{ target = "field", urgent = true, minutes = 5, tags = ["pump"], note = null }]
  }
}

scenario "what is not in it" {
  for_each = {
    "default keys" = { answer = jsonencode([{ target = "field", prompt = "x", segment = {} }]), outcome = "invalid_keys" }
    "a text"       = { answer = jsonencode([{ target = "field", urgent = "yes", minutes = 5, tags = [], note = "" }]), outcome = "invalid_types" }
    "an object"    = { answer = jsonencode([{ target = "field", urgent = true, minutes = 5, tags = {}, note = "" }]), outcome = "invalid_types" }
    "none"         = { answer = "none", outcome = "failed" }
  }
  run    = workflow.ticket
  inputs = { answer = each.value.answer }

  expect "where" {
    outcome = each.value.outcome
    entries = [{ target = "desk", prompt = "It is broken.", segment = { rationale = "unreadable" } }]
  }
}

# Classified, then dispatched: the part of each target, or nothing to do.
workflow "health" {
  provider = provider.any
  inputs   = { prompt = "" }
  output   = step.ask.output

  step "llm" "ask" {
    when   = input.prompt != ""
    prompt = input.prompt
  }
}

workflow "general" {
  provider = provider.any
  inputs   = { prompt = "" }
  output   = step.ask.output

  step "llm" "ask" {
    when   = input.prompt != ""
    prompt = input.prompt
  }
}

workflow "switch" {
  provider = provider.any
  inputs   = { message = "I weigh 80 kg. How are you?" }

  step "classify" "where" {
    with = classifier.switchboard
    text = input.message
  }
  step "fanout" "parts" {
    sub "health" {
      target    = workflow.health
      arguments = { prompt = join(" ", [for e in step.where.entries : e.prompt if e.target == "health"]) }
    }
    sub "general" {
      target    = workflow.general
      arguments = { prompt = join(" ", [for e in step.where.entries : e.prompt if e.target == "general"]) }
    }
  }
}

scenario "a classification that is garbage reaches general with the text intact" {
  run = workflow.switch

  on "where" {
    reply { content = "I am sorry, Dave." }
  }
  on "parts.general.ask" {
    reply { content = "Fine." }
  }

  assert "the whole text" {
    condition = step.parts.general.ask.attempts[0].request.json.messages[0].content == "I weigh 80 kg. How are you?"
  }
  assert "health has nothing to do" {
    condition = step.parts.health.ask.status == "skipped"
  }
}
