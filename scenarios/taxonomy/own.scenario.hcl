# A program's own names for failures (CU12): modes beside the standard ones or
# in their place, and rules that give them. A reader learns the order in which a
# mode is looked for: an explicit one, rules marked as first, the typed kind, the
# file's rules, the standard ones, the default.

provider "openai" "primary" { model = "gpt-4o-mini" }

retry "linear" "often" {
  delay       = "1s"
  max_retries = 2
}

retry "linear" "on_flaky" {
  delay    = "1s"
  retry_on = ["DB_FLAKY"]
}

gateway "many" {
  target "t1" { provider = provider.primary }
  target "t2" { provider = provider.primary }
  target "t3" { provider = provider.primary }
  target "t4" { provider = provider.primary }
  target "t5" { provider = provider.primary }
}

locals { flaky = ["deadlock found", "lock wait timeout"] }

taxonomy "shop" {
  mode "DB_FLAKY" {
    category  = "database"
    retryable = true
    severity  = "low"
  }
  mode "DB_CORRUPT" { terminal = true }
  mode "STOCK_CHANGED" { retryable = true }
  # A standard mode with another meaning; what is not given stays as it was.
  mode "SYSTEM_DISK" { retryable = true }

  detect "DB_CORRUPT" { when = failure.type == "IntegrityError" && word(failure.message, "checksum") }
  detect "DB_FLAKY" { when = word(failure.message, local.flaky...) }
  detect "AGENT_STATE" { when = startswith(failure.message, "deadlock") }
  detect "STOCK_CHANGED" {
    when  = failure.status_code == 409
    first = true
  }
}

# What extends another asks its own rules first.
taxonomy "strict_shop" {
  extends = taxonomy.shop

  mode "DB_FLAKY" { retryable = false }

  detect "DB_CORRUPT" { when = word(failure.message, "deadlock found in the journal") }
}

workflow "names" {
  gateway  = gateway.many
  taxonomy = taxonomy.shop

  step "llm" "call" { prompt = "hi" }
}

workflow "strict_names" {
  gateway  = gateway.many
  taxonomy = taxonomy.strict_shop

  step "llm" "call" { prompt = "hi" }
}

workflow "patient" {
  provider = provider.primary
  taxonomy = taxonomy.shop

  step "llm" "call" {
    prompt = "hi"
    retry  = retry.often
  }
}

workflow "choosy" {
  provider = provider.primary
  taxonomy = taxonomy.shop

  step "llm" "call" {
    prompt = "hi"
    retry  = retry.on_flaky
  }
}

workflow "contract" {
  provider = provider.primary
  taxonomy = taxonomy.shop

  step "llm" "call" {
    prompt = "hi"
    retry  = retry.often

    validate "in stock" {
      condition = self.content != "sold out"
      mode      = "STOCK_CHANGED"
    }
  }
}

scenario "CU12 own rules come after the kind and before the standard ones" {
  run = workflow.names

  on "call" {
    fault "error" { message = "Deadlock found; timed out" }
    fault "error" { message = "predeadlock foundation, timed out" }
    fault "connection_refused" { reason = "deadlock found" }
    fault "error" {
      message = "deadlock found"
      mode    = "POLICY_RATE_LIMIT"
    }
    reply { content = "ok" }
  }

  assert "whole words; the standard rule where none fits; the kind; the explicit mode" {
    condition = [for a in step.call.attempts : a.error.mode if a.error != null] == ["DB_FLAKY", "SYSTEM_TIMEOUT", "SYSTEM_NETWORK", "POLICY_RATE_LIMIT"]
  }
  assert "the first of two rules that fit decides, and the mode brings its properties" {
    condition = [for a in step.call.attempts : [a.error.category, a.error.severity, a.error.retryable, a.error.terminal, a.error.partial] if a.n == 1] == [["database", "low", true, false, false]]
  }
}

scenario "CU12 a mode that another taxonomy gave itself, and one in the place of a standard one" {
  run = workflow.names

  on "call" {
    fault "error" {
      type    = "IntegrityError"
      message = "bad checksum"
    }
    fault "error" { message = "no space left" }
    fault "http_error" { status_code = 409 }
    fault "http_error" { status_code = 410 }
    reply { content = "ok" }
  }

  assert "what is not given of a new mode, of a terminal one, and of an old one" {
    condition = [for a in step.call.attempts : [a.error.mode, a.error.category, a.error.severity, a.error.retryable, a.error.terminal] if a.error != null] == [
      ["DB_CORRUPT", "custom", "critical", false, true],
      ["SYSTEM_DISK", "system", "high", true, false],
      ["STOCK_CHANGED", "custom", "medium", true, false],
      ["AGENT_VALIDATION", "agent", "low", false, false],
    ]
  }
}

scenario "CU12 a taxonomy that extends another asks its own rules first" {
  run = workflow.strict_names

  on "call" {
    fault "error" { message = "deadlock found in the journal" }
    fault "error" { message = "deadlock found" }
    fault "error" { message = "no space left" }
    reply { content = "ok" }
  }

  assert "own rule, inherited rule with the own mode, inherited mode" {
    condition = [for a in step.call.attempts : [a.error.mode, a.error.retryable] if a.error != null] == [["DB_CORRUPT", false], ["DB_FLAKY", false], ["SYSTEM_DISK", true]]
  }
}

scenario "CU12 an own mode that is retryable is retried" {
  run = workflow.patient

  on "call" {
    fault "error" { message = "lock wait timeout" }
    reply { content = "ok" }
  }

  expect "call" {
    status    = "success"
    delays_ms = [1000]
  }
}

scenario "CU12 an own mode that is terminal stops before anything else is asked" {
  run = workflow.patient

  on "call" {
    fault "error" {
      type    = "IntegrityError"
      message = "the checksum of page 7 is wrong: lock wait timeout"
    }
  }

  expect "call" {
    status  = "failed"
    retries = 0
    error   = { mode = "DB_CORRUPT", terminal = true }
  }
  expect "run" { status = "failed" }
}

scenario "CU12 retry_on names an own mode, and nothing else is retried" {
  run = workflow.choosy

  on "call" {
    fault "error" { message = "deadlock found" }
    fault "error" { message = "timed out" }
  }

  expect "call" {
    retries = 1
    error   = { mode = "SYSTEM_TIMEOUT" }
  }
  expect "run" { status = "failed" }
}

scenario "CU12 a contract may name the mode of its breach" {
  run = workflow.contract

  on "call" {
    reply { content = "sold out" }
    reply { content = "two left" }
  }

  expect "call" {
    content = "two left"
    retries = 1
  }
  assert "the mode of the breach" {
    condition = events({ type = "failure" })[0].mode == "STOCK_CHANGED"
  }
}
